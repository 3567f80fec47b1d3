#!/usr/bin/env bash
# Installs what the tests compare with and is not here yet: the SDP solvers CSDP and
# SDPA; OpenBLAS, whose eigenvalues ours are compared with; NumPy and networkx,
# which read our exports back; PyTorch, pytest, mypy and flake8 for the Python package and the training experiments;
# Fashion-MNIST, which train learns; Chromium, in which the page is tested.
# iproute2, with which they build shaped networks.
set -euo pipefail

missing=()
need() { # need COMMAND PACKAGE: the package is missing when the command fails
	if ! bash -c "$1" >/dev/null 2>&1; then missing+=("$2"); fi
}
need 'command -v csdp' coinor-csdp
need 'command -v sdpa' sdpa
need 'ldconfig -p | grep -q libopenblas.so.0' libopenblas0-pthread
need '/usr/bin/python3 -c "import numpy"' python3-numpy
need '/usr/bin/python3 -c "import networkx"' python3-networkx
need '/usr/bin/python3 -c "import torch"' python3-torch
need '/usr/bin/python3 -c "import pytest"' python3-pytest
need '/usr/bin/python3 -c "import mypy"' mypy
need '/usr/bin/python3 -c "import flake8"' flake8
need '/usr/bin/python3 -c "import setuptools, wheel"' python3-wheel
need 'command -v chromium' chromium
need 'command -v tc && command -v ip' iproute2
need 'test -r /usr/share/datasets/fashion-mnist/train-images-idx3-ubyte.gz' dataset-fashion-mnist

[ ${#missing[@]} -eq 0 ] && exit 0
echo "installing for the tests: ${missing[*]}"
as_root=""
[ "$(id -u)" -eq 0 ] || as_root=sudo
$as_root apt-get update -qq
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
