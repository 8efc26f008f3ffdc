"""
---
title: Variables of a certain class
summary: Which parameters and variables can only be of one class, as their scope says itself.
---
# Variables of a certain class

Python does not say what a variable is, but a reader often knows, and so do we in two cases:

1. a parameter is declared as `x: Model`, `x: "Model"`, `x: Model | None` or `x: Optional[Model]`,
2. a variable is bound by `x = Model(…)` or declared as `x: Model = …`,

and nothing else in the scope binds it, nor does a scope inside reach out for it. An instance of a
class derived from `Model` may have a method of its own; what `Model` says of it is still right.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping

from pylit.scopes import dotted


def instances(
    nodes: Iterable[ast.AST], arguments: ast.arguments | None, times: Mapping[str, int]
) -> dict[str, ast.expr]:
    """
    The names of a scope that are of one class, each with the expression that says which.

    `nodes` are those that bind names, and `times` says how often each is bound; `arguments` are the
    parameters of a function.
    """
    evident = {name: kind for name, kind in assigned(nodes) if times[name] == 1}
    # A parameter that is bound anew may be anything before.
    for item in every_argument(arguments) if arguments else ():
        evident.pop(item.arg, None)
    for item in declared(arguments) if arguments else ():
        kind = class_of(item.annotation)
        if kind and item.arg not in times:
            evident[item.arg] = kind
    return evident


def declared(arguments: ast.arguments) -> list[ast.arg]:
    """The parameters that take one value each."""
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def every_argument(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters of a function."""
    rest = (item for item in (arguments.vararg, arguments.kwarg) if item)
    return [*declared(arguments), *rest]


def assigned(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    """The variables that are bound by a call, or declared with a type."""
    for node in nodes:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            kind = class_of(node.annotation)
            if kind:
                yield node.target.id, kind
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            target = node.targets[0]
            if len(node.targets) == 1 and isinstance(target, ast.Name) and dotted(node.value.func):
                yield target.id, node.value.func


def class_of(annotation: ast.expr | None) -> ast.expr | None:
    """The one class that a declaration names, where it may also allow `None`."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            return class_of(ast.parse(annotation.value, mode="eval").body)
        except (SyntaxError, ValueError, RecursionError):
            return None
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        sides = [annotation.left, annotation.right]
        classes = [side for side in sides if not is_none(side)]
        return class_of(classes[0]) if len(classes) == 1 else None
    if isinstance(annotation, ast.Subscript):
        name = dotted(annotation.value)
        return class_of(annotation.slice) if name and name[-1][0] == "Optional" else None
    return annotation if annotation and dotted(annotation) else None


def is_none(node: ast.expr) -> bool:
    """Tell `None`."""
    return isinstance(node, ast.Constant) and node.value is None
