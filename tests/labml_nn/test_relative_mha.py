"""
Relative attention against independent oracles.

* A double loop over query and key that looks up row `P + j - (i + M)` for each pair: 1e-12 in
  float64, on uneven sizes, fewer keys than queries included.
* `torch.nn.functional.scaled_dot_product_attention` with the position terms as a ready bias.
* Chunked equals whole: twelve tokens at once, and three chunks of four with memory.
* The layout of the paper's appendix B, in which the shift goes to the left.
"""

import math
import sys
from types import FrameType
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from labml_nn.transformers.xl.relative_mha import RelativeMultiHeadAttention, shift_right

SIZES = [(5, 5), (1, 1), (4, 7), (3, 9), (1, 6), (7, 4), (9, 1), (9, 9), (1, 9)]


def close(actual: Tensor, expected: Tensor) -> None:
    """Equality in double precision."""
    torch.testing.assert_close(actual, expected, rtol=1e-12, atol=1e-12)


def relative(
    heads: int = 2, d_model: int = 6, max_len: int = 9, dtype: torch.dtype = torch.float64
) -> RelativeMultiHeadAttention:
    """A module without dropout whose position parameters are all random and large."""
    module = RelativeMultiHeadAttention(heads, d_model, dropout_prob=0.0, max_len=max_len)
    with torch.no_grad():
        for p in (module.key_pos_embeddings, module.key_pos_bias, module.query_pos_bias):
            p.normal_()
    return module.to(dtype)


def loop_terms(module: RelativeMultiHeadAttention, query: Tensor, key: Tensor) -> dict[str, Tensor]:
    """The four terms, one pair at a time. All have shape `[batch, heads, q, k]`."""
    q, b, h, _ = query.shape
    k = len(key)
    memory = k - q
    terms = {name: query.new_zeros(b, h, q, k) for name in "ABCD"}
    for i in range(q):
        for j in range(k):
            row = module.max_len + j - (i + memory)
            table, bias = module.key_pos_embeddings[row], module.key_pos_bias[row]
            terms["A"][:, :, i, j] = (query[i] * key[j]).sum(-1)
            terms["B"][:, :, i, j] = (query[i] * table).sum(-1)
            terms["C"][:, :, i, j] = (module.query_pos_bias * key[j]).sum(-1)
            terms["D"][:, :, i, j] = bias
    return terms


def random_heads(n: int, module: RelativeMultiHeadAttention, batch: int = 2) -> Tensor:
    """Vectors of shape `[n, batch, heads, d_k]`."""
    return torch.randn(n, batch, module.heads, module.d_k, dtype=torch.float64)


# The shift


def test_shift_right_of_three_by_three() -> None:
    """The very example of the page, with what remains below the diagonal."""
    x = torch.tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    assert shift_right(x).tolist() == [[1, 2, 3], [0, 4, 5], [6, 0, 7]]


def test_shift_right_of_five_equal_rows() -> None:
    """The tail of the previous row and a 0 fill the free cells, not zeros alone."""
    expected = [
        [1, 2, 3, 4, 5],
        [0, 1, 2, 3, 4],
        [5, 0, 1, 2, 3],
        [4, 5, 0, 1, 2],
        [3, 4, 5, 0, 1],
    ]
    assert shift_right(torch.arange(1, 6).repeat(5, 1)).tolist() == expected


def test_w_mod_06_rows_move_right() -> None:
    """Rows along axis 0, columns along axis 1, and any axes behind."""
    x = torch.arange(12.0).reshape(3, 4)[:, :, None]
    y = shift_right(x)[:, :, 0]
    assert y[0].tolist() == [0, 1, 2, 3]
    assert y[1, 1:].tolist() == [4, 5, 6]
    assert y[2, 2:].tolist() == [8, 9]


