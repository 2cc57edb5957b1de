# pathcount spc: published weights, main paths, files and JSON; bad input is refused.

# Hummon, Doreian: Connectivity in a citation network (Social Networks 11, 1989), figure 3: papers about DNA. Their SPLC
# are on page 50; SPC and SPNP follow by the definitions of Batagelj (2003, section 3).
printf '%s\n' '3 5' '3 21' '5 12' '12 15' '12 20' '15 22' '20 21' '20 22' '21 22' > dna.txt
weights_of()
{
    run spc dna.txt --directed -q --kind $1
    is "$1 of papers about DNA" "$2" "$(cut -f 3 "$notes/stdout" | tr '\n' ' ')"
}
weights_of spc 'weight 3 1 3 1 2 1 1 1 2 '
weights_of splc 'weight 3 1 6 3 6 4 4 4 6 '
weights_of spnp 'weight 8 2 14 6 12 4 8 4 6 '

# The network of Wikipedia's "Main path analysis": B-D has 5 search paths, and is on the main path.
printf '%s\n' 'A C' 'B C' 'B D' 'C H' 'D F' 'D I' 'F H' 'F I' 'H K' 'I L' 'I M' 'M N' > cited.txt
check 'a main path' 0 'from	to	weight
B	D	5
D	F	3
F	I	2
I	M	2
M	N	2' 'cited.txt: edge list, directed: 11 vertices, 12 arcs
spc: 7 paths' spc cited.txt --directed --main-path
check 'a local search' 0 'from	to	weight
B	D	5
D	F	3
F	I	2
I	L	2' '*' spc cited.txt --directed --local-path

run spc cited.txt --directed -q
cp "$notes/stdout" "$notes/expected"
check 'JSON beside a file' 0 '*"total": "7",*
  "answers": \[\]
}' '' spc cited.txt --directed -q -o weights.tsv --json
same 'the same in a file' weights.tsv
check 'weights that are read again' 0 26 '' weights.tsv --directed --weights -k 1 --total -q

# 3^1000 paths, of which each arc has all; parallel arcs, weights of 0, and no arcs.
awk 'BEGIN { for (i = 0; i < 1000; i++) { print "v" i, "v" i + 1, 3 } }' > wide.txt
run wide.txt --directed --weights --length any --pair v0 v1000 -q
printf 'weight\n%s\n' "$(cat "$notes/stdout")" > "$notes/expected"
run spc wide.txt --directed --weights -q --main-path
cut -f 3 "$notes/stdout" | uniq > found
same 'counts of 1585 bits' found
printf 'a b 2\nb c 0\na b 1\n' > parallel.txt
check 'parallel arcs, and none' 0 'from	to	weight
a	b	3' '' spc parallel.txt --directed --weights --multigraph -q
printf '%%%%MatrixMarket matrix coordinate pattern general\n1 1 0\n' > alone.mtx
check 'one vertex' 0 'from	to	weight' '*spc: 0 paths' spc alone.mtx --main-path

refuses 'no graph' 2 '*which graph?*' spc
refuses 'an undirected graph' 65 '*(--directed)*' spc cited.txt
printf 'a b\nb c\nc b\n' > circle.txt
refuses 'a cycle' 65 '*the arcs c -> b -> c lead round in a circle, *remove an arc*' spc circle.txt --directed
printf 'a b\nb b\n' > loop.txt
refuses 'a loop' 65 '*the arcs b -> b lead*' spc loop.txt --directed
refuses 'another kind' 2 '*--kind must be spc, splc or spnp*' spc cited.txt --kind spl
refuses 'a packed file' 2 '*must end in .tsv or .txt*' spc cited.txt --directed -o weights.tsv.gz
refuses 'a folder that is not there' 73 '*none/w.tsv*' spc cited.txt --directed -o none/w.tsv

# Events: a walk of spc begins with an event that could follow none, and ends with one that none could follow.
printf 'u,v,when\na,b,10\nb,c,20\nb,c,20\nb,c,30\nc,d,30\nc,a,50\na,b,60\nd,a,10\na,a,15\n' > events.csv
check 'events' 0 'from	to	time	weight
a	a	15	1
a	b	10	3
a	b	60	4
b	c	20	2
b	c	30	1
c	a	50	2
c	d	30	1
d	a	10	2' 'events.csv: * 8 arcs*
spc: 5 paths' spc events.csv --time-column when
check 'a wait, and JSON' 0 '*"query": "main-path"*"kind": "spc",*"total": "4"*"answers": \[{"from": "a", "to": "b", "time": "10", "weight": "1"}, *{"from": "c", "to": "d", "time": "30", "weight": "1"}\]*' \
    '' spc events.csv --time-column when --wait 10 --main-path --json -q
run spc events.csv --time-column 3 --kind spnp -q
cp "$notes/stdout" "$notes/expected"
run spc events.csv --time-column 3 --kind spnp -o walks.tsv -q
same 'events in a file' walks.tsv
check 'a local search' 0 'from	to	time	weight
a	b	10	8
b	c	20	8
c	a	50	10
a	b	60	9' '' spc events.csv --time-column when --kind spnp --local-path -q
printf '"1\t2";b;1\nb;c;2.5\n' > quoted.csv
check 'a label with a tab' 0 'from	to	time	weight
1\\x092	b	1	1
b	c	2.5	1' '' spc quoted.csv --time-column 3 -q
printf '1 2 noon\n' > dates.txt
refuses 'no time' 65 "*dates.txt: 'noon' is no time*" spc dates.txt --time-column 3
refuses 'a wait without times' 2 '*add --time-column*' spc events.csv --wait 2
refuses 'a column that is not there' 65 "*no column is named 'then'*" spc events.csv --time-column then
