#!/usr/bin/env bash
# Makes the release for this machine twice, compares the bytes, and runs what was made as its users would.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$(go env GOHOSTOS)/$(go env GOHOSTARCH)
scripts/release.sh "$work/first" "$here" >/dev/null
scripts/release.sh "$work/second" "$here" >/dev/null
diff "$work/first/SHA256SUMS" "$work/second/SHA256SUMS"
tar -C "$work" -xzf "$work"/first/batopo-*-"${here/\//-}".tar.gz
cd "$work"/batopo-*/
./batopo version
./batopo cluster show examples/node-level-16.yaml >/dev/null
grep -q batopo completions/batopo.bash
/usr/bin/python3 -m zipfile -l "$work"/first/batopo-*.whl | grep batopo/attachment.py >/dev/null
tar -tzf "$work/first/$(basename "$PWD" "-${here/\//-}").tar.gz" | grep batopo/attachment.py >/dev/null
echo "the release is the same bytes twice, and runs"
