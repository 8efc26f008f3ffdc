"""
Layers and models against PyTorch's own.

* `torch.nn.TransformerEncoderLayer` and `torch.nn.TransformerDecoderLayer` with `norm_first=True`
  and the same weights: 1e-5 in float32, 1e-12 in float64, gradients too.
* Properties: the residual path, causality, gradients for every parameter, layers that begin
  differently.
"""

import io
import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from labml_nn.transformers.feed_forward import FeedForward
from labml_nn.transformers.mha import MultiHeadAttention
from labml_nn.transformers.models import (
    Decoder,
    EmbeddingsWithLearnedPositionalEncoding,
    EmbeddingsWithPositionalEncoding,
    Encoder,
    EncoderDecoder,
    Generator,
    TransformerLayer,
    stack,
)
from labml_nn.transformers.xl.relative_mha import RelativeMultiHeadAttention

TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-12}
D, HEADS, FF, VOCAB = 8, 2, 12, 11


def close(actual: Tensor, expected: Tensor) -> None:
    """Fail if the two differ by more than the tolerance of their type."""
    tolerance = TOLERANCE[actual.dtype]
    torch.testing.assert_close(actual, expected, rtol=tolerance, atol=tolerance)


def make_layer(cross: bool = False, dropout: float = 0.0) -> TransformerLayer:
    """A small layer, with source attention if `cross`."""
    return TransformerLayer(
        d_model=D,
        self_attn=MultiHeadAttention(HEADS, D, dropout),
        src_attn=MultiHeadAttention(HEADS, D, dropout) if cross else None,
        feed_forward=FeedForward(D, FF, dropout),
        dropout_prob=dropout,
    )


def make_model(
    embeddings: Callable[..., nn.Module] = EmbeddingsWithPositionalEncoding, dropout: float = 0.0
) -> EncoderDecoder:
    """Two layers on each side."""
    return EncoderDecoder(
        Encoder(make_layer(dropout=dropout), 2),
        Decoder(make_layer(cross=True, dropout=dropout), 2),
        embeddings(D, VOCAB, max_len=20, dropout_prob=dropout),
        embeddings(D, VOCAB, max_len=20, dropout_prob=dropout),
        Generator(VOCAB, D),
    )


def shake(module: nn.Module) -> None:
    """Give every parameter, those of the norms too, a value that shows a mix-up."""
    with torch.no_grad():
        for p in module.parameters():
            p.add_(0.3 * torch.randn_like(p))


def copy_attention(ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    """Write our weights into PyTorch's attention."""
    parts = (ours.query.linear, ours.key.linear, ours.value.linear)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([p.weight for p in parts]))
        theirs.in_proj_bias.copy_(torch.cat([p.bias for p in parts]))
    theirs.out_proj.load_state_dict(ours.output.state_dict())


def torch_twin(ours: TransformerLayer, dtype: torch.dtype) -> nn.Module:
    """PyTorch's layer with our weights. The constructor arguments are the same for both kinds."""
    cross = ours.src_attn is not None
    kind = nn.TransformerDecoderLayer if cross else nn.TransformerEncoderLayer
    twin = kind(D, HEADS, FF, dropout=0.0, norm_first=True).to(dtype)
    copy_attention(ours.self_attn, twin.self_attn)
    norms = [ours.norm_self_attn, ours.norm_ff]
    if cross:
        copy_attention(ours.src_attn, twin.multihead_attn)
        norms.insert(1, ours.norm_src_attn)
    for n, norm in enumerate(norms, start=1):
        getattr(twin, f"norm{n}").load_state_dict(norm.state_dict())
    twin.linear1.load_state_dict(ours.feed_forward.layer1.state_dict())
    twin.linear2.load_state_dict(ours.feed_forward.layer2.state_dict())
    return twin


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("cross", [False, True], ids=["encoder", "decoder"])
def test_layer_equals_torch_norm_first(dtype: torch.dtype, cross: bool) -> None:
    """Outputs and gradients of inputs and feed-forward weights, with uneven lengths."""
    ours = make_layer(cross).to(dtype)
    shake(ours)
    twin = torch_twin(ours, dtype)
    x = torch.randn(5, 2, D, dtype=dtype, requires_grad=True)
    src = torch.randn(7, 2, D, dtype=dtype, requires_grad=True)
    x_twin, src_twin = (t.detach().clone().requires_grad_() for t in (x, src))
    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    if cross:
        padding = torch.rand(7, 2) > 0.3
        padding[0] = True
        out = ours(x=x, mask=causal, src=src, src_mask=padding[None])
        out_twin = twin(x_twin, src_twin, tgt_mask=~causal, memory_key_padding_mask=~padding.T)
    else:
        out = ours(x=x, mask=causal)
        out_twin = twin(x_twin, src_mask=~causal)
    close(out, out_twin)
    out.pow(2).sum().backward()
    out_twin.pow(2).sum().backward()
    # The sum of squares is far from 1, so gradients are compared in units of their size.
    for a, b in [(x, x_twin), (ours.feed_forward.layer1.weight, twin.linear1.weight)] + (
        [(src, src_twin)] if cross else []
    ):
        close(a.grad / b.grad.abs().max(), b.grad / b.grad.abs().max())


