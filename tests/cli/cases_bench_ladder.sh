# The ladder of the bench command: what it refuses, what it prints on the processor, and what with rows
# that tests/fake_engine.c makes up. No GPU is used.

check 'help of the ladder' 0 '*--ladder*--kernels=LIST*--n=N*' '' bench --help
refuses 'engine and ladder' 2 'pathcount bench: measure one of --engine, --ladder and --calibrate at a time*' \
    bench --engine --ladder
refuses 'ladder with parts' 2 'pathcount bench: --part and --sizes are for --engine;*' \
    bench --ladder --part products
refuses 'ladder with sizes' 2 'pathcount bench: --part and --sizes are for --engine;*' \
    bench --sizes 1024 --ladder
refuses 'engine with n' 2 'pathcount bench: --n and --kernels are for --ladder;*' bench --engine --n 1024
refuses 'engine with kernels' 2 'pathcount bench: --n and --kernels are for --ladder;*' \
    bench --kernels GPU1 --engine
for n in 0 16385 -1 4k ''; do
    refuses "ladder of n '$n'" 2 "pathcount bench: --n must be an integer from 1 to 16384, not '$n'*" \
        bench --ladder --n "$n"
done
for names in '' 'GPU1,' ',GPU1' 'GPU1,,GPU2'; do
    refuses "ladder of kernels '$names'" 2 'pathcount bench: --kernels has an empty name in it*' \
        bench --ladder --kernels "$names"
done
many=x,x,x,x,x,x,x,x
many=$many,$many,$many,$many,$many,$many,$many,$many
refuses 'ladder of too many kernels' 2 'pathcount bench: --kernels takes 64 of them at most*' \
    bench --ladder --kernels "$many,x"
refuses 'ladder of a long list' 2 'pathcount bench: that list is too long:*' \
    bench --ladder --kernels "$(printf '%01024d' 0)"
refuses 'rounds of the ladder' 2 "pathcount bench: --rounds must be an integer from 1 to 1000, not '0'*" \
    bench --ladder --rounds 0
refuses 'ladder of no device' 2 "pathcount: device 'gpu': give auto, cpu, cuda*" \
    bench --ladder --device gpu
refuses 'a rung of a GPU on the processor' 2 \
    "pathcount: the ladder has no kernel 'GPU1' on the processor; it has ijk, *, int8-*" \
    bench --ladder --device cpu --kernels ijk,GPU1
check 'ladder on the processor' 0 'pathcount * on *, * thread*
  kernel *
Every result was compared *
  speed-up * first row*
Li, Ranka, Sahni (n = 96)
  kernel  *ms * GFLOP/s speed-up * theirs on * where
  ijk  * 1.00x * Xeon, 1 thread  Figure 1.5
  ikj  *x * Xeon, 1 thread  Figure 1.6
  ikj-openmp *x * Xeon, 4 threads Figure 1.8

Reduced Matrix Multiplication (n = 96)
  kernel *
  reduced-cpu *x * i5-9300H *
pathcount (n = 96)
  kernel *
  int8-*x *' '' bench --ladder --device cpu --n 96 --rounds 1
if grep -q -e 'not measured' -e WRONG -e GPU -e SGEMM "$notes/stdout"; then
    fail 'words of the processor' 'its table speaks of a GPU or of what went wrong'
else
    pass
fi
wide=$(cut -c 101- "$notes/stdout" | tr -d '\n')
if [ -z "$wide" ]; then pass; else fail 'ladder on the processor in 100 columns' "too wide: $wide"; fi
PATHCOUNT_CPU=portable
export PATHCOUNT_CPU
check 'our own product, forced' 0 '*  kernel   portable
*int8-portable * 1.00x *' '' bench --ladder --device cpu --n 65 --rounds 1 --kernels int8-portable
PATHCOUNT_CPU=abacus
refuses 'ladder with no kernel' 69 'pathcount: *abacus*' bench --ladder --device cpu
unset PATHCOUNT_CPU

