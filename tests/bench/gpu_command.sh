#!/bin/sh
# The command as a user runs it, on a GPU, beside CuPy's float64 matrix_power on the same files:
#   sh tests/bench/gpu_command.sh FOLDER GRAPH...
# FOLDER holds the pathcount program. For each graph: its summary, then the same with the matrix
# written to a file, wall time and the command's own split of it (medians are the reader's: each
# line is one run, five of a kind, in turn with the peer).

folder=$1
shift
here=$(dirname "$0")
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# wall COMMAND...: seconds that it took, its output in $scratch/log
wall()
{
    start=$(date +%s.%N)
    "$@" > "$scratch/log" 2>&1 || { cat "$scratch/log"; return 1; }
    end=$(date +%s.%N)
    echo "$end $start" | awk '{printf "%.3f s", $1 - $2}'
}

nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader
for graph; do
    printf '\n== %s\n' "$graph"
    for run in 1 2 3 4 5; do
        printf 'summary  %s   ' "$(wall "$folder/pathcount" "$graph" -k 8 --device cuda --json)"
        sed -n 's/.*\("seconds": *{[^}]*}\).*/\1/p' "$scratch/log" | tail -1
        printf '\nto .npy  %s   ' "$(wall "$folder/pathcount" "$graph" -k 8 --device cuda --json \
            -o "$scratch/counts.npy")"
        sed -n 's/.*\("seconds": *{[^}]*}\).*/\1/p' "$scratch/log" | tail -1
        printf '\nCuPy     %s   ' "$(wall python3 "$here/cupy_peer.py" "$graph" 8)"
        tail -1 "$scratch/log"
    done
    "$folder/pathcount" "$graph" -k 8 --device cuda --explain -o "$scratch/counts.npy" 2>&1
done
