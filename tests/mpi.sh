#!/bin/sh
# pathcount-mpi against pathcount: mpi.sh BUILD [long]. Processes share the processors of this machine.
#
# mpi_parts compares answers of random graphs in the library, mpi_texts files read by all processes, the rest of this file the command: the same bytes, bad
# input, processes that are killed. With "long": 1,000 graphs on each number of processes, and 100 processes killed.
build=$(cd "$1" && pwd) || exit 1 # whole, as some processes are started in other folders
long=$2
top=$(cd "${0%/*}/.." && pwd)
log=$build/mpi.log
passed=0 failed=0 skipped=0
. "$top/tests/checks.sh"

if ! [ -x "$build/pathcount-mpi" ] || ! command -v mpirun > /dev/null; then
    skip 'graphs in parts' 'needs MPI'
    end
fi
home=$(mktemp -d) || exit 1
trap 'rm -rf "$home"' EXIT

# Open MPI: more processes than processors, the superuser, no other machine, a container that may not read the memory
# of another process.
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_plm=isolated OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_orte_abort_print_stack=0 OMPI_MCA_btl=self,vader
export OMP_NUM_THREADS=1
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" # Open MPI does not free all

# mpi N ARGUMENT...: pathcount-mpi in N processes.
mpi()
{
    n=$1
    shift
    timeout -k 5 120 mpirun -n "$n" "$build/pathcount-mpi" "$@"
}

# ---- Answers in the library ------------------------------------------------------------------------

random_graphs()
{
    timeout -k 5 3000 mpirun -n "$1" "$build/mpi_parts" "$2" "$1"
}

if [ "$long" ]; then
    for n in 1 2 3 4 7 9; do check "1000 random graphs in $n parts" random_graphs $n 1000; done
else
    for n in 1 2 3 4; do check "random graphs in $n parts" random_graphs $n 40; done
    check 'random graphs in 7 parts' random_graphs 7 8
fi

check 'no memory in the first process' random_graphs 3 0

random_texts()
{
    timeout -k 5 3000 mpirun -n "$1" "$build/mpi_texts" "$2" "$1"
}

if [ "$long" ]; then n_texts=3000; else n_texts=150; fi
for n in 2 3 7; do check "random texts read by $n processes" random_texts $n $n_texts; done

# ---- Answers of the command ------------------------------------------------------------------------

# same N ARGUMENT...: the same standard output as pathcount's.
same()
{
    processes=$1
    shift
    "$build/pathcount" "$@" -q > "$home/expected" && mpi "$processes" "$@" -q > "$home/found" &&
        cmp "$home/expected" "$home/found" && [ -s "$home/found" ]
}

# same_file N FILE ARGUMENT...
same_file()
{
    processes=$1 file=$2
    shift 2
    "$build/pathcount" "$@" -q -o "$home/expected.$file" > "$home/out" &&
        mpi "$processes" "$@" -q -o "$home/found.$file" > "$home/out" &&
        cmp "$home/expected.$file" "$home/found.$file"
}

graphs=$top/examples/graphs
printf 'a b 0.25\nb c 1.5\nc a 0.125\nc d 3\nd d 0.5\n' > "$home/decimals.txt"
"$build/pathcount" generate rmat --scale 9 --seed 3 --directed -q -o "$home/directed.mtx"
"$build/pathcount" convert "$graphs/lesmis.txt" --weights "$home/lesmis.wsg" -q
"$build/pathcount" convert "$graphs/karate.txt" "$home/karate.sg" -q
"$build/pathcount" convert "$home/directed.mtx" "$home/directed.sg" -q

