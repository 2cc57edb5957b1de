# `pathcount verify`: every format and every question is certified, and everything that is changed in a
# result is refused, with exit code 65 and the line.

hochberg=$graphs/hochberg.txt lesmis=$graphs/lesmis.txt

# certifies NAME FILE OPTION...: of $graph
certifies()
{
    verify_name=$1 verify_file=$2
    shift 2
    check "$verify_name is certified" 0 "$verify_file: certified, * number*" '' \
        verify "$graph" "$verify_file" "$@"
}

# not_certified NAME PATTERN FILE OPTION...: the pattern is that of the message after the line number.
not_certified()
{
    verify_name=$1 verify_pattern=$2 verify_file=$3
    shift 3
    refuses "$verify_name is refused" 65 "pathcount: $verify_file:*$verify_pattern*" \
        verify "$graph" "$verify_file" "$@"
}

# changed NAME PATTERN EDIT FILE OPTION...: FILE with a change by sed is refused, and sed did change it.
changed()
{
    verify_case=$1 verify_text=$2 verify_edit=$3 verify_from=$4
    shift 4
    sed "$verify_edit" "$verify_from" > "wrong-$verify_from"
    if cmp -s "$verify_from" "wrong-$verify_from"; then
        fail "$verify_case" "sed $verify_edit changes nothing"
    else
        not_certified "$verify_case" "$verify_text" "wrong-$verify_from" "$@"
    fi
}

# ---- Matrices ------------------------------------------------------------------------------------

# matrices OPTION...: in every format, of $graph.
matrices()
{
    for ending in tsv csv mtx npy npz pairs.tsv json tsv.gz mtx.gz npy.zst json.zst pairs.gz; do
        run "$graph" "$@" -q --output "m.$ending"
        [ "$ending $*" = 'npz --length 60' ] && continue # too wide
        certifies "$ending $*" "m.$ending" "$@"
    done
    rm -f m.*
}

graph=$hochberg
matrices --length 8
matrices --length 0
matrices --length 60
matrices --length 6 --directed
matrices --length 1000000000000 --mod 1000000007
matrices --length 9 --mod 2
matrices --length 7 --non-backtracking
matrices --length 7 --float
matrices --length 7 --markov --directed
graph=$lesmis
matrices --length 5 --weights
matrices --length 5 --weights --directed --multigraph --float
run "$hochberg" -k 500 --float -q -o wide.tsv
graph=$hochberg
certifies 'doubles with many rounds' wide.tsv -k 500 --float --certify 20
run "$hochberg" -k 300000 --total -q
cp "$notes/stdout" wide.txt
check 'more rounds for 559,000 bits or more' 0 'wide.txt: certified, 1 number in 3 rounds' '' \
    verify "$hochberg" wide.txt -k 300000 --total
changed 'a digit of a very wide count' 'paths' 's/^\(.*\)1\([^1]*\)$/\12\2/' wide.txt -k 300000 --total
check 'verify from standard input' 0 'standard input: certified, 100 numbers' '' \
    verify "$hochberg" - -k 500 --float < wide.tsv
check 'verify with --quiet' 0 '' '' verify "$hochberg" wide.tsv -k 500 --float -q

for blocks in '3' '3 --mean' '3 --mod 97' '4 --float' '3 --float --mean' 'components'; do
    # shellcheck disable=SC2086 # options are words
    for ending in tsv csv mtx npy npz pairs json; do
        run coarsen "$hochberg" --length 6 --directed --blocks $blocks -q --output "b.$ending"
        certifies "$ending between blocks $blocks" "b.$ending" -k 6 --directed --blocks $blocks
    done
done

# ---- Queries -------------------------------------------------------------------------------------

# queries OPTION...: of $graph, with the vertices of $from and $to
queries()
{
    printf '%s\t%s\n%s\t%s\n' "$from" "$to" "$to" "$to" > pairs.txt
    for question in --total --sums --closed --trace "--from=$from --from=$to" "--to=$to" \
        "--pair $from $to" '--pairs pairs.txt'; do
        for lengths in '' --each '--up-to'; do
            # shellcheck disable=SC2086 # options are words
            run "$graph" "$@" $question $lengths -q
            cp "$notes/stdout" answer
            # shellcheck disable=SC2086
            certifies "$* $question $lengths" answer "$@" $question $lengths
        done
    done
}

graph=$hochberg from=C to=J
queries --length 4
queries --length 12 --directed --mod 1000
queries --length 6 --non-backtracking
queries --length 6 --float --directed
queries --length 6 --markov
graph=$lesmis from=Valjean to=Cosette
queries --length 6 --weights --directed

# Centralities: graphs with arcs into nothing, weights, series that converge and that do not.
printf 'A B 3\nB B 1\nB C 2\nD A 1\n' > arcs.txt
sed '/^#/!s/$/ 1/' "$hochberg" > ones.txt
for graph in ones.txt "$lesmis" arcs.txt; do
    for options in '-k 0' '-k 1' '-k 30' '-k 200' '-k 9 --directed --weights'; do
        for question in '--katz 0.1' '--katz 1.5' '--katz 1e-200' '--subgraph-centrality'; do
            # shellcheck disable=SC2086 # options are words
            run "$graph" $options $question -q
            cp "$notes/stdout" series.txt
            # shellcheck disable=SC2086
            certifies "$options $question" series.txt $options $question
        done
    done
