# Where answers go: files of each format, JSON, --explain=all; and what happens when they cannot.

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
0        1  0  1
1        0  2  0
2        1  0  1' '*undirected: 3 vertices, 4 edges (3 loops, counted once), largest multiplicity 2' out.mtx -k 1
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
  counts  *at most * bits (proved), kept in 64*
  engine  *cpu, kernel *thread*
  memory  *
  prediction *
*length*by*bits*moduli*products*predicted*
measured: *
  certify *
  total *' g.txt -k 5 --explain=all --method dense
check 'a plan without tables' 0 'from*' 'plan: *
  counts *
  method *
  engine *
  because *
  memory *
  prediction *
measured: *' g.txt -k 5 --explain --method dense -q
if [ "$(grep -c . "$notes/stderr")" -eq 8 ]; then pass; else fail 'a plan without tables' 'has more lines'; fi
check 'plan on its own' 0 'from*' 'plan: *' g.txt -k 5 --explain=all --quiet
rm -f odd.txt

# ---- Output that fails ----------------------------------------------------------------------------

echo old > old.tsv
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

# ---- Standard output, several files, endings, labels -------------------------------------------------

printf 'b a\na c\n' > g.txt
printf '\tb\ta\tc\nb\t1\t0\t1\na\t0\t2\t0\nc\t1\t0\t1\n' > expected.tsv
printf 'from\tto\tpaths\nb\tb\t1\nb\tc\t1\na\ta\t2\nc\tb\t1\nc\tc\t1\n' > expected.pairs
for as in '-o -' '--as tsv' '-o - --as tsv' '--as tsv --certify 3' '--as tsv --certify 0' '--as tsv --twice'; do
    # shellcheck disable=SC2086 # options are words
    prints "standard output: $as" g.txt -k 2 -q $as < expected.tsv
done
prints 'pairs on standard output' g.txt -k 2 -q --as pairs < expected.pairs
prints 'no other answer on standard output' g.txt -k 2 -o - -o out.tsv < expected.tsv
same 'a file beside standard output' out.tsv
"$pathcount" g.txt -k 2 -q --as tsv.gz | gzip -dc > unpacked
same 'packed on standard output' unpacked
"$pathcount" g.txt -k 2 -q --as npz > s.npz
is 'a sparse matrix on standard output' 6 "$("$pathcount" s.npz --weights -k 1 --total -q)"
check 'what has no place for labels says so' 0 '*' '*no labels of rows*' g.txt -k 2 --as npy
run g.txt -k 2 -q -o X.TSV -o x.dat.GZ -o Y.Pairs.Tsv -o y.MTX.zst --as tsv
same 'an ending in capitals' X.TSV
gzip -dc x.dat.GZ > unpacked
same 'a name that says the packing only' unpacked
cp expected.pairs "$notes/expected"
same 'the third of several files' Y.Pairs.Tsv
for file in X.TSV x.dat.GZ Y.Pairs.Tsv y.MTX.zst; do
    check "verify reads $file" 0 "$file: certified*" '' verify g.txt $file -k 2
done
mkdir folder
ln -s X.TSV link.tsv
for other in X.TSV ./X.TSV folder/../X.TSV link.tsv; do
    refuses "the same file twice: $other" 2 "pathcount: --output 'X.TSV' and --output '$other' are the same file*" \
        g.txt -k 2 -o X.TSV -o $other
done
refuses 'standard output twice' 2 "*--output '-' and --output '-' are*" g.txt -k 2 -o - -o -
refuses 'a format that the name contradicts' 2 "*--as mtx: 'x.tsv' says its format*" g.txt -k 2 -o x.tsv --as mtx
refuses 'pictures and the matrix' 2 '*--show and the matrix*' g.txt -k 2 -o - --show
refuses 'an archive that is packed' 2 "*'x.npz.gz'*" g.txt -k 2 -o x.npz.gz
# shellcheck disable=SC2046 # options are words
refuses 'too many files' 2 '*at most 16 files*' g.txt -k 2 $(seq -f '-o %g.tsv' 17)
refuses 'counts too wide for SciPy' 69 '*do not fit .npz*write .mtx*' "$graphs/karate.txt" -k 60 -q -o w.npz -o w.tsv
check 'one certificate for several files' 0 '*' '' g.txt -k 2 -q -o c.tsv -o c.npz --certificate c.json
for file in c.tsv c.npz; do
    check "the certificate holds for $file" 0 "$file: certified*" '' verify g.txt $file -k 2 --certificate c.json
done
printf 'b\na\nc\n' > "$notes/expected"
status=0
same 'labels beside an archive' c.npz.labels
check 'a note names the labels' 0 '*' '*n.npy.labels: the labels*' g.txt -k 2 -o n.npy
printf '0 1\n1 2\n' > n.txt
run n.txt -k 2 -q -o n.npy
printf '0\n1\n2\n' > "$notes/expected"
same 'labels of an earlier result are replaced' n.npy.labels
run n.txt -k 2 -q -o m.npy
is 'numbers from 0 need no file' no "$([ -e m.npy.labels ] && echo yes || echo no)"
if [ -w /dev/full ]; then
    "$pathcount" g.txt -k 2 -q -o - -o last.tsv > /dev/full 2> "$notes/stderr"
    status=$?
    : > "$notes/stdout"
    judge 'a matrix on a full device' 74 '' 'pathcount: standard output: No space left on device'
