# --match: walks whose labels match a pattern, of lines typed here; columns by name and number, SIF, questions, and refusals.

printf 'a\tb\tx\nb\tc\tx\nc\ta\ty\na\ta\ty\na\tc\tz z\na\tb\ty\n' > arcs.tsv
printf 'from,to,weight,kind\na,b,2,x\nb,c,3,y\nb,c,5,z\n' > arcs.csv
printf 'a pp b c\nb pd c\n' > graph.sif
match='arcs.tsv --directed --no-header --label-column 3 -q'

prints 'a pair' $match --match 'x x y' -k 3 --pair a a << END
1
END
prints 'an ambiguous pattern' $match --match '(x|x x)(x y|y)' -k 3 --total << END
1
END
prints 'a label with a blank' $match --match "'z z' y y" -k 3 --from a << END
from	to	paths
a	a	1
a	b	1
a	c	0
END
prints 'to, each length' $match --match 'y*' -k 2 --to b --each << END
length	from	to	paths
1	a	b	1
1	b	b	0
1	c	b	0
2	a	b	1
2	b	b	0
2	c	b	1
END
prints 'sums' $match --match '. y' -k 2 --sums << END
vertex	starting	ending
a	3	4
b	1	2
c	2	0
END
prints 'closed' $match --match '()|y|x x y' -k 3 --closed << END
vertex	paths
a	1
b	0
c	0
END
prints 'the empty walk' $match --match 'x*' -k 0 --total << END
3
END
prints 'no empty walk' $match --match 'x+' -k 0 --total << END
0
END
prints 'lengths added up' $match --match 'y{2,}' -k 3 --pair a b --up-to << END
2
END
prints 'columns of a header, weights' arcs.csv --directed --weights --label-column kind -q --match 'x (y|z)' -k 2 --total << END
16
END
prints 'no weights' arcs.csv --directed --label-column KIND -q --match 'x (y|z)' -k 2 --pair a c << END
2
END
prints 'both directions' arcs.csv --label-column kind -q --match 'x x' -k 2 --total << END
2
END
prints 'sums of both directions' arcs.csv --label-column kind -q --match 'x z' -k 2 --sums << END
vertex	starting	ending
a	1	0
b	0	0
c	0	1
END
prints 'SIF' graph.sif --directed --label-column relation -q --match 'pp pd' -k 2 --from a << END
from	to	paths
a	a	0
a	b	0
a	c	1
END
awk 'BEGIN { a = b = c = 1; for (n = 3; n <= 60; n++) { d = c + 2 * a; a = b; b = c; c = d }; printf "%.0f\n", c }' > expected
prints 'round and round' $match --match '(x|y)*' -k 60 --pair a a < expected
prints 'very long walks' $match --match 'y+' -k 1000000000000 --pair a a --mod 1000003 << END
1
END
check 'JSON' 0 '*"match": "x x y", "label_column": "3"*"answers": \[{"from": "a", "to": "a", "paths": "1"}\]*' '' \
    $match --match 'x x y' -k 3 --pair a a --json
check 'twice' 0 '1' '' $match --match 'x x y' -k 3 --total --twice
check 'any length' 0 '2' '*arcs.csv: edge list, directed: 3 vertices, 3 arcs, weights ignored*longest path: 2 arcs*' arcs.csv --directed --label-column kind --match 'x? (y|z)?' -k any --pair a c

refuses 'no pattern' 2 '*leave it out, or give a pattern*' arcs.tsv --label-column 3 -k 2 --total
refuses 'no column' 2 '*which labels?*' arcs.tsv --match x -k 2 --total
refuses 'a matrix' 2 '*--match answers --from*' $match --match x -k 2
refuses 'a trace' 2 '*--match answers --from*' $match --match x -k 2 --trace
refuses 'another kind of path' 2 '*--match and --simple exclude each other*' $match --match x -k 2 --total --simple
refuses 'a certificate' 2 '*--match and --certificate exclude*' $match --match x -k 2 --total --certificate c.json
refuses 'verify' 2 '*option*count*' verify arcs.tsv t.txt --match x -k 2
refuses 'coarsen' 2 '*option*count*' coarsen arcs.tsv --match x -k 2 --blocks 2
refuses 'batch' 2 '*option*count*' batch arcs.tsv --match x -k 2 --total
refuses 'a bad pattern' 2 '*pattern, position 3: this bracket is not closed*' $match --match 'x ( y' -k 2 --total
refuses 'an unknown label' 2 "*position 3: no edge has the label 'q'; there are 'x', 'y', 'z z'*" $match --match 'x q' -k 2 --total
refuses 'a column that there is not' 65 '*arcs.tsv:1:*fewer columns*' arcs.tsv --no-header --label-column 4 -q --match x -k 2 --total
refuses 'a name that there is not' 65 "*no column is named 'sort'*" arcs.csv --label-column sort -q --match x -k 2 --total
refuses 'another format' 65 '*edge lists, SIF, Pajek and GraphML*' "$graphs/../streams/connected4.g6" --label-column 3 -q --match x -k 2 --total
refuses 'no file' 66 '*none.tsv*' none.tsv --label-column 3 -q --match x -k 2 --total
refuses 'an unknown vertex' 65 "*no vertex 'd'*" $match --match x -k 2 --from d
