#!/bin/sh
# Summaries with and without classes of twins:  sh tests/bench/reduce.sh build/pathcount GRAPH..., or make bench-reduce
# Prints the medians of RUNS (5) runs in turn, without the time to read the graph, and the classes. Both summaries must be
# the same bytes. OPTIONS are passed on to the command, as OPTIONS='--device cuda --directed'.

pathcount=$1
shift
notes=$(mktemp -d) || exit 1
trap 'rm -rf "$notes"' EXIT
failed=0

# count NAME ARGUMENT...: appends the seconds to NAME.seconds and writes the summary to NAME.summary.
count()
{
    name=$1
    shift
    # shellcheck disable=SC2086 # options are words
    "$pathcount" "$@" -k "$k" --summary --explain=all -q $OPTIONS > "$notes/stdout" 2> "$notes/$name.plan" || return
    sed '/^time  /d' "$notes/stdout" > "$notes/$name.summary"
    sed -n 's/^time  *\([0-9.]*\) s (reading .* \([0-9.]*\) s)$/\1 \2/p' "$notes/stdout" |
        awk '{ print $1 - $2 }' >> "$notes/$name.seconds"
}

median()
{
    sort -g "$notes/$1.seconds" | awk '{ s[NR] = $1 } END { print (s[int((NR + 1) / 2)] + s[int(NR / 2) + 1]) / 2 }'
}

printf '%-24s %3s  %9s  %9s  %6s  %s\n' graph k 'reduced s' 'without s' ratio found
for graph in "$@"; do
    for k in 8 16; do
        rm -f "$notes"/*
        for _ in $(seq "${RUNS:-5}"); do
            if ! count reduced "$graph" || ! count without "$graph" --no-reduce; then
                cat "$notes"/*.plan >&2
                exit 1
            fi
        done
        found=$(sed -n 's/^  reduced  *\(.*[^ ]\) (.*/\1/p' "$notes/reduced.plan")
        if ! cmp -s "$notes/reduced.summary" "$notes/without.summary"; then
            found='THE SUMMARIES DIFFER' failed=1
        fi
        echo "$(median reduced) $(median without)" | awk -v graph="${graph##*/}" -v k=$k -v found="${found:-nothing}" \
            '{ printf "%-24s %3d  %9.3f  %9.3f  %6.2f  %s\n", graph, k, $1, $2, ($1 > 0 ? $2 / $1 : 0), found }'
    done
done
exit $failed