done
graph=$lesmis
run "$lesmis" -k 30 --katz 0.01 -q
cp "$notes/stdout" katz.txt

# ---- What is changed is refused ------------------------------------------------------------------

graph=$hochberg
for ending in tsv csv mtx json npy npz pairs.tsv; do
    run "$hochberg" --length 8 -q --output "m.$ending"
done
gzip -c m.tsv > whole.tsv.gz

not_certified 'another length' 'not the numbers of paths' m.tsv --length 7
not_certified 'another direction' 'not the numbers of paths' m.csv --length 8 --directed
not_certified 'counts instead of residues' 'not below the modulus' m.tsv --length 8 --mod 97
graph=$lesmis
not_certified 'another graph' 'labels of the columns' m.tsv --length 8
not_certified 'another graph by its labels' 'comment of the label' m.mtx --length 8
graph=$hochberg

for ending in tsv csv; do
    changed "a digit in $ending" "row 'C' are not" '4s/\([0-9]\)\(.\)$/9\2/' m.$ending -k 8
    changed "a row missing in $ending" 'label of the row' 5d m.$ending -k 8
    changed "the last row missing in $ending" 'rows are missing' '$d' m.$ending -k 8
    changed "a row twice in $ending" 'label of the row' 5p m.$ending -k 8
    changed "the last row twice in $ending" 'more than the result' '$p' m.$ending -k 8
    changed "rows exchanged in $ending" 'label of the row' '3{h;d};4G' m.$ending -k 8
    changed "a label changed in $ending" 'label of the row' '6s/^./X/' m.$ending -k 8
    changed "a label of a column in $ending" 'labels of the columns' '1s/G/X/' m.$ending -k 8
    changed "no header in $ending" '' 1d m.$ending -k 8
    changed "junk before $ending" '' '1s/^/junk/' m.$ending -k 8
    changed "a leading zero in $ending" 'no decimal integer' '7s/\(.\)\([1-9]\)/\10\2/' m.$ending -k 8
    changed "a sign in $ending" 'no decimal integer' '7s/\(.\)\([1-9]\)/\1+\2/' m.$ending -k 8
    changed "a blank in $ending" 'no decimal integer' '7s/$/ /' m.$ending -k 8
    changed "a column too much in $ending" 'too long' '7s/\(.\)\([0-9]*\)$/\1\2\11/' m.$ending -k 8
    changed "a column missing in $ending" 'too short' '7s/.[0-9]*$//' m.$ending -k 8
    changed "carriage returns in $ending" '' 's/$/\r/' m.$ending -k 8
