# `pathcount coarsen`: counts between blocks. Worked out by hand, for the path 0 - 1 - 2 - 3.

printf '0 1\n1 2\n2 3\n' > g.txt
prints 'groups of two' coarsen g.txt -k 2 --blocks 2 << 'END'
from\to  0-1  2-3
0-1        3    2
2-3        2    3
END
prints 'odd length' coarsen g.txt -k 3 --blocks 2 << 'END'
from\to  0-1  2-3
0-1        4    4
2-3        4    4
END
prints 'length 0' coarsen g.txt -k 0 --blocks 2 << 'END'
from\to  0-1  2-3
0-1        2    0
2-3        0    2
END
prints 'the last group smaller' coarsen g.txt --length=2 --blocks=3 << 'END'
from\to  0-2  3
0-2        7  1
3          1  1
END
prints 'a group larger than the graph' coarsen g.txt -k 2 --blocks 18446744073709551615 << 'END'
from\to  0-3
0-3       10
END
run g.txt -k 5
cp "$notes/stdout" "$notes/expected"
run coarsen g.txt -k 5 --blocks 1
same 'groups of one are the vertices' "$notes/stdout"
prints 'directed' coarsen g.txt -k 1 --blocks 2 --directed << 'END'
from\to  0-1  2-3
0-1        1    1
2-3        0    1
END
prints 'modulo' coarsen g.txt -k 3 --blocks 2 --mod 3 << 'END'
from\to  0-1  2-3
0-1        1    1
2-3        1    1
END
prints 'in doubles' coarsen g.txt -k 3 --blocks 2 --float << 'END'
from\to  0-1  2-3
0-1        4    4
2-3        4    4
END

printf '# halves\n2\tfar\n0,near\n1 near\n\n3 far\n' > b.txt
prints 'blocks of a file, as they appear' coarsen g.txt -k 2 --blocks b.txt << 'END'
from\to  far  near
far        3     2
near       2     3
END
printf '2 10\n0 9\n1 9\n3 10\n' > numbers.txt
prints 'blocks that are numbers, in their order' coarsen g.txt -k 2 --blocks numbers.txt << 'END'
from\to  9  10
9        3   2
10       2   3
END
printf '1 0\n2 3\n' > apart.txt
prints 'components' coarsen apart.txt -k 2 --blocks components << 'END'
from\to  1  2
1        2  0
2        0  2
END
cp b.txt components
prints 'a file of such a name' coarsen g.txt -k 2 --blocks ./components << 'END'
from\to  far  near
far        3     2
near       2     3
END
printf '0 1\n1 2\n2 0\n3 4\n4 5\n5 3\n0 3\n' > triangles.txt
for method in leiden multilevel; do
    run coarsen triangles.txt -k 1 --blocks $method --seed 3 --resolution 1.0
    if [ "$status" -eq 69 ] && holds "$notes/stderr" '*needs igraph*'; then
        skip "$method" 'built without igraph'
    else
        printf 'from\\to  1  2\n1        6  1\n2        1  6\n' > "$notes/expected"
        same "$method" "$notes/stdout"
    fi
done
# 6 edges in the left half, 8 in the right one, 3 between them.
prints 'a graph with labels' coarsen "$graphs/hochberg.txt" -k 1 \
    --blocks "$graphs/hochberg-halves.txt" -q << 'END'
from\to  left  right
left       12      3
right       3     16
END

"$pathcount" coarsen - -k 2 --blocks 2 < g.txt > "$notes/stdout" 2> "$notes/stderr"
status=$?
judge 'graph from standard input' 0 '*0-1        3    2*' 'standard input: *'
"$pathcount" coarsen g.txt -k 2 --blocks - < b.txt > "$notes/stdout" 2> "$notes/stderr"
status=$?
judge 'blocks from standard input' 0 '*far        3     2*' 'g.txt: *'

# ---- Means, files, JSON ----------------------------------------------------------------------------

prints 'means' coarsen g.txt -k 2 --blocks 2 --mean << 'END'
from\to  0-1  2-3
0-1      3/4  1/2
2-3      1/2  3/4
END
prints 'means that are whole' coarsen g.txt -k 3 --blocks 2 --mean << 'END'
from\to  0-1  2-3
0-1        1    1
2-3        1    1
END
prints 'means of doubles' coarsen g.txt -k 2 --blocks 2 --mean --float << 'END'
from\to      0-1      2-3
0-1      7.5e-01  5.0e-01
2-3      5.0e-01  7.5e-01
END
check 'means to a file, and the summary' 0 '*blocks                2, of 2 to 2 vertices
path length           2
total paths           10
within blocks         6
most from one block   5, from 0-1
largest count         3 (2 bits), from 0-1 to 0-1
joined pairs          4 of 4
written to            out.tsv*' '' coarsen g.txt -k 2 --blocks 2 --mean -q -o out.tsv
printf '\t0-1\t2-3\n0-1\t3/4\t1/2\n2-3\t1/2\t3/4\n' > "$notes/expected"
same 'means as TSV' out.tsv
run coarsen g.txt -k 2 --blocks 2 --mean -q -o out.json
printf '{"labels": ["0-1", "2-3"],\n"rows": [\n["3/4", "1/2"],\n["1/2", "3/4"]\n]}\n' \
    > "$notes/expected"
