# `pathcount verify DIR` with manifests that were edited or torn.

mkdir sets
printf 'a b\nb c\n' > sets/path.txt
run batch sets -k 3 --out out -q
cp out/manifest.jsonl whole.jsonl

: > out/manifest.jsonl
refuses 'a manifest without lines' 65 'pathcount: out/manifest.jsonl: there is no job' verify out
echo '{}' > out/manifest.jsonl
refuses 'a manifest of nothing' 65 'pathcount: out/manifest.jsonl:1: this is no line of a job*' verify out
printf 'no JSON\n[1]\n{"result": 3}\n' > out/manifest.jsonl
refuses 'a manifest of other things' 65 'pathcount: out/manifest.jsonl:1: this is no line of a job*' verify out
for damaged in '{"input": "torn' '[1]' '' '{"result": 3}' "$(sed 's/"exit"/"input": "x", "exit"/' whole.jsonl)"; do
    { cat whole.jsonl; echo "$damaged"; cat whole.jsonl; } > out/manifest.jsonl
    refuses "a damaged line in the middle: $damaged" 65 \
        'pathcount: out/manifest.jsonl:2: this is no line of a job*damaged*' verify out
done
{ cat whole.jsonl; echo '{"input": "torn'; } > out/manifest.jsonl
refuses 'a damaged line at the end that has an end' 65 'pathcount: out/manifest.jsonl:2: this is no line*' verify out
{ cat whole.jsonl; printf '{"input": "torn'; } > out/manifest.jsonl
check 'a manifest with a torn line' 0 'out/path.mtx: certified*' '' verify out
{ cat whole.jsonl; echo '{"input": "sets/other.txt", "exit": 65, "result": null}'; } > out/manifest.jsonl
check 'a job without a result' 1 'out/path.mtx: certified*' \
    'pathcount: sets/other.txt: has no result: its job failed' verify out
sed 's/"exit": 0/"exit": "0"/' whole.jsonl > out/manifest.jsonl
refuses 'an exit status that is a text' 1 'pathcount: *: has no result: its job failed' verify out
sed 's/"options": \[/"options": [5, null, /' whole.jsonl > out/manifest.jsonl
check 'options that are no texts' 0 'out/path.mtx: certified*' '' verify out
sed 's/"result_sha256": "[0-9a-f]*"/"result_sha256": null/' whole.jsonl > out/manifest.jsonl
refuses 'a result without a digest' 65 'pathcount: out/path.mtx: is not the result of its job*' verify out
cp whole.jsonl out/manifest.jsonl
rm out/path.mtx
refuses 'a result that is gone' 65 'pathcount: out/path.mtx: *cannot be read*' verify out
rm sets/path.txt
refuses 'a dataset that is gone' 65 'pathcount: sets/path.txt: *cannot be read*' verify out
rm -rf sets out whole.jsonl
