"""Names in code: linked to their definitions, and never to a wrong one."""

import re
from collections.abc import Callable

import pytest

from pylit.links import TWO, Index, Target
from pylit.references import find_references
from pylit.site import Build

NAMES = {
    "pkg.mha": Target("mha.html"),
    "pkg.mha.Attention": Target("mha.html", "Attention"),
    "pkg.mha.Attention.scores": Target("mha.html", "Attention.scores"),
    "pkg.mha.helper": Target("mha.html", "helper"),
    "pkg.sub.xl.Relative": Target("sub/xl.html", "Relative"),
    "pkg.sub.xl.Relative.shift": Target("sub/xl.html", "Relative.shift"),
    "pkg.sub.xl.own": Target("sub/xl.html", "own"),
}
CLASSES = frozenset({"pkg.mha.Attention", "pkg.sub.xl.Relative"})
INDEX = Index(
    frozenset(),
    {},
    {**NAMES, "pkg.mha.helper.scores": Target("mha.html", "x")},
    {},
    {},
    {},
    {},
    CLASSES,
)


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
        # Bound again by a function that reaches out for it, whoever asks, and when.
        "from pkg.mha import helper\ndef f():\n    global helper\n    helper = 1\nhelper",
        "def f():\n    from pkg.mha import helper\n    def g():\n        nonlocal helper\n"
        "        helper = 1\n    g()\n    helper",
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


def test_a_name_leads_through_what_modules_import(build_site: Callable[..., Build]) -> None:
    """`__init__.py` imports what users are to import from it, also under another name."""
    made = build_site(
        {
            "pylit.toml": '[[source]]\npath = "pkg"\n',
            "pkg/__init__.py": "from .core import Model as Shown, retry\n"
            "from . import core as kern\n"
            "try:\n    from .core import fast as f\nexcept ImportError:\n    from .slow import f\n"
            "from .ring import a\n",
            "pkg/core.py": "class Model:\n    def run(self): ...\n\ndef retry(): ...\n\n"
            "def fast(): ...\n",
            "pkg/slow.py": "def f(): ...\n",
            "pkg/retry.py": "",
            "pkg/ring.py": "from pkg import a\n",
            "pkg/use.py": "import pkg\nfrom pkg import Shown, f, retry, a\n"
            "pkg.Shown.run\nShown.run\npkg.kern.retry\nretry()\nf()\na()\n",
            "pkg/notes.md": "[shown](pkg.Shown), [`pkg.Shown`][]\n",
        }
    )
    assert made.problems == ()
    page = next(output for output in made.outputs if output.path == "use.html").content.decode()
    code = dict(enumerate(re.findall(r'<a id="L\d+".*', page), 1))
    links = {line: re.findall(r'href="([a-z]+\.html#[^"L]+)"', text) for line, text in code.items()}
    assert links == {
        1: [],
        2: ["core.html#Model", "core.html#retry"],
        3: ["core.html#Model.run"],
        4: ["core.html#Model.run"],
        5: ["core.html#retry"],
        6: ["core.html#retry"],
        7: [],
        8: [],
    }
    notes = next(output for output in made.outputs if output.path == "notes.html").content.decode()
    assert notes.count('href="core.html#Model"') == 2


def test_modules_of_one_name_are_not_mixed_up(build_site: Callable[..., Build]) -> None:
    made = build_site(
        {
            "pylit.toml": '[[source]]\npath = "old/pkg"\n'
            '[[source]]\npath = "new/pkg"\nat = "new"\n',
            **{f"{place}/pkg/__init__.py": "" for place in ("old", "new")},
            "old/pkg/a.py": "class A:\n    def run(self): ...\n\nclass B: ...\n",
            "new/pkg/a.py": "class A:\n    def go(self): self.run()\n",
            "old/pkg/b.py": "from .a import A, B\n",
            "new/pkg/b.py": "from .a import A\n",
            "new/pkg/c.md": "[two](pkg.a), [`pkg.a.A`][]\n",
        }
    )
    pages = {output.path: output.content for output in made.outputs}
    assert b"#A" not in pages["b.html"] + pages["new/b.html"]
    assert b'href="a.html#B"' in pages["b.html"]
    assert b"../a.html" not in pages["new/a.html"]
    assert [problem.message.partition(": ")[2] for problem in made.problems] == [TWO, TWO]


