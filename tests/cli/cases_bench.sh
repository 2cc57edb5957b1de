# The bench command as far as it goes without a GPU.

check 'help of bench' 0 'Usage: pathcount *--engine*Measure this machine*--sizes=LIST*' '' \
    bench --help
wide=$(cut -c 81- "$notes/stdout" | tr -d '\n')
if [ -z "$wide" ]; then pass; else fail 'help of bench in 80 columns' "too wide: $wide"; fi
refuses 'bench of nothing' 2 \
    'pathcount bench: measure what[?] --engine measures the GPU engine, --ladder the kernels*' bench
refuses 'bench of a graph' 2 "pathcount bench: bench takes no graph ('g.txt')*" bench --engine g.txt
refuses 'bench of the processor' 2 "pathcount bench: --device must be cuda or cuda:N for --engine, not 'cpu'*" \
    bench --engine --device cpu
refuses 'bench of the processor, first' 2 "pathcount bench: --device must be cuda or *, not 'auto'*" \
    bench --device auto --engine
refuses 'bench of no device' 2 'pathcount: *cuda:x*' bench --engine --device cuda:x
refuses 'unknown part' 2 \
    "pathcount bench: --part must be of ceilings, products, planes, counts, answers, not 'speed'*" \
    bench --engine --part ceilings,speed
for size in 0 64 65664 -128 128k ''; do
    refuses "size '$size'" 2 "pathcount bench: --sizes must be an integer from 128 to 65536, not '$size'*" \
        bench --engine --sizes "1024,$size"
done
refuses 'ragged size' 2 "pathcount bench: --sizes must be multiples of 128, not '1000'*" \
    bench --engine --sizes 1000
for rounds in 0 1001 x; do
    refuses "rounds '$rounds'" 2 \
        "pathcount bench: --rounds must be an integer from 1 to 1000, not '$rounds'*" \
        bench --engine --rounds "$rounds"
done

refuses 'too many sizes' 2 'pathcount bench: --sizes takes * of them at most*' bench --engine \
    --sizes "$(printf '128,%.0s' $(seq 100))128"
for option in '--part products' '--sizes 128' '--n 8' '--kernels ijk' '--rounds 3' '--device cpu'; do
    # shellcheck disable=SC2086 # options are words
    refuses "calibrate with $option" 2 'pathcount bench: --calibrate takes --json and no other option*' \
        bench --calibrate $option
done
echo > file
former_cache=$XDG_CACHE_HOME
XDG_CACHE_HOME=$PWD/file/folder
refuses 'calibrate without a folder' 73 "pathcount: $PWD/file/folder/pathcount: Not a directory" \
    bench --calibrate
XDG_CACHE_HOME=$former_cache

# Where the rates go, and that the next command reads them; what they are is measured by suite rates.
# calibrate OPTION...
calibrate()
{
    LD_PRELOAD=$(dirname "$pathcount")/fake_rates.so ASAN_OPTIONS=verify_asan_link_order=0 \
        "$pathcount" bench --calibrate "$@" > "$notes/stdout" 2> "$notes/stderr"
    status=$?
}
if [ -r "$(dirname "$pathcount")/fake_rates.so" ]; then
    XDG_CACHE_HOME=$PWD/made/for/rates
    calibrate
    judge 'rates as a table' 0 "a second and a thread:
  product *1.5e+11  int8 operations
  sweep *2.25e+09  bytes
kept in $PWD/made/for/rates/pathcount/rates" ''
    is 'nobody else reads the folder' 700 "$(stat -c %a made/for/rates/pathcount)"
    echo '0 1' > g.txt
    check 'rates that were kept are read' 0 1 '' g.txt -k 1 --pair 0 1 -q
    calibrate --json
    judge 'rates as JSON' 0 '{
  "schema": 1,*
  "command": "bench",
  "rates": {
    "product": {
      "per_second": 150000000000.0,
      "unit": "int8 operations"
    },
    "sweep": {
      "per_second": 2250000000.0,
      "unit": "bytes"
    }
  }
}' ''
    rm made/for/rates/pathcount/rates
    export FAKE_RATES=fail
    calibrate
    judge 'rates that cannot be measured' 69 'a second and a thread:' 'pathcount: fake rates'
    unset FAKE_RATES
    if [ -e made/for/rates/pathcount/rates ]; then fail 'rates that cannot be measured' 'are kept'
    else pass; fi
    unset XDG_CACHE_HOME
    former_home=${HOME-}
    HOME=$PWD/home
    mkdir home
    calibrate
    judge 'rates of a home' 0 "*kept in $PWD/home/.cache/pathcount/rates" ''
    HOME=$former_home XDG_CACHE_HOME=$former_cache
    export XDG_CACHE_HOME
    rm -rf made home g.txt
else
    skip 'rates that are kept' 'fake_rates.so does not lie beside the command'
fi
(unset HOME XDG_CACHE_HOME; exec "$pathcount" bench --calibrate) > "$notes/stdout" 2> "$notes/stderr"
status=$?
judge 'calibrate without a home' 73 '' 'pathcount: no cache folder: set HOME or XDG_CACHE_HOME'
rm file

former_engine=${PATHCOUNT_CUDA_ENGINE-unset}
PATHCOUNT_CUDA_ENGINE=none
export PATHCOUNT_CUDA_ENGINE
refuses 'bench without the engine' 69 'pathcount: no CUDA engine*' bench --engine
refuses 'bench without the engine, JSON' 69 'pathcount: no CUDA engine*' bench --engine --json \
    --part products --sizes 1024 --rounds 3
if [ "$former_engine" = unset ]; then
    unset PATHCOUNT_CUDA_ENGINE
else
    PATHCOUNT_CUDA_ENGINE=$former_engine
fi
folder_holds 'bench leaves nothing behind'
