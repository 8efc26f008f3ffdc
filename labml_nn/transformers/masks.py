r"""
---
title: Masks
summary: Who may see whom, as matrices of True and False, and a softmax that obeys them.
---
# Masks

Attention as such lets every token see every other. There are two reasons to forbid it:

* A model that writes a text token by token must not look ahead in training, since what lies ahead
  will not be there when it writes. [`causal_mask`][] hides the future.
* The sequences of a batch have different lengths, and the short ones are filled up with a *padding*
  token that means nothing. [`padding_mask`][] hides it.

A mask answers one question for each pair of query $i$ and key $j$: may $i$ *see* $j$? `True` is
yes. Its shape is `[queries, keys, batch]`, where the first and the last axis may be 1, and
`[queries, keys]` stands for a mask that all the items of the batch share. Two masks are combined
with `&`: a key must be allowed by both.

This is the convention of all the attention of this library. Others exist. In
`torch.nn.MultiheadAttention` `True` means *hidden*, and a mask of numbers is added to the scores.
"""

import torch
from torch import Tensor


def causal_mask(
    queries: int, keys: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    r"""
    ## No looking ahead

    A token sees itself and everything before it. The mask is the lower triangle, of shape
    `[queries, keys]`:

    $$\begin{bmatrix} 1 & 0 & 0 \\ 1 & 1 & 0 \\ 1 & 1 & 1 \end{bmatrix}$$

    The diagonal belongs to it. Without it the first token would see nothing at all.

    With a memory there are more keys than queries, and the queries are the *last* of the
    positions. The triangle must then be aligned at the end, so that the whole memory is seen. Two
    queries with a memory of three:

    $$\begin{bmatrix} 1 & 1 & 1 & 1 & 0 \\ 1 & 1 & 1 & 1 & 1 \end{bmatrix}$$

    Query $i$ stands at position $i + M$ with $M = k - q$, and sees the keys $j \le i + M$. Fewer
    keys than queries would mean a query before the first key, and are a `ValueError`.
    """
    keys = queries if keys is None else keys
    if keys < queries:
        raise ValueError(
            f"{queries} queries stand at the end of {keys} keys; there must be at least as many "
            "keys as queries."
        )
    visible = torch.ones(queries, keys, dtype=torch.bool, device=device)
    return visible.tril(diagonal=keys - queries)


def padding_mask(tokens: Tensor, padding: int) -> Tensor:
    """
    ## No padding

    `tokens` has shape `[sequence, batch]`, and `padding` is the number of the token that fills up.
    The result has shape `[1, sequence, batch]`: all the queries of an item see the same keys. The
    padding tokens ask too, and what they receive means nothing; whoever uses the result leaves it
    out.
    """
    if tokens.dim() != 2:
        raise ValueError(
            f"Tokens must have shape [sequence, batch], but they have shape {list(tokens.shape)}."
        )
    return (tokens != padding).unsqueeze(0)


def masked_softmax(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    r"""
    ## Softmax over the keys that may be seen

    `scores` has shape `[batch, heads, queries, keys]`, and so has the result: weights that sum to
    1 over the visible keys. A query that sees no key gets a row of zeros. `mask` is a boolean mask
    as described above; anything else is a `ValueError`. Neither of the two is changed.
    """
    if mask is None:
        return scores.softmax(dim=-1)

    batch, _, queries, keys = scores.shape
    shape = tuple(mask.shape) if mask.dim() != 2 else (*mask.shape, 1)
    fits = (
        len(shape) == 3 and shape[0] in (1, queries) and shape[1] == keys and shape[2] in (1, batch)
    )
    if not fits or mask.dtype != torch.bool:
        raise ValueError(
            f"The mask must be boolean with shape [{queries} or 1, {keys}, {batch} or 1] (queries, "
            f"keys, batch), but it is {mask.dtype} with shape {list(mask.shape)}."
        )

    # To the order of the scores. The axis of 1 is that of the heads.
    visible = mask.reshape(shape).permute(2, 0, 1).unsqueeze(1)

    # A hidden score becomes the lowest number there is, and its share of the softmax 0. It must
    # happen *before* the softmax: weights that are set to 0 afterwards leave the rest of the row
    # with a sum below 1. And a score set to 0 is not hidden at all: it takes the share of any
    # other score of 0.
    lowest = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~visible, lowest).softmax(dim=-1)

    # In a row without a visible key all scores are now equally low, and all shares equal. They
    # become 0. In all other rows this line changes nothing.
    return weights.masked_fill(~visible, 0.0)


def _demonstrate() -> None:
    """
    ## See it work

    The causal mask of three tokens, and of two tokens with a memory of three. Then both masks at
    once, for a batch of two items. Item 0 has four tokens, item 1 has three and one of padding. All
    the scores are equal, so each query, a row, shares its weight evenly among the keys that it
    sees. In item 1 no query gives weight to key 3, the padding.
    """
    from labml.logger import inspect

    inspect(causal=causal_mask(3).int())
    inspect(with_memory=causal_mask(2, 5).int())

    tokens = torch.tensor([[7, 4], [3, 8], [5, 2], [9, 0]])
    visible = causal_mask(4).unsqueeze(-1) & padding_mask(tokens, padding=0)
    weights = masked_softmax(torch.zeros(2, 1, 4, 4), visible)
    inspect(weights_of_item_0=weights[0, 0])
    inspect(weights_of_item_1=weights[1, 0])


if __name__ == "__main__":
    _demonstrate()
