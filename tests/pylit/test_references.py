"""Names in code: linked to their definitions, and never to a wrong one."""

import pytest

from pylit.links import Index, Target
from pylit.references import find_references

NAMES = {
    "pkg.mha": Target("mha.html"),
    "pkg.mha.Attention": Target("mha.html", "Attention"),
    "pkg.mha.Attention.scores": Target("mha.html", "Attention.scores"),
    "pkg.mha.helper": Target("mha.html", "helper"),
    "pkg.sub.xl.Relative": Target("sub/xl.html", "Relative"),
    "pkg.sub.xl.Relative.shift": Target("sub/xl.html", "Relative.shift"),
    "pkg.sub.xl.own": Target("sub/xl.html", "own"),
}
INDEX = Index(frozenset(), {}, NAMES, {}, {}, {})


def uses(
    text: str, name: str = "pkg.sub.xl", is_package: bool = False
) -> list[tuple[int, str, str]]:
    """Line, linked text, and where it leads."""
    lines = text.split("\n")
    found = []
    for use in find_references(text, name, is_package, INDEX).uses:
        to = f"{use.target.address}#{use.target.anchor}" if use.target else use.url
        found.append((use.line, lines[use.line - 1][use.start : use.end], to))
    return found


@pytest.mark.parametrize(
    "text",
    [
        "from pkg.mha import Attention\nAttention",
        "from pkg.mha import Attention as A\nA",
        "from ..mha import Attention\nAttention",
        "from .. import mha\nmha.Attention",
        "import pkg.mha\npkg.mha.Attention",
        "import pkg.mha as m\nm.Attention",
        "from pkg.mha import Attention\ndef f(x: Attention): ...",
        "from pkg.mha import Attention\ndef f(x=Attention): ...",
        "from pkg.mha import Attention\nclass B(Attention): ...",
        "from pkg.mha import Attention\n@Attention\ndef f(): ...",
        "from pkg.mha import Attention\ny = [Attention(x) for x in z]",
        "def f():\n    from pkg.mha import Attention\n    return Attention",
        "from pkg.mha import Attention\nf = lambda x: Attention",
        "é = 'ü'; from pkg.mha import Attention; é, Attention",
    ],
)
def test_a_name_leads_to_its_definition(text: str) -> None:
    last = uses(text)[-1]
    assert last[2] == "mha.html#Attention"
    assert last[1].rpartition(".")[2] in ("Attention", "A")


def test_a_relative_import_in_a_package_starts_there() -> None:
    found = uses("from .mha import Attention\nAttention", "pkg", is_package=True)
    assert [to for _, _, to in found] == ["mha.html#Attention"] * 2


@pytest.mark.parametrize(
    "text",
    [
        # Hidden by a parameter, a variable, a loop, an exception, a function of its own.
        "from pkg.mha import helper\ndef f(helper):\n    helper",
        "from pkg.mha import helper\ndef f():\n    helper = 1\n    helper",
        "from pkg.mha import helper\ndef f():\n    helper\n    helper = 1",
        "from pkg.mha import helper\n[helper for helper in x]",
        "from pkg.mha import helper\ndef f():\n    for helper in x:\n        helper",
        "from pkg.mha import helper\ntry: ...\nexcept E as helper:\n    helper",
        "from pkg.mha import helper\ndef f():\n    def helper(): ...\n    helper",
        "from pkg.mha import helper\ndef f():\n    with x as helper:\n        helper",
        "from pkg.mha import helper\nf = lambda helper: helper",
        "from pkg.mha import helper\ndef f(*helper):\n    helper",
        "from pkg.mha import helper\nmatch x:\n    case [helper]: ...\nhelper",
        # Bound twice.
        "from pkg.mha import helper\nhelper = 3\nhelper",
        "from pkg.mha import helper\nfrom other import helper\nhelper",
        "try:\n    from pkg.mha import helper\nexcept ImportError:\n    helper = None\nhelper",
        "from pkg.mha import helper\ndef f():\n    global helper\n    helper",
        # An attribute of something else, a text, a keyword.
        "x.helper",
        "'pkg.mha.helper'",
        "f(helper=1)",
    ],
)
def test_what_is_not_certain_has_no_link(text: str) -> None:
    imports = [line for line, part in enumerate(text.split("\n"), 1) if "import" in part]
    assert [use for use in uses(text) if use[0] not in imports] == []


def test_methods_by_self() -> None:
    text = (
        "from pkg.mha import Attention\n"
        "class Relative(Attention):\n"
        "    def shift(self):\n"
        "        self.scores()\n"
        "        self.shift()\n"
        "        self.nothing()\n"
        "        other.shift()\n"
    )
    found = [use for use in uses(text) if use[0] > 3]
    assert found == [
        (4, "scores", "mha.html#Attention.scores"),
        (5, "shift", "sub/xl.html#Relative.shift"),
    ]


def test_an_assigned_attribute_is_no_method() -> None:
    text = (
        "class Relative:\n"
        "    def __init__(self, shift):\n"
        "        self.shift = shift\n"
        "    def run(self):\n"
        "        self.shift()\n"
    )
    assert uses(text) == []


def test_manuals_of_other_libraries() -> None:
    text = "import math\nimport torch\nfrom torch import nn\nmath.sqrt\nnn.Linear\ntorch.nothing\n"
    assert [use for use in uses(text) if use[0] > 3] == [
        (4, "math.sqrt", "https://docs.python.org/3/library/math.html#math.sqrt"),
        (5, "nn.Linear", "https://docs.pytorch.org/docs/stable/generated/torch.nn.Linear.html"),
    ]
