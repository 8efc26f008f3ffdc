"""The feed-forward network against its formula, written with matrices, and against its promises."""

import pytest
import torch
from torch import nn

from labml_nn.transformers.feed_forward import FeedForward
from labml_nn.transformers.mha import MultiHeadAttention


def test_equals_the_formula() -> None:
    """max(0, x W1 + b1) W2 + b2, in double precision."""
    module = FeedForward(6, 10, dropout_prob=0.0).double()
    x = torch.randn(4, 2, 6, dtype=torch.float64)
    one, two = module.layer1, module.layer2
    hidden = torch.clamp(x @ one.weight.T + one.bias, min=0)
    expected = hidden @ two.weight.T + two.bias
    torch.testing.assert_close(module(x), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("shape", [(6,), (2, 6), (4, 2, 6)], ids=lambda s: f"W-MOD-15-{s}")
def test_w_mod_15_shape_stays(shape: tuple[int, ...]) -> None:
    """Any axes in front, the same shape out."""
    assert FeedForward(6, 10)(torch.randn(shape)).shape == shape


def test_tokens_do_not_meet() -> None:
    """Position-wise: a changed token changes its own output alone."""
    module = FeedForward(6, 10).eval()
    x = torch.randn(4, 2, 6)
    other = x.clone()
    other[1, 0] += 1
    moved = (module(other) != module(x)).any(-1)
    assert moved.nonzero().tolist() == [[1, 0]]


def test_w_mod_13_dropout() -> None:
    """Active in training alone."""
    module = FeedForward(6, 10, dropout_prob=0.5)
    x = torch.randn(8, 2, 6)
    assert not torch.equal(module(x), module(x))
    module.eval()
    still = module(x)
    assert torch.equal(module(x), still)
    module.train()
    module.dropout.p = 0.0
    assert torch.equal(module(x), still)


def test_activation() -> None:
    """Another bend can be passed in, and no default is shared between networks."""
    module = FeedForward(6, 10, dropout_prob=0.0, activation=nn.GELU())
    x = torch.randn(3, 6)
    expected = module.layer2(nn.functional.gelu(module.layer1(x)))
    torch.testing.assert_close(module(x), expected)
    assert FeedForward(6, 10).activation is not FeedForward(6, 10).activation


def test_two_thirds_of_the_weights() -> None:
    """As told on the page, at the sizes of the paper."""

    def size(module: nn.Module) -> int:
        return sum(p.numel() for p in module.parameters())

    ff, attention = size(FeedForward(512, 2048)), size(MultiHeadAttention(8, 512))
    assert ff / (ff + attention) == pytest.approx(2 / 3, abs=0.01)
