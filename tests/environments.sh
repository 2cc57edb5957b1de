#!/bin/sh
# The command in environments that it did not choose:
#
#   sh tests/environments.sh BUILD [--long] [NAME...]
#
# NAME: locales modules streams users groups valgrind races; all without. The last two, and more locales,
# are in the long form only. What this machine does not offer is skipped, with the reason. The last line
# is "N passed, N failed, N skipped"; exits 1 when a check failed.

here=$(cd "$(dirname "$0")" && pwd) || exit 2
build=$(cd "$1" && pwd) || exit 2
shift
is_long=
[ "$1" != --long ] || { is_long=yes; shift; }
wanted=$*
pathcount=$build/pathcount
notes=$(mktemp -d) && work=$(mktemp -d) && cd "$work" || exit 2
trap 'rm -rf "$notes" "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
unset PATHCOUNT_CPU PATHCOUNT_CUDA_KERNEL FAKE_ENGINE
export LC_ALL=C OMP_WAIT_POLICY=passive XDG_CACHE_HOME=$notes/cache PATHCOUNT_CUDA_ENGINE=none
export ASAN_OPTIONS=verify_asan_link_order=0
passed=0 failed=0 skipped=0

fail()
{
    failed=$((failed + 1))
    echo "FAILED: $*"
}

# is NAME EXPECTED GOT
is()
{
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else fail "$1: expected '$2', got '$3'"; fi
}

skip()
{
    skipped=$((skipped + 1))
    echo "SKIPPED: $1: $2"
}

wants()
{
    case " ${wanted:-$1} " in
    *" $1 "*) echo "-- $1" ;;
    *) false ;;
    esac
}

printf '0 1\n1 2\n2 0\n2 3\n' > g.txt
printf '# Undirected graph, FIVE lines\nI i\ni ADI\nADI I\n' > labels.txt
printf 'x y 3\ny z 1\n' > weights.csv
printf '%%%%MatrixMarket MATRIX Coordinate INTEGER Symmetric\n3 3 2\n2 1 1\n3 2 2\n' > upper.MTX
printf 'graph [ node [ id 0 label "I" ] node [ id 1 label "i" ] node [ id 2 ]
edge [ source 0 target 1 weight 2.0 ] edge [ source 1 target 2 weight 3.0 ] ]\n' > tree.GML
cp "$here/../examples/graphs/karate.txt" .

# ---- Locales -------------------------------------------------------------------------------------

