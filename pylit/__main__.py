"""Run the command line as `python -m pylit`."""

import sys

from pylit.cli import main

sys.exit(main())
