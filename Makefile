.PHONY: build install release release-check test race fuzz training-test python-test check tools bench reproduce

PREFIX ?= /usr/local

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

# Everything a change must pass, in about a quarter of an hour on two cores. Installs what the tests compare with.
test: tools check
	go test -timeout 60m -shuffle=on ./...
	scripts/race.sh
	scripts/fuzz.sh 10s
	$(MAKE) training-test
	$(MAKE) python-test
	$(MAKE) release-check

# The race detector, on the packages that use goroutines.
race:
	scripts/race.sh

# Every fuzz target for FUZZTIME; make test gives each 10 s.
fuzz:
	scripts/fuzz.sh $(FUZZTIME)

# The training simulator: linters, and tests with Debian's PyTorch on the CPU.
training-test:
	cd experiments && /usr/bin/python3 -m flake8 . && /usr/bin/python3 -m mypy && /usr/bin/python3 -m pytest -q training/tests

# The PyTorch package: linters, and up to 16 gloo processes on the CPU, in about two minutes.
python-test:
	cd python && /usr/bin/python3 -m flake8 . && /usr/bin/python3 -m mypy && /usr/bin/python3 -m pytest -q

tools:
	scripts/test-tools.sh

check:
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "not gofmt-ed: $$unformatted"; exit 1; }
	go vet ./...
	go tool staticcheck ./...
	go mod tidy -diff

# Ratios in one run; machines are noisy, so compare within a run only.
bench: tools
	go test -run '^$$' -bench . -benchtime 1x ./...

# The paper's tables and figures beside ours: experiments/results/report.html. Rows that are there with the same
# settings are kept; make reproduce FRESH=all computes all of them again, in about half an hour on two cores.
# Fails when a claim of experiments/claims.json no longer holds.
reproduce:
	go build -buildvcs=auto -o out/experiments/ ./experiments/...
	out/experiments/compute -fresh "$(FRESH)"
	out/experiments/report
	out/experiments/check
