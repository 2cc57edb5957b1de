# `pathcount generate`: what it prints is a graph that it reads, and wrong command lines are told.

# Edges that are all there are: known without chance.
prints 'all edges' generate erdos-renyi --vertices 4 --edges 6 -q << 'END'
# pathcount graph: undirected, 4 vertices; Erdos-Renyi, made by pathcount generate erdos-renyi --vertices 4 --edges 6 -q
0 1
0 2
0 3
1 2
1 3
2 3
END
prints 'all arcs' generate erdos-renyi --vertices 3 --probability 1 --directed -q << 'END'
# pathcount graph: directed, 3 vertices; Erdos-Renyi, made by pathcount generate erdos-renyi --vertices 3 --probability 1 --directed -q
0 1
0 2
1 0
1 2
2 0
2 1
END
prints 'a star' generate barabasi-albert --vertices 13 --edges-per-vertex 12 --directed -q << 'END'
# pathcount graph: directed, 13 vertices; Barabasi-Albert, made by pathcount generate barabasi-albert --vertices 13 --edges-per-vertex 12 --directed -q
12 0
12 1
12 2
12 3
12 4
12 5
12 6
12 7
12 8
12 9
12 10
12 11
END
prints 'no edges' generate erdos-renyi --vertices 2 --probability 0 -q << 'END'
# pathcount graph: undirected, 2 vertices; Erdos-Renyi, made by pathcount generate erdos-renyi --vertices 2 --probability 0 -q
END
check 'what was made is told' 0 '*' 'erdos-renyi: Erdos-Renyi, undirected: 100 vertices, 7 edges' \
    generate erdos-renyi --vertices 100 --edges 7
check 'and what was drawn twice' 0 '*' 'rmat: R-MAT, undirected: 16 vertices, * duplicates dropped' \
    generate rmat --scale 4

# Written and read back it is the same graph; the edge list on standard output is longer than a piece.
for model in 'rmat --scale 11' 'rmat --scale 9 --directed --quadrants .4,.1,.3 --edge-factor 40' \
    'erdos-renyi --vertices 3000 --edges 20000 --seed 18446744073709551615' \
    'erdos-renyi --vertices 900 --probability 0.01 --directed' \
    'barabasi-albert --vertices 2000 --edges-per-vertex 7 --threads 3'; do
    "$pathcount" generate $model > printed.txt 2> /dev/null
    "$pathcount" generate $model -o g.mtx -q
    "$pathcount" generate $model -o g.tsv.gz -q
    "$pathcount" printed.txt -k 3 --json -o a.tsv > /dev/null 2>&1 &&
        "$pathcount" g.tsv.gz -k 3 -o b.tsv > /dev/null 2>&1 &&
        "$pathcount" g.mtx -k 3 -o c.mtx > /dev/null 2>&1
    status=$?
    mv a.tsv "$notes/expected"
    same "$model: read back" b.tsv
    n=$(grep -vc '^#' printed.txt)
    if [ "$(grep -v '^%' g.mtx | sed -n '1s/.* //p')" = "$n" ]; then pass; else fail "$model: edges" "$n"; fi
    rm -f ./*
done

run generate rmat --scale 12 --seed 5 --threads 1 -q
sed 1d "$notes/stdout" > "$notes/expected"
run generate rmat --scale 12 --seed 5 --threads 4 -q
sed 1d "$notes/stdout" > four.txt
same 'the same on four threads' four.txt
run generate rmat --scale 12 --seed 6 -q
sed 1d "$notes/stdout" > four.txt
if cmp -s four.txt "$notes/expected"; then fail 'another seed' 'the same graph'; else pass; fi
rm -f ./*

# ---- Famous graphs ---------------------------------------------------------------------------------

run generate famous zachary
if [ "$status" -eq 69 ] && holds "$notes/stderr" '*famous graphs need igraph*'; then
    skip 'famous graphs' 'built without igraph'
else
    judge 'famous graph' 0 '# pathcount graph: undirected, 34 vertices; famous graph, made by pathcount generate famous zachary
0 1*' 'zachary: famous graph, undirected: 34 vertices, 78 edges'
    cp "$notes/stdout" karate.txt
    check 'is the file that comes along' 0 "$("$pathcount" "$graphs/karate.txt" -k 8 -q \
        --json | sed -n 's/.*\("total_paths": "[0-9]*"\).*/*\1*/p')" '' karate.txt -k 8 -q --json
    refuses 'an unknown one' 2 "pathcount: no famous graph is called 'Pete': *Petersen*" \
        generate famous Pete
