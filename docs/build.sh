#!/bin/sh
# Builds the site, BUILD/docs/index.html:  sh docs/build.sh BUILD
# BUILD/docs-python is an environment of its own, made with packages from the package index; later runs need no network.
# The script exits 69 with a line that says why if it cannot be made. A warning of Sphinx is an error.
build=$(cd "$1" && pwd) || exit 1
top=$(cd "${0%/*}/.." && pwd)
python=${PYTHON:-python3}
home=$build/docs-python
tools='sphinx furo myst-nb sphinx-design sphinx-copybutton setuptools wheel numpy scipy networkx pandas matplotlib'
# The tests skip the examples of libraries that are not there.
others='pyarrow polars duckdb igraph rustworkx python-flint python-graphblas hetmatpy kuzu rdkit'
. "$top/python/environment.sh"

if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then
    echo 'docs: no python3 of version 3.11 or later with the module venv'
    exit 69
elif ! make_environment "$home" "$tools" "$others"; then
    echo "docs: the tools cannot be installed: $(tail -n 1 "$build/python.log")"
    exit 69
fi
install_wheel "$home" || exit
export PATH="$build:$home/bin:$PATH" PATHCOUNT_LIBRARY= PATHCOUNT_MAN="$build/pathcount.1"
export MPLCONFIGDIR="$home/matplotlib" MATPLOTLIBRC="$top/docs/matplotlibrc" OMP_WAIT_POLICY=passive
export IPYTHONDIR="$home/ipython"
mkdir -p "$IPYTHONDIR/profile_default/startup" && cp "$top/docs/shell_cells.py" "$IPYTHONDIR/profile_default/startup" || exit
rm -rf "$build/docs"
"$home/bin/python" -c 'import matplotlib.pyplot' 2> "$build/sphinx.log" # it makes a list of fonts once, and says so
"$home/bin/python" -m sphinx -q -E -W --keep-going -d "$home/doctrees" "$top/docs" "$build/docs" > "$build/sphinx.log" 2>&1 ||
    { grep -v 'IPKernelApp\|Executing notebook\|^$' "$build/sphinx.log"; exit 1; }
echo "$build/docs/index.html"