done
# The labels of two rows are exchanged, and not their numbers: each number is a right one elsewhere.
changed 'labels exchanged' "row 'C' are not" 's/^C\t/Q\t/;s/^D\t/C\t/;s/^Q\t/D\t/;4{h;d};5G' m.tsv -k 8
changed 'an entry of mtx' 'are not' '19s/ \([0-9]*\)$/ 1\1/' m.mtx -k 8
changed 'an entry of mtx missing' 'entries are missing' 19d m.mtx -k 8
changed 'an entry of mtx twice' 'does not come after' 19p m.mtx -k 8
changed 'entries of mtx exchanged' 'does not come after' '19{h;d};20G' m.mtx -k 8
changed 'a place in mtx' 'no row and no column' '$s/^10 10/10 11/' m.mtx -k 8
changed 'the banner of mtx' 'first line' '1s/symmetric/general/' m.mtx -k 8
changed 'the comment of mtx' 'comments are not' '3s/length 8/length 9/' m.mtx -k 8
changed 'a comment too much in mtx' 'comment of the label' '3s/$/\n% more/' m.mtx -k 8
changed 'a label of mtx' 'comment of the label' '6s/C/D/' m.mtx -k 8
changed 'a comment behind labels of mtx' 'line of sizes' '13s/$/\n% more/' m.mtx -k 8
changed 'the type of mtx' 'first line' '1s/integer/real/' m.mtx -k 8
changed 'the size of mtx' 'not 10 x 10' 's/^10 10 /11 11 /' m.mtx -k 8
changed 'more entries in mtx' 'entries are missing' '/^10 10  /s/\([0-9]*\)$/9\1/' m.mtx -k 8
changed 'fewer entries in mtx' 'more than the result' '/^10 10  /s/[0-9]*$/ 9/' m.mtx -k 8
changed 'a digit in json' "row 'C' are not" '5s/"\([0-9]*\)"\]/"1\1"]/' m.json -k 8
changed 'a row missing in json' '' 5d m.json -k 8
changed 'a label in json' 'labels' '1s/G/X/' m.json -k 8
changed 'a number without quotes in json' 'double quotes' '5s/"//g' m.json -k 8
changed 'the type of npy' '' "s/'<u8'/'<i8'/" m.npy -k 8
changed 'the shape of npy' 'does not describe' 's/(10, 10)/(20, 5) /' m.npy -k 8
changed 'the order of npy' 'does not describe' 's/False/True /' m.npy -k 8
changed 'a digit in pairs' "row 'A' are not" '4s/\([0-9]*\)$/1\1/' m.pairs.tsv -k 8
changed 'a line missing in pairs' "row 'A' are not" 4d m.pairs.tsv -k 8
changed 'a line twice in pairs' 'no label of a column' 4p m.pairs.tsv -k 8
changed 'lines exchanged in pairs' 'no label of a column' '4{h;d};5G' m.pairs.tsv -k 8
changed 'rows exchanged in pairs' "row 'C' are not" 's/^C\t/Q\t/;s/^D\t/C\t/;s/^Q\t/D\t/' m.pairs.tsv -k 8
changed 'the header of pairs' 'from, to, paths' '1s/paths/ways/' m.pairs.tsv -k 8
changed 'the last line missing in pairs' "row 'J' are not" '$d' m.pairs.tsv -k 8
changed 'the type of npz' 'CRC of data.npy' "s/'<u8'/'<f8'/" m.npz -k 8
changed 'a name in npz' 'no archive' 's/shape.npy/shame.npy/' m.npz -k 8
changed 'more behind npz' 'more than the result' '$s/$/x/' m.npz -k 8
for ending in npy npz; do
    cp m.$ending.labels labels
    sed 's/^C$/D/' labels > m.$ending.labels
    refuses "a label beside $ending" 65 "pathcount: m.$ending.labels:*label that must come here*" \
        verify "$hochberg" m.$ending -k 8
    sed '$d' labels > m.$ending.labels
    refuses "a label missing beside $ending" 65 "pathcount: m.$ending.labels:*label that must come here*" \
        verify "$hochberg" m.$ending -k 8
    { cat labels; echo K; } > m.$ending.labels
    refuses "a label too much beside $ending" 65 "pathcount: m.$ending.labels:*more than the result*" \
        verify "$hochberg" m.$ending -k 8
    rm -f m.$ending.labels
    refuses "$ending without its labels" 65 "pathcount: m.$ending.labels: is missing*" verify "$hochberg" m.$ending -k 8
    cp labels m.$ending.labels
done

size=$(wc -c < m.npz)
{ head -c $((size - 1000)) m.npz; printf '\001'; tail -c 999 m.npz; } > w.npz
not_certified 'a byte of npz' 'CRC of data.npy' w.npz -k 8
size=$(wc -c < m.npy)
{ head -c $((size - 9)) m.npy; printf '\001'; tail -c 8 m.npy; } > w.npy
not_certified 'a byte of npy' "row 'J' are not" w.npy -k 8
for ending in tsv csv mtx json npy npz pairs.tsv; do
    size=$(wc -c < m.$ending)
    for cut in 1 2 9 100 $((size - 3)) $size; do
        head -c $((size - cut)) m.$ending > cut.$ending
        not_certified "$ending without $cut bytes" '' cut.$ending -k 8
    done
    { cat m.$ending; printf '\n'; } > more.$ending
    not_certified "$ending with a line more" '' more.$ending -k 8
done
head -c 100 whole.tsv.gz > torn.tsv.gz
refuses 'a torn packed result' 65 'pathcount: torn.tsv.gz*' verify "$hochberg" torn.tsv.gz -k 8

# +M is the same residue, but it is not below M.
run "$hochberg" --length 8 --mod 7 -q -o r.tsv
changed 'M added to a residue' 'not below the modulus' '3s/\t\([0-6]\)$/\t1\1/' r.tsv -k 8 --mod 7
changed 'a residue' "row 'D' are not" '5s/\t[0-2]$/\t3/;t;5s/\t[3-6]$/\t0/' r.tsv -k 8 --mod 7
run "$hochberg" --length 8 --mod 2 -q -o r2.tsv
changed 'a bit' "row 'D' are not" '5s/1$/0/;t;5s/0$/1/' r2.tsv -k 8 --mod 2
not_certified 'another modulus' '' r.tsv -k 8 --mod 5

# A round misses a wrong row once in the least prime factor of the modulus; without one below 2^20 it counts as 2^20,
# unless the modulus, below 2^40, must be a prime. There are as many rounds as 2^-80 takes.
for rounds in '2 80' '91 29' '1000000000039 3' '2305843009213693951 4'; do
    run "$hochberg" --length 8 --mod "${rounds% *}" -q -o r3.tsv
    check "rounds modulo ${rounds% *}" 0 "r3.tsv: certified, 100 numbers in ${rounds#* } rounds" '' \
        verify "$hochberg" r3.tsv -k 8 --mod "${rounds% *}"
done

