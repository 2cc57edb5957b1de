# The process that igraph runs in: what becomes of the command when igraph misbehaves there, and when the
# command is interrupted. fake_igraph.so takes the place of Leiden.

fake=$(dirname "$pathcount")/fake_igraph.so
child=$(dirname "$pathcount")/pathcount_igraph_child
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

asked='coarsen g.txt -k 1 -q --blocks leiden'
# shellcheck disable=SC2086 # words are meant to be split
{
    faked crash $asked
    judge 'igraph crashes' 70 '' 'pathcount: communities: igraph crashed (signal 11, *): try the other method*'
    faked hang $asked
    judge 'igraph hangs' 70 '' 'pathcount: communities: igraph hangs*'
    faked print $asked
    judge 'igraph prints' 0 '*' ''
}

# interrupted SIGNAL: the command ends by it while igraph hangs, and takes the process of igraph with it.
interrupted()
{
    mkfifo pids
    setsid sh -c 'echo $$ > pids; exec "$@"' sh env --default-signal="$1" LD_PRELOAD="$fake" FAKE_IGRAPH=hang \
        ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 \
        "$pathcount" coarsen g.txt -k 1 --blocks leiden > "$notes/stdout" 2> "$notes/stderr" &
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
judge 'interrupted while igraph works' 130 '' '*pathcount: interrupted*'
interrupted TERM
judge 'ended while igraph works' 143 '' '*pathcount: interrupted*'

# ---- Without the program ---------------------------------------------------------------------------

folder=$(dirname "$pathcount")
if [ -e "$folder/libpathcount.so.1" ]; then
    whole=$pathcount
    mkdir bare
    cp -L "$whole" "$folder/libpathcount.so.1" "$folder/libpathcount_igraph.so.1" bare
    pathcount=$work/bare/pathcount
    refuses 'without the program that runs igraph' 69 \
        'pathcount: the program that runs igraph is not there: *bare/pathcount_igraph_child; *install both*' \
        $asked
    sed 's/pathcount igraph [0-9]/pathcount igraph x/' "$child" > bare/pathcount_igraph_child
    chmod +x bare/pathcount_igraph_child
    refuses 'of another build' 69 'pathcount: pathcount_igraph_child is of another build*' \
        $asked
    echo 'no program' > bare/pathcount_igraph_child
    refuses 'no program' 69 'pathcount: communities: a process for igraph (*) cannot be started: Exec format error' \
        $asked
    cp "$child" bare
    check 'the right one is there again' 0 '*' '' $asked
    pathcount=$whole
fi
rm -rf bare
folder_holds 'nothing made where igraph misbehaved' g.txt
