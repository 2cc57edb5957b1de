# What becomes of the files that are written: their permissions, links in the way, what is left of runs that
# were killed, and what a power failure would leave. File systems of other kinds come from
# tests/fakes/fake_files.c.

fake_files=$(dirname "$pathcount")/fake_files.so
fake_memory=$(dirname "$pathcount")/fake_memory.so
former_mask=$(umask)
umask 022

# faked SETTING COMMAND...: with tests/fakes/fake_files.c.
faked()
{
    faked_setting=$1
    shift
    env LD_PRELOAD="$fake_files" ASAN_OPTIONS=verify_asan_link_order=0 "$faked_setting" "$@"
}

# Every way to write a file of the name $1, except those of a batch.
write_each()
{
    run g.txt -k 2 -q -o "$1.csv"
    run g.txt -k 2 -q -o "$1.mtx.gz"
    run coarsen g.txt --blocks 2 -k 2 -q --graph "$1.mtx"
    run generate rmat --scale 3 -q -o "$1.tsv"
    run chain loop.txt loop.txt -q -o "$1.npy"
    [ "$has_cairo" = no ] || run g.txt -k 2 -q --plot "$1.svg"
}

printf '0 1\n1 2\n' > g.txt
printf '0 0\n' > loop.txt
run g.txt -k 2 -q --plot a.svg
has_cairo=yes
[ $status -eq 0 ] || has_cairo=no
endings='csv mtx.gz mtx tsv npy'
[ $has_cairo = no ] || endings="$endings svg"
rm -f ./*.svg

# ---- Permissions ---------------------------------------------------------------------------------

# permissions KIND: of new files, and of files of ours.
permissions()
{
    (umask 027 && write_each new)
    for ending in $endings; do
        is "permissions of a new file: $ending, $1" 640 "$(stat -c %a "new.$ending")"
        : > "old.$ending"
        chmod 7741 "old.$ending"
    done
    write_each old
    for ending in $endings; do
        is "permissions of a file of ours: $ending, $1" 741 "$(stat -c %a "old.$ending")"
        is "it is written: $ending, $1" yes "$([ -s "old.$ending" ] && echo yes)"
    done
    rm -f new.* old.*
}

permissions 'default'
if [ -r "$fake_files" ]; then
    really=$pathcount
    cat > named << END
#!/bin/sh
LD_PRELOAD='$fake_files' ASAN_OPTIONS=verify_asan_link_order=0 FAKE_FILES_NAMED=1 exec '$really' "\$@"
END
    chmod +x named
    pathcount=$PWD/named
    permissions 'named'
    pathcount=$really
fi
folder_holds 'no files besides' g.txt loop.txt ${really:+named}

# ---- Links of our own ----------------------------------------------------------------------------

printf '0 1\n1 2\n' > g.txt
printf '0 0\n' > loop.txt
mkdir real
ln -s real folder
ln -s folder/target.tsv link.tsv
ln -s "$PWD/link.tsv" first.tsv
check 'a link to a link to no file' 0 '*' '' g.txt -k 2 -q -o first.tsv
is 'links stay links' 'folder/target.tsv' "$(readlink link.tsv)"
is 'the file is where they lead' '4' "$(grep -c . real/target.tsv)$(rm real/target.tsv)"
ln -s round.tsv round.tsv
refuses 'a link to itself' 73 "pathcount: cannot create 'round.tsv': Too many levels*" \
    g.txt -k 2 -q -o round.tsv
ln -s nowhere/a.tsv lost.tsv
refuses 'a link into no folder' 73 "pathcount: cannot create 'lost.tsv': No such file or directory: make its folder first" \
    g.txt -k 2 -q -o lost.tsv
refuses 'a file for a folder' 73 "pathcount: cannot create 'g.txt/a.tsv': Not a directory" \
    g.txt -k 2 -q -o g.txt/a.tsv
check 'dots and links' 0 '*' '' g.txt -k 2 -q -o folder/../real/./a.tsv
is 'dots and links: the file' a.tsv "$(ls -A real)"
rm -rf ./*

# ---- Another user --------------------------------------------------------------------------------

# other COMMAND...: as a user who is not us.
other()
{
    setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

# shared MODE OWNER: an empty folder of that mode; the file home/precious.tsv is ours.
shared()
{
    rm -rf shared home
    mkdir shared home
    echo precious > home/precious.tsv
    chown "$2" shared
    chmod "$1" shared
}

# refuses_link NAME ARGUMENT...: for a link of another user, and what it leads to stays as it is.
refuses_link()
{
    link_case=$1
    shift
    refuses "$link_case" 73 '*is a link of another user*' "$@"
    is "$link_case: the file" precious "$(cat home/precious.tsv)"
    is "$link_case: the folder" precious.tsv "$(ls -A home)"
}

other_user()
{
    shared 1777 0
    for ending in $endings; do
        other touch "shared/out.$ending"
        other chmod 6777 "shared/out.$ending"
    done
    write_each shared/out
    for ending in $endings; do
        is "in place of a file of another user: $ending" '0 644' \
            "$(stat -c '%u %a' "shared/out.$ending")"
    done

    shared 1777 0
    other ln -s "$PWD/home/precious.tsv" shared/link.tsv
    other ln -s "$PWD/home/new.tsv" shared/new.tsv
    other ln -s "$PWD/home" shared/folder
    refuses_link 'link to a file' g.txt -k 2 -q -o shared/link.tsv
    refuses_link 'link to no file' g.txt -k 2 -q -o shared/new.tsv
    refuses_link 'link to a folder' g.txt -k 2 -q -o shared/folder/precious.tsv
    refuses_link 'link of generate' generate rmat --scale 3 -q -o shared/link.tsv
    refuses_link 'link of coarsen' coarsen g.txt --blocks 2 -k 2 -q --graph shared/link.tsv
    refuses_link 'link to the folder of a batch' batch g.txt -k 2 -q --out shared/folder
    ln -s shared/link.tsv ours.tsv
    refuses_link 'our link to that of another user' g.txt -k 2 -q -o ours.tsv
    mkdir shared/results
    chmod 1777 shared/results
    other ln -s "$PWD/home/new.jsonl" shared/results/manifest.jsonl
    refuses_link 'link of a manifest' batch g.txt -k 2 -q --out shared/results
    rm shared/results/manifest.jsonl ours.tsv
    other ln -s "$PWD/home/precious.tsv" shared/results/g.tsv
    run batch g.txt -k 2 -q --total --out shared/results
    is 'link of a result: the file' precious "$(cat home/precious.tsv)"

    ln -s "$PWD/home/precious.tsv" shared/ours.tsv
    check 'our own link beside those' 0 '*' '' g.txt -k 2 -q -o shared/ours.tsv
    is 'our own link beside those: the file' 4 "$(grep -c . home/precious.tsv)"
    for folder in '1777 65534' '0777 0' '1775 0'; do
        # shellcheck disable=SC2086 # words
        shared $folder
        ln -s "$PWD/home/precious.tsv" shared/link.tsv
        chown -h 65534 shared/link.tsv
        check "link in a folder $folder" 0 '*' '' g.txt -k 2 -q -o shared/link.tsv
    done
}

printf '0 1\n1 2\n' > g.txt
printf '0 0\n' > loop.txt
if [ "$(id -u)" -eq 0 ] && setpriv --reuid=65534 --regid=65534 --clear-groups true 2> /dev/null; then
    chmod 711 "$work"
    other_user
else
    skip 'files and links of another user' 'only root can be somebody else, by setpriv'
fi
rm -rf ./*

# ---- Temporary files -----------------------------------------------------------------------------

# begin SETTING: a run in the background that has a file open which is not whole; its process is $begun.
begin()
{
    seq 0 2999 | awk '{ print $1, ($1 + 1) % 3000 }' > circle.txt
    (umask 0 && exec env LD_PRELOAD="$fake_files" ASAN_OPTIONS=verify_asan_link_order=0 "$1" \
        "$pathcount" circle.txt -k 1000000000000 --float -q --threads 1 -o out.npy > /dev/null 2>&1) &
    begun=$!
    await 20 begun_is_open || fail 'a run in the background' 'does not begin'
}

begun_is_open()
{
    ls -l "/proc/$begun/fd" 2> /dev/null | grep -q -e "$PWD/#.*(deleted)" -e "$PWD/[.]pathcount-"
}

finish()
{
    kill -KILL "$begun"
    wait "$begun" 2> /dev/null
}

temporary_files()
{
    ls -A | grep '^[.]pathcount-'
}

temporaries()
{
    begin FAKE_FILES_NO=1
    unnamed=$(temporary_files)
    finish
    if [ -n "$unnamed" ]; then
        skip 'a file without a name' 'this file system has none'
    else
        is 'a run that was killed leaves nothing' '' "$(temporary_files)"
    fi
    rm -f .pathcount-*

    : > out.npy
    chmod 666 out.npy
    begin FAKE_FILES_NAMED=1
    living=$(temporary_files)
    is 'nobody else can read it' 600 "$(stat -c %a "$living")"
    echo 1 > .pathcount-0123456789abcdef.tmp
    echo 1 > .pathcount-notes.tmp
    printf '0 1\n1 2\n' > g.txt
    printf '0 0\n' > loop.txt
    check 'a run beside another' 0 '*' '' g.txt -k 2 -q -o other.tsv
    is 'files of living runs stay, and what is none' "$living .pathcount-notes.tmp" \
        "$(temporary_files | xargs)"
    echo 1 > .pathcount-0123456789abcdef.tmp
    check 'a batch beside another run' 0 '*' '' batch g.txt -k 2 --total -q --out .
    is 'files of living runs stay beside a batch' "$living .pathcount-notes.tmp" \
        "$(temporary_files | xargs)"
    for command in 'generate rmat --scale 3 -q -o graph.tsv' 'chain loop.txt loop.txt -q -o chain.tsv' \
        'g.txt -k 2 -q -o again.tsv'; do
        echo 1 > .pathcount-0123456789abcdef.tmp
        # shellcheck disable=SC2086 # words
        run $command
        is "files of dead runs go: $command" "$living .pathcount-notes.tmp" \
            "$(temporary_files | xargs)"
    done
    finish
    is 'the file of a run that was killed' "$living .pathcount-notes.tmp" \
        "$(temporary_files | xargs)"
    run g.txt -k 2 -q -o other.tsv
    is 'goes at the next run' .pathcount-notes.tmp "$(temporary_files)"
    # Another run may take the file for one of a dead run before it is locked.
    faked FAKE_FILES_NAMED=1 env FAKE_FILES_LOST=1 "$pathcount" g.txt -k 2 -q -o lost.tsv \
        > "$notes/stdout" 2> "$notes/stderr"
    is 'a file that is removed before it is locked' 0 $?
    is 'is made again, with the same result' '' "$(cmp other.tsv lost.tsv 2>&1)"
}

# GMP and OpenMP do not come back when they get no memory: the command ends there, with a message.
endings_by_libraries()
{
    printf '0 1\n1 2\n' > g.txt
    n_others=0 n_endings=0 left=''
    for n in $(seq 10 240); do
        (
            ulimit -c 0
            LD_PRELOAD=$fake_memory OMP_NUM_THREADS=2 FAKE_MEMORY=$n exec "$pathcount" g.txt -k 60 \
                -q -o out.tsv
        ) > "$notes/stdout" 2> "$notes/stderr"
        case $? in
        69) grep -q '^pathcount: .*memory' "$notes/stderr" && n_endings=$((n_endings + 1)) ;;
        0) ;;
        *) n_others=$((n_others + 1)) ;;
        esac
        left=$left$(temporary_files)
    done 2> /dev/null
    is 'ends without memory leave nothing' '' "$left"
    is 'all other endings' 0 $n_others
    if [ $n_endings -gt 100 ]; then pass; else fail 'ends without memory' "$n_endings messages"; fi
}

# ---- What a power failure leaves -----------------------------------------------------------------

# calls ARGUMENT...: what decides that, in order.
calls()
{
    rm -f calls
    faked FAKE_FILES_CALLS="$PWD/calls" "$pathcount" "$@" > "$notes/stdout" 2> "$notes/stderr"
    status=$?
    if [ -e calls ]; then paste -s -d ' ' calls; fi
}

power_failures()
{
    printf '0 1\n1 2\n' > g.txt
    printf '0 0\n' > loop.txt
    is 'a file is synced before its name, its name after' 'fsync file rename a.tsv fsync folder' \
        "$(calls g.txt -k 2 -q -o a.tsv)"
    is 'not with --no-sync' 'rename a.tsv' "$(calls g.txt -k 2 -q -o a.tsv --no-sync)"
    is 'a graph' 'fsync file rename b.tsv fsync folder' \
        "$(calls generate rmat --scale 3 -q -o b.tsv)"
    is 'not with --no-sync: a graph' 'rename b.tsv' \
        "$(calls generate rmat --scale 3 -q -o b.tsv --no-sync)"
    is 'a result is synced before its line' \
        'fsync file rename g.tsv fsync folder fdatasync file' \
        "$(calls batch g.txt -k 2 --total -q --out out)"
    is 'a result that is a file' 'fsync file rename g.mtx fsync folder fdatasync file' \
        "$(calls batch g.txt -k 2 -q --out out2)"
    is 'not with --no-sync: a batch' 'rename g.tsv' \
        "$(calls batch g.txt -k 2 --total -q --out out3 --no-sync)"
}

if [ -r "$fake_files" ]; then
    temporaries
    rm -rf ./* ./.[!.]*
    power_failures
    rm -rf ./* ./.[!.]*
    if [ -n "$unnamed" ]; then
        skip 'ends without memory' 'this file system has no files without a name'
    elif [ "$(grep -c __asan_init "$pathcount")" -gt 0 ]; then
        skip 'ends without memory' 'sanitizers have memory of their own'
    else
        endings_by_libraries
    fi
else
    skip 'temporary files and power failures' 'fake_files.so does not lie beside the command'
fi
rm -rf ./* ./.[!.]*
umask "$former_mask"

# Files of several packed pieces: the bytes do not depend on the threads, and what unpacks them finds the text.
"$pathcount" generate barabasi-albert --vertices 600 --edges-per-vertex 3 -o g.txt -q
run g.txt -k 60 -q -o m.tsv
for packing in gz zst; do
    for threads in 1 3; do
        run g.txt -k 60 -q -o $threads.tsv.$packing --threads $threads --certify 3
        is "$packing with $threads threads" 0 $status
    done
    cmp -s 1.tsv.$packing 3.tsv.$packing
    is "$packing with one and three threads" 0 $?
    unpack=gunzip
    [ $packing = gz ] || unpack='zstd -dqf'
    cp m.tsv "$notes/expected"
    if command -v ${unpack%% *} > "$notes/stdout"; then
        $unpack 3.tsv.$packing
        status=$?
        same "${unpack%% *}" 3.tsv
    else skip "${unpack%% *}" 'it is not installed'; fi
    check "$packing is certified" 0 '*' '*' verify g.txt 1.tsv.$packing -k 60
done
rm -f g.txt ./*.tsv ./*.tsv.*