# Doubles: a change in the tenth digit is no rounding.
run "$hochberg" --length 60 --float -q -o d.tsv
changed 'a digit of a double' 'further away' '5s/\(\.[0-9]\{8\}\)[0-8]/\19/' d.tsv -k 60 --float
changed 'the exponent of a double' 'further away' '5s/e+\(.\)./e+\10/' d.tsv -k 60 --float
changed 'an exponent that no number has' 'is no number' '5s/e+\([0-9]*\)$/e+9223372036854775807/' d.tsv -k 60 --float
changed 'a double that is none' 'is no number' '5s/e+/x/' d.tsv -k 60 --float
run "$hochberg" --length 60 --float -q -o d.mtx
changed 'a double of mtx missing' '' '20d' d.mtx -k 60 --float
run "$hochberg" --length 7 --markov -q -o p.mtx
not_certified 'probabilities of another length' 'comments are not' p.mtx -k 6 --markov

run coarsen "$hochberg" --length 6 --blocks 3 --mean -q -o b.csv
changed 'the denominator of a mean' 'are not' '3s,/\(.\)$,/1\1,' b.csv -k 6 --blocks 3 --mean
changed 'a mean with a slash too much' 'no fraction' '3s,/,//,' b.csv -k 6 --blocks 3 --mean

run "$hochberg" -k 4 --from C -q
cp "$notes/stdout" c.txt
changed 'a count of lines' 'counts here are not' '3s/.$/0/' c.txt -k 4 --from C
changed 'a vertex of lines' 'vertices of this line' '3s/C/D/' c.txt -k 4 --from C
changed 'a line missing' 'vertices of this line' 3d c.txt -k 4 --from C
changed 'the last line missing' 'lines are missing' '$d' c.txt -k 4 --from C
printf 'length\tfrom\tto\tpaths\n' > none.txt
not_certified '2^64 lines missing' 'lines are missing' none.txt -k 4611686018427387904 --each --float \
    --from A --from B --from C --from D
changed 'the header of lines' 'header' '1s/paths/walks/' c.txt -k 4 --from C
changed 'columns exchanged' 'header' '1s/from\tto/to\tfrom/' c.txt -k 4 --from C
not_certified 'lines of another vertex' 'vertices of this line' c.txt -k 4 --from D
not_certified 'lines of another question' 'header' c.txt -k 4 --closed
echo 1624 > total.txt
certifies 'the total' total.txt -k 4 --total
echo 1625 > total.txt
not_certified 'another total' 'not the number of paths' total.txt -k 4 --total
printf '1624' > total.txt
not_certified 'a total without an end' 'no end' total.txt -k 4 --total
graph=$lesmis
changed 'a digit of --katz' 'further away' '5s/\(\.[0-9]\{10\}\)[0-8]/\19/' katz.txt -k 30 --katz 0.01
changed 'a line of --katz missing' 'vertices of this line' 5d katz.txt -k 30 --katz 0.01
changed 'the column of --katz' 'header' '1s/c/k/' katz.txt -k 30 --katz 0.01
not_certified '--katz of another number' 'further away' katz.txt -k 30 --katz 0.0101
not_certified '--katz of another length' 'fewer digits' katz.txt -k 1 --katz 0.01
not_certified '--katz for subgraph centrality' 'further away' katz.txt -k 30 --subgraph-centrality
graph=$hochberg

# ---- Odd labels, and what has no certificate --------------------------------------------------------

printf 'a\tb,B\nB,"c,d"\nB,B\n' > odd.csv
graph=odd.csv
run odd.csv -k 3 --from B -q
cp "$notes/stdout" odd.txt
certifies "odd labels with --from B" odd.txt -k 3 --from B
graph=$hochberg

# cannot KIND FILE OPTION...: the message says what can be verified.
cannot()
{
    cannot_kind=$1 cannot_file=$2
    shift 2
    refuses "$cannot_file of $*" 65 \
        "pathcount: $cannot_file:1: $cannot_kind cannot be verified: matrices*vectors, pairs, totals, streams*" \
        verify "$hochberg" "$cannot_file" "$@"
}
for options in '-k 6' '-k 6 --up-to' '-k 6 --mod 97' '-k 6 --float'; do
    # shellcheck disable=SC2086 # options are words
    run "$hochberg" $options --json -q
    cp "$notes/stdout" summary.json
    # shellcheck disable=SC2086
    cannot 'a summary' summary.json $options
done
run "$lesmis" -k 6 -q
cp "$notes/stdout" summary.txt
cannot 'a summary' summary.txt -k 6
run "$hochberg" -k 4 -q
cp "$notes/stdout" table.txt
cannot 'a printed table' table.txt -k 4
for question in '--top 3' '--top-each 2' '--top 3 --json' '--top-each 2 --json'; do
    # shellcheck disable=SC2086
    run "$hochberg" -k 6 $question -q
    cp "$notes/stdout" top.txt
    # shellcheck disable=SC2086
    cannot 'a list of the largest counts' top.txt -k 6 $question
done

