r"""
---
title: Multi-head attention
summary: Scaled dot-product attention with several heads, with the reason for each step.
---
# Multi-head attention

Attention lets every token collect information from other tokens. Each token sends out a *query*,
the description of what it looks for. Each token also offers a *key*, the description of what it
has, and a *value*, the thing itself. A query is compared with all the keys, and the better a key
fits, the more of its value the token receives:

$$\operatorname{Attention}(Q, K, V)
= \operatorname{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V$$

This is equation 1 of [Attention Is All You Need](https://arxiv.org/abs/1706.03762), section 3.2.1.
Row $i$ of $Q$ is the query of token $i$, row $j$ of $K$ and $V$ are the key and the value of token
$j$, and $d_k$ is the number of features of a query or key. The softmax runs over the keys, so what
a token receives is a weighted average of the values.

## Why the scores are divided by $\sqrt{d_k}$

Take a query and a key whose features are independent, with mean 0 and variance 1. A product of two
such features also has mean 0 and variance 1, and the score is a sum of $d_k$ independent products,
so the variances add up (footnote 4 of the paper):

$$\operatorname{Var}\left(\sum_{d=1}^{d_k} q_d k_d\right)
= \sum_{d=1}^{d_k} \operatorname{Var}(q_d k_d) = d_k$$

The standard deviation of the scores is therefore $\sqrt{d_k}$, which is
8 for 64 features. Softmax turns a difference of 8 between two scores into a ratio of
$e^8 \approx 3000$ between their weights, so almost all the weight falls on one key. The derivative
of a weight $w$ with respect to its own score is $w (1 - w)$, which is close to 0 when $w$ is close
to 0 or to 1, and so almost no gradient passes. Dividing by $\sqrt{d_k}$ brings the standard
deviation back to 1, whatever the size of a head.

## Why there are several heads

One softmax makes one average. A token that needs its verb and also its adjective would have to
blur them. With $h$ heads the model makes $h$ averages, each with its own, narrower queries, keys
and values of $d_k = d_\text{model} / h$ features, and mixes the results with one more linear map
(section 3.2.2):

\begin{align}
\operatorname{MultiHead}(Q, K, V)
  &= \operatorname{Concat}(\text{head}_1, \dots, \text{head}_h)\, W^O \\
\text{head}_n
  &= \operatorname{Attention}(Q W^Q_n,\; K W^K_n,\; V W^V_n)
\end{align}
"""

import torch
from torch import Tensor, nn


class PrepareForMultiHeadAttention(nn.Module):
    r"""
    ## From token vectors to heads

    The matrices $W^Q_n$ of all the heads, laid side by side, are one matrix with $h \cdot d_k$
    columns. One linear map with this matrix serves all the heads at once; cutting its output into
    $h$ pieces gives each head its own. Keys and values are made in the same way.

    * `d_model` is the number of features of a token vector.
    * `heads` is the number of heads $h$.
    * `d_k` is the number of features of each head.
    * `bias` tells whether the linear map adds a bias.
    """

    def __init__(self, d_model: int, heads: int, d_k: int, bias: bool) -> None:
        super().__init__()
        self.linear = nn.Linear(d_model, heads * d_k, bias=bias)
        self.heads = heads
        self.d_k = d_k

    def forward(self, x: Tensor) -> Tensor:
        """
        `x` has shape `[..., d_model]`, with any axes in front; the result has shape
        `[..., heads, d_k]`.
        """
        return self.linear(x).unflatten(-1, (self.heads, self.d_k))


