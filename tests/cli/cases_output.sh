# Where answers go: files of each format, JSON, --explain; and what happens when they cannot.

printf '0 1\n1 2\n' > g.txt
check 'file and summary' 0 '*total paths *6
*written to            out.tsv
*' 'g.txt: *' g.txt -k 2 -o out.tsv
printf '\t0\t1\t2\n0\t1\t0\t1\n1\t0\t2\t0\n2\t1\t0\t1\n' > "$notes/expected"
same 'TSV' out.tsv
run g.txt -k 2 -q --output=out.csv
printf ',0,1,2\n0,1,0,1\n1,0,2,0\n2,1,0,1\n' > "$notes/expected"
same 'CSV' out.csv
run g.txt -k 2 -q -o out.mtx
printf '%s\n' '1 1 1' '2 2 2' '3 1 1' '3 3 1' > "$notes/expected"
tail -n 4 out.mtx > entries
same 'Matrix Market entries' entries
check 'a written matrix is a graph again' 0 'from*
1        1  0  1
2        0  2  0
3        1  0  1' '*undirected: 3 vertices, 4 edges (3 loops), largest multiplicity 2' out.mtx -k 1
run g.txt -k 2 -q -o out.json
if holds out.json '*"labels"*"0"*"rows"*"2"*'; then pass; else fail 'JSON file' 'wrong'; fi
run g.txt -k 2 -q -o out.npy
if [ "$(head -c 6 out.npy | tail -c 5)" = NUMPY ] &&
    [ "$(tail -c 72 out.npy | od -An -v -tu8 | tr -s ' \n' ' ')" = ' 1 0 1 0 2 0 1 0 1 ' ]; then
    pass
else
    fail 'NPY' 'wrong'
fi
check 'packed file' 0 '*' '' g.txt -k 2 -q -o out.tsv.gz
if [ "$(head -c 2 out.tsv.gz | od -An -tx1)" = ' 1f 8b' ]; then pass; else fail 'gzip' 'wrong'; fi
check 'packed by zstd' 0 '*' '' g.txt -k 2 -q -o out.csv.zst
if [ "$(head -c 4 out.csv.zst | od -An -tx1)" = ' 28 b5 2f fd' ]; then pass
else fail 'zstd' 'wrong'; fi
folder_holds 'only the files asked for' entries g.txt out.csv out.csv.zst out.json out.mtx out.npy \
    out.tsv out.tsv.gz

