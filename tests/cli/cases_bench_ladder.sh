# The ladder of the bench command: what it refuses, and what it prints, with rows that
# tests/fake_engine.c makes up. No GPU is used.

check 'help of the ladder' 0 '*--ladder*--kernels=LIST*--n=N*' '' bench --help
refuses 'engine and ladder' 2 'pathcount bench: measure one of --engine and --ladder at a time*' \
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
refuses 'ladder on the processor' 2 "pathcount bench: --device must be cuda or cuda:N here, not 'cpu'*" \
    bench --ladder --device cpu

former_engine=${PATHCOUNT_CUDA_ENGINE-unset}
PATHCOUNT_CUDA_ENGINE=none
export PATHCOUNT_CUDA_ENGINE
refuses 'ladder without the engine' 69 'pathcount: no CUDA engine*' bench --ladder
refuses 'ladder without the engine, JSON' 69 'pathcount: no CUDA engine*' bench --ladder --json
PATHCOUNT_CUDA_ENGINE=$(dirname "$pathcount")/fake_engine.so
if [ -e "$PATHCOUNT_CUDA_ENGINE" ]; then
    export FAKE_ENGINE
    FAKE_ENGINE=
    refuses 'engine without a benchmark' 69 'pathcount: this CUDA engine has no *_bench in it' \
        bench --engine
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
