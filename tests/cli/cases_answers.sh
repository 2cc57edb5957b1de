# Right answers on the command line. Figures 1.2 and 1.7 are those of Robert Hochberg, "Matrix
# Multiplication with CUDA", Shodor 2012; the other expected numbers were worked out by hand or by
# repeated multiplication in another language.

prints 'Figure 1.2' "$graphs/hochberg.txt" --length 3 << 'END'
from\to  A  B  C  D  E   F   G   H   I  J
A        2  6  6  3  1   3   1   2   1  0
B        6  6  8  7  3   9   3   3   2  3
C        6  8  4  8  5   4   3   2   2  1
D        3  7  8  4  2   8   3   3   2  3
E        1  3  5  2  0   3   2   5   3  1
F        3  9  4  8  3   6  10  11  10  4
G        1  3  3  3  2  10   8   9   8  8
H        2  3  2  3  5  11   9   4   4  9
I        1  2  2  2  3  10   8   4   4  8
J        0  3  1  3  1   4   8   9   8  4
END

prints 'Figure 1.7' "$graphs/hochberg.txt" --length 4 << 'END'
from\to   A   B   C   D   E   F   G   H   I   J
A        12  14  12  15   8  13   6   5   4   4
B        14  30  22  23  11  21  17  18  15   8
C        12  22  27  16   6  23   9  13   8   7
D        15  23  16  23  11  19  16  16  14   8
E         8  11   6  11  10  15  12   6   6  10
F        13  21  23  19  15  48  31  23  20  31
G         6  17   9  16  12  31  35  28  26  25
H         5  18  13  16   6  23  28  34  29  17
I         4  15   8  14   6  20  26  29  26  16
J         4   8   7   8  10  31  25  17  16  25
END
cp "$notes/expected" figure_1_7

if holds "$notes/stderr" '*/hochberg.txt: edge list, undirected: 10 vertices, 17 edges, a comment says undirected'; then
    pass
else
    fail 'note of what was read' 'wrong'
fi

prints 'command by name, engine and threads' count --device cpu --threads 2 -k4 \
    "$graphs/hochberg.txt" < figure_1_7
prints 'one thread, one more check, little memory' "$graphs/hochberg.txt" -k 4 --threads 1 \
    --certify 3 --memory-limit 64M --device auto < figure_1_7
prints 'without certificate' "$graphs/hochberg.txt" -k 4 --certify 0 < figure_1_7
for kernel in portable avx2 avxvnni avx512vnni amx; do
    PATHCOUNT_CPU=$kernel
    export PATHCOUNT_CPU
    run "$graphs/hochberg.txt" -k 4
    unset PATHCOUNT_CPU
    if [ "$status" -eq 69 ] && [ $kernel != portable ]; then
        skip "kernel $kernel" "$(tail -n 1 "$notes/stderr")"
    else
        cp figure_1_7 "$notes/expected"
        same "kernel $kernel" "$notes/stdout"
    fi
done

prints 'length 0 is the identity' "$graphs/hochberg.txt" -k 0 -q << 'END'
from\to  A  B  C  D  E  F  G  H  I  J
A        1  0  0  0  0  0  0  0  0  0
B        0  1  0  0  0  0  0  0  0  0
C        0  0  1  0  0  0  0  0  0  0
D        0  0  0  1  0  0  0  0  0  0
E        0  0  0  0  1  0  0  0  0  0
F        0  0  0  0  0  1  0  0  0  0
G        0  0  0  0  0  0  1  0  0  0
H        0  0  0  0  0  0  0  1  0  0
I        0  0  0  0  0  0  0  0  1  0
J        0  0  0  0  0  0  0  0  0  1
END
if holds "$notes/stderr" ''; then pass; else fail 'quiet' 'a note was printed'; fi

# Arcs 0->1 (twice as weight), 1->0, 1->1: Fibonacci with a twist.
printf 'from to weight\n0 1 2\n1 0 1\n1 1 1\n' > arcs.txt
prints 'directed' arcs.txt --directed -k 3 << 'END'
from\to  0  1
0        1  2
1        2  3
END
prints 'directed with weights' arcs.txt --directed --weights -k 3 << 'END'
from\to  0  1
0        2  6
1        3  5
END
prints 'counts beyond 64 bits' arcs.txt --directed --weights -k 80 << 'END'
from\to                         0                         1
0        402975273204876391568726  805950546409752783137450
1        402975273204876391568725  805950546409752783137451
END
prints 'modulo' arcs.txt --directed --weights -k 80 --mod 1000000007 << 'END'
from\to          0          1
0        498880383  997760764
1        498880382  997760765
END
prints 'modulo, very long' arcs.txt --directed -k 18446744073709551615 --mod 10 << 'END'
from\to  0  1
0        7  0
1        0  7
END
check 'modulo a prime, no table' 0 '*total paths           91 (modulo 97)*' '*' \
    "$graphs/karate.txt" -k 8 --mod 97
prints 'floating point' arcs.txt --directed --weights -k 10 --float << 'END'
from\to    0    1
0        342  682
1        341  683
END
check 'floating point never overflows' 0 '*e+*e+*' '*' arcs.txt --directed --weights -k 100000 --float

printf '0 1\n1 0\n0 1\n' > twice.txt
prints 'duplicates dropped' twice.txt -k 1 << 'END'
from\to  0  1
0        0  1
1        1  0
END
if holds "$notes/stderr" 'twice.txt: edge list, undirected: 2 vertices, 1 edge, 2 duplicates dropped'
then pass; else fail 'note of duplicates' 'wrong'; fi
prints 'duplicates added' twice.txt -k 1 --multigraph << 'END'
from\to  0  1
0        0  3
1        3  0
END
if holds "$notes/stderr" '*2 duplicates added*'; then pass; else fail 'note of added' 'wrong'; fi

