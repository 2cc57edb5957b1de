# Queries: less than the whole matrix. Expected numbers are entries of Hochberg's Figures 1.2 and 1.7
# (cases_answers.sh has both), sums of them, or worked out by hand for the arcs 0 > 1 > 2, 0 > 2.

hochberg=$graphs/hochberg.txt
echo 7 > "$notes/seven"
prints 'a pair' "$hochberg" --length 4 --pair C J < "$notes/seven"
prints 'a pair with =' --pair=C J "$hochberg" -k4 < "$notes/seven"
prints 'two pairs' "$hochberg" --length 4 --pair C J --pair F F << 'END'
from	to	paths
C	J	7
F	F	48
END
printf '# pairs\nC\tJ\nF,F\r\n\n G   A\n%% end\n' > pairs.txt
prints 'pairs of a file' "$hochberg" --length 4 --pairs pairs.txt --pair A B << 'END'
from	to	paths
C	J	7
F	F	48
G	A	6
A	B	14
END
prints 'each length' "$hochberg" --length 4 --pair C J --each << 'END'
length	from	to	paths
1	C	J	0
2	C	J	0
3	C	J	1
4	C	J	7
END
prints 'lengths added up' "$hochberg" --length 4 --pair C J --up-to << 'END'
8
END
prints 'from a vertex' "$hochberg" --length 4 --from C << 'END'
from	to	paths
C	A	12
C	B	22
C	C	27
C	D	16
C	E	6
C	F	23
C	G	9
C	H	13
C	I	8
C	J	7
END
prints 'total' "$hochberg" --length 4 --total << 'END'
1624
END
prints 'trace' "$hochberg" --length 4 --trace << 'END'
270
END
prints 'closed' "$hochberg" --length 4 --closed -q << 'END'
vertex	paths
A	12
B	30
C	27
D	23
E	10
F	48
G	35
H	34
I	26
J	25
END
prints 'the most' "$hochberg" --length 4 --top 5 << 'END'
from	to	paths
F	F	48
G	G	35
H	H	34
F	G	31
F	J	31
END

printf '0 1\n1 2\n0 2\n' > g.txt
printf '2\n1\n' > list.txt
prints 'to the vertices of a file' g.txt --directed -k 1 --to @list.txt << 'END'
from	to	paths
0	2	1
1	2	1
2	2	0
0	1	1
1	1	0
2	1	0
END
prints 'sums' g.txt --directed -k 2 --sums --each << 'END'
length	vertex	starting	ending
1	0	2	0
1	1	1	1
1	2	0	2
2	0	1	0
2	1	0	0
2	2	0	1
END
prints 'sums added up' g.txt --directed -k 2 --sums --up-to << 'END'
vertex	starting	ending
0	3	0
1	1	1
2	0	3
END
prints 'length 0' g.txt -k 0 --total << 'END'
3
END
prints 'no length at all' g.txt -k 0 --total --each << 'END'
length	paths
END
# A triangle: 2^k + 2 (-1)^k closed paths of length k, 3 2^k paths.
prints 'trace of each length' g.txt -k 4 --trace --each << 'END'
length	paths
1	0
2	6
3	6
4	18
END
prints 'wide' g.txt -k 100 --total << 'END'
3802951800684688204490109616128
END
prints 'a great total, modulo' g.txt -k 100000 --total --mod 3 << 'END'
0
END
printf '2 1\n1 0\n2 0\n' > back.txt
prints 'the most, directed' back.txt --directed -k 1 --top 2 -q << 'END'
from	to	paths
1	0	1
2	0	1
END
printf '%%%%MatrixMarket matrix coordinate pattern general\n0 0 0\n' > empty.mtx
prints 'no vertices' empty.mtx -k 3 --total << 'END'
0
END
prints 'no vertices, closed' empty.mtx -k 3 --closed << 'END'
vertex	paths
END
for method in auto dense sweep; do
    printf 'from\tto\tpaths\n' > "$notes/expected"
    run g.txt -k 64 -q --pairs /dev/null --method $method
    same "no pairs, --method $method" "$notes/stdout"