same 'means as JSON' out.json
run coarsen g.txt -k 2 --blocks 2 --mean -q -o out.npy
if [ "$(tail -c 32 out.npy | od -An -v -tf8 | tr -s ' \n' ' ')" = ' 0.75 0.5 0.5 0.75 ' ]; then pass
else fail 'means as NPY' 'wrong'; fi
run coarsen g.txt -k 2 --blocks 2 --mean -q -o out.mtx
printf '%s\n' '1 1 7.5e-01' '2 1 5e-01' '2 2 7.5e-01' > "$notes/expected"
tail -n 3 out.mtx > entries
same 'means as Matrix Market' entries
if holds out.mtx '%%MatrixMarket matrix coordinate real symmetric*mean *length 2*block*'; then pass
else fail 'what the numbers are' 'not said'; fi
run coarsen g.txt -k 2 --blocks 2 -q -o out.npy
if [ "$(tail -c 32 out.npy | od -An -v -tu8 | tr -s ' \n' ' ')" = ' 3 2 2 3 ' ]; then pass
else fail 'counts as NPY' 'wrong'; fi

check 'JSON' 0 '{*"command": "coarsen",*"length": "2",*
  "blocks": {"spec": "2", "count": 2, "sizes": \[2, 2\], "mean": false},
  "total_paths": "10",
  "within_blocks": "6",*"largest_row_sum": "5",*"from": "0-1", "to": "0-1", "count": "3"*
  "labels": \["0-1", "2-3"\],
  "matrix": \[\["3", "2"\], \["2", "3"\]\]
}' 'g.txt: *' coarsen g.txt -k 2 --blocks 2 --json
if holds "$notes/stdout" '*closed_paths*'; then fail 'JSON of blocks' 'has closed paths'; else pass; fi
check 'JSON of means' 0 '*"mean": true}*"total_paths": "10"*"matrix": \[\["3/4", "1/2"\], *' '' \
    coarsen g.txt -k 2 --blocks 2 --json --mean -q
check 'JSON modulo' 0 '*"blocks": {*"total_paths": "1"*"within_blocks": "2"*' '' \
    coarsen g.txt -k 3 --blocks 2 --mod 3 --json -q
check 'plan' 0 'from*' '*plan: length 4, 4 vertices, 6 arcs, 2 blocks
*1  load *
*2  square *
*4  reduce *
*measured: *' coarsen g.txt -k 4 --blocks 2 --explain=all --method dense
check 'a summary beyond 32 blocks' 0 '*blocks                39, of 1 to 2 vertices*
joined pairs * of 1521*largest pairs, each undirected pair once*' '*' \
    coarsen "$graphs/lesmis.txt" -k 2 --blocks 2

# ---- The quotient graph ----------------------------------------------------------------------------

# With its multiplicities it has the counts of length 1.
run coarsen "$graphs/lesmis.txt" -k 1 --blocks 5 -q
cp "$notes/stdout" counts.txt
for file in q.tsv q.csv q.tsv.gz q.csv.zst; do
    run coarsen "$graphs/lesmis.txt" -k 3 --blocks 5 -q --graph $file
    cp counts.txt "$notes/expected"
    run $file -k 1 -q
    same "quotient in $file" "$notes/stdout"
done
run coarsen g.txt -k 3 --blocks 2 --directed -q --graph q.mtx
printf 'from\\to  0-1  2-3\n0-1        1    1\n2-3        0    1\n' > "$notes/expected"
run q.mtx -k 1 -q
same 'quotient in Matrix Market' "$notes/stdout"
# Its powers are not the counts between blocks: 2 * 2 + 1 * 1, for one.
run coarsen g.txt -k 2 --blocks 2 -q --graph q.tsv
prints 'powers of the quotient' q.tsv -k 2 -q << 'END'
from\to  0-1  2-3
0-1        5    4
2-3        4    5
END

# ---- Refused ---------------------------------------------------------------------------------------

