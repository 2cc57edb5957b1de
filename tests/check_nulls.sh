#!/bin/sh
# Checks that tests/count/test_nulls.c has every function that shared libraries export.
# Usage: check_nulls.sh LIBRARY...
set -eu
[ $# -gt 0 ] || { echo "usage: check_nulls.sh LIBRARY..." >&2; exit 2; }

tested=${0%/*}/count/test_nulls.c
n_missing=0 n_found=0
for library in "$@"; do
    for function in $(nm --dynamic --defined-only --format=posix "$library" |
        awk '$2 == "T" { sub(/@.*/, "", $1); print $1 }'); do
        n_found=$((n_found + 1))
        grep -q "^ *C($function, " "$tested" && continue
        echo "$library: $function is not in $tested"
        n_missing=$((n_missing + 1))
    done
done
[ $n_found -gt 0 ] && [ $n_missing -eq 0 ]
