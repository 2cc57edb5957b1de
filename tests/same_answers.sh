#!/bin/bash
# Compares the answers of two builds, byte by byte, over some 8,000 command lines:
#     bash tests/same_answers.sh OLD/pathcount NEW/pathcount [EVERY] [GROUP...]
# Both programs run each line in an empty folder of their own. Standard output, standard error, the exit status and every
# file that was written are compared. Times, amounts of free memory, random certificates and the names of temporary files
# differ between two runs of one program, so they are masked. EVERY thins the lines out to one in so many; GROUP names
# one of the functions below that list lines. JOBS lines run at once (default: 2). Its pathcount-mpi and library
# lie beside each program; its Python package is in the tree around it.
# tests/differences.txt has the differences that are meant: a regular expression of command lines, a tab, and the reason.
# They are counted apart. Other differences are listed, and make the script fail.
set -u
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
old=$(realpath "$1") new=$(realpath "$2") every=${3:-1} jobs=${JOBS:-2}
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_WAIT_POLICY=passive COLUMNS=80 XDG_CACHE_HOME=$work/cache LC_ALL=C.UTF-8 PATHCOUNT_CUDA_ENGINE=none
export PYTHONPYCACHEPREFIX=$work/pycache
# Open MPI: more processes than processors, the superuser, no other machine, a container's memory.
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm=isolated
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl=self,vader

# ---- Programs that lines name --------------------------------------------------------------------

# use PROGRAM: from here on lines run that build.
use() {
    build=$(dirname "$1") tree=$(dirname "$1")
    until [ "$tree" = / ] || [ -d "$tree/python/pathcount" ]; do tree=$(dirname "$tree"); done
}

pathcount() { "$build/pathcount" "$@"; }
cuda() { env -u PATHCOUNT_CUDA_ENGINE "$build/pathcount" "$@" --device cuda; }

# mpi N ARGUMENT...: each process writes files of its own, as mpirun mixes lines and gives the first a terminal.
mpi() {
    OMP_NUM_THREADS=1 mpirun -n "$1" sh -c 'rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
        exec "$0" "$@" > stdout.$rank 2> stderr.$rank' "$build/pathcount-mpi" "${@:2}" 2> /dev/null
}

# python EXPRESSION: its value, with all that is in it.
python() {
    PYTHONPATH=$tree/python PATHCOUNT_LIBRARY=$build/libpathcount.so python3 -c '
import sys
from pathcount import *
fields = {Counts: "shape rows columns is_exact", Graph: "n_vertices n_edges n_loops directed max_weight",
          Relation: "shape rows columns", Recurrence: "order start coefficients initial numerator"}
def whole(x):
    if hasattr(x, "items"): return [whole(v) for v in x.items()]
    if isinstance(x, (list, tuple)) or hasattr(x, "__next__"): return [whole(v) for v in x]
    texts = [whole(getattr(x, name)) for name in fields.get(type(x), "").split()]
    return [texts, x.tolist()] if isinstance(x, Counts) else texts or x
try: print(whole(eval(sys.argv[1])))
except Exception as error: sys.exit(f"{type(error).__name__} {error}")' "$1"
}

# ---- Inputs --------------------------------------------------------------------------------------

