"""
---
title: What a name in code refers to
summary: Imports and definitions are followed statically; a name that is not certain has no link.
---
# What a name in code refers to

A reader who meets `MultiHeadAttention` in an import wants to be one click away from it. So names
in code are links, under one rule: **never a wrong one**. Nothing is imported; what a name means is
read from the syntax tree.

1. A name means what its [scope](scopes.html) binds it to, once. Inside a function its own
   parameters and variables come first, so a name among them has no link.
2. `a.b.c` leads as far as definitions are known, `torch.nn.Linear` to PyTorch's manual. What a
   module has imported from another one leads to its definition there.
3. `self.method` leads to the method, in the class or in a base class that is known, unless the
   attribute is assigned anywhere in the class.
4. `x.method` leads to the method where `x` is certain to be of a class: it is a parameter with that
   class as its [type](instances.html), or a variable that is bound once, by a call of the class.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pylit.imports import find_imports
from pylit.instances import declared, every_argument, instances
from pylit.inventory import inventory
from pylit.links import Index, Target
from pylit.scopes import (
    SCOPES,
    Comprehension,
    Function,
    binding_nodes,
    bindings,
    changed_inside,
    dotted,
    imported_module,
    top_names,
)
from pylit.syntax_tree import nodes_below, parse_quietly

NO_NAMES: Mapping[ast.AST, str] = {}

SPECIAL = SCOPES | {ast.ImportFrom}
"""What is looked at by itself; of everything else, what is below it."""


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
    names = Names(index)
    found = set(Finder(tree, text, name, package, names).run())
    uses = sorted(found, key=lambda use: (use.line, use.start, use.end))
    imports = find_imports(tree, name, package, names)
    return References(tuple(uses), imports, names.asked())


class Names:
    """The names of an index, which remember what they were asked for."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.paths: set[str] = set()

    def get(self, path: str) -> Target | None:
        """The module or definition of the site that has this dotted name."""
        self.paths.add(path)
        return self.index.names.get(path)

    def meant(self, path: str) -> str:
        """A dotted name, or the one that it leads to through what modules have imported."""
        self.paths.add(path)
        return self.index.aliases.get(path, path)

    def is_class(self, path: str) -> bool:
        """Tell a class of the site."""
        self.paths.add(path)
        return path in self.index.classes

    def asked(self) -> str:
        """All that was asked for, and what was found, a line for each."""
        return "\n".join(answer(path, self.index) for path in sorted(self.paths))


def answer(path: str, index: Index) -> str:
    """A line that says what an index knows of a dotted name."""
    target, alias = index.names.get(path), index.aliases.get(path)
    line = f"{path} {target.address}#{target.anchor}" if target else path
    line = f"{line} = {alias}" if alias else line
    return f"{line} class" if path in index.classes else line


def still_the_same(references: References, index: Index) -> bool:
    """Tell whether another index would lead to the same references."""
    asked = references.asked.split("\n") if references.asked else []
    return all(answer(line.partition(" ")[0], index) == line for line in asked)


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
        self.changed = changed_inside(tree)
        (self.globals,) = self.inner(tree.body, [], None, top_names(tree, name))

    def run(self) -> Iterator[Use]:
        """Visit every statement, and the definitions in it with their own names."""
        yield from self.visit(self.tree.body, [self.globals], None)

    def inner(
        self,
        body: list[ast.stmt],
        scopes: list[dict[str, str]],
        arguments: ast.arguments | None,
        names: Mapping[ast.AST, str] = NO_NAMES,
    ) -> list[dict[str, str]]:
        """
        The scopes inside a module, class or function: those around it, and its own.

        A variable that is certain to hold an instance of `a.B` means `a.B()`.
        """
        nodes, times = binding_nodes(body), Counter[str]()
        own = bindings(nodes, self.package, names, self.changed, times)
        for item in every_argument(arguments) if arguments else ():
            own[item.arg] = ""
        inside = [*scopes, own]
        for variable, kind in instances(nodes, arguments, times).items():
            chain = dotted(kind)
            path = self.path_of(chain, inside) if chain else ""
            if self.names.is_class(path) and not self.names.get(f"{path}.__new__"):
                own[variable] = f"{path}()"
        return inside

    def path_of(self, chain: list[tuple[str, int, int]], scopes: list[dict[str, str]]) -> str:
        """The dotted name that `a.b.c` means, empty where that is not certain."""
        path = next((scope[chain[0][0]] for scope in reversed(scopes) if chain[0][0] in scope), "")
        for part in chain[1:]:
            path = path and f"{self.names.meant(path)}.{part[0]}"
        return self.names.meant(path) if path else ""

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
                inner = self.inner(node.body, scopes, None)
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
        every = declared(arguments)
        outside: list[ast.expr] = [*arguments.defaults]
        outside += [item for item in arguments.kw_defaults if item]
        outside += [item.annotation for item in every if item.annotation]
        if not isinstance(node, ast.Lambda):
            outside += [*node.decorator_list, *([node.returns] if node.returns else [])]
        yield from self.visit(outside, scopes, None)
        if isinstance(node, ast.Lambda):
            hidden = dict.fromkeys((item.arg for item in every_argument(arguments)), "")
            yield from self.visit([node.body], [*scopes, hidden], None)
            return
        own = owner if every and every[0].arg == "self" else None
        yield from self.visit(node.body, self.inner(node.body, scopes, arguments), own)

    def visit_import(self, node: ast.ImportFrom) -> Iterator[Use]:
        """The names of an import lead to what they import."""
        module = imported_module(node, self.package)
        for alias in node.names:
            target = self.find(self.names.meant(f"{module}.{alias.name}")) if module else None
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
        if meaning.endswith("()"):
            if len(chain) > 1 and (target := self.find_method(meaning[:-2], chain[1][0])):
                yield self.use(chain[1], chain[1], target)
            return
        best: tuple[int, Target | str] | None = None
        path = self.names.meant(meaning)
        for length in range(1, len(chain) + 1):
            if length > 1:
                path = self.names.meant(f"{path}.{chain[length - 1][0]}")
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
                return self.names.get(f"{current}.{name}")
            if name in self.assigned[current]:
                return None
            target = self.names.get(f"{current}.{name}")
            if target:
                return target
            for base in definition.bases:
                chain = dotted(base)
                meaning = self.globals.get(chain[0][0], "") if chain else ""
                if meaning and chain:
                    waiting.append(self.path_of(chain, [self.globals]))
        return None

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
