# --device: what is said when there is no CUDA engine, and what when there is one, for which that of
# tests/fakes/fake_engine.c stands in. No GPU is used.

printf '0 1\n1 2\n' > g.txt
former_engine=${PATHCOUNT_CUDA_ENGINE-unset}
PATHCOUNT_CUDA_ENGINE=none
export PATHCOUNT_CUDA_ENGINE
refuses 'no CUDA' 69 '*
pathcount: no CUDA engine: *PATHCOUNT_CUDA_ENGINE*' g.txt -k 3 --device cuda
refuses 'no CUDA, with JSON' 69 '*
pathcount: no CUDA engine: *' g.txt -k 3 --device cuda:all --json
check 'auto without CUDA' 0 '*"engine": "cpu"*"device": ""*"engine_reason": "too little work*' '' \
    g.txt -k 3 -q --device auto --json
check 'auto is the default' 0 '*' '*engine      cpu,*because     too little work*engine: cpu,*' \
    g.txt -k 3 --explain=all
check 'the CPU when asked for' 0 '*' '*because     asked for*' g.txt -k 3 --explain=all --device cpu
check 'doubles are for the CPU' 0 '*' '*because     doubles*' \
    g.txt -k 3 --explain=all --float --device cuda
PATHCOUNT_CPU=portable
export PATHCOUNT_CPU
check 'auto says why it did without CUDA' 0 '*' '*engine      cpu,*because     no CUDA engine: *' \
    "$graphs/lesmis.txt" -k 1000 --threads 1 --method dense --no-reduce --explain=all
unset PATHCOUNT_CPU
PATHCOUNT_CUDA_ENGINE=./nowhere.so
refuses 'an engine that is not there' 69 '*
pathcount: *nowhere.so*' g.txt -k 3 --device cuda
PATHCOUNT_CUDA_ENGINE=g.txt
refuses 'an engine that is no shared object' 69 '*
pathcount: *g.txt*' g.txt -k 3 --device cuda

PATHCOUNT_CUDA_ENGINE=$(dirname "$pathcount")/fake_engine.so
if [ -r "$PATHCOUNT_CUDA_ENGINE" ]; then
    export FAKE_ENGINE
    FAKE_ENGINE=broken
    refuses 'no GPU' 69 '*
pathcount: fake finds no GPU' g.txt -k 3 --device cuda:0,1
    FAKE_ENGINE=visible
    while read -r before device after; do
        [ "$before" = unset ] || export CUDA_VISIBLE_DEVICES="$before"
        refuses "GPUs that CUDA sees: $before, $device" 69 "*
pathcount: fake sees $after" g.txt -k 3 --device "$device"
        unset CUDA_VISIBLE_DEVICES
    done << 'END'
unset cuda 0
unset cuda:0 0
unset cuda:2 0,1,2
unset cuda:2,0 0,1,2
unset cuda:11,3 0,1,2,3,4,5,6,7,8,9,10,11
unset cuda:all all
3,1,0,2 cuda 3
3,1,0,2 cuda:1,0 3,1
3,1 cuda:5 3,1
3,1 cuda:all 3,1
GPU-8932f937-d72c,GPU-a1,MIG-7/1/0 cuda:1 GPU-8932f937-d72c,GPU-a1
END
    export CUDA_VISIBLE_DEVICES=
    refuses 'GPUs that CUDA sees: none' 69 '*
pathcount: fake sees ' g.txt -k 3 --device cuda
    unset CUDA_VISIBLE_DEVICES
    FAKE_ENGINE=memory:2
    refuses 'a GPU that gives up' 69 '*
pathcount: fake operation 2 gave up' g.txt -k 3 --device cuda
    FAKE_ENGINE=
    check 'a plan of CUDA' 0 'from*' '*
  engine      cuda, kernel fake, 1 GPU (fake GPU), * thread*
  because     asked for
  start       *
  memory      forecast *
  GPU memory  forecast 1000 bytes of 2.0 KiB available
*
measured: * s without the start of CUDA, predicted *
  start *
  collect *' g.txt -k 3 --device cuda --explain=all
    check 'JSON of CUDA' 0 '*"engine": "cuda"*"kernel": "fake"*"device": "fake GPU"*"seconds": *"start": *' \
        '' g.txt -k 3 --device cuda --json -q
    run "$graphs/karate.txt" -k 64 -q --device cpu -o cpu.tsv
    run "$graphs/karate.txt" -k 64 -q --device cuda -o cuda.tsv
    mv cpu.tsv "$notes/expected"
    same 'the same file from both' cuda.tsv

    # Without the variable the engine beside the library is taken, wherever the command lies.
    fake_engine=$PATHCOUNT_CUDA_ENGINE installed=$pathcount
    mkdir lib
    cp "$(dirname "$pathcount")/libpathcount.so.1" lib
    cp "$fake_engine" lib/libpathcount_cuda.so
    printf '#!/bin/sh\nLD_PRELOAD=%s exec %s "$@"\n' \
        "'$PWD/lib/libpathcount.so.1'" "'$installed'" > preloaded
    chmod +x preloaded
    pathcount=$PWD/preloaded
    unset PATHCOUNT_CUDA_ENGINE
    if "$pathcount" --version > /dev/null 2>&1; then
        check 'the engine beside the library' 0 '*' '*GPU (fake GPU)*' \
            g.txt -k 3 --device cuda --explain=all
    else
        skip 'the engine beside the library' 'the library cannot be loaded from another folder'
    fi
    pathcount=$installed PATHCOUNT_CUDA_ENGINE=$fake_engine
    export PATHCOUNT_CUDA_ENGINE
    unset FAKE_ENGINE
else
    skip 'another engine' 'fake_engine.so does not lie beside the command'
fi
if [ "$former_engine" = unset ]; then
    unset PATHCOUNT_CUDA_ENGINE
else
    PATHCOUNT_CUDA_ENGINE=$former_engine
fi
refuses 'a device called gpu' 2 "pathcount: device 'gpu:1': *; did you mean 'cuda'[?]" g.txt -k 3 --device gpu:1
