"""
The fast forms equal the plain ones: results and gradients in double precision, masks, memory,
dropout, and what may go wrong.
"""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from labml_nn.figures import HeatMap
from labml_nn.transformers.fast_mha import FastMultiHeadAttention
from labml_nn.transformers.feed_forward import FeedForward
from labml_nn.transformers.masks import causal_mask
from labml_nn.transformers.mha import MultiHeadAttention
from labml_nn.transformers.xl import fast_relative_mha, relative_mha
from labml_nn.transformers.xl.fast_relative_mha import (
    CausalRelativeMultiHeadAttention,
    causal_shift,
)
from labml_nn.transformers.xl.model import TransformerXL, TransformerXLLayer
from labml_nn.transformers.xl.relative_mha import RelativeMultiHeadAttention

D, HEADS, P = 6, 2, 12


def close(actual: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(actual, expected, rtol=1e-12, atol=1e-12)


def pair(
    block: int = 3, dropout: float = 0.0
) -> tuple[RelativeMultiHeadAttention, CausalRelativeMultiHeadAttention]:
    """The two relative forms with the same large random parameters, in double precision."""
    plain = RelativeMultiHeadAttention(HEADS, D, dropout, max_len=P).double()
    with torch.no_grad():
        for p in plain.parameters():
            p.normal_()
    fast = CausalRelativeMultiHeadAttention(HEADS, D, dropout, max_len=P, block=block).double()
    fast.load_state_dict(plain.state_dict())
    return plain, fast


def gradients(
    module: MultiHeadAttention, query: Tensor, key: Tensor, mask: Tensor | None
) -> list[Tensor]:
    """The result, and the gradients of the inputs and of all the parameters."""
    query, key = query.clone().requires_grad_(), key.clone().requires_grad_()
    module.zero_grad()
    out = module(query=query, key=key, value=key, mask=mask)
    out.pow(3).sum().backward()
    return [out.detach(), query.grad, key.grad, *(p.grad for p in module.parameters())]


def random_mask(q: int, k: int, batch: int) -> Tensor:
    """Some keys hidden, and one query of one item that sees none."""
    mask = torch.rand(q, k, batch) < 0.6
    mask[-1, :, 0] = False
    return mask


# Vanilla


@settings(deadline=None, derandomize=True, max_examples=25)
@given(q=st.integers(1, 6), k=st.integers(1, 6), batch=st.integers(1, 3), masked=st.booleans())
def test_fast_equals_plain(q: int, k: int, batch: int, masked: bool) -> None:
    torch.manual_seed(1)
    plain = MultiHeadAttention(HEADS, D, dropout_prob=0.0).double()
    fast = FastMultiHeadAttention(HEADS, D, dropout_prob=0.0).double()
    fast.load_state_dict(plain.state_dict())
    query = torch.randn(q, batch, D, dtype=torch.float64)
    key = torch.randn(k, batch, D, dtype=torch.float64)
    mask = random_mask(q, k, batch) if masked else None
    for a, b in zip(
        gradients(fast, query, key, mask), gradients(plain, query, key, mask), strict=True
    ):
        close(a, b)


def test_fast_drops_and_rests() -> None:
    """Dropout acts in training alone, and an empty row stays finite with it."""
    fast, x = FastMultiHeadAttention(HEADS, D, dropout_prob=0.5), torch.randn(5, 2, D)
    mask = causal_mask(5).clone()
    mask[2] = False
    fast.train()
    outs = [fast(query=x, key=x, value=x, mask=mask) for _ in range(2)]
    assert not torch.equal(*outs)
    assert outs[0].isfinite().all()
    torch.testing.assert_close(outs[0][2], fast.output.bias.expand(2, D))
    fast.eval()
    assert torch.equal(*(fast(query=x, key=x, value=x) for _ in range(2)))


def test_fast_refuses_what_plain_refuses() -> None:
    fast, x = FastMultiHeadAttention(HEADS, D), torch.randn(5, 3, D)
    with pytest.raises(ValueError, match=r"\[5 or 1, 5, 3 or 1\]"):
        fast(query=x, key=x, value=x, mask=torch.ones(3, 3))
    with pytest.raises(ValueError, match="batch size 5 and the key 3"):
        fast(query=x.transpose(0, 1), key=x, value=x)
    with pytest.raises(ValueError, match="one value"):
        fast(query=x, key=x, value=x[1:])


# Relative


@settings(deadline=None, derandomize=True, max_examples=25)
@given(q=st.integers(1, 5), memory=st.integers(0, 5), columns=st.integers(1, 3))
def test_causal_shift_finds_every_distance(q: int, memory: int, columns: int) -> None:
    """Cell `(i, j)` holds distance `j - (i + M)` wherever that is not in the future."""
    k = q + memory
    x = torch.arange(-k, 1).repeat(columns, q, 1)
    y = causal_shift(x)
    assert y.shape == (columns, q, k)
    assert y.data_ptr() == x[..., 0, q:].data_ptr() or q > k
    for i in range(q):
        for j in range(i + memory + 1):
            assert (y[:, i, j] == j - (i + memory)).all()


@settings(deadline=None, derandomize=True, max_examples=30)
@given(
    q=st.integers(1, 7),
    memory=st.integers(0, 5),
    batch=st.integers(1, 2),
    block=st.integers(1, 8),
    masked=st.booleans(),
)
def test_causal_equals_plain_with_the_causal_mask(
    q: int, memory: int, batch: int, block: int, masked: bool
) -> None:
    """Results and all gradients; blocks of every size, memory, and a further mask."""
    torch.manual_seed(1)
    plain, fast = pair(block)
    k = q + memory
    key = torch.randn(k, batch, D, dtype=torch.float64)
    query = torch.randn(q, batch, D, dtype=torch.float64)
    further = random_mask(q, k, batch) if masked else None
    causal = causal_mask(q, k).unsqueeze(-1)
    whole = causal if further is None else causal & further
    for a, b in zip(
        gradients(fast, query, key, further), gradients(plain, query, key, whole), strict=True
    ):
        close(a, b)
    close(
        fast.attention_weights(query=query, key=key, mask=further),
        plain.attention_weights(query=query, key=key, mask=whole),
    )


def test_the_whole_table_can_be_used() -> None:
    """`max_len` keys, even if that is 1."""
    for length in (1, P):
        plain = RelativeMultiHeadAttention(HEADS, D, 0.0, max_len=length).double()
        fast = CausalRelativeMultiHeadAttention(HEADS, D, 0.0, max_len=length).double()
        fast.load_state_dict(plain.state_dict())
        x = torch.randn(length, 2, D).double()
        mask = causal_mask(length)
        close(fast(query=x, key=x, value=x), plain(query=x, key=x, value=x, mask=mask))


def test_a_mask_that_hides_one_key_from_all() -> None:
    """`[1, k, batch]`, numbers of 0 and 1 included, reaches every block."""
    plain, fast = pair(block=2)
    x = torch.randn(7, 2, D).double()
    further = torch.ones(1, 7, 2)
    further[0, 3, 1] = 0
    whole = (further == 1) & causal_mask(7).unsqueeze(-1)
    close(fast(query=x, key=x, value=x, mask=further), plain(query=x, key=x, value=x, mask=whole))


def test_causal_in_the_model_of_transformer_xl() -> None:
    plain, fast = pair(block=2)
    outs = []
    for attention in (plain, fast):
        torch.manual_seed(1)
        layer = TransformerXLLayer(
            d_model=D, self_attn=attention, feed_forward=FeedForward(D, 8, 0.0), dropout_prob=0.0
        )
        xl = TransformerXL(layer.double(), 1)
        x, memory = torch.randn(5, 2, D).double(), [torch.randn(3, 2, D).double()]
        outs.append(xl.double()(x, memory)[0])
    close(*outs)


def test_causal_dropout() -> None:
    _, fast = pair(dropout=0.5)
    x = torch.randn(7, 2, D).double()
    assert not torch.equal(*(fast(query=x, key=x, value=x) for _ in range(2)))
    fast.eval()
    assert torch.equal(*(fast(query=x, key=x, value=x) for _ in range(2)))


def test_causal_refuses() -> None:
    _, fast = pair()
    x = torch.randn(13, 2, D).double()
    with pytest.raises(ValueError, match=r"max_len=12.*13 keys"):
        fast(query=x, key=x, value=x)
    with pytest.raises(ValueError, match=r"5 queries.*4 keys"):
        fast(query=x[:5], key=x[:4], value=x[:4])
    with pytest.raises(ValueError, match="one value"):
        fast(query=x[:5], key=x[:5], value=x[:4])
    with pytest.raises(ValueError, match="block is 0"):
        CausalRelativeMultiHeadAttention(HEADS, D, block=0)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_stays_finite(dtype: torch.dtype) -> None:
    x = 30 * torch.randn(7, 2, D, dtype=dtype)
    mask = random_mask(7, 7, 2)
    modules: list[nn.Module] = [
        FastMultiHeadAttention(HEADS, D).to(dtype),
        CausalRelativeMultiHeadAttention(HEADS, D, max_len=P, block=3).to(dtype),
    ]
    for module in modules:
        for given_mask in (None, mask):
            out = module(query=x, key=x, value=x, mask=given_mask)
            assert out.dtype == dtype
            assert out.isfinite().all()


class Layered(nn.Module):
    """A module to trace, with one input."""

    def __init__(self, attention: nn.Module) -> None:
        super().__init__()
        self.attention = attention

    def forward(self, x: Tensor) -> Tensor:
        return self.attention(query=x[2:], key=x, value=x)


def test_compile_and_export() -> None:
    x = torch.randn(7, 2, D)
    for attention in (
        FastMultiHeadAttention(HEADS, D).eval(),
        CausalRelativeMultiHeadAttention(HEADS, D, max_len=P, block=3).eval(),
    ):
        module = Layered(attention).eval()
        expected = module(x)
        compiled = torch.compile(module, fullgraph=True, backend="eager")
        torch.testing.assert_close(compiled(x), expected)
        torch.testing.assert_close(torch.export.export(module, (x,)).module()(x), expected)


def test_figures_of_the_shift() -> None:
    """Both shifts give the same distances where both have one, and no leftover is shown."""
    after = relative_mha.figures()["after the shift"]
    causal = fast_relative_mha.figures()["after the causal shift"]
    assert isinstance(after, HeatMap)
    assert isinstance(causal, HeatMap)
    for i, (row, other) in enumerate(zip(after.values, causal.values, strict=True)):
        assert all(map(math.isnan, row[:i]))
        assert row[i : i + 8] == [r - 5 for r in range(8 - i)]
        assert row[3:][: i + 3] == other[: i + 3] == [j - (i + 2) for j in range(i + 3)]
        assert all(map(math.isnan, other[i + 3 :]))


def test_each_figure_before_a_shift_has_what_the_shift_is_given() -> None:
    for module, name in ((relative_mha, "shift"), (fast_relative_mha, "causal shift")):
        before = module.figures()[f"before the {name}"]
        assert isinstance(before, HeatMap)
        for row in before.values:
            assert [str(int(value)) for value in row] == list(before.columns)
