"""
Transformer-XL whole.

* Chunked equals whole, for layer and model, with segments of uneven length.
* A loop that keeps the whole history of each layer and cuts the memory out of it.
* How far the model sees, causality, gradients that stop at the memory.
"""

import io
from collections.abc import Sequence

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from labml_nn.transformers.feed_forward import FeedForward
from labml_nn.transformers.masks import causal_mask
from labml_nn.transformers.xl.model import TransformerXL, TransformerXLLayer, update_memory
from labml_nn.transformers.xl.relative_mha import RelativeMultiHeadAttention

D = 6


def layer(dropout: float = 0.0, max_len: int = 16) -> TransformerXLLayer:
    return TransformerXLLayer(
        d_model=D,
        self_attn=RelativeMultiHeadAttention(2, D, dropout, max_len),
        feed_forward=FeedForward(D, 12, dropout),
        dropout_prob=dropout,
    )


def model(n_layers: int = 2, dropout: float = 0.0) -> TransformerXL:
    """A model in double precision whose every parameter has a value that shows a mix-up."""
    made = TransformerXL(layer(dropout), n_layers)
    with torch.no_grad():
        for p in made.parameters():
            p.add_(0.3 * torch.randn_like(p))
    return made.double()


def read(
    xl: TransformerXL, x: Tensor, lengths: Sequence[int], memory_length: int | list[int]
) -> Tensor:
    memory, outputs = None, []
    for segment in x.split(list(lengths)):
        output, entered = xl(segment, memory)
        memory = update_memory(memory, entered, memory_length)
        outputs.append(output)
    return torch.cat(outputs)


