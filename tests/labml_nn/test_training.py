"""
The training loop: one process and two, with and without a kill, on a terminal and in a file.

The experiment of Transformer-XL stands for all experiments; they share the loop.
"""

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from labml_nn.training import Place, Progress, processes, share, train
from labml_nn.transformers.xl import experiment

ROOT = Path(__file__).parents[2]
MODULE = "labml_nn.transformers.xl.experiment"
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}


def losses_of(folder: Path, name: str = "memory") -> list[float]:
    """The losses of each step, from the checkpoint of one run."""
    return torch.load(folder / f"{name}.pt", weights_only=True)["losses"]


def test_two_processes_equal_one_with_the_same_batch(tmp_path: Path) -> None:
    """`torchrun` with two CPU processes and Gloo, the command unchanged."""
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    command += ["--nproc-per-node", "2", "-m", MODULE]
    command += ["--steps", "2", "--checkpoints", str(tmp_path)]
    done = subprocess.run(
        command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, timeout=180
    )
    assert done.returncode == 0, done.stderr
    # Only one of the two processes reports.
    assert done.stdout.count("chance: 2.1") == 1

    for name, memory_length, attention in experiment.RUNS:
        torch.manual_seed(1)
        alone = experiment.run(name, experiment.Recall(memory_length, attention), 2)
        assert losses_of(tmp_path, name) == pytest.approx(alone, rel=1e-5), name


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    """Killed at its first checkpoint without warning, then started again by the same command."""
    code = f"""
import labml_nn.training as training
import {MODULE} as experiment
def slow_save(state, path, save=training.save):
    save(state, path)
    if len(state["losses"]) == 4:
        print("saved", flush=True)
        import time; time.sleep(60)
training.save = slow_save
training.train.__kwdefaults__["save_every"] = 2
import torch
torch.manual_seed(1)
from pathlib import Path
experiment.run("memory", experiment.Recall(16), 7, folder=Path({str(tmp_path)!r}))
"""
    first = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True
    )
    assert first.stdout is not None
    assert first.stdout.readline() == "saved\n"
    first.send_signal(signal.SIGKILL)
    first.wait()
    first.stdout.close()
    assert len(losses_of(tmp_path)) == 4

    # The same in this process: once to the end of what was begun, once undisturbed.
    torch.manual_seed(1)
    resumed = experiment.run("memory", experiment.Recall(16), 7, folder=tmp_path)
    torch.manual_seed(1)
    undisturbed = experiment.run("memory", experiment.Recall(16), 7)
    assert resumed == undisturbed
    assert losses_of(tmp_path) == undisturbed


class Noisy(nn.Module):
    """A task with dropout, so that a wrong state of the random generator shows."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 1)
        self.dropout = nn.Dropout(0.5)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(self.dropout(x.t())).square().mean()


def noise(generator: torch.Generator) -> list[Tensor]:
    return [torch.randn(3, 8, generator=generator)]


def run_noisy(steps: int, checkpoint: Path | None = None, seed: int = 0) -> list[float]:
    torch.manual_seed(1)
    task = Noisy()
    optimizer = torch.optim.Adam(task.parameters(), lr=0.01)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    return train(
        task, noise, steps=steps, optimizer=optimizer, schedule=schedule, checkpoint=checkpoint,
        seed=seed,
    )  # fmt: skip


def test_dropout_and_schedule_resume_too(tmp_path: Path) -> None:
    whole = run_noisy(8)
    assert run_noisy(3, tmp_path / "run.pt") == whole[:3]
    assert run_noisy(8, tmp_path / "run.pt") == whole
    # All is done: nothing is trained, and the losses are still told.
    assert run_noisy(8, tmp_path / "run.pt") == whole
    assert run_noisy(8, seed=1) != whole


def test_a_kill_during_writing_leaves_the_old_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run_noisy(6)
    run_noisy(3, tmp_path / "run.pt")

    def half(state: object, path: Path) -> None:
        Path(path).write_bytes(b"half a checkp")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(torch, "save", half)
        with pytest.raises(KeyboardInterrupt):
            run_noisy(6, tmp_path / "run.pt")
    assert run_noisy(6, tmp_path / "run.pt") == whole


def test_shares_divide_the_batch() -> None:
    """Together the shares are the batch, and an uneven one is refused."""
    batch = [torch.arange(12).reshape(2, 6), torch.arange(6)]
    shares = [share(batch, Place(rank, 3)) for rank in range(3)]
    for whole, parts in zip(batch, zip(*shares, strict=True), strict=True):
        assert torch.equal(torch.cat(parts, dim=-1), whole)
    with pytest.raises(ValueError, match="6 cannot be shared evenly by 4"):
        share(batch, Place(0, 4))


def test_without_torchrun_there_is_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RANK", raising=False)
    with processes() as place:
        assert (place.rank, place.world) == (0, 1)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, written over itself, with the time that is left."""
    clock = iter(range(100))
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    terminal = Terminal()
    progress = Progress("recall", 4, terminal)
    for step in (1, 2, 3, 4):
        progress.show(step, 2.0 / step)
    text = terminal.getvalue()
    assert text.count("\n") == 1
    assert text.endswith("\n")
    lines = [line.strip() for line in text.split("\r")]
    assert lines[2] == "recall: step 2/4  loss 1.0000  2 s left"
    assert lines[4] == "recall: step 4/4  loss 0.5000  0 s left"


def test_no_progress_in_a_file() -> None:
    file = io.StringIO()
    progress = Progress("recall", 1, file)
    progress.show(1, 2.0)
    assert file.getvalue() == ""
