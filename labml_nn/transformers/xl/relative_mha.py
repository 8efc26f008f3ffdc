r"""
---
title: Relative multi-head attention (Transformer-XL)
summary: Attention scores made of contents and distances, so that a memory fits before any text.
terms:
    A: content
    B: term_b, key_pos_embeddings
    C: content, query_pos_bias
    D: term_d, key_pos_bias
---
# Relative multi-head attention

This is the attention of [Transformer-XL](https://arxiv.org/abs/1901.02860), section 3.3.
Transformer-XL reads a long text in segments and keeps the vectors of the previous segment as a
*memory*. Queries come from the present segment alone; keys and values come from the memory and the
segment together.

Absolute positions fail here. If each segment numbers its tokens from 0, the fifth token of the
memory and the fifth token of the segment carry the same position, and no score can tell which of
them came first. What both segments agree on is *distance*: how many steps lie between a key and
the query that looks at it. So the scores are rebuilt to use distances and nothing else about
positions.

The page has two parts. [`shift_right`][] is a small operation on matrices that the computation
needs. [`RelativeMultiHeadAttention`][] derives the new scores and overrides one method of
[multi-head attention](../mha.html), `get_scores`; all the rest stays.
"""

import torch
from torch import Tensor, nn

from labml_nn.figures import Figure, HeatMap, matrix
from labml_nn.transformers.mha import MultiHeadAttention


def shift_right(x: Tensor, dim: int = 0) -> Tensor:
    r"""
    ## Shift row $i$ by $i$ cells to the right

    $$\begin{bmatrix} 1 & 2 & 3 \\ 4 & 5 & 6 \\ 7 & 8 & 9 \end{bmatrix}
    \longrightarrow
    \begin{bmatrix} 1 & 2 & 3 \\ 0 & 4 & 5 \\ 6 & 0 & 7 \end{bmatrix}$$

    `x` has its rows along axis `dim` and its columns along the next axis; other axes are carried
    along. The result has the same shape. Row 0 stays, row 1 moves by one cell, row 2 by two. What
    is pushed out on the right is not always lost: the cells that become free on the left hold the
    rest of the *previous* row and a 0, as row 2 of the example shows. So cells with a column
    smaller than their row mean nothing, and whoever calls this function must not read them.

    No cell has to be moved one by one. Write the rows one after the other on a single line, with a
    0 after each, and cut the line again into rows of the old width:

    ```text
    1 2 3 0 | 4 5 6 0 | 7 8 9 0
    1 2 3 | 0 4 5 | 6 0 7 | 8 9 0
    ```

    With $w$ columns, each written row takes $w + 1$ places and each cut row only $w$. Cut row $i$
    thus begins $i$ places too early, and its content appears $i$ cells further to the right: cell
    $(i, c)$ is number $i w + c = i (w + 1) + (c - i)$ on the line, which is column $c - i$ of the
    written row $i$. The numbers that are left over after the last row are dropped.
    """
    dim = dim % x.dim()
    rows, columns = x.shape[dim], x.shape[dim + 1]

    # The 0 after each row: a column of zeros on the right.
    pad_shape = list(x.shape)
    pad_shape[dim + 1] = 1
    padded = torch.cat([x, x.new_zeros(pad_shape)], dim=dim + 1)

    # One line, and the cut. Both only relabel the cells in memory; the one copy was made above.
    line = padded.flatten(dim, dim + 1)
    return line.narrow(dim, 0, rows * columns).unflatten(dim, (rows, columns))


