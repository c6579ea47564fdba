# make advise and make test set everything up from nothing with only python3 and make.
PYTHON ?= python3
BIN := .venv/bin
CONFIG ?= examples/order_server_calibrated.toml

SECONDS ?= 60
SEED ?= 0
PYTHONS ?= python3.11 python3.12 python3.13 python3.14
# Environments beside .venv: oldest and newest versions, other Pythons.
BESIDE := .environments

.PHONY: advise test check format lint types contracts examples certify stress stress-tenth faults \
  mutate fuzz kill-sweep second-opinion wheels test-lowest test-latest test-pythons lock \
  audit-dependencies bench-peers accuracy outside verify-tables live telemetry book book-pdf test-book \
  new-rule new-device new-solver new-reader clean
.DEFAULT_GOAL := advise

advise: .venv/.run  ## the main job: advice for a server of today
	@$(BIN)/qmodel advise $(CONFIG)

test: .venv/.test  ## the whole test suite
	@$(BIN)/python -m pytest -n 2 --dist worksteal

check: .venv/.test lint types contracts examples stress-tenth wheels test  ## everything a change must pass

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
	$(BIN)/python -m benchmarks.stress --count 100000

stress-tenth: .venv/.test
	$(BIN)/python -m benchmarks.stress --count 10000

faults: .venv/.test  ## planted faults, each caught by the suite
	$(BIN)/python -m tests.faults

mutate: .venv/.test  ## small changes of the source that no test notices, MODULES="fit.py mva.py"
	$(BIN)/python -m benchmarks.mutation $(MODULES)

fuzz: .venv/.test  ## SECONDS=60: every loader and the whole command on spoilt files
	$(BIN)/python -m tests.fuzz $(SECONDS) --seed $(SEED)

kill-sweep: .venv/.test  ## a sweep killed 50 times loses nothing that was reported done
	$(BIN)/python scripts/kill_sweep.py

second-opinion: .venv/.test  ## other people's solvers, where installed, on networks they can do
	$(BIN)/python -m benchmarks.second_opinion

wheels: .venv/.test  ## sdist and wheel built, installed from each, and used
	$(BIN)/python scripts/try_wheels.py

test-lowest: requirements/lowest.txt  ## the suite with the oldest versions that are supported
	$(PYTHON) scripts/make_venv.py --lowest test --into $(BESIDE)/lowest
	$(BESIDE)/lowest/bin/python -m pytest -n 2 --dist worksteal -o filterwarnings=default

test-latest:  ## the suite with the newest versions there are today
	$(PYTHON) scripts/make_venv.py --latest test --into $(BESIDE)/latest
	$(BESIDE)/latest/bin/python -m pytest -n 2 --dist worksteal

test-pythons:  ## the suite on each of PYTHONS="python3.11 python3.12 ..." that is here
	@set -e; for each in $(PYTHONS); do \
	  $$each --version || { echo "$$each is not here: skipped"; continue; }; \
	  name=$$(basename $$each); \
	  $$each scripts/make_venv.py test --into $(BESIDE)/$$name; \
	  $(BESIDE)/$$name/bin/python -m pytest -n 2 --dist worksteal; \
	done

lock: .venv/.test  ## pin every dependency anew, with digests
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/python scripts/lock.py --upgrade

audit-dependencies:  ## known weaknesses of the pinned versions
	$(PYTHON) -m venv $(BESIDE)/audit
	$(BESIDE)/audit/bin/python -m pip install --quiet pip-audit
	$(BESIDE)/audit/bin/pip-audit --require-hashes --disable-pip -r requirements/docs.txt

bench-peers: .venv/.test  ## ratios against the peers, which go to an environment of their own
	$(BIN)/python benchmarks/peers.py

accuracy: .venv/.test  ## errors of the approximate methods over recorded families
	$(BIN)/python -m benchmarks.accuracy

outside: .venv/.test  ## networks like none that was recorded: errors beyond what is quoted
	$(BIN)/python -m benchmarks.outside

verify-tables: .venv/.test  ## SEEDS=DIR: the shipped tables against the papers' text
	$(BIN)/python scripts/verify_tables.py $(SEEDS)

live: .venv/.test  ## SYSTEM=redis: real servers recorded here under load, all of them in an hour
	$(BIN)/python -m scripts.live $(SYSTEM)

telemetry: .venv/.test  ## demands of a mix recorded here by three monitors, against each class alone
	$(BIN)/python -m scripts.telemetry

.venv/.run: requirements/run.txt scripts/make_venv.py
	@echo "setting up .venv (once, about a minute)"
	@$(PYTHON) scripts/make_venv.py
	@echo "the command is $(BIN)/qmodel; '. $(BIN)/activate' puts it on the path of this shell"
	@touch $@

.venv/.test: requirements/test.txt scripts/make_venv.py
	@echo "setting up .venv for tests (once, about a minute)"
	@$(PYTHON) scripts/make_venv.py test
	@touch $@ .venv/.run

book: .venv/.docs  ## the handbook, every cell of it run
	$(BIN)/python scripts/make_book.py

book-pdf: .venv/.docs  ## the built handbook as one tagged PDF, by the Chromium of this machine
	$(BIN)/python scripts/make_pdf.py

test-book: .venv/.docs  ## the built handbook in a headless browser
	cd book/tests && ../../$(BIN)/python -m pytest --rootdir . -p no:cacheprovider -q -n 2 --dist worksteal .

.venv/.docs: requirements/docs.txt scripts/make_venv.py
	@echo "setting up .venv for the handbook (once, two minutes)"
	@$(PYTHON) scripts/make_venv.py docs
	@touch $@ .venv/.run

new-rule new-device new-solver new-reader: .venv/.test  ## NAME=cap003_pool_size: its file, its line, its test
	$(BIN)/python -m scripts.new_room $(@:new-%=%) $(NAME)

clean:
	rm -rf .venv $(BESIDE) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
