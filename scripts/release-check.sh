#!/usr/bin/env bash
# Makes the release for this machine twice, compares the bytes, and runs what was made as its users would: the archive,
# and the wheel in a fresh venv without Go, torch and numpy. What is in the wheels of other systems is looked at.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$(go env GOHOSTOS)/$(go env GOHOSTARCH)
scripts/release.sh "$work/first" "$here" >/dev/null
scripts/release.sh "$work/second" >/dev/null
while read -r line; do grep -qxF "$line" "$work/second/SHA256SUMS"; done <"$work/first/SHA256SUMS"
tar -C "$work" -xzf "$work"/first/batopo-*-"${here/\//-}".tar.gz
cd "$work"/batopo-*/
./batopo version
./batopo cluster show examples/node-level-16.yaml >/dev/null
grep -q batopo completions/batopo.bash
/usr/bin/python3 -m zipfile -l "$work"/first/batopo-*-any.whl | grep batopo/attachment.py >/dev/null
/usr/bin/python3 "$OLDPWD/scripts/wheel_check.py" "$work/second"
tar -tzf "$work/first/$(basename "$PWD" "-${here/\//-}").tar.gz" | grep batopo/attachment.py >/dev/null
# The wheel of this machine, with nothing else installed and no other program in PATH.
/usr/bin/python3 -m venv "$work/venv"
"$work/venv/bin/pip" -q --disable-pip-version-check install --no-index --find-links "$work/first" batopo
cat >"$work/try.py" <<'END'
import batopo
design = batopo.optimize(bandwidth=[10, 10, 5, 5], edges=4)
assert len(design.rows()) == 4 and batopo.verify(design)["ok"]
print(design)
END
(cd "$work" && PATH="$work/venv/bin" "$work/venv/bin/python" try.py)
(cd "$work" && PATH="$work/venv/bin" "$work/venv/bin/batopo" version)
# What the container would hold, without Docker: its file system has no C library, so the program must need none.
cd "$OLDPWD"
eval "$(sed -n 's|^RUN \(CGO_ENABLED=0 go build .*\) -o /batopo |\1 -o "$work/alone" |p' Dockerfile)"
if ldd "$work/alone"; then echo "the program of the container needs libraries"; exit 1; fi
"$work/alone" version
echo "the release is the same bytes twice, and runs"
