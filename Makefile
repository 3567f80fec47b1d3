.PHONY: build test race fuzz training-test python-test check tools bench reproduce

build:
	go build -trimpath -o batopo ./cmd/batopo

# Everything a change must pass, in about a quarter of an hour on two cores. Installs what the tests compare with.
test: tools check
	go test -shuffle=on ./...
	scripts/race.sh
	scripts/fuzz.sh 10s
	$(MAKE) training-test
	$(MAKE) python-test

# The race detector, on the packages that use goroutines.
race:
	scripts/race.sh

# Every fuzz target for FUZZTIME; make test gives each 10 s.
fuzz:
	scripts/fuzz.sh $(FUZZTIME)

# The training simulator, with Debian's PyTorch on the CPU.
training-test:
	cd experiments && /usr/bin/python3 -m pytest -q training/tests

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