in=$work/in
mkdir -p "$in/folder" "$in/bad" "$in/table" "$in/kept"
cp "$here"/examples/graphs/* "$here"/examples/streams/* "$in"
cp -r "$here/tests/files/made" "$in"
random='BEGIN { srand(seed); while (n--) print int(v * rand()) by int(v * rand()) by int(5 * rand()) }'
awk -v seed=5 -v n=160 -v v=40 -v by=' ' "$random" > "$in/random.tsv"
awk -v seed=6 -v n=300 -v v=90 -v by=, "$random" | cut -d, -f1,2 > "$in/pairs.csv"
awk -v seed=7 -v n=3000 -v v=300 -v by=' ' "$random" | cut -d' ' -f1,2 | tee "$in/larger.txt" | gzip -n > "$in/larger.txt.gz"
seq 29 | sed 's/^/hub leaf/' > "$in/star.txt"
seq 0 39 | awk '{ print $1, "block" $1 % 4 }' > "$in/blocks"
matrix='%%%%MatrixMarket matrix coordinate'
printf "$matrix integer general\n4 4 5\n1 2 3\n2 3 1\n3 1 2\n3 4 7\n4 4 1\n" > "$in/weighted.mtx"
printf "$matrix pattern symmetric\n5 5 5\n2 1\n3 2\n4 3\n5 4\n5 1\n" > "$in/cycle.mtx"
printf 'a b\nb c\nc a\nc c\nc d\n' > "$in/loop.txt" && printf '0 0\n' > "$in/one.txt"
printf '>>graph6<<DhC\n' > "$in/path.g6" && printf 'A_\nA?\nBw\nDhC\n' > "$in/simple.g6"
printf 'when,to,n,from\n1,b,5,a\n2,c,6,b\n3,a,1,c\n' > "$in/columns.csv"
printf 'C J\nA B\n' > "$in/wanted" && printf '0 5\n3 3\n7 1\n' > "$in/wanted.numbers"
printf '{"input": "%s", "options": ["--length=3"]}\n' karate.txt star.txt > "$in/jobs.jsonl"
printf 'Pajek junk' > "$in/bad/junk.txt" && printf '1 2\n3\n' > "$in/bad/alone.txt" && : > "$in/bad/empty.txt"
cp "$in/karate.txt" "$in/loop.txt" "$in/weighted.mtx" "$in/bad/alone.txt" "$in/folder"

# The texts of tests/files/table, each with the options that its case names.
awk -v folder="$in/table" '
    /^=== / { file = folder "/" $2; options = ""
              for (i = 3; i <= NF && $i !~ /^[=!?]$/; i++) options = options " " $i
              print $2 options > (folder ".options"); printf "" > file; next }
    /^--- / { file = "" }
    file != "" { gsub(/\\t/, "\t"); print > file }' "$here/tests/files/table"

# The new program reads what the old one wrote.
use "$old"
(
    cd "$in" || exit
    for graph in karate lesmis hochberg; do
        for ending in sg wsg mtx tsv.gz csv.zst gml graphml net; do
            pathcount convert $graph.txt --weights kept/$graph.$ending -q || pathcount convert $graph.txt kept/$graph.$ending -q
        done
        pathcount $graph.txt -k 6 -q -o kept/$graph-6.tsv -o kept/$graph-6.npz --certificate kept/$graph-6.json
        pathcount $graph.txt -k 6 -q --total --each > kept/$graph-total.txt
        ! command -v mpirun || mpi 2 $graph.txt -k 9 --total -q --checkpoint kept/$graph.saved --checkpoint-interval 0
    done
    pathcount batch simple.g6 -k 6 --total --closed -q > kept/simple.txt
    rm -f stdout.* stderr.*
) > /dev/null 2>&1

# ---- Command lines -------------------------------------------------------------------------------

# lines TEMPLATE CHOICES...: a line for each combination of choices, which are separated by "|"; they take the
# places @1, @2 ... of the template.
lines() {
    local hole=$(($# - 1)) choice choices
    [ $hole -gt 0 ] || { printf '%s\n' "$1"; return; }
    IFS='|' read -ra choices <<< "${!#}"
    for choice in "${choices[@]}"; do lines "${1//@$hole/"$choice"}" "${@:2:hole-1}"; done
}

emit() { printf 'pathcount %s\n' "$@"; }
skip() { echo "SKIPPED: ${FUNCNAME[1]}: $1" >&2; }
graphs='hochberg.txt|karate.txt|random.tsv|larger.txt.gz|star.txt|loop.txt|one.txt|weighted.mtx|cycle.mtx|path.g6|pairs.csv'
few='hochberg.txt|random.tsv|weighted.mtx'
ways='|--method dense|--method sweep|--method hybrid'
kinds='|--directed|--mod 12345|--float|--weights --multigraph|--non-backtracking|--markov'

whole_matrices() {
    lines 'pathcount @1 --length @2 @3' "$graphs" '0|1|2|3|6|9|40' \
        "$ways|--directed|--weights --multigraph|--mod 1000003|--mod 9223372036854775807|--float|--certify 0|--markov\
|--non-backtracking|--non-backtracking --mod 97|--json|--json --float|--top 7|--top 3 --json --directed|--undirected\
|--memory-limit 20M|--threads 1|--device cuda|--vertices 33|--weights --directed --method dense"
}
queries() {
    while read -r file from to; do
        lines "pathcount $file --length @1 @2 @3 @4" '1|12' "--from $from|--from $from --from $to|--to $to|--pair $from $to\
|--pair $from $from --pair $from $to --pair $to $from|--total|--sums|--closed|--trace" '|--each|--up-to' \
            "$ways|--mod 1000003|--float|--non-backtracking|--markov|--directed --weights|--certify 0"
    done <<< $'hochberg.txt C J\nrandom.tsv 0 5\nlarger.txt 7 11\nweighted.mtx 1 4'
    lines 'pathcount random.tsv --length @1 @2 @3' '0|64|300' '--from 0|--pair 0 5|--total|--sums|--closed|--trace' \
        '|--json|--mod 65536 --json|--float --json|--each --json'
    lines 'pathcount random.tsv --length 1000000007 --@1' 'total|mod 1000003 --total|mod 1000003 --pair 0 5'
    lines 'pathcount @1 --length @2 @3' 'random.tsv|karate.txt' '9|20' \
        '--katz 0.01|--katz 7|--katz 0.01 --json --directed --weights|--subgraph-centrality|--subgraph-centrality --json'
    lines 'pathcount @1 --length 5 --@2 @3' 'random.tsv|hochberg.txt' 'pairs wanted|pairs wanted.numbers|from @wanted' '|--each'
}
files() {
    lines 'pathcount @1 --length 5 @2 -q -o out.@3' "$few|star.txt|larger.txt" "$kinds|--method sweep" 'tsv|csv|mtx|npy|npz|json|tsv.gz|mtx.zst'
    lines 'pathcount @1 --length 6 @2' "$few|star.txt" '-o out.npy|-o out.csv --directed|--show|--show --total|--show --float'
    lines 'pathcount @1 --length 6 @2 --plot @3' "$few|star.txt" '|--directed -q' 'heat.svg|growth:growth.svg|histogram:histogram.svg'
}
between_blocks() {
    lines 'pathcount coarsen random.tsv --blocks @1 --length @2 @3' '1|3|40|components|blocks' '0|1|2|5|8|21' \
        "$ways|--directed|--mean|--mod 1009|--float|--json|-o out.tsv|-o out.json --mean|--graph quotient.tsv|--graph quotient.mtx\
|--certify 0"
    emit 'coarsen hochberg.txt --length 4 --blocks hochberg-halves.txt' 'coarsen karate.txt --length 4 --blocks leiden' \
        'coarsen karate.txt --length 4 --blocks multilevel --json' 'coarsen karate.txt --length 4 --blocks leiden --seed 7'
}
relations() {
    lines 'pathcount chain @1 @2' "writes.txt published.txt|writes.txt writes.txt^T|writes.txt^T writes.txt\
|writes.txt published.txt published.txt^T writes.txt^T|weighted.mtx weighted.mtx" \
        "|--weights|--json|--pathsim|--power 3|--power 3 --mod 101|-o out.tsv|-o out.mtx|--allow-missing|--pathsim -o out.npy\
|--certify 0|--explain=all -q|--columns 2,1|--top 3|--float"
}
generators() {
    lines 'pathcount generate @1 @2' "rmat --scale 6|rmat --scale 5 --directed|erdos-renyi --vertices 30 --edges 60\
|erdos-renyi --vertices 30 --probability 0.1 --directed|barabasi-albert --vertices 40 --edges-per-vertex 3|famous Zachary\
|famous Petersen" '|--seed 4|-o out.tsv|-o out.mtx|-o out.csv.gz|-o out.sg|-o out.graphml|-o out.gml'
}
batches() {
    lines 'pathcount batch @1 @2' 'folder --out results --jobs 1|karate.txt star.txt --out results --jobs 2' \
        "--length 4|--length 4 --total --each|--length 5 --mod 101 --as csv|--length 3 --closed|--length 4 --directed --weights\
|--length 4 --from 1|--length 4 --markov|--length 3 --report|--length 3 --each --as tsv|--length 2 --manifest jobs.jsonl"
    lines 'pathcount batch @1 @2' 'connected4.g6|- < connected4.g6|simple.g6|made/nx.g6|made/nx.s6' "--length 4 --total\
|--length 4 --closed --each|--length 9 --total --mod 11|--length 6 --total --non-backtracking|--length 200 --total --up-to\
|--length 3|--length 5 --trace|--length 4 --total --closed --json|--length 3 --total --out results"
    lines 'pathcount batch folder --length 3 --out r --jobs 1 @1; pathcount batch folder --length @2 --out r --jobs 1 --resume' \
        '-q|--as csv' '3|4|3 --as csv|3 --retry 2|3 --report'
}
refusals() {
    emit 'bad/'{junk,alone,empty,missing}'.txt --length 3'
    lines 'pathcount @1 @2' 'hochberg.txt|weighted.mtx' "|--length|--length x|--length -1|--length 3 --nonsense|--length 3 --mod 1\
|--length 3 --mod x|--length 3 --from nobody|--length 3 --pair A|--length 3 --top 0|--length 3 --each|--length 3 --total --top 3\
|--length 3 --each --up-to --total|--length 3 --method fast|--length 3 --markov --mod 7|--length 3 --device gpu\
|--length 3 -o out.xyz|--length 3 -o none/out.tsv|--length 3 --plot out.txt|--length 100000000|--length 3 --memory-limit 1K\
|--length 3 --threads 0|--length 3 --format nonsense|--length 3 --certify 99|--length 3 --katz -1\
|--length 5 --float --non-backtracking|--length 3 --weights --non-backtracking|--length 3 --top-each 3 --total"
    lines 'pathcount @1' "--help|--usage|--version|coarsen --help|chain --help|batch --help|generate --help|devices --help\
|bench --help|verify --help|recurrence --help|convert --help|help batch|nonsense|coarsen|chain|generate|generate famous|batch\
|generate famous Nobody|coarsen hochberg.txt --length 3|coarsen hochberg.txt --length 3 --blocks 0|chain writes.txt|verify\
|chain published.txt writes.txt|recurrence|convert|devices|verify hochberg.txt|recurrence hochberg.txt --closed"
}
explanations() {
    lines 'pathcount @1 --length @2 @3 --explain=all' 'hochberg.txt|larger.txt|weighted.mtx' '1|8|33' \
        "$ways|--total|--float|--mod 17|--from 1 --method dense|--closed|--trace|--non-backtracking|--each -o all --as tsv"
}
readers() {
    while read -r name options; do
        [ ! -s "$in/table/$name" ] || emit "table/$name $options -k 3 --total"
    done < "$in/table.options"
    for file in $(cd "$in" && echo made/*); do
        lines "pathcount $file -k 3 @1" '--total|--weights --directed --sums|--vertices 9 --undirected'
    done
    for file in $(cd "$in" && ls kept/*.{sg,wsg,mtx,gz,zst,gml,graphml,net}); do
        lines "pathcount $file -k 5 --total @1" '|--weights --from 1|--directed|--format mtx|--no-header'
    done
    lines 'pathcount columns.csv -k 4 --columns=@1 @2' '4,2|from,to|2,4,3|from,to,n|to,from|1,2|x,to|0,1|4|when,n,to|"a b"' \
        '|--directed|--weights|--separator ,|--separator tab|--no-header'
}
conversions() {
    lines 'pathcount convert @1 @2 o.@3 -q && pathcount o.@3 -k 3 --total' "hochberg.txt|karate.txt|random.tsv|weighted.mtx\
|larger.txt.gz|path.g6|made/np.npy|made/nx-links.json|made/nx.graphml" \
        '|--weights|--directed|--undirected --multigraph --weights' 'sg|wsg|tsv.gz|mtx|gml|graphml|net'
    emit 'convert karate.txt' 'convert karate.txt o.xyz' 'convert missing.txt o.sg' 'convert karate.txt none/o.sg' \
        'convert bad/alone.txt o.sg' 'convert - o.sg < karate.txt' 'convert karate.txt o.sg --twice' 'convert karate.txt -'
}
verdicts() {
    lines 'pathcount @1 -k 5 @2 -q -o @3; pathcount verify @1 @3 -k 5 @2' "$few" "$kinds" \
        'r.tsv|r.csv|r.pairs.tsv|r.mtx|r.npy|r.npz|r.json|r.tsv.gz'
    lines "pathcount @1 -k 5 @2 -q -o @3; sed -i '@4' @3; pathcount verify @1 @3 -k 5 @2" "$few" "$kinds" 'r.tsv|r.mtx|r.json' \
        '2s/[1-9]/5/2|3d|4s/[0-9]/x/|$s/$/1/'
    lines "pathcount @1 -k 6 @2 -q > r.txt; sed -i '@3' r.txt; pathcount verify @1 r* -k 6 @2" "$few" \
        "--from 1|--to 1|--pair 1 1|--total|--sums|--closed|--trace|--total --each|--closed --up-to|--katz 0.01\
|--subgraph-centrality|--top 4|--top-each 2|--json|--each -o r|--total --mod 7" '|$s/[0-9]/7/'
    lines 'pathcount coarsen @1 -k 4 --blocks 2 @2 -q -o @3; pathcount verify @1 @3 -k 4 --blocks 2 @2' "$few" \
        '|--mean|--mod 7' 'r.tsv|r.json|r.npy'
    lines 'pathcount verify @1.txt kept/@1@2 -k 6 @3' 'karate|lesmis|hochberg' '-6.tsv|-6.npz|-total.txt --total --each' \
        '|--certificate kept/karate-6.json|--directed|--mod 7|-k 7'
    lines 'pathcount verify --stream simple.g6 kept/simple.txt -k 6 --total @1' '--closed||--closed --each|--closed -k 7'
    lines 'pathcount chain @1 -q -o @2; pathcount verify --chain @3 @2' 'writes.txt published.txt|writes.txt writes.txt^T' \
        'r.tsv|r.mtx|r.npy|r.json' 'writes.txt published.txt|writes.txt writes.txt^T'
    lines 'pathcount batch folder -k 4 @1 --out r -q --jobs 1; @2 pathcount verify r' '|--total|--mod 101 --as npy|--directed --as csv.gz' \
        '|rm r/k*;|sed -i 3d r/k*;'
}
certificates() {
    lines 'pathcount @1 -k @2 @3 --certificate c.json; pathcount verify @1 r.* --certificate c.json -k @2' "$few" '1|4|33' \
        '-o r.tsv|--certify 0 -o r.npy|--certify 5 -o r.csv|--top 3|-q|-o r.json -o r.npz'
    lines 'pathcount @1 -k @2 @3 -o r.npy --certificate c.json; pathcount verify @1 r.npy --certificate c.json -k @2 @3' "$few" \
        '1|4|33' "--total|$kinds"
}
recurrences() {
    while read -r file from to; do
        lines "pathcount recurrence $file @1 @2" "--from $from|--to $to|--pair $from $to|--total|--trace|" \
            "|--json|--length 100|--terms 20 --growth|--mod 1000003|--mod 1000 --json|--directed --weights|--non-backtracking\
|--length 1000000000000 --mod 101"
    done <<< $'hochberg.txt C J\nkarate.txt 1 34\nloop.txt a d\nweighted.mtx 1 4\ncycle.mtx 1 3\nlarger.txt 7 11\none.txt 0 0'
    lines 'pathcount @1 --length 300 --method recurrence @2' "$few" '|--total|--trace|--total --mod 97|--pair 1 1|--closed'
}
lengths() {
    lines 'pathcount @1 -k 5 --each @2 @3' "$few" "$kinds" "|-o all --as tsv|-o all --as csv.gz|-o all --as mtx|-o stack.npy\
|-o all --as npz|-o all --as json|-o all --as pairs --json|-o stack.npy -o all --as npy"
    lines 'pathcount @1 -k 5 --top-each @2 @3 @4' "$few" '1|3|100|0|x' "$kinds" '|--json|--each'
    lines 'pathcount @1 -k any @2' 'karate.txt|weighted.mtx' '--total|--each --directed|'
}
twice() {
    lines 'pathcount @1 --twice @2' "hochberg.txt -k 5|karate.txt -k 5 --total|random.tsv -k 5 --top 3 --json\
|random.tsv -k 6 -o r.npy|- < karate.txt -k 5|missing.txt -k 3|bad/alone.txt -k 3|hochberg.txt -k 5 --each -o all --as tsv\
|convert karate.txt r.sg|karate.txt -k 9 --trace --mod 7 --threads 1|generate rmat --scale 5 -o r.mtx\
|recurrence hochberg.txt --total|devices|chain writes.txt published.txt -o r.tsv|coarsen karate.txt --blocks 3 -k 4\
|batch folder -k 3 --out r|batch simple.g6 -k 3 --total|verify karate.txt kept/karate-6.tsv -k 6" '|-q|--memory-limit 64M'
}
processes() {
    command -v mpirun > /dev/null && [ -x "${old%/*}/pathcount-mpi" ] || { skip 'there is no mpirun or no pathcount-mpi'; return; }
    lines 'mpi @1 @2' '1|3' "karate.txt -k 30 --total|random.tsv -k 12 --directed --from 5|weighted.mtx --weights -k 9 --sums\
|hochberg.txt -k 5|random.tsv -k 6 --to 5 --each|larger.txt -k 7 --closed --mod 1009|larger.txt -k 40 --method dense -o r.npy\
|random.tsv -k 20 --up-to --trace|karate.txt -k 8 --top 9|karate.txt -k 9 -o r.tsv --json|random.tsv -k 7 --markov\
|kept/lesmis.wsg --weights -k 12 --from Valjean --explain=all|kept/karate.sg -k 9 --pair 1 34\
|karate.txt -k 9 --non-backtracking --total|karate.txt -k 9 --katz 0.01|lesmis.txt -k 9 --subgraph-centrality\
|larger.txt.gz -k 3 --total|made/nx.graphml -k 3 --total|made/np.npy -k 4|made/sp-csr.npz -k 4 --total|bad/alone.txt -k 3\
|missing.txt -k 3|karate.txt -k 3 --from nobody|one.txt -k 3|karate.txt -k 3 --float|karate.txt --lenght 3\
|larger.txt -k 300 --method dense --trace|karate.txt -k any --total|bench|larger.txt -k 33 --method hybrid --explain=all -o r.tsv\
|larger.txt -k 9 --total --memory-limit 1K|karate.txt -k 9 --total --resume|karate.txt -k 9 --total --plan-for 64x16,256GB,100Gb\
|karate.txt -k 9 --total --plan-for 4x2|larger.txt -k 9 --from 3 --plan-for 8x2,1GB,10Gb --json\
|larger.txt -k 9 --total --plan-for 2x2,1kB,1Gb|karate.txt -k 9 --total --checkpoint saved\
|karate.txt -k 9 --total --resume --checkpoint none|--version|--help\
|random.tsv -k 9 --each --from 3 --checkpoint saved --checkpoint-interval 0|karate.txt -k 9 --total --checkpoint karate.txt\
|karate.txt -k 9 --total --checkpoint kept/karate.saved"
    lines 'cp -rL kept/karate.saved mine; mpi @1 @2 --resume --checkpoint mine' '1|3' "karate.txt -k 9 --total\
|karate.txt -k 8 --total|hochberg.txt -k 9 --total|karate.txt -k 9 --from 3|karate.txt -k 9 --total --explain=all"
}
packages() {
    (use "$old"; python 1; use "$new"; python 1) > /dev/null 2>&1 || { skip 'the Python package cannot be loaded'; return; }
    calls="count(G, 9)|count(G, 9, up_to=True)|count(G, 30, mod=97)|non_backtracking(G, 5)|markov(G, 5)|rows(G, 4)|total(G, 9)\
|total(G, 9, each=True)|trace(G, 9, up_to=True)|starts(G, 9)|ends(G, 4, each=True)|closed(G, 90)|coarsen(G, 4, 2)|katz(G, 0.01, 9)\
|subgraph_centrality(G, 9)|recurrence(G)|recurrence(G, \"trace\").term(1000)|walks_from(G, 1, 8)|walks_to(G, \"a\", 8)\
|walks_between(G, \"1\", \"2\", 8)|Graph(G)|count(G, 9).top(4)|count(G, -1)|count(G, 3, mod=1)|total(G, 300, method=\"dense\")"
    lines "python '@1'" "${calls//G/\"karate.txt\"}|${calls//G/\"weighted.mtx\"}|${calls//G/\"bad/alone.txt\"}\
|${calls//G/[(\"a\", \"b\"), (\"b\", \"c\"), (\"c\", \"a\"), (\"c\", \"c\")]}|Graph(\"random.tsv\", directed=True, weight=True)\
|chain(Relation(\"writes.txt\"), Relation(\"published.txt\"))|pathsim(Relation(\"writes.txt\"))|Relation(\"writes.txt\")\
|stream(\"connected4.g6\", 8)|stream([\"Bw\", \"DhC\"], 8, total=True)|Graph(\"missing\")|Graph([(1, 2, 3)], weight=True)"
}
gpu() {
    (use "$old"; cuda "$in/karate.txt" -k 3 -q) > /dev/null 2>&1 || { skip 'there is no GPU'; return; }
    lines 'cuda @1 -k @2 @3 @4' 'hochberg.txt|karate.txt|random.tsv|larger.txt|weighted.mtx' '1|3|8|40|300' "$ways" \
        "$kinds|--mod 9223372036854775807|--total|--from 1|--closed --each|--trace|--top 5|-o r.npy|--up-to --sums|--explain=all"
    lines 'cuda coarsen @1 -k 7 --blocks @2' 'karate.txt|random.tsv|larger.txt' '2|components'
}

# ---- Running -------------------------------------------------------------------------------------

mask() {
    sed -E -e 's/[0-9.]+(e-?[0-9]+)? s\b/T s/g' -e 's/  +T s/ T s/g' -e 's/"seconds": ?(\{[^}]*\}|[0-9.e-]+)/"seconds": T/g' \
        -e 's/[0-9.]+ (KiB|MiB|GiB|MB|GB) (of|available)/M \2/g' -e 's/of [0-9.]+ (KiB|MiB|GiB|MB)/of M/g' \
        -e 's/there (are|is) [0-9.]+ MB/there are M/g' -e 's/"(read|count|total|start|finished|time|memory_bytes|peak_memory_bytes)": ?[0-9.e-]+/"\1": T/g' \
        -e 's/pathcount-[0-9a-f]{16}/pathcount-TEMPORARY/g' -e 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.Z+]+/DATE/g' \
        -e 's/("version": "|pathcount )0\.[0-9]\.0/\1VERSION/' -e 's/"rounds": \[.*/"rounds": RANDOM/' \
        -e '/^predicted time: /d' -e 's/^(( +[0-9]+){6} +)[0-9]+$/\1HELD/' -e "s#$old#PATHCOUNT#g; s#$new#PATHCOUNT#g"
}