check 'a total' same 3 "$graphs/karate.txt" -k 30 --total
check 'one vertex of a directed graph' same 4 "$home/directed.mtx" -k 12 --from 5
check 'each length to a vertex' same 2 "$home/directed.mtx" -k 6 --to 5 --each
check 'a pair of weighted paths' same 3 "$graphs/lesmis.txt" --weights -k 60 --pair Valjean Javert
check 'lengths added up, modulo a number' same 2 "$home/directed.mtx" -k 20 --up-to --mod 1000003 --trace
check 'sums of rows and columns' same 5 "$home/directed.mtx" -k 9 --sums
check 'top pairs' same 3 "$graphs/karate.txt" -k 8 --top 20
check 'more processes than vertices' same 9 "$graphs/hochberg.txt" -k 5 --total
check 'a matrix as text' same_file 3 x.tsv "$home/directed.mtx" -k 4
check 'a matrix as an array' same_file 2 x.npy "$graphs/lesmis.txt" -k 40
check 'a serialized graph' same 3 "$home/karate.sg" -k 12 --from 34
check 'a serialized graph with weights and labels' same 4 "$home/lesmis.wsg" --weights -k 12 --from Valjean
check 'a serialized directed graph' same 3 "$home/directed.sg" -k 7 --closed
check 'a serialized graph, directed by option' same 2 "$home/karate.sg" --directed -k 7 --total

# ---- Checkpoints -----------------------------------------------------------------------------------

# resumed N M ARGUMENT...: the same answer of N processes that save each step, and of M that go on from it.
resumed()
{
    before=$1 after=$2
    shift 2
    rm -rf "$home/saved"
    "$build/pathcount" "$@" -q > "$home/expected" &&
        mpi "$before" "$@" -q --checkpoint "$home/saved" --checkpoint-interval 0 > "$home/found" &&
        cmp "$home/expected" "$home/found" && ls "$home/saved" | grep -q 'lines$' &&
        mpi "$after" "$@" -q --checkpoint "$home/saved" --resume > "$home/found" &&
        cmp "$home/expected" "$home/found"
}

check 'a total, resumed' resumed 3 1 "$graphs/karate.txt" -k 30 --total
check 'a directed graph, resumed' resumed 1 4 "$home/directed.mtx" -k 12 --to 5
check 'each length, resumed' resumed 2 3 "$graphs/lesmis.txt" --weights -k 9 --from Valjean --each
check 'lengths added up, resumed' resumed 4 2 "$home/directed.sg" -k 15 --from 5 --up-to
check 'residues, resumed' resumed 3 2 "$home/directed.mtx" -k 9 --mod 1000003 --from 5 --up-to
check 'a matrix, resumed' resumed 3 2 "$home/directed.mtx" -k 4 -o -

# --resume where nothing is saved begins anew; a second count in the same folder is refused (refuses, below).
nothing_to_resume()
{
    "$build/pathcount" "$graphs/karate.txt" -k 9 --total -q > "$home/expected" &&
        mpi 2 "$graphs/karate.txt" -k 9 --total -q --checkpoint "$home/one" --resume > "$home/found" &&
        cmp "$home/expected" "$home/found"
}
check 'nothing to resume' nothing_to_resume

# ---- Clusters that are not there -------------------------------------------------------------------

# planned PROCESSES GRAPH: what --plan-for counts in a graph of integer ids, against a count of sets, and its JSON against
# the schema where there is a validator. Of --total one vector takes lines of 8 bytes while counts are below 2^64.
planned()
{
    mpi 1 "$2" -k 3 --total --plan-for "$1x2,4GB,10Gb" --json -q > "$home/plan.json" &&
        python3 - "$1" "$2" "$home/plan.json" "$top/src/cli/texts/pathcount.schema.json" << 'END'
import json, sys
parts = int(sys.argv[1])
lines = [l.split() for l in open(sys.argv[2]) if l[0] != "%"][1:]
directed = "general" in open(sys.argv[2]).readline()
rows = {}
for a, b in ((int(l[0]), int(l[1])) for l in lines):
    rows.setdefault(a, set()).add(b)
    directed or rows.setdefault(b, set()).add(a)
n = int([l for l in open(sys.argv[2]) if l[0] != "%"][0].split()[0])
total, done, first = n + sum(map(len, rows.values())), 0, []
for v in range(1, n + 1):
    while len(first) < parts and done >= total * len(first) // parts:
        first.append(v)
    done += 1 + len(rows.get(v, ()))
while len(first) < parts:
    first.append(n + 1)
first.append(n + 1)
outer = [set().union(*(rows.get(v, set()) for v in range(a, b))) - set(range(a, b)) for a, b in zip(first, first[1:])]
given = [sum(len([v for v in o if a <= v < b]) for o in outer) for a, b in zip(first, first[1:])]
answer = json.load(open(sys.argv[3]))
f = answer["forecast"]
assert f["own_vertices"] == max(b - a for a, b in zip(first, first[1:])), first
assert f["outer_vertices"] == max(map(len, outer)), list(map(len, outer))
assert f["given_vertices"] == max(given), given
assert f["all_bytes"] == 3 * f["line_bytes"] * sum(map(len, outer)) and f["line_bytes"] == 8
assert f["steps"] == 3 and f["vectors"] == 1
try:
    import jsonschema
    jsonschema.validate(answer, json.load(open(sys.argv[4])))
except ImportError:
    pass
END
}

