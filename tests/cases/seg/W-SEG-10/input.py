# fmt: off
# region tables
M = [1, 0,
     0, 1]
# endregion
# fmt: on
# pylint: disable=invalid-name
import os  # noqa: F401
def f(a, b):
    # type: (int, int) -> int
    return a + b
