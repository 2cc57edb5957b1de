#!/bin/sh
# Checks what shared libraries export: every symbol begins with pc_, and there are some.
# Usage: check_symbols.sh LIBRARY...
set -eu
[ $# -gt 0 ] || { echo "usage: check_symbols.sh LIBRARY..." >&2; exit 2; }

status=0
for library in "$@"; do
    # Version nodes are listed as absolute symbols (type A): they are names, not code.
    symbols=$(nm --dynamic --defined-only --format=posix "$library" |
        awk '$2 != "A" { sub(/@.*/, "", $1); print $1 }')
    foreign=$(printf '%s\n' "$symbols" | grep -v '^pc_' || true)
    if [ -z "$symbols" ]; then
        echo "$library: FAILED: exports nothing"
        status=1
    elif [ -n "$foreign" ]; then
        echo "$library: FAILED: exports what does not begin with pc_:"
        printf '%s\n' "$foreign" | sed 's/^/    /'
        status=1
    else
        echo "$library: passed: $(printf '%s\n' "$symbols" | wc -l) symbols, all pc_"
    fi
done
exit $status
