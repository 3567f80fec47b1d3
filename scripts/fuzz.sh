#!/usr/bin/env bash
# Runs every fuzz target of the module, one after the other, for TIME each: scripts/fuzz.sh [TIME], such as 10s (the
# default) or 10m.
# Fails when a target does; the input that failed then lies under its package's testdata/fuzz.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-10s}
targets=$(grep -rEo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]+' . | sed -E 's|^(.*)/[^/]*:func (Fuzz.*)$|\1 \2|' | sort -u || true)
failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# On a busy machine Go's fuzzer now and then calls the end of its own time a failure: "context deadline exceeded", and
# no input that failed. Only that, and nothing else, passes.
ended_by_the_clock() {
	grep -q '^ *context deadline exceeded$' "$log" && ! grep -qE 'Failing input|panic:|_test\.go:[0-9]+:' "$log"
}

while read -r package target; do
	[ -n "$target" ] || continue
	echo "$package $target, $time"
	go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 1x "$package" </dev/null 2>&1 |
		tee "$log" || ended_by_the_clock || failed=1
done <<<"$targets"
exit $failed
