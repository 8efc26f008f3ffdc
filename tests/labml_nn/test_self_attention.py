"""
The self-attention family.

* Basic attention against a plain loop; wide heads against PyTorch's attention head by head; the
  einsum form against wide heads; narrow heads against multi-head attention with block-diagonal
  matrices; the block against `torch.nn.TransformerEncoderLayer`.
* Masks, padding, causality, order, gradients, half precision, compiling, state dicts.
"""

import io
import math
from collections.abc import Callable

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from labml_nn.figures import Bars, HeatMap, Lines
from labml_nn.transformers.feed_forward import FeedForward
from labml_nn.transformers.masks import causal_mask, padding_mask
from labml_nn.transformers.mha import MultiHeadAttention
from labml_nn.transformers.models import (
    EmbeddingsWithLearnedPositionalEncoding,
    EmbeddingsWithPositionalEncoding,
)
from labml_nn.transformers.self_attention import basic, experiment, narrow
from labml_nn.transformers.self_attention.basic import basic_self_attention, basic_weights
from labml_nn.transformers.self_attention.block import PostNormBlock
from labml_nn.transformers.self_attention.classifier import SequenceClassifier, mean_of_real
from labml_nn.transformers.self_attention.einsum import EinsumSelfAttention
from labml_nn.transformers.self_attention.narrow import NarrowSelfAttention
from labml_nn.transformers.self_attention.wide import WideSelfAttention

D, HEADS = 6, 2
KINDS = [WideSelfAttention, EinsumSelfAttention, NarrowSelfAttention]
Kind = type[WideSelfAttention] | type[NarrowSelfAttention]


def close(actual: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(actual, expected, rtol=1e-12, atol=1e-12)


def random(length: int = 5, batch: int = 3, d: int = D) -> Tensor:
    return torch.randn(length, batch, d, dtype=torch.float64)


def random_mask(length: int, batch: int) -> Tensor:
    """Some keys hidden, and one query that sees none."""
    mask = torch.rand(length, length, batch) < 0.6
    mask[-1, :, 0] = False
    return mask


# Basic


@settings(deadline=None, derandomize=True, max_examples=20)
@given(length=st.integers(1, 5), batch=st.integers(1, 3), d=st.integers(1, 4))
def test_basic_equals_a_loop(length: int, batch: int, d: int) -> None:
    x = random(length, batch, d)
    y = basic_self_attention(x)
    for b in range(batch):
        for i in range(length):
            weights = [math.exp(float(x[i, b] @ x[j, b])) for j in range(length)]
            mean = sum(w * x[j, b] for j, w in enumerate(weights)) / sum(weights)
            torch.testing.assert_close(y[i, b], mean, rtol=1e-9, atol=1e-9)


def test_basic_is_symmetric_before_the_softmax_and_obeys_a_mask() -> None:
    x = random()
    weights = basic_weights(x, causal_mask(5))
    close(weights.sum(-1), torch.ones(3, 5).double())
    assert not weights.triu(1).any()
    ratio = basic_weights(x).log()
    scores = ratio + torch.logsumexp(torch.einsum("ibd,jbd->bij", x, x), -1, keepdim=True)
    close(scores, scores.mT)


def test_basic_sentence() -> None:
    """What the page says of *it*, *was* and *because*."""
    heat = basic.figures()["sentence"]
    assert isinstance(heat, HeatMap)
    best = {
        row: heat.columns[values.index(max(values))]
        for row, values in zip(heat.rows, heat.values, strict=True)
    }
    strangers = {word: other for word, other in best.items() if word != other}
    assert strangers == {"because": "the", "it": "cat", "was": "tired"}


# Heads


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("kind", [WideSelfAttention, EinsumSelfAttention])
def test_wide_equals_pytorch_head_by_head(kind: Kind, masked: bool) -> None:
    """Each head by itself through `scaled_dot_product_attention`, whose default scale is right."""
    module, x = kind(D, 3).double(), random(4, 2)
    mask = random_mask(4, 2) if masked else None
    parts = [m.weight.split(D) for m in (module.query, module.key, module.value)]
    heads = []
    for wq, wk, wv in zip(*parts, strict=True):
        q, k, v = (nn.functional.linear(x, w).transpose(0, 1) for w in (wq, wk, wv))
        visible = None if mask is None else mask.permute(2, 0, 1)
        head = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=visible)
        heads.append(head.transpose(0, 1))
    close(module(x, mask), module.unify(torch.cat(heads, dim=-1)))


