#!/bin/sh
# A batch that is killed again and again loses nothing:
#
#   sh tests/batch_kill.sh BUILD N_DATASETS N_KILLS [SEED]
#
# Makes datasets, some of them bad (one of 20, of few datasets more), and runs a batch over them
# undisturbed. Then runs another, which SIGKILL ends at N_KILLS random moments, each time to be resumed,
# and compares: every good dataset has the same result, was counted once and once more at most for each
# time it was being counted when the batch was killed; every bad one has failed with a reason; nothing
# else lies in the folder, and at no moment was there a part of a result.

[ $# -ge 3 ] || { echo "usage: $0 BUILD N_DATASETS N_KILLS [SEED]" >&2; exit 2; }
build=$(cd "$1" && pwd) || exit 2
n_datasets=$2 n_kills=$3 seed=${4:-1}
pathcount=$build/pathcount
faults=$build/batch_faults.so
n_workers=4 n_kinds=12 # of bad datasets
every=$((n_datasets / n_kinds))
[ $every -le 20 ] || every=20
[ $every -ge 2 ] || every=2
export LC_ALL=C PATHCOUNT_CUDA_ENGINE=none
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
cd "$work" || exit 2
mkdir data run
n_wrong=0

wrong()
{
    n_wrong=$((n_wrong + 1))
    echo "WRONG: $*"
}

# ---- Datasets ------------------------------------------------------------------------------------

# make_bad KIND NAME
make_bad()
{
    case $1 in
    0) : > "data/$2.tsv" ;;
    1) head -c 3000 /dev/urandom > "data/$2.tsv" ;;
    2) "$pathcount" generate erdos-renyi --vertices 90 --edges 300 -q | gzip |
        head -c 200 > "data/$2.tsv.gz" ;;
    3) printf '%%%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 1\n' > "data/$2.mtx" ;;
    4) ln -s nowhere "data/$2.tsv" ;;
    5) printf '0 99999999999999999999999999\n1 2 3\n' > "data/$2.tsv" ;;
    6) mkdir "data/$2.tsv" ;;
    7) ln -s "$2.tsv" "data/$2.tsv" ;;
    8) printf '%%%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n' > "data/$2.mtx" ;;
    9) printf '0 1\n2\n' > "data/$2.tsv" ;;
    10) mkfifo "data/$2.tsv" ;;
    11) printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 1\n4 1\n' > "data/$2.mtx" ;;
    esac
}

# Sizes from 8 to some hundred vertices, of three models.
make_good()
{
    size=$((8 + $1 * 37 % 250))
    case $(($1 % 4)) in
    0) "$pathcount" generate erdos-renyi --vertices "$size" --edges $((3 * size)) --seed "$1" -q \
        -o "data/$2.tsv" ;;
    1) "$pathcount" generate barabasi-albert --vertices "$size" --edges-per-vertex 3 --seed "$1" -q \
        -o "data/$2.tsv.gz" ;;
    2) "$pathcount" generate rmat --scale $((3 + $1 % 5)) --edge-factor 8 --seed "$1" --directed -q \
        -o "data/$2.mtx" ;;
    3) "$pathcount" generate erdos-renyi --vertices "$size" --edges $((5 * size)) --seed "$1" \
        --directed -q -o "data/$2.csv" ;;
    esac
}

make_all()
{
    i=0
    while [ $i -lt "$n_datasets" ]; do
        if [ $((i % every)) -eq 1 ]; then
            make_bad $((i / every % n_kinds)) "bad$i"
        elif [ $((i % 20)) -eq 3 ]; then
            make_good $i "slow$i"
        else
            make_good $i "good$i"
        fi || return 1
        i=$((i + 1))
    done
}

# Some are asked for their matrix, some for less.
list_all()
{
    find "$work/data" -mindepth 1 -maxdepth 1 | sort | awk '
        NR % 3 == 0 { printf "{\"input\": \"%s\", \"options\": [\"--total\", \"--each\"]}\n", $0; next }
        NR % 3 == 1 { printf "{\"input\": \"%s\", \"options\": [\"--closed\"]}\n", $0; next }
        { print }'
}

# ---- Runs ----------------------------------------------------------------------------------------

# batch FOLDER ARGUMENT...: in a folder of its own, by which its processes can be told.
batch()
{
    folder=$work/$1
    shift
    cd "$work/run" && exec env LD_PRELOAD="$preload" BATCH_FAULTS_CALLS="$calls" \
        ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0" \
        "$pathcount" batch --manifest "$work/list" --length 12 --out "$folder" \
        --jobs $n_workers --quiet "$@"
}

processes()
{
    ls -l /proc/[0-9]*/cwd 2> /dev/null | grep -c "> $work/run\$"
}

seconds_since()
{
    awk -v from="$1" -v to="$(date +%s.%N)" 'BEGIN { print to - from }'
}

