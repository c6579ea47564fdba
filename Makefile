# make advise and make test set everything up from nothing with only python3 and make.
PYTHON ?= python3
BIN := .venv/bin
CONFIG ?= examples/proliant2000_as_tested.toml

.PHONY: advise test check format lint types contracts examples certify stress stress-tenth faults bench-peers accuracy verify-tables book test-book clean
.DEFAULT_GOAL := advise

advise: .venv/.run  ## the main job: advice for a real server of 1995
	@$(BIN)/qmodel advise $(CONFIG)

test: .venv/.test  ## the whole test suite
	@$(BIN)/python -m pytest -n 2

check: .venv/.test lint types contracts examples stress-tenth test  ## everything a change must pass

format: .venv/.test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: .venv/.test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: .venv/.test
	$(BIN)/mypy

contracts: .venv/.test
	$(BIN)/lint-imports

examples: .venv/.test  ## every example runs and prints what stands beside it
	$(BIN)/python scripts/run_examples.py

certify: .venv/.test  ## correct digits of every solver on the certified networks
	$(BIN)/python -m scripts.certify

stress: .venv/.test  ## random networks against the invariants and a second solver
	$(BIN)/python -m tests.stress --count 100000

stress-tenth: .venv/.test
	$(BIN)/python -m tests.stress --count 10000

faults: .venv/.test  ## planted faults, each caught by the suite
	$(BIN)/python -m tests.faults

bench-peers: .venv/.test  ## ratios against the peers, which go to an environment of their own
	$(BIN)/python benchmarks/peers.py

accuracy: .venv/.test  ## errors of the approximate methods over recorded families
	$(BIN)/python -m benchmarks.accuracy

verify-tables: .venv/.test  ## SEEDS=DIR: the shipped tables against the papers' text
	$(BIN)/python scripts/verify_tables.py $(SEEDS)

.venv/.run: pyproject.toml scripts/make_venv.py
	@echo "setting up .venv (once, about a minute)"
	@$(PYTHON) scripts/make_venv.py
	@touch $@

.venv/.test: pyproject.toml scripts/make_venv.py
	@echo "setting up .venv for tests (once, about a minute)"
	@$(PYTHON) scripts/make_venv.py test
	@touch $@ .venv/.run

book: .venv/.docs  ## the handbook, every cell of it run
	$(BIN)/python scripts/make_book.py

test-book: .venv/.docs  ## the built handbook in a headless browser
	cd book/tests && ../../$(BIN)/python -m pytest --rootdir . -p no:cacheprovider -q .

.venv/.docs: pyproject.toml scripts/make_venv.py
	@echo "setting up .venv for the handbook (once, two minutes)"
	@$(PYTHON) scripts/make_venv.py docs test
	@touch $@ .venv/.run

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
