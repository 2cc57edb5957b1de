# --show: the heatmap and the sparkline in the terminal. What is expected was counted by hand.

# shown COLUMNS COMMAND...: runs it in a terminal; what it shows is in $notes/shown.
shown()
{
    in_terminal "$@" | tr -d '\r' > "$notes/shown"
}

# shown_last NAME N: the last N lines of the last run are $notes/expected.
shown_last()
{
    tail -n "$2" "$notes/stdout" > "$notes/last"
    same "$1" "$notes/last"
}

printf '0 1\n1 2\n' > three.txt
run three.txt -k 2 -q --show
cat > "$notes/expected" << 'END'
+------+
|..  ..|
|  @@  |
|..  ..|
+------+
blank 0  1  . : - = + * # % @  2 (log scale)
3 x 3 counts, from each row to each column
paths of length 1..2  09  4 to 6
END
shown_last 'heatmap of three vertices' 8
prints 'a total has its growth' three.txt -k 2 -q --total --show << 'END'
6

paths of length 1..2  09  4 to 6
END

# Between the least count, 1, and the largest, 256, are eight steps of a factor of two.
{ for i in 0 1 2 3 4 5 6 7 8; do echo "$i $i $((1 << i))"; done; } > weights.txt
run weights.txt -k 1 -q --weights --directed --show
printf '|%s|\n' '..                ' '  ::              ' '    --            ' \
    '      ==          ' '        ++        ' '          **      ' '            ##    ' \
    '              %%  ' '                @@' > "$notes/expected"
grep '^|' "$notes/stdout" > "$notes/last"
same 'each step of the scale' "$notes/last"

# Means between {0, 1} and {2, 3}: 10, 4 and 6 paths of four pairs each.
printf '0 0 10\n1 2 4\n3 3 6\n' > means.txt
run coarsen means.txt --no-header -k 1 -q --weights --directed --blocks 2 --mean --show
cat > "$notes/expected" << 'END'
blank 0  1  . : - = + * # % @  2.5 (log scale)
2 x 2 counts, from each row to each column
END
grep -A 1 '^blank' "$notes/stdout" > "$notes/last"
same 'means on the scale' "$notes/last"

# A loop at each of 100 vertices, in 34 cells a side: 39 have room in 80 columns.
seq 0 99 | sed 's/.*/& &/' > loops.txt
run loops.txt -k 3 -q --show
for i in $(seq 0 33); do
    printf '|%*s@@%*s|\n' $((2 * i)) '' $((66 - 2 * i)) ''
done > "$notes/expected"
grep '^|' "$notes/stdout" > "$notes/last"
same 'cells that are merged' "$notes/last"
if holds "$notes/stdout" '*
100 x 100 counts, from each row to each column; each cell is the largest of 3 x 3
paths of length 1..3  999  100 to 100'; then pass; else fail 'size of cells' 'wrong'; fi

printf '0 1\n' > arc.txt
check 'no path of this length' 0 '*
|    |
|    |
+----+
blank 0
2 x 2 counts, from each row to each column
paths of length 1..5  9      1 to 0' '' arc.txt --directed -k 5 -q --show
printf '%%%%MatrixMarket matrix coordinate pattern general\n0 0 0\n' > none.mtx
check 'no vertices' 0 '*no vertices, nothing to show*' '' none.mtx -k 2 -q --show
check 'more lengths than columns' 0 '*
paths of length 1..200  0*9  4 to *' '' three.txt -k 200 -q --show
if [ "$(tail -n 1 "$notes/stdout" | wc -c)" -le 81 ]; then pass; else fail 'sparkline' 'too long'; fi

if script -qec true /dev/null < /dev/null > /dev/null 2>&1; then
    shown 20 "'$pathcount'" "$graphs/karate.txt" -k 2 -q --show
    is 'narrow terminal' 20 "$(grep '^[|+]' "$notes/shown" | wc -L)"
    # The whole of it fits into 24 lines, and the text around it too.
    script -qec "stty cols 80 rows 24; '$pathcount' '$graphs/karate.txt' -k 4 -q --show" /dev/null \
        < /dev/null | tr -d '\r' > "$notes/typed"
    n_lines=$(sed -n '/^largest pairs/,$p' "$notes/typed" | sed '1,/^$/d' | wc -l)
    if [ "$n_lines" -ge 12 ] && [ "$n_lines" -le 23 ]; then pass; else fail '24 lines' "$n_lines lines"; fi
    # On a terminal the line about the graph is there once, elsewhere on both streams.
    seq 0 39 | sed 's/.*/& x&/' > wide.txt
    shown 80 "'$pathcount'" wide.txt -k 2 --no-header
    is 'no line twice on a terminal' 1 "$(grep -c 'edge list, undirected' "$notes/shown")"
    run wide.txt -k 2 --no-header
    is 'each stream has the line' '1 1' \
        "$(grep -c 'edge list, undirected' "$notes/stdout") $(grep -c 'edge list, undirected' "$notes/stderr")"
    rm wide.txt
else
    skip 'a terminal that shows' 'script cannot make a terminal'
fi
folder_holds 'nothing left by --show' arc.txt loops.txt means.txt none.mtx three.txt weights.txt
