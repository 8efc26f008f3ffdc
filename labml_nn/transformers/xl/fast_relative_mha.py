r"""
---
title: Relative attention, faster
summary: The causal case in blocks of queries, with a shift that copies nothing.
---
# Relative attention, faster

[Relative attention](relative_mha.html) makes its scores of four terms,

$$s_{i,j} = \term{A}{Q_i^\top K_j} + \term{B}{Q_i^\top \bar R_{j-i}}
+ \term{C}{u^\top K_j} + \term{D}{\bar S_{j-i}}$$

for every pair of query and key. A language model then hides half of them, because no token may see
the future. This page computes only what is seen, and needs two observations for it.

## A block of queries is a segment with memory

Cut the queries into blocks. A query sees nothing beyond itself, so the keys behind the end of its
block are of no use to the block. What remains is a short segment whose queries are the last of the
keys: the very situation that relative attention with memory was made for. So the same computation
runs block by block, each time with the keys up to the end of the block. With $n$ blocks and no
memory, block $m$ needs the first $m$ of $n$ parts of the keys, and all the blocks together

$$\frac1n \sum_{m=1}^{n} \frac mn = \frac{n + 1}{2 n}$$

of the work: five eighths with four blocks, and never less than half. The tensors are smaller as
well, and can stay in the fast memory close to the processor from one step to the next. And only
the last keys of a block, as many as it has queries, can lie in the future of any of them. Only
there something must be hidden.

## A shift that copies nothing

The plain form scores each query against rows $r = -k, \dots, q - 1$ of the table, $k + q$ columns,
and [`shift_right`](relative_mha.html) writes all of them once more, with a 0 after each row. That
0 made a written row one cell longer than a cut row, and this one cell is what moves each row
against the one before.

Without the future, only the rows $r = -k, \dots, 0$ are needed. These are $k + 1$ columns, and we
want $k$. *The written row is one cell longer already*, and no 0 must be added. Take $q = 2$ and
$k = 3$. The cells show the distance that they were scored for:

$$\begin{bmatrix} -3 & -2 & -1 & 0 \\ -3 & -2 & -1 & 0 \end{bmatrix}
\;\to\;
-3\;-2\;\mid\;-1\quad 0\;-3\;\mid\;-2\;-1\quad 0
\;\to\;
\begin{bmatrix} -1 & 0 & \cdot \\ -2 & -1 & 0 \end{bmatrix}$$

Drop the first $q$ cells of the line and cut the rest into rows of $k$. To see that it is right in
general, look for the cell of query $i$ and key $j$. Its distance is $r = j - (i + M)$ with
$M = k - q$, in column $c = r + k = q + j - i$, as in the plain form. On the line it has the number

$$i (k + 1) + c = i k + j + q$$

and after the first $q$ cells are dropped, $i k + j$: row $i$, column $j$. In the cells of the
future, shown as a dot, stands the beginning of the next row. The causal mask hides them.
"""

import torch
from torch import Tensor

from labml_nn.figures import Figure, HeatMap, matrix
from labml_nn.transformers.masks import causal_mask, masked_softmax
from labml_nn.transformers.xl.relative_mha import RelativeMultiHeadAttention


def causal_shift(x: Tensor) -> Tensor:
    """
    ## The shift

    `x` has shape `[..., q, k + 1]`, its columns being the distances from $-k$ to 0. The result has
    shape `[..., q, k]`, its columns being keys. It is a view: no cell is copied. Cells in the
    future hold scores of other queries, and must not be read.
    """
    q, columns = x.shape[-2], x.shape[-1]
    return x.flatten(-2)[..., q:].unflatten(-1, (q, columns - 1))


