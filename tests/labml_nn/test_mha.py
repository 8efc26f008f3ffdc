"""
Multi-head attention against independent oracles.

* `torch.nn.MultiheadAttention` with the same weights: outputs, attention weights and gradients.
* `torch.nn.functional.scaled_dot_product_attention` for masks and fully masked rows.
* A plain loop over queries, keys, batch items and heads, on sizes drawn by hypothesis.

Tolerances: 1e-5 in float32, 1e-12 in float64. Cases with a known history are named W-MOD-nn.
"""

import io
import math
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from labml_nn.transformers.mha import MultiHeadAttention, PrepareForMultiHeadAttention

TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-12}


def close(actual: Tensor, expected: Tensor) -> None:
    """Fail if the two differ by more than the tolerance of their type."""
    tolerance = TOLERANCE[actual.dtype]
    torch.testing.assert_close(actual, expected, rtol=tolerance, atol=tolerance)


def attention(
    heads: int = 2, d_model: int = 8, dtype: torch.dtype = torch.float64, **kwargs: Any
) -> MultiHeadAttention:
    """An attention module without dropout, in double precision unless told otherwise."""
    return MultiHeadAttention(heads, d_model, dropout_prob=0.0, **kwargs).to(dtype)


def torch_twin(ours: MultiHeadAttention, dtype: torch.dtype) -> nn.MultiheadAttention:
    """PyTorch's module with the weights of ours."""
    bias = ours.output.bias is not None
    twin = nn.MultiheadAttention(ours.d_model, ours.heads, bias=bias).to(dtype)
    parts = (ours.query.linear, ours.key.linear, ours.value.linear)
    state = {
        "in_proj_weight": torch.cat([p.weight for p in parts]),
        "out_proj.weight": ours.output.weight,
    }
    if bias:
        state["in_proj_bias"] = torch.cat([p.bias for p in parts])
        state["out_proj.bias"] = ours.output.bias
    twin.load_state_dict(state)
    return twin


