# The workers of a batch: each takes its own dataset down and nothing else, however it ends; all
# are gone when the batch is. Faults come from tests/fakes/batch_faults.c.

faults=$(dirname "$pathcount")/batch_faults.so
sanitized=$(grep -c __asan_init "$pathcount")

# faulty ARGUMENT...: as run, with faults; what was read is in the file calls.
faulty()
{
    : > "$notes/calls"
    LD_PRELOAD=$faults BATCH_FAULTS_CALLS=$notes/calls \
        ASAN_OPTIONS=verify_asan_link_order=0:handle_segv=0:handle_abort=0 \
        "$pathcount" "$@" > "$notes/stdout" 2> "$notes/stderr"
    status=$?
}

# recorded NAME RESULT PATTERN: the last line about a result matches.
recorded()
{
    grep "\"result\": *\"$2\"" out/manifest.jsonl | tail -n 1 > "$notes/line"
    if holds "$notes/line" "$3"; then
        pass
    else
        fail "$1" "the line of $2 does not match $3: $(cat "$notes/line")"
    fi
}

# calls_of NAME: how often a dataset was read.
calls_of()
{
    grep -c "/$1 " "$notes/calls"
}

# How many processes of the command work here.
here_now()
{
    ls -l /proc/[0-9]*/cwd 2> /dev/null | sed -n "s|.* \(/proc/[0-9]*\)/cwd -> $PWD\$|\1/exe|p" |
        xargs -r ls -l 2> /dev/null | grep -c "> $(readlink -f "$pathcount")\$"
}

here_are()
{
    [ "$(here_now)" -eq "$1" ]
}

# A path of three vertices has 8 paths of length 3.
datasets()
{
    mkdir -p in
    for dataset; do
        printf '0 1\n1 2\n' > "in/$dataset.tsv"
    done
}

# nothing_left NAME: no temporary file, no process.
nothing_left()
{
    is "$1: temporary files" '' "$(find . -name '.pathcount-*')"
    is "$1: processes" 0 "$(here_now)"
}

# The name of a dataset changes in the process that starts the workers and writes the manifest.
changed_name()
{
    datasets bit
    faulty batch in --length 3 --total --out out
    judge 'a name that changes in memory' 70 '' '*changed in memory*'
    is 'a name that changes in memory: files' manifest.jsonl "$(ls -A out | xargs)"
    is 'a name that changes in memory: lines' '' "$(cat out/manifest.jsonl)"
}

worker_deaths()
{
    datasets good1 crash abort exit hang slow zgood
    printf '0 x y z\n' > in/bad.tsv
    faulty batch in --length 3 --total --out out --timeout 1.5 --jobs 3
    judge 'workers that die' 1 '' '*8 jobs: 3 done, 5 failed*in/crash.tsv: ended by signal 11*'
    recorded 'a crash' crash.tsv '*"exit": 139,*"message": "ended by signal 11 (Segmentation fault)"*'
    recorded 'an abort' abort.tsv '*"exit": 134,*"message": "ended by signal 6 (Aborted)*'
    recorded 'an exit' exit.tsv '*"exit": 70,*"message": "ended with exit code 3 *'
    recorded 'a hang' hang.tsv '*"exit": 124,*"message": "took longer than the 1.5 s of --timeout"*'
    recorded 'bad data' bad.tsv '*"result_sha256": null, "exit": 65,*"message": "in/bad.tsv:1: *'
    recorded 'one that takes a while' slow.tsv '*"vertices": 3, "edges": 2,*"exit": 0,*"message": ""*'
    is 'the others' '8 8 8' "$(cat out/good1.tsv out/zgood.tsv out/slow.tsv | xargs)"
    is 'results of others only' 'good1.tsv manifest.jsonl slow.tsv zgood.tsv' "$(ls -A out | xargs)"
    is 'nothing is done twice' 8 "$(wc -l < "$notes/calls")"
    nothing_left 'workers that die'
}