printf '0 1\n1 2\n' > g.txt
check 'JSON' 0 '{
*"path": "g.txt", "format": "edge list", "directed": false,*"vertices": 3, "edges": 2, "arcs": 4,*
  "query": "matrix",
  "length": "2",
  "each": false,
  "up_to": false,
  "total_paths": "6",
  "closed_paths": "4",
  "bits": 2,
  "largest_row_sum": "2",
  "largest_row": "0",
  "largest_count": {"from": "1", "to": "1", "count": "2"},
  "nonzero_pairs": 5,
  "largest_pairs": \[{"from": "1", "to": "1", "count": "2"}, *
  "engine": "cpu",
*"seconds": {"read": *
  "labels": \["0", "1", "2"\],
  "matrix": \[\["1", "0", "1"\], \["0", "2", "0"\], \["1", "0", "1"\]\]
}' 'g.txt: *' g.txt -k 2 --json
check 'JSON modulo' 0 '*"arithmetic": "modular", "modulus": "4"*"total_paths": "2"*"bits": null*
  "largest_count": null*' '' g.txt -k 2 --json --mod 4 -q
check 'JSON of floating point' 0 '*"bits": null*"largest_count": {*' '' g.txt -k 2 --json --float -q
run "$graphs/karate.txt" -k 8 --json -q
if holds "$notes/stdout" '*"total_paths": "104321748"*' &&
    ! holds "$notes/stdout" '*"matrix": \[*'; then
    pass
else
    fail 'JSON of a larger graph' 'wrong'
fi
printf 'a"\\b \377x\n' > odd.txt
check 'JSON of odd labels' 0 '*"labels": \["a\\"\\\\b", "[?]x"\]*' '' odd.txt -k 1 --json -q

check 'plan and times' 0 'from*' 'g.txt: *
plan: length 5, 3 vertices, 4 arcs
  counts  *at most 2^* (proved)*
  engine  *cpu, kernel *thread*
  memory  *
  prediction *
*length*by*bits*moduli*products*predicted*
measured: *
  certify *
  total *' g.txt -k 5 --explain --method dense
check 'plan on its own' 0 'from*' 'plan: *' g.txt -k 5 --explain --quiet
rm -f odd.txt

# ---- Output that fails ----------------------------------------------------------------------------

echo old > old.tsv
refuses 'no such folder' 73 '*
pathcount: *nowhere/out.tsv*No such file or directory: make its folder first' g.txt -k 2 -o nowhere/out.tsv
if [ -w /dev/full ]; then
    for arguments in 'g.txt -k 2' 'g.txt -k 2 --json' '--help' '--version'; do
        # shellcheck disable=SC2086 # words
        "$pathcount" $arguments > /dev/full 2> "$notes/stderr"
        status=$?
        : > "$notes/stdout"
        judge "full device: $arguments" 74 '' '*pathcount: standard output: No space left on device'
    done
    "$pathcount" generate barabasi-albert --vertices 3000 --edges-per-vertex 2 -o many.txt -q
    many=$(seq -f '--from %g' 60) # more lines than a pipe takes before its reader has ended
    for threads in 1 3; do # lines that several threads make
        "$pathcount" many.txt -k 9 -q $many --threads $threads > /dev/full 2> "$notes/stderr"
        status=$?
        : > "$notes/stdout"
        judge "full device, $threads threads" 74 '' 'pathcount: standard output: No space left on device'
        { "$pathcount" many.txt -k 9 -q $many --threads $threads 2> "$notes/stderr"
            echo $? > "$notes/status"; } | head -n 1 > "$notes/stdout"
        status=$(cat "$notes/status")
        judge "a reader that ends, $threads threads" 141 'from*' ''
    done
    rm -f many.txt
    : > "$notes/stdout"
else
    skip 'full device' 'there is no /dev/full'
fi
"$pathcount" g.txt -k 2 >&- 2> "$notes/stderr"
status=$?
judge 'closed standard output' 74 '' '*pathcount: standard output: *'
"$pathcount" g.txt >&- 2> "$notes/stderr"
status=$?
judge 'wrong use with closed standard output' 2 '' 'pathcount: how long*'
mkfifo pipe
(exec 3> pipe && sleep 1 && "$pathcount" g.txt -k 2 >&3 2> "$notes/stderr"
 echo $? > "$notes/status") &
: < pipe
wait $!
status=$(cat "$notes/status")
judge 'closed pipe' 141 '' 'g.txt: edge list*edges'
rm -f pipe

# With standard error closed the output must not take its place.
"$pathcount" g.txt -k 2 -o new.tsv 2>&- > "$notes/stdout"
status=$?
printf '\t0\t1\t2\n0\t1\t0\t1\n1\t0\t2\t0\n2\t1\t0\t1\n' > "$notes/expected"
same 'closed standard error' new.tsv

for file in old.tsv old.csv.gz old.mtx old.mtx.gz; do
    echo old > $file
    (ulimit -f 8 && exec "$pathcount" "$graphs/lesmis.txt" -k 400 --quiet -o $file) \
        > "$notes/stdout" 2> "$notes/stderr"
    status=$?
    judge "disk full: $file" 74 '' 'pathcount: *'
    if [ "$(cat $file)" = old ]; then pass; else fail "disk full: $file" 'the old file changed'; fi
done
folder_holds 'nothing left after failures' g.txt new.tsv old.csv.gz old.mtx old.mtx.gz old.tsv