def by_loop(ours: MultiHeadAttention, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Attention without any tensor operation wider than one head of one token."""
    q_, k_, v_ = ours.query(query), ours.key(key), ours.value(value)
    rows = []
    for i in range(len(query)):
        for b in range(query.shape[1]):
            heads = []
            for h in range(ours.heads):
                scores = [
                    float(q_[i, b, h] @ k_[j, b, h]) / math.sqrt(ours.d_k) for j in range(len(key))
                ]
                top = max(scores)
                shares = [math.exp(s - top) for s in scores]
                total = sum(shares)
                heads.append(sum(s / total * v_[j, b, h] for j, s in enumerate(shares)))
            rows.append(ours.output(torch.cat(heads)))
    return torch.stack(rows).view(len(query), query.shape[1], -1)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("masked", [True, False])
def test_equals_torch_with_gradients(dtype: torch.dtype, bias: bool, masked: bool) -> None:
    """Outputs, weights, input gradients and parameter gradients, with uneven lengths."""
    q, k, b, d = 3, 5, 2, 12
    ours = attention(3, d, dtype, bias=bias)
    twin = torch_twin(ours, dtype)
    inputs = [torch.randn(n, b, d, dtype=dtype, requires_grad=True) for n in (q, k, k)]
    inputs_twin = [x.detach().clone().requires_grad_() for x in inputs]
    mask = torch.rand(q, k) > 0.4
    mask[:, 0] = True

    out = ours(
        query=inputs[0],
        key=inputs[1],
        value=inputs[2],
        mask=mask[:, :, None] if masked else None,
    )
    # PyTorch's mask tells what to hide, ours what to see.
    out_twin, weights_twin = twin(*inputs_twin, attn_mask=~mask if masked else None)
    close(out, out_twin)
    weights = ours.attention_weights(
        query=inputs[0], key=inputs[1], mask=mask[:, :, None] if masked else None
    )
    close(weights.mean(dim=1), weights_twin)

    coefficients = torch.randn_like(out)
    (out * coefficients).sum().backward()
    (out_twin * coefficients).sum().backward()
    for x, y in zip(inputs, inputs_twin, strict=True):
        close(x.grad, y.grad)
    parts = (ours.query.linear, ours.key.linear, ours.value.linear)
    close(torch.cat([p.weight.grad for p in parts]), twin.in_proj_weight.grad)
    close(ours.output.weight.grad, twin.out_proj.weight.grad)
    if bias:
        close(torch.cat([p.bias.grad for p in parts]), twin.in_proj_bias.grad)
        close(ours.output.bias.grad, twin.out_proj.bias.grad)


@settings(deadline=None, derandomize=True, max_examples=25)
@given(
    q=st.integers(1, 4),
    k=st.integers(1, 4),
    b=st.integers(1, 3),
    h=st.integers(1, 3),
    d_k=st.integers(1, 4),
)
def test_equals_a_plain_loop(q: int, k: int, b: int, h: int, d_k: int) -> None:
    """On any sizes, those of length 1 included."""
    torch.manual_seed(0)
    ours = attention(h, h * d_k)
    query = torch.randn(q, b, h * d_k, dtype=torch.float64)
    key, value = torch.randn(2, k, b, h * d_k, dtype=torch.float64)
    with torch.no_grad():
        close(ours(query=query, key=key, value=value), by_loop(ours, query, key, value))


def test_gradients_are_those_of_finite_differences() -> None:
    """`gradcheck` knows nothing of attention, only of limits."""
    ours = attention(2, 4)
    x = torch.randn(3, 1, 4, dtype=torch.float64, requires_grad=True)
    mask = torch.ones(3, 3, dtype=torch.bool).tril()
    mask[1] = False
    assert torch.autograd.gradcheck(lambda x: ours(query=x, key=x, value=x, mask=mask), x)


def test_batch_items_do_not_meet() -> None:
    """Changing item 1 leaves item 0 as it was, bit by bit."""
    ours = attention()
    x = torch.randn(5, 2, 8, dtype=torch.float64)
    other = x.clone()
    other[:, 1] += 1
    before, after = ours(query=x, key=x, value=x), ours(query=other, key=other, value=other)
    assert torch.equal(before[:, 0], after[:, 0])
    assert not torch.equal(before[:, 1], after[:, 1])


def test_order_of_tokens_is_not_seen() -> None:
    """Without positions, permuted tokens give permuted outputs: the prose builds on this."""
    ours = attention()
    x = torch.randn(6, 2, 8, dtype=torch.float64)
    order = torch.randperm(6)
    close(ours(query=x[order], key=x[order], value=x[order]), ours(query=x, key=x, value=x)[order])


def test_a_causal_mask_hides_the_future() -> None:
    """Changing token 3 leaves the outputs of tokens 0 to 2 as they were, bit by bit."""
    ours = attention()
    x = torch.randn(5, 2, 8, dtype=torch.float64)
    other = x.clone()
    other[3:] += 1
    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    before = ours(query=x, key=x, value=x, mask=causal)
    after = ours(query=other, key=other, value=other, mask=causal)
    assert torch.equal(before[:3], after[:3])


# A row of the mask that hides everything


def test_w_mod_01_fully_masked_row() -> None:
    """The row is finite and equals the bias of the output map; no other row changes."""
    ours = attention(2, 8)
    x = torch.randn(4, 2, 8, dtype=torch.float64)
    mask = torch.ones(4, 4, 2, dtype=torch.bool)
    full = ours(query=x, key=x, value=x, mask=mask)
    mask[1, :, 0] = False
    out = ours(query=x, key=x, value=x, mask=mask)
    assert torch.isfinite(out).all()
    close(out[1, 0], ours.output.bias)
    rest = torch.ones(4, 2, dtype=torch.bool)
    rest[1, 0] = False
    assert torch.equal(out[rest], full[rest])
    weights = ours.attention_weights(query=x, key=x, mask=mask)
    assert (weights[0, :, 1] == 0).all()


def test_w_mod_01_zeros_as_in_torch() -> None:
    """PyTorch's fused attention gives zeros for such a row too."""
    ours = attention(2, 8)
    x = torch.randn(4, 1, 8, dtype=torch.float64)
    mask = torch.rand(4, 4) > 0.5
    mask[2] = False
    heads = [m(x).permute(1, 2, 0, 3) for m in (ours.query, ours.key, ours.value)]
    expected = nn.functional.scaled_dot_product_attention(*heads, attn_mask=mask)
    close(
        ours(query=x, key=x, value=x, mask=mask),
        ours.output(expected.permute(2, 0, 1, 3).flatten(-2)),
    )


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.float16])
def test_w_mod_01_gradients_of_a_fully_masked_row(dtype: torch.dtype) -> None:
    """Gradients are finite, and the masked query gets none."""
    ours = attention(2, 8, dtype)
    x = torch.randn(4, 1, 8, dtype=dtype, requires_grad=True)
    query = torch.randn(4, 1, 8, dtype=dtype, requires_grad=True)
    mask = torch.ones(4, 4, 1, dtype=torch.bool)
    mask[1] = False
    # Anomaly detection refuses a NaN anywhere in the backward pass, not only at its end.
    with torch.autograd.set_detect_anomaly(True):
        ours(query=query, key=x, value=x, mask=mask).sum().backward()
    for tensor in (x, query, *ours.parameters()):
        assert torch.isfinite(tensor.grad).all()
    assert (query.grad[1] == 0).all()