@settings(deadline=None, derandomize=True, max_examples=40)
@given(rows=st.integers(1, 6), columns=st.integers(1, 6), dim=st.sampled_from([0, 1, 2, -2, -3]))
def test_w_mod_06_every_cell_that_means_something(rows: int, columns: int, dim: int) -> None:
    """Cell `(i, c)` holds cell `(i, c - i)` of the input wherever that exists, on any two axes."""
    shape = [2, 3, 2]
    shape[dim : dim + 2 if dim != -2 else None] = [rows, columns]
    x = torch.randn(shape)
    y = shift_right(x, dim=dim)
    assert y.shape == x.shape
    axis = dim % x.dim()
    for i in range(rows):
        for c in range(i, columns):
            expected = x.select(axis, i).select(axis, c - i)
            assert torch.equal(y.select(axis, i).select(axis, c), expected)


def test_shift_right_leaves_its_input_alone_and_passes_gradients() -> None:
    """A cell that was pushed out of the matrix has gradient 0, every other one has its own."""
    x = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
    before = x.detach().clone()
    assert torch.autograd.gradcheck(shift_right, x)
    assert torch.equal(x, before)


# The scores


@pytest.mark.parametrize(("q", "k"), SIZES, ids=[f"W-MOD-05-q{q}-k{k}" for q, k in SIZES])
def test_w_mod_05_scores_equal_a_double_loop(q: int, k: int) -> None:
    """All four terms, every cell, with and without memory, up to the length of the table."""
    module = relative()
    query, key = random_heads(q, module), random_heads(k, module)
    with torch.no_grad():
        expected = sum(loop_terms(module, query, key).values()) / math.sqrt(module.d_k)
        close(module.get_scores(query, key), expected)


@pytest.mark.parametrize("term", "ABCD")
def test_each_term_by_itself(term: str) -> None:
    """With what the other terms need set to zero, the scores are this term."""
    module = relative()
    query, key = random_heads(3, module), random_heads(5, module)
    with torch.no_grad():
        if term in "CD":
            query.zero_()
        if term in "BD":
            key.zero_()
        if term != "B":
            module.key_pos_embeddings.zero_()
        if term != "C":
            module.query_pos_bias.zero_()
        if term != "D":
            module.key_pos_bias.zero_()
        expected = loop_terms(module, query, key)[term] / math.sqrt(module.d_k)
        assert expected.abs().max() > 0.1
        close(module.get_scores(query, key), expected)


def test_w_mod_05_distances_of_the_case() -> None:
    """With a table that holds its own distance, the scores are the distances."""
    q, k = 3, 7
    module = relative(heads=1, d_model=1)
    with torch.no_grad():
        for p in module.parameters():
            p.zero_()
        # The paper's sign, query minus key, so the table is written from large to small.
        module.key_pos_bias.copy_(-torch.arange(-9.0, 9.0)[:, None])
        # A query of zeros silences the terms A and B.
        scores = module.get_scores(torch.zeros(q, 1, 1, 1).double(), random_heads(k, module, 1))
    assert scores[0, 0].tolist() == [
        [4, 3, 2, 1, 0, -1, -2],
        [5, 4, 3, 2, 1, 0, -1],
        [6, 5, 4, 3, 2, 1, 0],
    ]


@settings(deadline=None, derandomize=True, max_examples=25)
@given(q=st.integers(1, 6), k=st.integers(1, 6), b=st.integers(1, 3), h=st.integers(1, 3))
def test_w_mod_05_any_sizes(q: int, k: int, b: int, h: int) -> None:
    """The double loop again, on sizes drawn at random."""
    torch.manual_seed(0)
    module = relative(h, 2 * h, max_len=6)
    query, key = random_heads(q, module, b), random_heads(k, module, b)
    with torch.no_grad():
        expected = sum(loop_terms(module, query, key).values()) / math.sqrt(module.d_k)
        close(module.get_scores(query, key), expected)


@pytest.mark.parametrize("first", [True, False], ids=["slice-starts", "slice-ends"])
def test_the_slice_of_the_table(first: bool) -> None:
    """Rows outside `[P - k : P + q]` are not read, nor is the first row inside; its end is."""
    q, k, max_len = 3, 5, 9
    module = relative(max_len=max_len)
    query, key = random_heads(q, module), random_heads(k, module)
    module.get_scores(query, key).sum().backward()
    for table in (module.key_pos_embeddings, module.key_pos_bias):
        read = table.grad.flatten(1).abs().sum(1) > 0
        if first:
            assert not read[: max_len - k + 1].any()
            assert read[max_len - k + 1]
        else:
            assert read[max_len + q - 1]
            assert not read[max_len + q :].any()