former_engine=${PATHCOUNT_CUDA_ENGINE-unset}
PATHCOUNT_CUDA_ENGINE=none
export PATHCOUNT_CUDA_ENGINE
refuses 'ladder without the engine' 69 'pathcount: no CUDA engine*' bench --ladder --device cuda
refuses 'ladder without the engine, JSON' 69 'pathcount: no CUDA engine*' \
    bench --ladder --json --device cuda:0
refuses "a GPU's rung without a GPU" 2 \
    "pathcount: the ladder has no kernel 'GPU1' on the processor; it has ijk, *; no GPU is measured: no CUDA *" \
    bench --ladder --kernels GPU1
check 'the processor stands in' 0 '*Li, Ranka, Sahni (n = 5)*' \
    'pathcount: measuring the processor: no CUDA engine: *' bench --ladder --n 5 --rounds 1
check 'the processor stands in, JSON' 0 '{*"device": {*"name": "?*"major": 0,*"driver": "",*"cublas": "",*"cublas_missing": "no CUDA engine: *"rows": \[*"kernel": "ikj",
      "source": "Li, Ranka, Sahni, Figure 1.6",*"n": 3,
      "block": \[
        0,
        0
      \],
      "registers": 0,*"speedup": 1.0,
      "seed_device": "Xeon, 1 thread",*"verified": "sums of integers",
      "note": ""
    }
  \]
}' 'pathcount: measuring the processor: no CUDA engine: *' \
    bench --ladder --n 3 --rounds 1 --kernels ikj --json
PATHCOUNT_CUDA_ENGINE=$(dirname "$pathcount")/fake_engine.so
if [ -e "$PATHCOUNT_CUDA_ENGINE" ]; then
    export FAKE_ENGINE
    FAKE_ENGINE=
    check 'table of the engine' 0 'pathcount * on fake GPU, compute capability 9.0, 132 multiprocessors
  clock    1980 MHz at most, 345 MHz before the first measurement
  CUDA     driver 1.0, runtime 1.1
  cuBLAS   12.5
  kernel   fake
Rates count *

ceilings * n *
  copy *  0.7500 *15.0 GB/s *  n / 7

products * n *
  plane * 1024 * 12.5000 *1099.5 TOPS * CPU *  1.250x cublas-s8, 40.000x plain
  none *  not measured: it is fake
  plane * 256 *
  none *' '' bench --engine --sizes 1024,256 --rounds 3 --part ceilings,products,planes,counts
    check 'options reach the engine' 0 '*  copy *  1.7500 *2.0 GB/s *' '' bench --engine --part products
    check 'JSON of the engine' 0 '{*"device": {*"name": "fake GPU",*"major": 9,*"cublas": "12.5",*"rows": \[*{
      "section": "products",
      "name": "plane",
      "n": 1024,
      "milliseconds": 12.5,
      "rate": 1099.5,
      "unit": "TOPS",
      "verified": "CPU",
      "note": "",
      "times_as_fast_as": {
        "cublas-s8": 1.25,
        "plain": 40.0
      }
    },*"note": "it is fake",*' '' bench --engine --sizes 1024 --json --part products
    check 'whole answers' 0 '*answers * n * milliseconds *
  length 8, summary, mean degree 32 * 128 * a second *a vector*s sum * 1 GPU: bound * product * certify * ms
  length 8, 10 largest, mean degree 32 * 128 *
  length 8, trace, mean degree 32 * 128 * certificate *
  length 8, modulo a prime, mean degree 32 * 128 * certificate *
  length 64, summary, mean degree 32 * 128 *' '' bench --engine --sizes 128 --rounds 1 --part answers
    FAKE_ENGINE=wrong
    check 'wrong results of the engine' 70 '*plane*' 'pathcount: fake result is wrong' \
        bench --engine --sizes 128
    FAKE_ENGINE=
    former_fake=$PATHCOUNT_CUDA_ENGINE
    cp "$former_fake" alone.so
    PATHCOUNT_CUDA_ENGINE=alone.so
    refuses 'engine without a benchmark' 69 \
        'pathcount: the benchmark of the CUDA engine cannot be opened: *alone_bench.so*beside the engine; make builds*' \
        bench --engine
    refuses 'ladder without a benchmark' 69 \
        'pathcount: the benchmark of the CUDA engine cannot be opened: *alone_bench.so*' \
        bench --ladder --device cuda
    check 'the processor stands in for a missing benchmark' 0 '*  ijk *' \
        'pathcount: measuring the processor: the benchmark of the CUDA engine cannot be opened: *' \
        bench --ladder --n 2 --kernels ijk
    cp "$former_fake" alone_bench.so
    refuses 'a benchmark of another build' 69 \
        'pathcount: *alone_bench.so is no benchmark of this build *' bench --ladder --device cuda
    rm -f alone.so alone_bench.so
    PATHCOUNT_CUDA_ENGINE=$former_fake
    check 'table of the ladder' 0 '*on fake GPU,*none to compare with: it is fake*
