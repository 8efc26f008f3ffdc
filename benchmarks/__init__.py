"""Ratios, side by side: `python -m benchmarks.attention` and `python -m benchmarks.gpu`."""
