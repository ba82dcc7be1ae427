# Stampede's tasks, by name. `make` alone lists them.
SHELL := /bin/sh
BIN := .venv/bin
STAMP := .venv/.stamp
CODE := src tests scripts $(wildcard benches examples simulation)
# Further arguments for the command that a target runs: make test ARGS="-k cascade"
ARGS ?=
# Processes that run tests: two more than there are cores, as many tests wait for servers and browsers.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 2)

# The browser client: sources (folders too, so that a removed file counts), its packages, and what is built of them.
WEB := $(shell find web/src web/public) web/index.html web/vite.config.ts web/svelte.config.js web/tsconfig.json
PACKAGES := web/node_modules/.stamp
CLIENT := src/stampede/server/web/index.html
NPM := scripts/npm --silent

# $(call hush,NAME,COMMAND): run a talkative command and show what it said only when it fails.
# (mkdocs --quiet isn't enough: it silences the warnings that --strict counts, too.)
hush = { $(2) > build/$(1).log 2>&1 || { cat build/$(1).log; exit 1; }; }
# Material advertises its successor at every build; docs/decisions/0001-tooling.md has it.
export NO_MKDOCS_2_WARNING := 1

.DEFAULT_GOAL := help
# A client that was built half-way isn't newer than its sources.
.DELETE_ON_ERROR:
.PHONY: help setup play web test coverage soak simulation lab check format types reference golden screenshots icons solved bench docs constraints release clean

help: ## Show this list
	@echo "Stampede. Usage: make TARGET"
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMP) ## Make .venv with everything that you need; quick when nothing has changed
	@echo "Ready. Next: make play, or make test."

$(STAMP): pyproject.toml constraints.txt scripts/setup
	@PYTHON="$(PYTHON)" scripts/setup

$(PACKAGES): web/package.json web/package-lock.json scripts/npm | $(STAMP)
	@echo "Fetching the browser client's packages ..."
	@mkdir -p build
	@$(call hush,packages,scripts/npm ci)
	@touch $@

$(CLIENT): $(PACKAGES) $(WEB)
	@echo "Building the browser client ..."
	@mkdir -p build && touch build/web.begin
	@$(call hush,web,$(NPM) run build)
	@touch -r build/web.begin $@ # what was changed meanwhile isn't built yet

web: $(CLIENT) ## Build the browser client, if its sources have changed

play: $(STAMP) $(CLIENT) ## Open the tables: starts the server, and a browser where there is one
	@$(BIN)/stampede serve --browser $(ARGS)

test: $(STAMP) $(CLIENT) ## Run all tests, on all cores
	@scripts/chromium
	@$(call hush,vitest,$(NPM) test)
	@$(BIN)/pytest -q -n $(WORKERS) --dist worksteal $(ARGS)

# The tests of these packages alone: what reaches the rules through a server or a browser proves little about a branch.
COVERED := tests/core tests/zoff tests/buffalo tests/matches tests/store tests/golden tests/test_front.py \
	tests/server/ops/test_damage.py tests/server/ops/test_tools.py
coverage: $(STAMP) ## Measure the branch coverage of rules, matches and store: 95 % or more
	@mkdir -p build/coverage
	@$(BIN)/pytest -q -n $(WORKERS) --dist worksteal --hypothesis-profile=coverage --cov --cov-report=json:build/coverage.json $(COVERED) \
		--ignore=tests/buffalo/test_fairy_stockfish.py $(ARGS)
	@$(BIN)/coverage report > build/coverage.txt
	@$(BIN)/python scripts/check_coverage.py build/coverage.json

soak: $(STAMP) ## Play hundreds of games under kills, check histories, try the writer's mutants (GAMES=200)
	@STAMPEDE_SOAK_GAMES=$(or $(GAMES),200) STAMPEDE_HISTORY_GAMES=$(or $(GAMES),200) STAMPEDE_MUTANTS=1 \
		$(BIN)/pytest -q -s tests/server/ops/test_kills.py tests/server/history/test_histories.py \
		tests/store/log/test_writer_mutants.py $(ARGS)

