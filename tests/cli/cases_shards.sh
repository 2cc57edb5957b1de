# A batch in shards: their manifests together, joined by cat, and their results are what one run gives.

# strip FILE...: lines of manifests without what differs from run to run, by name of the dataset.
strip()
{
    sed 's/"seconds": {[^}]*}, "peak_memory_bytes": [0-9a-z]*//' "$@" | sort
}

# The files of a folder but manifests, with their digests.
contents()
{
    (cd "$1" && find . -type f ! -name 'manifest*' -exec sha256sum {} + | sort)
}

# ---- Equal to one run --------------------------------------------------------------------------

# make_graphs SEED: a folder of up to 12 graphs of several formats, one of which may be bad.
make_graphs()
{
    rm -rf data && mkdir data
    n=$(($1 * 7 % 12 + 1)) i=0
    while [ $i -lt $n ]; do
        ending=$(echo tsv mtx csv txt sg tsv.gz | cut -d ' ' -f $(((i + $1) % 6 + 1)))
        "$pathcount" generate erdos-renyi --vertices $((5 + (i * $1) % 20)) --edges $((3 + i % 7)) \
            --seed $((100 * $1 + i)) -q -o data/g$i.$ending
        i=$((i + 1))
    done
    [ $(($1 % 3)) -ne 0 ] || echo 'stands alone' | tr -d ' ' > data/bad.txt
}

n_wrong=0 n_compared=0
for seed in 1 2 3 4 5 6 7 8 9 10; do
    make_graphs $seed
    case $((seed % 3)) in
    0) question=--total format=json ;;
    1) question=--closed format=tsv ;;
    2) question=--mod=1000 format=npz ;; # with labels in files of their own
    esac
    "$pathcount" batch data -k 3 $question --as $format --out one -q 2> /dev/null
    n_failed=$? n_shards=$((seed % 5 + 1)) shard=1
    while [ $shard -le $n_shards ]; do
        "$pathcount" batch data -k 3 $question --as $format --out shared -q \
            --shard $shard/$n_shards 2> /dev/null
        n_failed=$((n_failed - $?)) shard=$((shard + 1))
    done
    [ $n_failed -eq 0 ] || n_wrong=$((n_wrong + 1))
    strip one/manifest.jsonl > expected
    contents one >> expected
    { strip shared/manifest.*-of-$n_shards.jsonl && contents shared; } > found
    cmp -s expected found || n_wrong=$((n_wrong + 1))
    n_compared=$((n_compared + $(wc -l < found)))
    cat shared/manifest.*-of-*.jsonl > shared/manifest.jsonl
    "$pathcount" batch data -k 3 $question --as $format --out shared --resume > /dev/null 2> message
    grep -q ': 0 done, .* kept, ' message || [ "$(ls data)" = bad.txt ] || n_wrong=$((n_wrong + 1))
    rm -rf one shared message
done
is 'shards and one run' 0 $n_wrong
if [ $n_compared -gt 100 ]; then pass; else fail 'shards and one run' "only $n_compared lines compared"; fi

# ---- One shard -----------------------------------------------------------------------------------

make_graphs 5 # 12 graphs
graph_names=$(ls data)
check 'a shard' 0 '' '3 jobs: 3 done, 0 failed, *' batch data -k 2 --total --out a --shard 2/4
is 'each fourth one, from the second on' "$(echo $(echo "$graph_names" | sed -n '2~4p' | sed 's/\..*/.tsv/'))" \
    "$(echo $(ls a | grep -v manifest))"
is 'its manifest' '3 manifest.2-of-4.jsonl' "$(echo $(cat a/manifest* | wc -l) $(ls a | grep manifest))"
check 'a shard again' 2 '' "*pathcount: 'a' holds an earlier run: --resume *" \
    batch data -k 2 --total --out a --shard 2/4
rm a/$(ls a | sed -n 1p)
check 'a shard resumed' 0 '' '3 jobs: 1 done, 2 kept, 0 failed, *' \
    batch data -k 2 --total --out a --shard 2/4 --resume
check 'a shard resumed with another length' 0 '' '3 jobs: 3 done, 0 failed, *' \
    batch data -k 3 --total --out a --shard 2/4 --resume
check 'a shard without datasets' 0 '' '0 jobs: 0 done, 0 failed, *' \
    batch data -k 2 --total --out a --shard 20/20
for shard in 0/4 5/4 2 2/ /4 2/4x -1/4 1/1000001 1/99999999999; do
    refuses "--shard $shard" 2 "*--shard must be I/N, *not '$shard'*" \
        batch data -k 2 --total --out b --shard=$shard
done
refuses 'a shard with a report' 2 '*--report is about all shards*' \
    batch data -k 2 --total --out b --shard 1/2 --report
refuses 'a shard of a stream' 2 '*--shard is not for a stream of small graphs*' \
    batch - -k 2 --total --shard 1/2
rm -rf ./*

# ---- The script for Slurm ------------------------------------------------------------------------

make_graphs 3
mkdir bin && ln -s "$pathcount" bin/pathcount
for task in 1 2 3; do
    PATH=$PWD/bin:$PATH SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=3 SLURM_CPUS_PER_TASK=1 \
        sh "$graphs/../slurm_batch.sh" data results --length 2 --total > "$notes/stdout" 2> "$notes/stderr"
done
cat results/manifest.*-of-3.jsonl > results/manifest.jsonl
check 'an array job' 1 '' "$(ls data | wc -l) jobs: 0 done, $(($(ls data | wc -l) - 1)) kept, 1 failed*bad.txt*" \
    batch data --length 2 --total --out results --resume
rm -rf ./*