# Half precision


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_w_mod_02_masks_work_in_half_precision(dtype: torch.dtype) -> None:
    """The fill for hidden keys fits the type, and hidden keys really have no weight."""
    ours = attention(2, 8, dtype)
    x = torch.randn(5, 2, 8, dtype=dtype)
    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    out = ours(query=x, key=x, value=x, mask=causal)
    assert out.dtype == dtype
    assert torch.isfinite(out).all()
    weights = ours.attention_weights(query=x, key=x, mask=causal)
    assert (weights.triu(1) == 0).all()
    exact = attention(2, 8, torch.float32)
    exact.load_state_dict(ours.state_dict())
    expected = exact(query=x.float(), key=x.float(), value=x.float(), mask=causal)
    torch.testing.assert_close(out.float(), expected, rtol=0.03, atol=0.03)


def test_scaling_comes_before_the_product() -> None:
    """The raw product 16 * 70 * 70 = 78400 is beyond float16; the scaled one, 19600, is not."""
    ours = attention(1, 16, torch.float16)
    x = torch.full((1, 1, 1, 16), 70.0, dtype=torch.float16)
    assert torch.isinf((x * x).sum())
    assert ours.get_scores(x, x).item() == pytest.approx(19600, rel=1e-3)


# Masks


@pytest.mark.parametrize(
    "dtype",
    [torch.uint8, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32],
)
def test_w_mod_03_mask_types_agree(dtype: torch.dtype) -> None:
    """A mask of zeros and ones means the same in any type."""
    ours = attention()
    x = torch.randn(5, 2, 8, dtype=torch.float64)
    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    expected = ours(query=x, key=x, value=x, mask=causal)
    assert torch.equal(ours(query=x, key=x, value=x, mask=causal.to(dtype)), expected)
    assert not torch.equal(ours(query=x, key=x, value=x), expected)


@pytest.mark.parametrize("hidden", [-math.inf, -1e9, 0.5, 2.0, math.nan])
def test_w_mod_03_additive_masks_are_refused(hidden: float) -> None:
    """A float mask with anything but 0 and 1 is not ours; the message says so."""
    ours = attention()
    x = torch.randn(4, 2, 8, dtype=torch.float64)
    mask = torch.zeros(4, 4).masked_fill(torch.ones(4, 4, dtype=torch.bool).triu(1), hidden)
    with pytest.raises(ValueError, match=r"only 0 \(hidden\) and 1 \(visible\)"):
        ours(query=x, key=x, value=x, mask=mask)


Q, K, B = 3, 5, 2


@pytest.mark.parametrize(
    "shape", [(Q, K, B), (Q, K, 1), (1, K, B), (1, K, 1), (Q, K)], ids=lambda s: f"W-MOD-04-{s}"
)
def test_w_mod_04_mask_shapes_that_work(shape: tuple[int, ...]) -> None:
    """All sizes differ, so no axis can pass for another; compared with the spread-out mask."""
    ours = attention()
    query = torch.randn(Q, B, 8, dtype=torch.float64)
    key = torch.randn(K, B, 8, dtype=torch.float64)
    mask = torch.rand(shape) > 0.4
    out = ours(query=query, key=key, value=key, mask=mask)
    spread = (mask if mask.dim() == 3 else mask[:, :, None]).expand(Q, K, B)
    for b in range(B):
        one = [x[:, b : b + 1] for x in (query, key, key)]
        hidden = ours.attention_weights(query=one[0], key=one[1], mask=spread[:, :, b])
        assert ((hidden == 0) == ~spread[:, :, b]).all()
        expected = ours(query=one[0], key=one[1], value=one[2], mask=spread[:, :, b])
        close(out[:, b : b + 1], expected)