check 'a plan for 5 processes' planned 5 "$home/directed.mtx"
check 'a plan for 64 processes' planned 64 "$home/directed.mtx"
check 'a plan for 1 process' planned 1 "$home/directed.mtx"

# ---- What is sent and held -------------------------------------------------------------------------

# Sanitizers have memory of their own, which nobody counts or limits.
memory_check()
{
    if grep -q __asan_init "$build/pathcount-mpi"; then
        skip "$1" 'sanitizers have memory of their own'
    else
        check "$@"
    fi
}

# counted N: steps of 64 vectors, with the formulas of the manual. Vectors that are saved are not shared.
counted()
{
    rm -rf "$home/saved"
    mpi "$1" "$home/halo.mtx" -k 4 $halo_starts --explain=all --checkpoint "$home/saved" --no-sync 2> "$home/explained" > "$home/found" &&
        cmp "$home/halo.txt" "$home/found" &&
        python3 "$top/tests/mpi/counted.py" "$home/halo.mtx" "$1" 4 64 "$home/explained"
}

"$build/pathcount" generate rmat --scale 13 --seed 3 -q -o "$home/halo.mtx"
halo_starts=$(awk 'BEGIN { for (i = 0; i < 64; i++) printf "--from %d ", 1 + 128 * i }')
"$build/pathcount" "$home/halo.mtx" -k 4 $halo_starts -q > "$home/halo.txt"
for n in 2 3 4 8 16; do memory_check "bytes sent and held by $n processes" counted $n; done

# counted_single N: a total, of which the first process has no more than the others.
counted_single()
{
    mpi "$1" "$home/total.sg" -k 6 --total --explain=all 2> "$home/explained" > "$home/found" &&
        cmp "$home/total.txt" "$home/found" &&
        python3 "$top/tests/mpi/counted.py" "$home/total.mtx" "$1" 6 1 "$home/explained"
}

"$build/pathcount" generate rmat --scale 17 --edge-factor 6 --seed 3 -q -o "$home/total.mtx"
"$build/pathcount" convert "$home/total.mtx" "$home/total.sg" -q
"$build/pathcount" "$home/total.sg" -k 6 --total -q > "$home/total.txt"
for n in 3 4 8; do memory_check "bytes of a single vector in $n processes" counted_single $n; done

# ---- Other kinds of path ---------------------------------------------------------------------------

check 'paths that never turn back' same_file 3 x.tsv "$graphs/karate.txt" -k 40 --non-backtracking
check 'the same modulo a number' same 2 "$graphs/karate.txt" -k 90 --non-backtracking --mod 1000003 --sums
check 'a Markov chain' same_file 4 x.npy "$home/directed.mtx" -k 7 --markov
check 'a Markov chain with weights' same 3 "$graphs/lesmis.txt" --weights -k 9 --markov --to Valjean
check 'a Markov chain with decimals' same 2 "$home/decimals.txt" --weights -k 9 --markov --from a
check 'Katz centrality' same 3 "$home/directed.mtx" -k 14 --katz 0.01
check 'Katz centrality with decimals' same 2 "$home/decimals.txt" --weights -k 9 --katz 0.1
check 'subgraph centrality' same 2 "$graphs/lesmis.txt" -k 14 --subgraph-centrality

# ---- Moduli that processes share -------------------------------------------------------------------

