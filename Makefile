# `make run` and `make test` do all the set-up on a machine that has Python 3.11+ and make.
PYTHON ?= python3
BIN := .venv/bin
# How tests are spread over two processes: tests/conftest.py
PYTEST := $(BIN)/pytest -n 2 --dist loadgroup --no-loadscope-reorder

.PHONY: setup run format lint check test golden bench lock clean

setup: .venv/ready

.venv/ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

run: setup
	$(BIN)/paperlake run tests/sample
	$(BIN)/paperlake sql "SELECT listed_on, rank, title, upvote_count FROM daily_papers ORDER BY listed_on DESC, rank LIMIT 5"

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Before each commit: everything but the drills, in under two minutes.
check: lint
	$(PYTEST) -m "not slow"

test: lint
	$(PYTEST)

# What the declarations render to, after a change that is meant; the difference shows in review.
golden: setup
	$(BIN)/python -m tests.golden.refresh
	$(BIN)/python -m tests.docs

bench: setup
	$(BIN)/python -m bench

# The lock carries hashes and no addresses; `uv` is needed only to make it anew.
lock:
	uv pip compile --quiet pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --output-file requirements.lock

clean:
	rm -rf .venv lake
