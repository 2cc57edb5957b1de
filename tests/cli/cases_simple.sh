# --simple and --cycles: every question of the command, on graphs whose numbers are known. Two vertices of the complete graph
# of 5 are joined by 1, 3, 6 and 6 paths of 1 to 4 arcs; it has 10, 15 and 12 cycles of 3 to 5.

printf 'a b\na c\na d\na e\nb c\nb d\nb e\nc d\nc e\nd e\n' > complete.txt
printf 'p q\nq r\nr p\nq p\nr s\n' > arcs.txt
printf 'x y 3\ny z 2\nz x 5\nx x 7\n' > weights.txt

prints 'a pair' complete.txt --simple -k 3 -q --pair a b << END
6
END
prints 'pairs of each length' complete.txt --simple -k 2 -q --pair a b --pair c c --each << END
length	from	to	paths
1	a	b	1
1	c	c	0
2	a	b	3
2	c	c	0
END
printf 'a b\ne e\n' > pairs
prints 'pairs of a file' complete.txt --simple -k 4 -q --pairs pairs << END
from	to	paths
a	b	6
e	e	0
END
prints 'from a vertex' arcs.txt --directed --simple -k 2 -q --from q << END
from	to	paths
q	p	1
q	q	0
q	r	0
q	s	1
END
prints 'to a vertex' arcs.txt --directed --simple -k 2 -q --to s << END
from	to	paths
p	s	0
q	s	1
r	s	0
s	s	0
END
prints 'a total' complete.txt --simple -k 3 -q --total << END
120
END
prints 'a total of lengths added up' complete.txt --simple -k 4 -q --total --up-to << END
320
END
prints 'totals of each length' complete.txt --simple -k 6 -q --total --each << END
length	paths
1	20
2	60
3	120
4	120
5	0
6	0
END
prints 'a total modulo' complete.txt --simple -k 3 -q --total --mod 7 << END
1
END
prints 'sums' arcs.txt --directed --simple -k 2 -q --sums << END
vertex	starting	ending
p	1	1
q	2	1
r	1	1
s	0	1
END
prints 'a matrix' arcs.txt --directed --simple -k 2 -q << END
from\\to  p  q  r  s
p        0  0  1  0
q        1  0  0  1
r        0  1  0  0
s        0  0  0  0
END
prints 'a matrix of lengths added up' arcs.txt --directed --simple -k 2 -q --up-to << END
from\\to  p  q  r  s
p        0  1  1  0
q        2  0  1  1
r        1  1  0  1
s        0  0  0  0
END
prints 'no arc' arcs.txt --directed --simple -k 0 -q --total << END
4
END
prints 'the largest' weights.txt --weights --simple -k 2 -q --top 2 << END
from	to	paths
y	z	15
x	y	10
END
prints 'the largest of each' weights.txt --weights --simple -k 2 -q --top-each 1 << END
from	to	paths
x	y	10
y	z	15
z	y	15
END
printf '\tx\ty\tz\nx\t0\t10\t6\ny\t10\t0\t15\nz\t6\t15\t0\n' > "$notes/expected"
run weights.txt --weights --simple -k 2 -q -o out.tsv
same 'a file' out.tsv
run batch weights.txt --weights --simple -k 2 -q --as tsv --out results
same 'a batch' results/weights.tsv
for method in formula search sets auto; do
    prints "method $method" complete.txt --simple -k 4 -q --pair a e --method $method --threads 2 << END
6
END
done

prints 'cycles' complete.txt --cycles -k 5 -q --total --each << END
length	cycles
1	0
2	0
3	10
4	15
5	12
END
prints 'cycles added up' complete.txt --cycles -k 99 -q --total --up-to << END
37
END
prints 'cycles through each vertex' arcs.txt --directed --cycles -k 3 -q --closed --up-to << END
vertex	cycles
p	2
q	2
r	1
s	0
END
printf '\tx\ty\tz\nx\t0\t30\t30\ny\t30\t0\t30\nz\t30\t30\t0\n' > "$notes/expected"
run weights.txt --weights --cycles -k 3 -q -o out.tsv
same 'cycles through each edge' out.tsv
prints 'cycles through each arc' arcs.txt --directed --cycles -k 2 -q --table << END
from\\to  p  q  r  s
p        0  1  0  0
q        1  0  0  0
r        0  0  0  0
s        0  0  0  0

sum over edges        2
END
prints 'cycles alone are their number' complete.txt --cycles -k 4 -q << END
15
END
prints 'cycles through one edge' complete.txt --cycles -k 4 -q --pair a b << END
6
END
prints 'cycles from a vertex' arcs.txt --directed --cycles -k 3 -q --from p << END
from	to	cycles
p	p	0
p	q	1
p	r	0
p	s	0
END
prints 'an edge of most cycles' weights.txt --weights --cycles -k 3 -q --top 1 << END
from	to	cycles
x	y	30
END

