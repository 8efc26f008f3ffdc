r"""
---
title: A classifier of sequences
summary: Embedding, blocks, an average that ignores padding, and log-probabilities of the classes.
---
# A classifier of sequences

What is this text about, is this review friendly, which of two things comes first? One answer for a
whole sequence needs one vector for a whole sequence. The classifier makes it in four steps:

1. An embedding turns each token into a vector that holds its position as well.
2. Some [blocks](block.html) let the tokens exchange what they know.
3. The vectors of all real tokens are averaged.
4. A linear map makes one number for each class, and a softmax makes probabilities of them.

## The average over real tokens

The sequences of a batch have different lengths and are filled up with padding. A plain mean over
the axis of the sequence would divide by the length of the *longest* sequence, and add the vectors
of the padding, which mean nothing. With $m_t = 1$ for a real token and $0$ for padding, the right
average is

$$\bar x = \frac{\sum_t m_t\, x_t}{\sum_t m_t}$$

Inside the blocks, the mask keeps the real tokens from looking at padding. With both, the answer
for a sequence does not depend on how much padding it was given.
"""

import torch
from torch import Tensor, nn

from labml_nn.transformers.feed_forward import FeedForward
from labml_nn.transformers.masks import padding_mask
from labml_nn.transformers.models import EmbeddingsWithLearnedPositionalEncoding, stack
from labml_nn.transformers.self_attention.block import PostNormBlock
from labml_nn.transformers.self_attention.narrow import NarrowSelfAttention


def mean_of_real(x: Tensor, real: Tensor) -> Tensor:
    """
    ## The average

    `x` has shape `[sequence, batch, d_model]`, and `real`, of shape `[sequence, batch]`, is `True`
    for the tokens that count. The result has shape `[batch, d_model]`. A sequence without any real
    token has the average 0.
    """
    # Hidden vectors are replaced, not multiplied by 0: 0 times infinity would be NaN.
    kept = x.masked_fill(~real.unsqueeze(-1), 0.0)
    count = real.sum(dim=0).clamp(min=1).unsqueeze(-1)
    return kept.sum(dim=0) / count


class SequenceClassifier(nn.Module):
    """
    ## The classifier

    * `embed` turns tokens of shape `[sequence, batch]` into vectors of shape
      `[sequence, batch, d_model]`: one of the [embeddings with positions](../models.html).
    * `block` is the first of `n_blocks` blocks; the others are built like it.
    * `n_classes` is the number of classes.
    * `padding` is the number of the token that fills up.
    """

    def __init__(
        self,
        embed: nn.Module,
        block: PostNormBlock,
        n_blocks: int,
        n_classes: int,
        padding: int = 0,
    ) -> None:
        super().__init__()
        self.embed = embed
        self.blocks = stack(block, n_blocks)
        self.classes = nn.Linear(block.d_model, n_classes)
        self.padding = padding

    def forward(self, tokens: Tensor) -> Tensor:
        """
        `tokens` has shape `[sequence, batch]`, the result `[batch, n_classes]`: the logarithms of
        the probabilities, as `nn.NLLLoss` expects them.
        """
        visible = padding_mask(tokens, self.padding)
        x = self.embed(tokens)
        for block in self.blocks:
            x = block(x, visible)

        # The mask has shape `[1, sequence, batch]`, and its one row says which tokens are real.
        return self.classes(mean_of_real(x, visible[0])).log_softmax(dim=-1)


def _demonstrate() -> None:
    """
    ## See it work

    One sequence of four tokens, alone, and in a batch beside a longer one, with three tokens of
    padding. The probabilities of its classes are the same.
    """
    torch.manual_seed(1)
    model = SequenceClassifier(
        EmbeddingsWithLearnedPositionalEncoding(d_model=16, n_vocab=10, max_len=8),
        PostNormBlock(
            d_model=16, attention=NarrowSelfAttention(16, heads=2), feed_forward=FeedForward(16, 32)
        ),
        n_blocks=2,
        n_classes=3,
    ).eval()
    alone = torch.tensor([[5], [2], [7], [1]])
    padded = torch.tensor([[5, 2, 7, 1, 0, 0, 0], [9, 8, 7, 6, 5, 4, 3]]).t()
    with torch.no_grad():
        for name, tokens in (("alone", alone), ("padded", padded)):
            print(f"{name:6}", [round(p, 4) for p in model(tokens)[0].exp().tolist()])


if __name__ == "__main__":
    _demonstrate()
