r"""
# A module whose every part is too wide

A word without end: `labml_nn.transformers.xl.relative_mha.RelativeMultiHeadAttention.get_scores`,
and another: Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft.

$$a_1 + a_2 + a_3 + a_4 + a_5 + a_6 + a_7 + a_8 + a_9 + a_{10} + a_{11} + a_{12} + a_{13} + a_{14}
+ a_{15} + a_{16} + a_{17} + a_{18} + a_{19} + a_{20} + a_{21} + a_{22} + a_{23} + a_{24} = 0$$

| name | what it is | default |
|---|---|---|
| `labml_nn.transformers.xl.relative_mha` | a name no column likes | `(1_000_000, 2_000_000)` |
| $a_1 + a_2 + a_3 + a_4 + a_5 + a_6 + a_7 + a_8$ | a formula in a cell | none |

```python
def scale(query, key, value, mask, dropout_probability, number_of_heads, size_of_a_head):
    return query
```

> A quotation with `code` in it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence, Sized


class AVeryLongNameOfAClassThatNobodyWouldEverChooseButSomebodyDid:
    """
    ## A class with prose

    Its first method has none, so it stands beside the prose of the class.
    """

    def no_prose(self, a_first_parameter: Mapping[str, Sequence[int]], a_second_one: Sized) -> None:
        self.table = {name: [2 * n for n in ns] for name, ns in a_first_parameter.items() if name}

    def with_prose(self) -> str:
        """Return a text. It names [a term](term:one)."""
        # The `$` opens no formula here, and $x^2$ is one.
        text = "a text that is much longer than a phone is wide, so that it has to scroll sideways"
        text += "!"

        return text


def deep(numbers: Iterable[Iterable[Iterable[int]]], visit: Callable[[int], None]) -> Iterator[int]:
    """
    Look into lists of lists.

    The indentation must be kept at any width.
    """
    for outer in numbers:
        for inner in outer:
            for number in inner:
                if number > 0:
                    visit(number)
                    yield number


def outline(status: str, settings: str) -> str:
    """
    ## Content

    The theme has parts of the same names, and must not take their addresses.
    """
    return status + settings


def scores(registry: MutableMapping[str, float]) -> float:
    total = 0.0
    for value in registry.values():
        total += value
    return total