done
printf 'a,b\nb,c\n' > names.csv
check 'JSON' 0 '{
  "schema": 1,
  "version": "*",
  "command": "count",
  "graph": {"path": "names.csv", "format": "edge list", "directed": false, *"vertices": 3, "edges": 2, *
  "options": {"paths": "all", "arithmetic": "exact", "modulus": null, *
  "query": "pair",
  "length": "2",
  "each": false,
  "up_to": false,
  "relative_error": null,
  "answers": \[{"from": "a", "to": "c", "paths": "1"}]
}' 'names.csv: *' names.csv -k 2 --pair a c --json
check 'JSON of each' 0 '*"modulus": "2",*"each": true,
  "up_to": false,
  "relative_error": null,
  "answers": \[{"length": "1", "paths": "0"}, {"length": "2", "paths": "0"}]
}' '' names.csv -k 2 --total --each --mod 2 --json -q
check 'time' 0 '6' '*
query: * s' names.csv -k 2 --total --explain=all
"$pathcount" - -k 2 --total < names.csv > "$notes/stdout" 2> "$notes/stderr"
status=$?
judge 'graph from standard input' 0 6 'standard input: *'
printf 'a\n' | "$pathcount" names.csv -k 1 --from @- > "$notes/stdout" 2> "$notes/stderr"
status=$?
judge 'vertices from standard input' 0 "from*a	b	1*" 'names.csv: *'

# ---- Refused ---------------------------------------------------------------------------------------

refuses 'unknown second vertex' 65 "*
pathcount: g.txt has no vertex '9': *" g.txt -k 2 --pair 0 9
printf '0\n\n7\n' > list.txt
refuses 'unknown vertex of a file' 65 "*
pathcount: list.txt:3: g.txt has no vertex '7': *" g.txt -k 2 --to @list.txt
printf '0 1\n2\n' > pairs.txt
refuses 'a pair of one' 65 "*
pathcount: pairs.txt:2: '2' stands alone*" g.txt -k 2 --pairs pairs.txt
printf '0 1\n0\0001\n' > pairs.txt
refuses 'a NUL byte' 65 '*
pathcount: pairs.txt:2: *NUL*' g.txt -k 2 --pairs pairs.txt
refuses 'no such file' 66 '*
pathcount: none.txt: *' g.txt -k 2 --pairs none.txt
refuses 'half a pair before an option' 2 'pathcount: --pair takes two vertices*' g.txt --pair 0 --length 2
refuses 'each and up to' 2 'pathcount: --each and --up-to exclude*' g.txt -k 2 --total --each --up-to
refuses 'the largest of each row modulo' 2 '*--top-each has no meaning with --mod*' g.txt -k 2 --top-each 2 --mod 5
refuses 'the largest of each row added up' 2 '*--top-each is for one length*' g.txt -k 2 --top-each 2 --up-to
refuses 'the largest of each row in a batch' 2 '*--top-each is for one graph*' batch g.txt -k 2 --top-each 2 --out o
refuses 'a matrix of lengths added up is not squared' 2 '*are swept*' g.txt -k 2 --up-to --method dense
refuses 'top of each' 2 'pathcount: --top*--each*' g.txt -k 2 --top 3 --each
refuses 'top of none' 2 'pathcount: --top must be*' g.txt -k 2 --top 0
refuses 'both from standard input, pairs' 2 'pathcount: *both*standard input*' - -k 2 --pairs -
refuses 'too long' 69 '*
pathcount: *--mod*' g.txt -k 1000000000000 --total
refuses 'no memory' 69 '*
pathcount: the query needs * of memory*' "$graphs/lesmis.txt" -k 20 --closed --each --memory-limit 10K

# More pairs than there is room for at first.
for i in $(seq 34); do for j in 1 17 34; do printf '%s\t%s\n' "$i" $j; done; done > many.txt
run "$graphs/karate.txt" -k 2 -q --pairs many.txt
if [ $status -eq 0 ] && [ "$(wc -l < "$notes/stdout")" -eq 103 ] && grep -q "^34	34	17$" "$notes/stdout"; then pass
else fail 'many pairs' "$(wc -l < "$notes/stdout") lines"; fi
rm many.txt

