# --reduce: a matrix that is made of classes of vertices and of components is the same, byte for byte.

# A star, a complete bipartite graph, a complete graph, a cycle of 5 and an isolated vertex, alone and side by side; arcs
# from two sources to two sinks through a cycle; weights and loops.
for leaf in 1 2 3 4 5 6 7; do echo "c l$leaf"; done > star.txt
for left in a b c; do for right in p q r s t; do echo "$left $right"; done; done > bipartite.txt
for i in 1 2 3 4; do for j in 1 2 3 4; do [ $i -ge $j ] || echo "k$i k$j"; done; done > complete.txt
cat star.txt bipartite.txt complete.txt > union.txt
printf 'o1 o2\no2 o3\no3 o4\no4 o5\no5 o1\nx y\n' >> union.txt
printf 's1 u\ns2 u\nu v\nv w\nw u\nv t1\nv t2\nt1 z\nt2 z\n' > directed.txt
printf 'c l1 3\nc l2 3\nc l3 3\nc m1 5\nc m2 5\nm1 m2 7\nl1 l1 2\nl2 l2 2\nd e 9\n' > weights.txt

# compare NAME OPTION...: standard output and files are the same bytes with --reduce always and with --no-reduce.
compare()
{
    name=$1
    shift
    "$pathcount" "$@" -q --reduce always > reduced.out 2> "$notes/stderr"
    status=$?
    sed -i '/^time  /d' reduced.out
    for file in out.*; do [ ! -e "$file" ] || mv "$file" "reduced.$file"; done
    [ $status -eq 0 ] && run "$@" -q --no-reduce
    sed '/^time  /d' "$notes/stdout" > "$notes/expected"
    same "$name" reduced.out
    for file in out.*; do
        [ -e "$file" ] || continue
        cp "$file" "$notes/expected"
        same "$name: $file" "reduced.$file"
    done
    rm -f out.* reduced.out*
}

for graph in star bipartite complete union directed weights; do
    read=
    [ $graph != directed ] || read=--directed
    [ $graph != weights ] || read=--weights
    # shellcheck disable=SC2086 # words are meant to be split
    for length in 0 1 2 7 8 40; do
        for more in '' '--mod 4294967296' '--mod 10' '--mod 9'; do
            compare "$graph: summary of $length $more" $graph.txt $read -k $length $more --summary
            compare "$graph: files of $length $more" $graph.txt $read -k $length $more -o out.tsv -o out.npy -o out.mtx
        done
        for question in '--top 50' --sums --closed --trace --total '--from @vertex' --table --float --up-to; do
            "$pathcount" $graph.txt $read -k 0 --closed -q | sed -n '2,3s/	.*//p' > vertex
            compare "$graph: $question of $length" $graph.txt $read -k $length $question
        done
    done
done
compare 'each length' union.txt -k 5 --each -o out.npy
compare 'blocks' coarsen union.txt -k 5 --blocks components

check 'what was found is explained' 0 '*' '*
  reduced     26 vertices to 11 classes in 4 pieces*' union.txt -k 8 -q --reduce always --explain=all
run union.txt -k 8 -q --no-reduce --explain=all
if grep -q '^  reduced' "$notes/stderr"; then fail '--no-reduce explained' 'is reduced'; else pass; fi
check 'what was found as JSON' 0 '*"classes": 2,*"pieces": 1,*' '' star.txt -k 8 -q --reduce always --json
run star.txt -k 8 -q --no-reduce --json
if holds "$notes/stdout" '*"classes"*'; then fail '--no-reduce --json' 'has classes'; else pass; fi
run batch star.txt union.txt -k 8 -q --as tsv --reduce always --out reduced
run batch star.txt union.txt -k 8 -q --as tsv --no-reduce --out without
cp without/union.tsv "$notes/expected"
same 'a batch' reduced/union.tsv
refuses 'an unknown word' 2 "pathcount: --reduce must be auto, never or always, not 'sometimes'*" \
    star.txt -k 3 --reduce sometimes
refuses 'two answers' 2 'pathcount: --reduce and --no-reduce exclude each other*' star.txt -k 3 --reduce auto --no-reduce
