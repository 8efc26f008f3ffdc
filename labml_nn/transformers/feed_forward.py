r"""
---
title: Position-wise feed-forward network
summary: The part of a transformer layer that works on each token by itself, and why it is needed.
---
# Position-wise feed-forward network

Attention moves information *between* tokens, but what it moves is an average of linear maps of
vectors: once the weights are fixed, all of it is linear. The feed-forward network is where a token
works on what it received, and it supplies what is not linear:

$$\operatorname{FFN}(x) = \max(0,\; x W_1 + b_1)\, W_2 + b_2$$

This is equation 2 of [Attention Is All You Need](https://arxiv.org/abs/1706.03762), section 3.3.
The same two maps are applied to each token separately; that is what *position-wise* means. The
layer between them is wider than the token vector: the paper takes $d_\text{ff} = 2048$ for
$d_\text{model} = 512$. An encoder layer then has $2 \cdot 512 \cdot 2048$ weights here and
$4 \cdot 512^2$ in its attention, so two thirds of them are here.
"""

import torch
from torch import Tensor, nn


class FeedForward(nn.Module):
    r"""
    ## Feed-forward network

    * `d_model` is the number of features of a token vector.
    * `d_ff` is the number of features $d_\text{ff}$ of the wide layer.
    * `dropout_prob` is the probability of dropping a feature of the wide layer in training. The
      paper does not mention this dropout; PyTorch's own transformer layer has it in the same
      place.
    * `activation` is what is not linear, a ReLU unless you pass another module. A module that is
      passed may have parameters, and several networks that are given the same one share them.
    """

    def __init__(
        self,
        d_model: int,
        d_ff: int,
        dropout_prob: float = 0.1,
        activation: nn.Module | None = None,
    ) -> None:
        super().__init__()
        self.layer1 = nn.Linear(d_model, d_ff)
        self.activation = nn.ReLU() if activation is None else activation
        self.dropout = nn.Dropout(dropout_prob)
        self.layer2 = nn.Linear(d_ff, d_model)

    def forward(self, x: Tensor) -> Tensor:
        """
        `x` has shape `[..., d_model]`, and so has the result. A linear map acts on the last axis
        alone, so nothing passes from one token to another.
        """
        # The wide layer, `[..., d_ff]`: linear map, activation, dropout.
        hidden = self.dropout(self.activation(self.layer1(x)))
        # Back to the width of a token: `[..., d_model]`.
        return self.layer2(hidden)


def _demonstrate() -> None:
    """
    ## See it work

    Change one token of five and see which outputs move: only its own. Then compare the number of
    parameters, biases included, with that of the attention beside it, at the sizes of the paper.
    """
    from labml_nn.transformers.mha import MultiHeadAttention

    torch.manual_seed(1)
    feed_forward = FeedForward(d_model=8, d_ff=32).eval()
    x = torch.randn(5, 1, 8)
    changed = x.clone()
    changed[2] += 1
    with torch.no_grad():
        moved = (feed_forward(changed) - feed_forward(x)).abs().amax(dim=(1, 2)) > 0
    print("Token 2 was changed; which outputs moved?", moved.tolist())

    for name, module in (
        ("attention", MultiHeadAttention(heads=8, d_model=512)),
        ("feed-forward", FeedForward(d_model=512, d_ff=2048)),
    ):
        print(f"{name:12} {sum(p.numel() for p in module.parameters()):9,} parameters")


if __name__ == "__main__":
    _demonstrate()
