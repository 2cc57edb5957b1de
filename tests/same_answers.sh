#!/bin/bash
# Compares the answers of two builds, byte by byte, over some 5,000 command lines:
#
#     bash tests/same_answers.sh OLD/pathcount NEW/pathcount [EVERY]
#
# For each line both programs run in an empty folder of their own. Standard output, standard error,
# the exit status and every file that was written are compared. Times, amounts of free memory and
# the names of temporary files differ between two runs of one program, so they are masked. With
# EVERY only each EVERY-th line is run. Differences are listed; the last line counts them.
set -u
old=$(realpath "$1") new=$(realpath "$2") every=${3:-1}
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_WAIT_POLICY=passive COLUMNS=80 XDG_CACHE_HOME=$work/cache LC_ALL=C.UTF-8
export PATHCOUNT_CUDA_ENGINE=none

# ---- Inputs --------------------------------------------------------------------------------------

in=$work/in
mkdir -p "$in/folder" "$in/bad"
cp "$here"/examples/graphs/* "$in"
cp "$here"/examples/streams/* "$in" 2>/dev/null
awk 'BEGIN { srand(5); for (e = 0; e < 160; e++) print int(40 * rand()), int(40 * rand()), int(5 * rand()) }' > "$in/random.tsv"
awk 'BEGIN { srand(6); for (e = 0; e < 300; e++) print int(90 * rand()) "," int(90 * rand()) }' > "$in/pairs.csv"
awk 'BEGIN { srand(7); for (e = 0; e < 3000; e++) print int(300 * rand()), int(300 * rand()) }' > "$in/larger.txt"
awk 'BEGIN { for (v = 1; v < 30; v++) print "hub leaf" v }' > "$in/star.txt"
printf 'a b\nb c\nc a\nc c\nc d\n' > "$in/loop.txt"
printf '0 0\n' > "$in/one.txt"
printf '%%%%MatrixMarket matrix coordinate integer general\n4 4 5\n1 2 3\n2 3 1\n3 1 2\n3 4 7\n4 4 1\n' > "$in/weighted.mtx"
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n5 5 5\n2 1\n3 2\n4 3\n5 4\n5 1\n' > "$in/cycle.mtx"
printf '>>graph6<<DhC\n' > "$in/path.g6"
printf 'Pajek junk' > "$in/bad/junk.txt"
printf '1 2\n3\n' > "$in/bad/alone.txt"
printf '' > "$in/bad/empty.txt"
gzip -nk "$in/larger.txt"
cp "$in/karate.txt" "$in/loop.txt" "$in/weighted.mtx" "$in/bad/alone.txt" "$in/folder"
printf 'C J\nA B\n' > "$in/wanted"
printf '0 5\n3 3\n7 1\n' > "$in/wanted.numbers"
awk 'BEGIN { for (v = 0; v < 40; v++) print v, "block" v % 4 }' > "$in/blocks"

# ---- Command lines -------------------------------------------------------------------------------

emit() { printf '%s\n' "$*"; }

whole_matrices()
{
    for graph in hochberg.txt karate.txt random.tsv larger.txt.gz star.txt loop.txt one.txt weighted.mtx \
                 cycle.mtx path.g6 pairs.csv; do
        for length in 0 1 2 3 6 9 40; do
            for options in '' --directed '--weights --multigraph' '--mod 1000003' '--mod 9223372036854775807' \
                           --float '--method dense' '--method sweep' '--method hybrid' '--certify 0' \
                           --non-backtracking '--non-backtracking --mod 97' --markov --json '--json --float' \
                           '--top 7' '--top 3 --json --directed' '--memory-limit 20M' '--threads 1' \
                           '--device cuda' --undirected '--vertices 33' '--weights --directed --method dense'; do
                emit "$graph --length $length $options"
            done
        done
    done
}

queries()
{
    for graph in hochberg.txt:C:J random.tsv:0:5 larger.txt:7:11 weighted.mtx:1:4 star.txt:hub:leaf3; do
        IFS=: read -r file from to <<< "$graph"
        for what in "--from $from" "--from $from --from $to" "--to $to" "--pair $from $to" \
                    "--pair $from $from --pair $from $to --pair $to $from" --total --sums --closed --trace; do
            for lengths in '' --each --up-to; do
                for options in '' '--mod 1000003' --float --non-backtracking --markov '--directed --weights' \
                               '--method dense' '--method sweep' '--method hybrid' '--certify 0'; do
                    for length in 1 6 13; do
                        emit "$file --length $length $what $lengths $options"
                    done
                done
            done
        done
    done
    for length in 0 64 300; do
        for what in '--from 0' '--pair 0 5' --total --sums --closed --trace; do
            for options in '' --json '--mod 65536 --json' '--float --json' '--each --json'; do
                emit "random.tsv --length $length $what $options"
            done
        done
    done
    emit 'random.tsv --length 5 --pairs wanted.numbers' '--each'
    emit 'hochberg.txt --length 5 --pairs wanted'
    emit 'hochberg.txt --length 5 --from @wanted'
    emit 'random.tsv --length 1000000007 --mod 1000003 --total'
    emit 'random.tsv --length 1000000007 --mod 1000003 --pair 0 5'
    emit 'random.tsv --length 1000000007 --total'
    emit 'random.tsv --length 9 --katz 0.01'
    emit 'random.tsv --length 9 --katz 0.01 --json --directed --weights'
    emit 'random.tsv --length 9 --subgraph-centrality'
    emit 'karate.txt --length 20 --subgraph-centrality --json'
    emit 'karate.txt --length 20 --katz 7'
}

files()
{
    for graph in hochberg.txt random.tsv weighted.mtx star.txt larger.txt; do
        for options in '' --directed '--mod 12345' --float '--method sweep' --markov --non-backtracking \
                       '--weights --multigraph'; do
            for file in out.tsv out.csv out.mtx out.npy out.json out.tsv.gz out.mtx.zst; do
                emit "$graph --length 5 $options -q -o $file"
            done
        done
        emit "$graph --length 30 -o out.npy"
        emit "$graph --length 30 -o out.csv --directed"
        for picture in heat.svg growth:growth.svg histogram:histogram.svg; do
            emit "$graph --length 6 --plot $picture"
            emit "$graph --length 6 --directed --plot $picture -q"
        done
        emit "$graph --length 6 --show"
        emit "$graph --length 6 --show --total"
        emit "$graph --length 6 --show --float"
    done
}

between_blocks()
{
    for blocks in 1 3 40 components blocks; do
        for length in 0 1 2 5 8 21; do
            for options in '' --directed --mean '--mod 1009' --float '--method dense' '--method hybrid' \
                           '--method sweep' --json '-o out.tsv' '-o out.json --mean' '--graph quotient.tsv' \
                           '--graph quotient.mtx' '--certify 0'; do
                emit "coarsen random.tsv --blocks $blocks --length $length $options"
            done
        done
    done
    emit 'coarsen hochberg.txt --length 4 --blocks hochberg-halves.txt'
    emit 'coarsen karate.txt --length 4 --blocks leiden'
    emit 'coarsen karate.txt --length 4 --blocks multilevel --json'
}

relations()
{
    for chain in 'writes.txt published.txt' 'writes.txt writes.txt^T' 'writes.txt^T writes.txt' \
                 'writes.txt published.txt published.txt^T writes.txt^T' 'weighted.mtx weighted.mtx'; do
        for options in '' --weights --json --pathsim '--power 3' '--power 3 --mod 101' '-o out.tsv' '-o out.mtx' \
                       '--allow-missing' '--pathsim -o out.npy' '--certify 0' '--explain -q'; do
            emit "chain $chain $options"
        done
    done
}

generators()
{
    for model in 'rmat --scale 6' 'rmat --scale 5 --directed' 'erdos-renyi --vertices 30 --edges 60' \
                 'erdos-renyi --vertices 30 --probability 0.1 --directed' \
                 'barabasi-albert --vertices 40 --edges-per-vertex 3' 'famous Zachary' 'famous Petersen'; do
        for options in '' '--seed 4' '-o out.tsv' '-o out.mtx' '-o out.csv.gz'; do
            emit "generate $model $options"
        done
    done
}

batches()
{
    for options in '--length 4' '--length 4 --total --each' '--length 5 --mod 101 --as csv' '--length 3 --closed' \
                   '--length 4 --directed --weights' '--length 4 --from 1' '--length 4 --markov'; do
        emit "batch folder $options --out results --jobs 1"
        emit "batch karate.txt star.txt $options --out results --jobs 2"
    done
    for options in '--length 4 --total' '--length 4 --closed --each' '--length 9 --total --mod 11' \
                   '--length 6 --total --non-backtracking' '--length 200 --total --up-to' '--length 3'; do
        emit "batch connected4.g6 $options"
        emit "batch - $options < connected4.g6"
    done
}

refusals()
{
    for bad in junk.txt alone.txt empty.txt missing.txt; do
        emit "bad/$bad --length 3"
    done
    for options in '' '--length' '--length x' '--length -1' '--length 3 --nonsense' '--length 3 --mod 1' \
                   '--length 3 --mod x' '--length 3 --from nobody' '--length 3 --pair A' '--length 3 --top 0' \
                   '--length 3 --each' '--length 3 --total --top 3' '--length 3 --each --up-to --total' \
                   '--length 3 --method fast' '--length 3 --markov --mod 7' '--length 3 --device gpu' \
                   '--length 3 -o out.xyz' '--length 3 -o none/out.tsv' '--length 3 --plot out.txt' \
                   '--length 3 --memory-limit 1K' '--length 100000000' '--length 3 --threads 0' \
                   '--length 3 --format nonsense' '--length 3 --certify 99' '--length 3 --katz -1' \
                   '--length 5 --float --non-backtracking' '--length 3 --weights --non-backtracking'; do
        emit "hochberg.txt $options"
        emit "weighted.mtx $options"
    done
    for options in --help --usage --version 'coarsen --help' 'chain --help' 'batch --help' 'generate --help' \
                   'devices --help' 'bench --help' '' 'nonsense' 'coarsen' 'chain' 'generate' 'generate famous' \
                   'generate famous Nobody' 'coarsen hochberg.txt --length 3' 'batch' \
                   'coarsen hochberg.txt --length 3 --blocks 0' 'chain writes.txt' 'chain published.txt writes.txt'; do
        emit "$options"
    done
}

explanations()
{
    for graph in hochberg.txt larger.txt weighted.mtx; do
        for options in '' --total '--method dense' '--method sweep' '--method hybrid' --float '--mod 17' \
                       '--from 1 --method dense' --closed; do
            for length in 1 8 33; do
                emit "$graph --length $length $options --explain"
            done
        done
    done
}

# ---- Running -------------------------------------------------------------------------------------

mask()
{
    sed -E -e 's/[0-9.]+(e-?[0-9]+)? s\b/T s/g' -e 's/  +T s/ T s/g' -e 's/"seconds": ?(\{[^}]*\}|[0-9.e-]+)/"seconds": T/g' \
        -e 's/[0-9.]+ (KiB|MiB|GiB|MB|GB) (of|available)/M \2/g' -e 's/of [0-9.]+ (KiB|MiB|GiB|MB)/of M/g' \
        -e 's/there (are|is) [0-9.]+ MB/there are M/g' -e 's/"(read|count|total|start|finished|time|memory_bytes|peak_memory_bytes)": ?[0-9.e-]+/"\1": T/g' \
        -e 's/pathcount-[0-9a-f]{16}/pathcount-TEMPORARY/g' -e 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.Z+]+/DATE/g' \
        -e 's/("version": "|pathcount )0\.[0-9]\.0/\1VERSION/' \
        -e "s#$old#PATHCOUNT#g; s#$new#PATHCOUNT#g"
}

# answer NAME PROGRAM LINE: leaves what the program did in $work/NAME.answer.
answer()
{
    rm -rf "$work/run"
    mkdir "$work/run"
    ln -s "$in"/* "$work/run"
    (cd "$work/run" && eval "'$2' $3" > "$work/out" 2> "$work/err" < /dev/null
     echo "exit $?" > "$work/status")
    {
        cat "$work/status"
        mask < "$work/out"
        echo '--- standard error'
        mask < "$work/err"
        cd "$work/run" || exit
        find . -type f | sort | while read -r file; do
            echo "--- $file"
            case $file in
            *.gz) gzip -dc "$file" | cksum ;;
            *.zst) zstd -qdc "$file" 2>/dev/null | cksum ;;
            *.svg | *.npy | *.png) cksum < "$file" ;;
            *) mask < "$file" ;;
            esac
        done
    } > "$work/$1.answer" 2>&1
}

{ whole_matrices; queries; files; between_blocks; relations; generators; batches; refusals; explanations; } |
    awk -v every="$every" 'NR % every == 0' > "$work/lines"
n=0 differing=0
while read -r line <&3; do
    n=$((n + 1))
    answer old "$old" "$line"
    answer new "$new" "$line"
    cmp -s "$work/old.answer" "$work/new.answer" && continue
    differing=$((differing + 1))
    printf 'DIFFERS: pathcount %s\n' "$line"
    diff "$work/old.answer" "$work/new.answer" | head -n 12 | sed 's/^/    /'
done 3< "$work/lines"
echo "$n command lines, $differing differ"
[ "$differing" -eq 0 ]
