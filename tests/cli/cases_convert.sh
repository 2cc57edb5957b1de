# `pathcount convert`: the graph stays the same in every format, and wrong command lines are told.

# ---- From each format to each -------------------------------------------------------------------

printf 'a b 2\nb c\nc c 3\n' | sed 's/c$/c 1/' > words.txt
printf '0 1\n1 2\n2 0\n3 2\n' > numbers.txt
for from in words numbers; do
    for direction in --directed --undirected; do
        weights=$([ $from = numbers ] || echo --weights)
        # shellcheck disable=SC2086 # may be empty
        "$pathcount" $from.txt $direction $weights -k 4 -o expected.tsv -q > /dev/null
        cp expected.tsv "$notes/expected"
        for ending in tsv csv.gz mtx wsg wsg.zst $([ $from = words ] || echo sg); do
            # shellcheck disable=SC2086
            "$pathcount" convert $from.txt g.$ending $direction $weights -q &&
                "$pathcount" convert g.$ending h.wsg --weights -q &&
                run h.wsg --weights -k 4 -o got.tsv -q
            [ $from.$ending != numbers.mtx ] || # whose indices begin with 1
                sed -e '1s/1\t2\t3\t4/0\t1\t2\t3/' -e 's/^1\t/0\t/;t' -e 's/^2\t/1\t/;t' -e 's/^3\t/2\t/;t' \
                    -e 's/^4\t/3\t/' -i got.tsv
            same "$from.txt $direction as $ending" got.tsv
            rm -f g.* h.*
        done
    done
done

# ---- Labels --------------------------------------------------------------------------------------

check 'labels have a file' 0 '' 'words.txt: edge list, undirected: 3 vertices, 3 edges (1 loop, counted once), weights ignored (--weights takes them)
g.sg.labels: the labels of vertices, a line each' convert words.txt g.sg
printf 'a\nb\nc\n' > "$notes/expected"
same 'a line each' g.sg.labels
check 'read back from there' 0 '1' 'g.sg: GAP, *' g.sg -k 1 --pair b c
check 'numbers need none' 0 '' 'numbers.txt: *4 edges' convert numbers.txt n.sg
is 'and have none' n.sg "$(echo n.*)"
check 'another graph takes the place' 0 '' '*g.sg.labels*' convert numbers.txt g.sg
check 'with its labels' 0 '1' 'g.sg: *' g.sg -k 1 --pair 0 1
check 'generated' 0 '' 'rmat: *16 vertices*' generate rmat --scale 4 -o r.sg
check 'quotient graph' 0 '*' '*q.wsg.labels: the labels *' \
    coarsen words.txt --weights -k 2 --blocks components --graph q.wsg
printf 'one\n' > r.sg.labels
refuses 'labels of another graph' 65 '*r.sg.labels:*: 1 labels, and the graph has 16 vertices: remove *' \
    r.sg -k 1 --total
check 'standard input has none' 0 '*' 'standard input: GAP, *' - -k 1 --total < r.sg

# ---- What cannot be written ----------------------------------------------------------------------

refuses 'weights' 65 "*'w.sg' cannot be written: the arc from a to b has weight 2, and a .sg has no weights; write .wsg" \
    convert words.txt w.sg --weights
printf '0 1 2147483648\n' > heavy.txt
refuses 'large weights' 65 '*has weight 2147483648, and weights in .wsg are at most 2147483647; write .mtx' \
    convert heavy.txt w.wsg --weights --columns 1,2,3
is 'nothing is left' '' "$(ls w.* 2> /dev/null)"
refuses 'no format' 2 "*cannot tell the format of 'w': *.sg, .wsg*" convert numbers.txt w
refuses 'no graph' 2 '*which graph, and into which file? For example: *' convert
refuses 'no file' 2 '*into which file? For example: pathcount convert numbers.txt graph.sg*' convert numbers.txt
refuses 'two files' 2 "*one graph and one file at a time: 'c.sg' is too much*" convert numbers.txt b.sg c.sg
refuses 'a device' 2 '*--device has no meaning here*' convert numbers.txt b.sg --device cpu
refuses 'not a relation' 65 '*which holds a graph*' chain r.sg
rm -f ./*