for question in '--total --each' '--sums --mod 97' '--pair A B' '--katz 0.125'; do
    # shellcheck disable=SC2086
    run "$hochberg" -k 6 $question --json -q
    cp "$notes/stdout" answer.json
    # shellcheck disable=SC2086
    refuses "$question as JSON" 65 \
        'pathcount: answer.json:1: an answer in JSON cannot be verified: ask for it without --json*' \
        verify "$hochberg" answer.json -k 6 $question
done

# ---- Products of relations -----------------------------------------------------------------------

cp "$graphs/writes.txt" "$graphs/published.txt" .
printf 'Ada p1 3\nBen p1 2\nBen p9 7\n' > other.txt
printf '%%%%MatrixMarket matrix coordinate integer general\n2 3 3\n1 1 2\n1 3 5\n2 2 1\n' > wide.mtx
# of_chain FACTORS OPTION...: a product in each format is certified.
of_chain()
{
    factors=$1
    shift
    for ending in tsv csv json mtx npy npz pairs mtx.gz; do
        # shellcheck disable=SC2086 # factors are words
        run chain $factors "$@" -q --output "p.$ending"
        [ "$ending $status" = 'npz 69' ] && continue # too wide
        # shellcheck disable=SC2086
        check "the product $factors $* as $ending" 0 "p.$ending: certified, * rounds" '' \
            verify --chain $factors "p.$ending" "$@"
    done
}
of_chain 'writes.txt published.txt'
of_chain 'writes.txt writes.txt^T'
of_chain 'published.txt^T writes.txt^T writes.txt published.txt'
of_chain 'other.txt' --weights
of_chain 'other.txt published.txt' --weights --allow-missing
of_chain 'wide.mtx wide.mtx^T' --weights --power 3
of_chain 'writes.txt writes.txt^T' --power 400
of_chain 'writes.txt writes.txt^T' --power 70 --mod 91
of_chain 'writes.txt writes.txt^T' --power 0
run chain writes.txt published.txt
cp "$notes/stdout" table.txt
refuses 'the printed table of a product' 65 '*a printed table cannot be verified: matrices (-o FILE)*' \
    verify --chain writes.txt published.txt table.txt
# product_changed NAME PATTERN EDIT FILE FACTORS...: the product in FILE with a change by sed is refused.
product_changed()
{
    product_name=$1 product_text=$2 product_edit=$3 product_from=$4
    shift 4
    sed "$product_edit" "$product_from" > w.txt
    if cmp -s "$product_from" w.txt; then fail "$product_name" "sed $product_edit changes nothing"; fi
    refuses "$product_name is refused" 65 "pathcount: w.txt:*$product_text*" verify --chain "$@" w.txt
}
of_chain 'writes.txt published.txt'
product_changed 'a number of a product' "row 'Ben' are not" '3s/2$/3/' p.tsv writes.txt published.txt
product_changed 'a column of a product' 'labels of the columns' '1s/Theory/Graphs/' p.csv writes.txt published.txt
product_changed 'a label of a product in json' 'labels of the matrix' '2s/Theory/Graphs/' p.json writes.txt published.txt
product_changed 'an entry of a product' 'are not' '$s/1$/2/' p.mtx writes.txt published.txt
product_changed 'a symmetric product that is none' 'no row and no column' '1s/general/symmetric/' p.mtx \
    writes.txt published.txt
for factors in 'writes.txt writes.txt^T' 'published.txt' 'published.txt published.txt^T writes.txt^T'; do
    # shellcheck disable=SC2086
    refuses "a product for $factors" 65 'pathcount: p.tsv:*' verify --chain $factors p.tsv
done
refuses 'a product whose relations do not fit' 65 '*have not the labels*(--allow-missing lets them)' \
    verify --chain published.txt writes.txt p.tsv
refuses 'a power of what is not square' 65 '*--power: rows and columns*' \
    verify --chain writes.txt published.txt p.tsv --power 2
run chain writes.txt writes.txt^T --power 2 -q -o kept.tsv
echo 'product               writes.txt published.txt' > summary.txt
refuses 'another power' 65 '*are not the numbers of paths*' verify --chain writes.txt writes.txt^T kept.tsv --power 3
refuses 'the summary of a product' 65 '*a summary cannot be verified: matrices (-o FILE)*' \
    verify --chain writes.txt published.txt summary.txt
refuses 'similarities' 2 '*verify the product, without --pathsim*' verify --chain writes.txt p.tsv --pathsim
refuses 'doubles of a product' 2 '*a result of --chain with --float cannot be verified*' \
    verify --chain writes.txt writes.txt^T p.tsv --power 2 --float
refuses 'a product modulo' 2 '*--mod is for --power*' verify --chain writes.txt p.tsv --mod 7
refuses 'a power without --chain' 2 '*--power is for products of relations: --chain*' \
    verify "$hochberg" m.tsv --power 2
refuses 'a product without relations' 2 '*which relations and which result?*' verify --chain p.tsv
refuses 'standard input twice' 2 '*can be read once only*' verify --chain - -

# ---- Streams of small graphs ---------------------------------------------------------------------