# answer PROGRAM LINE: prints what the program did. Runs in the folder of a worker.
answer() {
    rm -rf run && mkdir run && ln -s "$in"/* run
    use "$1" && (cd run && eval "$2" > ../out 2> ../err < /dev/null)
    echo "exit $?"
    mask < out
    echo '--- standard error'
    if [[ $2 == *batch* ]]; then mask < err | sort; else mask < err; fi
    (cd run && find . -type f | sort | while read -r file; do
        echo "--- $file"
        case $file in
        *.gz) gzip -dc "$file" | cksum ;;
        *.zst) zstd -qdc "$file" 2> /dev/null | cksum ;;
        *.svg | *.npy | *.npz | *.png | *.sg | *.wsg | *.lines) cksum < "$file" ;;
        *.jsonl | *.html) mask < "$file" | sort ;; # jobs end in any order
        *) mask < "$file" ;;
        esac
    done)
}

# compare WORKER: every line of its share; leaves the files differing and expected.
compare() {
    mkdir "$work/$1"
    cd "$work/$1" && : > expected || exit
    while read -r line <&3; do
        answer "$old" "$line" > old.answer 2>&1
        answer "$new" "$line" > new.answer 2>&1
        cmp -s old.answer new.answer && continue
        why=$(awk -F '\t' -v line="$line" 'line ~ $1 { print $2; exit }' "$here/tests/differences.txt")
        [ -z "$why" ] || { echo "$why" >> expected; continue; }
        printf 'DIFFERS: %s\n%s\n' "$line" "$(diff old.answer new.answer | head -n 12 | sed 's/^/    /')"
    done > differing 3< <(awk -v me="$1" -v jobs="$jobs" 'NR % jobs == me' "$work/lines")
}

all='whole_matrices queries files between_blocks relations generators batches refusals explanations readers conversions
    verdicts certificates recurrences lengths twice processes packages gpu'
[ $# -ge 4 ] && chosen=${*:4} || chosen=$all
for group in $chosen; do
    [[ " "$(echo $all)" " == *" $group "* ]] || { echo "there is no group $group: choose of" $all >&2; exit 2; }
done
for group in $chosen; do $group; done |
    awk -v every="$every" 'BEGIN { srand(1) } !seen[$0]++ && rand() * every < 1' > "$work/lines"
for ((worker = 0; worker < jobs; worker++)); do compare "$worker" & done
wait
sort "$work"/*/expected | uniq -c
cat "$work"/*/differing && echo "$(wc -l < "$work/lines") command lines, $(cat "$work"/*/differing | grep -c ^DIFFERS) differ," \
    "$(cat "$work"/*/expected | wc -l) differ as expected"
! grep -q ^DIFFERS "$work"/*/differing
