# Everything runs in a virtual environment of its own; `make demo` and `make test` set it up.
PYTHON ?= python3
VENV := .venv
in = $(1)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
BIN := $(call in,$(VENV))

.PHONY: demo test coverage some fuzz check docs pages oldest package lock sbom bench calibration ablation scaling reproduce clean

demo: $(VENV)/.core
	$(BIN)/python examples/demo.py

# On all cores; tests/conftest.py says which tests share a worker. Then the kernels as plain Python, without what
# calls the same ones from threads, blocks on disk, a checkpoint or Spark.
test: $(VENV)/.test
	$(BIN)/python $(MEASURE) -m pytest --numprocesses=auto --no-loadscope-reorder
	NUMBA_DISABLE_JIT=1 $(BIN)/python $(MEASURE) -m pytest --numprocesses=auto --quiet \
	  -k "not (spark or streaming or caching or checkpoint or saved or threads)" tests/unit/kernels tests/unit/engines

# The tests while coverage watches, both lives of the kernels together; it fails below pyproject's fail_under.
coverage: MEASURE := -m coverage run
coverage: test
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# Some of the tests: make some TESTS=tests/browser
some: $(VENV)/.test
	$(BIN)/python -m pytest $(TESTS)

# Damaged tables, results, checkpoints and commands, for as long as asked; the tests have a short run of the same.
MINUTES ?= 30
fuzz: $(VENV)/.test
	cd tests && ../$(BIN)/python -m fuzz $(MINUTES)

check: $(VENV)/.check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/bandit --quiet --recursive --configfile pyproject.toml src lab/src
	$(BIN)/mypy

# The site, in build/site; a dead link, a page that nothing leads to and a misspelt word are errors.
docs: $(VENV)/.docs
	$(BIN)/codespell
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

# The outputs on the README and the teaching pages, printed anew; read the difference before it is committed.
pages: $(VENV)/.test
	cd tests && ../$(BIN)/python -m refresh_pages

# The tests of the parts that lean on other packages most, with the oldest versions that are allowed.
oldest: OLD := $(call in,build/oldest)
oldest: export NUMBA_CACHE_DIR := $(CURDIR)/build/oldest/cache
oldest:
	$(PYTHON) -m venv build/oldest
	$(OLD)/python -m pip install --quiet --constraint tests/oldest.txt --editable . pandas pytest hypothesis polars
	$(OLD)/python examples/demo.py
	$(OLD)/python -m pytest --quiet tests/unit/read/test_source.py tests/unit/read/test_frames.py tests/unit/read/test_columnar.py tests/unit/read/test_delimited.py tests/unit/encode/test_encode.py

# What is published, built and checked, and installed without the source tree, by wheel and by source.
package: NEW := $(call in,build/installed)
package:
	$(PYTHON) -m venv build/package
	$(call in,build/package)/python -m pip install --quiet build twine
	rm -rf dist
	for folder in . lab; do $(call in,build/package)/python -m build --outdir dist $$folder || exit 1; done
	$(call in,build/package)/python -m twine check --strict dist/*
	$(PYTHON) -m venv build/installed
	for built in dist/causalrules-*.whl dist/causalrules-*.tar.gz; do \
	  $(NEW)/python -m pip install --quiet --force-reinstall --no-deps $$built && $(NEW)/python -m pip install --quiet $$built && \
	  (cd build && ../$(NEW)/causalrules simulate hospital -o hospital.csv && ../$(NEW)/causalrules mine hospital.csv --outcome ill=yes) || exit 1; \
	done
	for built in dist/causalrules_lab-*.whl dist/causalrules_lab-*.tar.gz; do \
	  $(NEW)/python -m pip install --quiet --force-reinstall --no-deps $$built && $(NEW)/python -m pip check && \
	  (cd build && ../$(NEW)/causalrules simulate V8-2K -o small.csv && ../$(NEW)/causalrules datasets list && \
	    ../$(NEW)/causalrules reproduce --list && ../$(NEW)/causalrules compare hospital.csv --outcome ill=yes) || exit 1; \
	done

# Versions and checksums of everything that `pip install 'causalrules[all]'` brings along.
lock:
	$(PYTHON) -m venv build/lock
	$(call in,build/lock)/python -m pip install --quiet uv
	$(call in,build/lock)/uv pip compile pyproject.toml --extra all --universal --generate-hashes --no-emit-index-url \
	  --custom-compile-command "make lock" --quiet --output-file requirements.lock

# The software that a run needs, with versions, as CycloneDX JSON.
sbom: $(VENV)/.core
	$(PYTHON) -m venv build/sbom
	$(call in,build/sbom)/python -m pip install --quiet cyclonedx-bom
	$(call in,build/sbom)/cyclonedx-py environment $(BIN)/python --output-file build/sbom.json

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

scaling: $(VENV)/.bench
	$(BIN)/python -m experiments.scaling

# The default's own tables, then the ones on which it and the next method are judged alike.
calibration: $(VENV)/.bench
	$(BIN)/python -m experiments.calibration
	$(BIN)/python -m experiments.plain_calibration

# The next method without each of its parts, one after the other.
ablation: $(VENV)/.bench
	$(BIN)/python -m experiments.plain_ablation --page

reproduce: $(VENV)/.bench
	$(BIN)/causalrules paper reproduce --to experiments/results

# Dependency groups need pip 25.1; Python 3.11 brings an older one along.
$(VENV)/pyvenv.cfg:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"

# One stamp for each set of dependencies: installed once, and again when pyproject.toml changes. With the
# first, modules and kernels are compiled, so that a user's first run is not the compiler's.
$(VENV)/.core: pyproject.toml | $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install --quiet --editable .
	$(BIN)/python -m compileall -q src
	$(BIN)/causalrules warm-up
	touch $@

$(VENV)/.test: EXTRAS := [all]
$(VENV)/.check: EXTRAS := [explorer]
$(VENV)/.bench: EXTRAS := [pictures,propensity,spark]
$(VENV)/.test $(VENV)/.bench: PEERS := [peers]
$(VENV)/.test $(VENV)/.check $(VENV)/.docs $(VENV)/.bench: $(VENV)/.%: pyproject.toml lab/pyproject.toml | $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install --quiet --editable ".$(EXTRAS)" --editable "./lab$(PEERS)" --group $*
	touch $@

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build