# Each format, sizes around those where a number of bits changes, repeated edges, loops, blank lines at the end.
printf '>>graph6<<A_\nA?\nBw\n&Ao\n&BKO\n:An\n:Bcf\n:Cca\n:Bc\n?\n@\n:@\n&@?\nDhc\nDQc\nC~\n' > some.g6
for n in 7 8 9 16 17 32 33 62 63 64 65 90; do
    awk -v n=$n 'BEGIN {
        if (n < 63) printf "%c", n + 63; else printf "~?%c%c", 63 + int(n / 64), 63 + n % 64
        for (i = 1; i < n * (n - 1) / 12; i++) printf "%c", 63 + (i * i * 37 + n) % 64
        print "?" }' >> some.g6
done
printf '\n \n' >> some.g6
gzip -c some.g6 > some.g6.gz
for options in '--total' '--closed' '--total --closed' '--trace --total --each' '--total --up-to --mod 91' \
    '--total --directed --multigraph' '--total --closed --undirected --multigraph' \
    '--closed --total --non-backtracking' '--total -k 300' '--total --closed --each -k 1'; do
    # shellcheck disable=SC2086 # options are words
    run batch some.g6 -k 6 $options -q
    cp "$notes/stdout" answers.txt
    for stream in some.g6 some.g6.gz; do
        # shellcheck disable=SC2086
        check "$stream $options" 0 'answers.txt: certified, *' '' \
            verify --stream $stream answers.txt -k 6 $options
    done
done
run batch some.g6 -k 6 --total --closed -q
cp "$notes/stdout" answers.txt
# stream_changed NAME PATTERN EDIT: the answers with a change by sed are refused.
stream_changed()
{
    sed "$3" answers.txt > w.txt
    if cmp -s answers.txt w.txt; then fail "$1" "sed $3 changes nothing"; fi
    refuses "$1 is refused" 65 "pathcount: w.txt:$2" verify --stream some.g6 w.txt -k 6 --total --closed
}
stream_changed 'a total of a stream' '15: a count is not*graph 14' '15s/^./&1/'
stream_changed 'closed paths of a stream' '15: a count is not*graph 14' '15s/$/1/'
stream_changed 'a line of a stream missing' '3: *' 3d
stream_changed 'the last line of a stream missing' '*lines are missing' '$d'
stream_changed 'a line of a stream too much' '*more than the result*' '$p'
stream_changed 'a column of a stream' '*a count is missing' '5s/\t.*//'
stream_changed 'the header of a stream' '1: the header*' '1s/closed/x/'
stream_changed 'a sign in a stream' '4: a count is not*' '4s/^/+/'
refuses 'answers of another length' 65 '*a count is not*' verify --stream some.g6 answers.txt -k 7 --total --closed
refuses 'answers of another question' 65 '*the header*' verify --stream some.g6 answers.txt -k 6 --total --each
echo 'Bw~' > bad.g6
refuses 'a stream that cannot be read' 65 '*bad.g6:1: this is no graph in graph6*' \
    verify --stream bad.g6 answers.txt -k 6 --total
refuses 'a stream without a question' 2 '*--total, --closed or both*' verify --stream some.g6 a.txt -k 6
refuses 'both without a stream' 2 '*exclude each other (only --stream has both)*' \
    verify some.g6 a.txt -k 6 --total --closed
mkdir SET
: > SET/SET_A.txt
: > SET/SET_graph_indicator.txt
refuses 'a TUDataset' 2 "*'SET' is a TUDataset: verify takes graphs as lines*" verify --stream SET a.txt -k 6 --total

# ---- The folder of a batch -----------------------------------------------------------------------

mkdir sets
cp "$hochberg" sets/h.txt
cp "$lesmis" sets/les.txt
printf 'C J\nA B\n' > two.txt
printf '{"input": "sets/h.txt", "name": "pairs", "options": ["--pairs", "two.txt", "--as", "tsv"]}\n' > jobs
for options in '--as=mtx.gz' '--total' '--mod=97 --as=npy' '--float' '--closed' '--as=json' '--markov'; do
    rm -rf results
    # shellcheck disable=SC2086 # options are words
    run batch sets --length 5 $options --out results -q
    check "the folder of a batch $options" 0 '*certified*certified*' '' verify results
done
rm -rf results
run batch sets --jobs 1 --length 5 --manifest jobs --out results -q
check 'the folder of a batch, quiet' 0 '' '' verify results -q
refuses 'options beside a folder' 2 '*leave --mod out*' verify results --mod 7
cp results/manifest.jsonl lines
sed 's/"--length=5"/"--version"/' lines > results/manifest.jsonl
refuses 'a manifest with another option' 2 '*manifest.jsonl has the option --version*' verify results
cp lines results/manifest.jsonl
cp results/h.mtx kept.mtx
sed '22s/$/1/' kept.mtx > results/h.mtx
check 'a result of a folder that was changed' 65 '*les.mtx: certified*' '*h.mtx: is not the result*' verify results
digest=$(sha256sum < results/h.mtx | cut -d ' ' -f 1)
sed "s/\"result\": \"h.mtx\", \"result_sha256\": \"[0-9a-f]*/\"result\": \"h.mtx\", \"result_sha256\": \"$digest/" \
    results/manifest.jsonl > lines
