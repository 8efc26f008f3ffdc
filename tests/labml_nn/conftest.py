"""Settings that all tests of labml_nn share."""

from collections.abc import Iterator

import pytest
import torch


@pytest.fixture(autouse=True)
def one_thread_and_one_seed() -> Iterator[None]:
    """Sums keep one order of their parts with one thread, so every run sees the same numbers."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    yield
    torch.set_num_threads(threads)
