r"""
---
title: Wide heads with einsum
summary: The same attention as before, written by naming the axes instead of moving them.
---
# Wide heads with `einsum`

[Wide heads](wide.html) moved and joined axes so that products of matrices would fit. Much of its
code is about where an axis stands, and none of that is in the formula. `torch.einsum` takes the
formula nearly as it stands. With the axes `i` for the query, `j` for the key, `b` for the item of
the batch, `h` for the head and `d` for the feature,

\begin{align}
s_{bhij} &= \sum_d Q_{ibhd}\, K_{jbhd}
  && \texttt{ibhd,jbhd->bhij} \\
y_{ibhd} &= \sum_j w_{bhij}\, V_{jbhd}
  && \texttt{bhij,jbhd->ibhd}
\end{align}

Read such a string in three steps. An axis that is named in both inputs and in the result goes
along: `b` and `h` are never mixed. An axis that is missing from the result is summed over: `d` in
the first line, `j` in the second. An axis that only one input has, and that the result keeps, is
combined with those of the other input: in the first line every `i` meets every `j`, in the second
every `i` meets every `d`.

The letters are those of the formula, so there is nothing left to get wrong but the formula itself.
"""

import torch
from torch import Tensor

from labml_nn.transformers.masks import masked_softmax
from labml_nn.transformers.self_attention.wide import WideSelfAttention


class EinsumSelfAttention(WideSelfAttention):
    """
    ## Wide heads, once more

    The parameters are those of [`WideSelfAttention`](wide.html), under the same names; only the
    way of computing differs.
    """

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """
        ### Forward

        `x` has shape `[sequence, batch, d_model]`, and so has the result.
        """
        self.check(x)

        # The last axis of `[sequence, batch, heads * d]` is cut into two. This is all that remains
        # of the reshaping.
        cut = (self.heads, self.d_model)
        q = (self.query(x) * self.scale).unflatten(-1, cut)
        k = self.key(x).unflatten(-1, cut)
        v = self.value(x).unflatten(-1, cut)

        scores = torch.einsum("ibhd,jbhd->bhij", q, k)
        weights = masked_softmax(scores, mask)
        y = torch.einsum("bhij,jbhd->ibhd", weights, v)

        # The heads side by side, `[sequence, batch, heads * d]`, and back to one vector.
        return self.unify(y.flatten(-2))


def _demonstrate() -> None:
    """
    ## See it work

    Both forms with the same weights, with and without a mask. Sums of floating-point numbers
    depend a little on their order, so the results agree to about seven digits.
    """
    from labml_nn.transformers.masks import causal_mask

    torch.manual_seed(1)
    wide, einsum = WideSelfAttention(32, heads=4), EinsumSelfAttention(32, heads=4)
    einsum.load_state_dict(wide.state_dict())
    x = torch.randn(10, 3, 32)
    with torch.no_grad():
        for name, mask in (("without a mask", None), ("causal", causal_mask(10))):
            difference = (wide(x, mask) - einsum(x, mask)).abs().max().item()
            print(f"{name}: the two forms agree to 1e-6: {difference < 1e-6}")


if __name__ == "__main__":
    _demonstrate()