@pytest.mark.parametrize(
    "shape",
    [(K, Q, B), (Q, K, B + 1), (B, Q, K), (Q, 1, B), (K, Q), (K,), (), (1, Q, K, B), (Q, K, 0)],
    ids=lambda s: f"W-MOD-04-{s}",
)
def test_w_mod_04_mask_shapes_that_are_refused(shape: tuple[int, ...]) -> None:
    """The message states the shape that is expected and the one that was given."""
    ours = attention()
    query, key = torch.randn(Q, B, 8).double(), torch.randn(K, B, 8).double()
    with pytest.raises(ValueError) as error:
        ours(query=query, key=key, value=key, mask=torch.ones(shape, dtype=torch.bool))
    assert "[3 or 1, 5, 2 or 1]" in str(error.value)
    assert str(list(shape)) in str(error.value)


def test_prepared_mask_fits_the_scores() -> None:
    """`[q, k, batch]` becomes `[batch, 1, q, k]`."""
    ours = attention()
    mask = torch.rand(Q, K, B) > 0.5
    prepared = ours.prepare_mask(mask, torch.Size([Q, B, 8]), torch.Size([K, B, 8]))
    assert prepared.shape == (B, 1, Q, K)
    assert prepared.dtype == torch.bool
    for i, j, b in [(0, 4, 1), (2, 0, 0)]:
        assert prepared[b, 0, i, j] == mask[i, j, b]


# Wrong input


def test_w_mod_12_heads_must_divide() -> None:
    """At construction, naming both numbers."""
    with pytest.raises(ValueError, match=r"16.*3"):
        MultiHeadAttention(heads=3, d_model=16)
    with pytest.raises(ValueError, match=r"16.*0"):
        MultiHeadAttention(heads=0, d_model=16)


@pytest.mark.parametrize(
    ("query", "key", "value", "message"),
    [
        ((2, 3, 8), (2, 5, 8), (2, 5, 8), "3 and the key 5"),
        ((3, 2, 7), (3, 2, 7), (3, 2, 7), r"8\].*\[3, 2, 7\]"),
        ((3, 2, 8), (3, 2, 9), (3, 2, 9), r"key.*8\].*\[3, 2, 9\]"),
        ((3, 8), (3, 8), (3, 8), r"8\].*\[3, 8\]"),
        ((3, 2, 8), (5, 2, 8), (4, 2, 8), r"\[5, 2, 8\].*\[4, 2, 8\]"),
    ],
    ids=["batch-first", "width", "key-width", "no-batch", "value-length"],
)
def test_shapes_that_cannot_be_meant(
    query: tuple[int, ...], key: tuple[int, ...], value: tuple[int, ...], message: str
) -> None:
    """Batch-first input betrays itself by lengths; every message names both sides."""
    ours = attention(2, 8, torch.float32)
    with pytest.raises(ValueError, match=message):
        ours(query=torch.randn(query), key=torch.randn(key), value=torch.randn(value))


def test_arguments_are_keyword_only() -> None:
    """Query, key and value look alike; their names keep them apart."""
    x = torch.randn(3, 2, 8)
    with pytest.raises(TypeError):
        attention(dtype=torch.float32)(x, x, x)


# Dropout


def test_w_mod_13_dropout() -> None:
    """Active in training, absent in evaluation and at probability 0."""
    module = MultiHeadAttention(2, 8, dropout_prob=0.5)
    x = torch.randn(6, 2, 8)

    def run() -> Tensor:
        return module(query=x, key=x, value=x)

    module.eval()
    still = run()
    assert torch.equal(run(), still)
    module.train()
    assert not torch.equal(run(), run())
    module.dropout.p = 0.0
    assert torch.equal(run(), still)


# Shapes told in the text


@pytest.mark.parametrize("shape", [(12,), (2, 12), (5, 2, 12)], ids=lambda s: f"W-MOD-15-{s}")
def test_w_mod_15_prepare_keeps_the_axes_in_front(shape: tuple[int, ...]) -> None:
    """`[..., d_model]` becomes `[..., heads, d_k]`."""
    prepare = PrepareForMultiHeadAttention(d_model=12, heads=3, d_k=4, bias=True)
    assert prepare(torch.zeros(shape)).shape == (*shape[:-1], 3, 4)