check 'JSON' 0 '*"paths": "simple",*"query": "total",*"answers": \[{"paths": "120"}\]*' '' complete.txt --simple -k 3 -q --total --json
check 'JSON of cycles' 0 '*"paths": "cycles",*{"vertex": "a", "cycles": "6"}*' '' complete.txt --cycles -k 3 -q --closed --json
check 'a plan' 0 120 '*method      *search*cpu*sets*cpu*' complete.txt --simple -k 3 -q --total --explain=all
check 'a plan of a long length' 0 0 '*method      se*' complete.txt --simple -k 9 -q --total --explain=all
check 'a table' 0 '*total paths           120*' '' complete.txt --simple -k 3 -q --table
check 'a summary' 0 '*path length           3, no vertex twice*largest count         6*' '' complete.txt --simple -k 3 -q --summary
check 'a summary of cycles' 0 '*sum over edges        60*most through an edge  3*' '' complete.txt --cycles -k 3 -q --summary
check 'paths, twice' 0 120 '' complete.txt --simple -k 3 -q --total --twice
check 'paths without a certificate' 0 120 '' complete.txt --simple -k 3 -q --total --certify 0

# Complete graphs of 3, 4 and 5 vertices, and one without edges.
printf 'Bw\nC~\nD~{\nB?\n' > many.g6
prints 'a stream' batch many.g6 --simple -k 3 -q --total << END
0
24
120
0
END
prints 'cycles of a stream, each length' batch many.g6 --cycles -k 4 -q --total --each << END
total_1	total_2	total_3	total_4
0	0	1	0
0	0	4	3
0	0	10	15
0	0	0	0
END
refuses 'closed paths of a stream' 2 '*(--total)*' batch many.g6 --simple -k 3 -q --closed

for kind in simple cycles; do
    run complete.txt --$kind -k 3 -q -o out.tsv
    check "a matrix of $kind is verified" 0 '*certified, 25 numbers*' '' verify complete.txt out.tsv --$kind -k 3
    sed '3s/3/4/;3s/6/5/' out.tsv > wrong.tsv
    refuses "a wrong matrix of $kind" 65 '*wrong.tsv:3: *' verify complete.txt wrong.tsv --$kind -k 3
done
refuses 'a matrix of another kind' 65 '*out.tsv:2: *' verify complete.txt out.tsv -k 3

refuses 'closed simple paths' 2 '*count cycles (--cycles)*' complete.txt -q --simple -k 3 --closed
refuses 'a trace of simple paths' 2 '*count cycles (--cycles)*' complete.txt -q --simple -k 3 --trace
refuses 'simple paths in doubles' 2 'pathcount: --simple counts exactly or modulo M (--mod), not --float*' complete.txt --simple -k 3 --float
refuses 'cycles in doubles' 2 'pathcount: --cycles counts exactly or modulo M (--mod), not --float*' complete.txt --cycles -k 3 --float
for method in dense hybrid sweep recurrence; do
    refuses "simple paths by method $method" 2 'pathcount: *' complete.txt -q --simple -k 5 --total --method $method
done
for method in formula search sets; do
    refuses "walks by method $method" 2 '*count walks with another method*' complete.txt -q -k 3 --total --method $method
done
refuses 'formulas of a long length' 2 '*at most 6 arcs, and cycles of 7*' complete.txt -q --simple -k 7 --method formula
refuses 'sums of cycles' 2 '*in all (--total), through each vertex (--closed)*' complete.txt -q --cycles -k 3 --sums
refuses 'a trace of cycles' 2 '*in all (--total), through each vertex (--closed)*' complete.txt -q --cycles -k 3 --trace
refuses 'blocks of cycles' 2 'pathcount coarsen: *' coarsen complete.txt --cycles -k 3 --blocks 2
refuses 'two kinds of path' 2 'pathcount: --cycles and --simple exclude each other*' complete.txt --simple --cycles -k 3
refuses 'any length' 65 '*lead*' arcs.txt --directed --simple -k any --total
printf 'x y 9223372036854775808\ny z 9223372036854775808\nz w 9\n' > heavy.txt
refuses 'counts of more than 128 bits' 69 '*128 are counted*' heavy.txt --weights -q --simple -k 3 --total
prints 'counts of 127 bits' heavy.txt --weights --simple -k 2 -q --pair x z << END
85070591730234615865843651857942052864
END

# Each pair of different vertices is joined by three paths of two arcs.
prints 'simple paths between blocks' coarsen complete.txt --simple -k 2 --blocks 2 -q << END
from\to  a-b  c-d  e
a-b        6   12  6
c-d       12    6  6
e          6    6  0
END

for i in $(seq 20); do seq $((i + 1)) 20 | sed "s/^/$i /"; done > k20.txt
refuses 'a count that is predicted to take longer' 69 '*nothing was computed*' k20.txt -q --simple -k 15 --total \
    --method search --time-limit 1000
refuses 'work that takes longer' 69 '*the time of --time-limit is over*' recurrence complete.txt -q --total --time-limit 1e-9