# Numbers and letters in all ways in, and all ways out. Times are taken away.
answer_all()
{
    n=0
    while read -r arguments; do
        n=$((n + 1))
        # shellcheck disable=SC2086 # words
        "$pathcount" $arguments 2>&1 | grep -v -e '^time ' -e seconds -e ' s$' -e peak_memory
    done << 'END'
g.txt -k 200 --float
g.txt -k 8 --json
karate.txt -k 8
karate.txt -k 30 --top 5 --explain=all --mod 1000003
g.txt -k 8 --katz 0.125
g.txt -k 8 --markov --from 0
g.txt -k 8 --subgraph-centrality
labels.txt -k 4
weights.csv -k 3 --weights --directed -o answer.csv
upper.MTX -k 3 --weights
tree.GML -k 3 --weights
karate.txt -k 5 --show
karate.txt -k 5 -q --plot picture.svg
coarsen karate.txt -k 4 --blocks multilevel --resolution 1.5 --mean
coarsen g.txt -k 4 --blocks 2 --mean
chain g.txt g.txt^T --pathsim
generate erdos-renyi --vertices 30 --probability 0.25
generate rmat --scale 5 --edge-factor 2 --quadrants 0.5,0.25,0.125
g.txt -k 3 --total --memory-limit 1.5G
g.txt -k 3 --total --device CPU
batch labels.txt g.txt -k 3 --katz 0.5 --out out --jobs 1 -q
END
    cat answer.csv picture.svg out/*.tsv 2> /dev/null
    rm -rf answer.csv picture.svg out
}

# What the library reads and writes by itself: a host may have called setlocale, the command never does.
write_all()
{
    while read -r arguments; do
        # shellcheck disable=SC2086 # words
        "$pathcount" $arguments > /dev/null 2> "$notes/stderr" || cat "$notes/stderr"
    done << 'END'
g.txt -k 200 --float -q -o a.tsv
g.txt -k 8 --markov -q -o b.json
labels.txt -k 4 -q -o c.csv
weights.csv -k 3 --weights --directed -q -o d.mtx
upper.MTX -k 3 --weights -q -o e.tsv
tree.GML -k 3 --weights -q -o f.tsv
coarsen g.txt -k 4 --blocks 2 --mean -q -o g.tsv --graph h.txt
chain g.txt g.txt^T --pathsim -q -o i.json
karate.txt -k 4 --float -q -o j.npy
END
    cat ./[a-j].[tcjmn]* h.txt
    rm -f ./[a-f].[tcjmn]* ./g.tsv ./[ij].[jn]* h.txt
}

# same NAME EXPECTED GOT: two files.
same()
{
    if cmp -s "$2" "$3"; then
        passed=$((passed + 1))
    else
        fail "$1: $(diff "$2" "$3" 2>&1 | head -n 6)"
    fi
}

# in_locale NAME: the command for a user of that locale, and the library in a host that follows it.
in_locale()
{
    (export LOCPATH="$notes/locales" LC_ALL="$1" && answer_all) > "$notes/answers"
    same "answers in $1" "$notes/expected" "$notes/answers"
    (
        export LOCPATH="$notes/locales" LC_ALL="$1" LD_PRELOAD="$build/fake_locale.so"
        write_all
    ) > "$notes/answers" 2>&1
    same "files in $1" "$notes/files" "$notes/answers"
}

locales()
{
    mkdir "$notes/locales"
    answer_all > "$notes/expected"
    write_all > "$notes/files" 2>&1
    is 'answers at all' yes "$([ "$(wc -l < "$notes/expected")" -gt 200 ] && echo yes)"
    in_locale C.UTF-8
    more='fa_IR.UTF-8 hi_IN.UTF-8 ar_SA.UTF-8'
    for locale in de_DE.UTF-8 tr_TR.ISO-8859-9 tr_TR.UTF-8 ${is_long:+$more}; do
        if localedef -i "${locale%%.*}" -f "${locale#*.}" "$notes/locales/$locale" 2> /dev/null ||
            [ -e "$notes/locales/$locale/LC_CTYPE" ]; then
            in_locale "$locale"
        else
            skip "locale $locale" 'localedef cannot make it (package locales)'
        fi
    done
}

# ---- Libraries that lie in wait ------------------------------------------------------------------

# The command in a folder that holds libraries of its names: none of them is opened.
opens_none()
{
    name=$1
    shift
    rm -f "$notes/opened"
    MODULE_OPENED=$notes/opened "$@" > "$notes/stdout" 2> "$notes/stderr"
    is "$name: no library of this folder" no "$([ -e "$notes/opened" ] && echo yes || echo no)"
}

modules()
{
    loader=$(readelf -l "$pathcount" 2> /dev/null | sed -n 's/.*interpreter: \(.*\)\]/\1/p')
    mkdir trap bare
    cp g.txt tree.GML trap
    for library in libpathcount.so.1 libpathcount_igraph.so.1 libpathcount_draw.so libpathcount_cuda.so \
        libgmp.so.10 libigraph.so.3 libcairo.so.2 libgomp.so.1 gconv.so; do
        cp "$build/fake_module.so" "trap/$library"
    done
    rm -f "$notes/opened"
    MODULE_OPENED=$notes/opened LD_PRELOAD=$work/trap/libcairo.so.2 env true
    is 'the library tells that it was opened' yes "$([ -e "$notes/opened" ] && echo yes)"
    cp -L "$pathcount" "$build/libpathcount.so.1" bare
    cd trap || exit 2
    for command in "$pathcount" "$work/bare/pathcount" ${loader:+"$loader $pathcount"}; do
        for arguments in 'g.txt -k 2 --plot a.svg' 'tree.GML -k 2' 'devices' \
            'g.txt -k 2 --device cuda' 'generate famous Petersen'; do
            # shellcheck disable=SC2086 # words
            PATHCOUNT_CUDA_ENGINE='' PATH=.:$PATH opens_none "${command#"$work/"} $arguments" \
                env -u PATHCOUNT_CUDA_ENGINE $command $arguments
        done
    done
    PATH=$build:$PATH opens_none 'found by PATH' env -u PATHCOUNT_CUDA_ENGINE pathcount tree.GML -k 2
    cd "$work" || exit 2
    [ -z "$loader" ] || is 'started by the loader, a part is found' 0 \
        "$("$loader" "$pathcount" g.txt -k 2 -q --plot a.svg > /dev/null 2> "$notes/stderr" ||
            grep -q 'built without cairo' "$notes/stderr"; echo $?)"
    rm -rf trap bare a.svg
}

# ---- Standard streams ----------------------------------------------------------------------------

# gives NAME STATUS COMMAND: of the shell, in which p is the command.
gives()
{
    (p=$pathcount eval "$3") 2> "$notes/stderr"
    is "$1" "$2" "$?"
}

streams()
{
    # shellcheck disable=SC2016 # the function expands them
    {
        gives 'closed standard input' 74 '"$p" - -k 2 <&- > /dev/null'
        gives 'closed standard output' 74 '"$p" g.txt -k 2 >&-'
        gives 'closed standard error' 0 '"$p" g.txt -k 2 2>&- > /dev/null'
        gives 'all closed, to a file' 0 '"$p" g.txt -k 2 -q -o a.tsv <&- >&- 2>&- || [ -s a.tsv ]'
        gives 'the file' 0 '"$p" g.txt -k 2 -q -o b.tsv > /dev/null; cmp a.tsv b.tsv'
        gives 'a batch without streams' 0 \
            '"$p" batch g.txt -k 2 --out out --jobs 1 <&- >&- 2>&-; [ -s out/g.mtx ]'
        gives 'a picture without streams' 0 \
            '"$p" g.txt -k 2 -q --plot a.svg <&- >&- 2>&-; [ ! -e a.svg ] || grep -q "</svg>" a.svg'
        if [ -w /dev/full ]; then
            gives 'a full standard output' 74 '"$p" g.txt -k 2 > /dev/full'
            gives 'a full standard error' 0 '"$p" g.txt -k 2 > /dev/null 2> /dev/full'
            gives 'both full' 74 '"$p" g.txt -k 2 > /dev/full 2> /dev/full'
        fi
    }
    rm -rf a.tsv b.tsv out a.svg
}

# ---- Users ---------------------------------------------------------------------------------------

users()
{
    if ! setpriv --reuid=65534 --regid=65534 --clear-groups "$pathcount" --version > /dev/null 2>&1; then
        skip 'another user' 'needs the superuser, and a build that others may read'
        return
    fi
    chmod 755 "$work"
    other="setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent"
    gives 'a folder that may not be written' 0 "$other \"\$p\" g.txt -k 2 --total -q > /dev/null"
    gives 'a file in it' 73 "$other \"\$p\" g.txt -k 2 -q -o a.tsv > /dev/null"
    gives 'a batch in it' 73 "$other \"\$p\" batch g.txt -k 2 --out out > /dev/null"
    chmod 600 g.txt
    gives 'a graph that may not be read' 66 "$other \"\$p\" g.txt -k 2 > /dev/null"
    chmod 644 g.txt
    is 'nothing is left' '' "$(ls -A | grep -e tmp -e a.tsv -e out)"
}

# ---- Groups with limits (cgroups) ----------------------------------------------------------------

# Memory in MiB that the command finds, inside the group of version 1 or 2 in folder $1.
found_memory()
{
    sh -c "echo \$\$ > '$1/cgroup.procs' && exec '$pathcount' devices --json" 2> "$notes/stderr" |
        sed -n 's/.*"memory_bytes": *\([0-9]*\).*/\1/p' | head -n 1
}

