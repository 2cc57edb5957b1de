#!/bin/sh
# Fails everything that runs of the command ask the system for (tests/failures/campaign.c):
#
#   sh tests/failures/run.sh BUILD [OPTION...] [NAME...]
#
# Names are those of flows.txt beside this file.

here=$(cd "$(dirname "$0")" && pwd) || exit 2
build=$(cd "$1" && pwd) || exit 2
shift
pathcount=$build/pathcount
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$work/in" "$work/flows" && cd "$work/in" || exit 2
unset PATHCOUNT_CPU FAKE_ENGINE
export LC_ALL=C OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive XDG_CACHE_HOME=$work/cache
export PATHCOUNT_CUDA_ENGINE=none
ulimit -c 0

# ---- Inputs --------------------------------------------------------------------------------------

printf '0 1\n1 2\n2 0\n2 3\n3 4\n' > g.txt

options=
names= has_one=
while [ $# -gt 0 ]; do
    case $1 in
    -o) has_one=yes options="$options $1 $2"; shift ;;
    -j | -e) options="$options $1 $2"; shift ;;
    -*) options="$options $1" ;;
    *) names="$names $1" ;;
    esac
    shift
done
mv "$work/in" "$work/flows/in"
"$build/failures" $options "$pathcount" "$build/fake_memory.so" "$here/flows.txt" "$work/flows" $names
status=$?
[ -z "$has_one" ] || head -n 40 "$work/flows/"*/stdout "$work/flows/"*/stderr
exit $status
