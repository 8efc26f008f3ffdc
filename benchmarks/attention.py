"""
How fast is our attention on a CPU, beside PyTorch's own?

    python -m benchmarks.attention
    python -m benchmarks.attention --sizes 512x8x8x512 --rounds 9 --threads 2

All cases run in turn, round after round, in one process, so that a busy minute hits all of them;
the table shows medians and ratios. The clock counts the processor time of this process, which a
neighbour on the machine disturbs less than wall time (`--clock wall` for the latter). Peak memory
is that of one forward and backward pass in a fresh child process, above what was there before.

The modules of the ancestor of this library can take part. They live under the same name, so they
are loaded from a folder of their own:

    pip install --no-deps --target ANCESTOR labml-nn==0.5.1 labml==0.4.168
    python -m benchmarks.attention --ancestor ANCESTOR
"""

import argparse
import importlib
import multiprocessing
import os
import resource
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from labml_nn.transformers.fast_mha import FastMultiHeadAttention
from labml_nn.transformers.masks import causal_mask
from labml_nn.transformers.mha import MultiHeadAttention
from labml_nn.transformers.xl.fast_relative_mha import CausalRelativeMultiHeadAttention
from labml_nn.transformers.xl.relative_mha import RelativeMultiHeadAttention


@dataclass(frozen=True)
class Size:
    """Sequence, batch, heads, width."""

    length: int
    batch: int
    heads: int
    width: int

    @classmethod
    def parse(cls, text: str) -> "Size":
        return cls(*(int(part) for part in text.split("x")))