def test_w_mod_06_the_layout_of_the_paper() -> None:
    """
    Appendix B lists only the past, distances k - 1 down to 0, and shifts row i left by q - 1 - i.
    On the visible half it gives what ours gives; its shift on our slice does not.
    """
    q, k = 3, 7
    module = relative()
    query = random_heads(q, module)
    key = torch.zeros_like(random_heads(k, module))
    with torch.no_grad():
        module.key_pos_bias.zero_()
        module.query_pos_bias.zero_()
        ours = module.get_scores(query, key)

        def left_shifted(rows: Tensor) -> Tensor:
            x = torch.einsum("ibhd,rhd->bhir", query * module.scale, rows)
            shifted = torch.zeros(*x.shape[:-1], k, dtype=x.dtype)
            for i in range(q):
                part = x[:, :, i, q - 1 - i :][..., :k]
                shifted[:, :, i, : part.shape[-1]] = part
            return shifted

        own = module.max_len  # The row of a token that looks at itself.
        past = module.key_pos_embeddings[own - (k - 1) : own + 1]
        mixed = module.key_pos_embeddings[own - k : own + q]
    visible = torch.ones(q, k, dtype=torch.bool).tril(k - q)
    close(left_shifted(past).masked_fill(~visible, 0), ours.masked_fill(~visible, 0))
    assert (left_shifted(mixed) - ours).masked_fill(~visible, 0).abs().max() > 0.1


@pytest.mark.parametrize("masked", [False, True], ids=["W-MOD-08-unmasked", "W-MOD-08-causal"])
def test_w_mod_08_outputs_equal_the_loop(masked: bool) -> None:
    """Through softmax, values and output map. Without a mask the future counts, and is right."""
    q, k = 4, 7
    module = relative()
    x = torch.randn(k, 2, 6, dtype=torch.float64)
    query = x[k - q :]
    visible = torch.ones(q, k, dtype=torch.bool).tril(k - q)
    with torch.no_grad():
        terms = loop_terms(module, module.query(query), module.key(x))
        scores = sum(terms.values()) / math.sqrt(module.d_k)
        if masked:
            scores = scores.masked_fill(~visible, -math.inf)
        heads = torch.einsum("bhij,jbhd->ibhd", scores.softmax(-1), module.value(x))
        out = module(query=query, key=x, value=x, mask=visible if masked else None)
        close(out, module.output(heads.flatten(-2)))


def test_equals_fused_attention_with_a_bias() -> None:
    """Gradients too: the position terms as a bias that is added to PyTorch's own scores."""
    q, k = 4, 7
    module = relative()
    x = torch.randn(k, 2, 6, dtype=torch.float64, requires_grad=True)
    y = x.detach().clone().requires_grad_()
    coefficients = torch.randn(q, 2, 6, dtype=torch.float64)
    out = module(query=x[k - q :], key=x, value=x)
    (out * coefficients).sum().backward()
    grads = {n: p.grad.clone() for n, p in module.named_parameters()}
    module.zero_grad()

    query, key, value = module.query(y[k - q :]), module.key(y), module.value(y)
    row = module.max_len + torch.arange(k)[None, :] - (torch.arange(q)[:, None] + k - q)
    bias = torch.einsum("ibhd,ijhd->bhij", query, module.key_pos_embeddings[row])
    bias = bias + module.key_pos_bias[row].permute(2, 0, 1)
    heads = nn.functional.scaled_dot_product_attention(
        (query + module.query_pos_bias).permute(1, 2, 0, 3),
        key.permute(1, 2, 0, 3),
        value.permute(1, 2, 0, 3),
        attn_mask=bias / math.sqrt(module.d_k),
    )
    expected = module.output(heads.permute(2, 0, 1, 3).flatten(-2))
    (expected * coefficients).sum().backward()
    close(out, expected)
    close(x.grad, y.grad)
    for name, p in module.named_parameters():
        close(grads[name], p.grad)


