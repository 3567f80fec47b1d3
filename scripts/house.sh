#!/usr/bin/env bash
# Prints the size of every Go package as a Markdown table: lines of code and of tests, exported names (as go doc
# -short lists them) and the longest function outside tests; then all packages together and the direct dependencies.
# scripts/house.sh measures the working tree, scripts/house.sh REVISION that commit.
set -euo pipefail
shopt -s nullglob extglob
cd "$(dirname "$0")/.."
if [ $# -gt 0 ]; then
	tree=$(mktemp -d)
	trap 'git worktree remove --force "$tree"' EXIT
	git worktree add --quiet --detach "$tree" "$1"
	cd "$tree"
fi

lines() { cat /dev/null "$@" | wc -l; }

# longest FILE…: the most lines of a function; gofmt begins it with func and ends it with } at the margin.
longest() {
	awk '/^func / { start = FNR }
		start && (/^}/ || FNR == start && /}$/) { most = FNR - start + 1 > most ? FNR - start + 1 : most; start = 0 }
		END { print most + 0 }' /dev/null "$@"
}

row() { printf '| %s | %s | %s | %s | %s |\n' "$@"; }

row package lines "test lines" "exported names" "longest function"
row --- --: --: --: --:
all=0 tested=0 names=0 most=0
while read -r dir name; do
	code=("$dir"/!(*_test).go) tests=("$dir"/*_test.go) exported=0
	[ "$name" = main ] || exported=$(cd "$dir" && go doc -short | wc -l)
	package=${dir#"$PWD"} own=$(lines "${code[@]}") test=$(lines "${tests[@]}") long=$(longest "${code[@]}")
	package=${package#/}
	row "${package:-batopo (root)}" "$own" "$test" "$exported" "$long"
	all=$((all + own)) tested=$((tested + test)) names=$((names + exported)) most=$((long > most ? long : most))
done < <(go list -f '{{.Dir}} {{.Name}}' ./...)
row "all packages" $all $tested $names $most
echo
echo "Direct dependencies: $(go list -m -f '{{if not (or .Main .Indirect)}}{{.Path}}{{end}}' all | grep -c .)"