# Other programs write to datasets after their digest was taken. Two edges have 8 paths of length 3,
# other edges 8 too: that the result is right by chance must not count.
changes()
{
    datasets change swap gone good
    printf '0 1\n0 2\n' > in/swap.tsv.other
    faulty batch in/change.tsv in/swap.tsv in/gone.tsv in/good.tsv --length 3 --total --out out
    judge 'datasets that change' 1 '' '*4 jobs: 1 done, 3 failed*'
    for changed in change swap; do
        recorded "a dataset that changes: $changed" $changed.tsv \
            '*"result_sha256": null, "exit": 65, "message": "in/'$changed'.tsv: changed while it was read"*'
    done
    recorded 'a dataset that is removed' gone.tsv '*"exit": 66, "message": "in/gone.tsv: cannot be opened*'
    is 'no result of what changed' 'good.tsv manifest.jsonl' "$(ls -A out | xargs)"
    run batch in/change.tsv in/swap.tsv in/good.tsv --length 3 --total --out out --resume
    judge 'what changed is done again' 0 '' '*3 jobs: 2 done, 1 kept, 0 failed*'
    rm -rf out
    datasets swap
    printf '0 1\n0 2\n' > in/swap.tsv.other
    faulty batch in/swap.tsv in/good.tsv --length 3 --pairs in/swap.tsv --out out --jobs 1
    recorded 'a list of pairs that changes' good.tsv \
        '*"exit": 65, "message": "a file that the query names: changed while it was read"*'
    nothing_left 'datasets that change'
}

retries()
{
    datasets good crash flaky
    printf '0 x y z\n' > in/bad.tsv
    faulty batch in --length 3 --total --out out --retry 2 --quiet
    judge 'retries' 1 '' '*'
    is 'a crash is tried again twice' 3 "$(calls_of crash.tsv)"
    is 'until it goes well' 2 "$(calls_of flaky.tsv)"
    is 'bad data stays bad' 1 "$(calls_of bad.tsv)"
    is 'what went well is not tried again' 1 "$(calls_of good.tsv)"
    is 'a line for each' 4 "$(wc -l < out/manifest.jsonl)"
    recorded 'went well at last' flaky.tsv '*"exit": 0,*'
}