class MultiHeadAttention(nn.Module):
    r"""
    ## Attention with several heads

    * `heads` is the number of heads $h$.
    * `d_model` is the number of features of a token vector. Each head works with
      $d_\text{model} / h$ features, so it must be a multiple of `heads`; anything else is a
      `ValueError`.
    * `dropout_prob` is the probability with which a single attention weight is dropped in
      training.
    * `bias` tells whether the four linear maps (query, key, value, output) add a bias.

    With `bias`, the bias of the keys deserves a second look: it adds the same number
    $Q_i \cdot b_K$ to all the scores of a query, and softmax does not change when all its inputs
    move together. So its gradient is 0, and it never learns anything. We keep it, as PyTorch does,
    so that weights can be exchanged with `torch.nn.MultiheadAttention`.
    """

    def __init__(
        self, heads: int, d_model: int, dropout_prob: float = 0.1, bias: bool = True
    ) -> None:
        super().__init__()
        if heads < 1 or d_model % heads != 0:
            raise ValueError(f"d_model ({d_model}) must be a multiple of heads ({heads}).")
        self.heads = heads
        self.d_model = d_model
        self.d_k = d_model // heads

        # Three maps make queries, keys and values, and a fourth, $W^O$, mixes what the heads
        # found.
        self.query = PrepareForMultiHeadAttention(d_model, heads, self.d_k, bias)
        self.key = PrepareForMultiHeadAttention(d_model, heads, self.d_k, bias)
        self.value = PrepareForMultiHeadAttention(d_model, heads, self.d_k, bias)
        self.output = nn.Linear(d_model, d_model, bias=bias)

        self.scale = self.d_k**-0.5
        self.dropout = nn.Dropout(dropout_prob)

    def get_scores(self, query: Tensor, key: Tensor) -> Tensor:
        r"""
        ### Scores

        How well does each query fit each key? `query` has shape `[q, batch, heads, d_k]`, `key`
        has shape `[k, batch, heads, d_k]`, and the scores have shape `[batch, heads, q, k]`,
        already scaled: $S_{bhij} = \sum_d Q_{ibhd} K_{jbhd} / \sqrt{d_k}$.

        Other kinds of attention differ in this one step, and override this one method.
        [Relative attention](xl/relative_mha.html) does.
        """
        # Scaling the query first costs $q \cdot d_k$ products in each head, where scaling the
        # scores costs $q \cdot k$. It also keeps half precision safe: `float16` ends at 65504, and
        # a raw sum of products can pass that although the scaled score would not.
        return torch.einsum("ibhd,jbhd->bhij", query * self.scale, key)

    def prepare_mask(self, mask: Tensor, query_shape: torch.Size, key_shape: torch.Size) -> Tensor:
        r"""
        ### The mask

        A mask says which keys a query may *see*: `True` or 1 for visible, `False` or 0 for hidden.
        Its shape is `[q, k, batch]`. The first and the last axis may be 1, when all the queries or
        all the items of the batch share the same mask, and `[q, k]` is short for `[q, k, 1]`.

        The result is a boolean mask that fits the scores, of shape `[batch, 1, q, k]` (where an
        axis may still be 1): the 1 stands for the heads, which all see the same keys.

        Any other shape, and any value other than 0 or 1, is a `ValueError`. Other libraries have
        masks that are *added* to the scores, 0 for visible and $-\infty$ for hidden. Read as ours,
        such a mask would mean the opposite, so it is refused.
        """
        q, batch = query_shape[0], query_shape[1]
        k = key_shape[0]
        shape = tuple(mask.shape) if mask.dim() != 2 else (*mask.shape, 1)
        if len(shape) != 3 or shape[0] not in (1, q) or shape[1] != k or shape[2] not in (1, batch):
            raise ValueError(
                f"The mask must have shape [{q} or 1, {k}, {batch} or 1] (queries, keys, batch), "
                f"but it has shape {list(mask.shape)}."
            )

        # A boolean mask can hold nothing but the two right values. For any other type we must look
        # at the values, which cannot be done while `torch.compile` or `torch.export` traces the
        # module: there are no values yet.
        if mask.dtype != torch.bool:
            if torch.compiler.is_compiling():
                raise ValueError(f"A compiled module needs a boolean mask, not {mask.dtype}.")
            if ((mask != 0) & (mask != 1)).any():
                raise ValueError(
                    "The mask must hold only 0 (hidden) and 1 (visible), but it has values from "
                    f"{mask.min().item()} to {mask.max().item()}. Masks that are added to the "
                    "scores are not supported."
                )
            mask = mask == 1

        return mask.reshape(shape).permute(2, 0, 1).unsqueeze(1)

    def attention_weights(
        self, *, query: Tensor, key: Tensor, mask: Tensor | None = None
    ) -> Tensor:
        """
        ### Weights

        The share that each query gives to each key, of shape `[batch, heads, q, k]`. Each row of
        keys sums to 1, except that a query which may see no key at all has a row of zeros.

        The arguments are those of `forward`. The weights are big and are not kept on the module;
        call this method to look at them.
        """
        self._check_shapes(query, key)
        scores = self.get_scores(self.query(query), self.key(key))
        if mask is None:
            return scores.softmax(dim=-1)

        # The score of a hidden key becomes the lowest number of its type, so that the key's share
        # is 0 after the softmax. Minus infinity would do the same, except in a row with no visible
        # key, where softmax would divide 0 by 0. The last step below would keep that NaN out of the
        # result, but whoever searches for a NaN of their own with `torch.autograd.detect_anomaly`
        # would find ours. `masked_fill` makes a new tensor: what `get_scores` returned may be in
        # use elsewhere and stays as it is.
        visible = self.prepare_mask(mask, query.shape, key.shape)
        lowest = torch.finfo(scores.dtype).min
        weights = scores.masked_fill(~visible, lowest).softmax(dim=-1)

        # In a row with no visible key all the scores are now equal, and softmax shares the weight
        # out evenly among keys that must not be seen. So hidden weights are set to 0 once more.
        # This changes only such rows, and cuts the gradient there.
        return weights.masked_fill(~visible, 0.0)

    def forward(
        self, *, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
    ) -> Tensor:
        r"""
        ### All together

        * `query` has shape `[q, batch, d_model]`: the tokens that ask.
        * `key` and `value` have shape `[k, batch, d_model]`: the tokens that are asked. In
          self-attention all three are the same tensor.
        * `mask` is described at [`MultiHeadAttention.prepare_mask`][]. Without it everything is
          visible.

        The result has shape `[q, batch, d_model]`. For a query that may see no key, the heads give
        zeros, and the result is the bias of the output map alone.
        """
        if key.shape != value.shape:
            raise ValueError(
                f"Each key needs one value, but the keys have shape {list(key.shape)} "
                f"and the values {list(value.shape)}."
            )

        # In training, dropout sets a few weights to 0 at random, so that the model learns not to
        # depend on any single key. Shape `[batch, heads, q, k]`.
        weights = self.dropout(self.attention_weights(query=query, key=key, mask=mask))

        # Each head averages its own values. Shape `[q, batch, heads, d_k]`.
        heads = torch.einsum("bhij,jbhd->ibhd", weights, self.value(value))

        # To concatenate the heads, the last two axes, heads and their features, become one.
        return self.output(heads.flatten(-2))

    def _check_shapes(self, query: Tensor, key: Tensor) -> None:
        """
        Raise a `ValueError` for shapes that cannot be meant. The batch is on axis 1 here, while
        many libraries have it on axis 0. A mix-up cannot be seen from one tensor, but two
        sequences of different length give it away: their batch sizes seem to differ.
        """
        for name, x in (("query", query), ("key", key)):
            if x.dim() != 3 or x.shape[-1] != self.d_model:
                raise ValueError(
                    f"The {name} must have shape [sequence, batch, {self.d_model}], "
                    f"but it has shape {list(x.shape)}."
                )
        if query.shape[1] != key.shape[1]:
            raise ValueError(
                f"The query has batch size {query.shape[1]} and the key {key.shape[1]}; they must "
                "be equal, with the sequence on axis 0 and the batch on axis 1."
            )


