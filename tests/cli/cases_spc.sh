# pathcount spc: weights of arcs, main paths, files and JSON; bad input is refused.

# The citation network of Wikipedia's "Main path analysis": B-D has 5 search paths, D-F as SPLC 6.
printf 'A C\nB C\nB D\nC H\nD F\nD I\nF H\nF I\nH K\nI L\nI M\nM N\n' > cited.txt
check 'search path counts' 0 'from	to	weight
A	C	1
C	H	2
B	C	1
B	D	5
D	F	3
D	I	2
H	K	3
F	H	1
F	I	2
I	L	2
I	M	2
M	N	2' 'cited.txt: edge list, directed: 11 vertices, 12 arcs
spc: 7 paths' spc cited.txt --directed
check 'its main path' 0 'from	to	weight
B	D	5
D	F	3
F	I	2
I	M	2
M	N	2' '*' spc cited.txt --directed --main-path
check 'paths from any vertex' 0 '*
D	F	6
*' '*splc: * paths' spc cited.txt --directed --kind splc
check 'a local search' 0 'from	to	weight
B	D	5
D	F	3
F	I	2
I	L	2' '*' spc cited.txt --directed --local-path

# The table in a file is an edge list.
run spc cited.txt --directed -q
cp "$notes/stdout" "$notes/expected"
run spc cited.txt --directed -q -o weights.tsv --json
same 'the same in a file' weights.tsv
holds "$notes/stdout" '*"total": "7",
  "relative_error": null,
  "answers": \[\]
}' && pass || fail 'JSON beside a file'
check 'weights that are read again' 0 26 '' weights.tsv --directed --weights -k 1 --total -q
check 'JSON' 0 '*"query": "main-path",*
  "kind": "spnp",
  "total": "3",
  "relative_error": null,
  "answers": \[{"from": "a", "to": "b", "weight": "2"}, {"from": "b", "to": "c", "weight": "2"}\]
}' '' spc - --directed --kind spnp --main-path --json -q << 'END'
a b
b c
END

# 2^70 paths; parallel arcs, weights of 0, and no arcs.
awk 'BEGIN { for (i = 0; i < 70; i++) { print i, i + 1, 2 } }' > wide.txt
check 'more than 64 bits' 0 '*
69	70	1180591620717411303424' '*spc: 1180591620717411303424 paths' spc wide.txt --directed --weights --no-header
printf 'a b 2\nb c 0\na b 1\n' > parallel.txt
check 'parallel arcs, and none' 0 'from	to	weight
a	b	3' '' spc parallel.txt --directed --weights --multigraph -q
printf '%%%%MatrixMarket matrix coordinate pattern general\n1 1 0\n' > alone.mtx
check 'one vertex' 0 'from	to	weight' '*spc: 0 paths' spc alone.mtx --main-path

refuses 'no graph' 2 '*which graph?*' spc
refuses 'an undirected graph' 65 '*(--directed)*' spc cited.txt
printf 'a b\nb c\nc b\n' > circle.txt
refuses 'a cycle' 65 '*the arcs c -> b -> c lead round in a circle, so paths of any length have no end; remove an arc*' spc circle.txt --directed
printf 'a b\nb b\n' > loop.txt
refuses 'a loop' 65 '*the arcs b -> b lead*' spc loop.txt --directed
refuses 'another kind' 2 '*--kind must be spc, splc or spnp*' spc cited.txt --kind spl
refuses 'a packed file' 2 '*must end in .tsv or .txt*' spc cited.txt --directed -o weights.tsv.gz
refuses 'the file that is read' 2 '*same file*' spc cited.txt --directed -o cited.txt
refuses 'a folder that is not there' 73 '*none/w.tsv*' spc cited.txt --directed -o none/w.tsv