Fake, Faker (n = 4096)
  kernel * block *
  GPU9 * 512 x 2 *5 * 49152 * 0.38 * 8.5 * 412.2 * 12.5000 * 10995 * 21.9% * 1.50x * 26 C1060 * Figure 1.99' \
        '' bench --ladder
    check 'table of named kernels' 0 '*Fake, Faker (n = 4096)
*  GPU9*Figure 1.99*
Fake (n = 4096)
  kernel * block *
  one  * not measured: it is fake
  two  * not measured: it is fake' '' bench --ladder --kernels one,two
    wide=$(cut -c 141- "$notes/stdout" | tr -d '\n')
    if [ -z "$wide" ]; then pass; else fail 'table in 140 columns' "too wide: $wide"; fi
    check 'JSON of the ladder' 0 '{*"device": {*"name": "fake GPU"*"rows": \[*"kernel": "GPU9",
      "source": "Fake, Faker, Figure 1.99",
      "computes": "2 x 3 of C",
      "n": 4096,
      "block": \[
        512,
        2
      \],
      "registers": 5,
      "shared_bytes": 49152,
      "occupancy": 0.375,
      "transactions": 8.5e9,
      "volume_bytes": 4.1225e11,
      "milliseconds": 12.5,
      "gflops": 10995.0,
      "of_library": 0.21875,
      "speedup": 1.5,
      "seed_device": "C1060",
      "seed_gflops": 26.0,
      "verified": "nothing",
      "note": ""
    }
  \]
}' '' bench --ladder --json
    check 'options reach the ladder' 0 '*"n": 77,*"registers": 9,*"kernel": "b",*"n": 77,*' '' \
        bench --ladder --n 77 --rounds 9 --kernels a --kernels b --json --device cuda
    if [ "$(grep -c '"kernel": "[ab]"' "$notes/stdout")" -ne 1 ]; then
        fail 'the last list counts' 'the first one counts too'
    else
        pass
    fi
    FAKE_ENGINE=broken
    check 'no GPU to be found' 0 '*  ijk *' 'pathcount: measuring the processor: fake finds no GPU' \
        bench --ladder --n 2 --kernels ijk
    FAKE_ENGINE=wrong
    check 'wrong results' 70 '*GPU9*' 'pathcount: fake result is wrong' bench --ladder
    check 'wrong results, JSON' 70 '*"GPU9"*}' 'pathcount: fake result is wrong' \
        bench --ladder --json
    unset FAKE_ENGINE
else
    skip 'table of the ladder' 'fake_engine.so does not lie beside the command'
fi
if [ "$former_engine" = unset ]; then
    unset PATHCOUNT_CUDA_ENGINE
else
    PATHCOUNT_CUDA_ENGINE=$former_engine
fi
folder_holds 'bench --ladder leaves nothing behind'
