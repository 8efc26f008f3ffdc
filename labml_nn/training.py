r"""
---
title: A training loop
summary: Train on one process or many, survive a kill, and show how far it is, in one short loop.
---
# A training loop

The experiments of this library need very little from a training loop, but they need this little to
be right:

* **Many processes.** Started by `torchrun`, the same command trains on several processes, on one
  machine or more. Each process works on its share of every batch. The result is that of one
  process with the whole batch.
* **Resuming.** A run that was killed goes on from its last checkpoint, and ends with the numbers
  that it would have had undisturbed.
* **Progress.** On a terminal one line shows the step, the loss and the time that is left.

Two agreements make this short. A *task* is a module whose `forward` takes the tensors of a batch
and returns the loss. And everything random in step $n$, the batch and the dropout, depends on the
seed and on $n$ alone. Whoever knows $n$ can continue; no state of a random generator has to be
saved. An experiment on two processes is started like this:

    torchrun --nproc-per-node 2 -m labml_nn.transformers.xl.experiment
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler


@dataclass(frozen=True)
class Place:
    """
    ## Which process this is

    Process number `rank` of `world` processes that train together, and the device it uses. Most
    often there is one, `ALONE`.
    """

    rank: int = 0
    world: int = 1
    device: str = "cpu"


ALONE = Place()


@contextmanager
def processes() -> Iterator[Place]:
    """
    ## Join the other processes

    `torchrun` starts the processes and tells each of them its number in environment variables.
    Without these variables there is one process. GPUs talk to each other by NCCL, CPUs by Gloo.
    """
    cuda = torch.cuda.is_available()
    local = int(os.environ.get("LOCAL_RANK", "0"))
    device = f"cuda:{local}" if cuda else "cpu"
    if "RANK" not in os.environ:
        yield Place(device=device)
        return

    if cuda:
        torch.cuda.set_device(device)
    dist.init_process_group("nccl" if cuda else "gloo")
    try:
        yield Place(dist.get_rank(), dist.get_world_size(), device)
        # Process 0 may still be at work on its report; nobody leaves before it is done.
        dist.barrier()
    finally:
        dist.destroy_process_group()


class Progress:
    """
    ## Progress

    One line that is written over itself, on a terminal and nowhere else: in a log file such lines
    would pile up. `stream` is the terminal.
    """

    def __init__(self, name: str, steps: int, stream: TextIO | None = None) -> None:
        self.name = name
        self.steps = steps
        self.stream = sys.stderr if stream is None else stream
        self.shown = self.stream.isatty()
        self.start: tuple[int, float] | None = None
        self.last = float("-inf")

    def show(self, step: int, loss: float) -> None:
        """Tell that `step` steps are done. At most ten times a second something is written."""
        now = time.monotonic()
        if self.start is None:
            # The first step is slow, and after resuming it is not step 1. So the clock starts here.
            self.start = (step, now)
        if not self.shown or (now - self.last < 0.1 and step < self.steps):
            return
        self.last = now
        done = step - self.start[0]
        left = f"{(now - self.start[1]) / done * (self.steps - step):.0f} s left" if done else ""
        line = f"{self.name}: step {step}/{self.steps}  loss {loss:.4f}  {left}"
        self.stream.write(f"\r{line:78}" + ("\n" if step == self.steps else ""))
        self.stream.flush()


def save(state: dict[str, object], path: Path) -> None:
    """
    ## Write a checkpoint

    A kill may come while the file is being written. So it is written under another name first.
    Renaming it is atomic, which means that it happens as a whole or not at all: under the name of
    the checkpoint there is always a complete file, the old one or the new one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    torch.save(state, unfinished)
    os.replace(unfinished, path)


def share(batch: Sequence[Tensor], place: Place) -> list[Tensor]:
    """
    ## The share of one process

    The batch is on the *last* axis of all the tensors, as in `[sequence, batch]`. It must divide
    evenly. Only then is the mean of the processes' mean losses the mean of the whole batch.
    """
    size = batch[0].shape[-1]
    if size % place.world != 0:
        raise ValueError(f"A batch of {size} cannot be shared evenly by {place.world} processes.")
    own = size // place.world
    return [x.narrow(-1, place.rank * own, own).to(place.device) for x in batch]


