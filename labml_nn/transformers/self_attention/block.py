r"""
---
title: The post-norm transformer block
summary: Attention and feed-forward network, each followed by addition and normalisation.
---
# The post-norm transformer block

Attention alone does not make a network that can be stacked. A block puts two parts one after the
other: the attention, which moves information between tokens, and the
[feed-forward network](../feed_forward.html), which works on each token by itself. Each part is
surrounded by a residual connection and followed by a normalisation:

\begin{align}
x &\leftarrow \operatorname{LayerNorm}(x + \operatorname{Attention}(x)) \\
x &\leftarrow \operatorname{LayerNorm}(x + \operatorname{FFN}(x))
\end{align}

This is the order of [Attention Is All You Need](https://arxiv.org/abs/1706.03762), section 3.1,
called *post-norm*. The [layers of the encoder](../models.html) normalise before the part instead,
and their page says why: a deep stack of them is easier to train. A shallow stack of post-norm
blocks is fine, and has a convenience: what leaves a block is already normalised, so no last
normalisation is needed.
"""

import torch
from torch import Tensor, nn

from labml_nn.transformers.feed_forward import FeedForward


class PostNormBlock(nn.Module):
    """
    ## The block

    * `d_model` is the number of features of a token vector.
    * `attention` is a self-attention that is called with the vectors and a mask:
      [wide](wide.html), [einsum](einsum.html), [narrow](narrow.html).
    * `feed_forward` is the network for the single token.
    * `dropout_prob` is the probability of dropping a feature of what a part *adds* (section 5.4 of
      the paper). The sum itself is not touched: to drop features of the token vector between the
      blocks would tear holes into the very path that the residual connection keeps open.
    """

    def __init__(
        self,
        *,
        d_model: int,
        attention: nn.Module,
        feed_forward: FeedForward,
        dropout_prob: float = 0.1,
    ) -> None:
        super().__init__()
        self.d_model = d_model
        self.attention = attention
        self.feed_forward = feed_forward
        self.norm_attention = nn.LayerNorm(d_model)
        self.norm_ff = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout_prob)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """`x` has shape `[sequence, batch, d_model]`, and so has the result."""
        x = self.norm_attention(x + self.dropout(self.attention(x, mask)))
        return self.norm_ff(x + self.dropout(self.feed_forward(x)))


def _demonstrate() -> None:
    """
    ## See it work

    A block with narrow heads, untrained. Whatever the size of the input, each token leaves with
    mean 0 and standard deviation 1, as the last step is a normalisation.
    """
    from labml_nn.transformers.self_attention.narrow import NarrowSelfAttention

    torch.manual_seed(1)
    block = PostNormBlock(
        d_model=16, attention=NarrowSelfAttention(16, heads=4), feed_forward=FeedForward(16, 64)
    ).eval()
    with torch.no_grad():
        for size in (1, 100):
            y = block(size * torch.randn(5, 2, 16))
            deviation = y.std(dim=-1, correction=0)
            print(f"input of size {size:3}: output of shape {list(y.shape)},", end=" ")
            print(f"deviations from {deviation.min():.2f} to {deviation.max():.2f}")


if __name__ == "__main__":
    _demonstrate()
