r"""
---
title: Sinusoidal positional encoding
summary: Why attention must be told the order of its tokens, and how sines and cosines tell it.
---
# Sinusoidal positional encoding

Attention treats its tokens as a set. Shuffle them, and each token receives the same average as
before, since a sum does not depend on the order of its parts. To make "dog bites man" differ from
"man bites dog", the order must be written into the vectors themselves.
[Attention Is All You Need](https://arxiv.org/abs/1706.03762), section 3.5, adds a fixed vector to
each token that depends on its position $t$ alone:

\begin{align}
PE_{t,\,2n} &= \sin(\omega_n t) \\
PE_{t,\,2n+1} &= \cos(\omega_n t)
\end{align}

with $\omega_n = 10000^{-2n / d_\text{model}}$, and features counted from 0. Each pair of features
is the hand of a clock. The first hand turns by one radian with every token and tells neighbours
apart; the following ones turn more and more slowly. With 512 features the last one needs
$2 \pi \cdot 10000^{510 / 512} \approx 60{,}600$ tokens for one turn. Together they give every
position a vector of its own.

## Why sines and cosines

Moving on by $m$ tokens turns each hand by the fixed angle $\omega_n m$, whatever its position was:

$$\begin{pmatrix} \sin \omega_n (t + m) \\ \cos \omega_n (t + m) \end{pmatrix} =
\begin{pmatrix} \cos \omega_n m & \sin \omega_n m \\
-\sin \omega_n m & \cos \omega_n m \end{pmatrix}
\begin{pmatrix} \sin \omega_n t \\ \cos \omega_n t \end{pmatrix}$$

The matrix depends on $m$ alone. So "$m$ tokens further on" is the same linear map for every
position, and the linear maps to queries and keys can learn it, as the paper supposes. It follows
that the dot product of two encodings depends on their distance and on nothing else:

$$PE_t \cdot PE_{t+m} = \sum_n (\sin \omega_n t \, \sin \omega_n (t + m)
+ \cos \omega_n t \, \cos \omega_n (t + m)) = \sum_n \cos \omega_n m$$
"""

import torch
from torch import Tensor, nn

from labml_nn.figures import Figure, HeatMap, matrix


def get_positional_encoding(d_model: int, max_len: int = 5000) -> Tensor:
    r"""
    ## The table

    The encodings of the positions $0$ to `max_len - 1`, of shape `[max_len, 1, d_model]`; the 1
    stands for the batch. With an odd `d_model` the last sine has no cosine beside it.
    """
    # Angles grow into the thousands, and `float32` keeps seven digits of them, so a late angle is
    # wrong in the fourth decimal place. `float64` has digits to spare; the finished table, with
    # numbers between -1 and 1, is rounded only once, at the end.
    position = torch.arange(max_len, dtype=torch.float64)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)
    rate = 10000.0 ** (-even_feature / d_model)

    # Angle of each hand at each position: one row for a position, one column for a hand.
    angle = torch.outer(position, rate)

    # A sine and its cosine side by side. With an odd width the cosine of the last hand is cut off.
    # Shape `[max_len, d_model]`, then `[max_len, 1, d_model]`.
    table = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)[:, :d_model]
    return table.unsqueeze(1).to(torch.get_default_dtype())


class PositionalEncoding(nn.Module):
    """
    ## Add positions to token vectors

    * `d_model` is the number of features of a token vector.
    * `dropout_prob` is the probability of dropping a feature of the sum in training (section 5.4
      of the paper).
    * `max_len` is the greatest length of a sequence.
    """

    def __init__(self, d_model: int, dropout_prob: float, max_len: int = 5000) -> None:
        super().__init__()
        self.d_model = d_model
        self.dropout = nn.Dropout(dropout_prob)

        # A buffer moves with the module to another device or number type, and is not trained. As
        # it can be computed at any time, it stays out of checkpoints, and a checkpoint loads into
        # a model with another `max_len`.
        table = get_positional_encoding(d_model, max_len)
        self.register_buffer("positional_encodings", table, persistent=False)
        self.positional_encodings: Tensor

    def forward(self, x: Tensor) -> Tensor:
        """
        `x` has shape `[sequence, batch, d_model]`, and so has the result, in the number type of
        `x`. A sequence longer than `max_len` is a `ValueError`. So is any other number of axes:
        the position is counted along axis 0, and this cannot be guessed.
        """
        max_len = self.positional_encodings.shape[0]
        if x.dim() != 3 or x.shape[-1] != self.d_model:
            raise ValueError(
                f"The input must have shape [sequence, batch, {self.d_model}], "
                f"but it has shape {list(x.shape)}."
            )
        if x.shape[0] > max_len:
            raise ValueError(
                f"The sequence (axis 0) has length {x.shape[0]}, but the table of positions was "
                f"made for max_len={max_len}."
            )
        return self.dropout(x + self.positional_encodings[: x.shape[0]].to(x.dtype))


def figures() -> dict[str, Figure]:
    """
    ## Figures

    The table itself, and the dot products of all pairs of its rows.
    """
    table = get_positional_encoding(d_model=64, max_len=64).squeeze(1)
    return {
        "table": HeatMap(
            "Fast hands stand on the left, slow ones on the right.",
            x="feature",
            y="position",
            values=matrix(table, digits=2),
        ),
        "dot products": HeatMap(
            "The dot product of two encodings depends on their distance alone.",
            x="position",
            y="position",
            values=matrix(table @ table.t(), digits=1),
        ),
    }


def _demonstrate() -> None:
    """
    ## See it work

    The dot products of the encodings of the first five positions. The numbers are alike along each
    diagonal: only the distance counts. Over these few positions they fall as the distance grows:
    the nearer two tokens are, the more alike are their encodings.
    """
    from labml.logger import inspect

    table = get_positional_encoding(d_model=64, max_len=5).squeeze(1)
    inspect(dot_products=(table @ table.t()).round(decimals=1))


if __name__ == "__main__":
    _demonstrate()
