# `make run` and `make test` do all the set-up on a machine that has Python 3.11+ and make.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup run test lint bench lock clean

setup: .venv/ready

.venv/ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

run: setup
	$(BIN)/paperlake run tests/sample
	$(BIN)/paperlake sql "SELECT listed_on, rank, title, upvote_count FROM daily_papers ORDER BY listed_on DESC, rank LIMIT 5"

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint
	$(BIN)/pytest -n 2

bench: setup
	$(BIN)/python -m bench

# The lock carries hashes and no addresses; `uv` is needed only to make it anew.
lock:
	uv pip compile --quiet pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --output-file requirements.lock

clean:
	rm -rf .venv lake
