r"""
---
title: Named terms
summary: A part of a formula, the words that speak of it and the names in the code are one.
---
# Named terms

An author names a part of a formula once, and binds it once to names in the code:

```markdown
---
title: Linear attention
terms:
    K: key, project.weight
---
Each key is compared with the query, $q^\top \term{K}{k}$. [The key](term:K) comes from …
```

On the page the three have one colour, and they light up together. `key` is that name wherever the
code of the page has it, `project.weight` only inside the function or class `project`. A name that
stands for two terms shows both.

A translation needs none of this: formulas and code are the same in all languages, and the words
keep their link.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from pylit.code import highlight
from pylit.model import Binding, Module, Problem, Section, Term, Token

COLORS = 8
"""So many colours can be told apart; a ninth term shares the first one."""

NAME = re.compile(r"[^\W\d]\w*")
IN_FORMULA = re.compile(r"\\term\s*\{([^{}]*)\}")
NAMED = re.compile(IN_FORMULA.pattern + r"|\(term:([^()\s]+)\)")
LITERAL_STYLES = ("c", "s", "m")
"""How the style classes of comments, strings and numbers begin."""


def term_colors(module: Module) -> dict[str, int]:
    r"""
    The colours of the named terms of a page, in the order in which they come.

    They are named by `\term{name}{…}` in formulas and by `[words](term:name)` in prose.
    """
    names = [
        found[1] or found[2]
        for section in module.sections
        for found in NAMED.finditer(section.text)
    ]
    return {name: index % COLORS + 1 for index, name in enumerate(dict.fromkeys(names))}


def bind_terms(
    lines: Sequence[tuple[Token, ...]], module: Module, colors: Mapping[str, int]
) -> list[tuple[Token, ...]]:
    """Mark the names in highlighted lines that stand for terms; `colors` are those of the page."""
    marked = list(lines)
    for section in module.sections:
        bound: dict[str, list[Term]] = {}
        for binding in module.terms:
            if holds(section, binding) and binding.term in colors:
                term = Term(binding.term, colors[binding.term])
                bound.setdefault(binding.name, []).append(term)
        if bound and section.code:
            for number in range(section.code.first - 1, section.code.last):
                marked[number] = tuple(cut(marked[number], bound))
    return marked


def holds(section: Section, binding: Binding) -> bool:
    """Whether a section is inside of what a binding speaks of."""
    return not binding.scope or f"{section.name}.".startswith(f"{binding.scope}.")


def cut(line: Iterable[Token], bound: Mapping[str, Sequence[Term]]) -> Iterable[Token]:
    """Cut the tokens of a line around the names that stand for terms."""
    for token in line:
        if token.style.startswith(LITERAL_STYLES):
            yield token
            continue
        end = 0
        for name in NAME.finditer(token.text):
            if terms := bound.get(name[0]):
                if token.text[end : name.start()]:
                    yield Token(token.style, token.text[end : name.start()], token.href)
                yield Token(token.style, name[0], token.href, tuple(terms))
                end = name.end()
        if token.text[end:]:
            yield Token(token.style, token.text[end:], token.href)


def term_problems(module: Module, names: Collection[str]) -> list[Problem]:
    """
    Terms that no formula of the page has, and bindings to names that its code does not have.

    `names` are those of the terms that the page shows.
    """
    path = module.source.path
    texts = module.source.text.split("\n")
    in_formulas = set(IN_FORMULA.findall(module.source.text))
    problems: list[Problem] = []
    for term in names:
        if term not in in_formulas:
            line = next((n for n, text in enumerate(texts, 1) if f"(term:{term})" in text), 0)
            message = (
                f"no formula of this page has a part that is called {term};"
                rf" write \term{{{term}}}{{…}} around it"
            )
            problems.append(Problem(path, line, 1, message, code="term"))
    colors = dict.fromkeys(names, 1)
    marked = bind_terms(highlight(module.source.text), module, colors) if module.terms else []
    used = {(term.name, token.text) for line in marked for token in line for term in token.terms}
    for binding in module.terms:
        if binding.term not in names:
            message = f"no formula and no text of this page names the term {binding.term}"
        elif (binding.term, binding.name) not in used:
            where = f" in {binding.scope}" if binding.scope else ""
            message = f"the code of this page has no {binding.name}{where}; correct the name"
        else:
            continue
        problems.append(Problem(path, binding.line, 1, message, code="term"))
    return problems
