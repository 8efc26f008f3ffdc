"""Docstrings of other styles become the Markdown that they mean, line for line."""

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylit.docstring_styles import to_markdown
from tests.conftest import ROOT

CASES = {
    "numpy": (
        r"""
Scale.

Parameters
----------
x : array_like, shape (n,)
    The scores,
    unscaled.

    >>> scale(1)
*args
    More.

Returns
-------
float
    It.

See Also
--------
other : Another.
third
""",
        r"""
Scale.

**Parameters**

`x` : `array_like, shape (n,)`
:   The scores,
    unscaled.

    >>> scale(1)

`*args`
:   More.

**Returns**

float
:   It.

**See also**

* `other`: Another.
* `third`
""",
    ),
    "google": (
        r"""
Scale.

Args:
    x (Tensor): The scores,
        unscaled.
    **kwargs: More.

Returns:
    Tensor: It.

Note:
    Slow.
""",
        r"""
Scale.

**Parameters**

`x` : Tensor
:   The scores,
    unscaled.

`**kwargs`
:   More.

**Returns**

Tensor
:   It.

!!! note
    Slow.
""",
    ),
    "sphinx": (
        r"""
Scale.

:param int x: The scores,
    unscaled.
:param y: More.
:type y: str
:returns: It.
:rtype: float
:raises ValueError: if not.
""",
        r"""
Scale.

**Parameters**

`x` : int
:   The scores,
    unscaled.

`y` : str
:   More.

**Returns**

float
:   It.

**Raises**

`ValueError`
:   if not.
""",
    ),
    "roles": (
        r"""
See :class:`~a.b.C`, :func:`the f <a.f>`, :math:`x_1`, :ref:`that <x>`, :pep:`8`,
`!D`, `` :class:`E` ``, `site <https://example.org/>`_ and `it`_.

.. _it: https://x.org
""",
        r"""
See `C`, `the f`, $x_1$, that, PEP 8,
`D`, `` :class:`E` ``, [site](https://example.org/) and [it](https://x.org).
""",
    ),
    "indented code": (
        r"""
Calls __init__ here.

    and __init__ in code

- an item

    with __init__
""",
        r"""
Calls `__init__` here.

    and __init__ in code

- an item

    with `__init__`
""",
    ),
    "only named fields": (
        r"""
Scale.

:param x: The scores.
""",
        r"""
Scale.

**Parameters**

`x`
:   The scores.
""",
    ),
    "names": (
        r"""
Calls __init__ with *args, not __bold__ or `__name__`.
""",
        r"""
Calls `__init__` with `*args`, not __bold__ or `__name__`.
""",
    ),
    "broken over lines": (
        r"""
Read :ref:`the long
  text <x>` and
:class:`A
<a.A>` end.
""",
        r"""
Read
  the long text and

`A` end.
""",
    ),
    "directives": (
        r"""
A.

.. note:: Mind
   this.

.. versionadded:: 1.2 The `x`.

.. code-block:: sh

   ls

.. math::
   :label: m

   a &= b \\
   c

.. index:: x

.. odd:: x
   y
""",
        r"""
A.

!!! note
    Mind
    this.

*New in version 1.2.* The `x`.

```sh
ls
```

$$\begin{aligned}
a &= b \\
c
\end{aligned}$$

```text
.. odd:: x
   y
```
""",
    ),
    "formulas": (
        r"""
.. math:: \frac
     a b

   c

.. math:: d

   e
""",
        r"""
$$
\frac
  a b
$$

$$
c
$$

$$
d
$$

$$
e
$$
""",
    ),
    "literal blocks": (
        r"""
Do::

  x = 1

    y

Then::

  if x:
    pass

::

    >>> 1
""",
        r"""
Do:

```text
x = 1

  y
```

Then:

```python
if x:
  pass
```

```pycon
>>> 1
```
""",
    ),
    "tables": (
        r"""
====  ====
A     B
====  ====
1     2
====  ====
""",
        r"""
```text
====  ====
A     B
====  ====
1     2
====  ====
```
""",
    ),
    "footnotes": (
        r"""
Shown in [1]_.

References
----------
.. [1] Somebody,
   a paper.
""",
        r"""
Shown in [1].

**References**

[1] Somebody,
a paper.
""",
    ),
    "a list below a sentence": (
        r"""
Either::

.. _x:

One of:
- a
- b
""",
        r"""
Either::


One of:

- a
- b
""",
    ),
    "lists below sentences, by how many items they have and how they are indented": (
        r"""
Backends are
- imported late, because
    - one may be missing
- symbolic

Options:
    - a
    - b

No list is this
- one dash, nor this
2. second
3. third, but
1. first
2. second

- c
    goes on:
    * d
""",
        r"""
Backends are

- imported late, because
    - one may be missing
- symbolic

Options:

- a
- b

No list is this
- one dash, nor this
2. second
3. third, but

1. first
2. second

- c
    goes on:

    * d
""",
    ),
    "no lists in formulas and code": (
        r"""
It is
$$a
- b
- c$$

\begin{align}
x
- y
- z
\end{align}

```yaml
a:
- b
- c
```

    code:
    - a
    - b

>>> f()
- 1
- 2
""",
        r"""
It is
$$a
- b
- c$$

\begin{align}
x
- y
- z
\end{align}

```yaml
a:
- b
- c
```

    code:
    - a
    - b

>>> f()
- 1
- 2
""",
    ),
    "a list inside of a parameter": (
        r"""
Args:
    mode (str): One of
        - fast
        - slow
""",
        r"""
**Parameters**

`mode` : str
:   One of

    - fast
    - slow
""",
    ),
    "two colons above code that says so itself": (
        r"""
Compare::

```pycon
>>> 1
```

And::

>>> 2
""",
        r"""
Compare:

```pycon
>>> 1
```

And:

>>> 2
""",
    ),
    "a result with a remark on its type": (
        r"""
Returns:
    str (or `None`): The name
        in full.
""",
        r"""
**Returns**

str (or `None`)
:   The name
    in full.
""",
    ),
}
"""What is written, and what it becomes."""