class PyTorchAttention(nn.Module):
    """`nn.MultiheadAttention` on its fast path: no weights asked for."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(size.width, size.heads)

    def forward(self, x: Tensor) -> Tensor:
        return self.attention(x, x, x, need_weights=False)[0]


class BiasedAttention(nn.Module):
    """
    The least that relative attention could cost: PyTorch's attention with the four projections and
    a bias that is ready, the same for all the items, and needs no gradient.
    """

    def __init__(self, size: Size) -> None:
        super().__init__()
        self.heads = size.heads
        self.packed = nn.Linear(size.width, 3 * size.width)
        self.output = nn.Linear(size.width, size.width)
        hidden = ~causal_mask(size.length)
        bias = torch.randn(size.heads, size.length, size.length).masked_fill_(hidden, -torch.inf)
        self.register_buffer("bias", bias.expand(size.batch, -1, -1, -1).contiguous())
        self.bias: Tensor

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.packed(x).unflatten(-1, (3, self.heads, -1)).permute(2, 1, 3, 0, 4)
        y = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=self.bias)
        return self.output(y.permute(2, 0, 1, 3).flatten(-2))


class Ours(nn.Module):
    """A module of this library, or of its ancestor, as self-attention."""

    def __init__(self, attention: nn.Module, mask: Tensor | None = None) -> None:
        super().__init__()
        self.attention = attention
        self.mask = mask

    def forward(self, x: Tensor) -> Tensor:
        return self.attention(query=x, key=x, value=x, mask=self.mask)


def ancestor_modules(folder: Path) -> tuple[Any, Any]:
    """The two attention classes of the ancestor, imported beside ours."""
    names = ("labml", "labml_nn")
    ours = {
        name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] in names
    }
    sys.path.insert(0, str(folder))
    try:
        vanilla = importlib.import_module("labml_nn.transformers.mha")
        relative = importlib.import_module("labml_nn.transformers.xl.relative_mha")
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.split(".")[0] in names]:
            del sys.modules[name]
        sys.modules.update(ours)
    return vanilla.MultiHeadAttention, relative.RelativeMultiHeadAttention


VANILLA, RELATIVE = "nn.MultiheadAttention", "SDPA with a ready bias"


def cases(size: Size, ancestor: Path | None) -> dict[str, tuple[str, Callable[[], nn.Module]]]:
    """Each case by its name: what it is compared with, and how to make it."""
    h, d, n = size.heads, size.width, size.length
    made: dict[str, tuple[str, Callable[[], nn.Module]]] = {
        VANILLA: (VANILLA, lambda: PyTorchAttention(size)),
        "MultiHeadAttention": (VANILLA, lambda: Ours(MultiHeadAttention(h, d, 0.0))),
        "FastMultiHeadAttention": (VANILLA, lambda: Ours(FastMultiHeadAttention(h, d, 0.0))),
    }
    if ancestor is not None:
        old, old_relative = ancestor_modules(ancestor)
        made["ancestor, vanilla"] = (VANILLA, lambda: Ours(old(h, d, 0.0)))
    made |= {
        RELATIVE: (RELATIVE, lambda: BiasedAttention(size)),
        "RelativeMultiHeadAttention": (
            RELATIVE,
            lambda: Ours(RelativeMultiHeadAttention(h, d, 0.0, n), causal_mask(n)),
        ),
        "CausalRelativeMultiHeadAttention": (
            RELATIVE,
            lambda: Ours(CausalRelativeMultiHeadAttention(h, d, 0.0, n)),
        ),
    }
    if ancestor is not None:
        mask = causal_mask(n).unsqueeze(-1)
        made["ancestor, relative"] = (RELATIVE, lambda: Ours(old_relative(h, d, 0.0), mask))
    return made


def forward(module: nn.Module, x: Tensor) -> None:
    with torch.no_grad():
        module(x)


def forward_backward(module: nn.Module, x: Tensor) -> None:
    module.zero_grad()
    module(x).sum().backward()


PASSES: tuple[Callable[[nn.Module, Tensor], None], ...] = (forward, forward_backward)


def peak_memory(make: Callable[[], nn.Module], x: Tensor) -> float:
    """Megabytes that one forward and backward pass needs at its worst; only Linux can tell."""
    if not sys.platform.startswith("linux"):
        return float("nan")
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)

    def child() -> None:
        module = make()
        with open("/proc/self/statm", encoding="ascii") as file:
            before = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        forward_backward(module, x)
        send.send(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before)

    process = context.Process(target=child)
    with warnings.catch_warnings():
        # Newer Pythons warn of a fork beside threads. The child starts none and soon ends.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    send.close()
    try:
        return receive.recv() / 1e6
    finally:
        process.join()


def measure(size: Size, rounds: int, clock: Callable[[], float], ancestor: Path | None) -> None:
    """One table."""
    print(f"\nsequence {size.length}, batch {size.batch}, heads {size.heads}, width {size.width}")
    torch.manual_seed(0)
    x = torch.randn(size.length, size.batch, size.width)
    listed = cases(size, ancestor)
    memory = {name: peak_memory(make, x) for name, (_, make) in listed.items()}
    modules = {name: make() for name, (_, make) in listed.items()}

    seconds: dict[tuple[str, int], list[float]] = {}
    for turn in range(rounds + 1):
        for name, module in modules.items():
            for n, run in enumerate(PASSES):
                start = clock()
                run(module, x)
                took = clock() - start
                # The first turn warms up.
                if turn > 0:
                    seconds.setdefault((name, n), []).append(took)

    middle = {key: statistics.median(values) for key, values in seconds.items()}
    print(f"{'':34}{'forward':>16}{'with backward':>18}{'peak memory':>18}")
    for name, (peer, _) in listed.items():
        if name == peer:
            print(f"-- compared with {peer}")
        cells = "".join(
            f"{middle[name, n] * 1e3:8.0f} ms{middle[name, n] / middle[peer, n]:6.2f}x"
            for n in range(len(PASSES))
        )
        print(f"{name:34}{cells}{memory[name]:9.0f} MB{memory[name] / memory[peer]:6.2f}x")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Attention beside PyTorch's own, on the CPU.")
    parser.add_argument("--sizes", nargs="+", default=["512x8x8x512", "2048x2x8x512"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--clock", choices=("cpu", "wall"), default="cpu")
    parser.add_argument("--ancestor", type=Path, help="folder with labml-nn 0.5.1")
    options = parser.parse_args(arguments)

    torch.set_num_threads(options.threads)
    clock = time.process_time if options.clock == "cpu" else time.perf_counter
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"torch {torch.__version__}, {options.threads} thread(s), {options.clock} time,", end=" ")
    print(f"medians of {options.rounds}, load of the machine {load}")
    for text in options.sizes:
        measure(Size.parse(text), options.rounds, clock, options.ancestor)
    print("\nGoals: FastMultiHeadAttention at most 1.1x;", end=" ")
    print("CausalRelativeMultiHeadAttention at most 2.0x forward and 2.2x with backward.")


if __name__ == "__main__":
    main()