def test_encoder_equals_torch() -> None:
    """The stack and the last normalisation."""
    ours = Encoder(make_layer(), 3).double()
    shake(ours)
    twin = nn.TransformerEncoder(
        nn.TransformerEncoderLayer(D, HEADS, FF, dropout=0.0, norm_first=True),
        3,
        norm=nn.LayerNorm(D),
        enable_nested_tensor=False,
    ).double()
    twin.layers = nn.ModuleList(torch_twin(layer, torch.float64) for layer in ours.layers)
    twin.norm.load_state_dict(ours.norm.state_dict())
    x = torch.randn(5, 2, D, dtype=torch.float64)
    close(ours(x), twin(x))


def test_decoder_equals_torch() -> None:
    """Every layer reads the same memory."""
    ours = Decoder(make_layer(cross=True), 2).double()
    shake(ours)
    twin = nn.TransformerDecoder(
        nn.TransformerDecoderLayer(D, HEADS, FF, dropout=0.0, norm_first=True),
        2,
        norm=nn.LayerNorm(D),
    ).double()
    twin.layers = nn.ModuleList(torch_twin(layer, torch.float64) for layer in ours.layers)
    twin.norm.load_state_dict(ours.norm.state_dict())
    x, memory = torch.randn(5, 2, D).double(), torch.randn(7, 2, D).double()
    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    close(ours(x, memory, tgt_mask=causal), twin(x, memory, tgt_mask=~causal))


@pytest.mark.parametrize("cross", [False, True], ids=["W-MOD-14-encoder", "W-MOD-14-decoder"])
def test_w_mod_14_the_residual_path_is_untouched(cross: bool) -> None:
    """With all output maps at zero the layer returns its input, bit by bit."""
    layer = make_layer(cross)
    maps = [layer.self_attn.output, layer.feed_forward.layer2]
    if cross:
        maps.append(layer.src_attn.output)
    with torch.no_grad():
        for m in maps:
            m.weight.zero_()
            m.bias.zero_()
    x, src = torch.randn(5, 2, D), torch.randn(7, 2, D)
    assert torch.equal(layer(x=x, mask=None, src=src if cross else None), x)


def test_source_must_fit_the_layer() -> None:
    """Neither a forgotten source nor one that nobody reads passes in silence."""
    x, src = torch.randn(5, 2, D), torch.randn(7, 2, D)
    with pytest.raises(ValueError, match="src was not given"):
        make_layer(cross=True)(x=x)
    with pytest.raises(ValueError, match="no source attention"):
        make_layer(cross=False)(x=x, src=src)


# Stacks


@pytest.mark.parametrize("kind", ["vanilla", "relative"])
def test_layers_begin_with_different_weights(kind: str) -> None:
    """Every matrix differs between any two layers, and the given layer is the first."""
    layer = make_layer()
    if kind == "relative":
        layer.self_attn = RelativeMultiHeadAttention(HEADS, D, max_len=6)
    before = {n: p.clone() for n, p in layer.named_parameters()}
    encoder = Encoder(layer, 3)
    assert encoder.layers[0] is layer
    for name, p in layer.named_parameters():
        assert torch.equal(p, before[name])
    for name, _ in layer.named_parameters():
        values = [dict(each.named_parameters())[name] for each in encoder.layers]
        if "norm" in name or name.endswith(("key_pos_bias", "query_pos_bias")):
            continue
        for i in range(3):
            for j in range(i):
                assert not torch.equal(values[i], values[j]), name


def test_copies_draw_from_the_same_distribution() -> None:
    """The relative table of a copy is drawn by the module's own rule, not by a general one."""
    module = RelativeMultiHeadAttention(4, 32, max_len=64)
    copied = stack(module, 2)[1]
    assert copied.key_pos_embeddings.std().item() == pytest.approx(0.02, rel=0.1)
    assert (copied.key_pos_bias == 0).all()
    embeddings = stack(EmbeddingsWithPositionalEncoding(64, 100), 2)[1]
    assert embeddings.embeddings.weight.std().item() == pytest.approx(1 / 8, rel=0.1)


