#!/bin/sh
# Reads each file of the table beside this script, and compares with what its author meant:
#   sh tests/files/run.sh build/pathcount
# The last line is "N passed, N failed, N skipped"; exits 1 when a case failed.
#
# A case begins by "=== NAME [OPTION...] = DIRECTION VERTICES EDGES TOTAL [WORDS]", or with
# "! LINE WORDS" when the file is to be refused with these words and that line, - for none, any for any. TOTAL is the
# number of paths of length 3, WORDS are in the line about the graph. "? DIRECTION VERTICES EDGES TOTAL [WORDS]" is for
# files that have several readings: they are read as that graph, or refused with options in parentheses that give it, or
# refused with WORDS, the name of a format that is not read. Every message has the words pathcount:, which is for
# files that nothing can recognise; they may not be read as another graph. The lines up to the next case are the
# file, as far as a line that begins by "--- ", which is for people; \t is a tab. A case without lines
# whose name is that of a file in made/ is that file. What stands behind "# " in the line of a case is for
# compare.py.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
case $1 in
/*) pathcount=$1 ;;
*) pathcount=$PWD/$1 ;;
esac
[ -x "$pathcount" ] || { echo "usage: $0 path/to/pathcount" >&2; exit 2; }
work=$(mktemp -d) && cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT
LC_ALL=C
export LC_ALL
passed=0 failed=0 skipped=0

# fail WHY: of the case at hand
fail()
{
    failed=$((failed + 1))
    printf 'FAILED: %s: %s\n' "$case" "$1"
    sed 's/^/    /' out err
}

# has FILE WORDS: whether WORDS, which may be none, stand in FILE
has()
{
    [ -z "$2" ] || grep -qF -- "$2" "$1"
}

judge_refusal()
{
    read -r line words << END
$1
END
    place="$name:$line: "
    [ "$line" != - ] || place="$name: "
    [ "$line" != any ] || place="$name:"
    if [ "$status" -ne 65 ] || [ -s out ]; then
        fail "exit code $status, expected a refusal with 65"
    elif ! has err "$place" || ! has err "$words"; then
        fail "the message has not '$place' and '$words'"
    else
        passed=$((passed + 1))
    fi
}

# graph_read: what the line about the graph says, "NAME: FORMAT, DIRECTION: N vertices (...), M edges (...), ..."
graph_read()
{
    sed -n 's/^[^:]*: [^:]*, \([a-z]*\)[^:]*: \([0-9]*\) vert[a-z]*[^,]*\(([^)]*)\)*, \([0-9]*\) .*/\1 \2 \4/p' err
}

judge_reading()
{
    read -r direction vertices edges total words << END
$1
END
    got=$(graph_read)
    if [ "$status" -ne 0 ]; then
        fail "exit code $status"
    elif [ "$got $(cat out)" != "$direction $vertices $edges $total" ]; then
        fail "it was read as $got $(cat out)"
    elif ! has err "$words"; then
        fail "the line about the graph has not '$words'"
    else
        passed=$((passed + 1))
    fi
}

# advice_gives GRAPH: whether options that stand in parentheses in the message give GRAPH
advice_gives()
{
    cp err message
    grep -o '(--[^()]*)' message | tr -d '()' > advice
    while read -r advised; do
        # shellcheck disable=SC2086 # options are meant to be split
        "$pathcount" "$name" $options $advised -k 3 --total > out 2> err < /dev/null
        [ "$(graph_read) $(cat out)" != "$1" ] || return 0
    done < advice
    mv message err
    return 1
}

judge_asking()
{
    read -r direction vertices edges total words << END
$1
END
    graph="$direction $vertices $edges $total"
    if [ "$status" -ne 65 ] || [ -s out ]; then
        judge_reading "$graph"
    elif { [ -n "$words" ] && has err "$words"; } || advice_gives "$graph"; then
        passed=$((passed + 1))
    else
        fail "no advice gives $graph"
    fi
}

# Runs the case that is complete: its file is there.
run_case()
{
    [ -n "$case" ] || return
    # shellcheck disable=SC2086 # options are meant to be split
    "$pathcount" "$name" $options -k 3 --total > out 2> err < /dev/null
    status=$?
    if [ "$kind" = '!' ]; then
        judge_refusal "$expected"
    elif [ "$kind" = '?' ]; then
        judge_asking "$expected"
    else
        judge_reading "$expected"
    fi
    rm -f ./*
}

# begin_case HEADER: takes it apart at the first word =, ! or ?
begin_case()
{
    case=${1%% # *} name='' options='' kind=''
    # shellcheck disable=SC2086 # words are wanted
    set -- $case
    name=$1
    shift
    while [ $# -gt 0 ] && [ -z "$kind" ]; do
        case $1 in
        = | ! | '?') kind=$1 ;;
        *) options="$options $1" ;;
        esac
        shift
    done
    expected=$*
    if [ -e "$here/made/$name" ]; then
        cp "$here/made/$name" "$name"
    else
        : > "$name"
    fi
}

case=''
while IFS= read -r text; do
    case $text in
    '=== '*)
        run_case
        begin_case "${text#=== }"
        ;;
    '--- '*)
        run_case
        case=''
        ;;
    *) [ -z "$case" ] || printf '%b\n' "$text" >> "$name" ;;
    esac
done < "$here/table"
run_case

printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
[ $failed -eq 0 ]
