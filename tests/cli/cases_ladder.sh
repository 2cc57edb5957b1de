# build/ladder on the processor, and the options of build/bench: what they refuse and print. They are not installed, and
# lie beside the command where tests are built.

programs=$(dirname "$pathcount")
if [ -x "$programs/ladder" ] && [ -x "$programs/bench" ]; then
    # program NAME ARGUMENT...
    program()
    {
        name=$1
        shift
        "$programs/$name" "$@" > "$notes/stdout" 2> "$notes/stderr"
        status=$?
    }
    program ladder --device cpu --n 96 --rounds 1
    judge 'ladder on the processor' 0 'processor  *, * thread*
kernel *
ladder * n * milliseconds * rate * checked against * times as fast as
  ijk * 96 * GFLOP/s * sums of integers * 1.000x the first row, *x the source*s * on Xeon, 1 thread
      Li, Ranka, Sahni, Figure 1.5
  ikj * Figure 1.6
  ikj-openmp *x the source*s * on Xeon, 4 threads
      *Figure 1.8
  reduced-cpu * on i5-9300H
      Reduced Matrix Multiplication, Table 4.2, un-optimized code
  int8-* 96 * sums of integers * the first row
      pathcount, mod 251' ''
    if grep -q -e 'not measured' -e WRONG -e SGEMM "$notes/stdout"; then
        fail 'words of the processor' 'its table speaks of a GPU or of what went wrong'
    else
        pass
    fi
    export PATHCOUNT_CPU=portable
    program ladder --device cpu --n 65 --rounds 1 --kernels ijk --kernels int8-portable --json ladder.json
    judge 'our own product, forced' 0 '*kernel  *portable
*int8-portable * 1.000x the first row*' ''
    if grep -q ' ijk ' "$notes/stdout"; then fail 'the last list counts' 'the first one counts too'; else pass; fi
    if grep -q '"int8-portable, n = 65": {' ladder.json; then pass; else fail 'rows as JSON' 'a row is not there'; fi
    rm -f ladder.json
    export PATHCOUNT_CPU=abacus
    program ladder --device cpu
    judge 'ladder with no kernel' 1 '' 'ladder: *abacus*'
    unset PATHCOUNT_CPU
    program ladder --device cpu --kernels ijk,GPU1
    judge "a GPU's rung on the processor" 1 '' \
        "ladder: the ladder has no kernel 'GPU1' on the processor; it has ijk, *, int8-*"
    program ladder --device gpu
    judge 'ladder of no device' 1 '' "ladder: device 'gpu': give auto, cpu, cuda*"
    for n in 0 16385 -1 4k ''; do
        program ladder --n="$n"
        judge "ladder of n '$n'" 64 '' "*'$n' is not a number from 1 to 16384*"
    done
    program ladder --kernels 'GPU1,,GPU2'
    judge 'an empty name' 64 '' '*a list has an empty name in it*'
    program bench products --sizes 1024,1000
    judge 'a ragged size' 64 '' '*sizes must be multiples of 128, not 1000*'
    program bench speed
    judge 'an unknown section' 64 '' "*there is no section 'speed'*"
    program bench products --device cpu --sizes 128
    judge 'the engine on the processor' 64 '' "*the device must be cuda or cuda:N, not 'cpu'*"
    (unset HOME XDG_CACHE_HOME; exec "$programs/bench" rates) > "$notes/stdout" 2> "$notes/stderr"
    status=$?
    judge 'rates without a home' 1 '' 'bench: engine: cuda: no cache folder: set HOME or XDG_CACHE_HOME'
    echo > file
    former_cache=$XDG_CACHE_HOME
    XDG_CACHE_HOME=$PWD/file/folder
    program bench rates
    judge 'rates without a folder' 1 '' "bench: engine: cuda: $PWD/file/folder/pathcount: Not a directory"
    XDG_CACHE_HOME=$former_cache
    rm -f file
else
    skip 'the ladder and the benchmark' 'they do not lie beside the command'
fi
folder_holds 'measuring leaves nothing behind'
