# Everything runs in a virtual environment of its own; `make demo` and `make test` set it up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test coverage fuzz check docs pages oldest package sbom bench calibration scaling reproduce clean

demo: $(VENV)/.core
	$(BIN)/python examples/demo.py

# On all cores; tests/conftest.py says which tests share a worker. Then the kernels as plain Python.
test: $(VENV)/.test
	$(BIN)/python $(MEASURE) -m pytest --numprocesses=auto --no-loadscope-reorder
	NUMBA_DISABLE_JIT=1 $(BIN)/python $(MEASURE) -m pytest --quiet -k "not spark" tests/unit/kernels tests/unit/engines

# The tests while coverage watches, both lives of the kernels together; it fails below pyproject's fail_under.
coverage: MEASURE := -m coverage run
coverage: test
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# Damaged tables and saved results, for as long as asked; the tests have a short run of the same.
MINUTES ?= 30
fuzz: $(VENV)/.test
	cd tests && ../$(BIN)/python -m fuzz $(MINUTES)

check: $(VENV)/.check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# The site, in build/site; a dead link, a page that nothing leads to and a misspelt word are errors.
docs: $(VENV)/.docs
	$(BIN)/codespell
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

# The outputs on the README and the teaching pages, printed anew; read the difference before it is committed.
pages: $(VENV)/.test
	cd tests && ../$(BIN)/python -m refresh_pages

# The tests of the parts that lean on other packages most, with the oldest versions that are allowed.
oldest:
	$(PYTHON) -m venv build/oldest
	build/oldest/bin/python -m pip install --quiet --constraint tests/oldest.txt --editable . pandas pytest hypothesis statsmodels polars click
	build/oldest/bin/python examples/demo.py
	build/oldest/bin/python -m pytest --quiet --ignore tests/unit/domain/test_errors.py tests/unit/read tests/unit/encode tests/unit/domain tests/unit/kernels

# What is published, built and checked, and installed without the source tree.
package:
	$(PYTHON) -m venv build/package
	build/package/bin/python -m pip install --quiet build twine
	rm -rf dist && build/package/bin/python -m build --outdir dist .
	build/package/bin/python -m twine check --strict dist/*
	$(PYTHON) -m venv build/installed
	build/installed/bin/python -m pip install --quiet dist/*.whl
	cd build && installed/bin/causalrules simulate hospital -o hospital.csv && installed/bin/causalrules mine hospital.csv --outcome ill=yes

# The software that a run needs, with versions, as CycloneDX JSON.
sbom: $(VENV)/.core
	$(PYTHON) -m venv build/sbom
	build/sbom/bin/python -m pip install --quiet cyclonedx-bom
	build/sbom/bin/cyclonedx-py environment $(BIN)/python --output-file build/sbom.json

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

calibration scaling reproduce: $(VENV)/.bench
	$(BIN)/python -m experiments.$@

# Dependency groups need pip 25.1; Python 3.11 brings an older one along.
$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"

# One stamp for each set of dependencies: installed once, and again when pyproject.toml changes. With the
# first, kernels are compiled, so that a user's first run is not the compiler's.
$(VENV)/.core: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	$(BIN)/causalrules warm-up
	touch $@

$(VENV)/.test: EXTRAS := [all]
$(VENV)/.check: EXTRAS := [explorer]
$(VENV)/.bench: EXTRAS := [peers,pictures,propensity,spark]
$(VENV)/.test $(VENV)/.check $(VENV)/.docs $(VENV)/.bench: $(VENV)/.%: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable ".$(EXTRAS)" --group $*
	touch $@

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build
