#!/bin/sh
# Runs fuzz targets one after the other, each for some seconds of CPU time:  run.sh BUILD SECONDS TARGET...
#
# New inputs stay in BUILD/TARGET, and the next run begins with them. Each run adds a line to
# tests/fuzz/runs.tsv: target, seconds of CPU time, runs, "clean" or "failed", commit ("+": with changes), date. So half
# an hour for a target may consist of several runs, in several checkouts; what is printed includes their sum.
build=$1 seconds=$2
account=tests/fuzz/runs.tsv
shift 2
commit=$(git rev-parse --short HEAD 2> /dev/null || echo unknown)
git diff --quiet HEAD -- . ":!$account" 2> /dev/null || commit=$commit+
failed=0

# fuzz TARGET: prints "exit STATUS", and the CPU time of the process in the last line.
fuzz()
(
    FUZZ_CPU_SECONDS=$seconds "$build/fuzz_$1" -max_len=4096 -timeout=120 -malloc_limit_mb=137 \
        -close_fd_mask=3 -print_final_stats=1 -artifact_prefix="$build/$1-" \
        "$build/$1" "tests/fuzz/corpus/$1" > "$build/$1.log" 2>&1
    echo "exit $?"
    times
)

for target; do
    mkdir -p "$build/$target"
    ended=$(fuzz "$target")
    verdict=clean
    case $ended in
    'exit 0'*) ;;
    *)
        verdict=failed failed=1
        echo "FAILED: $target"
        tail -n 40 "$build/$target.log"
        ;;
    esac
    used=$(echo "$ended" | tail -n 1 | tr 'ms' '  ' | awk '{ printf "%.0f", 60 * $1 + $2 + 60 * $3 + $4 }')
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$target.log")
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$target" "$used" "${runs:-0}" $verdict "$commit" "$(date -u +%FT%TZ)" \
        >> $account
    awk -F '\t' -v target="$target" '$1 == target { seconds += $2; runs += $3; last = $2 " s, " $3 " runs" }
        END { printf "%-16s %s; in all %d s, %d runs\n", target, last, seconds, runs }' $account
done
exit $failed