# same_summary N ARGUMENT...: but for the time that it took. mpirun gives the first process a terminal, where numbers are
# cut short: it writes to a file here.
same_summary()
{
    processes=$1
    export LINES_FILE="$home/lines"
    shift
    rm -f "$LINES_FILE"
    "$build/pathcount" "$@" -q | grep -v '^time' > "$home/expected"
    timeout -k 5 120 mpirun -n "$processes" -x LINES_FILE sh -c 'exec "$0" "$@" >> "$LINES_FILE"' "$build/pathcount-mpi" "$@" -q
    grep -v '^time' "$LINES_FILE" > "$home/found"
    cmp "$home/expected" "$home/found" && [ -s "$home/found" ]
}

# 64, 150, 350, 700 and 1,500 bits.
squares()
{
    for k in 20 50 120 240 520; do
        same_file "$1" x.npy "$graphs/karate.txt" --method dense -k $k || return 1
    done
}

for n in 2 3 5; do check "powers of 64 to 1,500 bits, moduli of $n processes" squares $n; done
check 'a directed power, in several rounds' same_file 3 x.npy "$home/directed.mtx" --method dense -k 101
check 'a power of weights' same_file 2 x.tsv "$graphs/lesmis.txt" --weights --method dense -k 90
check 'a power, swept first' same_file 3 x.npy "$home/directed.mtx" --method hybrid -k 33
check 'a power modulo a number' same_file 5 x.npy "$home/directed.mtx" --method dense --mod 999999937 -k 1000000000001
check 'the largest counts of a power' same_summary 2 "$home/directed.mtx" --method dense -k 70 --top 30
check 'the summary of a power' same_summary 3 "$home/directed.mtx" --method dense -k 70
check 'the summary of small counts' same_summary 4 "$graphs/karate.txt" --method dense -k 2
check 'a trace of a power' same 5 "$home/directed.mtx" --method dense -k 75 --trace
check 'a trace of a power modulo a number' same 2 "$home/directed.mtx" --method dense -k 75 --mod 65537 --trace
check 'a picture of a power' same_summary 3 "$home/directed.mtx" --method dense -k 40 --show
check 'more processes than moduli' same_file 9 x.tsv "$graphs/hochberg.txt" --method dense -k 3

# is_planned N PATTERN ARGUMENT...
is_planned()
{
    processes=$1 pattern=$2
    shift 2
    mpi "$processes" "$@" --explain=all > "$home/out" 2>&1
    grep -q "$pattern" "$home/out"
}

"$build/pathcount" generate erdos-renyi --vertices 300 --edges 9000 --seed 3 -q -o "$home/thick.mtx"
check 'a power is planned' is_planned 2 'because  *the moduli are shared by 2 processes' "$home/thick.mtx" -k 200
check 'sweeps are planned' is_planned 2 'because  *the graph lies there in parts' "$home/directed.mtx" -k 4

# The third process has no memory for its planes, but for what MPI takes.
lacks_memory()
{
    "$build/pathcount" generate rmat --scale 12 --seed 5 -q -o "$home/large.mtx"
    timeout -k 5 120 mpirun -n 2 "$build/pathcount-mpi" "$home/large.mtx" --method dense -k 60 -q -o "$home/none.npy" : \
        -n 1 sh -c 'ulimit -v 400000; exec "$0"' "$build/pathcount-mpi" > "$home/out" 2> "$home/err"
    found=$?
    cat "$home/err"
    [ $found = 69 ] && [ "$(grep -c '^pathcount.*no memory.*(process 2 of 3)' "$home/err")" = 1 ] &&
        ! [ -e "$home/none.npy" ]
}
memory_check 'one process without memory' lacks_memory

# ---- Bad input -------------------------------------------------------------------------------------

# refuses CODE PATTERN ARGUMENT...: in 3 processes, with one message.
refuses()
{
    code=$1 pattern=$2
    shift 2
    mpi 3 "$@" > "$home/out" 2> "$home/err"
    found=$?
    cat "$home/err"
    [ $found = "$code" ] && [ "$(grep -c '^pathcount' "$home/err")" = 1 ] &&
        grep -q "^pathcount.*$pattern" "$home/err" && ! [ -s "$home/out" ]
}

bytes()
{
    python3 -c 'import sys
data = bytearray(open(sys.argv[1], "rb").read())
at = int(sys.argv[2])
data[at:at + 4] = int(sys.argv[3]).to_bytes(4, "little")
open(sys.argv[4], "wb").write(data)' "$@"
}

