#!/bin/sh
# Tests of the command, from its command line:  sh tests/cli/run.sh build/pathcount [NAME...]
# The cases are in the files cases_NAME.sh beside this one: of all, or of the names given. Needs only a POSIX shell and coreutils.
# The last line is "N passed, N failed, N skipped"; exits 1 when a case failed.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
graphs=$here/../../examples/graphs
case $1 in
/*) pathcount=$1 ;;
*) pathcount=$PWD/$1 ;;
esac
[ -x "$pathcount" ] || { echo "usage: $0 path/to/pathcount [NAME...]" >&2; exit 2; }
shift
wanted=$*
for name in $wanted; do
    [ -r "$here/cases_$name.sh" ] || { echo "$0: there is no $here/cases_$name.sh" >&2; exit 2; }
done

# Everything happens in an empty folder; what the runner itself writes is in another.
notes=$(mktemp -d) && work=$(mktemp -d) && cd "$work" || exit 1
trap 'rm -rf "$notes" "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
unset PATHCOUNT_CPU PATHCOUNT_CUDA_KERNEL CUDA_VISIBLE_DEVICES FAKE_ENGINE OMP_NUM_THREADS ARGP_HELP_FMT POSIXLY_CORRECT
LC_ALL=C
XDG_CACHE_HOME=$work/cache
export LC_ALL XDG_CACHE_HOME
passed=0 failed=0 skipped=0

# ---- What cases are made of ----------------------------------------------------------------------

pass()
{
    passed=$((passed + 1))
}

# fail NAME WHY...
fail()
{
    failed=$((failed + 1))
    name=$1
    shift
    printf 'FAILED: %s: %s\n' "$name" "$*"
    head -c 2000 "$notes/stdout" | sed -e 's/^/    stdout: /' -e '$a\' 2> /dev/null
    head -c 2000 "$notes/stderr" | sed -e 's/^/    stderr: /' -e '$a\' 2> /dev/null
}

# skip NAME WHY
skip()
{
    skipped=$((skipped + 1))
    printf 'SKIPPED: %s: %s\n' "$1" "$2"
}

# run ARGUMENT...: the command, with its output in $notes/stdout and stderr, its exit code in status.
run()
{
    "$pathcount" "$@" > "$notes/stdout" 2> "$notes/stderr"
    status=$?
}

# holds FILE PATTERN: whether the text of FILE matches the shell pattern.
holds()
{
    text=$(cat "$1")
    # shellcheck disable=SC2254 # the pattern is meant as one
    case $text in
    $2) return 0 ;;
    esac
    return 1
}

# judge NAME STATUS STDOUT STDERR: of the last run; STDOUT and STDERR are shell patterns.
judge()
{
    if [ "$status" -ne "$2" ]; then
        fail "$1" "exit code $status, expected $2"
    elif ! holds "$notes/stdout" "$3"; then
        fail "$1" "stdout does not match $3"
    elif ! holds "$notes/stderr" "$4"; then
        fail "$1" "stderr does not match $4"
    else
        pass
    fi
}

# check NAME STATUS STDOUT STDERR ARGUMENT...: one run with patterns for what it prints.
check()
{
    case_name=$1 case_status=$2 case_stdout=$3 case_stderr=$4
    shift 4
    run "$@"
    judge "$case_name" "$case_status" "$case_stdout" "$case_stderr"
}

# refuses NAME STATUS STDERR ARGUMENT...: a run that prints an error and nothing on stdout.
refuses()
{
    case_name=$1 case_status=$2 case_stderr=$3
    shift 3
    run "$@"
    holds "$notes/stdout" '{"error": *' && : > "$notes/stdout"
    judge "$case_name" "$case_status" '' "$case_stderr"
}

# prints NAME ARGUMENT...: a run that succeeds and prints exactly what is on the standard input.
prints()
{
    case_name=$1
    shift
    cat > "$notes/expected"
    run "$@" < /dev/null
    same "$case_name" "$notes/stdout"
}

# same NAME FILE: the last run succeeded and FILE is $notes/expected, byte for byte.
same()
{
    if [ "$status" -ne 0 ]; then
        fail "$1" "exit code $status, expected 0"
    elif ! cmp -s "$notes/expected" "$2"; then
        fail "$1" "$2 is not what was expected:"
        diff "$notes/expected" "$2" 2> /dev/null | head -n 20
    else
        pass
    fi
}

# is NAME EXPECTED GOT
is()
{
    if [ "$2" = "$3" ]; then pass; else fail "$1" "expected '$2', got '$3'"; fi
}

# await SECONDS COMMAND...: until the command succeeds; false when it does not in time.
await()
{
    await_left=$(($1 * 20))
    shift
    until "$@"; do
        await_left=$((await_left - 1))
        [ $await_left -gt 0 ] || return 1
        sleep 0.05
    done
}

# chords N: an edge list, a circle of N vertices with chords. Sixty squarings of it modulo a large number
# take long.
chords()
{
    seq 0 $(($1 - 1)) > from
    { seq 1 $(($1 - 1)); echo 0; } > to
    { seq 100 $(($1 - 1)); seq 0 99; } > across
    paste from to
    paste from across
    rm -f from to across
}

# in_terminal COLUMNS COMMAND...: runs it in a terminal so wide, and prints what that is sent.
in_terminal()
{
    columns=$1
    shift
    script -qec "stty cols $columns; $*" /dev/null < /dev/null
}

# folder_holds NAME FILE...: just these files are in the folder, nothing was left behind.
folder_holds()
{
    case_name=$1
    shift
    found=$(ls -A)
    expected=$(printf '%s\n' "$@")
    if [ "$found" = "$expected" ]; then
        pass
    else
        fail "$case_name" "the folder holds:" $found
    fi
    rm -rf ./* ./.[!.]*
}

for file in "$here"/cases_*.sh; do
    name=${file##*/cases_}
    case " ${wanted:-${name%.sh}} " in
    *" ${name%.sh} "*) ;;
    *) continue ;;
    esac
    . "$file"
    rm -rf ./* ./.[!.]*
done

printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
[ $failed -eq 0 ]
