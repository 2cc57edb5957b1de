# What --json prints is as src/cli/texts/pathcount.schema.json says, for each command and question; and what
# is changed in any of several ways is not.

schema=$here/../../src/cli/texts/pathcount.schema.json
printf 'a b 3\nb c 2\nc a 1\na a 1\n' > g.txt
printf '0 1\n' > two.txt
printf '%%%%MatrixMarket matrix coordinate pattern general\n0 0 0\n' > none.mtx
printf 'a b\nb c\n' > pairs.txt
printf 'a x\nb x\nc y\n' > blocks.txt
cp "$graphs/writes.txt" "$graphs/published.txt" "$graphs/lesmis.txt" .
mkdir json

# printed ARGUMENT...: keeps what the command prints.
n_printed=0
printed()
{
    n_printed=$((n_printed + 1))
    run "$@" --json < /dev/null
    if [ "$status" -eq 0 ]; then pass; else fail "JSON: $*" "exit code $status"; fi
    cp "$notes/stdout" "json/$(printf %02d $n_printed).json"
    echo "$*" > "json/$(printf %02d $n_printed).txt"
}
for question in '' '--from a' '--to b --up-to' '--pair a c' '--pairs pairs.txt' '--total' '--total --each' \
    '--sums' '--closed' '--trace' '--top 3' '--katz 0.1' '--katz 2' '--subgraph-centrality'; do
    # shellcheck disable=SC2086 # options are words
    printed g.txt -k 3 -q $question
done
for kind in --markov --non-backtracking '--mod 7' --float '--directed --weights' --multigraph '--certify 0'; do
    # shellcheck disable=SC2086
    printed g.txt -k 4 -q $kind
    # shellcheck disable=SC2086
    printed g.txt -k 4 -q $kind --total --each
done
printed lesmis.txt -k 8 -q --weights -o out.mtx
printed lesmis.txt -k 300 -q --float
printed none.mtx -k 3 -q
printed none.mtx -k 3 -q --sums
printed two.txt -k 3 -q --vertices 4 --directed
printed g.txt --shortest -q
printed g.txt --shortest -q --pair a c
printed g.txt --time-column 3 -k any -q --total
printed g.txt --time-column 3 --wait 1 -k 2 -q --sums
printed g.txt -k 3 -q --simple --total
printed g.txt -k 3 -q --cycles --summary
printed coarsen g.txt -k 3 -q --blocks blocks.txt
printed coarsen g.txt -k 3 -q --blocks 2 --mean
printed coarsen g.txt -k 3 -q --blocks 2 --mod 5
printed chain writes.txt published.txt -q
printed chain writes.txt writes.txt^T -q --pathsim
printed chain writes.txt writes.txt^T -q --simple --damping 0.5
printed chain writes.txt writes.txt^T -q --power 3
printed recurrence g.txt -q --total
printed recurrence g.txt -q --pair a c --mod 7 --length 1000000000000
printed recurrence none.mtx -q --trace
printed recurrence g.txt -q --total --growth
printf 'a b\nb c\n' > cited.txt
printed spc cited.txt -q --directed
printed spc cited.txt -q --directed --main-path -o out.tsv
printf 'a b 1\nb c 2\n' > events.txt
printed spc events.txt -q --time-column 3 --main-path
printed devices
run batch g.txt -k 3 -q --total --as json --out results
cp results/g.json json/batch.json
echo 'batch' > json/batch.txt

cat > validate.py << 'END'
import copy, glob, json, sys
from jsonschema import Draft202012Validator
with open(sys.argv[1]) as file:
    schema = json.load(file)
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
def report(name, sentence):
    print(f"{open(name[:-4] + 'txt').read().strip()}: {sentence}")
def changes(whole):
    for member in whole:
        if member not in ("matrix", "labels", "row_labels", "column_labels", "blocks"):
            less = copy.deepcopy(whole)
            del less[member]
            yield f"{member} left out", less
    yield "another member", dict(whole, another=1)
    yield "another schema", dict(whole, schema=2)
    yield "another command", dict(whole, command="generate")
    for member in ("length", "total_paths", "largest_row_sum"):
        if member in whole:
            yield f"{member} as a number", dict(whole, **{member: 3})
for name in sorted(glob.glob("json/*.json")):
    with open(name) as file:
        whole = json.load(file)
    for error in validator.iter_errors(whole):
        why = min(error.context or [error], key=lambda e: (len(list(e.path)) == 0, e.validator == "const"))
        report(name, f"{list(why.path)}: {why.message[:200]}")
    for what, changed in changes(whole):
        if validator.is_valid(changed):
            report(name, f"accepted with {what}")
END
if python3 -c 'from jsonschema import Draft202012Validator' 2> "$notes/stderr"; then
    is 'all JSON is as the schema says' '' "$(python3 validate.py "$schema" 2>&1)"
else
    skip 'JSON against its schema' 'python3-jsonschema is not installed'
fi
# Without Python: the members that every object has, and the number of the schema.
for file in json/*.json; do
    head -n 4 "$file" | tr -d '\n' > head
    holds head '{*"schema": 1,*"version": "*",*"command": "*"*' && pass || fail 'head of JSON' "$(cat head)"
done
