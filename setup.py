"""Metadata of the distribution, and what it needs, each with its reason."""

import re
import subprocess
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).parent
VERSION = re.search(r'__version__ = "([^"]+)"', (HERE / "pylit/__init__.py").read_text())[1]


class BuildWithMathJax(build_py):
    """Fetch MathJax before files are gathered, so that a wheel always holds it."""

    def run(self) -> None:
        if not self.editable_mode:
            subprocess.run([sys.executable, str(HERE / "mathjax/build.py")], check=True)
        super().run()


setup(
    # On PyPI, `pylit` and `labml-nn` are other projects.
    name="pylit-pages",
    version=VERSION,
    description="Annotated Python as a site: prose on the left, code on the right",
    long_description=(HERE / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    python_requires=">=3.11",
    # The wheel holds the generator alone. `labml_nn` is read and run from the checkout: as a
    # package it would write over files of the project of that name.
    packages=["pylit", "pylit.cli", "pylit.math", "pylit.templates"],
    package_dir={"pylit.templates": "templates"},
    package_data={
        "pylit": ["py.typed", "inventory.txt", "locale/*.po", "mathjax/*", "mathjax/fonts/*"],
        "pylit.templates": [
            *("*.html", "*.xml", "*.txt", "*.svg"),
            *("styles/*", "scripts/*", "live/*", "figures/*"),
        ],
    },
    entry_points={"console_scripts": ["pylit = pylit.cli:main"]},
    cmdclass={"build_py": BuildWithMathJax},
    install_requires=[
        "Markdown>=3.11,<4",  # Markdown to HTML, in steps that ours can stand between.
        "pymdown-extensions>=12.3,<14",  # Fences inside lists, task lists, bare addresses as links.
        "Pygments>=2.19,<3",  # Colours for code.
        "Jinja2>=3.1.6,<4",  # The theme's templates.
        "MarkupSafe>=3,<4",  # HTML that templates need not escape again.
        "nh3>=0.3,<0.4",  # Drops from prose what the allow-list of HTML does not name.
        "ansi2html>=1.9.5,<2",  # The colours of what demonstrations print, as style classes.
        "rcssmin>=1.2,<2",  # Styles without comments and spaces: a third of a kilobyte a visit.
        "rjsmin>=1.2,<2",  # Scripts without comments and spaces: a fifth of their size.
        "pathspec>=1,<2",  # The rules of .gitignore, the same with and without git.
        "watchfiles>=1.3,<2",  # Tells when a source changes, by the system's own events.
        "polib>=1.2,<2",  # Reads and writes PO catalogues.
        "bibtexparser>=2.1,<3",  # Reads and writes BibTeX, and names the line of a faulty entry.
        "imagesize>=1.4,<3",  # Width and height of pictures, so that no page moves as they load.
        "mini-racer>=0.14,<0.15",  # V8, in which MathJax typesets formulas at build time.
        "fonttools>=4.60,<5",  # Cuts the fonts of formulas down to the signs in use.
        "brotli>=1.1,<2",  # The compression of WOFF2 fonts, for fonttools.
    ],
    extras_require={
        "test": [
            "torch==2.13.0",  # What labml_nn is made of; another build may be put in its place.
            "labml>=0.4.168,<0.5.2",  # Prints tensors in demonstrations; 0.5.2 and 0.5.3 cannot.
            "numpy>=1.26,<3",  # labml needs it, and does not say which.
            "pytest>=9,<10",  # Runs the tests.
            "pytest-xdist>=3.8,<4",  # Runs them on all cores.
            "nbformat>=5.11,<6",  # Says whether our notebooks are what Jupyter expects.
            "hypothesis>=6.140,<7",  # Makes the inputs of property tests.
            "playwright>=1.60,<2",  # Drives Debian's Chromium in the tests of pages.
            "axe-playwright-python>=0.1.8,<0.2",  # Checks pages for accessibility.
            "ruff>=0.17,<0.18",  # Lints and formats.
            "mypy>=2.4,<3",  # Checks types.
            "types-Markdown>=3.11,<4",  # Types for mypy.
            "types-Pygments>=2.21,<3",  # Types for mypy.
            "types-polib>=1.2,<2",  # Types for mypy.
            "build>=1.3,<2",  # Makes the wheel that a test installs.
        ]
    },
)
