"""
Around the models: label smoothing against PyTorch's, warm-up against the formula, greedy decoding
against a loop over single items, the task of encoder and decoder, and figures as data.
"""

import json
import math
from dataclasses import asdict

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from labml_nn import figures
from labml_nn.figures import HeatMap, Lines
from labml_nn.transformers import experiment, positional_encoding, warmup
from labml_nn.transformers.experiment import END, START, Reverse
from labml_nn.transformers.greedy import greedy_decode
from labml_nn.transformers.label_smoothing import LabelSmoothingLoss
from labml_nn.transformers.masks import causal_mask, padding_mask
from labml_nn.transformers.models import EncoderDecoder

# Label smoothing


@settings(deadline=None, derandomize=True, max_examples=40)
@given(
    smoothing=st.floats(0, 1),
    vocabulary=st.integers(1, 6),
    shape=st.lists(st.integers(1, 4), min_size=1, max_size=3),
    padding=st.sampled_from([None, 0, -100]),
)
def test_label_smoothing_equals_pytorchs(
    smoothing: float, vocabulary: int, shape: list[int], padding: int | None
) -> None:
    """Values and gradients, with and without places that do not count."""
    torch.manual_seed(1)
    target = torch.randint(vocabulary, shape)
    if padding is not None:
        target = torch.where(torch.rand(shape) < 0.4, padding, target)
        target.view(-1)[0] = vocabulary - 1
    if padding is not None and bool((target == padding).all()):
        return
    results = []
    for ours in (True, False):
        logits = torch.linspace(-3, 3, target.numel() * vocabulary, dtype=torch.float64)
        logits = logits.sin().reshape(*shape, vocabulary).requires_grad_()
        if ours:
            loss = LabelSmoothingLoss(smoothing, padding)(logits, target)
        else:
            loss = nn.functional.cross_entropy(
                logits.flatten(0, -2),
                target.flatten(),
                label_smoothing=smoothing,
                ignore_index=-1 if padding is None else padding,
            )
        loss.backward()
        results.append((loss.detach(), logits.grad))
    for a, b in zip(*results, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-12, atol=1e-12)


def test_label_smoothing_finds_its_best_answer() -> None:
    """The smoothed target itself, whose loss is its entropy; nothing is NaN on the way."""
    target = torch.full((10,), 0.01, dtype=torch.float64)
    target[3] = 0.91
    loss = LabelSmoothingLoss(0.1)
    best = loss(target.log().unsqueeze(0), torch.tensor([3]))
    assert best.item() == pytest.approx(-(target * target.log()).sum().item())
    logits = torch.full((1, 10), -1e4).index_fill(1, torch.tensor([3]), 1e4)
    assert loss(logits, torch.tensor([3])).isfinite()
    assert math.log(91) == pytest.approx(4.5, abs=0.05)


def test_label_smoothing_without_anything_that_counts() -> None:
    logits = torch.randn(3, 4, requires_grad=True)
    loss = LabelSmoothingLoss(padding=0)(logits, torch.zeros(3, dtype=torch.long))
    loss.backward()
    assert loss.item() == 0
    assert logits.grad is not None
    assert not logits.grad.any()


def test_label_smoothing_refuses() -> None:
    with pytest.raises(ValueError, match=r"1\.5"):
        LabelSmoothingLoss(1.5)
    with pytest.raises(ValueError, match=r"\[5, 4\].*\[4, 5\]"):
        LabelSmoothingLoss()(torch.randn(5, 4, 3), torch.zeros(4, 5, dtype=torch.long))


# Warm-up


def test_rate_is_the_formula_and_peaks_at_the_end_of_the_warm_up() -> None:
    rates = [warmup.rate(n, 512, 40) for n in range(1, 200)]
    for n, value in enumerate(rates, start=1):
        assert value == pytest.approx(512**-0.5 * min(1 / math.sqrt(n), n / 40**1.5))
    assert rates.index(max(rates)) + 1 == 40
    assert max(rates) == pytest.approx((512 * 40) ** -0.5)
    assert warmup.rate(4000, 512, 4000) == pytest.approx(0.0007, abs=2e-6)
    with pytest.raises(ValueError, match="0"):
        warmup.rate(0, 512, 4000)


