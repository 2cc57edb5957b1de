# batch --report: one page, whatever datasets are called, that needs nothing else.

mkdir data
printf 'a b\nb c\n' > 'data/<script>alert("1")&'"'"'.txt'
printf '0 1\n1 2\n2 3\n3 0\n0 2\n' > data/five.txt
printf '0 1 2 3 4\n' > data/wrong.txt
check 'a report' 1 '' '*3 jobs: *' batch data -k 3 --out out --report
page=out/report.html
if [ -s $page ] && [ "$(head -n 1 $page)" = '<!DOCTYPE html>' ] &&
    [ "$(tail -n 1 $page)" = '</html>' ]; then pass; else fail 'a report' 'is not whole'; fi
if holds $page '*Failed (1)*data/wrong.txt*more than*Results (2)*data/five.txt*'; then pass
else fail 'failures first' 'wrong'; fi
if holds $page '*data/five.txt*>4</td>*>5</td>*href="five.mtx"*'; then pass
else fail 'numbers of a dataset' 'wrong'; fi

# A name is text, and an address is one too.
if [ "$(grep -c '<script' $page)" -eq 1 ] && grep -qx '<script>' $page; then pass
else fail 'a name of a dataset' 'is code'; fi
if holds $page '*<bdi>data/&lt;script&gt;alert(&quot;1&quot;)&amp;&#39;.txt</bdi>*'; then pass
else fail 'a name of a dataset' 'is not shown'; fi
if holds $page '*href="%3Cscript%3Ealert%28%221%22%29%26%27.mtx"*'; then pass
else fail 'a name of a result' 'is no address'; fi
# Nothing comes from elsewhere.
if grep -q '<link\|<iframe\|@import\|url(\|src="[^d]\|http' $page; then
    fail 'a report' 'needs something else'
else
    pass
fi

picture=$(sed -n 's/.*"result": "five.mtx".*"picture": "\([^"]*\)".*/\1/p' out/manifest.jsonl)
if [ -n "$picture" ]; then
    if grep -q "base64,$(base64 -w 0 "out/$picture")\"" $page; then pass
    else fail 'picture in the report' 'is another'; fi
    # Edited by somebody: only what lies in the folder itself gets into the page.
    { cat "out/$picture" && echo more; } > secret
    sed -i "s|\"picture\": \"$picture\"|\"picture\": \"../secret\"|" out/manifest.jsonl
    run batch data -k 3 --out out --report --resume
    if grep -q "$(base64 -w 0 secret)" $page; then fail 'another file' 'is in the report'
    else pass; fi
    rm -f secret
    # A result whose picture is gone is made again, and no other.
    rm -f "out/$picture"
    run batch data -k 3 --out out --report --resume
    if [ -s "out/$picture" ] && [ "$(grep -c '"exit": 0' out/manifest.jsonl)" -eq 3 ]; then pass
    else fail 'a picture that was lost' 'is not made again'; fi
else
    skip 'pictures in the report' 'built without cairo'
fi

# Written anew by a run that goes on: what was mended is no failure any more.
printf '0 1\n' > data/wrong.txt
check 'a report again' 0 '' '*' batch data -k 3 --out out --report --resume
if holds $page '*3 done*Results (3)*' && ! grep -q 'Failed (' $page; then pass
else fail 'a report again' 'wrong'; fi
if [ -z "$(find out -name '.pathcount-*')" ]; then pass; else fail 'a report' 'leaves files'; fi

# Jobs with options of their own say which.
printf '{"input": "data/five.txt", "options": ["--directed"]}\ndata/wrong.txt\n' > jobs.jsonl
check 'a report of several options' 0 '' '*2 jobs: *' batch --manifest jobs.jsonl -k 3 --out own --report
if holds own/report.html '*data/five.txt</bdi><br><code class="quiet">--length=3 --directed --as=mtx</code>*'
then pass; else fail 'options of a job' 'are not shown'; fi

# What somebody wrote into the manifest is text: no control characters, and nothing of another type.
edited()
{
    sed -i "s|$1|$2|" own/manifest.jsonl
    run batch --manifest jobs.jsonl -k 3 --out own --report --resume
    if [ "$status" -ne 0 ] || ! grep -q '2 kept' "$notes/stderr"; then fail "$1" 'is not kept'; fi
}
edited '"engine": "cpu"' '"engine": "c\\u001b[31m\\u007f\\u0085\\u00a9\\tp\\nu\\u001f"'
if [ "$(grep -c 'c&#65533;\[31m&#65533;&#65533;'"$(printf '\302\251\tp')" own/report.html)" -eq 2 ]; then pass
else fail 'control characters of a manifest' 'are in the page'; fi
edited '"method": "[a-z]*"' '"method": ""'
edited '"vertices": 4' '"vertices": "<b>"'
edited '"bits": [0-9]*' '"bits": null'
edited '"seconds": {"read": [0-9.e-]*, ' '"seconds": {"read": [], '
edited '"total": [0-9.e-]*}' '"total": "1"}'
edited '"peak_memory_bytes": ' '"peak_memory_bytes": -'
if holds own/report.html '*</th><td class="number"></td>*' &&
    holds own/report.html '*<td class="number"></td><td class="text">*title="bound *></td><td class="number"></td>*' &&
    ! grep -q '<b>' own/report.html; then pass
