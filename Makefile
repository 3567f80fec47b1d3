.PHONY: build test check tools bench

build:
	go build -trimpath -o batopo ./cmd/batopo

# Everything a change must pass. Installs what the tests compare with.
test: tools check
	go test -shuffle=on ./...

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