{ yes '1 2' | head -n 20000 && echo '2 x y z'; } > "$home/bad.txt" # behind the lines that tell what the text is
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n7 1\n' > "$home/bad.mtx"
head -c 300 "$home/karate.sg" > "$home/short.sg"
bytes "$home/karate.sg" $((17 + 35 * 8)) 33 "$home/one_way.sg"
bytes "$home/karate.sg" $((17 + 35 * 8)) 40 "$home/outside.sg"
bytes "$home/directed.sg" $((17 + 513 * 8)) 511 "$home/incoming.sg"
bytes "$home/karate.sg" 25 200 "$home/offset.sg"

printf '%%%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 -4\n2 1 1\n' > "$home/negative.mtx"
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 2\n2 1\n' > "$home/few.mtx"
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 4 1\n1 2\n' > "$home/oblong.mtx"
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 two\n' > "$home/words.mtx"
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 1\n0 2\n' > "$home/zero.mtx"
printf '%%%%MatrixMarket matrix coordinate complex general\n3 3 1\n1 2 3 4\n' > "$home/complex.mtx"
printf '1 2 99999999999999999999\n' > "$home/heavy.txt"
printf 'a,b\n"a,b\n' > "$home/quote.csv"
printf '{"nodes": [{"id": 1}], "links": [{"source": 1}]}' > "$home/bad.json"
printf '\1' > "$home/tiny.sg"
: > "$home/empty.txt"
: > "$home/empty.sg"
bytes "$home/karate.sg" 9 1000000000 "$home/many.sg"
bytes "$home/karate.sg" 1 1000000000 "$home/arcs.sg"
head -c 400 "$home/lesmis.wsg" > "$home/short.wsg"
gzip -c "$home/karate.sg" | head -c 100 > "$home/short.sg.gz"