# in_group FOLDER FILE: a group below FOLDER whose limit is in FILE.
in_group()
{
    group=$1/pathcount-test.$$
    if ! mkdir "$group" 2> /dev/null; then
        skip "limits in $1" 'no group can be made there'
        return
    fi
    if { echo 400M > "$group/$2"; } 2> /dev/null; then
        is "limit of $1" 419430400 "$(found_memory "$group")"
        sh -c "echo \$\$ > '$group/cgroup.procs' && exec '$pathcount' karate.txt -k 4 --total -q" \
            > "$notes/stdout" 2>&1
        is "a count in $1" "$("$pathcount" karate.txt -k 4 --total -q)" "$(cat "$notes/stdout")"
        sh -c "echo \$\$ > '$group/cgroup.procs' && exec '$pathcount' generate erdos-renyi \
            --vertices 40000000 --edges 80000000 -q" > /dev/null 2> "$notes/stderr"
        is "what does not fit in $1" 69 $?
    else
        skip "limits in $1" 'it has no such file'
    fi
    rmdir "$group"
}

# A group that may use one processor only.
on_one_processor()
{
    group=$1/pathcount-test.$$
    if mkdir "$group" 2> /dev/null && echo 0 > "$group/cpuset.cpus" 2> /dev/null &&
        { [ ! -e "$group/cpuset.mems" ] || echo 0 > "$group/cpuset.mems"; }; then
        sh -c "echo \$\$ > '$group/cgroup.procs' && unset OMP_NUM_THREADS && exec '$pathcount' devices" |
            sed -n 's/^ *threads *//p' > "$notes/stdout"
        is "processors of $1" 1 "$(cat "$notes/stdout")"
    else
        skip "processors of $1" 'no group with such files can be made there'
    fi
    rmdir "$group" 2> /dev/null
}

