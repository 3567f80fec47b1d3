#!/usr/bin/env bash
# Runs the race detector on every package whose own code starts goroutines: on the tests that let them run together, stop them or
# compare one processor with several. It slows arithmetic down tenfold, so tests of numbers are left to the plain run.
set -euo pipefail
cd "$(dirname "$0")/.."
packages=$(grep -rlE --include='*.go' --exclude='*_test.go' '^\s*go (func|[A-Za-z.]+\()|\.Go\(|context\.AfterFunc' . | xargs -r -n 1 dirname | sort -u)
together='Cancel|Stopped|Interrupt|Await|Deterministic|Processors|Cores|Simul|Starts|Context|Pipe|Killed|Goal'
# shellcheck disable=SC2086 # several packages
go test -race -short -timeout 15m -run "$together" $packages