saved=$home/bad.saved
mpi 2 "$graphs/karate.txt" -k 9 --total -q --checkpoint "$saved" > "$home/out"
again="$graphs/karate.txt -k 9 --total --resume --checkpoint"
for copy in flipped cut head; do cp -r "$saved" "$home/$copy"; done
bytes "$home/flipped"/*.lines 4200 77 "$home/changed" && mv "$home/changed" "$home/flipped"/*.lines
bytes "$home/head"/*.lines 40 77 "$home/changed" && mv "$home/changed" "$home/head"/*.lines
head -c 4200 "$saved"/*.lines > "$home/changed" && mv "$home/changed" "$home/cut"/*.lines

check 'no such file' refuses 66 'No such file' "$home/none.txt" -k 3 --total
printf '1 2 5\n1 2 3\n' > "$home/differ.txt"
check 'weights that differ' refuses 65 'differ.txt: edge 1 2 is given with weight 5' "$home/differ.txt" -k 3 --total \
    --weights --no-header
check 'a line that is no edge' refuses 65 'bad.txt:20001' "$home/bad.txt" -k 3 --total
check 'an entry outside the matrix' refuses 65 'bad.mtx:4' "$home/bad.mtx" -k 3 --total
check 'a file cut short' refuses 65 'short.sg' "$home/short.sg" -k 3 --total
check 'an arc without its opposite' refuses 65 'undirected' "$home/one_way.sg" -k 3 --total
check 'a vertex that is not there' refuses 65 'outside.sg' "$home/outside.sg" -k 3 --total
check 'incoming arcs that are not the outgoing ones' refuses 65 'damaged' "$home/incoming.sg" -k 3 --total
check 'starts that do not ascend' refuses 65 'offset.sg' "$home/offset.sg" -k 3 --total
check 'a vertex that is not asked for by its name' refuses 65 "no vertex 'nobody'" "$graphs/karate.txt" -k 3 --from nobody
check 'a certificate' refuses 2 'all arcs' "$graphs/karate.txt" -k 3 --certificate "$home/c.json"
check 'directed paths that never turn back' refuses 2 '(pathcount)' "$home/directed.mtx" -k 3 --non-backtracking --total
check 'counts in doubles' refuses 2 '(pathcount)' "$graphs/karate.txt" -k 3 --float --total
check 'a GPU' refuses 69 '(pathcount)' "$graphs/karate.txt" -k 3 --total --device cuda
check 'a recurrence' refuses 2 '(pathcount)' "$graphs/karate.txt" -k 300 --method recurrence --total
check 'a length of any size' refuses 2 'in parts' "$home/directed.mtx" -k any --total
check 'another command' refuses 2 'pathcount-mpi counts' verify
check 'an unknown option' refuses 2 'no option' "$graphs/karate.txt" --lenght 3
check 'too little memory' refuses 69 'memory' "$home/directed.mtx" -k 9 --total --memory-limit 1K
check 'no vertices' refuses 65 'empty.txt' "$home/empty.txt" -k 3 --total
check 'a negative entry' refuses 65 'negative.mtx:3' "$home/negative.mtx" --weights -k 3 --total
check 'entries that are missing' refuses 65 'few.mtx' "$home/few.mtx" -k 3 --total
check 'a matrix that is not square' refuses 65 'oblong.mtx:2' "$home/oblong.mtx" -k 3 --total
check 'an entry of words' refuses 65 'words.mtx:3' "$home/words.mtx" -k 3 --total
check 'an entry in row 0' refuses 65 'zero.mtx:3' "$home/zero.mtx" -k 3 --total
check 'complex numbers' refuses 65 'complex.mtx:1' "$home/complex.mtx" -k 3 --total
check 'a weight beyond 64 bits' refuses 65 'heavy.txt:1' "$home/heavy.txt" --weights -k 3 --total
check 'an open quote' refuses 65 'quote.csv:2' "$home/quote.csv" -k 3 --total
check 'a link without an end' refuses 65 'bad.json' "$home/bad.json" -k 3 --total
check 'a serialized graph of a byte' refuses 65 'tiny.sg' "$home/tiny.sg" -k 3 --total
check 'a serialized graph of no byte' refuses 65 'empty.sg' "$home/empty.sg" -k 3 --total
check 'more vertices than the file has' refuses 65 'many.sg' "$home/many.sg" -k 3 --total
check 'more arcs than the file has' refuses 65 'arcs.sg' "$home/arcs.sg" -k 3 --total
check 'weights cut short' refuses 65 'short.wsg' "$home/short.wsg" --weights -k 3 --total
check 'a packed file cut short' refuses 65 'short.sg.gz' "$home/short.sg.gz" -k 3 --total
check 'a file of another format' refuses 65 'karate.sg' "$home/karate.sg" --format mtx -k 3 --total

check 'a damaged line of a checkpoint' refuses 65 'checksum' $again "$home/flipped"
check 'a damaged head of a checkpoint' refuses 65 'head' $again "$home/head"
check 'a checkpoint cut short' refuses 65 'cut short' $again "$home/cut"
check 'a checkpoint of another graph' refuses 65 'another graph' "$graphs/hochberg.txt" -k 9 --total --resume --checkpoint "$saved"
check 'a checkpoint of another length' refuses 65 'another question' "$graphs/karate.txt" -k 8 --total --resume --checkpoint "$saved"
check 'a checkpoint of another vertex' refuses 65 'another question' "$graphs/karate.txt" -k 9 --from 3 --resume --checkpoint "$saved"
check 'a checkpoint that is there' refuses 73 'resume' "$graphs/karate.txt" -k 9 --total --checkpoint "$saved"
check 'a folder that cannot be' refuses 73 'cannot create' "$graphs/karate.txt" -k 9 --total --checkpoint "$home/no/folder"
check 'a file in place of the folder' refuses 73 'bad.txt' "$graphs/karate.txt" -k 9 --total --checkpoint "$home/bad.txt"
check 'resuming nothing' refuses 2 'add --checkpoint' "$graphs/karate.txt" -k 9 --total --resume
check 'a cluster without a link' refuses 2 'plan-for' "$graphs/karate.txt" -k 9 --total --plan-for 4x2,1GB
check 'a cluster without processes' refuses 2 'plan-for' "$graphs/karate.txt" -k 9 --total --plan-for 0x2,1GB,1Gb
check 'a cluster without memory' refuses 69 'needs' "$home/directed.mtx" -k 9 --total --plan-for 2x2,0.01MB,1Gb
check 'a plan for directed paths that never turn back' refuses 2 'undirected' "$home/directed.mtx" -k 9 --total \
    --non-backtracking --plan-for 2x2,1GB,1Gb
check 'a plan for residues' refuses 2 'exact' "$graphs/karate.txt" -k 9 --total --mod 7 --plan-for 2x2,1GB,1Gb

# ---- Machines with other copies --------------------------------------------------------------------

# Two machines are two folders: the first process is in one, the others in the other.
# copies COMMAND [ARGUMENT...]: of 1 process in $home/here and 2 in $home/there, which have the file FILE of each.
copies()
{
    timeout -k 5 120 mpirun -n 1 -wdir "$home/here" "$build/pathcount-mpi" "$@" : \
        -n 2 -wdir "$home/there" "$build/pathcount-mpi" > "$home/found" 2> "$home/err"
}

# counts_copies FILE ARGUMENT...: the answer of one process, where the copies have the same bytes.
counts_copies()
{
    cp "$home/here/$1" "$home/there/$1"
    (cd "$home/here" && "$build/pathcount" "$@" -q) > "$home/expected"
    copies "$@" -q && cmp "$home/expected" "$home/found" && [ -s "$home/found" ]
}

# refuses_copies FILE EXPRESSION ARGUMENT...: the copy is what python3 makes of the bytes d, as long as before.
refuses_copies()
{
    file=$1 change=$2
    shift 2
    python3 -c 'import sys
d = bytearray(open(sys.argv[1], "rb").read())
n = len(d)
exec(sys.argv[3])
assert len(d) == n and d != open(sys.argv[1], "rb").read()
open(sys.argv[2], "wb").write(d)' "$home/here/$file" "$home/there/$file" "$change" || return 1
    copies "$file" "$@" -q
    found=$?
    cat "$home/err" "$home/found"
    [ $found = 65 ] && ! [ -s "$home/found" ] && [ "$(grep -c '^pathcount' "$home/err")" = 1 ] &&
        grep -q "^pathcount: $file: process [12] of 3 finds another file of this name than process 0" "$home/err"
}

mkdir "$home/here" "$home/there"
cp "$graphs/karate.txt" "$home/karate.sg" "$home/lesmis.wsg" "$home/lesmis.wsg.labels" "$home/total.mtx" "$home/total.sg" "$home/here"
(cd "$home/here" && grep -v '^%' total.mtx | tail -n +2 > total.txt)
for file in karate.txt karate.sg total.txt total.mtx total.sg; do
    check "copies of $file" counts_copies $file -k 4 --total
done
check 'copies of lesmis.wsg' counts_copies lesmis.wsg -k 4 --total --weights
# Vertices change places in one line, an edge leads elsewhere, a weight is another one: the files are graphs as before.
late='i = d.rindex(b"\n", 0, n - 1) + 1; d[i] = 49 if d[i] != 49 else 50'
check 'an old copy of a small text' refuses_copies karate.txt "$late" -k 4 --total
check 'an old copy of a text, changed at the end' refuses_copies total.txt "$late" -k 4 --total
check 'an old copy of a text, changed in the middle' refuses_copies total.txt \
    'i = d.index(b"\n", n // 2) + 1; d[i] = 49 if d[i] != 49 else 50' -k 4 --total
check 'an old copy of a text, changed where the first process reads' refuses_copies total.txt \
    'i = d.index(b"\n", 300000) + 1; d[i] = 49 if d[i] != 49 else 50' -k 4 --total
check 'an old copy of Matrix Market' refuses_copies total.mtx "$late" -k 4 --total
check 'an old copy of weights' refuses_copies lesmis.wsg 'd[n - 4] ^= 3' --weights -k 4 --total
check 'an old copy of a serialized graph' refuses_copies total.sg 'd[n - 4] ^= 1' -k 4 --total

# A longer file, or none.
others_copy()
{
    pattern=$1
    copies karate.txt -k 4 --total -q
    found=$?
    cat "$home/err"
    [ $found = "$2" ] && ! [ -s "$home/found" ] && grep -q "^pathcount: $pattern" "$home/err"
}
echo '1 2' >> "$home/there/karate.txt"
check 'a longer copy' others_copy 'karate.txt: process [12] of 3 finds another file' 65
rm "$home/there/karate.txt"
check 'no copy' others_copy 'karate.txt: .*No such file.*(process 1 of 3)' 66

# ---- Processes that die ----------------------------------------------------------------------------

# processes PATTERN: the numbers of those whose command line begins so; one that is dead has none.
processes()
{
    for folder in /proc/[0-9]*; do
        { tr '\0' ' ' < "$folder/cmdline" | grep -q "^$1"; } 2> "$home/err" && echo "${folder#/proc/}"
    done
}

# Each run has a process killed. No process goes on, and no file has the name of the result, or all of it is there. mpirun
# itself is ended here: that of Open MPI 4.1 waits for ever now and then when a process dies while it starts. With SAVES
# each step is saved, and what is resumed in 1 to 4 processes has the bytes of one run.
# Only a process that leaves no result under its name was killed while it worked: runs go on until there are TIMES of
# them, twice as many at most.
# killed TIMES SAVES SCALE ARGUMENT...: of a graph of 2^SCALE vertices; SAVES is yes or no.
killed()
{
    times=$1 saves=$2 scale=$3
    shift 3
    "$build/pathcount" generate rmat --scale "$scale" --seed 5 -q -o "$home/large.mtx"
    "$build/pathcount" "$home/large.mtx" "$@" -q -o "$home/whole.npy" > "$home/out"
    n_killed=0 n_saved=0
    ours="$build/pathcount-mpi $home/.*result.npy" # this script may run twice
    i=0
    while [ $n_killed -lt "$times" ] && [ $i -lt $((2 * times)) ]; do
        rm -rf "$home"/result.npy* "$home/saved"
        question="$home/large.mtx $* -q -o $home/result.npy" saving=''
        [ "$saves" = no ] || question="$question --checkpoint $home/saved --no-sync" saving='--checkpoint-interval 0'
        mpi 3 $question $saving > "$home/out" 2>&1 &
        # Spread evenly, however many there are: multiples of the golden ratio.
        sleep "$(awk -v i=$i -v last=$last 'BEGIN { m = i * 0.618034; printf "%.3f", 0.15 + (m - int(m)) * last }')"
        victim=$(processes "$ours" | tail -n 1)
        [ -z "$victim" ] || kill -KILL "$victim" 2> "$home/err" || victim=''
        left=50 # tenths of a second
        while [ "$(processes "$ours")" ] && [ $left -gt 0 ]; do
            sleep 0.1
            left=$((left - 1))
        done
        [ $left -gt 0 ] || { echo "run $i: processes went on for 5 seconds"; return 1; }
        for mpirun in $(processes "mpirun .* $home/result.npy"); do kill -KILL "$mpirun"; done
        wait
        if [ -e "$home/result.npy" ] && ! cmp "$home/whole.npy" "$home/result.npy"; then
            echo "run $i: half a result"
            return 1
        fi
        if [ "$victim" ] && ! [ -e "$home/result.npy" ]; then n_killed=$((n_killed + 1)); fi
        ls "$home/saved" 2> "$home/err" | grep -q 'lines$' && n_saved=$((n_saved + 1))
        rm -f "$home/result.npy"
        if [ "$saves" = yes ] && {
            ! mpi $((i % 4 + 1)) $question --resume > "$home/out" 2>&1 || ! cmp "$home/whole.npy" "$home/result.npy"
        }; then
            cat "$home/out"
            echo "run $i: not resumed to the result"
            return 1
        fi
        i=$((i + 1))
    done
    echo "$n_killed were killed in $i runs, $n_saved had a checkpoint"
    [ "$n_killed" -gt 0 ] && { [ "$saves" = no ] || [ "$n_saved" -gt 0 ]; }
}

# The last moment, in seconds.
last=0.7
if [ "$long" ]; then check '100 processes killed' killed 100 yes 12 -k 3; else check 'processes killed' killed 5 yes 12 -k 3; fi
last=1.5
dense='no 11 --method dense -k 40'
if [ "$long" ]; then check '100 processes killed while they square' killed 100 $dense
else check 'processes killed while they square' killed 5 $dense; fi

end
