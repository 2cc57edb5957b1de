# No file is written that is also read, or written twice, whatever its names: refused before anything is read.

printf 'a b\nb c\n' > g.txt
printf 'a\n' > v.txt
printf 'a b\n' > pairs.txt
printf 'a x\nb x\nc y\n' > b.txt
mkdir d
ln -s d e
ln -s g.txt link.txt
ln -s v.txt link.json
ln g.txt hard.txt
ln g.txt g.png
ln -s new.npy later.npy # nothing is there yet
"$pathcount" convert g.txt g.sg -q
ls -l > "$notes/files"
cat g.txt v.txt pairs.txt b.txt g.sg g.sg.labels > "$notes/contents"

# Each line: one name of the file, the other one, arguments.
while IFS='|' read -r one other arguments; do
    [ "$one" ] || continue
    # shellcheck disable=SC2086 # words
    refuses "one file: $arguments" 2 "pathcount*: *$one' and *$other' are the same file: write to another one*" $arguments
done << 'END'
--output 'd.npy.labels|--output (its labels) 'd.npy.labels|g.txt -k 2 -o d.npy.labels -o d.npy --as tsv
--output (its labels) 'd.npy.labels|--output 'd.npy.labels|g.txt -k 2 -o d.npy -o d.npy.labels --as tsv
--output (its labels) 'd/x.npz.labels|--certificate 'e/x.npz.labels|g.txt -k 2 -o d/x.npz --certificate e/x.npz.labels
--output 'd/x.tsv|--output 'e/x.tsv|g.txt -k 2 -o d/x.tsv -o e/x.tsv
--output 'later.npy|--output './new.npy|g.txt -k 2 -o later.npy -o ./new.npy
--output 'x.json|--certificate 'x.json|g.txt -k 2 -o x.json --certificate x.json
--output 'g.txt|GRAPH 'g.txt|g.txt -k 2 -o g.txt --as tsv
--output 'link.txt|GRAPH 'g.txt|g.txt -k 2 -o link.txt --as tsv
--output 'hard.txt|GRAPH 'link.txt|link.txt -k 2 -o hard.txt --as tsv
--output 'g.sg.labels|GRAPH (its labels) 'g.sg.labels|g.sg -k 2 -o g.sg.labels --as tsv
GRAPH 'g.txt|--certificate 'hard.txt|g.txt -k 2 --certificate hard.txt
--from 'v.txt|--certificate 'link.json|g.txt -k 2 --from @v.txt --certificate link.json
--pairs 'pairs.txt|--certificate 'pairs.txt|g.txt -k 2 --pairs pairs.txt --certificate pairs.txt
--plot 'g.png|GRAPH 'g.txt|g.txt -k 2 --plot histogram:g.png
--plot 'd/p.png|--plot 'e/p.png|g.txt -k 2 --plot d/p.png --plot growth:e/p.png
--blocks 'b.txt|--graph './b.txt|coarsen g.txt -k 2 --blocks b.txt --graph ./b.txt
GRAPH 'g.txt|--graph 'hard.txt|coarsen g.txt -k 2 --blocks 2 --graph hard.txt
--output 'q.tsv|--graph 'd/../q.tsv|coarsen g.txt -k 2 --blocks 2 -o q.tsv --graph d/../q.tsv
--output 'b.txt|--blocks 'b.txt|coarsen g.txt -k 2 --blocks b.txt -o b.txt --as csv
GRAPH 'g.txt|FILE 'link.txt|convert g.txt link.txt
GRAPH 'g.sg|FILE './g.sg|convert g.sg ./g.sg
--output 'hard.txt|relation 'g.txt|chain g.txt g.txt^T -o hard.txt --as tsv
END
"$pathcount" - -k 2 -o g.txt --as tsv < hard.txt > "$notes/stdout" 2> "$notes/stderr"
status=$?
judge 'standard input is the output' 2 '' "*--output 'g.txt' and GRAPH '-' are the same file*"
"$pathcount" g.txt -k 2 --as tsv >> hard.txt 2> "$notes/stderr"
status=$?
judge 'standard output is the graph' 2 '*' "*--output '-' and GRAPH 'g.txt' are the same file*"

# The results of a batch have names that are not on the command line.
cp g.txt data.tsv
ln data.tsv other.txt
refuses 'a result over a dataset' 2 "pathcount*'data.tsv' of 'other.txt' would take the place of*which is read*" \
    batch --manifest /dev/stdin --out . --as tsv -k 2 << 'END'
{"input": "other.txt", "name": "data"}
END
rm -f data.tsv other.txt

cat g.txt v.txt pairs.txt b.txt g.sg g.sg.labels > "$notes/now"
is 'no file has changed' '' "$(cmp "$notes/contents" "$notes/now")"
ls -l > "$notes/files_now"
is 'no file is new' '' "$(diff "$notes/files" "$notes/files_now")"

# What is no file, and what is read twice.
check 'a method that is called like an output' 0 '*' '' coarsen g.txt -k 2 --blocks components -o components --as tsv -q
check 'a file that is read twice' 0 '*' '' g.txt -k 2 --from @v.txt --from @v.txt -q
check 'a relation twice' 0 '*' '' chain g.txt g.txt^T -q -o product.tsv
check 'an answer of an earlier run' 0 '*' '' g.txt -k 2 -q -o product.tsv