class CausalRelativeMultiHeadAttention(RelativeMultiHeadAttention):
    """
    ## Causal relative attention

    The arguments and parameters are those of
    [`RelativeMultiHeadAttention`](relative_mha.html), and a checkpoint of the one loads into the
    other. With the mask of [`causal_mask`](../masks.html) the plain form gives the same results.

    * `block` is the number of queries that are handled together. It changes the speed only.

    There is one difference: **this attention is always causal**. No mask is needed for it, and a
    mask that is given can only hide more.
    """

    def __init__(
        self,
        heads: int,
        d_model: int,
        dropout_prob: float = 0.1,
        max_len: int = 1024,
        block: int = 128,
    ) -> None:
        super().__init__(heads, d_model, dropout_prob, max_len)
        if block < 1:
            raise ValueError(f"A block needs at least 1 query, but block is {block}.")
        self.block = block

    def forward(
        self, *, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
    ) -> Tensor:
        r"""
        ### Forward

        `query` has shape `[q, batch, d_model]`, `key` and `value` have shape
        `[k, batch, d_model]`, and the result has the shape of the query. The queries are the last
        $q$ of the $k$ positions.
        """
        self._check_shapes(query, key)
        if key.shape != value.shape:
            raise ValueError(
                f"Each key needs one value, but the keys have shape {list(key.shape)} "
                f"and the values {list(value.shape)}."
            )
        q, k, P = len(query), len(key), self.max_len
        if not q <= k <= P:
            raise ValueError(
                f"{q} queries must be at the end of at least as many keys, and no more keys than "
                f"max_len={P}; but there are {k} keys."
            )
        visible = self._visible(query, key, mask)

        # The heads in front, `[batch, heads, sequence, d_k]`. As in the plain form, $u$ is added
        # to the query for [A](term:A) and [C](term:C), and the plain query serves for
        # [B](term:B).
        Q = (self.query(query) * self.scale).permute(1, 2, 0, 3)
        Q_u = Q + (self.query_pos_bias * self.scale).unsqueeze(1)
        K = self.key(key).permute(1, 2, 0, 3)
        V = self.value(value).permute(1, 2, 0, 3)

        # The rows from $-k$ to 0: $\bar R$ with shape `[heads, d_k, k + 1]` and $\bar S$ with
        # shape `[heads, 1, k + 1]`.
        distances = slice(P - k, P + 1)
        R = self.key_pos_embeddings[distances].permute(1, 2, 0)
        S = (self.key_pos_bias[distances] * self.scale).t().unsqueeze(1)

        blocks = []
        for start in range(0, q, self.block):
            # This block is queries `start` to `end`, and sees the first `seen` keys.
            end = min(start + self.block, q)
            rows, seen = end - start, k - q + end

            # [B](term:B) and [D](term:D) with the rows from $-\text{seen}$ to 0, the last of the
            # table's, shifted. Then [A](term:A) and [C](term:C). The block's scores have shape
            # `[batch, heads, rows, seen]`.
            position = Q[:, :, start:end] @ R[..., k - seen :] + S[..., k - seen :]
            content = Q_u[:, :, start:end] @ K[:, :, :seen].mT
            scores = content + causal_shift(position)

            if visible is None:
                # Hide the future. It lies in the last corner, of as many keys as queries. The
                # tensor was made two lines above and nobody else has it, so it may be changed in
                # place. Every query sees itself, so no row is empty.
                future = ~causal_mask(rows, device=scores.device)
                scores[..., seen - rows :].masked_fill_(future, torch.finfo(scores.dtype).min)
                weights = scores.softmax(dim=-1)
            else:
                weights = masked_softmax(scores, visible[start:end, :seen])

            # Shape `[batch, heads, rows, d_k]`.
            blocks.append(self.dropout(weights) @ V[:, :, :seen])

        # All the queries again, `[batch, heads, q, d_k]`, and the heads side by side.
        return self.output(torch.cat(blocks, dim=2).permute(2, 0, 1, 3).flatten(-2))

    def attention_weights(
        self, *, query: Tensor, key: Tensor, mask: Tensor | None = None
    ) -> Tensor:
        """
        ### Weights

        As in the plain form, with the future hidden. Shape `[batch, heads, q, k]`.
        """
        self._check_shapes(query, key)
        visible = self._visible(query, key, mask)
        if visible is None:
            visible = causal_mask(len(query), len(key), query.device)
        return super().attention_weights(query=query, key=key, mask=visible)

    def _visible(self, query: Tensor, key: Tensor, mask: Tensor | None) -> Tensor | None:
        """
        The given mask and the causal one together, `[q, k, batch]` or `[q, k, 1]`; `None` if
        no mask was given.
        """
        if mask is None:
            return None
        given = self.prepare_mask(mask, query.shape, key.shape).squeeze(1).permute(1, 2, 0)
        return given & causal_mask(len(query), len(key), query.device).unsqueeze(-1)


def figures() -> dict[str, Figure]:
    """
    ## Figures

    The distances of three queries and five keys before the causal shift and after it. The plain
    shift of the same distances is shown [with the plain form](relative_mha.html#pylit-evidence).
    """
    q, k = 3, 5
    before = torch.arange(-k, 1, dtype=torch.float32).repeat(q, 1)
    after = causal_shift(before).masked_fill(~causal_mask(q, k), float("nan"))
    return {
        "before the causal shift": HeatMap(
            "Before the shift there is one column more than there are keys, and no future.",
            x="distance",
            y="query",
            values=matrix(before, digits=0),
            columns=tuple(str(r) for r in range(-k, 1)),
        ),
        "after the causal shift": HeatMap(
            "After the shift a column is a key, and the empty cells lie in the future.",
            x="key",
            y="query",
            values=matrix(after, digits=0),
        ),
    }


def _demonstrate() -> None:
    """
    ## See it work

    The example of the page, with the junk in the one cell of the future. Then both forms on a
    segment of five tokens with a memory of three, in blocks of two queries.
    """
    from labml.logger import inspect

    inspect(distances=causal_shift(torch.arange(-3, 1).repeat(2, 1)))

    torch.manual_seed(1)
    plain = RelativeMultiHeadAttention(heads=2, d_model=8, dropout_prob=0.0, max_len=8)
    fast = CausalRelativeMultiHeadAttention(2, 8, dropout_prob=0.0, max_len=8, block=2)
    fast.load_state_dict(plain.state_dict())
    seen = torch.randn(8, 1, 8)
    with torch.no_grad():
        a = plain(query=seen[3:], key=seen, value=seen, mask=causal_mask(5, 8))
        b = fast(query=seen[3:], key=seen, value=seen)
    print(f"The two forms agree to 1e-6: {(a - b).abs().max().item() < 1e-6}")


if __name__ == "__main__":
    _demonstrate()
