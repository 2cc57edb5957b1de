# Many datasets: which jobs there are, what their results are called, and the books that are kept of
# them. What becomes of a worker is in cases_batch_workers.sh.

# Lines of the manifest of folder $1; of those the ones that hold $2.
lines()
{
    grep -c -e "$2" "$1/manifest.jsonl"
}

# A triangle has 3 * 2^k paths of length k; an edge has 2 of any length, as an arc 1 of length 1, and
# a star of three leaves 3 * 3 + 3 of length 2.
mkdir data
printf '0 1\n1 2\n2 0\n' > data/triangle.txt
printf '0 1\n' > data/edge.csv
printf '0 1\n0 2\n0 3\n' > data/star.edges

# ---- A folder and its manifest -------------------------------------------------------------------

mkdir data/inner
cp data/triangle.txt data/inner/not_this.txt
cp data/triangle.txt data/.hidden.txt
echo '# Graphs' > data/README.md
check 'batch of a folder' 0 '' 'data: 1 folder in it*
data: 1 skipped*README.md*
3 jobs: 3 done, 0 failed, *' batch data --length 2 --total --out out
is 'its results' '12 2 12' "$(echo $(cat out/star.tsv out/edge.tsv out/triangle.tsv))"
is 'a line a job' 3 "$(wc -l < out/manifest.jsonl | tr -d ' ')"
is 'no more files than that' 'edge.tsv manifest.jsonl star.tsv triangle.tsv' "$(echo $(ls -A out))"
keys=$(sed -n 1p out/manifest.jsonl | grep -o '"[a-z_0-9]*": ' | tr -d '": ' | tr '\n' ' ')
is 'keys of a line' 'input input_sha256 options version vertices edges bits total_paths largest_count engine method seconds read bound count certify write total peak_memory_bytes result result_sha256 exit message ' \
    "$keys"
line=$(grep '"input": "data/star.edges"' out/manifest.jsonl)
sum=$(sha256sum < data/star.edges | cut -d ' ' -f 1)
case $line in
*"\"input_sha256\": \"$sum\", \"options\": [\"--length=2\", \"--total\", \"--as=tsv\"], "*) pass ;;
*) fail 'digest and options of a dataset' "$line" ;;
esac
sum=$(sha256sum < out/star.tsv | cut -d ' ' -f 1)
case $line in
*"\"vertices\": 4, \"edges\": 3, \"bits\": 4, "*"\"result\": \"star.tsv\", \"result_sha256\": \"$sum\", \"exit\": 0, \"message\": \"\"}") pass ;;
*) fail 'what came of a dataset' "$line" ;;
esac

check 'a folder with results' 2 '' "*pathcount: 'out' holds an earlier run: --resume *" \
    batch data --length 2 --total --out out
is 'no line more by a refusal' 3 "$(wc -l < out/manifest.jsonl | tr -d ' ')"

# ---- --resume: what failed, changed or is damaged, and nothing else ----------------------------

# resumes NAME STATUS LINES ARGUMENT...: after one more run so many lines are new.
resumes()
{
    case_name=$1 case_status=$2 case_lines=$3
    shift 3
    before=$(wc -l < out/manifest.jsonl)
    refuses "$case_name" "$case_status" '*' batch --length 2 --total --out out --resume "$@"
    is "$case_name: new lines" "$case_lines" $(($(wc -l < out/manifest.jsonl) - before))
}

