"""
What the notes of labml_nn state of sizes, memory and matrices, each with the way to compute it, as
`stated_tasks.py` explains.
"""

import math
import re
from collections.abc import Callable
from unittest import mock

import torch
from torch import Tensor, nn

from labml_nn.transformers.fast_mha import FastMultiHeadAttention
from labml_nn.transformers.feed_forward import FeedForward
from labml_nn.transformers.masks import causal_mask
from labml_nn.transformers.mha import MultiHeadAttention
from labml_nn.transformers.positional_encoding import get_positional_encoding
from labml_nn.transformers.self_attention.narrow import parameter_counts
from labml_nn.transformers.self_attention.wide import WideSelfAttention
from labml_nn.transformers.xl import fast_relative_mha
from labml_nn.transformers.xl.relative_mha import RelativeMultiHeadAttention, shift_right
from tests.labml_nn.stated_tasks import holds, shown

ORDINALS = ("zeroth", "first", "second", "third", "fourth", "fifth")
COUNTS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")


def tex(rows: Tensor) -> str:
    """A matrix as the notes write it."""
    cells = " \\\\ ".join(" & ".join(map(str, row)) for row in rows.int().tolist())
    return rf"\begin{{bmatrix}} {cells} \end{{bmatrix}}"


def parameters(module: nn.Module) -> int:
    """How many numbers are learned."""
    return sum(p.numel() for p in module.parameters())


# What training keeps


def kept(attention: type[MultiHeadAttention], *, mask: bool, dropout: float) -> str:
    """How many tensors of the size of the weights training keeps until the backward pass."""
    module = attention(2, 8, dropout_prob=dropout)
    found: dict[int, Tensor] = {}

    def keep(saved: Tensor) -> Tensor:
        if saved.numel() == 3 * 2 * 20 * 20:
            found[saved.untyped_storage().data_ptr()] = saved
        return saved

    x = torch.randn(20, 3, 8)
    with torch.autograd.graph.saved_tensors_hooks(keep, lambda saved: saved):
        module(query=x, key=x, value=x, mask=causal_mask(20) if mask else None)
    return COUNTS[len(found)]


def kept_without() -> str:
    count = kept(MultiHeadAttention, mask=False, dropout=0.0)
    return f"without mask and dropout {count}, the result of the softmax"


def kept_with_mask() -> str:
    return f"with a mask {kept(MultiHeadAttention, mask=True, dropout=0.0)}, the result"


def kept_with_dropout() -> str:
    counts = {kept(MultiHeadAttention, mask=mask, dropout=0.1) for mask in (True, False)}
    return f"with dropout {' or '.join(counts)}, whether there is a mask or not"


def kept_when_fused() -> str:
    none = [kept(FastMultiHeadAttention, mask=mask, dropout=0.0) for mask in (True, False)]
    step = [kept(FastMultiHeadAttention, mask=mask, dropout=0.1) for mask in (True, False)]
    words = "With dropout in training it goes step by step, and keeps the same three tensors"
    return holds(words, none == ["none", "none"] and step == ["three", "three"])


def size_of_scores() -> str:
    numbers = (
        MultiHeadAttention(8, 16)
        .attention_weights(query=torch.zeros(512, 8, 16), key=torch.zeros(512, 8, 16))
        .numel()
    )
    return f"such a tensor has {numbers / 1e6:.1f} million numbers, {numbers * 4 / 1e6:.0f} mega"


# Sizes


def spread() -> str:
    """The claim is about many draws; the printed table has 8.04."""
    deviation = float(re.findall(r" 64 +([\d.]+)", shown("transformers/mha"))[0])
    return f"which is {deviation:.0f} for 64 features"


def default_embedding() -> str:
    deviation = nn.Embedding(1000, 512).weight.std().item() * math.sqrt(512)
    return f"about {deviation:.0f} with the 512 features"


def size_of_encoding() -> str:
    root = get_positional_encoding(512).square().mean().sqrt().item()
    return rf"the root mean square of its features is $1 / \sqrt 2 \approx {root:.1f}$"


def slowest_hand() -> str:
    # The last hand has hardly moved from one position to the next; its sine is the angle.
    angle = get_positional_encoding(512)[100, 0, -2].double().asin().item() / 100
    turn = f"{round(2 * math.pi / angle, -2):,.0f}".replace(",", "{,}")
    return (
        rf"With 512 features the last one needs $2 \pi \cdot 10000^{{510 / 512}} \approx {turn}$"
        " tokens"
    )