# Loops: 0 - 1 with a loop at 0 that counts once or twice.
printf '0 0\n0 1\n' > loop.txt
prints 'a loop counts once' loop.txt -k 2 << 'END'
from\to  0  1
0        2  1
1        1  1
END
if holds "$notes/stderr" 'loop.txt: edge list, undirected: 2 vertices, 2 edges (1 loop, counted once)'
then pass; else fail 'note of a loop that counts once' 'wrong'; fi
prints 'a loop counts twice' loop.txt -k 2 --loops twice << 'END'
from\to  0  1
0        5  2
1        2  1
END
if holds "$notes/stderr" '*2 edges (1 loop, counted twice), largest multiplicity 2'
then pass; else fail 'note of a loop that counts twice' 'wrong'; fi
prints 'a loop counts twice, modulo' loop.txt -k 2 --loops=twice --mod 3 << 'END'
from\to  0  1
0        2  2
1        2  1
END
check 'a loop counts twice, probabilities' 0 '6.66666666666667e-01' '*' \
    loop.txt -k 1 --loops twice --markov --pair 0 0
check 'a directed loop' 0 '*' '*2 arcs (1 loop)' loop.txt -k 2 --directed
refuses 'a directed loop is one arc' 2 'pathcount: --loops twice is for undirected graphs, *' \
    loop.txt -k 2 --directed --loops twice
refuses 'loops so often' 2 'pathcount: --loops must be once or twice, not *' loop.txt -k 2 --loops 2
refuses 'loops twice that never turn back' 2 '*whose loops count once*' \
    loop.txt -k 2 --loops twice --non-backtracking
printf '0 0 9223372036854775808\n' > heavy.txt
refuses 'a loop beyond 2^64' 65 'pathcount: *, as loops count twice' heavy.txt -k 1 --weights --loops twice
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n1 1 1\n1 1\n' > loop.mtx
printf '2\n' > loop.matrix
for file in loop.mtx loop.matrix; do
    refuses "loops of $file" 2 "pathcount: $file: --loops twice is for edges, *" $file -k 1 --loops twice
done
for name in l.tsv l.csv.gz l.mtx l.wsg l.gml l.net l.graphml; do
    run convert loop.txt $name -q --loops twice
    run $name -k 2 --weights --total
    is "loops twice in $name" 10 "$(cat "$notes/stdout")"
done
prints 'loops that are doubled already' l.tsv -k 1 --loops twice << 'END'
from\to  0  1
0        2  1
1        1  0
END
run loop.txt -k 2 --loops twice -q -o l2.tsv --certificate l2.json
check 'a certificate of loops that count twice' 0 '*' '*' \
    verify loop.txt l2.tsv -k 2 --loops twice --certificate l2.json
refuses 'loops that count once, verified' 65 'pathcount: l2.tsv:2: *' verify loop.txt l2.tsv -k 2 --certificate l2.json
if command -v python3 > "$notes/found"; then
    is 'the script certifies loops that count twice' 'l2.tsv: holds' \
        "$(python3 "$graphs/../check_certificate.py" loop.txt l2.tsv l2.json 2>&1 | sed 's/,.*//')"
else
    skip 'the script certifies loops that count twice' 'there is no python3'
fi
printf ':AJ\n' > loop.s6 # the same graph
printf '10\t6\n' > "$notes/expected"
run batch loop.s6 -k 2 --total --closed -q --loops twice
cp "$notes/stdout" s6.tsv
sed 1d s6.tsv > counts.tsv
same 'loops of a stream' counts.tsv
check 'loops of a stream, verified' 0 '*' '*' \
    verify --stream loop.s6 s6.tsv -k 2 --total --closed --loops twice
run loop.txt -k 2 --loops twice --json -q
if holds "$notes/stdout" '*"loops": 1, "loops_counted": "twice",*'
then pass; else fail 'loops in JSON' 'wrong'; fi
rm loop.* l.* l2.* heavy.txt s6.tsv counts.tsv
prints 'isolated vertices' twice.txt -k 2 --vertices 3 << 'END'
from\to  0  1  2
0        1  0  0
1        0  1  0
2        0  0  0
END

check 'summary' 0 "graph *karate.txt: edge list, undirected: 34 vertices, 78 edges, a comment says undirected
path length           8
total paths           104321748
closed paths          4764644
most from one vertex  7625634, from 34
largest count         682251 (20 bits), from 34 to 34
joined pairs          1156 of 1156
time                  *s (reading the graph *s)

largest pairs, each undirected pair once
  from  to   paths
    34  34  682251
     1   1  606486
    33  34  550162
     1  34  526474
     1   3  490073
     3  34  483156
    33  33  455007
     1   2  441831
     3   3  434164
     1  33  426902" '*' "$graphs/karate.txt" --length 8
check 'wide summary' 0 "*
total paths           2340437925038076301230282611916097773476914013067801324
closed paths          94447415784634521313508452334203223781361553080980084
most from one vertex  175539730313631422204346249349350059544749920245058216, from 34
largest count         13165996294436525963951461105431505088121784112051243 (174 bits), from 34 to 34
*" '*' "$graphs/karate.txt" --length 64
printf '0 1\n' > arc.txt
check 'no path at all' 0 '*
total paths           0
closed paths          0
most from one vertex  0
largest count         0
joined pairs          0 of 2500
time                  *' '' arc.txt --directed -k 2 --vertices 50 -q --format edges
folder_holds 'nothing but the graphs' arc.txt arcs.txt figure_1_7 twice.txt
