# The front door: `make help` lists every target. All tools are pinned, and built once into .bin/.

export GOTOOLCHAIN := go1.27.3
export GOFLAGS     := -buildvcs=false
export PATH        := $(CURDIR)/.bin:$(PATH)

TOOLS     := $(notdir $(patsubst %/go.mod,%,$(wildcard tools/*/go.mod)))
SERVICES  := .bin/temporal .bin/versitygw
REGO      := policies/*.rego policies/data.json
# The race detector needs a C compiler.
RACE      := $(if $(shell command -v cc gcc clang),-race)
GOTESTSUM := .bin/gotestsum --format pkgname-and-test-fails --
# A build tells its commit where git says it.
STAMP      = $(if $(shell git status --porcelain >/dev/null 2>&1 && echo yes),-buildvcs=true)
# What the API may not break. A clone that does not have it (a shallow one, say) skips that check.
BREAKING_AGAINST ?= main
# The database of known vulnerabilities: https:// of a mirror, or file:// of a copy. Out of reach, it is not asked.
VULNERABILITIES ?= https://vuln.go.dev
# A collection of lineage documents. Without one, what needs it is skipped.
CORPUS ?= ../shared/corpus
# How long each fuzz target runs.
FUZZTIME ?= 20s

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help dev build generate lint test e2e drill bench-ingest bench-lifecycle bench-traverse bench-storage check-ops conformance fuzz verify policy-test tools clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dev: build $(SERVICES) ## run everything on this machine, with a demo to look at (Ctrl-C stops it)
	@HEADWATER_POLICIES=policies exec .bin/headwater dev

build: ## build .bin/headwater
	@echo "building headwater (the first time takes a minute or two)"
	@go build $(STAMP) -o .bin/headwater ./cmd/headwater

generate: .bin/buf .bin/protoc-gen-go .bin/protoc-gen-connect-go ## generate gen/ from proto/
	buf generate

lint: .bin/golangci-lint .bin/buf .bin/workflowcheck .bin/opa .bin/govulncheck verify ## check style, imports, determinism of workflows, API, policies and known vulnerabilities
	golangci-lint run
	workflowcheck -config .workflowcheck.yaml ./workflows/...
	buf lint
	@if git cat-file -e $(BREAKING_AGAINST):buf.yaml 2>/dev/null; then \
		echo "buf breaking --against $(BREAKING_AGAINST)"; \
		buf breaking --against ".git#branch=$(BREAKING_AGAINST)"; \
	else \
		echo "skipped buf breaking: there is no $(BREAKING_AGAINST) to compare with"; \
	fi
	opa check --strict --schema policies/schemas $(REGO)
	opa fmt --fail --list policies/*.rego
	@echo "govulncheck ./..."; \
	found=$$(govulncheck -db $(VULNERABILITIES) ./... 2>&1); code=$$?; \
	case "$$code $$found" in \
	0*) ;; \
	1*"fetching vulnerabilities"*) echo "skipped: the vulnerability database is out of reach at $(VULNERABILITIES)" ;; \
	*) echo "$$found"; exit 1 ;; \
	esac

test: .bin/gotestsum $(SERVICES) policy-test ## run all tests but the end-to-end ones, against real services
	go run ./internal/testenv/cmd/testenv $(GOTESTSUM) $(RACE) -timeout 20m $$(go list ./... | grep -v /e2e)

e2e: build .bin/gotestsum $(SERVICES) .venv/installed ## run the end-to-end tests, with an unmodified OpenLineage client
	$(GOTESTSUM) -count=1 -timeout 15m ./e2e/...

drill: build $(SERVICES) ## break each part under load and check that nothing is lost; FLAGS="-seeds 10" goes on, -h lists the rest
	go run ./drill $(FLAGS)

bench-ingest: build $(SERVICES) ## measure the doors under load and at saturation; FLAGS="-soak 3m" goes on, -h lists the rest
	go run ./bench/ingest $(FLAGS)

bench-lifecycle: build $(SERVICES) ## measure how soon runs are published, how a burst drains, and what Temporal does for a run; FLAGS="-burst-for 10s" is shorter
	go run ./bench/lifecycle $(FLAGS)

bench-traverse: build ## measure traversals and replay over an invented company, and check every answer; FLAGS=-full loads a year
	go run ./bench/traverse $(FLAGS)

bench-storage: $(SERVICES) ## measure bytes an event, a run and an edge, and how they grow over weeks; FLAGS="-weeks 52" stores the changes of a year
	go run ./bench/storage $(FLAGS)

check-ops: .bin/promtool ## check that alerts and dashboard load, and that alerts fire when they should
	go test -count=1 ./ops

# It would bring the clients of every cloud that Prometheus can discover machines in.
.bin/promtool: export GOFLAGS += -tags=remove_all_sd

conformance: $(SERVICES) ## hold the system against a corpus of lineage documents: what is accepted, and what it shows then
	go run ./conformance -corpus $(CORPUS)

fuzz: $(SERVICES) ## fuzz every decoder and door, each for FUZZTIME=20s; what is found stays as a test
	@grep -r --include='*_test.go' -o '^func Fuzz[A-Za-z]*' . | sort | while IFS=: read -r file target; do \
		echo "$$(dirname $$file) $${target#func }"; \
		go test -run '^$$' -fuzz "^$${target#func }$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x "$$(dirname $$file)" || exit 1; \
	done

verify: .bin/buf .bin/protoc-gen-go .bin/protoc-gen-connect-go ## fail when generated code is not up to date
	@fresh=$$(mktemp -d) && trap 'rm -rf "$$fresh"' EXIT && \
		buf generate --output "$$fresh" && \
		{ diff -r "$$fresh/gen" gen || { echo "gen/ is not up to date: run \`make generate\`"; exit 1; }; }

policy-test: .bin/opa ## run the tests of the policies
	opa test --timeout 1m $(REGO)

tools: $(TOOLS:%=.bin/%) ## build every pinned tool into .bin/

clean: ## remove what was built; .dev/, the data of `make dev`, stays
	rm -rf .bin .venv

.bin/%: tools/%/go.mod tools/%/go.sum
	@echo "building $* (once; a large one takes two minutes)"
	@cd tools/$* && go build -trimpath -ldflags='-s -w' -o $(CURDIR)/$@ tool
	@touch $@

.venv/installed: e2e/requirements.txt
	@echo "installing the Python client for the end-to-end tests (once)"
	@python3 -m venv .venv
	@.venv/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@
