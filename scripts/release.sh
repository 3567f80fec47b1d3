#!/usr/bin/env bash
# Makes what a release consists of: scripts/release.sh [FOLDER [SYSTEM/PROCESSOR…]], by default out/release and
# Linux and macOS on amd64 and arm64. One archive each with the program, shell completions, licence and examples, and
# one wheel with the program and the Python package; the package alone as wheel and source; checksums of all. Same
# commit and Go version: same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-out/release}
shift $(($# > 0 ? 1 : 0))
systems=("$@")
[ ${#systems[@]} -gt 0 ] || systems=(linux/amd64 linux/arm64 darwin/amd64 darwin/arm64)
version=$(sed -n 's/^const Version = "\(.*\)"$/\1/p' design/program.go)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH CGO_ENABLED=0
umask 022
rm -rf "$folder"
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # build SYSTEM PROCESSOR FILE
	GOOS=$1 GOARCH=$2 go build -trimpath -buildvcs=false -ldflags '-s -w -buildid=' -o "$3" ./cmd/batopo
}
pack() { # pack ARCHIVE PARENT NAME: the same bytes for the same files
	tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$2" -c "$3" | gzip -9n >"$1"
}

build "$(go env GOHOSTOS)" "$(go env GOHOSTARCH)" "$work/batopo"
for each in "${systems[@]}"; do
	name=batopo-$version-${each%/*}-${each#*/}
	inside=$work/$name
	mkdir -p "$inside/completions"
	build "${each%/*}" "${each#*/}" "$inside/batopo"
	for shell in bash zsh fish; do "$work/batopo" completion "$shell" >"$inside/completions/batopo.$shell"; done
	cp LICENSE README.md CHANGELOG.md "$inside/"
	cp -r examples "$inside/examples"
	chmod -R u=rwX,go=rX "$inside"
	pack "$folder/$name.tar.gz" "$work" "$name"
	echo "$folder/$name.tar.gz"
done

# the Python package, from a copy, so that nothing is left in the tree
cp -r python "$work/python"
cp LICENSE "$work/python/"
find "$work/python" -name __pycache__ -prune -exec rm -rf {} +
rm -rf "$work/python/tests" "$work/python/build"
(
	cd "$work/python"
	mkdir "$work/made"
	/usr/bin/python3 -W ignore -c '
from setuptools import build_meta
build_meta.build_wheel("../made"); build_meta.build_sdist("../made")' >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
)
cp "$work"/made/*.whl "$folder/"
for each in "${systems[@]}"; do
	program=$work/batopo-$version-${each%/*}-${each#*/}/batopo
	/usr/bin/python3 scripts/wheel.py "$folder"/batopo-*-py3-none-any.whl "$program" "$each" "$folder"
done
source=$(basename "$work"/made/*.tar.gz .tar.gz) # its times are those of the build: packed again
tar -C "$work" -xzf "$work/made/$source.tar.gz"
chmod -R u=rwX,go=rX "$work/$source"
pack "$folder/$source.tar.gz" "$work" "$source"

cd "$folder"
sha256sum -- *.tar.gz *.whl >SHA256SUMS
cat SHA256SUMS
