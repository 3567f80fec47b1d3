#!/usr/bin/env bash
# Prints the record table of docs/research/records.md: one Markdown row per "nodes edges [flags…]" line on
# standard input when called with -, else the budgets of the BA-Topo paper's Table I under an even degree limit.
set -euo pipefail
cd "$(dirname "$0")/.."
binary=$(mktemp)
trap 'rm -f "$binary"' EXIT
go build -o "$binary" ./cmd/batopo

table_one() {
	while read -r nodes edges; do echo "$nodes $edges --max-degree $(((2 * edges + nodes - 1) / nodes))"; done <<-LIST
		4 4
		6 9
		8 12
		12 24
		16 32
		24 60
		32 80
		48 144
		64 192
		96 336
		128 448
	LIST
}

# field NAME FILE: the first number called NAME in a plan.
field() { sed -n "s/^ *\"$1\": \([-0-9.e+]*\),*$/\1/p" "$2" | head -n 1; }

echo "| n, r | flags | r_asym | bound | gap | rounds | ms to target | found as | seconds |"
echo "|---|---|---|---|---|---|---|---|---|"
if [ "${1:-}" = - ]; then cat; else table_one; fi | while read -r nodes edges flags; do
	plan=$(mktemp)
	# shellcheck disable=SC2086 # flags are several words
	"$binary" optimize --nodes "$nodes" --edges "$edges" $flags --seed 1 --quiet --json >"$plan" </dev/null
	bound=$(sed -n '/"bound": {/,/}/s/^ *"r_asym": \([-0-9.e+]*\),*$/\1/p' "$plan" | head -n 1)
	how=$(sed -n 's/^ *"found as \(.*\)",*$/\1/p' "$plan")
	awk -v n="$nodes" -v r="$edges" -v f="$flags" -v v="$(field r_asym "$plan")" -v b="$bound" -v g="$(field gap "$plan")" \
		-v k="$(field iterations "$plan")" -v ms="$(field time_ms "$plan")" -v h="$how" -v t="$(field elapsed_ms "$plan")" \
		'BEGIN { printf "| %s, %s | %s | %.6f | %.4f | %.1f %% | %d | %.1f | %s | %.1f |\n", n, r, f, v, b, 100 * g, k, ms, h, t / 1000 }'
	rm -f "$plan"
done
