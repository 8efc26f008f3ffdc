"""
How fast is our attention on a GPU, beside FlexAttention and SDPA?

    python -m benchmarks.gpu              # at most four minutes, on the first CUDA device
    python -m benchmarks.gpu --dry-run    # the same steps, tiny, on the CPU, to try the script

Correctness comes first: results and gradients on the GPU against the plain form in float64. Then
medians of interleaved runs, timed by CUDA events, with the peak of allocated memory. Sequences of
512, 2048 and 8192 tokens with 16384 tokens in a batch, causal, in bfloat16 and float32; forward,
and forward with backward.

The peers, all without the four projections, which are the same for all:

* SDPA, causal and without a bias: the fused kernel, and the floor for everything here.
* SDPA with a ready bias: what relative scores cost if they cost nothing to make.
* FlexAttention, compiled, with a bias for each distance (the fourth term of the relative scores,
  which it looks up itself). The second term needs a score of each query with each distance, which
  must be made before and given to it; "flex, both terms" does that.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

from labml_nn.transformers.masks import causal_mask
from labml_nn.transformers.xl.fast_relative_mha import (
    CausalRelativeMultiHeadAttention,
    causal_shift,
)
from labml_nn.transformers.xl.relative_mha import RelativeMultiHeadAttention

HEADS, D_K = 8, 64


class Bare(CausalRelativeMultiHeadAttention):
    """Ours without the projections: they become the identity."""

    def __init__(self, length: int, block: int = 512) -> None:
        super().__init__(HEADS, HEADS * D_K, dropout_prob=0.0, max_len=length, block=block)
        with torch.no_grad():
            self.key_pos_bias.normal_()
            self.key_pos_embeddings.normal_()
            self.query_pos_bias.normal_()
        for part in (self.query, self.key, self.value):
            part.linear = nn.Identity()
        self.output = nn.Identity()

    def from_heads(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """`[batch, heads, sequence, d_k]` in and out, as the peers have it."""
        q, k, v = (x.permute(2, 0, 1, 3).flatten(-2) for x in (q, k, v))
        out = self(query=q, key=k, value=v)
        return out.unflatten(-1, (HEADS, D_K)).permute(1, 2, 0, 3)


def position_scores(ours: Bare, q: Tensor) -> Tensor:
    """The second and fourth term for all pairs, `[batch, heads, n, n]`; the future is junk."""
    n = q.shape[2]
    distances = slice(ours.max_len - n, ours.max_len + 1)
    rows = ours.key_pos_embeddings[distances].permute(1, 2, 0)
    bias = ours.key_pos_bias[distances].t().unsqueeze(1)
    return causal_shift((q @ rows + bias) * ours.scale)


def peers(ours: Bare, n: int, q: Tensor, compiled: bool) -> dict[str, Callable[..., Tensor]]:
    """What is compared, each a function of query, key and value."""
    device = q.device
    sdpa = nn.functional.scaled_dot_product_attention
    flex: Any = torch.compile(flex_attention, dynamic=False) if compiled else flex_attention

    def causal(b: Tensor, h: Tensor, i: Tensor, j: Tensor) -> Tensor:
        return j <= i

    block_mask = create_block_mask(causal, None, None, n, n, device=str(device))
    table = ours.key_pos_bias.detach()[: ours.max_len + 1].t().contiguous() * ours.scale
    last = table.shape[1] - 1

    def distance_bias(score: Tensor, b: Tensor, h: Tensor, i: Tensor, j: Tensor) -> Tensor:
        return score + table[h, torch.clamp(last + j - i, 0, last)]

    def flex_both(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        ready = position_scores(ours, q)

        def add(score: Tensor, b: Tensor, h: Tensor, i: Tensor, j: Tensor) -> Tensor:
            return score + ready[b, h, i, j]

        u = ours.query_pos_bias.unsqueeze(1)
        return flex(q + u, k, v, score_mod=add, block_mask=block_mask)

    # One bias for all the items. It is made when first asked for: at 8192 tokens it is large.
    made: list[Tensor] = []

    def sdpa_bias(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        if not made:
            bias = torch.randn(1, HEADS, n, n, dtype=q.dtype, device=device)
            made.append(bias.masked_fill_(~causal_mask(n, device=device), -torch.inf))
        return sdpa(q, k, v, attn_mask=made[0])

    return {
        "SDPA, causal, no bias": lambda q, k, v: sdpa(q, k, v, is_causal=True),
        "SDPA with a ready bias": sdpa_bias,
        "flex, bias by distance": lambda q, k, v: flex(
            q, k, v, score_mod=distance_bias, block_mask=block_mask
        ),
        "flex, both terms": flex_both,
        "ours, causal": ours.from_heads,
    }


def inputs(batch: int, n: int, dtype: torch.dtype, device: str, grad: bool) -> list[Tensor]:
    """Query, key and value, `[batch, heads, n, d_k]`."""
    shape = (batch, HEADS, n, D_K)
    return [torch.randn(shape, dtype=dtype, device=device, requires_grad=grad) for _ in range(3)]


def check(device: str) -> None:
    """Ours and flex against the plain form in float64, results and, on a GPU, gradients."""
    n, batch = 64 if device == "cpu" else 256, 2
    torch.manual_seed(0)
    ours = Bare(n, block=n // 4).to(device)
    plain = RelativeMultiHeadAttention(HEADS, HEADS * D_K, 0.0, max_len=n).to(device).double()
    for part in (plain.query, plain.key, plain.value):
        part.linear = nn.Identity()
    plain.output = nn.Identity()
    plain.load_state_dict(ours.state_dict())
    given = inputs(batch, n, torch.float32, device, grad=False)
    mask = causal_mask(n, device=device)

    def reference(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        q, k, v = (x.permute(2, 0, 1, 3).flatten(-2) for x in (q, k, v))
        out = plain(query=q, key=k, value=v, mask=mask)
        return out.unflatten(-1, (HEADS, D_K)).permute(1, 2, 0, 3)

    def results(function: Callable[..., Tensor], dtype: torch.dtype, grad: bool) -> list[Tensor]:
        own = [x.clone().to(dtype).requires_grad_(grad) for x in given]
        with torch.set_grad_enabled(grad):
            out = function(*own)
        if grad:
            out.square().sum().backward()
        return [out.detach(), *(x.grad for x in own if x.grad is not None)]

    listed = peers(ours, n, given[0], compiled=device != "cpu")
    for name in ("ours, causal", "flex, both terms"):
        # FlexAttention has no backward pass on a CPU.
        grad = device != "cpu" or name.startswith("ours")
        expected = results(reference, torch.float64, grad)
        actual = results(listed[name], torch.float32, grad)
        off = max(
            ((a.double() - b).abs().max() / b.abs().max()).item()
            for a, b in zip(actual, expected, strict=True)
        )
        what = "result and gradients" if grad else "result"
        # Float32 on a GPU may round its products to ten bits.
        print(
            f"{name:26} {what} against float64: off by {off:.1e}", "ok" if off < 5e-3 else "WRONG"
        )


def milliseconds(device: str, run: Callable[[], object]) -> float:
    """One run, by CUDA events; by the clock on a CPU."""
    if device == "cpu":
        begin = time.perf_counter()
        run()
        return (time.perf_counter() - begin) * 1e3
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    run()
    end.record()
    end.synchronize()
    return start.elapsed_time(end)


def compare(device: str, n: int, batch: int, dtype: torch.dtype, grad: bool, runs: int) -> None:
    """One table."""
    torch.manual_seed(0)
    what = "forward with backward" if grad else "forward"
    print(f"\n{n} tokens, batch {batch}, {str(dtype).removeprefix('torch.')}, {what}")
    ours = Bare(n).to(device, dtype)
    q, k, v = inputs(batch, n, dtype, device, grad)
    ready: dict[str, Callable[[], object]] = {}
    memory: dict[str, float] = {}
    for name, function in peers(ours, n, q, compiled=device != "cpu").items():

        def run(function: Callable[..., Tensor] = function) -> None:
            if grad:
                function(q, k, v).sum().backward()
                for x in (q, k, v, *ours.parameters()):
                    x.grad = None
            else:
                with torch.no_grad():
                    function(q, k, v)

        # A case that this machine cannot run is named and left out.
        try:
            for _ in range(10 if device != "cpu" else 1):
                run()
            if device != "cpu":
                torch.cuda.synchronize()
                torch.cuda.reset_peak_memory_stats()
                before = torch.cuda.memory_allocated()
                run()
                torch.cuda.synchronize()
                memory[name] = (torch.cuda.max_memory_allocated() - before) / 1e6
            ready[name] = run
        except (RuntimeError, NotImplementedError) as error:
            print(f"{name:26} left out: {str(error).splitlines()[0][:90]}")
            if device != "cpu":
                torch.cuda.empty_cache()

    times: dict[str, list[float]] = {name: [] for name in ready}
    for _ in range(runs):
        for name, run in ready.items():
            times[name].append(milliseconds(device, run))
    middle = {name: statistics.median(values) for name, values in times.items()}
    base = middle.get("SDPA with a ready bias")
    for name, value in middle.items():
        ratio = f"{value / base:6.2f}x" if base else ""
        peak = f"{memory[name]:9.0f} MB" if name in memory else ""
        print(f"{name:26} {value:9.3f} ms {ratio}{peak}")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Relative attention beside its peers, on a GPU.")
    parser.add_argument("--dry-run", action="store_true", help="tiny sizes on the CPU")
    parser.add_argument("--seconds", type=float, default=200, help="no new table after this time")
    options = parser.parse_args(arguments)
    if not options.dry_run and not torch.cuda.is_available():
        print("There is no CUDA device here, so nothing was measured. --dry-run tries the script.")
        return

    begin = time.monotonic()
    device = "cpu" if options.dry_run else "cuda"
    print(
        f"torch {torch.__version__}, {device if device == 'cpu' else torch.cuda.get_device_name()}"
    )
    check(device)
    lengths, tokens, runs = (
        ((32, 64), 128, 1) if options.dry_run else ((512, 2048, 8192), 16384, 50)
    )
    for dtype in (torch.bfloat16, torch.float32):
        for n in lengths:
            for grad in (False, True):
                if time.monotonic() - begin > options.seconds:
                    print("\nThe time is up; the rest was not measured.")
                    return
                compare(device, n, tokens // n, dtype, grad, runs)


if __name__ == "__main__":
    main()
