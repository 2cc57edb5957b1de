# Paths that never turn back, Markov chains and centralities. Expected numbers are worked out by hand.

printf '0 1\n1 2\n0 2\n' > g.txt
prints 'a triangle, never back' g.txt -k 3 --non-backtracking << 'END'
from\to  0  1  2
0        2  0  0
1        0  2  0
2        0  0  2
END
printf '0 1\n1 0\n1 2\n2 2\n' > arcs.txt
# 0 > 1 > 0 and 2 > 2 > 2 turn back; 0 > 1 > 2 and 1 > 2 > 2 do not.
prints 'arcs and a loop' arcs.txt --directed -k 2 --non-backtracking << 'END'
from\to  0  1  2
0        0  0  1
1        0  0  1
2        0  0  0
END
prints 'all queries know it: total' arcs.txt --directed -k 3 --non-backtracking --total --each << 'END'
length	paths
1	4
2	2
3	1
END
prints 'to' arcs.txt --directed -k 2 --non-backtracking --to 2 << 'END'
from	to	paths
0	2	1
1	2	1
2	2	0
END
prints 'sums' arcs.txt --directed -k 2 --non-backtracking --sums << 'END'
vertex	starting	ending
0	1	0
1	1	0
2	0	2
END
prints 'top' arcs.txt --directed -k 2 --non-backtracking --top 1 << 'END'
from	to	paths
0	2	1
END
prints 'trace' g.txt -k 6 --non-backtracking --trace << 'END'
6
END
prints 'modulo' g.txt -k 6 --non-backtracking --trace --mod 4 << 'END'
2
END
check 'summary' 0 '*path length           3, never straight back
total paths           6
*written to            x.tsv
*largest pairs, each undirected pair once*' '' g.txt -k 3 --non-backtracking -q -o x.tsv
printf '\t0\t1\t2\n0\t2\t0\t0\n1\t0\t2\t0\n2\t0\t0\t2\n' > "$notes/expected"
same 'a file' x.tsv
check 'a file says what it holds' 0 '*' '' g.txt -k 3 --non-backtracking -q -o x.mtx
if grep -q '^% numbers of non-backtracking paths of length 3 ' x.mtx; then pass; else
    fail 'a file says what it holds' "$(head -n 3 x.mtx)"
fi
check 'JSON' 0 '*"options": {"paths": "non-backtracking", *"query": "total",*"answers": \[{"paths": "6"}]*' '' \
    g.txt -k 3 --non-backtracking --total --json -q
check 'JSON of a matrix' 0 '*"options": {"paths": "non-backtracking", *' '' \
    g.txt -k 3 --non-backtracking --json -q
check 'the plan' 0 '*' '*method      sweep: rows sent along the arcs, 3 steps*' g.txt -k 3 --non-backtracking --explain=all

# ---- Markov chains ---------------------------------------------------------------------------------

printf 'a b 1\na c 3\nb a 2\n' > chain.txt # from c nothing leads away
prints 'one step' chain.txt --directed -k 1 --markov << 'END'
from\to  a        b        c
a        0  2.5e-01  7.5e-01
b        1        0        0
c        0        0  1.0e+00
END
prints 'two steps' chain.txt --directed -k 2 --markov --from a << 'END'
from	to	probability
a	a	2.5000000000000e-01
a	b	0
a	c	7.5000000000000e-01
END
prints 'towards' chain.txt --directed -k 2 --markov --to c << 'END'
from	to	probability
a	c	7.5000000000000e-01
b	c	7.5000000000000e-01
c	c	1.0000000000000e+00
END
prints 'sums of rows and columns' chain.txt --directed -k 1 --markov --sums << 'END'
vertex	starting	ending
a	1.00000000000000e+00	1.00000000000000e+00
b	1.00000000000000e+00	2.50000000000000e-01
c	1.00000000000000e+00	1.75000000000000e+00
END
prints 'returns' chain.txt --directed -k 2 --markov --closed --each --float << 'END'
length	vertex	probability
1	a	0
1	b	0
1	c	1.0000000000000e+00
2	a	2.5000000000000e-01
2	b	2.5000000000000e-01
2	c	1.0000000000000e+00
END
prints 'visits' chain.txt --directed -k 2 --markov --pair b c --pair c c --up-to << 'END'
from	to	sum
b	c	7.5000000000000e-01
c	c	2.0000000000000e+00
END
prints 'the most likely' chain.txt --directed -k 1 --markov --top 2 << 'END'
from	to	probability
b	a	1.00000000000000e+00
c	c	1.00000000000000e+00
END
# From the middle of a line to its ends: not symmetric, though the graph is.
printf 'a b\nb c\n' > line.txt
prints 'undirected, the most' line.txt -k 1 --markov --top 4 << 'END'
from	to	probability
a	b	1.00000000000000e+00
c	b	1.00000000000000e+00
b	a	5.00000000000000e-01
b	c	5.00000000000000e-01
END
check 'summary in its own words' 0 '*path length           1 (Markov chain: probabilities, rounded)
digits that hold      15 (relative error below 9.?e-16)
sum of all            3.00000000000000e+00
sum of returns        0
largest row sum       1.00000000000000e+00
largest probability   1.00000000000000e+00, from a to b
nonzero pairs         4 of 9
*
largest pairs
  from  to           probability
     a   b  1.00000000000000e+00
     c   b  1.00000000000000e+00
     b   a  5.00000000000000e-01*' '' line.txt -k 1 --markov -q -o x.mtx