def close(actual: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(actual, expected, rtol=1e-12, atol=1e-12)


@settings(deadline=None, derandomize=True, max_examples=15)
@given(lengths=st.lists(st.integers(1, 5), min_size=1, max_size=3), n_layers=st.integers(1, 3))
def test_chunked_equals_whole(lengths: list[int], n_layers: int) -> None:
    """With a memory of everything, segments of any lengths give what the whole text gives."""
    torch.manual_seed(1)
    xl = model(n_layers)
    x = torch.randn(sum(lengths), 2, D, dtype=torch.float64)
    close(read(xl, x, lengths, 16), xl(x)[0])


def test_layer_is_the_pre_norm_layer_of_the_paper() -> None:
    """The formula once more, with the memory normalised by itself."""
    one = model(1).layers[0]
    x, memory = torch.randn(4, 2, D).double(), torch.randn(3, 2, D).double()
    mask = causal_mask(4, 7)
    z = one.norm_self_attn(x)
    seen = torch.cat([one.norm_self_attn(memory), z])
    expected = x + one.self_attn(query=z, key=seen, value=seen, mask=mask)
    expected = expected + one.feed_forward(one.norm_ff(expected))
    close(one(x=x, memory=memory, mask=mask), expected)


def test_short_memories_of_different_lengths_equal_a_loop() -> None:
    """A loop keeps the full history of each layer and hands it the last `length` vectors."""
    xl, lengths = model(3), [2, 0, 5]
    x = torch.randn(12, 2, D).double()
    history: list[list[Tensor]] = [[], [], []]
    outputs = []
    for start in range(0, 12, 3):
        h = x[start : start + 3]
        for n, one in enumerate(xl.layers):
            past = history[n][-lengths[n] :] if lengths[n] else []
            memory = torch.stack(past) if past else None
            history[n].extend(h)
            h = one(x=h, memory=memory, mask=causal_mask(3, 3 + len(past)))
        outputs.append(xl.norm(h))
    close(read(xl, x, [3, 3, 3, 3], lengths), torch.cat(outputs))


@pytest.mark.parametrize(("n_layers", "first"), [(1, 8), (2, 4), (3, 0)])
def test_each_layer_sees_one_memory_further(n_layers: int, first: int) -> None:
    """Token 15 in segments of 4 with memory 4: exactly the tokens that the page promises."""
    xl = model(n_layers)
    x = torch.randn(16, 1, D).double()
    last = read(xl, x, [4] * 4, 4)[-1]
    for t in range(16):
        changed = x.clone()
        changed[t] = torch.randn(D)
        same = torch.equal(read(xl, changed, [4] * 4, 4)[-1], last)
        assert same == (t < first)


def test_the_future_changes_nothing_before_it() -> None:
    """In the segment and across segments."""
    xl = model()
    x = torch.randn(12, 2, D).double()
    changed = x.clone()
    changed[6] = torch.randn(2, D)
    before, after = read(xl, x, [4, 4, 4], 5), read(xl, changed, [4, 4, 4], 5)
    assert torch.equal(before[:6], after[:6])
    assert not torch.equal(before[6:], after[6:])


def test_items_of_a_batch_do_not_mix() -> None:
    xl = model()
    x = torch.randn(8, 3, D).double()
    close(read(xl, x[:, 1:2], [4, 4], 4), read(xl, x, [4, 4], 4)[:, 1:2])


def test_no_gradient_passes_through_the_memory() -> None:
    """The loss of the second segment leaves the first one alone."""
    xl = model()
    first = torch.randn(4, 1, D).double().requires_grad_()
    second = torch.randn(4, 1, D).double().requires_grad_()
    _, entered = xl(first)
    memory = update_memory(None, entered, 4)
    xl(second, memory)[0].sum().backward()
    assert first.grad is None
    assert second.grad is not None
    assert not any(kept.requires_grad for kept in memory)


def test_gradients_reach_every_parameter() -> None:
    xl = model()
    x = torch.randn(8, 2, D).double()
    read(xl, x, [4, 4], 4).square().sum().backward()
    for name, p in xl.named_parameters():
        assert p.grad is not None, name
        assert p.grad.abs().sum() > 0, name


def test_layers_begin_differently() -> None:
    weights = [one.self_attn.query.linear.weight for one in TransformerXL(layer(), 2).layers]
    assert not torch.equal(*weights)


@pytest.mark.parametrize("length", [0, 1, 3, 5, 8])
def test_update_memory_keeps_the_last(length: int) -> None:
    """The tail of old and new together; 0 keeps none, and too few are kept all."""
    old, new = [torch.arange(3.0)[:, None, None]], [torch.arange(3.0, 7.0)[:, None, None]]
    (kept,) = update_memory(old, new, length)
    assert kept.flatten().tolist() == list(range(7))[max(7 - length, 0) :]
    (kept,) = update_memory(None, new, length)
    assert kept.flatten().tolist() == [3, 4, 5, 6][max(4 - length, 0) :]


def test_update_memory_for_each_layer() -> None:
    new = [torch.randn(4, 1, D)] * 3
    assert [len(kept) for kept in update_memory(None, new, [0, 2, 4])] == [0, 2, 4]
    for wrong in ([1, 2], -1, [1, 1, -2]):
        with pytest.raises(ValueError, match="3 layers"):
            update_memory(None, new, wrong)


def test_wrong_memory_is_refused() -> None:
    xl, x = model(), torch.randn(4, 2, D).double()
    with pytest.raises(ValueError, match="1 layers, but the model has 2"):
        xl(x, [x])
    with pytest.raises(ValueError, match=r"layer 1 must have shape \[length, 2, 6\]"):
        xl(x, [x, x[:, :1]])
    with pytest.raises(ValueError, match="max_len=16"):
        xl(x, [torch.randn(13, 2, D).double()] * 2)


def test_evaluation_is_steady_and_dropout_acts_in_training() -> None:
    xl, x = model(dropout=0.5), torch.randn(4, 2, D).double()
    assert not torch.equal(xl(x)[0], xl(x)[0])
    xl.eval()
    assert torch.equal(xl(x)[0], xl(x)[0])


def test_state_dict_loads_back() -> None:
    xl, other, file = model(), model(), io.BytesIO()
    torch.save(xl.state_dict(), file)
    file.seek(0)
    other.load_state_dict(torch.load(file, weights_only=True))
    x = torch.randn(4, 2, D).double()
    assert torch.equal(xl(x)[0], other(x)[0])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_stays_finite(dtype: torch.dtype) -> None:
    xl, x = model().to(dtype), 10 * torch.randn(8, 2, D, dtype=dtype)
    out = read(xl, x, [4, 4], 4)
    assert out.dtype == dtype
    assert out.isfinite().all()


def test_compiles_as_one_graph_and_exports() -> None:
    """With a memory, the list of tensors included."""
    xl, x = model().eval(), torch.randn(4, 2, D).double()
    memory = [torch.randn(3, 2, D).double()] * 2
    expected = xl(x, memory)[0]
    close(torch.compile(xl, fullgraph=True, backend="eager")(x, memory)[0], expected)
    close(torch.export.export(xl, (x, memory)).module()(x, memory)[0], expected)