@pytest.mark.parametrize(
    "text",
    [
        "def f(x: Attention):\n    x.scores()",
        "def f(x: 'Attention'):\n    x.scores()",
        "def f(x: Attention | None = None):\n    x.scores()",
        "def f(x: Optional[Attention]):\n    x.scores()",
        "def f(*, x: mha.Attention):\n    return lambda: x.scores()",
        "def f():\n    x = Attention(3)\n    x.scores().more",
        "def f():\n    x: Attention = made()\n    x.scores()",
        "x = Attention(3)\ndef f():\n    x.scores()",
        "class B:\n    def f(self, x: Attention):\n        [x.scores() for y in z]",
    ],
)
def test_the_method_of_a_variable_that_is_certain(text: str) -> None:
    start = "from pkg import mha\nfrom pkg.mha import Attention\n"
    assert uses(start + text)[-1][1:] == ("scores", "mha.html#Attention.scores")


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    x.scores()",
        "def f(*x: Attention):\n    x.scores()",
        "def f(x: list[Attention]):\n    x.scores()",
        "def f(x: Attention | Other):\n    x.scores()",
        "def f(x: Attention):\n    x = g(x)\n    x.scores()",
        "def f(x: Attention):\n    for x in y: x.scores()",
        "def f(x: Attention):\n    def g():\n        nonlocal x\n        x = 1\n    x.scores()",
        "def f(x: Attention):\n    [x.scores() for x in y]",
        "def f(x: Attention):\n    def g(x): x.scores()",
        "def f():\n    x = Attention(3)\n    if y: x = 3\n    x.scores()",
        "def f():\n    x = Attention(3)\n    del x\n    x.scores()",
        "def f():\n    x = y = Attention(3)\n    x.scores()",
        "def f():\n    with Attention(3) as x: x.scores()",
        "def f():\n    x = Attention(3)\n    import x\n    x.scores()",
        "def f(x):\n    x = Attention(3)\n    x.scores()",
        "def f(*x):\n    x = Attention(3)\n    x.scores()",
        "def f(Attention, x: Attention):\n    x.scores()",
        "x = Attention(3)\ndef f():\n    global x\n    x = 1\ndef g():\n    x.scores()",
        # A function may return anything, and the method of one is a function inside it.
        "def f():\n    x = helper()\n    x.scores()",
    ],
)
def test_the_method_of_a_variable_that_is_not_certain(text: str) -> None:
    found = uses("from pkg.mha import Attention, helper\n" + text)
    assert not [use for use in found if use[1] in ("scores", "x.scores")]


def test_modules_inside_of_others_have_pages_of_their_own() -> None:
    text = (
        "import os\nimport os.path as osp\nimport xml.etree.ElementTree as ET\n"
        "from collections.abc import Mapping\nimport posixpath\nimport asyncio\n"
        "os.path.join\nosp\nET.parse\nMapping\nposixpath.join\nasyncio.run\nasyncio.unknown\n"
    )
    manual = "https://docs.python.org/3/library/"
    assert [use for use in uses(text) if use[0] > 6] == [
        (7, "os.path.join", f"{manual}os.path.html#os.path.join"),
        (8, "osp", f"{manual}os.path.html"),
        (9, "ET.parse", f"{manual}xml.etree.elementtree.html#xml.etree.ElementTree.parse"),
        (10, "Mapping", f"{manual}collections.abc.html#collections.abc.Mapping"),
        (12, "asyncio.run", f"{manual}asyncio-runner.html#asyncio.run"),
        (13, "asyncio", f"{manual}asyncio.html"),
    ]


def test_manuals_of_other_libraries() -> None:
    text = "import math\nimport torch\nfrom torch import nn\nmath.sqrt\nnn.Linear\ntorch.nothing\n"
    assert [use for use in uses(text) if use[0] > 3] == [
        (4, "math.sqrt", "https://docs.python.org/3/library/math.html#math.sqrt"),
        (5, "nn.Linear", "https://docs.pytorch.org/docs/stable/generated/torch.nn.Linear.html"),
    ]
