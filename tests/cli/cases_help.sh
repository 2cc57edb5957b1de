# Every example of every help and of the man page runs, on small files of the names that they use;
# each group of options has one; nothing is wider than a terminal; and the man page has every option.

commands='count coarsen chain batch generate convert devices verify spc'
manual=$(dirname "$pathcount")/pathcount.1

for command in $commands; do
    check "help of $command" 0 'Usage: pathcount*Exit status:*' '' $command --help
    wide=$(grep '.\{80\}' "$notes/stdout")
    if [ -n "$wide" ]; then fail "help of $command in 80 columns" "$wide"; else pass; fi
    bare=$(grep '^ [A-Za-z]' "$notes/stdout" | grep -v '^ [A-Z].* (\(mpirun pathcount-mpi\|pathcount\) .*):$')
    if [ -n "$bare" ]; then fail "groups of $command have examples" "$bare"; else pass; fi
    lacking=$(sed -n 's/^ \{6\}\(--[a-z-]*\).*/\1/p; s/^  -[a-zA-Z], \(--[a-z-]*\).*/\1/p' "$notes/stdout" |
        while read -r option; do
            grep -q "^\.B.*$(echo "$option" | sed 's/-/[\\]-/g')\(=\|\$\)" "$manual" || echo "$option"
        done)
    if [ -n "$lacking" ]; then fail "options of $command in the man page" $lacking; else pass; fi
    sed -n 's/^ [A-Z].*(\(pathcount .*\)):$/\1/p; /^Examples:/,/^$/s/^  \([^ ].*\)/\1/p' \
        "$notes/stdout" >> "$notes/lines"
done

check 'help by one letter' 0 'Usage: pathcount *' '' -h
check 'usage' 0 'Usage: pathcount *\[--length=K\]*' '' --usage
check 'version' 0 'pathcount [0-9]*.[0-9]*.[0-9]*' '' --version

# Each name that --format and --as take is in the help and in the man page.
named()
{
    for name in ${names:-none}; do
        if grep -qw "$name" "$notes/stdout" && sed 's/\\-/-/g' "$manual" | grep -q "^\.BR\? .*\<$name\>"; then
            pass
        else
            fail "format $name in the help and in the man page" 'not found'
        fi
    done
}
run graph.txt --length 1 --format '?'
names=$(sed -n 's/.*must be one of \(.*\), not.*/\1/p' "$notes/stderr" | tr -d ,)
run --help
named
run batch graph.txt --length 1 --out results --as '?'
names=$(sed -n 's/.*must be \(.*\), and .*/\1/p' "$notes/stderr" | sed 's/ or /, /' | tr -d ,)
run batch --help
named

# ---- Stand-ins for what a reader would have -------------------------------------------------------

mkdir -p stand/graphs stand/MUTAG stand/parts bin
cd stand
cp "$graphs/hochberg.txt" graph.txt
sed '/^#/!s/$/ 2/' graph.txt > graphs/one.txt
cp graphs/one.txt graphs/two.edges
cp "$graphs/writes.txt" "$graphs/published.txt" .
printf 'C\nJ\n' > people.txt
printf 'C J\nJ C\n' > pairs.txt
printf 'from,to,weight\n1,2,3\n2,3,1\n3,1,2\n' > arcs.csv
printf 'a b 10\nb c 20\nb c 30\nc d 40\n' > events.txt
printf 'from,to\nA,B\nA,C\nB,C\n' | tee citations.csv > citations.txt
printf 'u v A\nv v B\nv w C\nw u D\n' > labels.tsv
printf 'Home About\nAbout News\nNews Home\n' > links.txt
gzip -c graph.txt > graph.gz
awk '!/^[#%]/ { for (i = 1; i <= 2; i++) if (!seen[$i]++) print $i, NR % 2 ? "odd" : "even" }' \
    graph.txt > departments.txt