printf '%s\n' '%%MatrixMarket matrix coordinate real general' \
    '% probabilities of paths of length 1 from vertex i to vertex j' > "$notes/expected"
head -n 2 x.mtx > head.txt
same 'its file' head.txt
check 'weights are taken' 0 '1.00000000000000e+00' 'chain.txt: edge list, directed: 3 vertices, 3 arcs, largest multiplicity 3' chain.txt --directed -k 1 --markov --pair b a

# ---- Centralities ----------------------------------------------------------------------------------

printf '0 1\n1 2\n' > two.txt
prints 'Katz' two.txt --directed -k 2 --katz 0.5 << 'END'
vertex	centrality
0	0
1	5.0000000000000e-01
2	7.5000000000000e-01
END
check 'Katz, what is left out' 0 '*' '*
lengths beyond 2: they would add at most 0.25? to each value
digits that hold: 14 (relative error below 1.3e-15)' two.txt --directed -k 2 --katz 0.5
check 'Katz, nothing left out' 0 '*' '*
lengths beyond 3: nothing is left out
digits that hold: 14 (relative error below *)' two.txt --directed -k 3 --katz=5e-1
check 'Katz, no limit' 0 '*' '*
lengths beyond 2: no limit*BETA*' g.txt -k 2 --katz 0.5
check 'Katz, quiet' 0 'vertex*' '' g.txt -k 2 --katz 0.5 -q
prints 'subgraph centrality' g.txt -k 3 --subgraph-centrality << 'END'
vertex	centrality
0	2.3333333333333e+00
1	2.3333333333333e+00
2	2.3333333333333e+00
END
check 'subgraph centrality, what is left out' 0 '*' '*
lengths beyond 20: *at most *e-14 to each value
digits that hold: 14 *' g.txt -k 20 --subgraph-centrality
printf '1 0 1000\n1 2 1000\n' > heavy.txt
check 'subgraph centrality, no limit' 0 '*' '*
lengths beyond 1: no limit of what is left out: ask for more lengths*' heavy.txt -k 1 --weights --subgraph-centrality
check 'Katz explained' 0 '*' '*
query: *.??? s' heavy.txt -k 3 --katz 0.1 --explain=all
rm heavy.txt
check 'Katz in JSON' 0 '{
  "schema": 1,
  "version": "*",
  "command": "count",
  "graph": {"path": "two.txt", "format": "edge list", "directed": true, *
  "options": {"paths": "all", "arithmetic": "float", *
  "query": "katz",
  "length": "2",
  "each": false,
  "up_to": false,
  "beta": "5e-01",
  "remainder": "2.50000*e-01",
  "relative_error": 1.22*e-15,
  "answers": \[{"vertex": "0", "centrality": "0"}, *]
}' '' two.txt --directed -k 2 --katz 0.5 --json -q
check 'no remainder in JSON' 0 '*"remainder": null,*' '' g.txt -k 2 --katz 0.5 --json -q
printf '%%%%MatrixMarket matrix coordinate pattern general\n0 0 0\n' > empty.mtx
prints 'no vertices' empty.mtx -k 3 --subgraph-centrality << 'END'
vertex	centrality
END
prints 'no vertices, never back' empty.mtx -k 3 --non-backtracking --total << 'END'
0
END

# ---- Weights with decimals --------------------------------------------------------------------------

printf 'a b 0.25\na c 0.75\nb a 2.50\n' > quarters.txt # the chain above, and 2.5 in place of 2
check 'probabilities by weights with decimals' 0 'from	to	probability
a	a	2.5000000000000e-01
a	b	0
a	c	7.5000000000000e-01' 'quarters.txt: edge list, directed: 3 vertices, 3 arcs, largest weight 2.5' \
    quarters.txt --directed -k 2 --markov --from a
prints 'Katz with decimals' quarters.txt --directed -k 2 --katz 0.5 --weights << 'END'
vertex	centrality
a	1.4062500000000e+00
b	2.8125000000000e-01
c	8.4375000000000e-01
END
prints 'Katz, weights ignored' quarters.txt --directed -k 1 --katz 0.5 << 'END'
vertex	centrality
a	5.00000000000000e-01
b	5.00000000000000e-01
c	5.00000000000000e-01
END
check 'decimals in JSON' 0 '*"max_weight": "2.5",*' '' quarters.txt --directed -k 2 --markov --json -q
for question in --markov '--markov --up-to'; do
    "$pathcount" quarters.txt --directed -k 5 $question -o r.npy -q > r.txt
    check "certified: $question" 0 'r.npy: certified, *' '*' verify quarters.txt r.npy --directed -k 5 $question
done
for question in '--markov --sums' '--katz 0.1 --weights' '--markov --from a --each'; do
    "$pathcount" quarters.txt --directed -k 5 $question -q > r.txt
    check "certified: $question" 0 'r.txt: certified, *' '*' verify quarters.txt r.txt --directed -k 5 $question
    sed 's/1/2/' r.txt > wrong.txt
    refuses "not certified: $question" 65 '*wrong.txt:*' verify quarters.txt wrong.txt --directed -k 5 $question
done
printf 'a b 3.0000000000000000001\na c 1e15\nb a 3\n' > rounded.txt
check 'weights that are rounded' 0 '*digits that hold  *' \
    'rounded.txt: *, largest weight 1000000000000000, weights rounded to 4 decimals' rounded.txt --directed -k 2 --markov --summary
rm -f r.* wrong.txt quarters.txt rounded.txt

# 1 - 2 - 3 without weights, in formats that have some elsewhere: at 2 a path goes back with probability 1/2.
printf '1 2\n2 3\n' > path.edges
printf '3 2\n2\n1 3\n2\n' > path.metis
printf 'p edge 3 2\ne 1 2\ne 2 3\n' > path.col
printf '[{"source": 1, "target": 2}, {"source": 2, "target": 3}]' > path.json
printf '1 2\n2 3\n3\n' > path.adjlist
printf 'graph [\nnode [ id 1 ]\nnode [ id 2 ]\nnode [ id 3 ]\nedge [ source 1 target 2 ]\nedge [ source 2 target 3 ]\n]\n' > path.gml
for file in path.*; do
    run "$file" -k 2 --markov --pair 1 1
    judge "probabilities without weights: $file" 0 '5.0*e-01' '*'
done
printf '1 0 1500000000\n1 2 1500000001\n' > path.edges
refuses 'probabilities by times' 65 '*--columns 1,2,3 takes it as weights; --columns 1,2 leaves it out' \
    path.edges -k 2 --markov
check 'probabilities without the times' 0 '5.0*e-01' '*' path.edges -k 2 --markov --columns 1,2 --pair 0 0
rm path.*

# ---- Refused ---------------------------------------------------------------------------------------

rm -f ./*.mtx
refuses 'two kinds' 2 'pathcount: --non-backtracking and --markov exclude*' \
    g.txt -k 2 --markov --non-backtracking
refuses 'never back in doubles' 2 'pathcount: --non-backtracking*--float*' \
    g.txt -k 2 --non-backtracking --float
refuses 'never back by squaring' 2 'pathcount: --non-backtracking*--method*' \
    g.txt -k 2 --non-backtracking --method dense
refuses 'never back with weights' 2 '*
pathcount: *weights or multiplicities*' chain.txt --directed -k 2 --non-backtracking --weights
printf '0 1 0.5\n' > half.txt
for option in --total --float --non-backtracking --subgraph-centrality '--mod 7'; do
    refuses "weights with decimals and $option" 65 \
        "pathcount: half.txt:1: weight '0.5' is not an integer: *--markov and --katz*" \
        half.txt -k 2 --weights $option
done
printf '0 1 1e15\n1 2 0.5\n2 0 0.00001\n' > half.txt
refuses 'weights of too many digits' 65 "pathcount: half.txt:3: weight '0.00001' is too small*leave such edges out" \
    half.txt --no-header -k 2 --markov
rm half.txt
refuses 'blocks of other paths' 2 '*--markov*' coarsen g.txt -k 2 --blocks 2 --markov
for beta in 0 -1 x nan inf ''; do
    refuses "beta '$beta'" 2 'pathcount: --katz must be a number above 0*' g.txt -k 2 --katz="$beta"
done
for other in --each --up-to --mod=5 --float --method=sweep --markov --non-backtracking --certify=3; do
    refuses "Katz and $other" 2 "pathcount: --katz and ${other%=*} exclude*" \
        g.txt -k 2 --katz 0.1 $other
done
refuses 'two centralities' 2 'pathcount: --katz and --subgraph-centrality exclude*' \
    g.txt -k 2 --katz 0.1 --subgraph-centrality
refuses 'a centrality to a file' 2 'pathcount: --output*--katz*' g.txt -k 2 --katz 0.1 -o x.tsv
refuses 'too large' 69 '*
pathcount: *largest double*' g.txt -k 900 --katz 1e6
folder_holds 'nothing left behind' arcs.txt chain.txt g.txt head.txt line.txt two.txt x.tsv
