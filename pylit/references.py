"""
---
title: What a name in code refers to
summary: Imports and definitions are followed statically; a name that is not certain has no link.
---
# What a name in code refers to

A reader who meets `MultiHeadAttention` in an import wants to be one click away from it. So names
in code are links, under one rule: **never a wrong one**. Nothing is imported; what a name means is
read from the syntax tree.

1. A module binds names by `import`, `class`, `def` and assignment. A name that is bound once, by an
   import or a definition, means that; one that is bound again anywhere means nothing certain.
2. Inside a function its own parameters and variables come first, so a name among them has no link.
3. `a.b.c` leads as far as definitions are known, `torch.nn.Linear` to PyTorch's manual.
4. `self.method` leads to the method, in the class or in a base class that is known, unless the
   attribute is assigned anywhere in the class.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import get_args

from pylit.imports import find_imports, imported_module
from pylit.inventory import inventory
from pylit.links import Index, Target
from pylit.syntax_tree import nodes_below, parse_quietly

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
SCOPES = frozenset({ast.ClassDef, *get_args(Function), *get_args(Comprehension)})
"""What has names of its own."""

SPECIAL = SCOPES | {ast.ImportFrom}
"""What is looked at by itself; of everything else, what is below it."""

BINDING = frozenset(
    {
        *(ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef),
        *(ast.Name, ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.Global, ast.Nonlocal),
    }
)
"""What may bind a name. Most nodes are none of these, and are told so at once."""


@dataclass(frozen=True, slots=True)
class Use:
    """
    A stretch of a code line that refers to something.

    `target` is a place on the site; without one, `url` is the page of a manual.
    """

    line: int
    start: int
    end: int
    target: Target | None
    url: str = ""


@dataclass(frozen=True, slots=True)
class References:
    """
    What a module refers to: by the names in its code, and the pages that it imports.

    `asked` are the dotted names that the index was asked for, each on a line with the place that
    it answered, if it knew one.
    """

    uses: tuple[Use, ...]
    imports: tuple[str, ...]
    asked: str = ""


def find_references(text: str, name: str, is_package: bool, index: Index) -> References:
    """
    Find what a module refers to.

    `name` is the module's dotted name, `is_package` tells whether the file is an `__init__.py`,
    whose relative imports start one step lower.
    """
    try:
        tree = parse_quietly(text)
    except (SyntaxError, ValueError, RecursionError):
        return References((), ())
    package = name if is_package else name.rpartition(".")[0]
    names = Names(index.names)
    found = set(Finder(tree, text, name, package, names).run())
    uses = sorted(found, key=lambda use: (use.line, use.start, use.end))
    imports = find_imports(tree, name, package, names)
    return References(tuple(uses), imports, "\n".join(sorted(names.asked)))


class Names:
    """The names of an index, which remember what they were asked for."""

    def __init__(self, names: Mapping[str, Target]) -> None:
        self.names = names
        self.asked: set[str] = set()

    def get(self, path: str) -> Target | None:
        """Where a dotted name is defined on the site."""
        target = self.names.get(path)
        self.asked.add(answer(path, target))
        return target


def answer(path: str, target: Target | None) -> str:
    """A line that says what was asked for and what was found."""
    return f"{path} {target.address}#{target.anchor}" if target else path


def still_the_same(references: References, index: Index) -> bool:
    """Tell whether another index would lead to the same references."""
    asked = references.asked.split("\n") if references.asked else []
    paths = (line.partition(" ")[0] for line in asked)
    return all(
        answer(path, index.names.get(path)) == line for path, line in zip(paths, asked, strict=True)
    )


class Finder:
    """One walk over one module."""

    def __init__(self, tree: ast.Module, text: str, name: str, package: str, names: Names) -> None:
        self.tree, self.name, self.package, self.names = tree, name, package, names
        self.lines = text.split("\n")
        self.inventory = inventory()
        self.classes = {
            f"{name}.{node.name}": node for node in tree.body if isinstance(node, ast.ClassDef)
        }
        self.assigned = {path: assigned_to_self(node) for path, node in self.classes.items()}
        self.globals = self.bindings(tree.body)

    def run(self) -> Iterator[Use]:
        """Visit every statement, and the definitions in it with their own names."""
        yield from self.visit(self.tree.body, [self.globals], None)

    def bindings(self, body: list[ast.stmt]) -> dict[str, str]:
        """
        The names that a scope binds: to a dotted name where that is certain, else to nothing.

        Nothing is an empty text; it hides a name of the same spelling further out.
        """
        found: dict[str, str] = {}

        def bind(name: str, meaning: str) -> None:
            # Bound twice to different things, a name means nothing certain.
            found[name] = meaning if found.get(name, meaning) == meaning else ""

        for node in scope_nodes(body):
            if type(node) not in BINDING:
                continue
            if isinstance(node, ast.Import):
                for alias in node.names:
                    bind(alias.asname or alias.name.partition(".")[0], import_of(alias))
            elif isinstance(node, ast.ImportFrom):
                module = imported_module(node, self.package)
                for alias in node.names:
                    bind(alias.asname or alias.name, f"{module}.{alias.name}" if module else "")
            elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                known = f"{self.name}.{node.name}"
                bind(node.name, known if node in self.tree.body else "")
            elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                bind(node.id, "")
            elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
                bind(node.name, "")
            elif isinstance(node, ast.Global | ast.Nonlocal):
                for name in node.names:
                    bind(name, "")
        return found

    def visit(
        self, body: list[ast.stmt] | list[ast.expr], scopes: list[dict[str, str]], owner: str | None
    ) -> Iterator[Use]:
        """
        Visit statements or expressions. `scopes` are the names around them, the innermost last;
        `owner` is the class whose `self` this is.
        """
        waiting: list[ast.AST] = list(reversed(body))
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Attribute | ast.Name):
                chain = dotted(node)
                if chain:
                    yield from self.resolve(chain, scopes, owner)
                else:
                    waiting.extend(reversed(nodes_below(node)))
            elif type(node) not in SPECIAL:
                waiting.extend(reversed(nodes_below(node)))
            elif isinstance(node, ast.ClassDef):
                yield from self.visit([*node.bases, *node.decorator_list], scopes, owner)
                # Names of a class body are not seen by its methods.
                inner = [*scopes, self.bindings(node.body)]
                methods = [item for item in node.body if isinstance(item, Function)]
                yield from self.visit(
                    [item for item in node.body if item not in methods], inner, None
                )
                known = f"{self.name}.{node.name}" if node in self.tree.body else None
                for method in methods:
                    yield from self.visit_function(method, scopes, known)
            elif isinstance(node, Function):
                yield from self.visit_function(node, scopes, owner)
            elif isinstance(node, Comprehension):
                names = {
                    item.id: ""
                    for generator in node.generators
                    for item in ast.walk(generator.target)
                    if isinstance(item, ast.Name)
                }
                yield from self.visit_parts(node, [*scopes, names], owner)
            elif isinstance(node, ast.ImportFrom):
                yield from self.visit_import(node)

    def visit_parts(
        self, node: ast.AST, scopes: list[dict[str, str]], owner: str | None
    ) -> Iterator[Use]:
        """Visit all children of a node."""
        children: list[ast.expr] = []
        for child in nodes_below(node):
            if isinstance(child, ast.comprehension):
                children += [child.target, child.iter, *child.ifs]
            elif isinstance(child, ast.expr):
                children.append(child)
        yield from self.visit(children, scopes, owner)

    def visit_function(
        self, node: Function, scopes: list[dict[str, str]], owner: str | None
    ) -> Iterator[Use]:
        """Visit a function: what its header says is seen from outside, its body from inside."""
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        outside: list[ast.expr] = [*arguments.defaults]
        outside += [item for item in arguments.kw_defaults if item]
        outside += [item.annotation for item in every if item.annotation]
        body: list[ast.stmt] | list[ast.expr]
        if isinstance(node, ast.Lambda):
            body, inner = [node.body], {}
        else:
            outside += [*node.decorator_list, *([node.returns] if node.returns else [])]
            body, inner = node.body, self.bindings(node.body)
        yield from self.visit(outside, scopes, None)
        for item in [*every, arguments.vararg, arguments.kwarg]:
            if item:
                inner[item.arg] = ""
        first = every[0].arg if every else ""
        own = owner if first == "self" and not isinstance(node, ast.Lambda) else None
        yield from self.visit(body, [*scopes, inner], own)

    def visit_import(self, node: ast.ImportFrom) -> Iterator[Use]:
        """The names of an import lead to what they import."""
        module = imported_module(node, self.package)
        for alias in node.names:
            target = self.find(f"{module}.{alias.name}") if module else None
            if target and alias.lineno == alias.end_lineno:
                start = self.column(alias.lineno, alias.col_offset)
                yield use_of(alias.lineno, start, start + len(alias.name), target)

    def resolve(
        self, chain: list[tuple[str, int, int]], scopes: list[dict[str, str]], owner: str | None
    ) -> Iterator[Use]:
        """Follow `a.b.c` as far as definitions are known, and link that part."""
        name = chain[0][0]
        if name == "self" and owner and len(chain) > 1:
            target = self.find_method(owner, chain[1][0])
            if target:
                yield self.use(chain[1], chain[1], target)
            return
        meaning = next((scope[name] for scope in reversed(scopes) if name in scope), "")
        if not meaning:
            return
        best: tuple[int, Target | str] | None = None
        for length in range(1, len(chain) + 1):
            path = ".".join([meaning, *(part[0] for part in chain[1:length])])
            place = self.find(path)
            if place:
                best = (length, place)
        if best:
            yield self.use(chain[0], chain[best[0] - 1], best[1])

    def find(self, path: str) -> Target | str | None:
        """Where a dotted name is defined: on the site, or in a manual."""
        return self.names.get(path) or self.inventory.find(path)

    def find_method(self, owner: str, name: str) -> Target | None:
        """A method of a class of this module, or of its known bases; none where it is assigned."""
        seen: set[str] = set()
        waiting = [owner]
        while waiting:
            current = waiting.pop(0)
            if current in seen:
                continue
            seen.add(current)
            definition = self.classes.get(current)
            if definition is None:
                # A base of another module: what it assigns we do not see, what it defines we do.
                return self.method_target(f"{current}.{name}")
            if name in self.assigned[current]:
                return None
            target = self.method_target(f"{current}.{name}")
            if target:
                return target
            for base in definition.bases:
                chain = dotted(base)
                meaning = self.globals.get(chain[0][0], "") if chain else ""
                if meaning and chain:
                    waiting.append(".".join([meaning, *(part[0] for part in chain[1:])]))
        return None

    def method_target(self, path: str) -> Target | None:
        """The section of a method, if the site has it."""
        return self.names.get(path)

    def use(
        self, first: tuple[str, int, int], last: tuple[str, int, int], target: Target | str
    ) -> Use:
        """A link over the parts of a chain from the first to the last, or the last line of them."""
        name, line, end = last
        end = self.column(line, end)
        same_line = first[1] == line
        start = self.column(line, first[2]) - len(first[0]) if same_line else end - len(name)
        return use_of(line, start, end, target)

    def column(self, line: int, offset: int) -> int:
        """Columns of the tree count bytes; those of a line count letters."""
        text = self.lines[line - 1]
        return offset if text.isascii() else len(text.encode()[:offset].decode(errors="ignore"))


def use_of(line: int, start: int, end: int, target: Target | str) -> Use:
    """A use of something on the site, or in a manual."""
    if isinstance(target, str):
        return Use(line, start, end, None, target)
    return Use(line, start, end, target)


def import_of(alias: ast.alias) -> str:
    """What `import a.b` binds: `a`, or `a.b` where it is given a name."""
    return alias.name if alias.asname else alias.name.partition(".")[0]


def scope_nodes(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """All nodes of a scope, without those of the functions and classes inside it."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if type(node) not in SCOPES:
            waiting.extend(nodes_below(node))


def assigned_to_self(definition: ast.ClassDef) -> set[str]:
    """The attributes that the methods of a class assign."""
    return {
        node.attr
        for node in ast.walk(definition)
        if isinstance(node, ast.Attribute)
        and not isinstance(node.ctx, ast.Load)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    }


def dotted(node: ast.AST) -> list[tuple[str, int, int]] | None:
    """The parts of `a.b.c`, each with its line and the byte column where it ends, or nothing."""
    parts: list[tuple[str, int, int]] = []
    while isinstance(node, ast.Attribute):
        parts.append((node.attr, node.end_lineno or node.lineno, node.end_col_offset or 0))
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    parts.append((node.id, node.lineno, node.end_col_offset or 0))
    return parts[::-1]