# without NAME MOUNT: counts where the system tells less, to a file.
without()
{
    rm -f a.tsv
    unshare -m sh -c "$2 && LD_LIBRARY_PATH='$build' exec '$pathcount' karate.txt -k 30 --float -q -o a.tsv" \
        > "$notes/stdout" 2> "$notes/stderr"
    is "without $1" 0 $?
    cmp -s a.tsv "$notes/told.tsv"
    is "without $1: the file" 0 $?
}

less_told()
{
    if ! unshare -m mount -t tmpfs none /sys 2> /dev/null; then
        skip 'a system that tells less' 'needs the superuser'
        return
    fi
    "$pathcount" karate.txt -k 30 --float -q -o "$notes/told.tsv" > /dev/null
    without /proc/meminfo 'mount --bind /dev/null /proc/meminfo'
    without /sys 'mount -t tmpfs none /sys'
    without /proc 'mount -t tmpfs none /proc'
    is 'nothing is left' '' "$(find . -name '.pathcount*')"
    rm -f a.tsv
}

groups()
{
    less_told
    in_group /sys/fs/cgroup/memory memory.limit_in_bytes
    v2=/sys/fs/cgroup
    [ -e $v2/cgroup.controllers ] || v2=/sys/fs/cgroup/unified
    in_group $v2 memory.max
    on_one_processor /sys/fs/cgroup/cpuset
}

# ---- Memory errors (valgrind) --------------------------------------------------------------------

memory_errors()
{
    if ! command -v valgrind > /dev/null; then
        skip 'valgrind' 'it is not installed'
        return
    fi
    while read -r arguments; do
        # shellcheck disable=SC2086 # words
        PATHCOUNT_CPU=avx2 OMP_NUM_THREADS=1 valgrind -q --error-exitcode=99 --leak-check=full \
            --show-leak-kinds=definite --errors-for-leak-kinds=definite --trace-children=no \
            "$pathcount" $arguments \
            > "$notes/stdout" 2> "$notes/stderr"
        is "valgrind: $arguments" 0 "$?"
        grep '^==' "$notes/stderr" | head -n 20
    done << 'END'
g.txt -k 9 -q -o a.tsv
g.txt -k 400 -q -o a.csv
g.txt -k 3000 --json
g.txt -k 20 --mod 97 -q -o a.mtx.gz
g.txt -k 20 --float -q -o a.npy
karate.txt -k 8 --pair 1 34
karate.txt -k 8 --total --each
karate.txt -k 8 --top 5
karate.txt -k 8 --katz 0.1
karate.txt -k 8 --non-backtracking --closed
karate.txt -k 5 --show
coarsen karate.txt -k 5 --blocks 3 --graph quotient.mtx --mean
chain g.txt g.txt^T --pathsim
generate rmat --scale 6 -q -o made.tsv.zst
upper.MTX -k 3 --weights
batch g.txt labels.txt -k 3 --out out --jobs 1 -q
END
    rm -rf a.* quotient.mtx made.* out
}

# ---- Data races (ThreadSanitizer) ----------------------------------------------------------------

# Archer tells the sanitizer what OpenMP waits for. Without it there are false reports: that they come
# shows that the sanitizer looks.
races()
{
    tests=$build/tsan/tests
    archer=$(ldd "$tests" 2> /dev/null | sed -n 's|.* => \(.*\)/libomp[^/]*$|\1/libarcher.so|p')
    if [ ! -x "$tests" ] || [ ! -e "$archer" ]; then
        skip 'data races' "needs clang, libomp with archer, and the tests in $build/tsan"
        return
    fi
    TSAN_OPTIONS='ignore_noninstrumented_modules=1 exitcode=66'
    export TSAN_OPTIONS
    OMP_TOOL=disabled "$tests" 'threads:one graph' > "$notes/stdout" 2>&1
    is 'the sanitizer looks' yes "$(grep -q 'WARNING: ThreadSanitizer' "$notes/stdout" && echo yes)"
    # Archer itself crashes in a process that is forked from a thread: the two cases of forks are left out.
    while read -r suite; do
        # shellcheck disable=SC2086 # words
        OMP_TOOL_LIBRARIES=$archer "$tests" $suite < /dev/null > "$notes/stdout" 2>&1
        is "data races in $suite" '0, 0 reports' \
            "$?, $(grep -c 'WARNING: ThreadSanitizer' "$notes/stdout") reports"
    done << 'END'
threads:contexts threads:many threads:messages threads:same
sweep
stream
writer
summary
query_sums
step_check
centrality
chain
END
}

wants locales && locales
wants modules && modules
wants streams && streams
wants users && users
wants groups && groups
[ -n "$is_long" ] && wants valgrind && memory_errors
[ -n "$is_long" ] && wants races && races
printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
[ $failed -eq 0 ]