fi
TMPDIR=$work/nowhere
export TMPDIR
refuses 'no folder for what is not whole yet' 73 '*nowhere*' g.txt -k 2 -q -o -
unset TMPDIR
rm -rf folder
mkdir in
cp g.txt in
run batch in -k 2 --out out --as npy -q
if holds out/manifest.jsonl '*"labels": "g.npy.labels"*' && [ -s out/g.npy.labels ]; then pass
else fail 'labels in the manifest' 'wrong'; fi
rm out/g.npy.labels
run batch in -k 2 --out out --as npy -q --resume
is 'labels that are gone are written again' 3 "$(wc -l < out/g.npy.labels)"
check 'verify reads the folder' 0 '*certified*' '' verify out
rm -rf ./*

# ---- Table or summary -----------------------------------------------------------------------------

printf '0 1\n1 2\n' > g.txt
prints 'a table with its sums' g.txt -k 2 -q --table << 'END'
from\to  0  1  2
0        1  0  1
1        0  2  0
2        1  0  1

total paths           6
closed paths          4
END
check 'a summary of a small graph' 0 'graph *total paths           6*largest pairs*' '' g.txt -k 2 -q --summary
check 'a table beside a file' 0 'from*total paths           6*' '' g.txt -k 2 -q --table -o out.tsv
check 'sums of residues below a table' 0 'from*
total paths           2 (modulo 4)
closed paths          0 (modulo 4)' '' g.txt -k 2 -q --table --mod 4
check 'blocks below a table' 0 'from*within blocks         6' '' coarsen g.txt -k 2 -q --table --blocks components
check 'JSON without the matrix' 0 '*"total_paths"*' '' g.txt -k 2 -q --summary --json
if holds "$notes/stdout" '*"matrix": \[*'; then fail 'JSON without the matrix' 'has it'; else pass; fi
run "$graphs/lesmis.txt" -k 3 -q --table
cp "$notes/stdout" shown.txt
is 'a table of 77 rows' 81 "$(wc -l < shown.txt)"
refuses 'table and summary' 2 '*--table and --summary exclude*' g.txt -k 2 --table --summary
refuses 'the table and the matrix' 2 '*--table and the matrix*' g.txt -k 2 --table -o -
seq 0 1101 | paste - - > wide.txt
refuses 'too large a table' 2 '*--table is for at most 1024*' wide.txt -k 2 -q --table --no-header
if script -qec true /dev/null < /dev/null > "$notes/found" 2>&1; then
    "$pathcount" "$graphs/hochberg.txt" -k 30 -q > "$notes/all"
    in_terminal 300 "$pathcount" "$graphs/hochberg.txt" -k 30 -q | tr -d '\r' > shown.txt
    cp "$notes/all" "$notes/expected"
    status=0
    same 'a table on a wide terminal' shown.txt
    in_terminal 140 "$pathcount" "$graphs/hochberg.txt" -k 30 | tr -d '\r' > "$notes/stdout"
    check_shown='*wider than this terminal: counts have four digits*
J  *3.165e+15*5.914e+15*'
    if holds "$notes/stdout" "$check_shown"; then pass; else fail 'shortened counts' 'not there'; fi
    # Each column has one shape: four digits and an exponent where one number has more digits than four.
    for question in "hochberg.txt -k 9" "hochberg.txt -k 12" "king.txt -k 300"; do
        # shellcheck disable=SC2086 # the question is meant to be split
        "$pathcount" "$graphs/"$question -q --as tsv | awk -F '\t' '
            function significant(text) { sub(/0+$/, "", text); return length(text) }
            function shown(text,    lead) {
                lead = substr(text "000", 1, 4) + (substr(text, 5, 1) >= 5)
                return sprintf("%d.%03de+%02d", lead / 1000, lead % 1000, length(text) - 1)
            }
            NR > 1 { for (c = 2; c <= NF; c++) { cell[NR, c] = $c; cut[c] = cut[c] || significant($c) > 4 } }
            END { for (r = 2; r <= NR; r++) for (c = 2; c <= NF; c++)
                      printf "%s%s", cut[c] ? shown(cell[r, c]) : cell[r, c], c < NF ? " " : "\n" }' > "$notes/expected"
        # shellcheck disable=SC2086
        in_terminal 40 "$pathcount" "$graphs/"$question -q --table | tr -d '\r' | sed -n '/^from/,/^$/p' |
            sed -e 1d -e '/^$/d' -e 's/^[^ ]* *//' -e 's/  */ /g' > shown.txt
        same "shortened counts of $question" shown.txt
    done
    in_terminal 60 "$pathcount" "$graphs/hochberg.txt" -k 30 | tr -d '\r' > "$notes/stdout"
    if holds "$notes/stdout" '*a summary instead*total paths*'; then pass; else fail 'a summary instead' 'not there'; fi
    # A pipe gets all digits, a terminal the ends of long numbers.
    total=$("$pathcount" "$graphs/lesmis.txt" -k 200 -q | sed -n 's/^total paths *//p')
    in_terminal 80 "$pathcount" "$graphs/lesmis.txt" -k 200 -q | tr -d '\r' > "$notes/stdout"
    shown="$(echo "$total" | cut -c 1-8)...$(echo "$total" | sed 's/.*\(........\)$/\1/') (${#total} digits)"
    is 'the ends of a long number' "$shown" "$(sed -n 's/^total paths *//p' "$notes/stdout")"
    is 'no long lines' '' "$(grep -v '^graph ' "$notes/stdout" | grep '^.\{100\}')"
else
    skip 'tables on a terminal' 'script does not work here'
fi
rm -f ./*