def test_w_mod_15_shapes_of_the_steps() -> None:
    """With all sizes different, each step has the shape that its text tells."""
    q, k, b, h, d_k = 3, 5, 2, 4, 6
    ours = attention(h, h * d_k)
    query, key = torch.randn(q, b, h * d_k).double(), torch.randn(k, b, h * d_k).double()
    assert ours.query(query).shape == (q, b, h, d_k)
    assert ours.get_scores(ours.query(query), ours.key(key)).shape == (b, h, q, k)
    weights = ours.attention_weights(query=query, key=key)
    assert weights.shape == (b, h, q, k)
    close(weights.sum(-1), torch.ones(b, h, q, dtype=torch.float64))
    assert ours(query=query, key=key, value=key).shape == (q, b, h * d_k)


# `get_scores` is made to be overridden


class Borrowed(MultiHeadAttention):
    """Attention whose scores are not its own: a parameter, seen through an expanded view."""

    def __init__(self) -> None:
        super().__init__(2, 8, dropout_prob=0.0)
        self.table = nn.Parameter(torch.randn(1, 1, 4, 4))

    def get_scores(self, query: Tensor, key: Tensor) -> Tensor:
        """The same scores for all heads and items, of shape `[batch, heads, q, k]`."""
        return self.table.expand(query.shape[1], self.heads, -1, -1)


@pytest.mark.parametrize("masked", [True, False])
def test_overridden_scores_are_used_and_left_alone(masked: bool) -> None:
    """What `get_scores` returned has the same values after three calls, and gets a gradient."""
    module = Borrowed()
    before = module.table.detach().clone()
    x = torch.randn(4, 3, 8)
    mask = torch.ones(4, 4, dtype=torch.bool).tril() if masked else None
    for _ in range(3):
        module(query=x, key=x, value=x, mask=mask).sum().backward()
    assert torch.equal(module.table, before)
    assert module.table.grad is not None
    weights = module.attention_weights(query=x, key=x, mask=mask)
    scores = before if mask is None else before.masked_fill(~mask, -math.inf)
    close(weights, scores.softmax(-1).expand(3, 2, 4, 4))


def test_nothing_is_kept_on_the_module() -> None:
    """A saved module is as small after a call as before, and holds no tensor but its weights."""
    module = attention(2, 8, torch.float32)

    def saved() -> int:
        file = io.BytesIO()
        torch.save(module, file)
        return file.tell()

    before = saved()
    x = torch.randn(64, 4, 8)
    module(query=x, key=x, value=x)
    assert saved() == before
    for part in module.modules():
        assert not any(isinstance(v, Tensor) for v in vars(part).values())


def test_state_dict_loads_back() -> None:
    """Two modules with the same state give the same output."""
    one, two = attention(), attention()
    x = torch.randn(5, 2, 8, dtype=torch.float64)
    assert not torch.equal(one(query=x, key=x, value=x), two(query=x, key=x, value=x))
    two.load_state_dict(one.state_dict())
    assert torch.equal(one(query=x, key=x, value=x), two(query=x, key=x, value=x))


def test_compiles_as_one_graph() -> None:
    """With a boolean mask; another type is refused, since its values cannot be checked."""
    module = attention(2, 8, torch.float32)
    x = torch.randn(5, 2, 8)
    mask = torch.ones(5, 5, 1, dtype=torch.bool).tril()
    compiled = torch.compile(module, fullgraph=True, backend="eager")
    assert torch.equal(
        compiled(query=x, key=x, value=x, mask=mask), module(query=x, key=x, value=x, mask=mask)
    )
    with pytest.raises(Exception, match="needs a boolean mask"):
        compiled(query=x, key=x, value=x, mask=mask.float())


# Numbers told in the text


def test_the_variance_argument() -> None:
    """Raw scores spread like the root of d_k, scaled ones by 1; e to the 8 is about 3000."""
    for d_k in (4, 64, 256):
        module = MultiHeadAttention(1, d_k)
        query, key = torch.randn(2, 300, 1, 1, d_k)
        scaled = module.get_scores(query, key)
        assert scaled.std().item() == pytest.approx(1, abs=0.1)
        assert (scaled / module.scale).std().item() == pytest.approx(math.sqrt(d_k), rel=0.1)
    assert math.exp(8) == pytest.approx(3000, rel=0.01)


def test_the_bias_of_the_keys_learns_nothing() -> None:
    """Softmax does not see what moves all scores of a query alike."""
    ours = attention()
    x = torch.randn(5, 2, 8, dtype=torch.float64)
    ours(query=x, key=x, value=x).pow(2).sum().backward()
    assert ours.key.linear.bias.grad.abs().max() < 1e-14
    assert ours.query.linear.bias.grad.abs().max() > 1e-6