class RelativeMultiHeadAttention(MultiHeadAttention):
    r"""
    ## Four terms, and where positions enter them

    With absolute positions, token $i$ is the sum of a content $e_i$ and a position $p_i$ (the
    paper writes $E_{x_i}$ and $U_i$). Its query is $W_q (e_i + p_i)$, its key $W_k (e_i + p_i)$.
    Multiply the score of query $i$ and key $j$ out (before the division by $\sqrt{d_k}$, as
    everywhere on this page), and four terms appear. These are the terms (a) to (d) of the paper's
    section 3.3:

    \begin{align}
    s^\text{abs}_{i,j}
      &= \bigl(W_q (e_i + p_i)\bigr)^\top W_k (e_j + p_j) \\
      &= \term{A}{e_i^\top W_q^\top W_k e_j}
       + \term{B}{e_i^\top W_q^\top W_k p_j}
       + \term{C}{p_i^\top W_q^\top W_k e_j}
       + \term{D}{p_i^\top W_q^\top W_k p_j}
    \end{align}

    [A](term:A) compares content with content, [B](term:B) the content of the query with the
    position of the key, [C](term:C) the position of the query with the content of the key, and
    [D](term:D) position with position. Three of the four depend on absolute positions: the second
    and the fourth on $p_j$, the third and the fourth on $p_i$. The paper makes three changes:

    1. In the second and the fourth term, [B](term:B) and [D](term:D), the position of the *key*,
       $p_j$, is replaced by a vector $R_{i-j}$ that depends on the distance alone, and this vector
       has a key matrix of its own: $W_{k,R}$ for distances, $W_{k,E}$ for contents.
    2. The third and the fourth term still hold the position of the *query*, $p_i$. A query should
       behave the same wherever it stands, so in [C](term:C) the whole $W_q\, p_i$ becomes one
       learned vector $u$. The term then says how much attention the content of key $j$ deserves in
       general, whoever asks.
    3. In [D](term:D), $W_q\, p_i$ becomes another learned vector $v$. The term says how much
       attention a distance deserves in general.

    \begin{align}
    s^\text{rel}_{i,j}
      &= \term{A}{e_i^\top W_q^\top W_{k,E} e_j}
       + \term{B}{e_i^\top W_q^\top W_{k,R} R_{i-j}}
       + \term{C}{u^\top W_{k,E} e_j}
       + \term{D}{v^\top W_{k,R} R_{i-j}}
    \end{align}

    No position is left in it. The second and the fourth term depend on the distance $i - j$, the
    first and the third on contents alone.

    ## What is learned here, and how it departs from the paper

    In the paper $R_{i-j}$ is the [sinusoid](../positional_encoding.html) of the distance, which
    cannot be trained; $W_{k,R}$, $u$ and $v$ can. Here each head has two *tables* with one row for
    each distance, and all their numbers are learned. A row of the first is a vector $\bar R$, which
    stands for the product $W_{k,R} R_{i-j}$. A row of the second is a number $\bar S$, which stands
    for the product $v^\top W_{k,R} R_{i-j}$. We name the rows by $j - i$, the position of the key
    minus the position of the query: $-5$ is the key five steps back. With $Q_i = W_q e_i$ and
    $K_j = W_{k,E}\, e_j$, the scores become

    $$s_{i,j} = \term{A}{Q_i^\top K_j} + \term{B}{Q_i^\top \bar R_{j-i}}
    + \term{C}{u^\top K_j} + \term{D}{\bar S_{j-i}}$$

    This form can copy any model of the paper's form, by writing the products into the tables. The
    freedom has a price. With $h$ heads and tables of $2 P$ rows, a layer has
    $2 P (d_\text{model} + h)$ numbers for distances, where the paper has
    $d_\text{model}^2 + d_\text{model}$ in $W_{k,R}$ and $v$. A distance that never occurred in
    training keeps the random vector that it started with. And at $P$ steps from the query the
    tables end, while a sinusoid exists for every distance.

    ## Which way the tables run

    Both tables have $2P$ rows, numbered from 0, and row $P + r$ belongs to $r = j - i$. Row $P$ is
    for a token that looks at itself, $r = 0$. Keys in the past have $r < 0$ and stand before row
    $P$, keys in the future after it. So the rows ascend with the key, as the columns of the scores
    do.

    The paper counts the other way round, query minus key: its $R_5$ is the key five steps *back*,
    our row $P - 5$. To list distances in *its* order, from 0 upwards, is to list our rows from the
    last to the first, and a table in one order with a shift made for the other looks up wrong
    distances without any error. This is a common mistake. The paper's appendix B lists the
    distances from the greatest down to 0, which is our order; but it has no columns for the future,
    and moves row $i$ of $q$ by $q - 1 - i$ cells to the *left*, where [`shift_right`][] moves it by
    $i$ cells to the right.

    ## Arguments

    * `heads`, `d_model` and `dropout_prob` are those of
      [`MultiHeadAttention`](../mha.html).
    * `max_len` is $P$, the greatest number of queries, and of keys, memory included. Longer ones
      are a `ValueError`.
    """

    def __init__(
        self, heads: int, d_model: int, dropout_prob: float = 0.1, max_len: int = 1024
    ) -> None:
        # A bias in the query map would enter the scores exactly like $u$ and $v$, but as one and
        # the same vector in both places. As in the paper, $u$ and $v$ take its place and none of
        # the maps has a bias.
        super().__init__(heads, d_model, dropout_prob, bias=False)
        if max_len < 1:
            raise ValueError(f"max_len must be at least 1, but it is {max_len}.")
        self.max_len = max_len

        # $\bar R$ for [B](term:B): one key vector for each distance and head.
        self.key_pos_embeddings = nn.Parameter(torch.empty(2 * max_len, heads, self.d_k))
        # $\bar S$ for [D](term:D): one number for each distance and head.
        self.key_pos_bias = nn.Parameter(torch.empty(2 * max_len, heads))
        # $u$ for [C](term:C): one query vector for each head.
        self.query_pos_bias = nn.Parameter(torch.empty(heads, self.d_k))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """
        Give the three parameters their first values. The two biases begin without any preference.
        The table of vectors begins small, so that contents decide at first, but not at zero: with
        all distances alike, the untrained layer could not tell one order of the tokens from
        another.
        """
        nn.init.normal_(self.key_pos_embeddings, std=0.02)
        nn.init.zeros_(self.key_pos_bias)
        nn.init.zeros_(self.query_pos_bias)

    def get_scores(self, query: Tensor, key: Tensor) -> Tensor:
        r"""
        ### Relative scores

        `query` has shape `[q, batch, heads, d_k]`, `key` has shape `[k, batch, heads, d_k]`, and
        the scores have shape `[batch, heads, q, k]`. With memory there are more keys than queries.
        The queries are the *last* $q$ of the $k$ positions, so the memory has length $M = k - q$,
        and the true position of query $i$ is $i + M$. (With fewer keys than queries, $M$ is
        negative, and the first queries stand before the first key. All that follows still holds.)
        """
        q, k, P = query.shape[0], key.shape[0], self.max_len
        if q > P or k > P:
            raise ValueError(
                f"{q} queries and {k} keys do not fit a table of relative positions that was made "
                f"for max_len={P}."
            )
        scaled_query = query * self.scale

        # [A](term:A) and [C](term:C) share the key, so they are one product:
        # $Q_i^\top K_j + u^\top K_j = (Q_i + u)^\top K_j$. Shape `[batch, heads, q, k]`.
        content = torch.einsum(
            "ibhd,jbhd->bhij", scaled_query + self.query_pos_bias * self.scale, key
        )

        # For [B](term:B) and [D](term:D) query $i$ and key $j$ need row $P + j - (i + M)$. Looking
        # it up for each pair would build a tensor of $q \cdot k$ vectors. But only a few different
        # rows occur. The farthest past is the last query looking at key 0, $r = -(k - 1)$; the
        # farthest future is query 0 looking at the last key, $r = q - 1$. The slice
        # `[P - k : P + q]` holds them all, $k + q$ rows. (Its first row, $r = -k$, is never read.
        # With it, the first $q$ columns that are dropped below leave exactly $k$.)
        distances = slice(P - k, P + q)

        # Score every query against every one of these rows, as if the rows were keys.
        # [B](term:B) has shape `[batch, heads, q, k + q]`, and [D](term:D), which does not ask the
        # query, `[heads, 1, k + q]`.
        term_b = torch.einsum("ibhd,rhd->bhir", scaled_query, self.key_pos_embeddings[distances])
        term_d = (self.key_pos_bias[distances] * self.scale).t().unsqueeze(1)

        # Now the columns count distances, and they should count keys. Column $c$ is row
        # $P - k + c$, so query $i$ finds key $j$ in column $c = q + j - i$: the same key sits one
        # column further left with every next query. Shifting row $i$ to the right by $i$ lines the
        # keys up, and key $j$ is then in column $q + j$ for all the queries. The first $q$ columns
        # hold scores of places before the first key, and leftovers of the shift; we drop them.
        # Shape `[batch, heads, q, k]`.
        position = shift_right(term_b + term_d, dim=-2)[..., q:]

        # Check with the memory: $c = q + j - i$ is row $P - k + q + j - i = P + j - (i + M)$. The
        # memory shows only in where the slice begins, and a token that looks at itself,
        # $j = i + M$, reads row $P$ however long the memory is. A slice that begins at $P - q$
        # instead would read row $P + M$ there, and each row would change its meaning with the
        # memory.
        return content + position


