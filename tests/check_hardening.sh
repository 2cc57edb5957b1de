#!/bin/sh
# Checks how programs and shared libraries were built: relocations are read-only and all resolved at
# the start, the stack is not executable, and functions check it. A program must be one that can be
# loaded at any address. --fortified: some calls of the C library are checked ones, too.
# Usage: check_hardening.sh [--fortified] FILE...
set -eu
is_fortified=
[ "${1-}" = --fortified ] && is_fortified=yes && shift
[ $# -gt 0 ] || { echo "usage: check_hardening.sh [--fortified] FILE..." >&2; exit 2; }

status=0
fail()
{
    echo "$file: FAILED: $1"
    status=1
}

for file in "$@"; do
    segments=$(readelf --wide --segments "$file")
    readelf --wide --dynamic "$file" | grep -q 'FLAGS.*NOW' || fail 'symbols are bound lazily'
    echo "$segments" | grep -q GNU_RELRO || fail 'relocations can be written to'
    echo "$segments" | grep GNU_STACK | grep -q ' RW ' || fail 'the stack is executable'
    readelf --wide --file-header "$file" | grep -q 'Type: *DYN' || fail 'has a fixed address'
    calls=$(nm --dynamic --undefined-only "$file")
    echo "$calls" | grep -q __stack_chk_fail || fail 'functions do not check the stack'
    [ -z "$is_fortified" ] || echo "$calls" | grep -q '_chk@' || fail 'no checked call of libc'
done
exit $status