printf '0 1\n1 2\n' > a.txt
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n' > b.mtx
printf 'a.txt\n{"input": "b.mtx", "options": ["--directed"]}\n' > jobs.jsonl
printf '1, 2\n2, 1\n3, 4\n4, 3\n' > MUTAG/MUTAG_A.txt
printf '1\n1\n2\n2\n' > MUTAG/MUTAG_graph_indicator.txt
for made in '-o counts.tsv' '-o counts.tsv.gz' '-o c.tsv --certificate c.json'; do
    # shellcheck disable=SC2086 # options are words
    "$pathcount" graph.txt --length 8 -q $made > "$notes/made"
done
"$pathcount" graph.txt --length 8 --non-backtracking -q -o n.tsv > "$notes/made"
"$pathcount" graph.txt --length 8 --from C -q > c.txt
"$pathcount" graph.txt --length 99 --mod 7 -q -o residues.tsv > "$notes/made"
"$pathcount" arcs.csv --length 8 --directed -q -o arcs.tsv > "$notes/made"
"$pathcount" coarsen graph.txt --length 4 --blocks 2 -q -o blocks.tsv > "$notes/made"
"$pathcount" chain writes.txt published.txt -q -o venues.tsv > "$notes/made"
printf 'Bw\nCF\n' > graphs.g6
"$pathcount" batch graphs.g6 --length 8 --total -q > totals.txt
cd ..
printf '#!/bin/sh\nprintf "Bw\\nCF\\n"\n' > bin/geng # a triangle and a star of 4
chmod +x bin/geng

# example TEXT: its last command ends with 0 and something printed or written; or with 69 where a GPU
# is asked for or this build lacks a library. Measurements are shortened.
example()
{
    rm -rf fresh
    cp -r stand fresh
    case $1 in
    *--ladder*GPU*) text="$1 --device cuda" ;;
    *--ladder*) text="$1 --n 16 --rounds 1" ;;
    *--calibrate*) text="$1 --version" ;; # it takes seconds: that the options are known is enough
    *) text=$1 ;;
    esac
    (
        cd fresh &&
            PATH=$(dirname "$pathcount"):$work/bin:$PATH PATHCOUNT_CUDA_ENGINE=none \
                XDG_CACHE_HOME=$work/fresh sh -e -c "$text"
    ) > "$notes/stdout" 2> "$notes/stderr"
    status=$?
    case $status:$1 in
    69:*'--device cuda'* | 69:*--engine* | 69:*--ladder*GPU*) judge "$1" 69 '' '*CUDA*' ;;
    69:*--plot* | 69:*leiden* | 69:*famous*) judge "$1" 69 '' '*without*' ;;
    *)
        judge "$1" 0 '*' '*'
        if [ "$status" -eq 0 ] && [ ! -s "$notes/stdout" ] && [ "$(ls stand)" = "$(ls fresh)" ]; then
            fail "$1" 'prints and writes nothing'
        fi
        ;;
    esac
}

sort -u "$notes/lines" > "$notes/examples"
while IFS= read -r line; do
    example "$line" < /dev/null
done < "$notes/examples"
if [ "$(wc -l < "$notes/examples")" -lt 30 ]; then fail 'examples of the help' 'too few found'; fi

# ---- The man page: each block of an example is one script -----------------------------------------

block=
n_blocks=0
sed -n '/^\.SH EXAMPLES/,/^\.SH SEE/p' "$manual" |
    sed 's/\\-/-/g; s/\\(aq/'"'"'/g; s/\\(ha/^/g; s/\\e/\\/g' > "$notes/man"
while IFS= read -r line; do
    case $line in
    .EX) block= ;;
    .EE)
        n_blocks=$((n_blocks + 1))
        grep -qxF "$block" "$notes/examples" || example "$block" < /dev/null
        ;;
    *) block=${block:+$block
}$line ;;
    esac
done < "$notes/man"
if [ $n_blocks -lt 10 ]; then fail 'examples of the man page' 'too few found'; fi
for command in $commands; do
    [ $command = count ] && command=graph.txt # its name is left out
    if ! grep -q "pathcount $command" "$notes/man"; then
        fail "an example of $command in the man page" 'none'
    fi
done
rm -f "$notes/lines"