def test_the_schedule_sets_the_rate_of_each_step() -> None:
    """The very first step has the rate of step 1, and a loaded schedule goes on where it was."""
    weight = nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([weight], lr=2.0)
    schedule = warmup.warm_up(optimizer, d_model=16, warmup=3)
    for n in range(1, 7):
        assert optimizer.param_groups[0]["lr"] == pytest.approx(2 * warmup.rate(n, 16, 3))
        optimizer.step()
        schedule.step()
    assert schedule.state_dict()["last_epoch"] == 6


# Greedy decoding


def loop(model: EncoderDecoder, src: Tensor, max_len: int) -> list[int]:
    """One item, one token at a time, from the logits of the whole model."""
    written = [START]
    while len(written) <= max_len:
        tgt = torch.tensor(written).unsqueeze(1)
        logits = model(src, tgt, tgt_mask=causal_mask(len(written)))
        written.append(int(logits[-1, 0].argmax()))
        if written[-1] == END:
            break
    return written[1:]


def test_greedy_equals_a_loop_over_items() -> None:
    """Items of a batch that end at different times, one of which never ends."""
    ends = set()
    for seed in range(8):
        torch.manual_seed(seed)
        model = Reverse().eval().model
        with torch.no_grad():
            model.generator.projection.weight.normal_()
            model.generator.projection.bias[END] += 4.0
        src = torch.randint(2, 12, (5, 6))
        out = greedy_decode(model, src, start=START, end=END, max_len=7)
        for item in range(6):
            expected = loop(model, src[:, item : item + 1], 7)
            ends.add(len(expected) if expected[-1] == END else None)
            filled = expected + [END] * (len(out) - len(expected))
            assert out[:, item].tolist() == filled
    assert len(ends) > 2


def test_greedy_hides_the_padding_of_the_source() -> None:
    torch.manual_seed(1)
    model = Reverse().eval().model
    src = torch.randint(2, 11, (5, 3))
    padded = torch.cat([src, torch.full((3, 3), 11)])
    expected = greedy_decode(model, src, start=START, end=END, max_len=6)
    actual = greedy_decode(
        model, padded, start=START, end=END, max_len=6, src_mask=padding_mask(padded, 11)
    )
    assert torch.equal(actual, expected)


def test_greedy_refuses_dropout_and_keeps_no_graph() -> None:
    model = Reverse().model
    with pytest.raises(ValueError, match="eval"):
        greedy_decode(model, torch.tensor([[3]]), start=START, end=END, max_len=2)


# The task


def test_reversal_is_learned_completely() -> None:
    """Every one of 500 new sequences, and the attention runs from the end to the beginning."""
    torch.manual_seed(1)
    task = Reverse()
    losses = experiment.run("reverse", task, 150)
    assert losses[-1] == pytest.approx(0.53, abs=0.03)
    assert experiment.accuracy(task) == 1.0
    assert experiment.where_it_looks(task)[:10].argmax(dim=1).tolist() == list(range(9, -1, -1))


def test_the_decoder_is_asked_for_the_next_token() -> None:
    """No token of the target is asked for where it was already given."""
    task = Reverse()
    seen = {}

    def look(module: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        seen["asked"] = inputs[1]

    task.loss.register_forward_pre_hook(look)
    task(torch.arange(2, 12).unsqueeze(1))
    assert seen["asked"].flatten().tolist() == [*range(11, 1, -1), END]


# Figures


def test_figures_are_plain_numbers() -> None:
    """They can be written as JSON and are the same each time."""
    made = {**warmup.figures(), **positional_encoding.figures(), **experiment.figures(steps=2)}
    text = json.dumps({name: asdict(figure) for name, figure in made.items()}, allow_nan=False)
    again = {**warmup.figures(), **positional_encoding.figures(), **experiment.figures(steps=2)}
    assert json.dumps({name: asdict(figure) for name, figure in again.items()}) == text
    for figure in made.values():
        assert figure.title.endswith(".")
        if isinstance(figure, HeatMap):
            assert len({len(row) for row in figure.values}) == 1
        if isinstance(figure, Lines):
            assert all(figure.series.values())


def test_curve_is_the_mean_of_each_stretch() -> None:
    assert figures.curve([1.0, 3.0, 5.0, 7.0, 9.0], every=2) == [(2, 2), (4, 6), (5, 9)]
    assert figures.curve([]) == []
