#!/bin/sh
# Injects faults into memory while the command works, and tells what became of them.
#   sh tests/faults/run.sh BUILD NUMBER [FLOW...]    NUMBER faults, over all flows of flows.txt or over these
#   sh tests/faults/run.sh BUILD FLOW:NUMBER         one fault again, with what the command leaves
# BUILD holds pathcount, fake_engine.so and inject.so; `make faults` builds them so that a fault may come at
# each basic block. FAULTS_OPTIONS are options for each flow, --twice unless given, FAULTS_LOG is the log, else
# BUILD/faults.log. Prints tables and, last, the sum; exits 1 when a fault escaped.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
build=$(cd "$1" && pwd) || exit 1
count=$2
shift 2
wanted=" $* "
FAULTS_OPTIONS=${FAULTS_OPTIONS---twice}
scratch=${TMPDIR:-/tmp}
[ -w /dev/shm ] && scratch=/dev/shm # nothing has to reach a disk
scratch=$(mktemp -d "$scratch/faults.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
sh "$here/inputs.sh" "$scratch/in" "$here/../../examples" || exit 1
mkdir -p "$scratch/work" "$scratch/cache"
FAULTS_LOG=${FAULTS_LOG:-$build/faults.log}
FAULTS_WORK=$scratch/work
# When the last of these functions is left, the input was read.
FAULTS_READERS='cli_parse_options cli_load_graph pc_graph_read pc_relation_read pc_partition_read
    cli_vertices_find cli_jobs_find'
LC_ALL=C OMP_NUM_THREADS=1 XDG_CACHE_HOME=$scratch/cache
export FAULTS_LOG FAULTS_WORK FAULTS_READERS FAULTS_COUNT FAULTS_NAME
export LC_ALL OMP_NUM_THREADS XDG_CACHE_HOME
unset PATHCOUNT_CPU PATHCOUNT_CUDA_ENGINE FAKE_ENGINE

case $count in
*:*)
    wanted=" ${count%:*} "
    FAULTS_FIRST=${count#*:} FAULTS_SHOW=1 FAULTS_LOG=$scratch/log
    export FAULTS_FIRST FAULTS_SHOW
    n_faults=1
    ;;
*)
    # The shares of the flows (flows.txt) add up to the number of faults.
    n_faults=$(awk -F '\t' -v wanted="$wanted" -v count="$count" '
        /^[^#]/ && (wanted == "  " || index(wanted, " " $1 " ")) { sum += $6 ? 1 / $6 : 1 }
        END { print sum ? int(count / sum + 0.999) : 0 }' "$here/flows.txt")
    rm -f "$FAULTS_LOG"
    ;;
esac

# Without randomised addresses a fault can be repeated.
fixed=
setarch -R true 2> /dev/null && fixed='setarch -R'

# run_flow NAME ARGUMENTS COMMAND ENGINE INPUT SHARE: as the columns of flows.txt
run_flow()
{
    FAULTS_NAME=$1 FAULTS_COUNT=$(((n_faults + ${6:-1} - 1) / ${6:-1}))
    arguments=$(echo "$2" | sed "s|IN/|$scratch/in/|g")
    input=$(echo "${5:-/dev/null}" | sed "s|IN/|$scratch/in/|g")
    engine=
    [ -z "$4" ] || engine="PATHCOUNT_CUDA_ENGINE=$build/fake_engine.so FAKE_ENGINE=$4"
    $fixed env $engine LD_PRELOAD="$build/inject.so" "$build/pathcount" $3 $arguments \
        $FAULTS_OPTIONS < "$input" || echo "$1" >> "$scratch/failed"
}

grep -v -e '^#' -e '^$' "$here/flows.txt" | tr '\t' '|' > "$scratch/flows"
while IFS='|' read -r name arguments command engine input share; do
    [ "$wanted" = '  ' ] || [ "${wanted#* $name }" != "$wanted" ] || continue
    run_flow "$name" "$arguments" "$command" "$engine" "$input" "$share"
done < "$scratch/flows"

if [ -e "$scratch/failed" ]; then
    echo 'FAILED: flows that could not be run:' $(cat "$scratch/failed")
    exit 1
fi
sh "$here/names.sh" "$build" "$FAULTS_LOG" > "$scratch/named"
if [ -n "$FAULTS_SHOW" ]; then
    tr '\t' '\n' < "$scratch/named"
else
    awk -f "$here/stages.awk" "$scratch/named"
fi
