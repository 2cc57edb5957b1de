#!/bin/sh
# The recipes, as far as they can be tried without their tools:  sh packages/check.sh BUILD
# The archive of `make dist` is unpacked, built and installed by what the recipe of conda-forge runs, in a virtual environment,
# and used; meta.yaml and the formula are read. Needs what the build needs, and Python with venv.
# The last line is "N passed, N failed, N skipped"; exits 1 when anything failed.

build=$(cd "$1" && pwd) || exit 1
top=$(cd "${0%/*}/.." && pwd)
home=$build/recipes
log=$home/log
passed=0 failed=0 skipped=0
. "$top/tests/checks.sh"
rm -rf "$home" && mkdir "$home" || exit 1

# The environment stands for that of conda; its Python builds the wheel.
build_as_conda()
{
    archive=$(make -s -C "$top" BUILD="$build" dist) && tar -xzf "$archive" -C "$home" &&
        "${PYTHON:-python3}" -m venv "$home/prefix" &&
        "$home/prefix/bin/pip" install -q setuptools wheel &&
        cd "$home"/pathcount-* && PREFIX=$home/prefix PYTHON=$home/prefix/bin/python sh packages/conda/build.sh
}

use()
{
    cd "$home" && printf 'A B\nB C\nC A\n' > triangle.txt &&
        prefix/bin/pathcount triangle.txt --length 3 --trace | grep -qw 6 &&
        PATHCOUNT_LIBRARY='' prefix/bin/python -c 'import pathcount; assert pathcount.trace("triangle.txt", 3) == 6'
}

# Without the lines that conda fills in.
read_meta()
{
    grep -v '{%' "$top/packages/conda/meta.yaml" | sed 's/{{[^}]*}}/text/g' |
        "$home/prefix/bin/python" -c 'import sys, yaml; assert yaml.safe_load(sys.stdin)["package"]["name"] == "pathcount"'
}

check 'the archive is built by the recipe of conda-forge' build_as_conda
check 'what it installs works' use
if "$home/prefix/bin/pip" install -q pyyaml > "$log" 2>&1; then
    check 'meta.yaml' read_meta
else
    skip 'meta.yaml' 'pyyaml cannot be installed'
fi
if command -v ruby > /dev/null; then
    check 'the formula of Homebrew' ruby -c "$top/packages/homebrew/pathcount.rb"
else
    skip 'the formula of Homebrew' 'ruby is not installed'
fi
end