simulation: $(STAMP) ## Run the whole server on virtual time under faults, seed by seed (SEEDS=100)
	@$(BIN)/python -m simulation --seeds $(or $(SEEDS),100) $(ARGS)

lab: $(STAMP) ## Compare environments with the rules over 12,600 games (GAMES=700), run OpenSpiel's suite and Ray
	@$(BIN)/python -m pip --disable-pip-version-check -qq install -c constraints.txt --no-build-isolation -e '.[openspiel,ray]'
	@STAMPEDE_LAB_GAMES=$(or $(GAMES),700) $(BIN)/pytest -q -n auto --timeout=3600 tests/lab/vector tests/lab/test_openspiel.py tests/lab/shards tests/lab/tournament/test_ray.py $(ARGS)

check: $(STAMP) $(PACKAGES) ## Lint, formatting, types, import order, docs
	@mkdir -p build
	@echo "ruff: lint" && $(BIN)/ruff check -q $(CODE)
	@echo "ruff: formatting" && $(BIN)/ruff format -q --check $(CODE)
	@echo "mypy: types" && $(BIN)/mypy --no-error-summary $(CODE)
	@echo "import-linter: layers" && $(call hush,imports,$(BIN)/lint-imports --no-logo)
	@echo "svelte-check: types, accessibility" && $(call hush,svelte,$(NPM) run check)
	@echo "prettier: formatting" && $(call hush,prettier,$(NPM) run formatted)
	@echo "openapi-typescript: the server's types" && $(BIN)/python scripts/openapi.py build/openapi.json \
		&& $(call hush,types,$(NPM) run types -- --check)
	@echo "mkdocs: documentation" && $(call hush,docs,$(BIN)/mkdocs build --strict)

format: $(STAMP) $(PACKAGES) ## Format the code and repair what lint can repair
	@$(BIN)/ruff check -q --fix-only $(CODE)
	@$(BIN)/ruff format $(CODE)
	@$(NPM) run format -- --log-level warn

types: $(STAMP) $(PACKAGES) ## Make the browser client's types and the protocol's page anew from the server's OpenAPI
	@$(BIN)/python scripts/openapi.py build/openapi.json
	@$(NPM) run types
	@$(BIN)/python -m tests.docs.protocol_types
	@$(BIN)/python -m tests.docs.api_examples

reference: $(STAMP) ## Rewrite the page of commands, and the pages of rules with their pictures
	@$(BIN)/python scripts/cli_reference.py
	@$(BIN)/python scripts/pictures.py
	@$(BIN)/python scripts/rules_pages.py

golden: $(STAMP) ## Rewrite the golden playthroughs (read the difference!)
	@$(BIN)/python -m tests.golden.playthroughs

screenshots: $(STAMP) $(CLIENT) ## Retake the pictures of the main pages for the documentation
	@scripts/chromium
	@$(BIN)/python -m tests.web.screenshots $(ARGS)

icons: $(STAMP) ## Render the client's icon as PNG files
	@scripts/chromium
	@$(BIN)/python -m scripts.icons

solved: $(STAMP) ## Verify all certificates again and write docs/solved.md; takes minutes
	@$(BIN)/stampede solve results --note --page docs/solved.md $(ARGS)

bench: $(STAMP) ## Measure the speed of the rules
	@$(BIN)/python -m benches rules $(ARGS)

docs: $(STAMP) ## Serve the documentation, rebuilt at every change
	@$(BIN)/mkdocs serve $(ARGS)

constraints: $(STAMP) ## Resolve all packages again and pin them in constraints.txt
	@$(BIN)/python scripts/constraints.py

release: $(STAMP) ## Rehearse a release: check, build wheel and sdist, try both; uploads nothing
	@$(BIN)/python scripts/release.py $(ARGS)

clean: ## Remove everything that was made, .venv included
	@rm -rf .venv build dist web/node_modules src/stampede/server/web .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find src tests scripts -name __pycache__ -type d -prune -exec rm -rf {} +
