r"""
---
title: Multi-head attention, faster
summary: The same attention through PyTorch's fused operation, and what it does not have to store.
---
# Multi-head attention, faster

[Multi-head attention](mha.html) computes what its formula says, step by step: scores, softmax,
average. Each step writes a tensor of shape `[batch, heads, q, k]` and the next one reads it back.
For 512 tokens, 8 heads and a batch of 8 such a tensor has 16.8 million numbers, 67 megabytes in
`float32`. Training must keep some of them until the backward pass:

* without mask and dropout one, the result of the softmax;
* with a mask two, the result of the softmax and the weights after hidden ones were set to 0;
* with dropout three, whether there is a mask or not: the result of the softmax, which weights were
  dropped, and the weights that are left.

The arithmetic does not need them; they are there because each step is an operation of its own.

`torch.nn.functional.scaled_dot_product_attention` computes the same in one operation. It takes a
few queries at a time, goes over the keys piece by piece, and keeps for each query only the running
maximum and the running sum of the softmax and the average so far, so that the whole matrix never
exists ([FlashAttention](https://arxiv.org/abs/2205.14135), section 3.1). In the backward pass it
computes the pieces once more. That is more arithmetic, but far less has to pass through memory, and
with long sequences this decides.

On a CPU, PyTorch does this only without dropout. With dropout in training it goes step by step, and
keeps the same three tensors as the plain form.

The price is that there are no weights to look at, and no scores that a subclass could change. So
this class is a second form beside the first and does not replace it: `attention_weights` is still
the plain one. With the same parameters the two forms agree to $10^{-12}$ in double precision; the
tests see to it.
"""

import torch
from torch import Tensor, nn

from labml_nn.transformers.mha import MultiHeadAttention


class FastMultiHeadAttention(MultiHeadAttention):
    """
    ## The fused form

    Arguments, parameters and results are those of [`MultiHeadAttention`](mha.html), and a
    checkpoint of the one loads into the other.
    """

    def forward(
        self, *, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
    ) -> Tensor:
        """
        ### Forward

        `query` has shape `[q, batch, d_model]`, `key` and `value` have shape
        `[k, batch, d_model]`, and the result has the shape of the query.
        """
        self._check_shapes(query, key)
        if key.shape != value.shape:
            raise ValueError(
                f"Each key needs one value, but the keys have shape {list(key.shape)} "
                f"and the values {list(value.shape)}."
            )

        # The operation wants the heads in front: `[batch, heads, sequence, d_k]`. To permute axes
        # moves no number in memory.
        q = self.query(query).permute(1, 2, 0, 3)
        k = self.key(key).permute(1, 2, 0, 3)
        v = self.value(value).permute(1, 2, 0, 3)

        # It scales by $1 / \sqrt{d_k}$ by itself. In its boolean mask `True` means visible, as in
        # ours, and a query that sees no key gets zeros.
        heads = nn.functional.scaled_dot_product_attention(
            q,
            k,
            v,
            attn_mask=None if mask is None else self.prepare_mask(mask, query.shape, key.shape),
            dropout_p=self.dropout.p if self.training else 0.0,
        )

        # Back to `[q, batch, heads, d_k]`, then the heads side by side.
        return self.output(heads.permute(2, 0, 1, 3).flatten(-2))


def _demonstrate() -> None:
    """
    ## See it work

    The plain and the fused form with the same weights, with and without a mask. Then the memory
    that training must keep for the backward pass, measured by catching every tensor that is saved.
    """
    from labml_nn.transformers.masks import causal_mask

    torch.manual_seed(1)
    plain = MultiHeadAttention(heads=4, d_model=32, dropout_prob=0.0)
    fast = FastMultiHeadAttention(heads=4, d_model=32, dropout_prob=0.0)
    fast.load_state_dict(plain.state_dict())
    x = torch.randn(256, 2, 32)

    for name, mask in (("without a mask", None), ("causal", causal_mask(256))):
        a, b = (m(query=x, key=x, value=x, mask=mask) for m in (plain, fast))
        print(f"{name}: the two forms agree to 1e-6: {(a - b).abs().max().item() < 1e-6}")

    for name, module in (("plain", plain), ("fast", fast)):
        kept: dict[int, int] = {}

        def keep(saved: Tensor, kept: dict[int, int] = kept) -> Tensor:
            storage = saved.untyped_storage()
            kept[storage.data_ptr()] = storage.nbytes()
            return saved

        with torch.autograd.graph.saved_tensors_hooks(keep, lambda saved: saved):
            result = module(query=x, key=x, value=x)
        print(f"{name:5} keeps {sum(kept.values()) / 1e6:.1f} MB for {list(result.shape)}")


if __name__ == "__main__":
    _demonstrate()