else fail 'values of other types' 'are shown'; fi
edited '"input": "data/five.txt"' '"input": ""'
if holds own/report.html '*<th scope="row"><bdi>five.mtx</bdi>*'; then pass
else fail 'a line without its dataset' 'is not called by its result'; fi
picture=$(sed -n '1s/.*"picture": "\([^"]*\)".*/\1/p' own/manifest.jsonl)
if [ -n "$picture" ]; then
    { cat "own/$picture"; head -c 1100000 /dev/zero; } > big && cp big "own/$picture"
    edited none none
    if holds own/report.html "*<a href=\"$picture\">picture</a>*"; then pass
    else fail 'a large picture' 'has no link'; fi
    echo 'no picture at all' > "own/$picture"
    edited none none
    if holds own/report.html '*<td class="picture"></td>*'; then pass
    else fail 'a picture that is none' 'is shown'; fi
    rm "own/$picture" && mkfifo "own/$picture"
    edited none none
    if holds own/report.html '*<td class="picture"></td>*'; then pass
    else fail 'a pipe for a picture' 'is shown'; fi
fi
if command -v node > /dev/null; then
    sed '1,/^<script>/d;/^<\/script>/,$d' own/report.html > script.js
    cat >> script.js << 'END'
var texts = ["", "0", "1.5e-300", "0.05", "2.5e-01", "0.5", "9", "12", "1.5e+300"];
var sizes = texts.map(function (text) {
  return value({cells: [{dataset: {}, textContent: text}]}, {cellIndex: 0, className: "number"});
});
console.log(texts.filter(function (text, i) { return i === 0 || sizes[i] > sizes[i - 1]; }).join(" "));
END
    is 'numbers are sorted by their size' ' 0 1.5e-300 0.05 2.5e-01 0.5 9 12 1.5e+300' \
        "$( (echo 'var document = {querySelectorAll: function () { return []; }};' && cat script.js) | node -)"
    rm script.js
fi
rm -rf own big jobs.jsonl
# The lines of the manifest and the page have all paths, and the largest count. A path of three vertices has
# 12 of length 4 by hand: 2 from end to end and back in each of the four ways, and 4 from the middle.
printf '0 1\n1 2\n' > data/wrong.txt
run batch data/wrong.txt -k 4 --out few --report
if holds few/manifest.jsonl '*"total_paths": "12", "largest_count": "4"*' &&
    holds few/report.html '*data-value="12" title="12">12</td><td class="number" data-value="4"*'
then pass; else fail 'all paths and the largest count' 'are not there'; fi
run batch data/wrong.txt -k 2000 --out many --report
# 3 * 2^1000 has 302 digits and begins with 3214525...
if holds many/manifest.jsonl '*"total_paths": "3.21452582155880e+301"*' &&
    holds many/report.html '*data-value="3.21452582155880e+301"*>3.21452e+301</td>*'; then pass
else fail 'a total of 302 digits' 'is not shortened'; fi
run batch data/wrong.txt -k 4 --total --each --out each --report
if holds each/manifest.jsonl '*"total_paths": "12", "largest_count": null*' &&
    ! grep -q 'largest count</th>' each/report.html; then pass
else fail 'the total of the longest length' 'is not kept'; fi
run batch data/wrong.txt -k 4 --mod 5 --out modulo
if holds modulo/manifest.jsonl '*"total_paths": "2", "largest_count": null*'; then pass
else fail 'a total modulo 5' 'is wrong'; fi
rm -rf few many each modulo
# Totals show how they grow; residues have no size to show.
run batch data -k 3 --total --out totals --report
run batch data -k 3 --mod 7 --out residues --report
run batch data -k 3 --sums --out sums --report
if [ -z "$(find residues sums -name '*.png')" ] && { [ -z "$picture" ] || [ -s totals/five.tsv.png ]; }; then pass
else fail 'pictures of totals, residues and sums' "$(find totals residues sums -name '*.png')"; fi
rm -rf totals residues sums
run batch data -k 3 --out plain
if [ ! -e plain/report.html ]; then pass; else fail 'no report' 'there is one'; fi
rm -rf data out plain
