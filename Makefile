# What a person or a machine does with this project, one line each. `make` alone lists them.

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
CORPUS := .test-cache/corpus
# Tests run on all cores; give WORKERS=0 to run them in one process, as a debugger needs.
WORKERS ?= auto

.DEFAULT_GOAL := help
.PHONY: help docs serve test check golden evidence benchmark clean

help: ## Lists these commands.
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1|\2/p' Makefile | column -t -s '|'

docs: $(VENV)/pylit-installed ## Builds the site into docs/.
	@$(PY) mathjax/build.py
	@$(PY) -m pylit build $(ARGS)

serve: $(VENV)/pylit-installed ## Shows the site while it is being written.
	@$(PY) mathjax/build.py
	@$(PY) -m pylit serve --open

test: check $(CORPUS) ## Runs every test.
	$(PY) -m pytest --numprocesses $(WORKERS) --dist worksteal

check: $(VENV)/test-installed ## Checks style and types.
	@$(PY) mathjax/build.py
	$(VENV)/bin/ruff check --no-cache .
	$(VENV)/bin/ruff format --no-cache --check .
	$(VENV)/bin/mypy --cache-dir $(VENV)/mypy-cache

golden: $(VENV)/test-installed ## Writes the expected results in tests/cases/ anew; read the diff.
	@$(PY) mathjax/build.py
	$(PY) -m pytest tests/pylit/test_golden.py tests/browser/test_picture.py --golden

evidence: $(VENV)/test-installed ## Records anew what the modules print and draw; read the diff.
	@$(PY) -m pylit run --all

benchmark: $(VENV)/test-installed ## Prints speeds side by side, as ratios of one run.
	$(PY) -m benchmarks

clean: ## Removes what the other commands made, the site included.
	rm -rf $(VENV) build *.egg-info pylit/mathjax .pylit-cache .test-cache
	find docs -mindepth 1 ! -name README.md ! -name .gitignore -delete

# Two stamps, so that the site needs no PyTorch. Each is made again when the versions change.
$(VENV)/pylit-installed: setup.py constraints.txt
	@echo "installing what the generator needs into $(VENV)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "pylit needs Python 3.11 or newer: make PYTHON=python3.12 docs")'
	@test -x $(PY) || $(PYTHON) -m venv $(VENV)
	@$(PIP) setuptools
	@$(PIP) --no-build-isolation --editable .
	@touch $@

$(VENV)/test-installed: $(VENV)/pylit-installed
	@echo "installing what the tests need into $(VENV); PyTorch is the large part"
	@$(PIP) --no-build-isolation --editable '.[test]'
	@touch $@

# A public corpus of annotated modules to run on, without what it depends on; 0.5 MB.
$(CORPUS): $(VENV)/pylit-installed
	@$(PY) -m pip download --quiet --disable-pip-version-check --no-deps --dest .test-cache labml-nn==0.5.1
	@touch $@
