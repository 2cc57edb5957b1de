# Results that are torn or made up in ways that only some of the formats know: all are refused.

printf 'a b\nb c\nc a\nc d\n' > g.txt
printf 'a b\n' > one.txt

# torn NAME EDIT FILE OPTION...: FILE is certified, and refused after the edit by sed.
torn()
{
    torn_name=$1 torn_edit=$2 torn_file=$3
    shift 3
    check "$torn_name: whole" 0 "$torn_file: certified*" '' verify g.txt "$torn_file" "$@"
    sed "$torn_edit" "$torn_file" > "torn-$torn_file"
    if cmp -s "$torn_file" "torn-$torn_file"; then
        fail "$torn_name" "sed $torn_edit changes nothing"
    else
        refuses "$torn_name" 65 "pathcount: torn-$torn_file*" verify g.txt "torn-$torn_file" "$@"
    fi
}

"$pathcount" g.txt -k 5 -q --sums > sums.txt
torn 'a count is missing' '3s/\t[0-9]*$//' sums.txt -k 5 --sums
torn 'a count too much' '3s/$/\t7/' sums.txt -k 5 --sums
torn 'a line of another separator' '3s/\t/,/' sums.txt -k 5 --sums

for ending in tsv csv json npy; do "$pathcount" g.txt -k 5 -q -o m.$ending > "$notes/stdout"; done
torn 'a row without its end' '$s/$/ 1/' m.tsv -k 5
torn 'a quote in the middle' '3s/\([0-9]\)$/"\1/' m.csv -k 5
torn 'no row begins' '3s/\[/{/' m.json -k 5
torn 'no row ends' '3s/\]/}/' m.json -k 5
printf 'NUMPY' > short.npy
refuses 'the begin of a file of NumPy' 65 'pathcount: short.npy:*' verify g.txt short.npy -k 5
head -c 40 m.npy > short.npy
refuses 'a header of NumPy that is cut' 65 'pathcount: short.npy:*' verify g.txt short.npy -k 5
sed 's/NUMPY/NUMPI/' m.npy > short.npy
refuses 'another magic' 65 'pathcount: short.npy:*' verify g.txt short.npy -k 5

"$pathcount" g.txt -k 60 -q --float -o d.tsv > "$notes/stdout"
for double in 1 1.5 .5e+00 e+00 1e 1e+ 1e+1 1e+00x 1..5e+00 -1e+00 nan inf 0e+00 1e+99999 1e-99999 "$(printf '%060d' 1)e+00"; do
    sed "2s/\t[^\t]*$/\t$double/" d.tsv > w.tsv
    refuses "the double $double" 65 'pathcount: w.tsv:*' verify g.txt w.tsv -k 60 --float
done
"$pathcount" one.txt -k 4 -q --float -o d.npy > "$notes/stdout"
check 'doubles of NumPy' 0 'd.npy: certified*' '' verify one.txt d.npy -k 4 --float
size=$(wc -c < d.npy)
for bytes in '\360\277' '\360\377' '\370\177' '\000\100'; do
    # shellcheck disable=SC2059 # the bytes are a format
    { head -c $((size - 2)) d.npy; printf "$bytes"; } > w.npy
    refuses "a double of NumPy that ends in $bytes" 65 'pathcount: w.npy:*' verify one.txt w.npy -k 4 --float
done
rm -f ./*