def shifted_distances(q: int, k: int) -> tuple[Tensor, Tensor]:
    """
    ## The shift at work on distances

    The distances $r$ that the columns stand for when `q` queries are scored against the slice for
    `k` keys, before the shift and after it. Both have shape `[q, k + q]`. A cell that holds a
    leftover of the shift is NaN.
    """
    before = torch.arange(-k, q, dtype=torch.float32).repeat(q, 1)
    leftover = torch.ones(q, k + q, dtype=torch.bool).tril(diagonal=-1)
    return before, shift_right(before).masked_fill(leftover, float("nan"))


def figures() -> dict[str, Figure]:
    """
    ## Figures

    The distances of three queries and five keys, so with a memory of two, before the shift and
    after it. What such an attention learns when a task asks for a single distance is shown with
    [the task that needs memory](experiment.html#pylit-evidence).
    """
    q, k = 3, 5
    before, after = shifted_distances(q, k)
    return {
        "before the shift": HeatMap(
            "Before the shift a column is a distance, the same for all the queries.",
            x="distance",
            y="query",
            values=matrix(before, digits=0),
            columns=tuple(str(r) for r in range(-k, q)),
        ),
        "after the shift": HeatMap(
            "After the shift a column is a key. The first three columns, marked ×, are dropped.",
            x="key",
            y="query",
            values=matrix(after, digits=0),
            columns=tuple(str(j) if j >= 0 else "×" for j in range(-q, k)),
        ),
    }


