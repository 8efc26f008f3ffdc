r"""
---
title: Self-attention with narrow heads
summary: Heads that each work on a piece of the vector, compared with the wide and the usual ones.
---
# Self-attention with narrow heads

[Wide heads](wide.html) have matrices of $d \times d$ numbers each. Here the token vector is cut
into $h$ pieces of $s = d / h$ features, and each head works on one piece alone. All the heads
share one small matrix of $s \times s$ numbers for the queries, and one each for keys and values.
With $x_i^{(n)}$ for piece $n$ of token $i$:

\begin{align}
q_i^{(n)} &= W_q\, x_i^{(n)}, \quad
k_j^{(n)} = W_k\, x_j^{(n)}, \quad
v_j^{(n)} = W_v\, x_j^{(n)} \\
y_i^{(n)} &= \sum_j \operatorname{softmax}_j
  \left(\frac{q_i^{(n)} \cdot k_j^{(n)}}{\sqrt{s}}\right) v_j^{(n)}
\end{align}

The divisor is $\sqrt{s}$ and not $\sqrt{d}$. The sum in the dot product has $s$ terms, and
[the reason for dividing](../mha.html) is the number of terms. With $\sqrt{d}$ the scores would be
$\sqrt{h}$ times too small and the weights too even, a mistake that shows in no shape and raises no
error.

## How it differs from the usual heads

The heads of [multi-head attention](../mha.html) also have $d / h$ features. But each of them makes
its queries from the *whole* vector, and has matrices of its own. For $d = 128$ and 8 heads:

| | a head reads | matrices | numbers in $W_q$ | parameters in all |
|---|---|---|---|---|
| wide | all 128 features | 8, each $128 \times 128$ | 131,072 | 524,416 |
| usual | all 128 features | 8, each $16 \times 128$ | 16,384 | 65,664 |
| narrow | its own 16 features | 1, of $16 \times 16$, shared | 256 | 17,280 |

Of the 17,280, all but 768 belong to the last map, which is the only place where the pieces of the
vector meet. So narrow heads are not a cheaper way to compute the usual ones but a different and
weaker model. (The usual heads are counted without biases in the maps to queries, keys and values,
like the two others. All three are counted with the bias of the last map.)
"""

import torch
from torch import Tensor, nn

from labml_nn.figures import Bars, Figure
from labml_nn.transformers.masks import masked_softmax


class NarrowSelfAttention(nn.Module):
    """
    ## Narrow heads

    * `d_model` is the number of features $d$ of a token vector. It must be a multiple of `heads`;
      anything else is a `ValueError`.
    * `heads` is the number of heads $h$.
    """

    def __init__(self, d_model: int, heads: int) -> None:
        super().__init__()
        if heads < 1 or d_model % heads != 0:
            raise ValueError(f"d_model ({d_model}) must be a multiple of heads ({heads}).")
        self.d_model = d_model
        self.heads = heads
        self.piece = d_model // heads

        # One small matrix for all the heads.
        self.query = nn.Linear(self.piece, self.piece, bias=False)
        self.key = nn.Linear(self.piece, self.piece, bias=False)
        self.value = nn.Linear(self.piece, self.piece, bias=False)

        self.unify = nn.Linear(d_model, d_model)
        self.scale = self.piece**-0.5

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """
        `x` has shape `[sequence, batch, d_model]`, and so has the result. A
        [mask](../masks.html) hides tokens from each other.
        """
        if x.dim() != 3 or x.shape[-1] != self.d_model:
            raise ValueError(
                f"The input must have shape [sequence, batch, {self.d_model}], "
                f"but it has shape {list(x.shape)}."
            )

        # Cut, and only then project: a linear map acts on the last axis, so each piece goes
        # through the same small matrix. Shape `[sequence, batch, heads, s]`.
        pieces = x.unflatten(-1, (self.heads, self.piece))
        q, k, v = self.query(pieces) * self.scale, self.key(pieces), self.value(pieces)

        # From here on it is attention with heads like any other.
        scores = torch.einsum("ibhd,jbhd->bhij", q, k)
        weights = masked_softmax(scores, mask)
        y = torch.einsum("bhij,jbhd->ibhd", weights, v)

        # The pieces are put side by side again, and the last map mixes them.
        return self.unify(y.flatten(-2))


def parameter_counts(d_model: int, heads: int) -> dict[str, dict[str, float]]:
    """
    ## Count the parameters

    For wide, usual and narrow heads: the numbers in the maps to queries, keys and values, and
    those in the last map with its bias.
    """
    from labml_nn.transformers.mha import MultiHeadAttention
    from labml_nn.transformers.self_attention.wide import WideSelfAttention

    wide, narrow = WideSelfAttention(d_model, heads), NarrowSelfAttention(d_model, heads)
    usual = MultiHeadAttention(heads, d_model, bias=False)
    counts: dict[str, dict[str, float]] = {}
    for name, module in (("wide", wide), ("usual", usual), ("narrow", narrow)):
        last = module.output if isinstance(module, MultiHeadAttention) else module.unify
        maps = sum(p.numel() for p in module.parameters()) - sum(
            p.numel() for p in last.parameters()
        )
        counts[name] = {"queries, keys, values": maps, "last map": last.weight.numel() + d_model}
    return counts


def figures() -> dict[str, Figure]:
    """
    ## Figures

    The parameters of the three kinds of heads.
    """
    return {
        "parameters": Bars(
            "Usual heads have an eighth of the parameters of wide ones, narrow heads a thirtieth.",
            y="parameters (d_model 128, 8 heads)",
            groups=parameter_counts(128, 8),
        )
    }


def _demonstrate() -> None:
    r"""
    ## See it work

    First the parameters of the three. Then what the divisor does: the weight of the best of 16
    keys, averaged over queries, when all features have variance 1, with $\sqrt{s}$ and with the
    mistaken $\sqrt{d}$. The second is much closer to $\frac{1}{16} \approx 0.06$, the weights of an
    attention that prefers no key.
    """
    for name, parts in parameter_counts(128, 8).items():
        print(f"{name:7} {sum(parts.values()):8,.0f} parameters")

    torch.manual_seed(1)
    scores = torch.randn(2000, 16) @ torch.randn(16, 16)
    for name, features in (("s = 16 ", 16), ("d = 128", 128)):
        best = (scores * features**-0.5).softmax(dim=-1).amax(dim=-1).mean().item()
        print(f"divided by the root of {name}: the best key has {best:.2f}")


if __name__ == "__main__":
    _demonstrate()