class Bare(nn.Module):
    """A module that owns a parameter and cannot draw it anew."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(2))


def test_a_part_that_cannot_draw_anew_is_refused() -> None:
    """Better than layers that begin equal without anyone knowing."""
    with pytest.raises(ValueError, match=r"Bare needs a method reset_parameters.*3 layers"):
        stack(nn.Sequential(Bare()), 3)
    assert len(stack(nn.Sequential(Bare()), 1)) == 1


def test_there_must_be_a_layer() -> None:
    """The message names the number."""
    with pytest.raises(ValueError, match="n_layers is 0"):
        Encoder(make_layer(), 0)


# Embeddings


def test_fixed_positions() -> None:
    """Embedding times the root of d_model, plus the sinusoid."""
    module = EmbeddingsWithPositionalEncoding(D, VOCAB, max_len=9, dropout_prob=0.0)
    tokens = torch.randint(VOCAB, (5, 3))
    expected = module.embeddings.weight[tokens] * math.sqrt(D)
    expected = expected + module.positions.positional_encodings[:5]
    torch.testing.assert_close(module(tokens), expected)
    assert module(tokens).shape == (5, 3, D)
    assert list(module.state_dict()) == ["embeddings.weight"]


def test_learned_positions() -> None:
    """Both tables are summed and multiplied by the root of d_model."""
    module = EmbeddingsWithLearnedPositionalEncoding(D, VOCAB, max_len=9, dropout_prob=0.0)
    tokens = torch.randint(VOCAB, (5, 3))
    expected = torch.stack(
        [
            (module.embeddings.weight[tokens[t]] + module.positional_encodings[t]) * math.sqrt(D)
            for t in range(5)
        ]
    )
    torch.testing.assert_close(module(tokens), expected)


@pytest.mark.parametrize(
    "kind", [EmbeddingsWithPositionalEncoding, EmbeddingsWithLearnedPositionalEncoding]
)
def test_tokens_do_not_drown_positions(kind: Callable[..., nn.Module]) -> None:
    """Scaled tokens begin with a standard deviation of 1, positions with 0.7 or 1."""
    module = kind(512, 200, max_len=100, dropout_prob=0.0)
    tokens = module.embeddings.weight * module.scale
    assert tokens.std().item() == pytest.approx(1, rel=0.05)
    if kind is EmbeddingsWithPositionalEncoding:
        # The root mean square of sines and cosines, as told on the page.
        table = module.positions.positional_encodings
        assert table.pow(2).mean().sqrt().item() == pytest.approx(0.7, abs=0.02)
        # And what the default of `nn.Embedding` would have given.
        drowned = nn.Embedding(200, 512).weight * module.scale
        assert drowned.std().item() == pytest.approx(23, abs=1)
    else:
        positions = module.positional_encodings * module.scale
        assert positions.std().item() == pytest.approx(1, rel=0.05)


@pytest.mark.parametrize(
    "kind", [EmbeddingsWithPositionalEncoding, EmbeddingsWithLearnedPositionalEncoding]
)
def test_too_long_a_sequence(kind: Callable[..., nn.Module]) -> None:
    """Both numbers are named, also where a table of length 1 could broadcast."""
    for max_len in (1, 4):
        with pytest.raises(ValueError, match=f"length 7.*max_len={max_len}"):
            kind(D, VOCAB, max_len=max_len)(torch.zeros(7, 2, dtype=torch.long))


@pytest.mark.parametrize(
    "kind",
    [EmbeddingsWithPositionalEncoding, EmbeddingsWithLearnedPositionalEncoding],
    ids=["W-MOD-18-fixed", "W-MOD-18-learned"],
)
def test_w_mod_18_every_parameter_learns_and_order_counts(kind: Callable[..., nn.Module]) -> None:
    """Swapping two source tokens changes the logits; every parameter gets a gradient."""
    model = make_model(kind)
    src, tgt = torch.randint(VOCAB, (6, 2)), torch.randint(VOCAB, (4, 2))
    src[0], src[3] = 1, 2
    logits = model(src, tgt)
    logits.pow(2).sum().backward()
    for name, p in model.named_parameters():
        assert p.grad is not None, name
        assert torch.isfinite(p.grad).all(), name
        # Softmax does not see a bias of the keys; all others matter.
        assert p.grad.abs().max() > 0 or "key.linear.bias" in name, name
    swapped = src[[3, 1, 2, 0, 4, 5]]
    assert not torch.allclose(model(swapped, tgt), logits, atol=1e-5)


def test_without_positions_order_would_not_count() -> None:
    """The control of the test above: without positions the swap changes nothing."""
    encoder = Encoder(make_layer(), 2).double()
    x = torch.randn(6, 2, D, dtype=torch.float64)
    order = [3, 1, 2, 0, 4, 5]
    close(encoder(x[order]), encoder(x)[order])


# The whole model


def test_w_mod_15_shapes_of_the_model() -> None:
    """Source, target, batch and vocabulary all differ in size."""
    model = make_model()
    src, tgt = torch.randint(VOCAB, (6, 3)), torch.randint(VOCAB, (4, 3))
    src_mask = torch.ones(1, 6, 3, dtype=torch.bool)
    tgt_mask = torch.ones(4, 4, 1, dtype=torch.bool).tril()
    memory = model.encode(src, src_mask)
    assert memory.shape == (6, 3, D)
    vectors = model.decode(memory, tgt, src_mask, tgt_mask)
    assert vectors.shape == (4, 3, D)
    logits = model(src, tgt, src_mask, tgt_mask)
    assert logits.shape == (4, 3, VOCAB)
    assert torch.equal(logits, model.generator(vectors))


def test_generator_gives_logits() -> None:
    """They are not normalised, as the page says."""
    logits = Generator(VOCAB, D)(torch.randn(5, 2, D))
    assert (logits.exp().sum(-1) - 1).abs().min() > 0.1


def test_padding_of_the_source_is_not_seen() -> None:
    """A padded source gives the logits of the short one."""
    model = make_model().double()
    src, tgt = torch.randint(VOCAB, (6, 2)), torch.randint(VOCAB, (4, 2))
    mask = torch.ones(1, 6, 2, dtype=torch.bool)
    mask[:, 4:] = False
    close(model(src, tgt, mask), model(src[:4], tgt))


def test_the_future_of_the_target_is_not_seen() -> None:
    """Changing target token 2 changes nothing before it, bit by bit."""
    model = make_model()
    src, tgt = torch.randint(VOCAB, (6, 2)), torch.randint(VOCAB, (4, 2))
    causal = torch.ones(4, 4, dtype=torch.bool).tril()
    before = model(src, tgt, tgt_mask=causal)
    tgt[2] = (tgt[2] + 1) % VOCAB
    after = model(src, tgt, tgt_mask=causal)
    assert torch.equal(before[:2], after[:2])
    assert not torch.equal(before[2:], after[2:])


def test_w_mod_13_dropout_of_the_model() -> None:
    """Equal in evaluation, different in training."""
    model = make_model(dropout=0.5)
    src, tgt = torch.randint(VOCAB, (6, 2)), torch.randint(VOCAB, (4, 2))
    assert not torch.equal(model(src, tgt), model(src, tgt))
    model.eval()
    assert torch.equal(model(src, tgt), model(src, tgt))


def test_w_mod_13_dropout_of_the_layer_is_on_the_branch() -> None:
    """With everything a sub-layer adds dropped, the input passes as it is."""
    layer = make_layer()
    layer.dropout.p = 1.0
    x = torch.randn(5, 2, D)
    assert torch.equal(layer(x=x), x)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=lambda t: f"W-MOD-11-{t}")
def test_w_mod_11_half_precision_all_the_way(dtype: torch.dtype) -> None:
    """Type in, type out, and finite."""
    model = make_model().to(dtype)
    causal = torch.ones(4, 4, dtype=torch.bool).tril()
    logits = model(torch.randint(VOCAB, (6, 2)), torch.randint(VOCAB, (4, 2)), tgt_mask=causal)
    assert logits.dtype == dtype
    assert torch.isfinite(logits).all()


def test_state_dict_loads_back() -> None:
    """Through a file, into a model with another `max_len`."""
    one = make_model()
    two = make_model()
    two.src_embed = EmbeddingsWithPositionalEncoding(D, VOCAB, max_len=50, dropout_prob=0.0)
    file = io.BytesIO()
    torch.save(one.state_dict(), file)
    file.seek(0)
    two.load_state_dict(torch.load(file, weights_only=True))
    src, tgt = torch.randint(VOCAB, (6, 2)), torch.randint(VOCAB, (4, 2))
    assert torch.equal(one(src, tgt), two(src, tgt))


def test_compiles_as_one_graph() -> None:
    """The whole model with both masks."""
    model = make_model()
    src, tgt = torch.randint(VOCAB, (6, 2)), torch.randint(VOCAB, (4, 2))
    masks = torch.ones(1, 6, 2, dtype=torch.bool), torch.ones(4, 4, dtype=torch.bool).tril()
    compiled = torch.compile(model, fullgraph=True, backend="eager")
    torch.testing.assert_close(compiled(src, tgt, *masks), model(src, tgt, *masks))
