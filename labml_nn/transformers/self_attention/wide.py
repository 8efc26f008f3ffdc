r"""
---
title: Self-attention with wide heads
summary: Queries, keys and values, and several heads that each see and return the whole vector.
---
# Self-attention with wide heads

[Basic self-attention](basic.html) uses each vector in three roles. Here every role has a matrix of
its own, so that a token can look for something other than itself:

\begin{align}
q_i &= W_q\, x_i && \text{what the token looks for} \\
k_j &= W_k\, x_j && \text{what the other has to offer} \\
v_j &= W_v\, x_j && \text{what the other hands over} \\
y_i &= \sum_j \operatorname{softmax}_j \left(\frac{q_i \cdot k_j}{\sqrt{d}}\right) v_j
\end{align}

One softmax gives one average. To look for several things at once, we let $h$ such attentions work
side by side, with matrices of their own, and one more matrix brings their $h$ results back to a
single vector.

In this variant each head is as *wide* as the token vector: $W_q$, $W_k$ and $W_v$ of every head
have $d \times d$ numbers, where $d$ is `d_model`. That is more than
[Attention Is All You Need](https://arxiv.org/abs/1706.03762) gives to its heads. There a head
reads the whole vector as well, but makes queries, keys and values of only $d / h$ features
(section 3.2.2). So its $h$ heads together have $3 d^2$ numbers in these matrices, as many as one
wide head alone. With $h$ wide heads there are $3 h d^2$.
[Narrow heads](narrow.html) go the other way, and have the table that compares the three.
"""

import torch
from torch import Tensor, nn

from labml_nn.transformers.masks import masked_softmax


class WideSelfAttention(nn.Module):
    """
    ## Wide heads

    * `d_model` is the number of features $d$ of a token vector, and of each head.
    * `heads` is the number of heads $h$.

    The maps to queries, keys and values have no bias. The last one has.
    """

    def __init__(self, d_model: int, heads: int) -> None:
        super().__init__()
        if heads < 1:
            raise ValueError(f"There must be at least 1 head, but heads is {heads}.")
        self.d_model = d_model
        self.heads = heads

        # The matrices of all the heads, one below the other: one product computes all the queries.
        self.query = nn.Linear(d_model, heads * d_model, bias=False)
        self.key = nn.Linear(d_model, heads * d_model, bias=False)
        self.value = nn.Linear(d_model, heads * d_model, bias=False)

        # From the $h$ results to one vector.
        self.unify = nn.Linear(heads * d_model, d_model)

        # The divisor is the square root of the number of features of *one* query, here $d$.
        self.scale = d_model**-0.5

    def check(self, x: Tensor) -> None:
        """Anything but `[sequence, batch, d_model]` is a `ValueError`."""
        if x.dim() != 3 or x.shape[-1] != self.d_model:
            raise ValueError(
                f"The input must have shape [sequence, batch, {self.d_model}], "
                f"but it has shape {list(x.shape)}."
            )

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        r"""
        ### Forward

        `x` has shape `[sequence, batch, d_model]`, and so has the result. A
        [mask](../masks.html) hides tokens from each other.

        Here the sums are written as products of matrices. A batched product knows only one axis of
        batch, rows and columns, so axes must be moved and joined until they fit.
        [With `einsum`](einsum.html) the same steps need no such moves.
        """
        self.check(x)
        length, batch, d = x.shape

        # Heads and items of the batch do not touch each other, so a head of an item is as good as
        # an item: the two axes become one. From `[sequence, batch, heads * d]` to
        # `[sequence, batch * heads, d]`, and the sequence goes to the middle.
        q = (self.query(x) * self.scale).reshape(length, batch * self.heads, d).transpose(0, 1)
        k = self.key(x).reshape(length, batch * self.heads, d).transpose(0, 1)
        v = self.value(x).reshape(length, batch * self.heads, d).transpose(0, 1)

        # Every query times every key. Shape `[batch * heads, sequence, sequence]`. The queries
        # were divided by $\sqrt{d}$ already. One could as well divide both the queries and the
        # keys by $\sqrt[4]{d}$, as is sometimes seen: the scores are the same.
        scores = torch.bmm(q, k.transpose(1, 2))

        # The mask belongs to the item, not to the head, so the two axes are told apart for a
        # moment.
        scores = scores.reshape(batch, self.heads, length, length)
        weights = masked_softmax(scores, mask).flatten(0, 1)

        # The averages, `[batch * heads, sequence, d]`; then the way back: the sequence goes to the
        # front again, and the heads of an item stand side by side,
        # `[sequence, batch, heads * d]`.
        y = torch.bmm(weights, v).transpose(0, 1).reshape(length, batch, self.heads * d)
        return self.unify(y)


def _demonstrate() -> None:
    """
    ## See it work

    With several heads one token can look at several places. These are the weights of two heads
    for the last of five tokens, each with its greatest weight on another token. Nothing was
    trained; the vectors are large, so that the random heads have clear preferences.
    """
    torch.manual_seed(8)
    attention = WideSelfAttention(d_model=8, heads=2)
    x = 3 * torch.randn(5, 1, 8)
    with torch.no_grad():
        q = attention.query(x[-1]).view(2, 8) * attention.scale
        k = attention.key(x).view(5, 2, 8)
        weights = torch.einsum("hd,jhd->hj", q, k).softmax(dim=-1)
    for head, row in enumerate(weights):
        print(f"head {head} of the last token:", [round(w, 2) for w in row.tolist()])
    print(f"{sum(p.numel() for p in attention.parameters()):,} parameters")


if __name__ == "__main__":
    _demonstrate()