cp lines results/manifest.jsonl
check 'a wrong result of a folder' 65 '*les.mtx: certified*' '*h.mtx:*are not the numbers*' verify results
cp kept.mtx results/h.mtx
echo 'A B' > sets/h.txt
check 'a dataset that was changed' 65 '*les.mtx: certified*' '*h.txt: is not the dataset*' verify results
rm -rf results sets/les.txt
echo 'A' > sets/bad.txt
run batch sets --jobs 1 --length 5 --out results -q
check 'a job that failed' 1 '*h.mtx: certified*' '*bad.txt: has no result*' verify results
refuses 'a folder without a manifest' 66 '*manifest.jsonl: cannot be opened*' verify sets

refuses 'verify without a result' 2 '*which graph and which result?*' verify "$hochberg" -k 4
refuses 'verify of a result that is not there' 66 '*cannot be opened*' verify "$hochberg" none.tsv -k 4
refuses 'verify of --top and a certificate' 2 '*--top has no certificate*' \
    verify "$hochberg" c.txt -k 4 --top 3 --certificate c.json
refuses 'verify of what is no result' 65 '*no matrix in a format*' verify "$hochberg" "$hochberg" -k 4

# ---- Certificates --------------------------------------------------------------------------------

graph=$hochberg
# with_certificate NAME RESULT-OPTION... : counts, and verifies result and certificate.
with_certificate()
{
    rm -f c.tsv c.json
    run "$hochberg" "$@" -q --output c.tsv --certificate c.json
    certifies "a result with a certificate: $*" c.tsv "$@" --certificate c.json
}
with_certificate -k 8
with_certificate -k 8 --float
with_certificate -k 7 --directed --mod 91
with_certificate -k 7 --non-backtracking
for question in '--total --each' '--from=C' '--closed' '--sums' '--pair A B'; do
    # shellcheck disable=SC2086 # options are words
    run "$hochberg" -k 5 $question -q --certificate c.json
    cp "$notes/stdout" c.txt
    # shellcheck disable=SC2086
    certifies "a certificate of $question" c.txt -k 5 $question --certificate c.json
done
run coarsen "$hochberg" -k 5 --blocks 3 -q --output b.tsv --certificate c.json
certifies 'a certificate between blocks' b.tsv -k 5 --blocks 3 --certificate c.json

with_certificate -k 8
# certificate_changed NAME PATTERN EDIT: the certificate with a change by sed is refused.
certificate_changed()
{
    sed "$3" c.json > w.json
    if cmp -s c.json w.json; then fail "$1" "sed $3 changes nothing"; fi
    refuses "$1 is refused" 65 "pathcount: w.json: $2" \
        verify "$hochberg" c.tsv -k 8 --certificate w.json
}
certificate_changed 'another graph' '"graph" is not*' 's/"sha256": "./"sha256": "x/'
certificate_changed 'another policy' '"policies" is not*' 's/"weights": false/"weights": true/'
certificate_changed 'another length' '"question" is not*' 's/"length": "8"/"length": "9"/'
certificate_changed 'another result' '"result" has*' 's/\("result": {"sha256": "\)./\1x/'
certificate_changed 'another seed' '"images" are not*' 's/"seed": "\([0-9]\{9\}\)/"seed": "1/'
certificate_changed 'another image' '"images" are not*' 's/\[\["[0-9a-f]/[["0/'
certificate_changed 'a modulus that is no prime' 'a modulus*' 's/"modulus": "[0-9]*"/"modulus": "1152921504606846976"/'
certificate_changed 'no rounds' '"rounds" is not*' 's/"rounds": .*/"rounds": []}/'
certificate_changed 'no JSON' 'this is no certificate*' 's/}$//'
refuses 'a certificate and --top' 2 '*--top has no certificate*' "$hochberg" -k 2 --top 3 --certificate c.json
refuses 'a certificate over the result' 2 '*same file*' "$hochberg" -k 2 -o c.tsv --certificate c.tsv
run "$hochberg" -k 2 -q --certificate none/c.json
is 'a certificate in a folder that is not there' 73 "$status"

