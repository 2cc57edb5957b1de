#!/bin/sh
# Shards that are killed again and again give what one run gives:
#
#   sh tests/shard_kill.sh BUILD N_DATASETS N_SHARDS N_KILLS [SEED]
#
# Makes datasets, one of ten bad, and runs a batch over them undisturbed. Then all shards run at once, in one folder and
# each in its own; SIGKILL ends them at N_KILLS random moments, each time to be resumed. Then their manifests, but for
# times and memory, and all results are compared with those of the undisturbed run.

[ $# -ge 4 ] || { echo "usage: $0 BUILD N_DATASETS N_SHARDS N_KILLS [SEED]" >&2; exit 2; }
build=$(cd "$1" && pwd) || exit 2
n_datasets=$2 n_shards=$3 n_kills=$4 seed=${5:-1}
pathcount=$build/pathcount
export LC_ALL=C PATHCOUNT_CUDA_ENGINE=none
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
cd "$work" || exit 2
mkdir data shards
n_wrong=0 n_killed=0

wrong()
{
    n_wrong=$((n_wrong + 1))
    echo "WRONG: $*"
}

make_all()
{
    i=0
    while [ $i -lt "$n_datasets" ]; do
        if [ $((i % 10)) -eq 3 ]; then
            printf '0 1\n2\n' > data/bad$i.tsv
        else
            "$pathcount" generate erdos-renyi --vertices $((20 + i % 80)) --edges $((60 + i % 100)) \
                --seed $((seed + i)) -q -o data/good$i.sg || return 1
        fi
        i=$((i + 1))
    done
}

# batch FOLDER OPTION...: in the place of this shell, so that its process is known
batch()
{
    folder=$1
    shift
    exec "$pathcount" batch data --length 9 --as mtx.gz --jobs 2 --quiet --out "$folder" "$@" 2> /dev/null
}

# folder_of SHARD: even ones share a folder
folder_of()
{
    [ $(($1 % 2)) -eq 0 ] && echo shards/even || echo shards/$1
}

# start_all: all shards that are not done; their processes are in $processes
start_all()
{
    processes='' shard=1
    while [ $shard -le "$n_shards" ]; do
        (batch "$(folder_of $shard)" --shard $shard/"$n_shards" --resume) &
        processes="$processes $!" shard=$((shard + 1))
    done
}

moments()
{
    awk -v n="$n_kills" -v seconds="$1" -v seed="$seed" \
        'BEGIN { srand(seed); for (i = 0; i < n; i++) printf "%.4f\n", 0.005 + 2 * rand() * seconds / n }'
}

# strip FILE: the manifest without times and memory
strip()
{
    sed 's/"seconds": {[^}]*}, "peak_memory_bytes": [0-9a-z]*//' "$1"
}

make_all || { echo 'datasets cannot be made' >&2; exit 2; }
start=$(date +%s.%N)
(batch clean)
[ $? -eq 1 ] || wrong 'the undisturbed run ended otherwise'
clean_seconds=$(awk -v from="$start" -v to="$(date +%s.%N)" 'BEGIN { print to - from }')

for moment in $(moments "$clean_seconds"); do
    start_all
    sleep "$moment"
    for process in $processes; do
        kill -KILL "$process" 2> /dev/null
    done
    for process in $processes; do
        wait "$process" 2> /dev/null
        [ $? -ne 137 ] || n_killed=$((n_killed + 1))
    done
done
start_all
for process in $processes; do
    wait "$process"
done

mkdir joined
find shards -type f ! -name 'manifest*' -exec mv {} joined ';'
cat shards/*/manifest.*.jsonl > joined/manifest.jsonl
strip clean/manifest.jsonl | sort -u > expected
strip joined/manifest.jsonl | sort -u > found
cmp -s expected found || wrong "$(diff expected found | head -5)"
[ "$(wc -l < found)" -eq "$n_datasets" ] || wrong "$(wc -l < found) lines, not $n_datasets"
diff -rq -x manifest.jsonl clean joined > differences || wrong "$(head -5 differences)"
echo "$n_datasets datasets, $n_shards shards, $clean_seconds s undisturbed; $n_killed kills, seed $seed: $n_wrong wrong"
[ $n_wrong -eq 0 ]
