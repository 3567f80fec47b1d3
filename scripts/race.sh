#!/usr/bin/env bash
# Runs the race detector on every package whose own code starts goroutines: on the tests that let them run together,
# stop them or compare one processor with several. It slows arithmetic down tenfold, so tests of numbers are left to
# the plain run. A package without any such test fails.
set -euo pipefail
cd "$(dirname "$0")/.."
starts='^\s*go (func|[A-Za-z.]+\()|\.Go\(|context\.AfterFunc|grace\.Await|workers\.Each'
packages=$(grep -rlE --include='*.go' --exclude='*_test.go' "$starts" . | xargs -r -n 1 dirname | sort -u)
together='Cancel|Stopped|Interrupt|Await|Deterministic|Processors|Cores|Simul|Starts|Context|Pipe|Killed|Goal'
for package in $packages; do
	case $package in ./cmd/*) continue ;; esac # main has no tests of its own
	if [[ $(go test -list "$together" "$package") != Test* ]]; then
		echo "$package starts goroutines, but no test of it matches $together"
		exit 1
	fi
done
# shellcheck disable=SC2086 # several packages
go test -race -short -vet=off -timeout 60m -run "$together" $packages