fi
rm -f ./*

# ---- What makes no sense ---------------------------------------------------------------------------

check 'help' 0 'Usage: pathcount generate *MODEL*Exit status*' '' generate --help
wide=$(cut -c 81- "$notes/stdout" | tr -d '\n')
if [ -z "$wide" ]; then pass; else fail 'help in 80 columns' "too wide: $wide"; fi
refuses 'two models' 2 "pathcount generate: rmat takes no argument 'rmat'*" generate rmat rmat
refuses 'two names' 2 "pathcount generate: famous takes no argument 'B'*" generate famous A B
refuses 'no name' 2 'pathcount generate: which famous graph[?]*' generate famous
refuses 'no vertices' 2 'pathcount generate: erdos-renyi needs --vertices*' generate erdos-renyi --edges 3
refuses 'no edges per vertex' 2 'pathcount generate: barabasi-albert needs --edges-per-vertex*' \
    generate barabasi-albert --vertices 3
refuses 'both' 2 'pathcount generate: erdos-renyi needs --edges or *' \
    generate erdos-renyi --vertices 3 --edges 1 --probability 0
refuses 'seed of a famous graph' 2 'pathcount generate: --seed has no meaning for famous*' \
    generate famous Petersen --seed 3
refuses 'device' 2 'pathcount generate: --explain and --device have no meaning*' \
    generate rmat --scale 3 --device cpu
refuses 'scale' 2 "pathcount generate: --scale must be an integer from 0 to 31, not '32'*" \
    generate rmat --scale 32
for p in 1.5 -0.1 nan x '' 0.5x 1e400; do
    refuses "probability '$p'" 2 "pathcount generate: --probability must be a number from 0 to 1, not '$p'*" \
        generate erdos-renyi --vertices 3 --probability "$p"
done
for q in . 0.5 0.5, 0.5,. 0.5,0.2 0.5,0.2,. 0.5,0.2,0.1, 0.5,0.2,0.1,0.2 0,0,0 a,b,c 0.5,,0.2 ,,, ''; do
    refuses "quadrants '$q'" 2 "pathcount generate: --quadrants must be three probabilities*not '$q'*" \
        generate rmat --scale 3 --quadrants "$q"
done
refuses 'quadrants beyond 1' 2 'pathcount: R-MAT: *add up to 1 at most' \
    generate rmat --scale 3 --quadrants 0.5,0.5,0.5
refuses 'too many edges' 2 'pathcount: Erdos-Renyi: 7 edges are too many: 4 vertices have room for 6 edges' \
    generate erdos-renyi --vertices 4 --edges 7
refuses 'fewer vertices than edges' 2 'pathcount: Barabasi-Albert: *' \
    generate barabasi-albert --vertices 4 --edges-per-vertex 4
refuses 'no memory' 69 'pathcount: to make a graph of 1048576 vertices from 1.678e+07 edges takes 0.411 GB*' \
    generate rmat --scale 20 --memory-limit 100M
if [ -e /dev/full ]; then
    "$pathcount" generate rmat --scale 12 -q > /dev/full 2> "$notes/stderr"
    status=$?
    : > "$notes/stdout"
    judge 'a full disk' 74 '' 'pathcount: standard output: *'
fi
folder_holds 'nothing is left behind'