def _demonstrate() -> None:
    r"""
    ## See it work

    First the shift, on the square matrix from above and on five rows that are all alike. Then the
    distances that three queries read with a memory of two tokens: the same slice and the same
    shift, applied to the numbers $r$ themselves. Read a row, and the distance grows by one from
    key to key; the 0 moves one key on with each query and begins at key 2, behind the memory.
    Finally twelve tokens go through a layer at once, and then in three segments of four with a
    memory of all earlier tokens. The outputs agree.
    """
    from labml.logger import inspect

    inspect(x=torch.arange(1, 10).view(3, 3))
    inspect(shifted=shift_right(torch.arange(1, 10).view(3, 3)))
    inspect(x=torch.arange(1, 6).repeat(5, 1))
    inspect(shifted=shift_right(torch.arange(1, 6).repeat(5, 1)))

    q, k = 3, 5
    inspect(distances=shifted_distances(q, k)[1][:, q:].int())

    torch.manual_seed(1)
    attention = RelativeMultiHeadAttention(heads=2, d_model=8, dropout_prob=0.0, max_len=12)
    x = torch.randn(12, 1, 8)
    causal = torch.ones(12, 12, dtype=torch.bool).tril()
    with torch.no_grad():
        whole = attention(query=x, key=x, value=x, mask=causal)
        segments = []
        for start in range(0, 12, 4):
            end = start + 4
            seen, visible = x[:end], causal[start:end, :end]
            segments.append(attention(query=x[start:end], key=seen, value=seen, mask=visible))
    difference = (torch.cat(segments) - whole).abs().max().item()
    print(f"Three segments with memory and the whole agree to 1e-6: {difference < 1e-6}")


if __name__ == "__main__":
    _demonstrate()
