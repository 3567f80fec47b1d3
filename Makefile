.PHONY: build install release release-check test go-test deep race fuzz training-test python-test check tools bench reproduce

PREFIX ?= /usr/local
PYTHON = /usr/bin/python3
# The product, and the experiments, a module of their own; go.work joins the two.
GO_CODE = ./... ./experiments/...
SHELL = /bin/bash
.SHELLFLAGS = -o pipefail -c
# What runs side by side prints as it goes, each line with the part that it comes from.
SAYS = 2>&1 | sed -u 's/^/$@: /'
# Tests have small heaps, which Go would collect all the time.
export GOGC ?= 400

build:
	go build -trimpath -o batopo ./cmd/batopo

# The program and its shell completions: make install [PREFIX=$$HOME/.local] [DESTDIR=…].
install: build
	install -Dm755 batopo $(DESTDIR)$(PREFIX)/bin/batopo
	./batopo completion bash | install -Dm644 /dev/stdin $(DESTDIR)$(PREFIX)/share/bash-completion/completions/batopo
	./batopo completion zsh | install -Dm644 /dev/stdin $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_batopo
	./batopo completion fish | install -Dm644 /dev/stdin $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/batopo.fish

# Archives for Linux and macOS, the Python package and checksums, in out/release; the same bytes for the same commit.
release:
	scripts/release.sh

release-check:
	scripts/release-check.sh

# What to run after every change: linters and quick tests, within 5 minutes on two cores with warm caches. Installs
# what the tests compare with.
test: tools
	$(MAKE) -j3 go-test python-test check training-test QUICK='-m "not deep"'

# Tests wait for sockets and processes, so Go and Python run side by side. Tests of Go need no debugging information.
go-test:
	go test -short -vet=off -ldflags=-w -timeout 30m $(GO_CODE) $(SAYS)

# Everything a change must pass before it is merged: all tests, races, fuzzing and the release. The linters and every
# test of make test are part of it.
deep: tools check
	go test -vet=off -timeout 60m -shuffle=on $(GO_CODE)
	scripts/race.sh
	scripts/fuzz.sh 4s
	$(MAKE) -j2 python-test training-test
	$(MAKE) release-check

# The race detector, on the packages that use goroutines.
race:
	scripts/race.sh

# Every fuzz target for FUZZTIME; make deep gives each 4 s.
fuzz:
	scripts/fuzz.sh $(FUZZTIME)

# The training simulators: linters, and tests with Debian's PyTorch on the CPU.
training-test:
	{ cd experiments && $(PYTHON) -m flake8 . && $(PYTHON) -m mypy && \
		$(PYTHON) -m pytest -q $(QUICK) training/tests language/tests; } $(SAYS)

# The PyTorch package: linters, and up to 16 gloo processes on the CPU.
python-test:
	{ cd python && $(PYTHON) -m flake8 . && $(PYTHON) -m mypy && $(PYTHON) -m pytest -q $(QUICK); } $(SAYS)

tools:
	scripts/test-tools.sh

check:
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "not gofmt-ed: $$unformatted"; exit 1; }
	go vet $(GO_CODE)
	go tool staticcheck $(GO_CODE)
	go mod tidy -diff
	go mod -C experiments tidy -diff

# Ratios in one run; machines are noisy, so compare within a run only.
bench: tools
	go test -run '^$$' -bench . -benchtime 1x $(GO_CODE)

# The paper's tables and figures beside ours: experiments/results/report.html. Rows that are there with the same
# settings are kept; make reproduce FRESH=all computes all of them again, in about half an hour on two cores.
# Fails when a claim of experiments/claims.json no longer holds.
reproduce:
	go build -buildvcs=auto -o out/experiments/ ./experiments/...
	out/experiments/compute -fresh "$(FRESH)"
	out/experiments/report
	out/experiments/check