rm -f ./*
printf '0 1\n1 2\n2 3\n' > g.txt
refuses 'no length' 2 'pathcount coarsen: how long*pathcount coarsen*' coarsen g.txt --blocks 2
refuses 'means of residues' 2 'pathcount coarsen: --mean*--mod*' coarsen g.txt -k 2 --blocks 2 --mean --mod 5
refuses 'groups too large to say' 2 '*
pathcount: --blocks: *' coarsen g.txt -k 2 --blocks 18446744073709551616
refuses 'both from standard input' 2 'pathcount coarsen: *both*standard input*' coarsen - -k 2 --blocks -
refuses 'two files of one name' 2 "pathcount coarsen: --output 'x.mtx' and --graph 'x.mtx' are the same file*" \
    coarsen g.txt -k 2 --blocks 2 --graph x.mtx -o x.mtx
# refuses_blocks NAME MESSAGE LINES: a partition file that is refused.
refuses_blocks()
{
    printf '%b' "$3" > b.txt
    refuses "$1" 65 "*
pathcount: b.txt$2" coarsen g.txt -k 2 --blocks b.txt -o out.tsv
}
refuses_blocks 'a vertex twice' ":3: *'0'*second time*line 1*" '0 a\n1 a\n0 b\n2 a\n3 a\n'
refuses_blocks 'a vertex missing' ": *'2'*no block*" '0 a\n1 a\n3 b\n'
refuses_blocks 'an unknown vertex' ":2: *no vertex*'7'*" '0 a\n7 a\n'
refuses_blocks 'a vertex alone' ":2: *'1'*" '0 a\n1\n'
refuses_blocks 'three columns' ':1: *two columns*' '0 a b\n'
refuses_blocks 'nothing' ": *'0'*no block*" ''
refuses 'resolution' 2 "pathcount coarsen: --resolution*'-1'*" \
    coarsen g.txt -k 2 --blocks leiden --resolution=-1
refuses 'iterations' 2 'pathcount coarsen: *--iterations*' coarsen g.txt -k 2 --blocks leiden --iterations 0
refuses 'no memory' 69 '*
pathcount: *of memory*' coarsen "$graphs/lesmis.txt" -k 20 --blocks 2 --memory-limit 200K
printf '0 0 18446744073709551615\n0 1 1\n1 0 1\n' > heavy.txt
refuses 'quotient past 64 bits' 69 '*
pathcount: *' coarsen heavy.txt -k 1 --weights --directed --blocks 2 --graph q.tsv
folder_holds 'nothing is left of what was refused' b.txt g.txt heavy.txt
check 'help' 0 'Usage: pathcount *GRAPH --length K --blocks SPEC*--blocks=SPEC*--graph=FILE*--mean*Examples:*' '' \
    coarsen --help
wide=$(cut -c 81- "$notes/stdout" | tr -d '\n')
if [ -z "$wide" ]; then pass; else fail 'help in 80 columns' "too wide: $wide"; fi

# ---- The quotient graph for other programs ------------------------------------------------------------

printf '"a&b<","c ""d"""\n"c ""d""",é\né,é\n' > odd.csv
printf 'from\\to  a&b<  c "d"  é\na&b<        0      1  0\nc "d"       1      0  1\né           0      1  1\n' > expected
for ending in graphml gml; do
    run coarsen odd.csv -k 1 --blocks 1 -q --graph o.$ending
    run o.$ending -k 1 -q
    cp expected "$notes/expected"
    same "odd labels in $ending" "$notes/stdout"
done
refuses 'quotes in Pajek' 65 'pathcount: .net cannot be written: label number 2 has a double quote*' \
    coarsen odd.csv -k 1 --blocks 1 -q --graph o.net
printf 'a\001b c\n' > odd.txt
refuses 'control characters in GraphML' 65 '*label number 1 has a control character*' \
    coarsen odd.txt -k 1 --blocks 1 -q --graph o.graphml
printf 'a\377b c\n' > odd.txt
refuses 'other text than UTF-8 in GML' 65 '*label number 1 is not UTF-8*' coarsen odd.txt -k 1 --blocks 1 -q --graph o.gml
rm -f ./*

# Members: the file of blocks comes out as it went in, and communities can be asked for again.
printf 'a b\nb c\nc d\nd a\n"x y" a\n' > round.txt
printf 'a\tleft\nb\tleft\nc\tright\nd\tright\nx y\tout\n' > "$notes/expected"
run coarsen round.txt -k 2 -q --blocks "$notes/expected" --members members.tsv
same 'members are the blocks that were given' members.tsv
check 'members again' 0 '*left*right*out*' '' coarsen round.txt -k 2 -q --blocks members.tsv
refuses 'members over the graph' 2 '*are the same file*' coarsen round.txt -k 2 --blocks 2 --members round.txt
refuses 'members in no folder' 73 '*none/m.tsv*' coarsen round.txt -k 2 -q --blocks 2 --members none/m.tsv
printf 'vertex\tblock\na\tleft\n' > headed.tsv
refuses 'a header of blocks' 65 "*headed.tsv:1: there is no vertex 'vertex' in the graph; a header must begin with #*" \
    coarsen round.txt -k 2 -q --blocks headed.tsv
rm -f ./*
