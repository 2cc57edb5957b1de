# How the program starts: by the loader, without a name, without memory; what libgomp is told.

printf '0 1\n1 2\n' > g.txt
loader=$(readelf -l "$pathcount" 2> /dev/null | sed -n 's/.*interpreter: \(.*\)\]/\1/p')

# with_loader NAME ARGUMENT...: the loader runs the command, which counts 6 paths.
with_loader()
{
    case_name=$1
    shift
    "$loader" "$@" g.txt -k 2 --total -q > "$notes/stdout" 2> "$notes/stderr"
    status=$?
    judge "$case_name" 0 6 ''
}

if [ -x "$loader" ]; then
    with_loader 'started by the loader' "$pathcount"
    if "$loader" --help 2> /dev/null | grep -q argv0; then
        with_loader 'started with an empty name' --argv0 '' "$pathcount"
    else
        skip 'started with an empty name' 'this loader gives no other name'
    fi
else
    skip 'started by the loader' 'readelf names none'
fi

# libgomp reads the limit before main, in one process: no message of it comes twice.
# spinning NAME PATTERN ASSIGNMENT...: what libgomp says that it has read.
spinning()
{
    case_name=$1 case_pattern=$2
    shift 2
    env -u OMP_WAIT_POLICY OMP_DISPLAY_ENV=verbose "$@" "$pathcount" --version 2>&1 > /dev/null |
        grep SPINCOUNT > "$notes/stdout"
    status=0
    : > "$notes/stderr"
    judge "$case_name" 0 "$case_pattern" ''
}

if OMP_DISPLAY_ENV=verbose "$pathcount" --version 2>&1 | grep -q GOMP_SPINCOUNT; then
    spinning 'idle threads soon sleep' "  GOMP_SPINCOUNT = '2000'"
    spinning 'a limit that the user sets' "  GOMP_SPINCOUNT = '77'" GOMP_SPINCOUNT=77
    spinning 'idle threads that the user wants awake' "  GOMP_SPINCOUNT = '30000000000'" \
        OMP_WAIT_POLICY=active
else
    skip 'idle threads soon sleep' 'this is not the OpenMP of gcc'
fi

# Whichever request for memory is refused: the right answer, or a message. libgomp adds one of its own.
faults=$(dirname "$pathcount")/fake_memory.so
if ldd "$pathcount" | grep -q libasan; then
    skip 'no memory at the start' 'the address sanitizer has its own malloc'
elif [ -r "$faults" ]; then
    n_refused=0
    for n in $(seq 1 60); do
        LD_PRELOAD=$faults FAKE_MEMORY_ONCE=$n "$pathcount" g.txt -k 2 --total -q \
            > "$notes/stdout" 2> "$notes/stderr"
        status=$?
        case $status in
        0) judge "request $n for memory" 0 6 '' ;;
        *) judge "request $n for memory" 69 '' '*pathcount: *memory*' ;;
        esac
        if [ $status -eq 69 ]; then n_refused=$((n_refused + 1)); fi
    done
    if [ $n_refused -gt 10 ]; then pass; else fail 'no memory at the start' "$n_refused refusals"; fi
else
    skip 'no memory at the start' 'fake_memory.so does not lie beside the command'
fi
folder_holds 'nothing left by starts' g.txt

# ---- Threads and stacks ----------------------------------------------------------------------------

# Limits are taken from the environment and from the shell. Nothing ends without an answer or a message.
chords 300 > circle.txt
run circle.txt -k 40 --method dense --threads 1 -q --total
cp "$notes/stdout" "$notes/total"
for n in 1073741824 2147483647 1000000; do
    timeout 60 env OMP_NUM_THREADS=$n "$pathcount" circle.txt -k 40 --method dense -q --total \
        > "$notes/stdout" 2> "$notes/stderr"
    status=$?
    judge "OMP_NUM_THREADS=$n" 0 "$(cat "$notes/total")" ''
done

(ulimit -S -s 64; OMP_NUM_THREADS=4 exec "$pathcount" circle.txt -k 40 --method dense -q --total) \
    > "$notes/stdout" 2> "$notes/stderr"
status=$?
judge 'a small stack is made larger' 0 "$(cat "$notes/total")" ''

# The superuser may raise the limit: then there is an answer.
(ulimit -s 64; exec "$pathcount" circle.txt -k 40 -q --total) > "$notes/stdout" 2> "$notes/stderr"
status=$?
if [ $status -eq 0 ]; then
    judge 'a small stack, by the superuser' 0 "$(cat "$notes/total")" ''
else
    judge 'a stack that may not be larger' 69 '' 'pathcount: the stack may not have the 2 MB*ulimit -s 8192)'
fi

for size in 64K 64 1999k 65536B; do
    OMP_STACKSIZE=$size "$pathcount" circle.txt -k 40 -q --total > "$notes/stdout" 2> "$notes/stderr"
    status=$?
    judge "OMP_STACKSIZE=$size" 69 '' "*environment variable OMP_STACKSIZE=$size gives threads less*"
done
OMP_STACKSIZE=2M "$pathcount" circle.txt -k 40 -q --total --method dense --threads 4 > "$notes/stdout" 2> "$notes/stderr"
status=$?
judge 'OMP_STACKSIZE=2M' 0 "$(cat "$notes/total")" ''

# ---- Variables of the environment ------------------------------------------------------------------

printf '0 1\n1 2\n' > g.txt
# Nonsense is refused, also where nothing would read it.
for setting in CUDA_MEMORY=-5 CUDA_MEMORY=0 CUDA_MEMORY=8G CUDA_MEMORY=18446744073709551616 CUDA_PARTS=x CUDA_PARTS=65 \
    IGRAPH_SECONDS=-1 IGRAPH_SECONDS=1e3 'IGRAPH_SECONDS= 7' CUDA_KERNEL=wgmmo; do
    env "PATHCOUNT_$setting" "$pathcount" g.txt -k 2 --total -q > "$notes/stdout" 2> "$notes/stderr"
    status=$?
    judge "PATHCOUNT_$setting" 2 '' "pathcount: *PATHCOUNT_$setting: this variable of the environment must be *"
    env "PATHCOUNT_$setting" "$pathcount" convert g.txt g.mtx -q > "$notes/stdout" 2> "$notes/stderr"
    status=$?
    judge "PATHCOUNT_$setting, converting" 2 '' "pathcount: *PATHCOUNT_$setting: this variable*"
    is "PATHCOUNT_$setting writes nothing" '' "$(ls g.mtx 2> /dev/null)"
done
for setting in CUDA_MEMORY= CUDA_MEMORY=18446744073709551615 CUDA_PARTS=64 IGRAPH_SECONDS=1000000 CUDA_KERNEL=; do
    env "PATHCOUNT_$setting" "$pathcount" g.txt -k 2 --total -q > "$notes/stdout" 2> "$notes/stderr"
    status=$?
    judge "PATHCOUNT_$setting" 0 6 ''
done