def late_angle() -> str:
    rate = 10000.0 ** (-torch.arange(0, 512, 2) / 512)
    single = torch.outer(torch.arange(5000.0), rate).sin()
    wrong = (single - get_positional_encoding(512)[:, 0, ::2]).abs().max().item()
    return f"wrong in the {ORDINALS[math.ceil(-math.log10(wrong))]} decimal place"


def share_of_feed_forward() -> str:
    here = sum(p.numel() for p in FeedForward(512, 2048).parameters() if p.dim() == 2)
    beside = sum(p.numel() for p in MultiHeadAttention(8, 512).parameters() if p.dim() == 2)
    return holds("so two thirds of them are here", here / (here + beside) == 2 / 3)


def heads(kind: str) -> tuple[int, int]:
    counts = parameter_counts(128, 8)[kind]
    return int(counts["queries, keys, values"]), int(sum(counts.values()))


def row(kind: str, features: str, matrices: str) -> Callable[[], str]:
    def compute() -> str:
        maps, total = heads(kind)
        return f"| {kind} | {features} | {matrices} | {maps // 3:,} | {total:,} |"

    return compute


def narrow_maps() -> str:
    maps, total = heads("narrow")
    return f"Of the {total:,}, all but {maps} belong to the last map"


def narrow_caption() -> str:
    wide, usual, narrow = (heads(kind)[1] for kind in ("wide", "usual", "narrow"))
    words = "Usual heads have an eighth of the parameters of wide ones, narrow heads a thirtieth."
    return holds(words, (round(wide / usual), round(wide / narrow)) == (8, 30))


def wide_heads() -> str:
    d, h = 24, 4
    usual = 3 * parameters(MultiHeadAttention(h, d, bias=False).query)
    wide = sum(parameters(WideSelfAttention(d, h).get_submodule(n)) for n in ("query", "key"))
    words = "So its $h$ heads together have $3 d^2$ numbers in these matrices"
    return holds(words, usual == 3 * d * d and wide == 2 * h * d * d)


def numbers_for_distances() -> str:
    heads, d_model, most = 4, 24, 10
    made = RelativeMultiHeadAttention(heads, d_model, max_len=most)
    count = made.key_pos_embeddings.numel() + made.key_pos_bias.numel()
    return holds(r"$2 P (d_\text{model} + h)$ numbers", count == 2 * most * (d_model + heads))


# Matrices


def line_of_the_shift() -> str:
    """The line that `shift_right` writes, as written and cut anew by hand."""
    x = torch.arange(1, 10).view(3, 3)
    line = nn.functional.pad(x, (0, 1)).flatten().tolist()
    written, parts = ([line[at : at + n] for at in range(0, 12, n)] for n in (4, 3))
    assert parts[:3] == shift_right(x).tolist()
    return " ".join(" | ".join(" ".join(map(str, p)) for p in cut) for cut in (written, parts))


def shifted_matrix() -> str:
    x = torch.arange(1, 10).view(3, 3)
    return rf"$${tex(x)} \longrightarrow {tex(shift_right(x))}$$"


def causal_example() -> str:
    """The cells as the page has them, with a dot in the future."""
    before = torch.arange(-3, 1).repeat(2, 1)
    after = tex(fast_relative_mha.causal_shift(before)).replace("-3", r"\cdot")
    line = before.flatten()[2:].tolist()
    middle = r"-3\;-2\;\mid\;{}\quad {}\;{}\;\mid\;{}\;{}\quad {}".format(*line)
    return rf"$${tex(before)} \;\to\; {middle} \;\to\; {after}$$"


def work_in_blocks() -> str:
    done = []

    def count(
        x: Tensor, shift: Callable[[Tensor], Tensor] = fast_relative_mha.causal_shift
    ) -> Tensor:
        done.append(x.shape[-2] * (x.shape[-1] - 1))
        return shift(x)

    attention = fast_relative_mha.CausalRelativeMultiHeadAttention(2, 8, max_len=64, block=16)
    x = torch.zeros(64, 1, 8)
    with mock.patch.object(fast_relative_mha, "causal_shift", count):
        attention(query=x, key=x, value=x)
    words = "five eighths with four blocks, and never less than half"
    return holds(words, len(done) == 4 and sum(done) / 64**2 == 5 / 8)
