"""Masks against plain loops, and the softmax that obeys them against PyTorch's attention."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from labml_nn.transformers.masks import causal_mask, masked_softmax, padding_mask


@settings(deadline=None, derandomize=True, max_examples=40)
@given(queries=st.integers(1, 6), memory=st.integers(0, 6))
def test_causal_mask_is_aligned_at_the_end(queries: int, memory: int) -> None:
    """Query `i` stands at `i + memory`, sees itself, all before it, and nothing after it."""
    mask = causal_mask(queries, queries + memory)
    assert mask.dtype == torch.bool
    assert mask.shape == (queries, queries + memory)
    for i in range(queries):
        for j in range(queries + memory):
            assert mask[i, j].item() == (j <= i + memory)


def test_causal_mask_defaults_are_safe() -> None:
    """Every query sees itself, so no row is empty, and none sees the future."""
    mask = causal_mask(5)
    assert mask.diagonal().all()
    assert not mask.triu(1).any()
    with pytest.raises(ValueError, match=r"5 queries .* 3 keys"):
        causal_mask(5, 3)


def test_padding_mask() -> None:
    """One row for all the queries of an item, `[1, sequence, batch]`."""
    tokens = torch.tensor([[5, 6], [7, 0], [0, 0]])
    expected = [[True, True], [True, False], [False, False]]
    assert padding_mask(tokens, padding=0).tolist() == [expected]
    with pytest.raises(ValueError, match=r"\[sequence, batch\]"):
        padding_mask(tokens[0], padding=0)


def test_masked_softmax_equals_pytorchs_attention() -> None:
    """With the identity as values, scaled dot-product attention returns its weights."""
    torch.manual_seed(1)
    query, key = torch.randn(3, 2, 4, 6).double(), torch.randn(3, 2, 5, 6).double()
    mask = torch.rand(4, 5, 3) < 0.6
    mask[2, :, 1] = False
    values = torch.eye(5, dtype=torch.float64).expand(3, 2, 5, 5)
    expected = nn.functional.scaled_dot_product_attention(
        query, key, values, attn_mask=mask.permute(2, 0, 1).unsqueeze(1), scale=1.0
    )
    actual = masked_softmax(query @ key.mT, mask)
    torch.testing.assert_close(actual, expected, rtol=1e-12, atol=1e-12)
    assert torch.equal(actual[1, :, 2], torch.zeros(2, 5).double())


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_masked_softmax_stays_finite(dtype: torch.dtype) -> None:
    """An empty row is all zeros in every type, and so is its gradient."""
    scores = torch.randn(1, 1, 2, 3, dtype=dtype, requires_grad=True)
    mask = torch.tensor([[True, True, False], [False, False, False]])
    weights = masked_softmax(scores, mask)
    weights.square().sum().backward()
    assert weights[0, 0, 1].tolist() == [0, 0, 0]
    assert scores.grad is not None
    assert scores.grad.isfinite().all()
    assert scores.grad[0, 0, 1].tolist() == [0, 0, 0]


def test_masked_softmax_changes_neither_of_its_inputs() -> None:
    """Scores that need a gradient, and scores that are a view, go in unharmed."""
    base = torch.randn(1, 1, 1, 3, requires_grad=True)
    scores = base.expand(1, 2, 3, 3)
    before, mask = scores.detach().clone(), causal_mask(3)
    masked_softmax(scores, mask).sum().backward()
    assert torch.equal(scores, before)
    assert torch.equal(mask, causal_mask(3))


@pytest.mark.parametrize("shape", [(4, 4), (4, 5, 2), (3, 5, 1), (4, 1, 3), (5,), (1, 1, 4, 5)])
def test_masked_softmax_refuses_other_shapes(shape: tuple[int, ...]) -> None:
    """With all sizes different, no wrong shape can pass."""
    with pytest.raises(ValueError, match=r"\[4 or 1, 5, 3 or 1\]"):
        masked_softmax(torch.randn(3, 2, 4, 5), torch.ones(shape, dtype=torch.bool))


def test_masked_softmax_refuses_numbers() -> None:
    """A mask that is added to the scores would mean the opposite here."""
    with pytest.raises(ValueError, match="boolean"):
        masked_softmax(torch.randn(3, 2, 4, 5), torch.zeros(4, 5))