# Rows of several hundred vertices have several pieces; the matrix is written another way.
"$pathcount" generate barabasi-albert --vertices 700 --edges-per-vertex 3 -o rows.txt -q
"$pathcount" rows.txt -k 25 -q -o rows.tsv > /dev/null
awk -F'\t' 'NR == 1 { for (c = 2; c <= NF; c++) label[c] = $c; print "from\tto\tpaths"; next }
    $1 % 10 == 0 { for (c = 2; c <= NF; c++) print $1 "\t" label[c] "\t" $c }' rows.tsv > "$notes/expected"
seq 0 10 699 > rows
for threads in 1 3; do
    run rows.txt -k 25 -q --from @rows --threads $threads
    same "rows with $threads threads" "$notes/stdout"
done
rm rows.txt rows.tsv rows

# ---- Any length -----------------------------------------------------------------------------------

printf 'a b\na c\nb d\nc d\nd e\nb e\n' > acyclic.txt
check 'all paths of a graph without cycles' 0 3 '*longest path: 3 arcs*' acyclic.txt --directed -k any --pair a e
check 'each length up to the longest' 0 'length	paths
1	6
2	5
3	2' '' acyclic.txt --directed --length any --total --each -q
check 'a matrix of paths of any length' 0 'from\\to  a  b  c  d  e
a        0  1  1  2  3
b        0  0  0  1  2
c        0  0  0  1  1
d        0  0  0  0  1
e        0  0  0  0  0' '' acyclic.txt --directed --length any -q
check 'any length modulo a number' 0 1 '' acyclic.txt --directed --length any --mod 4 --total -q
check 'a matrix of any length modulo a number' 0 'from\\to  a  b  c  d  e
a        0  1  1  0  1
b        0  0  0  1  0
c        0  0  0  1  1
d        0  0  0  0  1
e        0  0  0  0  0*' '' acyclic.txt --directed --length any --mod 2 --table -q
check 'any length by one pass' 0 '*' '*once, in topological order*' acyclic.txt --directed -k any --explain=all --table
check 'JSON of paths of any length' 0 '*"length": "3",*"up_to": true,*{"paths": "13"}*' '' \
    acyclic.txt --directed --length any --total -q --json
check 'Katz centrality to the end' 0 '*e	2*' '*longest path: 3 arcs*' acyclic.txt --directed -k any --katz 0.5
printf 'a b\nb c\nc b\n' > cyclic.txt
refuses 'any length in a graph with a cycle' 65 '*pathcount: the arcs [bc] -> [bc] -> [bc] lead*count paths of one length*' \
    cyclic.txt --directed --length any
refuses 'any length of an undirected graph' 65 '*undirected*--directed*' acyclic.txt --length any
refuses 'the largest counts of any length' 2 '*--top is for one length*' acyclic.txt --directed -k any --top 2
awk 'BEGIN { for (v = 0; v < 3000; v++) for (s = 1; s < 4; s++) print v, v + s }' > steps.txt
refuses 'sums of each length, more than memory holds' 69 '*would be about [0-9]* MB of text*--total*' \
    steps.txt --directed --length any --each --sums --memory-limit 200M -q

# Hours: it is told before they begin, and before all lengths up to a very long one are bounded.
for question in 'steps.txt --directed --length 3000 --each --trace' 'lesmis.txt --undirected --length 100000000000 -o lesmis.npy'; do
    cp "$graphs/lesmis.txt" .
    : > "$notes/stderr" # of the question before
    # shellcheck disable=SC2086 # options are words
    "$pathcount" $question > "$notes/stdout" 2> "$notes/stderr" &
    long=$!
    if await 120 grep -q 'predicted time: .*[0-9] [a-z]* .*smaller question' "$notes/stderr"; then pass
    else fail 'a note of a long time' "it is not there: $question"; fi
    kill -TERM "$long" 2> /dev/null
    wait "$long" 2> /dev/null
done

refuses 'any length in a batch' 2 "*--length must be an integer*not 'any'*" batch acyclic.txt -k any --out any
