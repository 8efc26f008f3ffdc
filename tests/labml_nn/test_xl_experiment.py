"""The task that needs memory: chance without it, solved with it, and the mistake made visible."""

import math

import pytest
import torch

from labml_nn.figures import Bars, Figure, HeatMap, Lines
from labml_nn.transformers.xl import experiment
from labml_nn.transformers.xl.experiment import Recall, WrongEnd
from labml_nn.transformers.xl.relative_mha import RelativeMultiHeadAttention


@pytest.fixture(scope="module")
def drawn() -> dict[str, Figure]:
    """All three runs, short; one thread, so that every run sees the same numbers."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    figures = experiment.figures(steps=90)
    torch.set_num_threads(threads)
    return figures


def test_memory_decides(drawn: dict[str, Figure]) -> None:
    """ln 8 without memory, under 0.05 with it."""
    loss = drawn["loss"]
    assert isinstance(loss, Lines)
    assert loss.series["no memory"][-1][1] == pytest.approx(math.log(8), abs=0.05)
    assert loss.series["memory"][-1][1] < 0.05
    assert loss.series["memory"][-1][0] == 90


def test_a_longer_memory_holds_unless_counted_from_the_wrong_end(drawn: dict[str, Figure]) -> None:
    judged = drawn["longer memory"]
    assert isinstance(judged, Bars)
    assert max(judged.groups["memory"].values()) < 0.05
    assert judged.groups["wrong end"]["memory 16"] < 0.05
    assert judged.groups["wrong end"]["memory 24"] > math.log(8)


def test_it_looks_twelve_steps_back(drawn: dict[str, Figure]) -> None:
    """Query `i` stands at place 16 + i, so it looks at key 4 + i."""
    weights = drawn["delay diagonal"]
    assert isinstance(weights, HeatMap)
    values = torch.tensor(weights.values)
    assert values.shape == (8, 24)
    assert values.argmax(dim=1).tolist() == list(range(4, 12))
    assert values.diagonal(4).min() > 0.8


def test_the_answer_is_never_in_the_segment() -> None:
    """Without memory the loss does not depend on the symbols that hold the answers."""
    task = Recall(memory_length=0)
    (symbols,) = experiment.make_batch(torch.Generator().manual_seed(0))
    with torch.no_grad():
        losses = []
        for _ in range(2):
            # Logits of the last segment, with another past.
            symbols[:40] = torch.randint(8, (40, 32))
            x = task.transformer(task.embeddings(symbols[40:]), None)[0]
            losses.append(task.generator(x))
    assert torch.equal(*losses)


def test_the_mistake_is_one_of_memory_alone() -> None:
    """Without a memory, both ways to count are the same."""
    right = RelativeMultiHeadAttention(2, 8, max_len=12)
    wrong = WrongEnd(2, 8, max_len=12)
    with torch.no_grad():
        for p in right.parameters():
            p.normal_()
    wrong.load_state_dict(right.state_dict())
    query, key = torch.randn(4, 2, 2, 4), torch.randn(7, 2, 2, 4)
    torch.testing.assert_close(wrong.get_scores(query, query), right.get_scores(query, query))
    assert not torch.allclose(wrong.get_scores(query, key), right.get_scores(query, key), atol=0.1)
