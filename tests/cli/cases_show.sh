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

# A loop at each of 100 vertices, in 25 cells a side.
seq 0 99 | sed 's/.*/& &/' > loops.txt
run loops.txt -k 3 -q --show
for i in $(seq 0 24); do
    printf '|%*s@@%*s|\n' $((2 * i)) '' $((48 - 2 * i)) ''
done > "$notes/expected"
grep '^|' "$notes/stdout" > "$notes/last"
same 'cells that are merged' "$notes/last"
if holds "$notes/stdout" '*
100 x 100 counts, from each row to each column; each cell is the largest of 4 x 4
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

if script -qec true /dev/null < /dev/null > /dev/null 2>&1 && LC_ALL=C.UTF-8 locale charmap 2> /dev/null | grep -q UTF-8; then
    LC_ALL=C.UTF-8 TERM=xterm COLORTERM=truecolor NO_COLOR= shown 80 "'$pathcount'" three.txt -k 2 -q --show
    # Of each line the colours of the upper halves, equal neighbours counted.
    grep '▀' "$notes/shown" > "$notes/halves"
    upper=$(sed -n 1p "$notes/halves" | tr 'm' '\n' | sed -n 's/.*\[38;2;//p' | uniq -c |
        tr -s ' \n' ' ')
    middle=$(sed -n 3p "$notes/halves" | tr 'm' '\n' | sed -n 's/.*\[38;2;//p' | uniq -c |
        tr -s ' \n' ' ')
    # shellcheck disable=SC2086 # words
    set -- $upper $middle
    if [ "$1 $3 $5 $7 $9" = '4 4 4 4 4' ] && [ "$4 $8" = '255;255;255 255;255;255' ] &&
        [ "$2" = "$6" ] && [ "$2" != "$4" ] && [ "${10}" != "$2" ] && [ "${12}" = "$8" ]; then
        pass
    else
        fail 'colours' "$upper / $middle"
    fi
    sum_of() { echo $((${1%%;*} + $(echo "$1" | cut -d ';' -f 2) + ${1##*;})); }
    if [ "$(sum_of "$2")" -gt "$(sum_of "${10}")" ]; then pass
    else fail 'colours' 'the larger count is not the darker one'; fi

    LC_ALL=C.UTF-8 TERM=xterm COLORTERM=truecolor NO_COLOR= shown 20 "'$pathcount'" "$graphs/karate.txt" -k 2 -q \
        --show
    widest=$(grep '▀' "$notes/shown" | grep -v 'log scale' | sed 's/▀/#/g; s/[^#]//g' | wc -L)
    if [ "$widest" -gt 0 ] && [ "$widest" -le 20 ]; then pass
    else fail 'narrow terminal' "$widest columns"; fi

    escape=$(printf '\033')
    # Colours come only as far as the terminal says that it has them.
    for says in xterm::none xterm:truecolor:2 xterm:24bit:2 xterm:yes:5 xterm-256color::5 xterm-direct::2 \
        linux::none dumb:truecolor:none; do
        term=${says%%:*} depth=${says##*:} colorterm=${says#*:}
        LC_ALL=C.UTF-8 TERM=$term COLORTERM=${colorterm%:*} NO_COLOR= shown 80 "'$pathcount'" three.txt -k 2 -q \
            --show
        for kind in 2 5; do
            found=$(grep -c "\[38;$kind;" "$notes/shown")
            if [ "$kind" = "$depth" ]; then [ "$found" -gt 0 ]; else [ "$found" -eq 0 ]; fi && pass ||
                fail "colours of $says" "$found lines of kind $kind"
        done
    done
    # White is 231 of the 256 colours: three steps of five in each part of the cube.
    LC_ALL=C.UTF-8 TERM=xterm-256color COLORTERM= NO_COLOR= shown 80 "'$pathcount'" three.txt -k 2 -q --show
    if grep -q '\[38;5;231m' "$notes/shown"; then pass; else fail 'white in 256 colours' 'is another'; fi
    # The whole of it fits into 24 lines, in characters and in colours, and the text around it too.
    for colorterm in '' truecolor; do
        script -qec "stty cols 80 rows 24; LC_ALL=C.UTF-8 TERM=xterm COLORTERM=$colorterm NO_COLOR= \
            '$pathcount' '$graphs/karate.txt' -k 4 -q --show" /dev/null < /dev/null | tr -d '\r' > "$notes/typed"
        n_lines=$(sed -n '/^largest pairs/,$p' "$notes/typed" | sed '1,/^$/d' | wc -l)
        if [ "$n_lines" -ge 12 ] && [ "$n_lines" -le 23 ]; then pass
        else fail "24 lines, '$colorterm'" "$n_lines lines"; fi
    done
    # On a terminal the line about the graph is there once, elsewhere on both streams.
    seq 0 39 | sed 's/.*/& x&/' > wide.txt
    shown 80 "'$pathcount'" wide.txt -k 2 --no-header
    is 'no line twice on a terminal' 1 "$(grep -c 'edge list, undirected' "$notes/shown")"
    run wide.txt -k 2 --no-header
    is 'each stream has the line' '1 1' \
        "$(grep -c 'edge list, undirected' "$notes/stdout") $(grep -c 'edge list, undirected' "$notes/stderr")"
    rm wide.txt
    LC_ALL=C.UTF-8 TERM=xterm COLORTERM=truecolor NO_COLOR=1 shown 80 "'$pathcount'" three.txt -k 2 -q --show
    if holds "$notes/shown" '*|..  ..|*▁█*' && ! holds "$notes/shown" "*$escape*"; then pass
    else fail 'NO_COLOR' "$(cat "$notes/shown")"; fi
    LC_ALL=C.UTF-8 TERM=dumb NO_COLOR= shown 80 "'$pathcount'" three.txt -k 2 -q --show
    if holds "$notes/shown" '*|..  ..|*' && ! holds "$notes/shown" "*$escape*"; then pass
    else fail 'TERM=dumb' "$(cat "$notes/shown")"; fi
    LC_ALL=C TERM=xterm COLORTERM=truecolor NO_COLOR= shown 80 "'$pathcount'" three.txt -k 2 -q --show
    if holds "$notes/shown" '*|..  ..|*  09  4 to 6*'; then pass
    else fail 'no UTF-8' "$(cat "$notes/shown")"; fi
else
    skip 'colours of --show' 'script cannot make a terminal, or there is no C.UTF-8'
fi
folder_holds 'nothing left by --show' arc.txt loops.txt means.txt none.mtx three.txt weights.txt