# Moments when to kill, after the start of a run: all of them together take about as long as the run.
moments()
{
    awk -v n="$n_kills" -v seconds="$1" -v seed="$seed" \
        'BEGIN { srand(seed); for (i = 0; i < n; i++) printf "%.4f\n", 0.005 + 2 * rand() * seconds / n }'
}

run_and_kill()
{
    resume='' n_killed=0
    for moment in $(moments "$1"); do
        (batch killed $resume) 2> "$work/killed.err" &
        supervisor=$!
        sleep "$moment"
        kill -KILL $supervisor 2> /dev/null && n_killed=$((n_killed + 1))
        wait $supervisor 2> /dev/null
        diff -rq clean killed 2> /dev/null | grep ' differ$' | grep -v /manifest.jsonl > parts &&
            wrong "not whole when the batch was killed: $(head -3 parts)"
        [ -s killed/manifest.jsonl ] && resume=--resume
    done
    calls=$work/calls
    (batch killed $resume) 2> "$work/killed.err"
    status=$?
}

# ---- What came of them ---------------------------------------------------------------------------

# latest FOLDER: "RESULT EXIT HASH MESSAGE", the last line of each result; lines that are torn are none.
latest()
{
    sed -n 's/^{.*"result": *"\([^"]*\)", *"result_sha256": *"\{0,1\}\([^",]*\)"\{0,1\}, *"exit": *\([0-9]*\), *"message": *"\(.*\)".*}$/\1 \3 \2 \4/p' \
        "$1/manifest.jsonl" | awk '{ last[$1] = $0 } END { for (r in last) print last[r] }' | sort
}

check_results()
{
    latest clean | grep '^[gs]' | cut -d ' ' -f 1-3 > clean.good
    latest killed | grep '^[gs]' | cut -d ' ' -f 1-3 > killed.good
    [ "$(wc -l < clean.good)" -eq "$n_good" ] || wrong "$(wc -l < clean.good) of $n_good recorded"
    grep -v ' 0 [0-9a-f]\{64\}$' killed.good > not_done && wrong "good ones failed: $(head -3 not_done)"
    cmp -s clean.good killed.good || wrong "$(diff clean.good killed.good | head -5)"
    (cd killed && awk '{ print $3 "  " $1 }' ../killed.good | sha256sum --quiet -c) ||
        wrong 'results are not those of the manifest'
    (cd clean && find . -type f ! -name manifest.jsonl | sort) > clean.files
    (cd killed && find . -type f ! -name manifest.jsonl | sort) > killed.files
    [ "$(wc -l < killed.files)" -eq "$n_good" ] || wrong "$(wc -l < killed.files) files, not $n_good"
    cmp -s clean.files killed.files || wrong "$(diff clean.files killed.files | head -5)"
}

check_failures()
{
    latest killed | grep '^bad' > failed
    [ "$(wc -l < failed)" -eq "$n_bad" ] || wrong "$(wc -l < failed) of $n_bad bad ones recorded"
    grep -v '^[^ ]* [1-9][0-9]* null .' failed > silent && wrong "without a reason: $(head -3 silent)"
    [ $status -eq 1 ] || wrong "the last run ended with $status"
}

# Each kill hits n_workers jobs at most, which are then begun once more.
check_work()
{
    n_lines=$(sed -n 's/.*"result": *"\([gs][^"]*\)".*"exit": *0,.*/\1/p' killed/manifest.jsonl | wc -l)
    [ "$n_lines" -eq "$n_good" ] || wrong "$n_lines lines say that $n_good results were made"
    if [ -n "$preload" ]; then
        n_extra=$(($(grep -c '/[gs][^/]*$' calls) - n_good))
        [ $n_extra -le $((n_killed * n_workers)) ] || wrong "$n_extra counted again"
        [ $n_extra -ge 0 ] || wrong "only $n_extra counted: the calls were not seen"
    fi
}

make_all || { echo 'datasets cannot be made' >&2; exit 2; }
list_all > list
n_bad=$(find data -mindepth 1 -name 'bad*' | wc -l)
n_good=$(find data -mindepth 1 ! -name 'bad*' | wc -l)
preload=
[ -r "$faults" ] && preload=$faults

calls='' start=$(date +%s.%N)
(batch clean) 2> clean.err
[ $? -eq 1 ] || { wrong 'the undisturbed run ended otherwise:' "$(head -c 2000 clean.err)"; exit 1; }
clean_seconds=$(seconds_since "$start")

calls=$work/calls
run_and_kill "$clean_seconds"
check_results
check_failures
check_work
[ "$(processes)" -eq 0 ] || wrong "$(processes) processes are left"
echo "$n_good good and $n_bad bad datasets, $clean_seconds s undisturbed; $n_killed kills," \
    "${n_extra:-?} counts again, seed $seed: $n_wrong wrong"
[ $n_wrong -eq 0 ]
