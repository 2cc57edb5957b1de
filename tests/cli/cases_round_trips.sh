# What pathcount writes it reads back as the same graph, without an option: vertices, edges, direction and
# multiplicities. Expected is what explicit options make of a file whose head comment was taken away.

# size FILE: direction, vertices and edges, from a line about a graph.
size()
{
    sed -n 's/^[^:]*: [^:]*, \([a-z]*\): \([0-9]*\) vert[a-z]*, \([0-9]*\) .*/\1 \2 \3/p' "$1"
}

# sums FILE [OPTION...]: paths of length 3 from and to each vertex, without labels, after the size.
sums()
{
    "$pathcount" "$@" -k 3 --sums > sums.out 2> sums.err || return 1
    size sums.err
    sed 1d sums.out | cut -f 2,3
}

# is_expected NAME FILE: FILE reads as $notes/expected.
is_expected()
{
    sums "$2" > "$notes/stdout" 2> "$notes/stderr"
    status=$?
    same "$1" "$notes/stdout"
}

for model in 'rmat --scale 6' 'rmat --scale 5 --directed --edge-factor 3' \
    'erdos-renyi --vertices 10 --edges 5 --seed 1' 'erdos-renyi --vertices 10 --edges 5 --directed' \
    'erdos-renyi --vertices 30 --probability 0.05' \
    'erdos-renyi --vertices 30 --probability 0.05 --directed' \
    'erdos-renyi --vertices 3 --edges 0' 'erdos-renyi --vertices 0 --edges 0' \
    'barabasi-albert --vertices 20 --edges-per-vertex 2' \
    'barabasi-albert --vertices 20 --edges-per-vertex 2 --directed' 'famous Zachary'; do
    # shellcheck disable=SC2086 # words are meant to be split
    if ! "$pathcount" generate $model > printed.txt 2> made.err; then
        skip "$model" 'built without igraph'
        continue
    fi
    case $model in *--directed*) direction=--directed ;; *) direction=--undirected ;; esac
    vertices=$(size made.err | cut -d ' ' -f 2)
    { size made.err; sed 1d printed.txt > bare.txt
      [ "$vertices" = 0 ] || sums bare.txt $direction --vertices "$vertices" | sed 1d; } \
        > "$notes/expected"
    is_expected "$model: standard output" printed.txt
    for file in g.tsv g.csv g.txt g.mtx g.tsv.gz g.mtx.zst; do
        # shellcheck disable=SC2086
        "$pathcount" generate $model -q -o $file
        is_expected "$model: $file" $file
    done
    rm -f ./*
done

# without_labels FILE: the numbers of a square table, whose labels may have blanks.
without_labels()
{
    tail -n +2 "$1" | awk -v n="$(($(wc -l < "$1") - 1))" '{
        for (i = NF - n + 1; i <= NF; i++) printf "%s ", $i
        print "" }'
}

# The quotient graph is the table of length 1; blocks with blanks and commas in their names.
printf '0 1\n1 2\n2 3\n3 0\n4 4\n5 6\n' > g.txt
printf '0\tNew York\n1\tNew York\n2\tRome, Italy\n3\tRome, Italy\n4\t#4\n5\ta\n6\tb\n' > names.txt
printf '0 7\n1 7\n2 9\n3 9\n4 12\n5 14\n6 13\n' > numbers.txt
for direction in --directed --undirected; do
    for blocks in 2 names.txt numbers.txt components; do
        run coarsen g.txt -k 1 --blocks $blocks $direction -q
        without_labels "$notes/stdout" > "$notes/expected"
        for file in q.tsv q.csv q.txt q.mtx q.csv.gz; do
            "$pathcount" coarsen g.txt -k 1 --blocks $blocks $direction -q --graph $file > /dev/null
            run $file -k 1
            without_labels "$notes/stdout" > numbers
            same "quotient by $blocks, $direction: $file" numbers
            if holds "$notes/stderr" "$file: *, ${direction#--}: *"; then pass
            else fail "quotient by $blocks: $file" 'another direction'; fi
            rm -f $file
        done
    done
done
rm -f ./*

# A product, written and multiplied on, is the longer product; multiplicities are above 1.
printf 'a p\na q\nb q\nc r\nc p\n' > wrote.txt
printf 'p V\nq V\nr W\n' > in.txt
run chain wrote.txt in.txt in.txt^T wrote.txt^T -q
sed '1d; s/^[^ ]*//' "$notes/stdout" > "$notes/expected"
for file in product.mtx product.mtx.gz; do
    "$pathcount" chain wrote.txt in.txt -q -o $file > /dev/null
    run chain $file $file^T -q
    sed '1d; s/^[^ ]*//' "$notes/stdout" > numbers
    same "product: $file" numbers
done
"$pathcount" chain wrote.txt in.txt -q -o product.tsv > /dev/null
refuses 'a product as a table' 65 '*product.tsv:1: this looks like a table with labels*' chain product.tsv in.txt
rm -f ./*

# A graph that we wrote is a relation with all its vertices as rows and columns.
printf '0 1\n1 2\n' > g.txt
for file in g.tsv g.mtx; do
    "$pathcount" coarsen g.txt -k 1 --blocks 1 -q --graph $file > /dev/null
    run chain $file $file -q
    sed '1d; s/^[^ ]* *//' "$notes/stdout" > numbers
    printf '1  0  1\n0  2  0\n1  0  1\n' > "$notes/expected"
    same "a graph as a relation: $file" numbers
done
