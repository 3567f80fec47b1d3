#!/usr/bin/env bash
# Runs every fuzz target of the module, one after the other, for TIME each: scripts/fuzz.sh [TIME], such as 10s (the
# default) or 10m.
# Fails when a target does; the input that failed then lies under its package's testdata/fuzz.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-10s}
targets=$(grep -rEo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]+' . | sed -E 's|^(.*)/[^/]*:func (Fuzz.*)$|\1 \2|' | sort -u || true)
failed=0
while read -r package target; do
	[ -n "$target" ] || continue
	echo "$package $target, $time"
	go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 1x "$package" </dev/null || failed=1
done <<<"$targets"
exit $failed
