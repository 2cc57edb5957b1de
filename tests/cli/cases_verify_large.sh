# Certifying answers of graphs that are so large that threads share their arcs, and of weights over long paths.

"$pathcount" generate erdos-renyi --vertices 30000 --edges 150000 -q -o large.txt
for question in '--total -k 6' '--sums -k 5' '--from 0 -k 4' '--total -k 4 --non-backtracking' \
    '--total -k 5 --mod 97' '--sums -k 4 --directed' '--from 7 -k 6 --float'; do
    # shellcheck disable=SC2086 # words
    "$pathcount" large.txt $question -q > answer.txt
    # shellcheck disable=SC2086
    check "a large graph: $question" 0 'answer.txt: certified*' '' verify large.txt answer.txt $question --threads 3
    sed '$s/0\([^0-9]*\)$/1\1/;t;$s/[1-9]\([^0-9]*\)$/0\1/' answer.txt > wrong.txt
    # shellcheck disable=SC2086
    refuses "a large graph, another digit: $question" 65 'pathcount: wrong.txt:*' \
        verify large.txt wrong.txt $question --threads 3
done

# Long paths are walked by squares of the matrix.
printf 'a b 3\nb c 5\nc a 2\na a 7\n' > heavy.txt
for options in '-k 1000000007 --mod 1000003 --weights' '-k 1000000007 --mod 1000003 --weights --directed' \
    '-k 99999999999 --mod 97'; do
    # shellcheck disable=SC2086
    run heavy.txt $options -q -o heavy.tsv
    # shellcheck disable=SC2086
    check "long paths: $options" 0 'heavy.tsv: certified*' '' verify heavy.txt heavy.tsv $options
    sed '2s/0$/1/;t;2s/[1-9]$/0/' heavy.tsv > wrong.tsv
    # shellcheck disable=SC2086
    refuses "long paths, another digit: $options" 65 'pathcount: wrong.tsv:*' verify heavy.txt wrong.tsv $options
done

# Doubles whose exponents pass those of long double at each step.
run heavy.txt -k 30000 --weights --float -q -o heavy.tsv
check 'doubles of long paths' 0 'heavy.tsv: certified*' '' verify heavy.txt heavy.tsv -k 30000 --weights --float

# Doubles far apart, over so many steps that only squares take a moment: 2^(62 * 2^26) is 2.59389010... 10^1252510424.
printf 'a a 4611686018427387904\nb b 1\n' > apart.txt
printf 'b b 1\na a 4611686018427387904\n' > turned.txt
echo 2.593890e+1252510424 > trace.txt
printf 'vertex\tpaths\na\t2.593890e+1252510424\nb\t1\n' > closed.txt
for file in apart.txt turned.txt; do
    check "doubles far apart: the trace of $file" 0 'trace.txt: certified*' '' \
        verify $file trace.txt -k 67108864 --weights --float --trace
    for number in 5 0 1 2.593890e+1252510425 2.593990e+1252510424 2.6e+1252510424 1e+1252510424; do
        echo $number > wrong.txt
        refuses "doubles far apart, $number for the trace of $file" 65 'pathcount: wrong.txt:1: *' \
            verify $file wrong.txt -k 67108864 --weights --float --trace
    done
done
printf 'vertex\tpaths\na\t2.593890e+1252510424\nb\t2\n' > wrong.txt
check 'doubles far apart: closed paths' 0 'closed.txt: certified*' '' \
    verify apart.txt closed.txt -k 67108864 --weights --float --closed
refuses 'doubles far apart: 2 instead of 1' 65 'pathcount: wrong.txt:3: *' \
    verify apart.txt wrong.txt -k 67108864 --weights --float --closed
{ seq 1 20 | sed 's/.*/x& y& 4611686018427387904/'; seq 1 19 | awk '{ print "y" $1, "x" $1 + 1, 1 }'; echo b b 1; } > line.txt
for number in 0 2 1000000; do
    echo $number > wrong.txt
    refuses "no trace beside longer paths is $number" 65 'pathcount: wrong.txt:1: *' \
        verify line.txt wrong.txt -k 39 --weights --directed --float --trace
done
echo 1 > answer.txt
check 'a trace beside longer paths' 0 'answer.txt: certified*' '' \
    verify line.txt answer.txt -k 39 --weights --directed --float --trace
refuses 'doubles that prove nothing' 65 '*roundings may add up to more than the number' \
    verify line.txt answer.txt -k 1000000000000000 --weights --directed --float --trace

printf '%%%%MatrixMarket matrix coordinate real symmetric\n%% numbers of paths of length 1000000000000000 from vertex i to vertex j\n%% label 1 a\n%% label 2 b\n2 2 0\n' > wrong.mtx
printf 'a b\n' > two.txt
timeout 5 "$pathcount" verify two.txt wrong.mtx -k 1000000000000000 --float > "$notes/stdout" 2> "$notes/stderr"
status=$?
judge 'no entries that prove nothing' 65 '' '*roundings may add up to more than the number'
rm -f wrong.mtx

# A file has all digits: fifty tolerances away is another number. 2^52 (2^52 + 1) paths, and the next doubles.
printf 'a b 4503599627370496\nb c 4503599627370497\n' > two.txt
"$pathcount" two.txt -k 2 --weights --directed --float -q -o two.tsv > "$notes/stdout"
check 'a double of a file' 0 'two.tsv: certified*' '' verify two.txt two.tsv -k 2 --weights --directed --float
for number in 2.028240960365209e+31 2.02824096036526e+31 2.028e+31 02.028240960365167e+31 7/4; do
    sed "2s/[^\t]*\$/$(echo $number | sed 's,/,\\/,')/" two.tsv > wrong.tsv
    refuses "the double $number of a file" 65 'pathcount: wrong.tsv:2: *' \
        verify two.txt wrong.tsv -k 2 --weights --directed --float
done
rm -f answer.txt wrong.txt wrong.tsv heavy.tsv apart.txt turned.txt trace.txt closed.txt line.txt two.txt two.tsv
folder_holds 'nothing left by certifying' heavy.txt large.txt