# The script is another program: it reads graph, result and certificate by itself.
script=$graphs/../check_certificate.py
if command -v python3 > "$notes/found"; then
    for options in '-k 8' '-k 0' '-k 6 --directed' '-k 30 --mod 91'; do
        for ending in tsv csv mtx tsv.gz; do
            # shellcheck disable=SC2086 # options are words
            run "$lesmis" $options -q --output "p.$ending" --certificate c.json
            is "the script certifies $ending $options" "p.$ending: holds" \
                "$(python3 "$script" "$lesmis" "p.$ending" c.json 2>&1 | sed 's/,.*//')"
        done
    done
    # script_refuses NAME EXPECTED GRAPH: of p.tsv
    script_refuses()
    {
        got=$(python3 "$script" "$3" p.tsv c.json 2>&1)
        case $?:$got in 1:p.tsv:*"$2"*) pass ;; *) fail "$1" "$got" ;; esac
    }
    run "$lesmis" -k 8 -q --output p.tsv --certificate c.json
    script_refuses 'the script and another graph' 'the graph has' "$hochberg"
    cp p.tsv whole.tsv
    sed '5s/[0-8]$/9/;t;5s/9$/0/' whole.tsv > p.tsv
    script_refuses 'the script and another result' 'the result has' "$lesmis"
    digest=$(sha256sum < p.tsv | cut -d ' ' -f 1)
    sed "s/\(\"result\": {\"sha256\": \"\)[0-9a-f]*/\1$digest/" c.json > d.json
    mv d.json c.json
    script_refuses 'the script and a wrong count' 'is not the numbers of paths' "$lesmis"
    mv whole.tsv p.tsv
    sed 's/\[\["[0-9a-f]/[["0/' c.json > d.json
    digest=$(sha256sum < p.tsv | cut -d ' ' -f 1)
    sed "s/\(\"result\": {\"sha256\": \"\)[0-9a-f]*/\1$digest/" d.json > c.json
    script_refuses 'the script and a wrong image' 'an image' "$lesmis"
else
    skip 'the script that checks certificates' 'there is no python3'
fi

# ---- Reading back --------------------------------------------------------------------------------

# A file that does not hold what was written to it never gets its name.
fake_bytes=$(dirname "$pathcount")/fake_bytes.so
rm -rf ./*
if [ -r "$fake_bytes" ]; then
    # spoilt NAME STATUS OFFSET FILE OPTION...: a count of lesmis.txt with that byte of its file changed.
    spoilt()
    {
        spoilt_name=$1 spoilt_status=$2 spoilt_at=$3 spoilt_file=$4
        shift 4
        env LD_PRELOAD="$fake_bytes" ASAN_OPTIONS=verify_asan_link_order=0 FAKE_BYTES_AT="$spoilt_at" \
            "$pathcount" "$lesmis" --length 6 -q --output "$spoilt_file" "$@" \
            > "$notes/stdout" 2> "$notes/stderr"
        status=$?
        if [ "$spoilt_status" = 0 ]; then
            judge "$spoilt_name" 0 '*' ''
            rm -f "$spoilt_file" "$spoilt_file.labels"
        else
            judge "$spoilt_name" 70 '' "pathcount: $spoilt_file:*read back is not what was counted*"
            folder_holds "$spoilt_name: nothing is left"
        fi
    }
    for ending in tsv csv json mtx npy pairs; do
        run "$lesmis" --length 6 -q --output "m.$ending"
        size=$(wc -c < "m.$ending")
        rm -f "m.$ending" "m.$ending.labels"
        # The last row is in the sample; a line feed that is another character ends no line.
        spoilt "a byte of the last row of $ending" 70 $((size - 12)) "m.$ending"
        spoilt "a byte in the middle of $ending, all rows" 70 $((size / 2)) "m.$ending" --certify 3
        spoilt "a byte of the head of $ending" 70 12 "m.$ending"
        spoilt "a byte of $ending that is not looked at" 0 $((size - 12)) "m.$ending" --certify 0
    done
    spoilt 'a byte of a double' 70 $((77 * 77 * 8)) m.npy --float
    spoilt 'a byte of a residue' 70 $((77 * 77 * 8)) m.npy --mod 1000
    spoilt 'a packed file, all rows' 70 2000 m.tsv.gz --certify 3
    for options in '' '--certify 1' '--certify 3' '--certify 0' '--float' '--float --certify 3' \
        '--mod 12' '--mod 12 --certify 3' '--directed' '--non-backtracking' '--markov --certify 3'; do
        for ending in tsv csv json mtx npy npz pairs json.gz; do
            # shellcheck disable=SC2086 # options are words
            check "$ending is read back $options" 0 '*' '' "$lesmis" -k 6 -q -o "m.$ending" $options
        done
    done
else
    skip 'files that do not hold what was written' 'fake_bytes.so does not lie beside the command'
fi
for options in '' '--mean' '--mean --certify 3' '--float' '--float --mean --certify 3' '--mod 97'; do
    for ending in tsv json mtx npy npz pairs; do
        # shellcheck disable=SC2086 # options are words
        check "$ending between blocks is read back $options" 0 '*' '' \
            coarsen "$lesmis" -k 6 --blocks 4 -q -o "b.$ending" $options
    done
done
printf '"a ""b"", c",c\\d\nc\\d, e f\ne f,"a ""b"", c"\n' > odd.csv
for ending in tsv csv json mtx npy npz pairs; do
    check "odd labels in $ending are read back" 0 '*' '' odd.csv -k 6 -q -o "o.$ending" --certify 3
    check "odd labels in $ending, a sample" 0 '*' '' odd.csv -k 6 -q -o "o.$ending"
done
check 'the time of reading back' 0 '*' '*reading back: *' "$lesmis" -k 6 -q -o m.tsv --explain=all