def squeezed(text: str) -> str:
    """Without the second of two empty lines, which mean nothing."""
    kept: list[str] = []
    for line in text.split("\n"):
        if line.strip() or (kept and kept[-1].strip()):
            kept.append(line.rstrip())
    return "\n".join(kept).rstrip("\n")


def convert(text: str) -> str:
    lines = text.rstrip("\n").split("\n")
    return to_markdown("\n".join(lines), tuple(range(1, len(lines) + 1)))[0]


@pytest.mark.parametrize("name", CASES)
def test_a_style(name: str) -> None:
    text, wanted = CASES[name]
    assert squeezed(convert(text.strip("\n"))) == squeezed(wanted.strip("\n"))


MARKDOWN = '''
---
title: A page
summary: Of Markdown.
---
# A page

Text with $x_1$, `code`, [a link](x.py), **bold**, __bold__, *emphasis*: and more.

Heading
-------

| a | b |
|---|---|
| 1 | 2 |

* item
    1. inner

```python
def f(x):
    """
    Args:
        x: ``:class:`X```
    """
```

Example:

    indented code

!!! note "Title"
    Text.

$$\\sum_i x_i$$
'''


def test_markdown_stays_as_it_is() -> None:
    assert convert(MARKDOWN.strip()) == MARKDOWN.strip()


def test_this_repository_is_written_in_markdown() -> None:
    for file in (ROOT / "labml_nn").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                text = ast.get_docstring(node) or ""
                assert convert(text) == text, file


def test_a_problem_has_the_line_of_the_file(
    make_site: Callable[..., Path], build_site: Callable[..., object]
) -> None:
    text = (
        'def f(x):\n    r"""\n    Scale.\n\n    Parameters\n    ----------\n    x : float\n'
        "        See [gone](gone.md).\n\n    Notes\n    -----\n    .. math:: \\nonsense\n"
        '    """\n'
    )
    made = build_site({"src/a.py": text})
    problems = [(each.line, each.code) for each in made.problems]  # type: ignore[attr-defined]
    assert problems == [(8, "link"), (12, "math")]


def test_what_a_reader_sees(render: Callable[..., str]) -> None:
    html = render(f'r"""{CASES["numpy"][0].strip()}"""\n', "a.py")
    assert "<strong>Parameters</strong>" in html
    assert "<dt><code>x</code> : <code>array_like, shape (n,)</code></dt>" in html
    assert "<h2" not in html
    html = render(f'r"""{CASES["sphinx"][0].strip()}"""\n', "a.py")
    assert "<dt><code>y</code> : str</dt>" in html
    assert ":param" not in html


PIECES = st.sampled_from(
    ["Args:", "Parameters", "----------", "x : int", "    x: text", ":param x: y", ".. note::",
     "   body", "::", "Do::", "", ">>> f()", "```", "====  ==", "`a`_", ":class:`A", "B`", "- a"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=14))
def test_any_text_keeps_its_lines_in_order(lines: list[str]) -> None:
    text = "\n".join(lines)
    numbers = tuple(range(1, text.count("\n") + 2))
    made, found = to_markdown(text, numbers)
    assert not made or made.count("\n") + 1 == len(found)
    assert set(found) <= set(numbers)
