#!/usr/bin/env python3
"""Puts the program into the wheel of the Python package: scripts/wheel.py PURE.whl PROGRAM SYSTEM/PROCESSOR FOLDER

pip then installs both, and the command batopo. The same bytes for the same files."""

import base64
import hashlib
import sys
import zipfile
from pathlib import Path

TAGS = {"linux/amd64": "manylinux_2_17_x86_64", "linux/arm64": "manylinux_2_17_aarch64",
        "darwin/amd64": "macosx_12_0_x86_64", "darwin/arm64": "macosx_12_0_arm64"}  # as old as Go's programs run on
COMMAND = b"[console_scripts]\nbatopo = batopo.program:main\n"


def packed(pure: Path, program: bytes, tag: str) -> "dict[str, bytes]":
    """The files of the new wheel, with the record of their hashes."""
    with zipfile.ZipFile(pure) as wheel:
        files = {name: wheel.read(name) for name in wheel.namelist()}
    record, = (name for name in files if name.endswith(".dist-info/RECORD"))
    info = record.rpartition("/")[0]
    about = files[f"{info}/WHEEL"].replace(b"Root-Is-Purelib: true", b"Root-Is-Purelib: false")
    files[f"{info}/WHEEL"] = about.replace(b"Tag: py3-none-any", f"Tag: py3-none-{tag}".encode())
    files[f"{info}/entry_points.txt"] = COMMAND
    files["batopo/bin/batopo"] = program
    del files[record]
    lines = [f"{name},sha256={digest(files[name])},{len(files[name])}" for name in sorted(files)]
    return {**files, record: "".join(f"{line}\n" for line in [*lines, f"{record},,"]).encode()}


def digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def main() -> None:
    pure, program, system, folder = sys.argv[1:]
    name = Path(pure).name.replace("py3-none-any", f"py3-none-{TAGS[system]}")
    with zipfile.ZipFile(Path(folder, name), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for path, content in packed(Path(pure), Path(program).read_bytes(), TAGS[system]).items():
            entry = zipfile.ZipInfo(path)  # of 1980: no time of the build
            entry.external_attr = (0o100755 if path == "batopo/bin/batopo" else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)


main()
