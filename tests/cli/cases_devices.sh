# The devices command: what it says without a CUDA engine, and with that of tests/fakes/fake_engine.c, which
# has one GPU and a defective one. No GPU is used.

check 'help of devices' 0 'Usage: pathcount *List the processors and GPUs*--device=DEVICE*--json*' '' \
    devices --help
refuses 'devices of a graph' 2 "pathcount devices: devices takes no graph ('g.txt')*" devices g.txt
refuses 'devices of no device' 2 "pathcount: device 'gpu': give auto, cpu, cuda*" \
    devices --device gpu

former_engine=${PATHCOUNT_CUDA_ENGINE-unset}
PATHCOUNT_CUDA_ENGINE=none
export PATHCOUNT_CUDA_ENGINE
check 'devices without CUDA' 0 'cpu  *
  threads             *
  kernel              *
  memory              *B free
  largest n           * in theory, * as planned

cuda:0  not usable: no CUDA engine: *PATHCOUNT_CUDA_ENGINE*

largest n: *
auto: counts are made by the processors' '' devices
wide=$(grep -v 'not usable' "$notes/stdout" | cut -c 91- | tr -d '\n')
if [ -z "$wide" ]; then pass; else fail 'devices in 90 columns' "too wide: $wide"; fi
check 'the CPU asked for' 0 '*
cpu: counts are made by the processors' '' devices --device cpu
check 'a GPU asked for that is not there' 0 '*
cuda:3: no counts, for there is nothing of that name to use' '' devices --device cuda:3
check 'devices without CUDA, JSON' 0 '{*"asked": "auto"*"device": "cpu"*"missing": ""*"is_chosen": true*"largest_n_theory": [1-9]*"device": "cuda:0"*"missing": "no CUDA engine: *"is_chosen": false*}' \
    '' devices --json
PATHCOUNT_CUDA_ENGINE=$(printf './nowhere\377.so')
check 'a path that is no UTF-8, JSON' 0 '*nowhere[?].so*' '' devices --json
PATHCOUNT_CUDA_ENGINE=none
PATHCOUNT_CPU=abacus
export PATHCOUNT_CPU
check 'a kernel that is not there' 0 'cpu  not usable: *abacus*' '' devices
unset PATHCOUNT_CPU

PATHCOUNT_CUDA_ENGINE=$(dirname "$pathcount")/fake_engine.so
if [ -r "$PATHCOUNT_CUDA_ENGINE" ]; then
    check 'devices of CUDA' 0 'cpu  *

cuda:0  fake GPU
  compute capability  9.1
  kernel              fake
  memory              22.9 MiB, 19.1 MiB free
  multiprocessors     7, 1234 MHz
  each of them        2048 threads, 32 blocks, 65536 registers, 228.0 KiB of shared memory
  a block             1024 threads, 227.0 KiB of shared memory
  L2 cache            1.0 MiB
  memory bus          4096 bits, 2345 MHz
  largest n           1000 in theory, * as planned

cuda:1  not usable: fake GPU is defective

largest n: *
auto: counts are made on cuda:0 when *
* else by the processors' '' devices
    check 'all GPUs' 0 '*
cuda:all: counts are made on cuda:0' '' devices --device cuda:all
    check 'devices of CUDA, JSON' 0 '*"device": "cpu"*"is_chosen": false*"device": "cuda:0"*"is_chosen": true*"largest_n_theory": 1000,*"clock_mhz": 1234.5,*"device": "cuda:1"*"missing": "fake GPU is defective"*' \
        '' devices --json
else
    skip 'devices of another engine' 'fake_engine.so does not lie beside the command'
fi
if [ "$former_engine" = unset ]; then
    unset PATHCOUNT_CUDA_ENGINE
else
    PATHCOUNT_CUDA_ENGINE=$former_engine
fi
folder_holds 'devices leaves nothing behind'
