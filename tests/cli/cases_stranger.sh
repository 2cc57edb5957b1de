# What somebody tries who does not know the command: graphs that hardly are any, lengths 0 and far too
# large, labels of all sorts. Expected numbers are worked out by hand.

# ---- No vertices, one, and some without edges -----------------------------------------------------

printf '%%%%MatrixMarket matrix coordinate pattern general\n0 0 0\n' > none.mtx
for question in --total --trace '--total --up-to' '--total --non-backtracking' '--total --markov'; do
    # shellcheck disable=SC2086 # words are meant to be split
    prints "no vertices: $question" none.mtx -k 3 -q $question << 'END'
0
END
done
prints 'no vertices: sums' none.mtx -k 3 -q --sums << 'END'
vertex	starting	ending
END
prints 'no vertices: top' none.mtx -k 3 -q --top 4 << 'END'
from	to	paths
END
prints 'no vertices: katz' none.mtx -k 3 -q --katz 0.5 << 'END'
vertex	centrality
END
prints 'no vertices: trace of each length' none.mtx -k 2 -q --trace --each << 'END'
length	paths
1	0
2	0
END
check 'no vertices: JSON' 0 '*"answers": \[{"paths": "0"}\]*' '' none.mtx -k 3 -q --total --json
check 'no vertices: a file' 0 '*joined pairs          0 of 0*' '' none.mtx -k 3 -q -o none.tsv

printf '%%%%MatrixMarket matrix coordinate pattern general\n1 1 0\n' > one.mtx
for method in dense sweep; do
    prints "one vertex, length 3 by $method" one.mtx -k 3 -q --method $method << 'END'
from\to  1
1        0
END
    prints "one vertex, length 0 by $method" one.mtx -k 0 -q --method $method << 'END'
from\to  1
1        1
END
done
prints 'one vertex of a Markov chain stays' one.mtx -k 3 -q --markov --closed << 'END'
vertex	probability
1	1.0000000000000e+00
END
printf '0 1\n' > edge.txt
prints 'vertices without edges' edge.txt --vertices 4 -k 2 -q --closed << 'END'
vertex	paths
0	1
1	1
2	0
3	0
END
prints 'a lone vertex of a Markov chain stays' edge.txt --vertices 3 -k 1 -q --markov << 'END'
from\to  0  1  2
0        0  1  0
1        1  0  0
2        0  0  1
END

# ---- A star: 2 m steps from the middle to itself are 40^m paths ------------------------------------

leaf=1
while [ $leaf -le 40 ]; do
    echo "0 $leaf"
    leaf=$((leaf + 1))
done > star.txt
for method in auto dense sweep hybrid; do
    prints "a star by $method" star.txt -k 10 -q --pair 0 0 --method $method << 'END'
102400000
END
done
prints 'a star, never straight back' star.txt -k 4 -q --non-backtracking --total --each << 'END'
length	paths
1	80
2	1560
3	0
4	0
END
prints 'a star, the most' star.txt -k 4 -q --top 2 << 'END'
from	to	paths
0	0	1600
1	1	40
END
printf '0 1\n0 2\n0 3\n' > claw.txt
prints 'a star, each pair once' claw.txt -k 1 -q --top 9 << 'END'
from	to	paths
0	1	1
0	2	1
0	3	1
END

# ---- Lengths 0 and far too large ------------------------------------------------------------------

prints 'length 0 from a vertex' edge.txt -k 0 -q --from 1 << 'END'
from	to	paths
1	0	0
1	1	1
END
prints 'each length up to 0' edge.txt -k 0 -q --total --each << 'END'
length	paths
END
prints 'lengths up to 0 added up' edge.txt -k 0 -q --total --up-to << 'END'
0
END
# Three leaves, 2 m steps: 4 3^m paths in all. 3^6 is 1 modulo 7, 5 10^17 is 2 modulo 6.
prints 'length 10^18 modulo' claw.txt -k 1000000000000000000 -q --total --mod 7 << 'END'
1
END
longest=18446744073709551615
refuses 'the longest length' 69 '*--mod M*' claw.txt -q -k $longest --total
refuses 'the longest length, the matrix' 69 '*--mod M*' claw.txt -q -k $longest
refuses 'the longest length, a Markov chain' 69 '*' claw.txt -q -k $longest --markov
refuses 'the longest length, Katz' 69 '*series*too long*' claw.txt -q -k $longest --katz 0.1
refuses 'too long a length' 2 '*--length must be*' claw.txt -k 18446744073709551616 --total

# ---- Labels ---------------------------------------------------------------------------------------

printf '\303\205lesund\tS\303\243o\nS\303\243o\tOslo\n' > cities.tsv
prints 'labels in UTF-8' cities.tsv -k 2 -q --to Oslo << 'END'
from	to	paths
Ålesund	Oslo	1
São	Oslo	0
Oslo	Oslo	1
END
check 'labels in UTF-8, JSON' 0 '*{"from": "Ålesund", "to": "Oslo", "paths": "1"}*' '' \
    cities.tsv -k 2 -q --pair Ålesund Oslo --json
printf 'Ålesund,Oslo\nOslo\tSão\n' > pairs.txt
prints 'pairs in UTF-8' cities.tsv -k 2 -q --pairs pairs.txt << 'END'
from	to	paths
Ålesund	Oslo	1
Oslo	São	0
END
printf 'a\033[31mb c\n' > steering.txt
check 'a label that would steer the terminal' 0 '*a\\x1b\[31mb*' '' steering.txt -k 1 -q --sums --separator space

# ---- Rates that are of no use ---------------------------------------------------------------------

mkdir -p "$XDG_CACHE_HOME/pathcount"
echo 'pathcount 0.0.0 rates' > "$XDG_CACHE_HOME/pathcount/rates"
check 'rates that are damaged' 0 '1' '*predicting by the rates that are compiled in*delete the file*' \
    edge.txt -k 2 --pair 0 0
check 'rates that are damaged, quietly' 0 '1' '' edge.txt -k 2 -q --pair 0 0
rm -r "$XDG_CACHE_HOME"

# ---- Messages that say what to write instead ------------------------------------------------------

printf 'a b\nb c\n' > two.txt
refuses 'from and to' 2 '*--from and --to exclude each other: from one vertex to another is --pair FROM TO*' \
    two.txt -k 2 --from a --to c
refuses 'to and from' 2 '*--pair FROM TO*' two.txt -k 2 --to a --from c
refuses 'other two' 2 '*--sums and --pair exclude each other: give one of them*' two.txt -k 2 --sums --pair a c
refuses 'a pair of a sample' 2 '*--from VERTEX --to VERTEX*' sample two.txt -k 2 --number 1 --pair a c
refuses 'an ending of no format' 2 "*'c.xlsx' says no format: end it in a dot and *tsv*json*" two.txt -k 2 -o c.xlsx
refuses 'verify the wrong way round' 65 '*the graph comes first, then the result*' verify two.txt two.txt -k 2
refuses 'no length of verify' 2 '*how long are the paths? Add --length 8*' verify two.txt two.txt
refuses 'not certain' 65 '*this may be *, which is not certain: if so, add the options in brackets' "$graphs/kin.tsv" -k 2 --total
refuses 'limits of a long path' 69 '*limits of the counts of all lengths to 1000000 take 16.0 MB*shorter length*' \
    two.txt -k 1000000 -q --memory-limit 1M
