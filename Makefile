# `make run` and `make test` do all the set-up on a machine that has Python 3.11+ and make.
PYTHON ?= python3
BIN := .venv/bin
# setup.sh makes no bytecode: Python makes it at the first import, of a third of the modules, in less time and room.
unexport PYTHONDONTWRITEBYTECODE
# Lakes of tests are in memory, where there are 6 GB for them: a release syncs some 390 times, for 3 ms each on a disk.
MEMORY := $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 6e6 { print "/dev/shm" }')
# The tests of a module share a process, for their fixtures, and the longest begin: tests/conftest.py. Drills have more
# processes than cores, since they wait for others that they started; with three the suite took a sixth longer than with
# two. Temporary files have a root of their own: in a shared one a run tidies up after others, and may fail at it.
PYTEST = scratch=$$(mktemp -d $(MEMORY:%=-p %)) && trap 'rm -rf "$$scratch"' EXIT && \
	TMPDIR="$$scratch" $(BIN)/pytest $(SPREAD)
SPREAD = -n $(PROCESSES) --dist loadfile --no-loadscope-reorder
PROCESSES := 2

ASSETS := flows/documents/explorer/assets
JS := .venv/js
NPM := flows/documents/explorer/npm

.PHONY: setup run assets assets-if-can explore wheel format lint lint-js test suite drills test-dates newest golden screens bench lock clean

# What runs a lake, and on top of it what its tests and this file need.
.venv/run: requirements.lock pyproject.toml setup.sh
	@rm -rf .venv
	@PYTHON="$(PYTHON)" sh setup.sh requirements.lock
	@touch $@

.venv/dev: requirements-dev.lock .venv/run
	@PYTHON="$(PYTHON)" sh setup.sh requirements-dev.lock
	@touch $@

setup: .venv/dev

run:
	@$(MAKE) --no-print-directory --jobs=2 .venv/run assets-if-can
	$(BIN)/paperlake run tests/sample
	$(BIN)/paperlake sql "SELECT listed_on, rank, title, upvote_count FROM daily_papers ORDER BY listed_on DESC, rank LIMIT 5"
	@echo "next: $(BIN)/paperlake open, $(BIN)/paperlake search \"folding maps\", $(BIN)/paperlake --help"

# What the explorer takes from others, and its own modules joined with it. A release is made without it too: its explorer's page then says what is missing.
assets: $(ASSETS)/parquet.js

$(ASSETS)/parquet.js: $(NPM)/bring.sh $(NPM)/package-lock.json $(NPM)/node.lock $(NPM)/parquet.js $(wildcard $(NPM)/../site/*.js)
	@PYTHON="$(PYTHON)" sh $(NPM)/bring.sh $(ASSETS)
	@touch $@

assets-if-can:
	@$(MAKE) --no-print-directory assets || echo "going on without an explorer" >&2

# What answers SQL in a browser, 9 MB that each release then has too (docs/explore.md).
explore: assets $(ASSETS)/duckdb.wasm.gz

$(ASSETS)/duckdb.wasm.gz: $(NPM)/bring.sh $(NPM)/sql/package-lock.json $(NPM)/sql/duckdb.js
	@PYTHON="$(PYTHON)" sh $(NPM)/bring.sh $(ASSETS) sql
	@touch $@

wheel: .venv/run assets-if-can
	$(BIN)/python -m hatchling build --target wheel

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@if command -v npm >/dev/null && $(MAKE) --no-print-directory $(JS)/node_modules; then $(MAKE) --no-print-directory lint-js; \
	else echo "no npm, or nothing from it: the explorer's JavaScript is not checked" >&2; fi

lint-js: $(JS)/node_modules
	$(JS)/node_modules/.bin/tsc --project $(NPM)/check/tsconfig.json
	$(JS)/node_modules/.bin/biome lint --error-on-warnings --config-path=$(NPM)/check flows/documents/explorer/site

$(JS)/node_modules: $(NPM)/check/package-lock.json
	@sh $(NPM)/bring.sh $(JS) check
	@touch $@

# Before each commit, in some minutes: all but the long drills, which CI runs too. Of two cores one is idle while mypy
# works: the tests begin beside it, with axe-core from npm there for them.
test: setup assets-if-can
	@! command -v npm >/dev/null || $(MAKE) --no-print-directory $(JS)/node_modules || true
	@$(MAKE) --no-print-directory --jobs=2 lint suite

suite: setup assets-if-can
	$(PYTEST) -m "not slow"

# Kills at many moments, full disks, schedules, whole lakes of the real captures: what takes some seconds a test.
# Only the modules that have such ones are collected: all others take five seconds of each process. The last of the
# alphabet come first, since those that start servers do.
drills: PROCESSES := 4
drills: setup assets-if-can
	$(PYTEST) -m slow tests/real $$(grep -rl --include="test_*.py" "pytest\.mark\.slow" tests | sort -r)

# What the declarations render to, after a change that is meant; the difference shows in review.
golden: setup
	$(BIN)/python -m tests.golden.refresh
	$(BIN)/python -m tests.docs

# The screens of the documentation, taken in Chromium of the sample.
screens: setup explore
	$(BIN)/python -m tests.screens

# UTC: a month's end, 29 February, both days on which New York changes its clocks, five years on. All but the last are
# a minute before the moment, so that it passes while a drill runs.
DATES := "2026-11-30 23:59:00" "2028-02-29 23:59:00" "2026-11-01 05:59:00" "2027-03-14 06:59:00" "2031-11-22 12:00:00"
# A difference, not a date, at which every process would start anew. The clock of SeaweedFS, a program of Go, stays:
# no drill with a bucket. Each date is a process of one run of pytest, which has them share the lakes that tests only
# read; it collects only the modules that have a dated test: all others take as long to collect as these to run.
test-dates: export TZ := UTC
test-dates: SPREAD := --dist each
test-dates: setup
	@command -v faketime >/dev/null || { echo "no faketime: the drills are not run at other dates" >&2; exit 0; }; \
	for date in $(DATES); do \
		echo "the drills at $$date UTC"; \
		seconds=$$(( $$(date -ud "$$date" +%s) - $$(date +%s) )); \
		set -- "$$@" --tx "popen//python=faketime -f $$(printf %+d $$seconds) $(BIN)/python"; \
	done; \
	$(PYTEST) "$$@" -m dated --quiet $$(grep -rl --include="*.py" "pytest\.mark\.dated" tests)

# The tests with the newest packages that pyproject.toml allows, in an environment of their own: the locks keep to the
# oldest Prefect. By another Python too, as in `make newest PYTHON=python3.13`.
newest: BIN := .venv-newest/bin
newest: setup assets-if-can
	.venv/bin/uv venv --quiet --clear --python "$$(command -v $(PYTHON))" .venv-newest
	.venv/bin/uv pip install --quiet --python .venv-newest --editable ".[dev]" --group build
	$(PYTEST) -m "not slow"

bench: setup
	$(BIN)/python -m bench

# The locks carry hashes and no addresses.
LOCK := $(BIN)/uv pip compile --quiet pyproject.toml --group build --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate
lock: setup
	$(LOCK) --output-file requirements.lock
	$(LOCK) --extra digest --extra lineage --constraints requirements.lock --output-file docs/deploy/requirements.lock
	$(LOCK) --extra dev --constraints docs/deploy/requirements.lock --output-file requirements-dev.lock

clean:
	rm -rf .venv .venv-newest lake $(ASSETS)
