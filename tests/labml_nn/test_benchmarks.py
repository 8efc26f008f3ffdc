"""The benchmarks run, and their check of correctness holds. No time is judged."""

import pytest
import torch

from benchmarks import attention, gpu


def test_attention_prints_every_case(capsys: pytest.CaptureFixture[str]) -> None:
    attention.main(["--sizes", "16x2x2x8", "--rounds", "1"])
    out = capsys.readouterr().out
    size = attention.Size(16, 2, 2, 8)
    for name in attention.cases(size, None):
        assert f"\n{name} " in out
    assert out.count(" 1.00x") >= 6


def test_relative_cases_compute_the_same() -> None:
    """What is timed side by side gives the same result."""
    made = attention.cases(attention.Size(16, 2, 2, 8), None)
    plain, fast = (
        made[f"{kind}MultiHeadAttention"][1]().eval() for kind in ("Relative", "CausalRelative")
    )
    fast.load_state_dict(plain.state_dict())
    x = torch.randn(16, 2, 8)
    torch.testing.assert_close(fast(x), plain(x), rtol=1e-5, atol=1e-5)


@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile:UserWarning")
def test_gpu_script_in_a_dry_run(capsys: pytest.CaptureFixture[str]) -> None:
    """FlexAttention is an independent oracle for ours: both are right against float64."""
    gpu.main(["--dry-run", "--seconds", "0"])
    out = capsys.readouterr().out
    assert out.count(" ok\n") == 2
    assert "WRONG" not in out
    assert "The time is up" in out


@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile:UserWarning")
def test_gpu_script_names_what_it_leaves_out(capsys: pytest.CaptureFixture[str]) -> None:
    gpu.compare("cpu", 16, 2, torch.float32, grad=True, runs=1)
    out = capsys.readouterr().out
    assert "left out: FlexAttention does not support backward on CPU" in out
    assert "ours, causal" in out
    assert "WRONG" not in out


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_gpu_script_without_a_gpu(capsys: pytest.CaptureFixture[str]) -> None:
    gpu.main([])
    assert "nothing was measured" in capsys.readouterr().out
