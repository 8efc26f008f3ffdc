"""
The corpus and the other generators, fetched when they are needed, into `.test-cache`.

Versions are pinned, so that two runs compare the same things. Nothing of them is committed.
"""

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.usage import Failed

CACHE = Path(__file__).parent.parent / ".test-cache"
CORPUS = "labml-nn==0.5.1"
PYCCO = (
    *("pycco==0.6.0", "Markdown==3.11.3", "Pygments==2.21.0", "pystache==0.6.8"),
    "smartypants==2.0.2",
)
DOCCO = "docco@0.9.2"
QUIET = ("--quiet", "--disable-pip-version-check")


@dataclass(frozen=True, slots=True)
class Peer:
    """Another generator: its name, and the command that makes pages of files in a folder."""

    name: str
    command: Callable[[Sequence[str], Path], list[str | Path]]


def run(command: Sequence[str | Path]) -> None:
    """Run a command that fetches something. Raises `Failed` when it does not succeed."""
    try:
        subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        said = (getattr(error, "stderr", "") or str(error)).strip().splitlines()
        raise Failed(said[-1] if said else str(error)) from None


def corpus(folder: Path) -> Path:
    """The modules of PyPI's labml-nn, unpacked into a folder. Raises `Failed`."""
    wheels = sorted(CACHE.glob("labml_nn-0.5.1-*.whl"))
    if not wheels:
        run([sys.executable, "-m", "pip", "download", *QUIET, "--no-deps", "--dest", CACHE, CORPUS])
        wheels = sorted(CACHE.glob("labml_nn-0.5.1-*.whl"))
    with zipfile.ZipFile(wheels[0]) as wheel:
        wheel.extractall(
            folder, [name for name in wheel.namelist() if name.startswith("labml_nn/")]
        )
    return folder / "labml_nn"


def pycco() -> Peer:
    """Pycco from PyPI, in an environment of its own. Raises `Failed`."""
    home = CACHE / "pycco-0.6.0"
    program = home / "bin" / "pycco"
    if not program.exists():
        run([sys.executable, "-m", "venv", home])
        run([home / "bin" / "python", "-m", "pip", "install", *QUIET, *PYCCO])
    return Peer("pycco", lambda files, out: [program, "-p", "-d", out, *files])


def docco() -> Peer:
    """Docco from npm, in a folder of its own. Raises `Failed`."""
    home = CACHE / "docco-0.9.2"
    program = home / "node_modules" / ".bin" / "docco"
    if not program.exists():
        npm = shutil.which("npm")
        if npm is None:
            raise Failed("there is no npm here")
        run([npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", home, DOCCO])
    return Peer("docco", lambda files, out: [program, "-l", "parallel", "-o", out, *files])


PEERS = {"docco": docco, "pycco": pycco}
