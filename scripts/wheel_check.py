#!/usr/bin/env python3
"""Looks into wheels that cannot be installed here: scripts/wheel_check.py FOLDER

Every file has the hash of the record; the program is one, of the system and processor in the wheel's name."""

import base64
import hashlib
import sys
import zipfile
from pathlib import Path

PROGRAMS = {  # how the file begins: ELF with its machine, Mach-O with its processor
    "manylinux_2_17_x86_64": (b"\x7fELF", 18, b"\x3e\x00"), "manylinux_2_17_aarch64": (b"\x7fELF", 18, b"\xb7\x00"),
    "macosx_12_0_x86_64": (b"\xcf\xfa\xed\xfe", 4, b"\x07\x00\x00\x01"),
    "macosx_12_0_arm64": (b"\xcf\xfa\xed\xfe", 4, b"\x0c\x00\x00\x01")}


def check(path: Path) -> str:
    with zipfile.ZipFile(path) as wheel:
        files = {name: wheel.read(name) for name in wheel.namelist()}
        runs = wheel.getinfo("batopo/bin/batopo").external_attr >> 16 & 0o111
    record, = (name for name in files if name.endswith(".dist-info/RECORD"))
    lines = [line.split(",") for line in files[record].decode().splitlines()]
    assert {name for name, _, _ in lines} == set(files), "the record does not list every file"
    for name, digest, _ in lines:
        want = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).rstrip(b"=").decode()
        assert name == record or digest == f"sha256={want}", f"{name} is not what the record says"
    tag = path.stem.partition("py3-none-")[2]
    magic, at, machine = PROGRAMS[tag]
    program = files["batopo/bin/batopo"]
    assert runs and program.startswith(magic) and program[at:].startswith(machine), "the program is for another machine"
    assert f"Tag: py3-none-{tag}" in files[record.replace("RECORD", "WHEEL")].decode()
    assert "batopo/attachment.py" in files and "batopo/py.typed" in files
    return f"{path.name}: {path.stat().st_size / 1e6:.1f} MB, {len(files)} files"


wheels = [path for path in sorted(Path(sys.argv[1]).glob("*.whl")) if not path.stem.endswith("-any")]
assert len(wheels) == len(PROGRAMS), f"{len(wheels)} wheels with programs"
for each in wheels:
    print(check(each))