def test_twelve_tokens_at_once_equal_three_chunks_with_memory() -> None:
    """Positions are distances, so it cannot matter where the text was cut."""
    module = relative(max_len=12)
    x = torch.randn(12, 2, 6, dtype=torch.float64)
    causal = torch.ones(12, 12, dtype=torch.bool).tril()
    whole = module(query=x, key=x, value=x, mask=causal)
    chunks = [
        module(
            query=x[s : s + 4], key=x[: s + 4], value=x[: s + 4], mask=causal[s : s + 4, : s + 4]
        )
        for s in (0, 4, 8)
    ]
    close(torch.cat(chunks), whole)


@settings(deadline=None, derandomize=True, max_examples=20)
@given(cuts=st.lists(st.integers(1, 4), min_size=1, max_size=4))
def test_chunked_equals_whole_for_any_cuts(cuts: list[int]) -> None:
    """Chunks of any lengths, each with all that came before as memory."""
    torch.manual_seed(0)
    n = sum(cuts)
    module = relative(max_len=16)
    x = torch.randn(n, 1, 6, dtype=torch.float64)
    causal = torch.ones(n, n, dtype=torch.bool).tril()
    whole = module(query=x, key=x, value=x, mask=causal)
    end = 0
    for length in cuts:
        start, end = end, end + length
        seen = x[:end]
        part = module(query=x[start:end], key=seen, value=seen, mask=causal[start:end, :end])
        close(part, whole[start:end])


def test_the_future_changes_nothing_before_it() -> None:
    """Under a causal mask, changed tokens leave earlier outputs as they were, bit by bit."""
    module = relative()
    x = torch.randn(9, 2, 6, dtype=torch.float64)
    other = x.clone()
    other[6:] += 1
    causal = torch.ones(9, 9, dtype=torch.bool).tril()
    before = module(query=x, key=x, value=x, mask=causal)
    after = module(query=other, key=other, value=other, mask=causal)
    assert torch.equal(before[:6], after[:6])


# Limits


@pytest.mark.parametrize(
    ("q", "k"), [(9, 8), (8, 9), (9, 9), (12, 8), (1, 9), (1, 17), (6, 60)], ids=str
)
def test_w_mod_07_too_long_for_the_table(q: int, k: int) -> None:
    """The message names the lengths and the size of the table; nothing wraps round."""
    module = relative(max_len=8)
    query, key = torch.randn(q, 1, 6).double(), torch.randn(k, 1, 6).double()
    with pytest.raises(ValueError) as error:
        module(query=query, key=key, value=key)
    assert f"{q} queries and {k} keys" in str(error.value)
    assert "max_len=8" in str(error.value)


def test_max_len_must_be_positive() -> None:
    """A table of no rows is an error when it is made."""
    with pytest.raises(ValueError, match="max_len must be at least 1"):
        RelativeMultiHeadAttention(2, 8, max_len=0)


def test_w_mod_12_heads_must_divide() -> None:
    """At construction, naming both numbers."""
    with pytest.raises(ValueError, match=r"16.*3"):
        RelativeMultiHeadAttention(heads=3, d_model=16)


def test_scaling_comes_before_the_products() -> None:
    """Every raw term is 78400, beyond float16; each scaled one is 19600, and three of them fit."""
    module = relative(heads=1, d_model=16, max_len=2, dtype=torch.float16)
    with torch.no_grad():
        module.key_pos_embeddings.fill_(70.0)
        module.query_pos_bias.fill_(70.0)
        module.key_pos_bias.fill_(0.0)
    x = torch.full((1, 1, 1, 16), 70.0, dtype=torch.float16)
    assert torch.isinf((x * x).sum())
    assert module.get_scores(x, x).item() == pytest.approx(3 * 19600, rel=1e-3)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_w_mod_01_fully_masked_row(dtype: torch.dtype) -> None:
    """Zeros, as there is no bias, with finite gradients everywhere."""
    module = relative(dtype=dtype)
    x = torch.randn(5, 2, 6, dtype=dtype, requires_grad=True)
    mask = torch.ones(5, 5, 2, dtype=torch.bool)
    mask[2, :, 1] = False
    out = module(query=x, key=x, value=x, mask=mask)
    assert torch.isfinite(out).all()
    assert (out[2, 1] == 0).all()
    out.float().pow(2).sum().backward()
    for tensor in (x, *module.parameters()):
        assert torch.isfinite(tensor.grad).all()