resumes 'nothing left to do' 0 0 data
if holds "$notes/stderr" '*3 jobs: 0 done, 3 kept, 0 failed*'; then pass; else fail 'kept' 'not said'; fi
printf '0 1\n1 2\n2 0\n0 2\n' > data/triangle.txt
resumes 'a dataset that changed' 0 1 data
printf 13 > out/star.tsv
resumes 'a result that is damaged' 0 1 data
is 'the result is right again' 12 "$(cat out/star.tsv)"
rm out/edge.tsv
resumes 'a result that is gone' 0 1 data
is 'the result is there again' 2 "$(cat out/edge.tsv)"
resumes 'other options' 0 3 data --length 1
is 'results of other options' '2 6 6' "$(echo $(cat out/edge.tsv out/star.tsv out/triangle.tsv))"
resumes 'options by other names' 0 0 -k 1 --threads 1 data/ --certify 3
resumes 'one more option' 0 3 --len=1 data --no-header
resumes 'and again' 0 0 -k1 data --no-header
resumes 'without the last one' 0 3 data --length 1
sed 's/"version": "[^"]*"/"version": "0.1"/' out/manifest.jsonl > old && mv old out/manifest.jsonl
resumes 'results of another version' 0 3 data --length 1
resumes 'other columns' 0 3 data --length 1 --columns 2,1
resumes 'the same columns, and a header that is not there' 0 3 data --length 1 --columns=2,1 --no-header
case $(cat out/manifest.jsonl) in
*'"--columns=2,1", "--no-header", '*) pass ;;
*) fail 'columns in the record of a job' 'not there' ;;
esac
resumes 'the columns that there are' 0 3 data --length 1
printf '0 1\n0 1 2 x\n\n' > data/worse.mtx
resumes 'a dataset that cannot be read' 1 1 data --length 1
if holds "$notes/stderr" '*4 jobs: 0 done, 3 kept, 1 failed*
  data/worse.mtx*'; then pass; else fail 'failures' 'not listed'; fi
resumes 'what failed is done again' 1 1 data --length 1
printf '0 1\n' > data/worse.mtx
mv data/worse.mtx data/worse.tsv
resumes 'and succeeds one day' 0 1 data --length 1
printf '{"input": "data/edge.csv", "result": "edge.ts' >> out/manifest.jsonl
resumes 'a line that is torn' 0 0 data --length 1
is 'the torn line is gone' 0 "$(grep -c '"edge.ts$' out/manifest.jsonl)"
printf '0 3\n' > data/edge.csv
resumes 'a line after the torn one' 0 1 data --length 1
truncate -s -1 out/manifest.jsonl
resumes 'a line that lacks only its end' 0 1 data --length 1
is 'on a line of its own' 1 "$(tail -n 1 out/manifest.jsonl | grep -c '^{"input": "data/edge.csv".*}$')"
printf '\0\1\n[]\n{"result": 7}\n\n' >> out/manifest.jsonl
resumes 'lines that are none' 0 0 data --length 1
: > out/.pathcount-0123456789abcdef.tmp
: > out/mine.tmp
resumes 'what a killed run left' 0 0 data --length 1
is 'is removed, and nothing else' 'mine.tmp' "$(cd out && ls -A | grep tmp)"
rm -rf out

# The files that options name belong to what a result depends on.
echo '0 1' > pairs.txt
echo 0 > vertices.txt
run batch data/star.edges --length 2 --pairs pairs.txt --out out
run batch data/star.edges --length 2 --pairs pairs.txt --out out --resume
is 'the same pairs' 1 "$(wc -l < out/manifest.jsonl | tr -d ' ')"
echo '1 2' > pairs.txt
run batch data/star.edges --length 2 --pairs pairs.txt --out out --resume
is 'other pairs in the same file' 2 "$(wc -l < out/manifest.jsonl | tr -d ' ')"
is 'the result of other pairs' 1 "$(cat out/star.tsv)"
rm -rf out
run batch data/star.edges --length 2 --from @vertices.txt --out out
echo 1 > vertices.txt
run batch data/star.edges --length 2 --from @vertices.txt --out out --resume
is 'other vertices in the same file' 2 "$(wc -l < out/manifest.jsonl | tr -d ' ')"
rm -rf out

# ---- What results are called ---------------------------------------------------------------------

run batch data/star.edges --length 2 --out out
run batch data/star.edges --length 2 --as tsv --out tables
run batch data/star.edges --length 2 --as csv.gz --out packed
run batch data/star.edges --length 2 --total --as json --out objects
run count data/star.edges --length 2 -o star.tsv
is 'formats of results' 'star.mtx star.csv.gz star.json' \
    "$(cd out && echo *.mtx) $(cd packed && echo *.gz) $(cd objects && echo *n)"
if cmp -s star.tsv tables/star.tsv; then pass; else fail 'a matrix' 'is not that of one count'; fi
is 'an object' 1 "$(grep -c '"query": "total"' objects/star.json)"
rm -rf out tables packed objects star.tsv