@pytest.mark.parametrize("masked", [False, True])
def test_einsum_equals_wide(masked: bool) -> None:
    """The same weights, float32, 1e-6, and the same gradients."""
    wide, einsum = WideSelfAttention(32, 4), EinsumSelfAttention(32, 4)
    einsum.load_state_dict(wide.state_dict())
    x, mask = torch.randn(10, 3, 32), random_mask(10, 3) if masked else None
    gradients = []
    for module in (wide, einsum):
        own = x.clone().requires_grad_()
        module(own, mask).square().sum().backward()
        gradients.append(own.grad)
    torch.testing.assert_close(einsum(x, mask), wide(x, mask), rtol=0, atol=1e-6)
    torch.testing.assert_close(*gradients, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("masked", [False, True])
def test_narrow_equals_multi_head_attention_with_equal_blocks(masked: bool) -> None:
    """Cut and shared matrices are block-diagonal ones in the usual heads, scale included."""
    module = NarrowSelfAttention(D, HEADS).double()
    usual = MultiHeadAttention(HEADS, D, dropout_prob=0.0, bias=False).double()
    with torch.no_grad():
        for name in ("query", "key", "value"):
            small = getattr(module, name).weight
            getattr(usual, name).linear.weight.copy_(torch.block_diag(*[small] * HEADS))
        usual.output = module.unify
    x, mask = random(), random_mask(5, 3) if masked else None
    close(module(x, mask), usual(query=x, key=x, value=x, mask=mask))


def test_parameter_counts_of_the_page() -> None:
    counts = narrow.parameter_counts(128, 8)
    totals = {name: sum(parts.values()) for name, parts in counts.items()}
    assert totals == {"wide": 524_416, "usual": 65_664, "narrow": 17_280}
    assert counts["narrow"]["queries, keys, values"] == 768
    maps = [counts[n]["queries, keys, values"] / 3 for n in ("wide", "usual", "narrow")]
    assert maps == [131_072, 16_384, 256]
    bars = narrow.figures()["parameters"]
    assert isinstance(bars, Bars)
    assert bars.groups == counts


@pytest.mark.parametrize("kind", KINDS)
def test_heads_keep_order_batch_and_mask(kind: Kind) -> None:
    """Shuffling shuffles the result, items do not mix, and the future stays hidden."""
    module, x = kind(D, HEADS).double(), random()
    order = torch.tensor([3, 0, 4, 1, 2])
    close(module(x[order]), module(x)[order])
    close(module(x[:, 1:2]), module(x)[:, 1:2])
    changed = x.clone()
    changed[3] = random()[3]
    before, after = module(x, causal_mask(5)), module(changed, causal_mask(5))
    assert torch.equal(before[:3], after[:3])
    assert not torch.equal(before[3:], after[3:])


@pytest.mark.parametrize("kind", KINDS)
def test_a_query_without_keys_gives_the_bias(kind: Kind) -> None:
    """No NaN in the result or the gradients; the other rows are as without that query."""
    module, x = kind(D, HEADS).double(), random().requires_grad_()
    mask = causal_mask(5).clone()
    mask[2] = False
    out = module(x, mask)
    close(out[2], module.unify.bias.expand(3, D))
    close(out[3:], module(x, causal_mask(5))[3:])
    out.sum().backward()
    assert x.grad is not None
    assert x.grad.isfinite().all()


@pytest.mark.parametrize("kind", KINDS)
def test_wrong_sizes_are_refused(kind: Kind) -> None:
    with pytest.raises(ValueError, match=r"\[sequence, batch, 6\].*\[5, 3, 4\]"):
        kind(D, HEADS)(torch.randn(5, 3, 4))
    with pytest.raises(ValueError, match="0"):
        kind(D, 0)
    # Without a mask a mix-up of the axes cannot be seen; with one it can.
    with pytest.raises(ValueError, match="mask"):
        kind(D, HEADS)(torch.randn(3, 5, D), causal_mask(5))


def test_narrow_heads_must_divide() -> None:
    with pytest.raises(ValueError, match=r"7.*2"):
        NarrowSelfAttention(7, 2)


# What holds of all modules

MODULES: list[Callable[[], nn.Module]] = [
    lambda: WideSelfAttention(D, HEADS),
    lambda: EinsumSelfAttention(D, HEADS),
    lambda: NarrowSelfAttention(D, HEADS),
    lambda: block(NarrowSelfAttention(D, HEADS)),
]


def block(attention: nn.Module, dropout: float = 0.0) -> PostNormBlock:
    return PostNormBlock(
        d_model=D,
        attention=attention,
        feed_forward=FeedForward(D, 12, dropout),
        dropout_prob=dropout,
    )


@pytest.mark.parametrize("make", MODULES, ids=["wide", "einsum", "narrow", "block"])
def test_gradients_state_dicts_and_graphs(make: Callable[[], nn.Module]) -> None:
    module, x = make(), torch.randn(5, 3, D)
    mask = causal_mask(5)
    module(x, mask).pow(3).sum().backward()
    for name, p in module.named_parameters():
        assert p.grad is not None, name
        assert p.grad.abs().sum() > 0, name

    file, other = io.BytesIO(), make()
    torch.save(module.state_dict(), file)
    file.seek(0)
    other.load_state_dict(torch.load(file, weights_only=True))
    expected = module(x, mask)
    assert torch.equal(other(x, mask), expected)

    compiled = torch.compile(module, fullgraph=True, backend="eager")
    torch.testing.assert_close(compiled(x, mask), expected)
    torch.testing.assert_close(torch.export.export(module, (x, mask)).module()(x, mask), expected)

    for dtype in (torch.float16, torch.bfloat16):
        out = make().to(dtype)(30 * x.to(dtype), mask)
        assert out.dtype == dtype
        assert out.isfinite().all()


# The block


class Usual(nn.Module):
    """Multi-head attention, called like the attention of this family."""

    def __init__(self) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(HEADS, D, dropout_prob=0.0)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        return self.attention(query=x, key=x, value=x, mask=mask)


def test_block_equals_pytorchs_post_norm_layer() -> None:
    ours = block(Usual()).double()
    theirs = nn.TransformerEncoderLayer(D, HEADS, 12, dropout=0.0, norm_first=False).double()
    with torch.no_grad():
        for p in ours.parameters():
            p.add_(0.3 * torch.randn_like(p))
        attention = ours.attention.attention
        parts = [m.linear for m in (attention.query, attention.key, attention.value)]
        theirs.self_attn.in_proj_weight.copy_(torch.cat([p.weight for p in parts]))
        theirs.self_attn.in_proj_bias.copy_(torch.cat([p.bias for p in parts]))
        for mine, other in (
            (attention.output, theirs.self_attn.out_proj),
            (ours.feed_forward.layer1, theirs.linear1),
            (ours.feed_forward.layer2, theirs.linear2),
            (ours.norm_attention, theirs.norm1),
            (ours.norm_ff, theirs.norm2),
        ):
            other.load_state_dict(mine.state_dict())
    x, mask = random(), causal_mask(5)
    close(ours(x, mask), theirs(x, src_mask=~mask))


def test_block_dropout_acts_on_what_is_added() -> None:
    """With everything dropped, the block is its two normalisations and nothing else."""
    module = block(NarrowSelfAttention(D, HEADS), dropout=1.0).train()
    x = torch.randn(5, 3, D)
    torch.testing.assert_close(module(x), module.norm_ff(module.norm_attention(x)))
    module.eval()
    assert torch.equal(module(x), module(x))


# The classifier

EMBEDDINGS: list[Callable[..., nn.Module]] = [
    EmbeddingsWithLearnedPositionalEncoding,
    EmbeddingsWithPositionalEncoding,
]


def classifier(embeddings: Callable[..., nn.Module] = EMBEDDINGS[0]) -> SequenceClassifier:
    return SequenceClassifier(
        embeddings(D, 10, max_len=12, dropout_prob=0.0),
        block(NarrowSelfAttention(D, HEADS)),
        n_blocks=2,
        n_classes=3,
    ).double()


def test_mean_ignores_padding() -> None:
    """Two real tokens of eight, all ones: the mean is 1 and not 0.25."""
    x = torch.ones(8, 2, 4)
    x[2:, 0] = math.inf
    real = torch.zeros(8, 2, dtype=torch.bool)
    real[:2, 0] = True
    assert mean_of_real(x, real).tolist() == [[1.0] * 4, [0.0] * 4]


@pytest.mark.parametrize("embeddings", EMBEDDINGS)
def test_padding_does_not_change_the_answer(embeddings: Callable[..., nn.Module]) -> None:
    model = classifier(embeddings)
    tokens = torch.randint(1, 10, (5, 3))
    padded = torch.cat([tokens, torch.zeros(4, 3, dtype=torch.long)])
    close(model(padded), model(tokens))
    close(model(tokens).exp().sum(dim=-1), torch.ones(3).double())
    assert model(torch.zeros_like(tokens)).isfinite().all()


@pytest.mark.parametrize("embeddings", EMBEDDINGS)
def test_positions_count(embeddings: Callable[..., nn.Module]) -> None:
    """Two tokens change places, and the answer changes."""
    model = classifier(embeddings)
    tokens = torch.tensor([[1], [2], [3], [4]])
    assert not torch.allclose(model(tokens), model(tokens[[1, 0, 2, 3]]), atol=1e-6)


def test_classifier_gradients_and_lengths() -> None:
    model = classifier()
    model(torch.randint(1, 10, (12, 40)))[:, 0].sum().backward()
    for name, p in model.named_parameters():
        assert p.grad is not None, name
        assert p.grad.abs().sum() > 0, name
    with pytest.raises(ValueError, match=r"13.*12"):
        model(torch.ones(13, 1, dtype=torch.long))


def test_blocks_begin_differently() -> None:
    first, second = classifier().blocks
    assert not torch.equal(first.attention.query.weight, second.attention.query.weight)


def test_tokens_on_another_device() -> None:
    """Positions and masks are made where the tokens are. `meta` stands for a GPU."""
    model = classifier().to("meta")
    assert model(torch.ones(5, 2, dtype=torch.long, device="meta")).device.type == "meta"
    assert padding_mask(torch.ones(5, 2, device="meta"), 0).device.type == "meta"
    assert causal_mask(3, device="meta").device.type == "meta"


# The task


def test_the_task_is_what_the_page_says() -> None:
    """One A, one B, right answers, lengths from 4 to 16, padding at the end."""
    tokens, answers = experiment.make_batch(torch.Generator().manual_seed(0), size=500)
    assert ((tokens == experiment.A).sum(0) == 1).all()
    assert ((tokens == experiment.B).sum(0) == 1).all()
    lengths = (tokens != 0).sum(0)
    assert (lengths.min(), lengths.max()) == (4, 16)
    for column, answer, length in zip(tokens.t().tolist(), answers, lengths, strict=True):
        assert 0 not in column[:length]
        assert (column.index(experiment.B) < column.index(experiment.A)) == answer
    assert 0.4 < answers.double().mean() < 0.6


def test_positions_solve_the_task() -> None:
    torch.manual_seed(1)
    task = experiment.WhichFirst(experiment.embeddings()["learned"])
    losses = experiment.run("learned", task, 100)
    assert losses[0] > 0.6
    assert experiment.accuracy(task) > 0.9


def test_without_positions_a_sequence_is_its_reverse() -> None:
    task = experiment.WhichFirst(experiment.embeddings()["no positions"]).double()
    tokens, _ = experiment.make_batch(torch.Generator().manual_seed(0))
    close(task.classifier(tokens), task.classifier(tokens.flip(0)))


def test_figures_hold_one_curve_for_each_embedding() -> None:
    """And a run of a single step is a run."""
    lines = experiment.figures(steps=1)["loss"]
    assert isinstance(lines, Lines)
    assert set(lines.series) == {"learned", "sinusoidal", "no positions"}
