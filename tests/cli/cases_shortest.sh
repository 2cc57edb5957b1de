# --shortest: distances and numbers of shortest paths, of a square with a tail and of arcs with weights, loops and a vertex that
# nothing leads to.

printf 'a b\nb c\nc d\nd a\nd e\n' > square.txt
printf 's t 3\ns u 2\nt v 5\nu v 7\nv v 9\nv w 1\ns s 4\nx s 1\n' > arcs.txt

prints 'a pair' square.txt --shortest -q --pair a c << END
from	to	distance	paths
a	c	2	2
END
prints 'weights are multiplicities' arcs.txt --directed --weights --shortest -q --to v << END
from	to	distance	paths
s	v	2	29
t	v	1	5
u	v	1	7
v	v	0	1
w	v	inf	0
x	v	3	29
END
printf 'w s\nx w\nx x\nx w\n' > pairs
prints 'pairs of a file' arcs.txt --directed --weights --shortest -q --pairs pairs << END
from	to	distance	paths
w	s	inf	0
x	w	4	29
x	x	0	1
x	w	4	29
END
prints 'the matrix' square.txt --shortest -q << END
from\to  a  b  c  d  e
a        1  1  2  1  1
b        1  1  1  2  2
c        2  1  1  1  1
d        1  2  1  1  1
e        1  2  1  1  1
END
check 'JSON' 0 '*"paths": "shortest",*"length": null,*{"from": "w", "to": "s", "distance": "inf", "paths": "0"}*' '' \
    arcs.txt --directed --shortest -q --pair w s --json
check 'a summary' 0 '*path length           shortest*' '' square.txt --shortest -q --summary
check 'a plan' 0 '*' '*at most 3 bits (proved)*search: paths are looked for from each vertex*' square.txt --shortest -q --pair a c --explain=all
check 'twice' 0 '*' '' square.txt --shortest -q --from a --twice --threads 1 --method search
check 'the largest of each' 0 '*a	c	2*' '' square.txt --shortest -q --top-each 1 --certify 0
run square.txt --shortest -q -o out.mtx
check 'a file' 0 '*certified, 15 numbers*' '' verify square.txt out.mtx --shortest
sed 's/^4 2 2/4 2 3/' out.mtx > wrong.mtx
refuses 'a wrong file' 65 '*not the numbers of paths of this graph*' verify square.txt wrong.mtx --shortest -q
run batch square.txt arcs.txt --shortest -q --as tsv --out results
check 'a batch' 0 '*' '*' verify results
refuses 'distances to verify' 2 'pathcount verify: distances cannot be verified*' verify square.txt out.mtx --shortest --from a
refuses 'a length' 2 'pathcount: --shortest counts paths of every length: leave --length out*' square.txt --shortest -k 3
refuses 'lengths added up' 2 'pathcount: *leave --up-to out*' square.txt --shortest --up-to
refuses 'two kinds of path' 2 'pathcount: --shortest and --simple exclude each other*' square.txt --simple --shortest
refuses 'another method' 2 '*and the method out*' square.txt --shortest -q --method sets
refuses 'blocks' 2 'pathcount coarsen: *' coarsen square.txt --shortest --blocks 2
refuses 'distances in a batch' 2 '*is for one graph*' batch square.txt --shortest --from a --out results
refuses 'a total' 2 '*they are not added up*' square.txt --shortest -q --total
