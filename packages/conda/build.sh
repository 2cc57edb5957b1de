#!/bin/sh
# What the recipe runs in the unpacked sources, with PREFIX the environment, CC its compiler and PYTHON its Python.
set -eu
export PKG_CONFIG_PATH="$PREFIX/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
make -j"${CPU_COUNT:-2}" IGRAPH= CAIRO= NVCC= PREFIX="$PREFIX" install
# The Python package opens the library that is installed, so both are of one build.
PATHCOUNT_LIBRARY=$PREFIX/lib/libpathcount.so "${PYTHON:-python3}" -m pip install --no-deps --no-build-isolation -q .
