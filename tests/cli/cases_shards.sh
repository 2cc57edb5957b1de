# A batch in shards: together they give what one run gives, and --merge takes nothing else.

# strip FILE: a manifest without what differs from run to run, by name of the dataset.
strip()
{
    sed 's/"seconds": {[^}]*}, "peak_memory_bytes": [0-9a-z]*//' "$1" | sort
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
    expected=$?
    n_shards=$((seed % 5 + 1)) folders='' shard=1
    while [ $shard -le $n_shards ]; do
        for out in shared "own$shard"; do
            "$pathcount" batch data -k 3 $question --as $format --out "$out" -q \
                --shard $shard/$n_shards 2> /dev/null
        done
        folders="$folders own$shard" shard=$((shard + 1))
    done
    "$pathcount" batch --merge --out shared -q 2> /dev/null
    in_place=$?
    # shellcheck disable=SC2086 # names without blanks
    "$pathcount" batch --merge $folders --out joined -q 2> /dev/null
    joined=$?
    [ "$in_place $joined" = "$expected $expected" ] || n_wrong=$((n_wrong + 1))
    strip one/manifest.jsonl > expected
    contents one >> expected
    for out in shared joined; do
        { strip $out/manifest.jsonl && contents $out; } > found
        cmp -s expected found || n_wrong=$((n_wrong + 1))
        n_compared=$((n_compared + $(wc -l < found)))
    done
    rm -rf one shared joined own*
done
is 'shards and one run' 0 $n_wrong
if [ $n_compared -gt 200 ]; then pass; else fail 'shards and one run' "only $n_compared lines compared"; fi

# ---- One shard -----------------------------------------------------------------------------------

make_graphs 5 # 12 graphs
graph_names=$(ls data)
check 'a shard' 0 '' '3 jobs: 3 done, 0 failed, *' batch data -k 2 --total --out a --shard 2/4
is 'each fourth one, from the second on' "$(echo $(echo "$graph_names" | sed -n '2~4p' | sed 's/\..*/.tsv/'))" \
    "$(echo $(ls a | grep -v manifest))"
check 'a shard again' 2 '' "*pathcount: 'a' holds an earlier run: --resume *" \
    batch data -k 2 --total --out a --shard 2/4
rm a/$(ls a | sed -n 1p)
check 'a shard resumed' 0 '' '3 jobs: 1 done, 2 kept, 0 failed, *' \
    batch data -k 2 --total --out a --shard 2/4 --resume
check 'a shard resumed with another length' 2 '' \
    "*'a/manifest.2-of-4.jsonl' is of another list of datasets, or of other options*" \
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

# ---- What does not belong together ---------------------------------------------------------------

for shard in 1 3 4; do
    "$pathcount" batch data -k 2 --total --out s$shard --shard $shard/4 -q
done
cp -r a s2
rm s2/*of-20*
refuses 'a shard is missing' 66 '*shard 3 of 4 is missing: *manifest.3-of-4.jsonl*' \
    batch --merge s1 s2 s4 --out m
cp -r s1 twin
refuses 'a shard twice' 65 "*shard 1 of 4 is there twice: 's1/manifest.1-of-4.jsonl' and 'twin/manifest.1-of-4.jsonl'" \
    batch --merge s1 s2 s3 s4 twin --out m
"$pathcount" batch data -k 3 --total --out other --shard 3/4 -q
refuses 'another length' 65 "*'s1/manifest.1-of-4.jsonl' and 'other/manifest.3-of-4.jsonl' are shards of different lists *options*" \
    batch --merge s1 s2 other s4 --out m
"$pathcount" batch data -k 2 --total --out third --shard 3/3 -q
refuses 'another number of shards' 65 "*'s1/manifest.1-of-4.jsonl' and 'third/manifest.3-of-3.jsonl' are shards of different numbers *" \
    batch --merge s1 s2 third s4 --out m
refuses 'no shard' 66 "*'data' holds no manifest of a shard*" batch --merge data --out m
refuses 'no folder' 66 "*cannot open 'nowhere': *" batch --merge nowhere --out m
refuses 'options' 2 '*--length has no meaning with --merge*' batch --merge s1 --out m -k 2
refuses 'no --out' 2 '*where do the results go?*' batch --merge s1
is 'nothing was made' '' "$(ls -d m 2> /dev/null)"

cp -r s4 torn
sed '$d' s4/manifest.4-of-4.jsonl > torn/manifest.4-of-4.jsonl
printf '{"input": "data/' >> torn/manifest.4-of-4.jsonl
refuses 'a job is missing' 65 "*shard 4 of 4 is not complete: 'torn/manifest.4-of-4.jsonl' lacks 1 job; *" \
    batch --merge s1 s2 s3 torn --out m
check 'and is counted' 0 '' '3 jobs: 1 done, 2 kept, *' \
    batch data -k 2 --total --out torn --shard 4/4 --resume
check 'then all is there' 0 '' '4 shards, 12 jobs: 12 done, 0 failed' \
    batch --merge s1 s2 s3 torn --out m
refuses 'joined already' 2 "*'m/manifest.jsonl' is there already*" batch --merge s1 s2 s3 torn --out m
check 'what was joined is a run' 0 '' '12 jobs: 0 done, 12 kept, *' \
    batch data -k 2 --total --out m --resume
rm m/manifest.jsonl
check 'joined again after an interruption' 0 '' '4 shards, *' batch --merge s1 s2 s3 torn --out m

damaged=$(ls s3 | sed -n 1p)
cp -r s3 spoilt
cp s3/$(ls s3 | sed -n 2p) spoilt/"$damaged"
echo more >> spoilt/"$damaged"
refuses 'a damaged result' 65 "*'spoilt/$damaged' is not as its manifest says*" \
    batch --merge s1 s2 spoilt s4 --out m2
is 'without a manifest' '' "$(ls m2 | grep manifest)"
mkdir m3
echo mine > m3/"$damaged"
refuses 'a file is in the way' 73 "*'m3/$damaged' is there already, and is not 's3/$damaged'*" \
    batch --merge s1 s2 s3 s4 --out m3
is 'and stays' mine "$(cat m3/"$damaged")"
rm -rf spoilt && cp -r s1 spoilt
sed '2s/"job": [0-9]*/"job": 1/' s1/manifest.1-of-4.jsonl > spoilt/manifest.1-of-4.jsonl
refuses 'a job of another shard' 65 '*job number 1 is none of this shard*' \
    batch --merge spoilt s2 s3 s4 --out m4
sed '2s/"result": "[^"]*"/"result": "..\/x"/' s1/manifest.1-of-4.jsonl > spoilt/manifest.1-of-4.jsonl
refuses 'a path for a result' 65 '*"../x" is no name of a result*' \
    batch --merge spoilt s2 s3 s4 --out m4
sed 1d s1/manifest.1-of-4.jsonl > spoilt/manifest.1-of-4.jsonl
refuses 'no first line' 65 '*does not say of which shard it is*' \
    batch --merge spoilt s2 s3 s4 --out m4
rm -rf ./*

# ---- The script for Slurm ------------------------------------------------------------------------

make_graphs 3
mkdir bin && ln -s "$pathcount" bin/pathcount
for task in 1 2 3; do
    PATH=$PWD/bin:$PATH SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=3 SLURM_CPUS_PER_TASK=1 \
        sh "$graphs/../slurm_batch.sh" data results --length 2 --total > "$notes/stdout" 2> "$notes/stderr"
done
check 'an array job' 1 '' "3 shards, $(ls data | wc -l) jobs: $(($(ls data | wc -l) - 1)) done, 1 failed*bad.txt*" \
    batch --merge --out results
rm -rf ./*
