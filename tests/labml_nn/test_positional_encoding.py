"""
Positional encodings against the formula, computed number by number with Python's `math`, and
against the properties that the page derives.
"""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from labml_nn.transformers.positional_encoding import PositionalEncoding, get_positional_encoding


@settings(deadline=None, derandomize=True, max_examples=30)
@given(d_model=st.integers(1, 17), max_len=st.integers(1, 12))
def test_w_mod_09_equals_the_formula(d_model: int, max_len: int) -> None:
    """Odd widths, width 1 and length 1 included; shape `[max_len, 1, d_model]`."""
    table = get_positional_encoding(d_model, max_len)
    assert table.shape == (max_len, 1, d_model)
    for t in range(max_len):
        for feature in range(d_model):
            angle = t * 10000 ** (-(feature - feature % 2) / d_model)
            expected = math.cos(angle) if feature % 2 else math.sin(angle)
            assert table[t, 0, feature].item() == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("d_model", [1, 3, 7], ids=lambda d: f"W-MOD-09-{d}")
def test_w_mod_09_odd_width_in_the_module(d_model: int) -> None:
    """One more sine than cosine."""
    module = PositionalEncoding(d_model, dropout_prob=0.0, max_len=10)
    out = module(torch.zeros(10, 2, d_model))
    assert torch.equal(out, get_positional_encoding(d_model, 10).expand(10, 2, d_model))


def test_w_mod_10_pairs_share_one_rate() -> None:
    """Sine and cosine of the same angle: their squares sum to 1."""
    table = get_positional_encoding(8, 50).reshape(50, 8)
    assert ((table[:, 0::2] ** 2 + table[:, 1::2] ** 2) - 1).abs().max() < 1e-5


def test_w_mod_11_late_positions_are_exact() -> None:
    """The float32 table is the rounded float64 table, up to position 4999 at width 512."""
    position = torch.arange(5000, dtype=torch.float64)[:, None]
    angle = position * 10000 ** (-torch.arange(0, 512, 2, dtype=torch.float64) / 512)
    table = get_positional_encoding(512, 5000).squeeze(1)
    assert table.dtype == torch.float32
    assert (table[:, 0::2] - angle.sin()).abs().max() < 1e-7
    assert (table[:, 1::2] - angle.cos()).abs().max() < 1e-7
    # What the page says of float32 angles: wrong in the fourth decimal place.
    wrong = (angle.float().sin() - angle.sin()).abs().max()
    assert 1e-4 < wrong < 1e-3


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32, torch.float64])
@pytest.mark.parametrize("moved", [True, False], ids=["module-too", "input-only"])
def test_w_mod_11_follows_the_type(dtype: torch.dtype, moved: bool) -> None:
    """The result has the type of the input, and is right within the precision of that type."""
    module = PositionalEncoding(16, dropout_prob=0.0, max_len=5000)
    if moved:
        module = module.to(dtype)
    out = module(torch.zeros(5000, 1, 16, dtype=dtype))
    assert out.dtype == dtype
    expected = get_positional_encoding(16, 5000)
    assert (out.float() - expected).abs().max() <= max(torch.finfo(dtype).eps, 1e-7)


def test_w_mod_11_follows_the_device() -> None:
    """The table moves with the module; the meta device stands for any other."""
    module = PositionalEncoding(16, dropout_prob=0.0, max_len=50).to("meta")
    assert module.positional_encodings.is_meta
    assert module(torch.zeros(7, 2, 16, device="meta")).is_meta


def test_table_stays_out_of_checkpoints() -> None:
    """So a checkpoint does not depend on `max_len`, and the table is not trained."""
    module = PositionalEncoding(16, dropout_prob=0.0, max_len=50)
    assert not module.state_dict()
    assert not list(module.parameters())


def test_positions_are_counted_along_axis_0() -> None:
    """All items of a batch get the same positions, and each position its own."""
    module = PositionalEncoding(6, dropout_prob=0.0, max_len=20)
    out = module(torch.zeros(5, 3, 6))
    assert torch.equal(out[:, 0], out[:, 1])
    assert torch.equal(out[:, 0], out[:, 2])
    assert len({tuple(row) for row in out[:, 0].tolist()}) == 5


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ((17, 2, 8), "length 17.*max_len=16"),
        ((16, 2, 7), r"8\].*\[16, 2, 7\]"),
        ((16, 8), r"8\].*\[16, 8\]"),
    ],
    ids=["too-long", "width", "no-batch"],
)
def test_wrong_input(shape: tuple[int, ...], message: str) -> None:
    """Each message names what was expected and what was given."""
    module = PositionalEncoding(8, dropout_prob=0.0, max_len=16)
    with pytest.raises(ValueError, match=message):
        module(torch.zeros(shape))


def test_table_of_one_position_does_not_broadcast() -> None:
    """A table of length 1 would fit any length by broadcasting; it must not."""
    module = PositionalEncoding(8, dropout_prob=0.0, max_len=1)
    with pytest.raises(ValueError, match=r"length 17.*max_len=1"):
        module(torch.zeros(17, 2, 8))


def test_w_mod_13_dropout() -> None:
    """Active in training alone."""
    module = PositionalEncoding(8, dropout_prob=0.5)
    x = torch.randn(6, 2, 8)
    assert not torch.equal(module(x), module(x))
    module.eval()
    assert torch.equal(module(x), module(x))


def test_moving_on_is_a_rotation() -> None:
    """The page's matrix takes the encoding of t to that of t + m, for every t."""
    d_model, m = 8, 5
    torch.set_default_dtype(torch.float64)
    try:
        table = get_positional_encoding(d_model, 40).squeeze(1)
    finally:
        torch.set_default_dtype(torch.float32)
    assert table.dtype == torch.float64
    for n in range(d_model // 2):
        angle = 10000 ** (-2 * n / d_model) * m
        sin, cos = math.sin(angle), math.cos(angle)
        turn = torch.tensor([[cos, sin], [-sin, cos]], dtype=torch.float64)
        pair = table[:, 2 * n : 2 * n + 2]
        torch.testing.assert_close(pair[:-m] @ turn.T, pair[m:], rtol=1e-12, atol=1e-12)


def test_dot_products_depend_on_distance_alone() -> None:
    """And equal the sum of cosines that the page gives; near positions are more alike."""
    table = get_positional_encoding(64, 30).squeeze(1).double()
    products = table @ table.T
    for m in range(5):
        expected = sum(math.cos(10000 ** (-2 * n / 64) * m) for n in range(32))
        diagonal = products.diagonal(m)
        assert (diagonal - expected).abs().max() < 1e-5
    assert (products[0, :4] > products[0, 1:5]).all()
