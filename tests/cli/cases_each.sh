# --each of matrices: a folder with a file for each length, or one stack of NumPy. Right, all or nothing.

printf 'a b 2\nb c\nc c 5\n' | sed 's/c$/c 1/' > g.txt
for option in '' --float '--mod 7' --markov --non-backtracking; do
    weights=--weights kind=${option%% *}
    [ "$option" != --non-backtracking ] || weights=
    for as in tsv csv.gz mtx npy npz json pairs; do
        run g.txt $weights $option -k 11 --each -q -o all --as $as -o stack.npy
        case_name="each length: ${kind:-exact} $as"
        differs=
        for length in 01 02 03 04 05 06 07 08 09 10 11; do
            "$pathcount" g.txt $weights $option -k $((${length#0})) -q -o one --as $as > /dev/null || differs=$length
            [ $as = npy ] || [ -n "$option" ] || cmp -s one all/$length.$as || differs=$length
        done
        if [ -z "$differs" ]; then pass; else fail "$case_name" "length $differs is not that of a run of its own"; fi
        check "$case_name: certified" 0 "all/11.$as: certified, *" '*' verify g.txt all/11.$as $weights $option -k 11
        check "$case_name: certified stack" 0 'stack.npy: certified, *' '*' \
            verify g.txt stack.npy $weights $option -k 11 --each
        rm -rf all one* stack.npy*
    done
done
check 'the sums of all lengths' 0 'length	paths
1	11
2	49
3	240
4	1225' '*' g.txt --weights -k 4 --each -o all --as tsv
prints 'as --total' g.txt --weights -k 4 --each --total -q << 'EOF'
length	paths
1	11
2	49
3	240
4	1225
EOF
check 'labels are named once' 0 '*' '*
new/1.npy.labels: *a line each' g.txt --weights -k 4 --each -o new --as npy
is 'files and labels' '1.npy 1.npy.labels 2.npy 2.npy.labels 3.npy 3.npy.labels 4.npy 4.npy.labels' "$(echo $(ls new))"
check 'in JSON' 0 '*"query": "matrix",
  "length": "2",
  "each": true,*"answers": \[{"length": "1", "paths": "11"}, {"length": "2", "paths": "49"}\]
}' '' g.txt --weights -k 2 --each -o stack.npy --json -q
check 'all is read back' 0 '*' '*' g.txt --weights -k 5 --each -q -o whole --as mtx -o whole.npy --certify 3
printf 'a b\nb c\n' > path.txt
check 'any length' 0 'length	paths
1	2
2	1' '*longest path: 2 arcs*' path.txt -k any --directed --each -o acyclic.npy
printf '%%%%MatrixMarket matrix coordinate pattern general\n0 0 0\n' > none.mtx
check 'no vertices' 0 'length	paths
1	0
2	0' '*' none.mtx -k 2 --each -o none --as mtx -o none.npy
check 'no vertices, certified' 0 '*certified*' '' verify none.mtx none.npy -k 2 --each

# ---- Refused: nothing is left ---------------------------------------------------------------------

rm -rf ./*.npy* all new whole none
ls > before
unchanged()
{
    ls > after
    if cmp -s before after; then pass; else fail "$1" "left: $(comm -13 before after | tr '\n' ' ')"; rm -rf all*; fi
}
touch before after
ls > before
refuses 'no format' 2 "*the name of 'all' says no format*--as FORMAT*" g.txt -k 3 --each -o all
for option in --show --table --summary '--plot all.svg' '--certificate all.json'; do
    refuses "$option" 2 "*${option%% *} *leave --each out*" g.txt -k 3 --each -o all --as tsv $option
done
refuses 'no lengths' 2 '*--each begins with length 1*' g.txt -k 0 --each -o all --as tsv -q
refuses 'in a batch' 2 '*--each needs a query*' batch g.txt -k 3 --each --out all
unchanged 'wrong command lines'
mkdir all
touch all/own
refuses 'a folder with files' 73 'pathcount: all: *no empty folder*new folder*' g.txt -k 3 --each -o all --as tsv -q
cp g.txt way.txt
refuses 'a file in the way' 73 'pathcount: way.txt: *no empty folder*' g.txt -k 3 --each -o way.txt --as tsv -q
rm way.txt
refuses 'no folder for it' 73 'pathcount: no/all: No such file or directory' g.txt -k 3 --each -o no/all --as tsv -q
is 'the folder as it was' own "$(ls all)"
rm -r all
chords 3000 > large.txt
ls > before
refuses 'no memory' 69 'pathcount: *needs * of memory*' large.txt -k 300 --each -o all --as tsv --memory-limit 1M -q
refuses 'counts wider than .npz' 69 'pathcount: *.npz*' large.txt -k 60 --each -o all --as npz -q
unchanged 'no memory'
(
    ulimit -f 2000
    refuses 'a full disk' 74 "pathcount: cannot write to 'all/*" large.txt -k 3 --each -o all --as tsv -q
    unchanged 'a full disk'
    ulimit -n 64
    refuses 'many files' 73 'pathcount: 90 files are too many*64 files: -o FILE.npy*' large.txt -k 90 --each -o all --as tsv -q
    unchanged 'many files'
    echo "$passed $failed" > counted
)
read -r passed failed < counted
"$pathcount" large.txt -k 500 --each -o all --as tsv -o all.npy -q > counted 2>&1 &
await 10 test -d all
kill -TERM $!
wait $!
is 'interrupted' '143 ' "$? $(ls -d all* 2> /dev/null)"
rm -f counted

# A byte of the files is changed where they are written: 768 is in the third of the matrices.
if [ -r "$(dirname "$pathcount")/fake_bytes.so" ]; then
    for case_of in '30 --as tsv' '40 --as mtx' '130 --as npy' '768' '768 --float' '300 --certify 3'; do
        # shellcheck disable=SC2086 # options are words
        set -- $case_of
        spoilt_at=$1
        shift
        spoilt_place=all
        [ "$1" = --as ] || spoilt_place=all.npy
        env LD_PRELOAD="$(dirname "$pathcount")/fake_bytes.so" ASAN_OPTIONS=verify_asan_link_order=0 \
            FAKE_BYTES_AT="$spoilt_at" "$pathcount" g.txt --weights -k 9 --each -q -o $spoilt_place "$@" \
            > "$notes/stdout" 2> "$notes/stderr"
        status=$?
        judge "a spoilt byte: $case_of" 70 '' "pathcount: all*read back is not what was counted*"
        unchanged "a spoilt byte: $case_of"
    done
fi

# ---- Not certified ---------------------------------------------------------------------------------

"$pathcount" g.txt --weights -k 3 --each -q -o all --as tsv -o stack.npy > /dev/null
refuses 'a folder of matrices' 2 "*'all' is a folder: verify its matrices one by one, each with its own --length*" \
    verify g.txt all --weights -k 3 --each
refuses 'a stack of other lengths' 65 'pathcount: stack.npy:*4 x 3 x 3 counts' verify g.txt stack.npy --weights -k 4 --each
refuses 'a stack for a matrix' 65 'pathcount: stack.npy:*3 x 3 counts' verify g.txt stack.npy --weights -k 3
refuses 'a matrix for a stack' 65 'pathcount: all/1.tsv:1: the matrices of --each are verified in one .npy file*' \
    verify g.txt all/1.tsv --weights -k 3 --each
refuses 'no certificate' 2 '*--certificate is for one matrix*' verify g.txt stack.npy --weights -k 3 --each --certificate c.json
for place in 128 200 208; do
    { head -c $place stack.npy; printf '\001\002'; tail -c +$((place + 3)) stack.npy; } > wrong.npy
    refuses "a wrong byte at $place" 65 'pathcount: wrong.npy:*' verify g.txt wrong.npy --weights -k 3 --each
done
sed '2s/[0-9]*$/77/' all/3.tsv > changed
mv changed all/3.tsv
refuses 'a wrong file' 65 'pathcount: all/3.tsv:2: *' verify g.txt all/3.tsv --weights -k 3
rm -rf all all.npy* stack.npy* wrong.npy
folder_holds 'nothing left behind' after before g.txt large.txt none.mtx path.txt
