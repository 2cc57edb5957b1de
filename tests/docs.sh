#!/bin/sh
# Builds the site and executes the examples of its pages and of README:  sh tests/docs.sh BUILD
# Examples of docstrings are executed by tests/python.sh, and tutorials when the site is built, which also checks links.
# The last line is "N passed, N failed, N skipped"; exits 1 when anything failed.
build=$(cd "$1" && pwd) || exit 1
cd "${0%/*}/.." || exit 1
log=$build/docs.log
passed=0 failed=0 skipped=0
. tests/checks.sh

if grep -q -e ' -fsanitize' "$build/flags.stamp"; then
    skip 'the documentation' 'the sanitizers want to be loaded before Python'
    end
fi
sh docs/build.sh "$build" > "$log" 2>&1
case $? in
0) ;;
69) skip 'the documentation' "$(tail -n 1 "$log")"; end ;;
*) check 'the site is built without a warning' sh -c "cat '$log'; false"; end ;;
esac
# pkg-config finds the library as if it were installed.
printf 'Name: pathcount\nDescription: -\nVersion: 0\nCflags: -I%s/src\nLibs: -L%s -lpathcount -Wl,-rpath,%s\n' \
    "$PWD" "$build" "$build" > "$build/docs-python/pathcount.pc"
export PKG_CONFIG_PATH="$build/docs-python" PATH="$build:$PATH" PATHCOUNT_LIBRARY= OMP_WAIT_POLICY=passive LC_ALL=C.UTF-8
# shellcheck disable=SC2046 # words
exec "$build/docs-python/bin/python" -P tests/docs.py "$build" README.md python/README.md $(find docs -name '*.md' | sort)
