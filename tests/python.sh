#!/bin/sh
# Tests of the Python package, as a wheel in a virtual environment of its own:  sh tests/python.sh BUILD [long]
# The environment is BUILD/python3.x, made with packages from the package index; without a network, or without the module
# venv, everything is SKIPPED; tests of a package that cannot be installed are SKIPPED by its name. PYTHON=python3.12 chooses the Python. long: all of NetworkX's tests, 2,000 random graphs of
# each kind of object, more calls in the test of leaks.
# The last line is "N passed, N failed, N skipped"; exits 1 when anything failed.

build=$(cd "$1" && pwd) || exit 1
top=$(cd "${0%/*}/.." && pwd)
python=${PYTHON:-python3}
home=$build/python$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2> /dev/null)
log=$home/log
passed=0 failed=0 skipped=0
packages='pytest hypothesis cloudpickle numpy scipy networkx pandas pyarrow igraph setuptools wheel'
linters='ruff mypy pyright typing_extensions'
others='polars duckdb nanoarrow rustworkx python-graphblas rdkit scikit-network' # left out where they cannot be installed
. "$top/tests/checks.sh"
. "$top/python/environment.sh"

# tests NAME ARGUMENT...: as many tests as pytest says. Its last line is "1 failed, 105 passed, 2 skipped in 3 s".
tests()
{
    name=$1
    shift
    "$home/bin/python" -m pytest -q -p no:cacheprovider "$@" > "$log" 2>&1
    status=$?
    sum=$(tail -n 1 "$log")
    for word in passed failed skipped error; do
        n=$(echo "$sum" | sed -n "s/.*[^0-9]\([0-9][0-9]*\) ${word}s\{0,1\}\([, ].*\)*\$/\1/p; s/^\([0-9][0-9]*\) ${word}s\{0,1\}\([, ].*\)*\$/\1/p")
        case $word in
        passed) passed=$((passed + ${n:-0})) ;;
        skipped) skipped=$((skipped + ${n:-0})) ;;
        *) failed=$((failed + ${n:-0})) ;;
        esac
    done
    echo "$name: $sum"
    [ $status -eq 0 ] && return
    grep -v '^\.*\( *\[ *[0-9]*%\]\)*$' "$log" | sed 's/^/    /'
    [ $failed -gt 0 ] || failed=1
}

if grep -q -e ' -fsanitize' "$build/flags.stamp"; then
    skip 'the Python package' 'the sanitizers want to be loaded before Python'
    end
fi
if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))' 2> /dev/null; then
    skip 'the Python package' 'no python3 of version 3.9 or later with the module venv'
    end
fi
if ! make_environment "$home" "$packages" "$linters $others"; then
    skip 'the Python package' "no environment: $(tail -n 1 "$build/python.log")"
    end
fi

check 'a wheel is built and installed' install_wheel "$home"
export PATHCOUNT_LIBRARY= # the copy of the wheel
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}" # other programs may use the processors
cd "$home" || exit 1
[ "$2" = long ] && export PATHCOUNT_TEST_LONG=1
tests 'examples in the documentation' --doctest-modules --pyargs pathcount
tests 'tests of the package' -c "$top/pyproject.toml" "$top/python/tests"

export NETWORKX_TEST_BACKEND=pathcount NETWORKX_FALLBACK_TO_NX=1
if [ "$2" = long ]; then
    tests 'tests of NetworkX with the backend' --pyargs networkx
else
    tests 'tests of NetworkX with the backend' --pyargs networkx.algorithms.tests.test_walks networkx.algorithms.centrality \
        networkx.algorithms.tests.test_communicability
fi

cd "$top" || exit 1
if [ -x "$home/bin/ruff" ] && [ -x "$home/bin/mypy" ]; then
    sources='python examples/python docs/conf.py docs/man.py tests/docs.py tests/bench/python.py tests/networkx_suite.py setup.py'
    # shellcheck disable=SC2086 # words
    check 'ruff' "$home/bin/ruff" check --no-cache $sources
    # shellcheck disable=SC2086
    check 'form' "$home/bin/ruff" format --no-cache --check $sources
    check 'mypy --strict' "$home/bin/python" -m mypy --cache-dir "$home/mypy"
    [ ! -x "$home/bin/pyright" ] || check 'pyright' "$home/bin/python" -m pyright --pythonpath "$home/bin/python"
else
    skip 'ruff and mypy' 'they cannot be installed'
fi
end