memory()
{
    datasets large small1 small2 small3
    faulty batch in --vertices 3000 --length 20 --method dense --no-reduce --out out --jobs 4 \
        --memory-limit 100M --device cpu
    judge 'a job too large for its share' 0 '' '*4 jobs: 4 done, 0 failed*'
    is 'all of them alone' 8 "$(wc -l < "$notes/calls")"
    rm -rf out
    printf '%s\n' '{"input": "in/large.tsv", "options": ["--vertices", "3000"]}' \
        in/small1.tsv in/small2.tsv in/small3.tsv > list
    faulty batch --manifest list --length 20 --method dense --no-reduce --out out --jobs 4 --memory-limit 100M \
        --device cpu
    judge 'one job too large for its share' 0 '' '*4 jobs: 4 done, 0 failed*'
    is 'it is done again' 2 "$(calls_of large.tsv)"
    is 'the others are not' 1 "$(calls_of small1.tsv)"
    is 'it comes last' large.mtx \
        "$(tail -n 1 out/manifest.jsonl | sed 's/.*"result": *"\([^"]*\)".*/\1/')"
    rm -rf out
    faulty batch --manifest list --length 20 --method dense --no-reduce --out out --jobs 4 --memory-limit 16M \
        --device cpu
    judge 'a job too large at all' 1 '' '*in/large.tsv: *'
    recorded 'the numbers' large.mtx '*"exit": 69,*"message": "3000 vertices * MB * MB*'
    nothing_left 'a job too large at all'
}

hog()
{
    datasets good1 hog lack zgood
    faulty batch in --length 3 --total --out out --jobs 2 --memory-limit 200M
    judge 'a worker that takes all memory' 1 '' '*4 jobs: 2 done, 2 failed*'
    recorded 'a worker that gets no memory' lack.tsv '*"exit": 69,*"message": "ended with exit code 69*: out of memory*'
    is 'it tries alone as well' 2 "$(calls_of lack.tsv)"
    recorded 'what it says' hog.tsv '*"exit": 134,*"message": "ended by signal 6*Cannot allocate memory*'
    is 'alone as well' 2 "$(calls_of hog.tsv)"
    peak=$(sed 's/.*"peak_memory_bytes": *\([0-9]*\).*/\1/' "$notes/line")
    is 'not all of the memory' yes "$([ "$peak" -lt 800000000 ] && echo yes || echo "$peak bytes")"
}

old_results()
{
    datasets a
    run batch in --length 3 --total --out out -q
    is 'a result' 8 "$(cat out/a.tsv)"
    printf '0 x y z\n' > in/a.tsv
    run batch in --length 3 --total --out out -q --resume
    is 'a failure leaves no old result' manifest.jsonl "$(ls -A out)"
    datasets a b
    mkdir out/b.tsv
    run batch in --length 3 --total --out out -q --resume
    judge 'a folder in place of a result' 1 '' '*in/b.tsv: cannot create *out/b.tsv*folder*'
    recorded 'a folder in place of a result' b.tsv '*"exit": 73,*'
    nothing_left 'a folder in place of a result'
}

# More workers are asked for than files may be open.
few_files()
{
    # shellcheck disable=SC2046 # words
    datasets $(seq 30)
    (
        ulimit -n 20
        timeout 30 "$pathcount" batch in --length 3 --total --out out --jobs 30 \
            > "$notes/stdout" 2> "$notes/stderr"
        echo $? > "$notes/status"
    )
    status=$(cat "$notes/status")
    judge 'few files may be open' 0 '' '30 jobs: 30 done, 0 failed*'
    nothing_left 'few files may be open'
}

# begin SIGNAL: a batch in the background, until all but the one that hangs are done.
begin()
{
    datasets a b hang c
    LD_PRELOAD=$faults ASAN_OPTIONS=verify_asan_link_order=0 \
        env --default-signal=INT,TERM "$pathcount" batch in --length 3 --total --out out --jobs 2 \
        < /dev/null > "$notes/stdout" 2> "$notes/stderr" &
    supervisor=$!
    await 20 here_are 2 && await 20 has_lines 3 || fail "$1" 'does not begin'
}

has_lines()
{
    [ -r out/manifest.jsonl ] && [ "$(wc -l < out/manifest.jsonl)" -eq "$1" ]
}

# resume NAME: without the fault it is done; what was done is kept.
resume()
{
    run batch in --length 3 --total --out out --resume
    judge "$1, resumed" 0 '' '*4 jobs: 1 done, 3 kept, 0 failed*'
    is "$1, a line for each" 4 "$(wc -l < out/manifest.jsonl)"
    is "$1, results" '8 8 8 8' "$(cat out/*.tsv | xargs)"
}

interruptions()
{
    for case_signal in INT TERM; do
        begin "$case_signal"
        is "$case_signal: no zombie" 1 \
            "$(grep -l "^PPid:[^0-9]*$supervisor\$" /proc/[0-9]*/status 2> /dev/null | wc -l)"
        kill -$case_signal $supervisor
        wait $supervisor
        status=$?
        judge "$case_signal" $([ $case_signal = INT ] && echo 130 || echo 143) '' '*--resume*'
        nothing_left "$case_signal"
        resume "$case_signal"
        rm -rf in out
    done
    begin KILL
    kill -KILL $supervisor
    wait $supervisor 2> /dev/null
    await 10 here_are 0
    is 'KILL: no worker outlives the batch' 0 "$(here_now)"
    resume KILL
    nothing_left KILL
}

engine_of()
{
    sed -n "s/.*\"engine\": \"\([a-z]*\)\".*\"result\": \"$1\".*/\1/p" out/manifest.jsonl
}

processes_that_read()
{
    cut -d ' ' -f 2 "$notes/calls" | sort -u | wc -l
}

gpu()
{
    datasets a b c crash d
    faulty batch in --length 3 --out out --device cuda --jobs 1
    judge 'a GPU for all' 1 '' '*5 jobs: 4 done, 1 failed*'
    is 'engines' 'cuda cuda cuda cuda' "$(engine_of '[a-d].mtx' | xargs)"
    is 'one process, another after a crash' 2 "$(processes_that_read)"
    recorded 'a crash beside the GPU' crash.mtx '*"exit": 139,*'
    mv out alone
    rm -f "$notes/calls"
    datasets e f g h i j k l m n o p q r s t u v w x y z
    faulty batch in --length 3 --out out --device cuda --jobs 3
    judge 'two processes with the GPU' 1 '' '*27 jobs: 26 done, 1 failed*'
    is 'two processes, another after a crash' 3 "$(processes_that_read)"
    is 'engines of two processes' "$(yes cuda | head -n 26 | xargs)" "$(engine_of '[a-z].mtx' | xargs)"
    for dataset in a b c d; do
        cmp -s alone/$dataset.mtx out/$dataset.mtx || fail 'two processes' "$dataset.mtx differs"
    done
    rm -rf out alone
    printf '%s\n' in/a.tsv '{"input": "in/b.tsv", "options": ["--total"]}' \
        '{"input": "in/c.tsv", "options": ["--trace"]}' > list
    run batch --manifest list --length 3 --out out --device cuda
    judge 'a GPU for one thing and another' 0 '' '*3 jobs: 3 done*'
    is 'each in a file of its own' '8 0' "$(cat out/b.tsv out/c.tsv | xargs)"
    rm -rf out
    cp "$graphs/lesmis.txt" in/large.tsv
    printf '%s\n' '{"input": "in/large.tsv", "options": ["--length", "3000"]}' in/a.tsv > list
    PATHCOUNT_CPU=portable run batch --manifest list --length 3 --method dense --out out --threads 1
    judge 'a GPU where it pays' 0 '' '*2 jobs: 2 done*'
    is 'it pays' cuda "$(engine_of large.mtx)"
    is 'it does not pay' cpu "$(engine_of a.mtx)"
    rm -rf out
    FAKE_ENGINE=listless PATHCOUNT_CPU=portable run batch --manifest list --length 3 --method dense \
        --out out --threads 1
    judge 'no GPU where it would pay' 0 '' '*2 jobs: 2 done*'
    is 'it would pay' cpu "$(engine_of large.mtx)"
    nothing_left 'a GPU'
}

# each FUNCTION...: in an empty folder.
each()
{
    for each_function; do
        $each_function
        rm -rf ./* ./.[!.]*
    done
}

each old_results few_files
if [ -r "$faults" ]; then
    each changed_name worker_deaths changes retries memory
    if env --default-signal=INT true 2> /dev/null; then
        each interruptions
    else
        skip 'batch and signals' 'env cannot set them to their defaults'
    fi
    if [ "$sanitized" -eq 0 ]; then
        each hog
    else
        skip 'a worker that takes all memory' 'sanitizers have memory of their own'
    fi
    former_engine=${PATHCOUNT_CUDA_ENGINE-unset}
    PATHCOUNT_CUDA_ENGINE=$(dirname "$pathcount")/fake_engine.so
    if [ -r "$PATHCOUNT_CUDA_ENGINE" ]; then
        export PATHCOUNT_CUDA_ENGINE
        each gpu
    else
        skip 'a batch with a GPU' 'fake_engine.so does not lie beside the command'
    fi
    if [ "$former_engine" = unset ]; then
        unset PATHCOUNT_CUDA_ENGINE
    else
        PATHCOUNT_CUDA_ENGINE=$former_engine
    fi
else
    skip 'faults of workers' 'batch_faults.so does not lie beside the command'
fi