def train(
    task: nn.Module,
    make_batch: Callable[[torch.Generator], Sequence[Tensor]],
    *,
    steps: int,
    optimizer: Optimizer,
    schedule: LRScheduler | None = None,
    place: Place = ALONE,
    checkpoint: Path | None = None,
    save_every: int = 50,
    seed: int = 0,
    name: str = "training",
) -> list[float]:
    r"""
    ## The loop

    * `task` takes the tensors of a batch and returns the loss. It must be on the device of
      `place` already, as the optimizer knows its parameters.
    * `make_batch` draws a whole batch with the given random generator.
    * `schedule` changes the learning rate after each step.
    * `checkpoint` is a file. If it exists, the training goes on from there. It is written anew
      after every `save_every` steps and at the end.

    The result is the loss of every step, over the whole batch.
    """
    losses: list[float] = []
    if checkpoint is not None and checkpoint.exists():
        state = torch.load(checkpoint, map_location=place.device, weights_only=True)
        task.load_state_dict(state["task"])
        optimizer.load_state_dict(state["optimizer"])
        if schedule is not None:
            schedule.load_state_dict(state["schedule"])
        losses = state["losses"]

    # With several processes this wrapper gives all of them the weights of process 0 to begin with,
    # and replaces the gradients by their mean over the processes during `backward`. Every process
    # then makes the same step.
    wrapped = DistributedDataParallel(task) if place.world > 1 else task
    progress = Progress(name, steps)
    task.train()

    for step in range(len(losses), steps):
        # All processes draw the same batch and take different parts of it. Dropout must differ
        # between them. A run has fewer than a million steps, so no two seeds collide.
        batch = make_batch(torch.Generator().manual_seed(seed * 1_000_000 + step))
        torch.manual_seed((seed * 1_000_000 + step) * place.world + place.rank)

        loss = wrapped(*share(batch, place))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if schedule is not None:
            schedule.step()

        # Each process knows the loss of its share. The mean is that of the whole batch.
        loss = loss.detach()
        if place.world > 1:
            dist.all_reduce(loss)
            loss /= place.world
        losses.append(loss.item())

        if place.rank == 0:
            done = step + 1
            progress.show(done, losses[-1])
            if checkpoint is not None and (done % save_every == 0 or done == steps):
                state = {
                    "task": task.state_dict(),
                    "optimizer": optimizer.state_dict(),
                    "losses": losses,
                }
                if schedule is not None:
                    state["schedule"] = schedule.state_dict()
                save(state, checkpoint)
    return losses


def arguments(description: str, steps: int) -> argparse.Namespace:
    """
    ## The command line of an experiment

    `--steps` is the number of steps of each run, and `--checkpoints` a folder: with it, a command
    that was killed continues when it is given again.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--steps", type=int, default=steps, help=f"steps of a run ({steps})")
    parser.add_argument("--checkpoints", type=Path, help="folder of checkpoints to resume from")
    return parser.parse_args()


class _Line(nn.Module):
    """A task with two weights: find the slope and the height of a line from noisy points."""

    def __init__(self) -> None:
        super().__init__()
        self.line = nn.Linear(1, 1)

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        """`x` and `y` have shape `[batch]`. The result is the mean squared error."""
        return (self.line(x.unsqueeze(-1)).squeeze(-1) - y).square().mean()


def _demonstrate() -> None:
    """
    ## See it work

    The line $y = 2 x - 1$ is found from noisy points. One run makes 200 steps. Another stops after
    100, as if it had been killed, and is started again. The losses of both are the same to the
    last digit.
    """
    import tempfile

    def run(steps: int, checkpoint: Path | None = None) -> tuple[_Line, list[float]]:
        torch.manual_seed(1)
        task = _Line()

        def points(generator: torch.Generator) -> tuple[Tensor, Tensor]:
            x, noise = torch.randn(2, 32, generator=generator)
            return x, 2 * x - 1 + 0.1 * noise

        optimizer = torch.optim.Adam(task.parameters(), lr=0.05)
        return task, train(task, points, steps=steps, optimizer=optimizer, checkpoint=checkpoint)

    task, losses = run(200)
    slope, height = task.line.weight.item(), task.line.bias.item()
    print(f"loss {losses[0]:.2f} -> {losses[-1]:.2f}, slope {slope:.1f}, height {height:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        run(100, Path(folder) / "line.pt")
        _, resumed = run(200, Path(folder) / "line.pt")
    print("the interrupted run has the same losses:", resumed == losses)


if __name__ == "__main__":
    _demonstrate()
