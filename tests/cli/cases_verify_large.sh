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
rm -f answer.txt wrong.txt wrong.tsv heavy.tsv
folder_holds 'nothing left by certifying' heavy.txt large.txt
