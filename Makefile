# `make demo` and `make test` need Python 3.11 or later and make; they install everything else in .venv.
SHELL := /bin/sh
PYTHON ?= $(shell sh tests/find_python.sh)
BIN := .venv/bin

WORKERS := -n auto --maxprocesses 8 --dist worksteal

.PHONY: help demo test other lowest quick lint bench gallery pictures graphviz chromium clean

help: ## list what can be made
	@grep -E '^[a-z]+:.*## ' Makefile | sed 's/:.*## /\t/' | expand -t 12

demo: .venv/installed graphviz ## show GPT-3's four metrics with their routes, and draw their lineage in demo/
	@echo "GPT-3's metrics: runlineage show Gpt3PublishedRun"
	@$(BIN)/runlineage show Gpt3PublishedRun
	@echo "Their lineage: runlineage draw Gpt3PublishedRun"
	@mkdir -p demo
	@if command -v dot >/dev/null 2>&1; then $(BIN)/runlineage draw Gpt3PublishedRun -o demo/gpt3.svg; \
	else $(BIN)/runlineage draw Gpt3PublishedRun -o demo/gpt3.txt; fi

test: .venv/tested graphviz chromium lint ## linters, type checkers and all tests (CI=1: with coverage)
	$(BIN)/python -m pytest $(WORKERS) $(if $(CI),--cov --cov-report=term:skip-covered)

other: graphviz chromium ## the tests on the other series of pint, with pandas 2 and Spark
	@sh tests/other_line.sh "$(PYTHON)" $(WORKERS)

lowest: graphviz chromium ## the tests on the lowest version of each dependency that pyproject.toml allows
	@sh tests/lowest.sh $(WORKERS)

quick: .venv/tested ## the tests without those that build wheels or environments
	$(BIN)/python -m pytest $(WORKERS) -m "not slow" -q

lint: .venv/tested ## formatting, lint and types
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(BIN)/pyright --pythonpath $(BIN)/python

bench: .venv/tested ## measure speed as ratios to named baselines (ROWS='1e7 1e8' streams more rows)
	$(BIN)/python -m tests.benchmarks $(ROWS)

gallery: .venv/installed graphviz ## redraw the pictures of visualizations/gallery
	@$(BIN)/python -m tests.gallery

pictures: .venv/installed graphviz ## redraw the pictures of the examples
	@for kept in examples/pictures/*.svg; do \
	$(BIN)/python examples/$$(basename $$kept .svg).py --picture $$kept >/dev/null || exit 1; done

graphviz:
	@command -v dot >/dev/null 2>&1 || { echo "Installing graphviz, which draws the pictures ..."; sh tests/install_graphviz.sh; }

chromium: # the browser tests skip where there is none, and must run in CI
	@test -z "$(CI)" || command -v chromium >/dev/null 2>&1 || sh tests/install_chromium.sh

.venv/installed: pyproject.toml
	@test -n "$(PYTHON)" || { echo "runlineage needs Python 3.11 or later; none was found. Name one: make PYTHON=/path/to/python3"; exit 1; }
	@sh tests/make_environment.sh "$(PYTHON)" .venv -e .
	@touch $@

.venv/tested: .venv/installed
	@sh tests/make_environment.sh "$(PYTHON)" .venv -e ".[test,lint]"
	@touch $@

clean: ## remove all that was made
	rm -rf .venv .venv-other .venv-lowest build dist demo .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
