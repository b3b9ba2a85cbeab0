# `make demo` and `make test` need Python 3.11 or later and make; they set up all else in .venv.
SHELL := /bin/sh
PYTHON ?= $(shell sh tests/find_python.sh)
BIN := .venv/bin

WORKERS := -n auto --maxprocesses 8 --dist worksteal

.PHONY: help demo test other quick lint bench gallery pictures graphviz chromium clean

help: ## say what can be made
	@grep -E '^[a-z]+:.*## ' Makefile | sed 's/:.*## /\t/' | expand -t 12

demo: .venv/installed graphviz ## show GPT-3's four metrics with their routes, and draw their lineage
	@$(BIN)/runlineage show Gpt3PublishedRun
	@mkdir -p demo
	@if command -v dot >/dev/null 2>&1; then $(BIN)/runlineage draw Gpt3PublishedRun -o demo/gpt3.svg; \
	else $(BIN)/runlineage draw Gpt3PublishedRun -o demo/gpt3.txt; fi

test: .venv/tested graphviz chromium lint ## lint, types and the whole suite (CI=1: with coverage)
	$(BIN)/python -m pytest $(WORKERS) $(if $(CI),--cov --cov-report=term:skip-covered)

other: graphviz chromium ## the suite on the other line of pint, with pandas 2 and Spark, where Python allows
	@sh tests/other_line.sh "$(PYTHON)" $(WORKERS)

quick: .venv/tested ## the suite without what builds wheels or environments
	$(BIN)/python -m pytest $(WORKERS) -m "not slow" -q

lint: .venv/tested
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy

bench: .venv/tested ## speed as ratios against named baselines, in one run; ROWS='1e7 1e8' streams more
	$(BIN)/python -m tests.benchmarks $(ROWS)

gallery: .venv/installed graphviz ## draw the kept pictures of visualizations/gallery anew
	@$(BIN)/python -m tests.gallery

pictures: .venv/installed graphviz ## draw the kept pictures of the examples anew
	@for kept in examples/pictures/*.svg; do \
	$(BIN)/python examples/$$(basename $$kept .svg).py --picture $$kept >/dev/null || exit 1; done

graphviz:
	@command -v dot >/dev/null 2>&1 || sh tests/install_graphviz.sh

chromium: # the browser tests skip where there is none, and must run in CI
	@test -z "$(CI)" || command -v chromium >/dev/null 2>&1 || sh tests/install_chromium.sh

.venv/installed: pyproject.toml
	@test -n "$(PYTHON)" || { echo "runlineage needs Python 3.11 or later; none was found. Name one: make PYTHON=/path/to/python3"; exit 1; }
	@sh tests/make_environment.sh "$(PYTHON)" .venv -e .
	@touch $@

.venv/tested: .venv/installed
	@sh tests/make_environment.sh "$(PYTHON)" .venv -e ".[test]"
	@touch $@

clean: ## remove what was made
	rm -rf .venv .venv-other build dist demo .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