def _demonstrate() -> None:
    r"""
    ## See it work

    The first part measures the claim about $\sqrt{d_k}$. For each size of a head it draws random
    queries and 16 keys, and prints the standard deviation of the scores (*spread*) and the weight
    of the best key, averaged over the queries, without and with scaling. The second part prints the
    weights of one head for four tokens under a causal mask. Nothing stands above the diagonal, and
    each row sums to 1.
    """
    from labml.logger import inspect

    torch.manual_seed(1)
    print("d_k   spread  scaled   best weight  scaled")
    for d_k in (4, 16, 64, 256):
        scores = torch.randn(1000, d_k) @ torch.randn(d_k, 16)
        scaled = scores * d_k**-0.5
        best, best_scaled = (s.softmax(-1).amax(-1).mean().item() for s in (scores, scaled))
        print(
            f"{d_k:3}  {scores.std().item():7.2f} {scaled.std().item():7.2f}"
            f"   {best:11.2f} {best_scaled:7.2f}"
        )

    attention = MultiHeadAttention(heads=2, d_model=8, dropout_prob=0.0)
    x = torch.randn(4, 1, 8)
    causal = torch.ones(4, 4, dtype=torch.bool).tril()
    with torch.no_grad():
        weights = attention.attention_weights(query=x, key=x, mask=causal)
    inspect(weights_of_head_0=weights[0, 0])


if __name__ == "__main__":
    _demonstrate()