# Parameters


def test_w_mod_18_every_parameter_has_a_gradient_and_order_counts() -> None:
    """From the first step on: a fresh layer already tells one order of tokens from another."""
    module = RelativeMultiHeadAttention(2, 8, dropout_prob=0.0, max_len=8)
    x = torch.randn(5, 2, 8)
    out = module(query=x, key=x, value=x)
    out.pow(2).sum().backward()
    for name, p in module.named_parameters():
        assert p.grad is not None, name
        assert p.grad.abs().max() > 0, name
    swapped = x[[1, 0, 2, 3, 4]]
    other = module(query=swapped, key=swapped, value=swapped)
    assert not torch.allclose(other[2:], out[2:], atol=1e-5)


def test_number_of_position_parameters() -> None:
    """As told on the page: 2 P (d_model + heads) in the tables, and one vector u."""
    heads, d_model, max_len = 4, 32, 10
    module = RelativeMultiHeadAttention(heads, d_model, max_len=max_len)
    tables = module.key_pos_embeddings.numel() + module.key_pos_bias.numel()
    assert tables == 2 * max_len * (d_model + heads)
    assert module.query_pos_bias.numel() == d_model
    linear = [p for n, p in module.named_parameters() if "pos" not in n]
    assert [tuple(p.shape) for p in linear] == [(d_model, d_model)] * 4


def test_a_query_bias_is_u_and_v_in_one() -> None:
    """The comment's claim: the same vector added to every query enters terms C and D alike."""
    module = relative()
    query, key = random_heads(3, module), random_heads(5, module)
    bias = torch.randn(module.heads, module.d_k, dtype=torch.float64)
    with torch.no_grad():
        with_bias = module.get_scores(query + bias, key)
        module.query_pos_bias += bias
        module.key_pos_bias += torch.einsum("rhd,hd->rh", module.key_pos_embeddings, bias)
        close(module.get_scores(query, key), with_bias)


def test_w_mod_15_shapes_of_the_steps() -> None:
    """The shapes told in the comments of `get_scores`, seen while it runs."""
    q, k, b, h, d_k = 3, 5, 2, 4, 6
    module = relative(h, h * d_k)
    seen: dict[str, Any] = {}

    def watch(frame: FrameType, event: str, arg: Any) -> None:
        if event == "return" and frame.f_code is RelativeMultiHeadAttention.get_scores.__code__:
            seen.update({n: v.shape for n, v in frame.f_locals.items() if isinstance(v, Tensor)})

    previous = sys.getprofile()
    sys.setprofile(watch)
    try:
        scores = module.get_scores(random_heads(q, module, b), random_heads(k, module, b))
    finally:
        sys.setprofile(previous)
    assert seen["query"] == (q, b, h, d_k)
    assert seen["key"] == (k, b, h, d_k)
    assert seen["content"] == (b, h, q, k)
    assert seen["term_b"] == (b, h, q, k + q)
    assert seen["term_d"] == (h, 1, k + q)
    assert seen["position"] == scores.shape == (b, h, q, k)


def test_state_dict_loads_back() -> None:
    """Tables and biases travel with the state."""
    one, two = relative(), relative()
    x = torch.randn(5, 2, 6, dtype=torch.float64)
    two.load_state_dict(one.state_dict())
    assert torch.equal(one(query=x, key=x, value=x), two(query=x, key=x, value=x))
    assert not any(isinstance(v, Tensor) for part in one.modules() for v in vars(part).values())


def test_compiles_as_one_graph() -> None:
    """With memory and a mask."""
    module = relative(dtype=torch.float32)
    x = torch.randn(7, 2, 6)
    mask = torch.ones(4, 7, dtype=torch.bool).tril(3)
    compiled = torch.compile(module, fullgraph=True, backend="eager")
    out = compiled(query=x[3:], key=x, value=x, mask=mask)
    assert torch.equal(out, module(query=x[3:], key=x, value=x, mask=mask))


def test_gradients_are_those_of_finite_differences() -> None:
    """Through shift, slice and softmax."""
    module = relative(heads=1, d_model=2, max_len=4)
    x = torch.randn(4, 1, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: module(query=x[2:], key=x, value=x), x)