printf '0 1\n' > '.g.txt'
printf '0 1\n' > 'new
line.txt'
printf '0 1\n' > "$(printf '\344.txt')"
long=$(printf '%0300d' 7)
{
    echo '# comment'
    echo
    echo ./.g.txt
    echo "$PWD/data/star.edges"
    echo 'data/../data/..'
    echo "$long.txt"
    printf '\344.txt\n'
    printf '%s\n' '{"input": "new\nline.txt"}'
    echo 'data/edge.csv'
} > list
check 'names that cannot be those of results' 1 '' "*7 jobs: 2 done, 5 failed*
  ./.g.txt: its name *begins with a dot*
  data/../data/..: its name *begins with a dot*
  $long.txt: its name *longer than 200 bytes*UTF-8*
  new\\\\x0aline.txt: its name *control character*" batch --manifest list --length 1 --total --out out
is 'and no file elsewhere' 'edge.tsv manifest.jsonl star.tsv' "$(echo $(ls -A out))"
is 'each with its line' '7 5' "$(echo $(wc -l < out/manifest.jsonl) $(lines out '"result": null'))"
rm -rf out .g.txt new* "$(printf '\344.txt')" list
: > "$(printf 'data/inner/\033[2J')"
check 'names that are skipped steer no terminal' 0 '' 'data/inner: 1 skipped, *: \\x1b\[2J
*' batch data/inner --length 1 --total --out out
rm -rf out data/inner/?\[2J

for name in .. . '' ../up /etc/up a/b .hidden 'two\nlines' 'bell\u0007' "$long"; do
    printf '# first\n{"input": "data/edge.csv", "name": "%s"}\n' "$name" > list
    refuses "a result called '$name'" 65 'pathcount: list:2: "name" cannot be that of a result: *' \
        batch --manifest list --length 1 --out out
done
cp data/edge.csv data/edge.gml.gz
refuses 'two results of one name' 2 \
    "pathcount: 'data/edge.csv' and 'data/edge.gml.gz' would both write 'edge.mtx': *" \
    batch data/edge.csv data/edge.gml.gz --length 1 --out out
rm data/edge.gml.gz
refuses 'a dataset given twice' 2 "pathcount: 'data/edge.csv' is given twice*" \
    batch data/edge.csv data/edge.csv --length 1 --out out
cp data/star.edges data/inner/star.tsv
refuses 'a result in place of its own dataset' 2 \
    "pathcount: the result 'star.tsv' * would take the place of 'data/inner/star.tsv', which is read*" \
    batch data/inner/star.tsv --length 1 --as tsv --out data/inner
cp data/edge.csv data/inner/edge.tsv
refuses 'a result in place of a list of pairs' 2 "pathcount: the result 'edge.tsv' * which is read*" \
    batch data/edge.csv --length 1 --pairs data/inner/edge.tsv --out data/inner
refuses 'a result in place of the manifest' 2 "pathcount: the result 'edge.tsv' * which is read*" \
    batch data/edge.csv --length 1 --total --manifest data/inner/edge.tsv --out data/inner
rm data/inner/edge.tsv
printf '0 1 2 3\n' > wrong.txt
printf '{"input": "wrong.txt", "name": "%s"}\n' p q > twice.jsonl
check 'a dataset that fails twice' 1 '' '*  p.tsv: wrong.txt:1: *  q.tsv: wrong.txt:1: *' \
    batch --manifest twice.jsonl --length 1 --total --out twice
rm -r wrong.txt twice.jsonl twice
refuses 'a device that is none' 2 "pathcount: *'bogus'*" batch data --length 1 --device bogus --out out
refuses 'results among the datasets' 2 "pathcount: 'data' is the folder of the results too*" \
    batch data --length 1 --out data/inner/..
if [ -e out ] || [ -e data/manifest.jsonl ]; then fail 'refused' 'but a folder was made'; else pass; fi

# ---- Lines of --manifest -------------------------------------------------------------------------

cat > jobs.jsonl << 'END'
data/edge.csv
{"input": "data/edge.csv", "name": "arc", "options": ["--directed"]}
{"input": "data/star.edges", "options": ["--length", "2", "--undirected"], "name": "two"}
{"input": "data/star.edges", "options": ["--closed", "--as=json"]}
END
check 'lines with options of their own' 0 '' '*4 jobs: 4 done*' \
    batch --manifest jobs.jsonl --total --length 1 --undirected --out out
is 'their results' '2 1 12' "$(echo $(cat out/edge.tsv out/arc.tsv out/two.tsv))"
is 'another question' 1 "$(grep -c '"query": "closed"' out/star.json)"
cp out/manifest.jsonl again.jsonl
check 'lines of an earlier run, from a pipe' 0 '' '*4 jobs: 0 done, 4 kept*' \
    batch --manifest - --out out --resume < again.jsonl
check 'and into another folder' 0 '' '*4 jobs: 4 done*' batch --manifest again.jsonl --out twice
is 'give the same results' "$(cat out/*.json out/*.tsv)" "$(cat twice/*.json twice/*.tsv)"
rm -rf out twice again.jsonl jobs.jsonl

printf 'a b\nb c\n' > named.txt
run batch named.txt --length 2 --as npz --out out
is 'labels are in the books' 1 "$(lines out '"labels": "named.npz.labels"')"
check 'a line about labels, given again' 0 '' '1 job: 0 done, 1 kept*' \
    batch --manifest out/manifest.jsonl --out out --resume
rm -rf out named.txt

# Each option that changes results is in the books, in a form that is read again.
printf '1 0 2\n1 2 1\n' > weighted.txt
for option in --directed --undirected --multigraph --weights '--vertices=9' '--format=edges' \
    '--mod=7' '--mod=5' --float '--float --method=dense' --non-backtracking --markov '--from=0' \
    '--from=1' '--from=0 --from=1' '--to=0' '--pair 0 2' '--pair 2 0' --total '--total --each' \
    '--total --up-to' --sums --closed --trace '--top=3' '--katz=0.1' '--katz=0.125' \
    --subgraph-centrality '--as=npy' '--as=tsv.zst' '--closed --as=json'; do
    # shellcheck disable=SC2086 # words
    run batch weighted.txt --length 4 $option --out out
    grep -o '"options": .*"version"' out/manifest.jsonl >> options
    check "$option, from the books" 0 '' '1 job: 0 done, 1 kept, *' \
        batch --manifest out/manifest.jsonl --resume --out out
    rm -rf out
done
is 'each in its own way' '31 31' "$(echo $(wc -l < options) $(sort -u options | wc -l))"
rm -f options weighted.txt

# bad_line STATUS STDERR LINE
bad_line()
{
    printf '\n%s\n' "$3" > list
    refuses "the line $3" "$1" "$2" batch --manifest list --length 5 --out out
}

bad_line 65 'pathcount: list:2: no JSON object: *' '{"input": "a'
bad_line 2 'pathcount batch: list:2: *cannot be read from standard input*' '{"input": "a", "options": ["--pairs", "-"]}'
printf '{"input": "a"}\n' > list
refuses 'a line without a length' 2 'pathcount batch: list:1: how long are the paths*' \
    batch --manifest list --out out
bad_line 65 'pathcount: list:2: no JSON object: *' '{"input": "a", "input": "b"}'
bad_line 65 'pathcount: list:2: unknown key "optoins": *' '{"input": "a", "optoins": []}'
bad_line 65 'pathcount: list:2: "input" must *' '{"options": []}'
bad_line 65 'pathcount: list:2: "options" must *' '{"input": "a", "options": "--directed"}'
bad_line 65 'pathcount: list:2: "options" must *' '{"input": "a", "options": [3]}'
bad_line 65 'pathcount: list:2: "name" must *' '{"input": "a", "name": 3}'
bad_line 65 'pathcount: list:2: standard input cannot *' -
bad_line 65 'pathcount: list:2: the path is empty' '{"input": ""}'
bad_line 2 "pathcount batch: list:2: there is no option '--directd'; did you mean --directed?" \
    '{"input": "a", "options": ["--directd"]}'
bad_line 2 "pathcount batch: list:2: --length must be an integer from *, not 'x'" \
    '{"input": "a", "options": ["--length", "x"]}'
bad_line 2 'pathcount batch: list:2: --out is no option of a single dataset*' \
    '{"input": "a", "options": ["--out=b"]}'
bad_line 2 'pathcount batch: list:2: --threads is no option of a single dataset*' \
    '{"input": "a", "options": ["--threads=2"]}'
bad_line 2 'pathcount batch: list:2: --total and --sums exclude each other: give one of them' \
    '{"input": "a", "options": ["--total", "--sums"]}'
bad_line 2 'pathcount batch: list:2: --as npy is for a matrix*' \
    '{"input": "a", "options": ["--total", "--as=npy"]}'
bad_line 2 "pathcount batch: list:2: among options there can be no path: 'b'" \
    '{"input": "a", "options": ["b"]}'
mkdir -p deep
cp list deep/list
refuses 'a line in another folder' 2 'pathcount batch: deep/list:2: among options *' \
    batch --manifest deep/list --length 5 --out out
printf 'a\nb\0c\n' > list
refuses 'no text' 65 'pathcount: list:2: a zero byte*' batch --manifest list --length 5 --out out
head -c 2000000 /dev/zero | tr '\0' x > list
refuses 'a line without end' 65 'pathcount: list:1: longer than *' \
    batch --manifest list --length 5 --out out
refuses 'no such manifest' 66 "pathcount: cannot open 'none'*" \
    batch --manifest none --length 5 --out out
refuses 'an empty manifest' 66 'pathcount: there is no dataset*' \
    batch --manifest /dev/null --length 5 --out out
rm -rf list deep

# ---- The command line ----------------------------------------------------------------------------

refuses 'batch of nothing' 2 'pathcount batch: which datasets[?] For example: *' batch
refuses 'no folder for the results of a manifest' 2 'pathcount batch: where do * batch --manifest jobs.jsonl *' \
    batch --manifest none.jsonl -k 3
refuses 'no folder for results' 2 'pathcount batch: where do the results go[?] For example: pathcount batch data *' \
    batch data --length 1
refuses 'batch without a length' 2 'pathcount batch: how long are the paths[?] For example: pathcount batch data *' \
    batch data --out out
refuses 'two questions' 2 'pathcount batch: --total and --closed exclude each other*' \
    batch data --length 1 --total --closed --out out
refuses 'output of one count' 2 'pathcount batch: *--out DIR instead*' batch data -k 1 --out out -o x.tsv
refuses 'JSON of one count' 2 'pathcount batch: *--as json instead*' batch data -k 1 --out out --json
refuses 'a plan of many' 2 'pathcount batch: --explain is for one graph*' \
    batch data -k 1 --out out --explain
refuses 'an unknown format' 2 "pathcount batch: --as must be *, not 'xls'*" \
    batch data -k 1 --out out --as xls
for seconds in 0 -1 x '' inf nan 1e999 3s; do
    refuses "timeout '$seconds'" 2 "pathcount batch: --timeout must be *, not '$seconds'*" \
        batch data -k 1 --out out --timeout "$seconds"
done
refuses 'no jobs at a time' 2 'pathcount batch: --jobs must be an integer from 1 to *' \
    batch data -k 1 --out out --jobs 0
refuses 'standard input among datasets' 2 'pathcount batch: standard input is a stream *only PATH*' \
    batch data - -k 1 --out out
refuses 'vertices from standard input' 2 'pathcount batch: *cannot be read from standard input*' \
    batch data -k 1 --from @- --out out
refuses 'a stream into a folder' 2 'pathcount batch: standard input is a stream *without --out*' \
    batch - -k 1 --total --out out
refuses 'a matrix of each graph of a stream' 2 'pathcount batch: a stream *--total, --closed or both*' \
    batch - -k 1
refuses 'results without a folder' 2 'pathcount batch: --out must name a folder*' batch data -k 3 --out ''
for option in --timeout=3 --jobs=2 --retry=2 --as=json --report; do
    refuses "a stream with $option" 2 "pathcount batch: ${option%=*} * not for a stream*" \
        batch one.g6 -k 3 --total $option
done
refuses 'a stream that resumes' 2 'pathcount batch: --resume is not for a stream*' \
    batch - -k 1 --total --resume
refuses 'a path that is not there' 66 "pathcount: cannot open 'none.txt'*" \
    batch none.txt -k 1 --out out
mkdir data/none
check 'a folder with other things' 0 '' 'mixed/: 1 folder in it not looked into
mixed/: 2 skipped, not called like a graph file: *, ...
1 job: 1 done*' batch "$(mkdir -p mixed/sub; echo '0 1' > mixed/g.txt; touch mixed/a.doc mixed/b.doc; echo mixed/)" \
    -k 1 --out mixed-out
rm -rf mixed mixed-out
refuses 'a folder without graphs' 66 "pathcount: 'data/none' holds no file that is called like*" \
    batch data/none -k 1 --out out
ln -s nowhere data/link.txt
check 'a link to nowhere' 1 '' '*2 jobs: 1 done, 1 failed*
  data/link.txt: *No such file*' batch data/link.txt data/edge.csv -k 1 --out out
is 'its line' 1 "$(lines out '"result": "link.mtx", "result_sha256": null, "exit": 66')"
rm -rf out data/link.txt
echo file > out
refuses 'a folder that is a file' 73 "pathcount: cannot create 'out/manifest.jsonl': Not a directory" \
    batch data/edge.csv -k 1 --out out
rm out
refuses 'a folder in no folder' 73 "pathcount: cannot create 'no/out': No such file*" \
    batch data/edge.csv -k 1 --out no/out
mkdir TU
echo '1, 2' > TU/TU_A.txt
printf '1\n1\n' > TU/TU_graph_indicator.txt
refuses 'a TUDataset into a folder' 2 "pathcount batch: 'TU' is a TUDataset*only PATH*" \
    batch TU -k 1 --total --out out
rm -r TU
printf 'C~\n' > one.g6
check 'a file of one graph in graph6' 0 '' '*1 job: 1 done*' batch one.g6 -k 3 --total --out out
is 'is a dataset like any other' 108 "$(cat out/one.tsv)" # K4: 4 * 3^3
rm -rf out one.g6
check 'quiet' 1 '' '  data/none.txt: *' batch --manifest - -k 1 -q --out out << 'END'
data/edge.csv
data/none.txt
END
rm -rf out

# A manifest that cannot be written ends the run, and the next one makes good what is missing.
(
    ulimit -f 1
    "$pathcount" batch data -k 2 --total --jobs 1 --out out > "$notes/stdout" 2> "$notes/stderr"
    echo $? > "$notes/status"
)
status=$(cat "$notes/status")
judge 'no room for the manifest' 74 '' "*pathcount: cannot write to 'out/manifest.jsonl': *"
check 'room again' 0 '' '*4 jobs: *, 0 failed, *' batch data -k 2 --total --out out --resume
run batch data -k 2 --total --out out --resume
if holds "$notes/stderr" '*4 jobs: 0 done, 4 kept*'; then pass; else fail 'room again' 'not all'; fi
rm -rf out
run batch data -k 2 --total --jobs 1 --out out
is 'files of a folder by name' 'edge star triangle worse' \
    "$(echo $(sed 's/.*"result": "\(.*\).tsv".*/\1/' out/manifest.jsonl))"
rm -rf out

# ---- Two runs on one folder ----------------------------------------------------------------------

# The first one waits for pairs that nobody writes.
mkfifo pairs
"$pathcount" batch data/edge.csv -k 1 --pairs pairs --out out > "$notes/first" 2>&1 &
first=$!
tries=0
while [ ! -e out/manifest.jsonl ] && [ $tries -lt 100 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
sleep 0.3
refuses 'a second run on one folder' 73 \
    "pathcount: another batch, process $first, is writing to 'out': *" \
    batch data/star.edges -k 1 --out out --resume
is 'it left the books alone' '' "$(cat out/manifest.jsonl)"
kill $first
wait $first
is 'a stopped run says so' 143 $?
if holds "$notes/first" '*1 left*--resume goes on'; then pass; else fail 'a stopped run' "$(cat "$notes/first")"; fi
check 'the folder is free again' 0 '' '*1 job: 1 done*' batch data/star.edges -k 1 --out out --resume
rm -rf data

# ---- Graphs in JSON ------------------------------------------------------------------------------

mkdir jsons
printf '{"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target": "b"}]}' > jsons/links.json
printf '[\n{"source": 1, "target": 2}]' > jsons/records.JSON
printf '{"name": "a package", "version": "1"}' > jsons/package.json
check 'a matrix in JSON' 0 '*' '*' jsons/links.json -k 1 -o jsons/matrix.json --certificate jsons/proof.json
run jsons/links.json -k 1 --total --json
cp "$notes/stdout" jsons/answer.json
check 'a graph in JSON is a dataset, a result is none' 0 '' '*4 skipped*2 jobs: 2 done*' \
    batch jsons -k 1 --total --out counted
is 'those of a graph' 'links.json records.JSON' \
    "$(echo $(sed 's/.*"input": "jsons.\([^"]*\)".*/\1/' counted/manifest.jsonl | sort))"
rm -rf jsons counted
folder_holds 'nothing left by batches' out pairs pairs.txt vertices.txt
