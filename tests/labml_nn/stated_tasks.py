r"""
What the notes of labml_nn state of losses, rates and tokens, each with the way to compute it.

Every function here computes words of a page from the running code. `statements.py` says of which
page, where they must stand letter for letter. What a demonstration shows is taken from the stored
evidence, which a test compares with a fresh run.
"""

import io
import math
import re
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import torch

import labml_nn
from labml_nn import training
from labml_nn.transformers import experiment, warmup
from labml_nn.transformers.label_smoothing import LabelSmoothingLoss
from labml_nn.transformers.self_attention import experiment as marks
from labml_nn.transformers.xl import experiment as recall

PACKAGE = Path(labml_nn.__file__).parent


def shown(module: str) -> str:
    """What the demonstration of a module printed, without colours and with single spaces."""
    printed = (PACKAGE / f"{module}.evidence/output.txt").read_text(encoding="utf-8")
    return " ".join(re.sub(r"\x1b\[[0-9;]*m", "", printed).split())


def drawn(module: str, figure: str) -> str:
    """What the description of a stored figure says."""
    drawing = (PACKAGE / f"{module}.evidence/{figure}.svg").read_text(encoding="utf-8")
    return re.findall("<desc>(.*)</desc>", drawing)[0]


def holds(words: str, condition: bool) -> str:
    """The words, if they are true."""
    return words if condition else f"not true: {words}"


# Losses


def best_loss(words: str) -> Callable[[], str]:
    def compute() -> str:
        v = experiment.VOCABULARY
        target = torch.full((v,), 0.1 / v).index_add(0, torch.tensor([2]), torch.tensor([0.9]))
        loss = LabelSmoothingLoss(0.1)(target.log().unsqueeze(0), torch.tensor([2])).item()
        reached = float(drawn("transformers/experiment", "1-loss").rpartition(" ")[2])
        return words.format(loss=loss) if abs(reached - loss) < 0.01 else f"it was {reached}"

    return compute


def smoothed_gap(words: str) -> Callable[[], str]:
    def compute() -> str:
        logits = torch.zeros(10).index_fill(0, torch.tensor([3]), math.log(91)).requires_grad_()
        LabelSmoothingLoss(0.1)(logits.unsqueeze(0), torch.tensor([3])).backward()
        assert logits.grad is not None
        gap = math.log(91) if logits.grad.abs().max() < 1e-6 else math.nan
        return words + rf"$\ln 91 \approx {gap:.1f}$"

    return compute


def chance(kinds: int) -> Callable[[], str]:
    return lambda: rf"$$-\ln \tfrac1{kinds} = \ln {kinds} \approx {math.log(kinds):.3f}$$"


def recalled() -> str:
    loss = dict(
        part.split(": ") for part in drawn("transformers/xl/experiment", "1-loss").split("; ")
    )
    read = drawn("transformers/xl/experiment", "2-longer-memory")
    memory = [float(value) for value in re.findall(r"memory \d+ ([\d.]+)", read)]
    steps = recall.figures.__defaults__ or (0,)
    good = steps[0] <= 100 and float(loss["memory"].split()[-1]) < 0.05
    words = (
        "With memory it falls below 0.05 within a hundred steps, and stays there when the memory"
        " grows from 16 to 24."
    )
    return holds(words, good and max(memory[:2]) < 0.05 and len(memory) == 4)


def mistaken() -> str:
    wrong = float(drawn("transformers/xl/experiment", "2-longer-memory").rpartition(" ")[2])
    words = "read with the longer memory, the same model has a loss several times that of chance"
    return holds(words, wrong > 3 * math.log(8))


def stays_at_chance() -> str:
    last = float(
        re.findall(r"no memory: \S+ … ([\d.]+)", drawn("transformers/xl/experiment", "1-loss"))[0]
    )
    return holds("Without memory the loss stays at ln 8;", abs(last - math.log(8)) < 0.05)


def looked_at() -> str:
    weights = re.findall(r"first query: \[(.*)\]", shown("transformers/xl/experiment"))[0]
    values = [float(weight) for weight in weights.split(",")]
    place = values.index(max(values))
    words = f"The key at place {place} has nearly all the weight: the query stands at place"
    return f"{words} {place + recall.DELAY}, behind sixteen" if max(values) > 0.8 else "it has not"


def recall_memory() -> str:
    return f"A model that remembers {recall.RUNS[1][1]} vectors"


def recall_judged() -> str:
    return f"with its full memory, of up to {recall.JUDGED_FROM}"


# Rates and rhythms


def highest_rate() -> str:
    rates = {step: warmup.rate(step, 512, 4000) for step in range(1, 9000)}
    best = max(rates, key=rates.__getitem__)
    return rf"about {rates[best]:.4f} for $d_\text{{model}} = 512$ and {best} steps"


def default_warm_up() -> str:
    return f"the paper takes {(warmup.warm_up.__defaults__ or (0,))[0]}"


def warm_up_of_the_task() -> str:
    with mock.patch.object(experiment, "train") as train:
        experiment.run("reverse", experiment.Reverse(), 1)
    schedule = train.call_args.kwargs["schedule"]
    rates = [schedule.lr_lambdas[0](done) for done in range(200)]
    half = "half its rate" if schedule.base_lrs == [0.5] else "another rate"
    return f"{half}, and a warm-up of {rates.index(max(rates)) + 1} steps"


def rhythm_of_progress() -> str:
    terminal = io.StringIO()
    with mock.patch.object(terminal, "isatty", return_value=True):
        progress = training.Progress("a", 10_000, terminal)
    with mock.patch.object(training.time, "monotonic") as clock:
        for step in range(1000):
            clock.return_value = step / 128
            progress.show(step + 1, 1.0)
    return holds(
        "At most ten times a second", 9 < terminal.getvalue().count("\r") / (1000 / 128) <= 10
    )


# Tokens


def letters_of_reversal() -> str:
    (batch,) = experiment.make_batch(torch.Generator().manual_seed(0), size=500)
    low, high = int(batch.min()), int(batch.max())
    return f"ten letters from {low} to {high}" if high - low == 9 else "not ten"


def letters_between_marks() -> str:
    tokens, _ = marks.make_batch(torch.Generator().manual_seed(0), size=500)
    letters = tokens[tokens > marks.B]
    return f"ten letters from {letters.min()} to {letters.max()}"


def lengths_of_marks() -> str:
    tokens, _ = marks.make_batch(torch.Generator().manual_seed(0), size=500)
    lengths = (tokens != marks.PADDING).sum(0)
    return f"The lengths differ from {lengths.min()} to {lengths.max()}"


def moved_logits() -> str:
    moved = re.findall("True|False", shown("transformers/models")).index("True")
    return f"change target token {moved}, and see which logits move"


def padding_key() -> str:
    rows = re.findall(r"\[(\d[\d., ]+)\]", shown("transformers/masks").partition("item_1")[2])
    columns = zip(*([float(x) for x in row.strip(" ,").split(",")] for row in rows), strict=True)
    unseen = [number for number, column in enumerate(columns) if max(column) == 0]
    return f"In item 1 no query gives weight to key {', '.join(map(str, unseen))}, the padding"


def far_tokens() -> str:
    one, two = re.findall(r"from (\d+) on", shown("transformers/xl/model"))
    return (
        f"One layer shows it tokens from {one} on, the second layer reaches four further, to"
        f" token {two}."
    )


def zero_of_the_first_query() -> str:
    rows = shown("transformers/xl/relative_mha").rpartition("distances [ [")[2].partition("]")[0]
    key = [int(cell) for cell in rows.split(",")].index(0)
    return f"begins at key {key}, behind the memory"
