# make demo      install into .venv, compare the fleets of scenarios/quickstart.yaml
# make test      what the tests need, then the tests        (make test ARGS="-k units")
# make oracle    NREL's SAM into .venv, then the tests that compare bills and projects with it
# make lint      ruff and pyright
# make bench     speed ratios and CPU limits
# make examples  reports/examples again, from the committed scenarios
# make calibrate  the constants of speed again, from the measured rows: calibration/, catalogue, docs/speed.md
# make lock      the lock files again, from pyproject.toml
# make clean     remove .venv and what the tools left

PYTHON ?= python3
ARGS ?=

BIN := .venv/bin
INSTALL := PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install --quiet --require-virtualenv
PINNED := --universal --python-version 3.11 --fork-strategy fewest --generate-hashes --no-header --no-annotate \
	--no-emit-index-url --no-emit-find-links --no-config --quiet
LOCK := printf 'hatchling\n' | $(BIN)/uv pip compile pyproject.toml - $(PINNED)

.PHONY: demo test oracle lint bench examples calibrate lock clean
.DELETE_ON_ERROR:

demo: .venv/.run
	@$(BIN)/tco run scenarios/quickstart.yaml
	@printf '\nReports: reports/quickstart.html (open in a browser), reports/quickstart.xlsx (live formulas),\n'
	@printf '         reports/quickstart.json, reports/quickstart.csv\n'

test: .venv/.test
	@$(BIN)/python -m pytest $(ARGS)

oracle: .venv/.oracle
	@TCO_REQUIRE_ORACLE=1 $(BIN)/python -m pytest tests/oracles $(ARGS)

lint: .venv/.dev
	@failed=0; for tool in "ruff check" "ruff format --check" pyright; do \
	  echo "$$tool"; $(BIN)/$$tool || failed=1; done; exit $$failed

bench: .venv/.test
	@$(MAKE) --silent .venv/.bench || echo "formulas and numpy-financial were not installed: they are skipped" >&2
	@$(BIN)/python benchmarks/run.py $(ARGS)

examples: .venv/.run
	@$(BIN)/tco run scenarios --out reports/examples --force

calibrate: .venv/.test
	@$(BIN)/python -m calibration.fit
	@$(BIN)/python -m calibration.publish
	@$(BIN)/python -m tests.docs.generate

lock: .venv/.dev
	$(LOCK) --output-file requirements.lock $(ARGS)
	$(LOCK) --extra test --constraints requirements.lock --output-file requirements-test.lock $(ARGS)
	$(LOCK) --extra test --extra dev --constraints requirements-test.lock --output-file requirements-dev.lock $(ARGS)
	for group in oracle pdf bench; do $(BIN)/uv pip compile --group $$group $(PINNED) --constraints requirements-dev.lock \
	  --output-file requirements-$$group.lock $(ARGS) || exit 1; done

clean:
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis dist build

.venv/pyvenv.cfg:
	@command -v $(PYTHON) >/dev/null 2>&1 || { \
	  echo "tco needs Python 3.11 or newer, and there is no \`$(PYTHON)\` here: install one, or name it: make PYTHON=python3.12" >&2; \
	  exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "tco needs Python 3.11 or newer, and \`$(PYTHON)\` is $$($(PYTHON) --version 2>&1): name another, such as make PYTHON=python3.12" >&2; \
	  exit 1; }
	@echo "Creating .venv with $$($(PYTHON) --version 2>&1)" >&2
	@$(PYTHON) -m venv .venv >.venv.log 2>&1 || { \
	  rm -rf .venv; cat .venv.log >&2; rm -f .venv.log; \
	  echo "\`$(PYTHON) -m venv .venv\` failed: install Python's venv module (Debian, Ubuntu: apt-get install python3-venv) and run make again" >&2; \
	  exit 1; }
	@rm -f .venv.log

# Hash mode refuses editable installs, so the project itself comes second, without dependencies;
# hatchling stands in the lock file, so that building it asks no registry.
.venv/.run: requirements.lock pyproject.toml | .venv/pyvenv.cfg
	@echo "Installing what tco needs into .venv (once)" >&2
	@$(INSTALL) --require-hashes -r requirements.lock
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

.venv/.test: requirements-test.lock .venv/.run
	@echo "Installing what the tests need into .venv (once)" >&2
	@$(INSTALL) --require-hashes -r requirements-test.lock
	@touch $@

# Not among the tests' packages: there are wheels for some platforms only, and it is larger than all others together.
.venv/.oracle: requirements-oracle.lock .venv/.test
	@echo "Installing NREL's SAM into .venv (once)" >&2
	@$(INSTALL) --require-hashes -r requirements-oracle.lock
	@touch $@

# Not among the tests' packages either: 73 MB installed, and Pango must be there (Debian, Ubuntu: libpangoft2-1.0-0).
.venv/.pdf: requirements-pdf.lock .venv/.test
	@echo "Installing WeasyPrint into .venv (once)" >&2
	@$(INSTALL) --require-hashes -r requirements-pdf.lock
	@touch $@

# Not among the tests' packages either: `make bench` compares with it.
.venv/.bench: requirements-bench.lock .venv/.test
	@echo "Installing what the benchmarks compare with into .venv (once)" >&2
	@$(INSTALL) --require-hashes -r requirements-bench.lock
	@touch $@

# axe-core checks the report's accessibility in Chromium; the tests that want it say so where it is missing.
.venv/.axe: tests/report/axe/package-lock.json | .venv/pyvenv.cfg
	@echo "Installing axe-core into .venv (once)" >&2
	@mkdir -p .venv/axe && cp tests/report/axe/package.json tests/report/axe/package-lock.json .venv/axe
	@npm ci --prefix .venv/axe --ignore-scripts --no-audit --no-fund --silent
	@touch $@

.venv/.dev: requirements-dev.lock .venv/.test
	@echo "Installing ruff, pyright and uv into .venv (once)" >&2
	@$(INSTALL) --require-hashes -r requirements-dev.lock
	@touch $@
