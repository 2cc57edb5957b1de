# The process that igraph runs in: what becomes of the command when igraph misbehaves there, and when the
# command is interrupted. fake_igraph.so takes the place of the reader of GML.

fake=$(dirname "$pathcount")/fake_igraph.so
child=$(dirname "$pathcount")/pathcount_igraph_child
printf 'graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]\n' > g.gml
printf '0 1\n' > g.txt
if [ ! -e "$fake" ] || [ ! -e "$child" ]; then
    skip 'the process of igraph' 'built without igraph, or fake_igraph.so is not beside the command'
    return 0 2> /dev/null
fi

# faked BEHAVIOUR ARGUMENT...: as run, with an igraph that does so.
faked()
{
    behaviour=$1
    shift
    LD_PRELOAD=$fake ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0:handle_segv=0:handle_abort=0 FAKE_IGRAPH=$behaviour \
        PATHCOUNT_IGRAPH_SECONDS=1 "$pathcount" "$@" > "$notes/stdout" 2> "$notes/stderr"
    status=$?
}

advice='convert the file to an edge list, one line for each edge'
faked crash g.gml -k 1 -q -o out.tsv
judge 'igraph crashes' 65 '' "pathcount: g.gml: igraph crashed (signal 11, *): $advice"
faked spin g.gml -k 1 -q -o out.tsv
judge 'igraph never ends' 65 '' "pathcount: g.gml: igraph was ended after 1 s of CPU time*: $advice"
faked print g.gml -k 1 -q --total
judge 'igraph prints' 0 2 ''
faked crash coarsen g.txt -k 1 -q --blocks leiden
judge 'communities crash' 70 '' 'pathcount: communities: igraph crashed*'

mkdir data
cp g.gml data
cp g.txt data/t.txt
faked crash batch data -k 1 --out out
judge 'a batch with a file that crashes igraph' 1 '' '*1 done, 1 failed*g.gml: igraph crashed*'

# interrupted SIGNAL: the command ends by it while igraph hangs, and takes the process of igraph with it.
interrupted()
{
    mkfifo pids
    setsid sh -c 'echo $$ > pids; exec "$@"' sh env --default-signal="$1" LD_PRELOAD="$fake" FAKE_IGRAPH=hang \
        ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 \
        "$pathcount" g.gml -k 1 --total > "$notes/stdout" 2> "$notes/stderr" &
    job=$!
    read -r group < pids
    sleep 1
    kill "-$1" "$group" 2> /dev/null
    wait $job
    status=$?
    rm -f pids
    left=$(ps -o args= -g "$group" | grep pathcount_igraph_child)
    [ -z "$left" ] || fail "igraph after $1" "still there: $left"
}

interrupted INT
judge 'interrupted while igraph reads' 130 '' '*pathcount: interrupted*'
interrupted TERM
judge 'ended while igraph reads' 143 '' '*pathcount: interrupted*'

# ---- Without the program ---------------------------------------------------------------------------

folder=$(dirname "$pathcount")
if [ -e "$folder/libpathcount.so.1" ]; then
    whole=$pathcount
    mkdir bare
    cp -L "$whole" "$folder/libpathcount.so.1" "$folder/libpathcount_igraph.so.1" bare
    pathcount=$work/bare/pathcount
    refuses 'without the program that runs igraph' 69 \
        'pathcount: the program that runs igraph is not there: *bare/pathcount_igraph_child; *install both*' \
        g.gml -k 1 -q --total
    sed 's/pathcount igraph [0-9]/pathcount igraph x/' "$child" > bare/pathcount_igraph_child
    chmod +x bare/pathcount_igraph_child
    refuses 'of another build' 69 'pathcount: pathcount_igraph_child is of another build*' \
        g.gml -k 1 -q --total
    echo 'no program' > bare/pathcount_igraph_child
    refuses 'no program' 69 'pathcount: g.gml: a process for igraph (*) cannot be started: Exec format error' \
        g.gml -k 1 -q --total
    cp "$child" bare
    check 'the right one is there again' 0 2 '' g.gml -k 1 -q --total
    pathcount=$whole
fi
rm -rf bare data out
folder_holds 'nothing made where igraph misbehaved' g.gml g.txt
