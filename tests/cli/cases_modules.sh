# Parts of the command that are opened when wanted, for igraph and for pictures: with them, and with a
# copy of the command that lies elsewhere without them.

whole=$pathcount
printf '0 1\n1 2\n' > g.txt
printf '\t0\t1\t2\n0\t0\t1\t0\n1\t1\t0\t1\n2\t0\t1\t0\n' > expected.tsv

# ---- With them ------------------------------------------------------------------------------------

run generate famous Petersen
if [ "$status" -eq 69 ] && holds "$notes/stderr" '*need igraph*'; then
    has_igraph=false
    skip 'what igraph does' 'built without igraph'
else
    has_igraph=true
    judge 'a famous graph' 0 '*0 1*' '*'
fi
run g.txt -k 1 -q --plot a.svg
if [ "$status" -eq 69 ] && holds "$notes/stderr" '*built without cairo*'; then
    has_cairo=false
    skip 'the part that draws' 'built without cairo'
else
    has_cairo=true
    judge 'the part that draws' 0 '*' ''
fi
rm -f a.svg

# ---- Without them ---------------------------------------------------------------------------------

folder=$(dirname "$whole")
if [ ! -e "$folder/libpathcount.so.1" ]; then
    skip 'the command alone' 'its library is not beside it'
    return 0 2> /dev/null
fi
mkdir bare data
cp -L "$whole" "$folder/libpathcount.so.1" bare
pathcount=$work/bare/pathcount
check 'counts without them' 0 '*' '' g.txt -k 1 -q -o out.tsv
cp expected.tsv "$notes/expected"
same 'the same counts' out.tsv
check 'shown without them' 0 '*' '' g.txt -k 2 -q --show
rm -f out.tsv

lacks="libpathcount.so, install both together"
if $has_igraph; then
    lacks_igraph="pathcount: *uses igraph cannot be opened: *libpathcount_igraph.so.1: *$lacks"
    refuses 'communities without igraph' 69 "$lacks_igraph" coarsen g.txt -k 1 -q --blocks leiden
    refuses 'a famous graph without igraph' 69 "$lacks_igraph" generate famous Petersen
fi
if $has_cairo; then
    lacks_draw="pathcount: *draws cannot be opened: *libpathcount_draw.so: *$lacks"
    refuses 'a picture that cannot be drawn' 69 "$lacks_draw" g.txt -k 1 -q --plot a.svg
    rm -rf data/* out
    cp g.txt data
    check 'a report without pictures' 0 '' '*1 done*' batch data -k 1 --out out --report
    if [ -s out/report.html ] && [ -z "$(find out -name '*.png')" ]; then pass
    else fail 'a report without pictures' "there is: $(ls out)"; fi
    echo 'no library' > bare/libpathcount_draw.so
    refuses 'no library' 69 "pathcount: *draws cannot be opened: *bare/libpathcount_draw.so: *" \
        g.txt -k 1 -q --plot a.svg
    sed 's/ scene [0-9]/ scene x/' "$folder/libpathcount_draw.so" > bare/libpathcount_draw.so
    refuses 'of another build' 69 'pathcount: libpathcount_draw.so is of another build*' \
        g.txt -k 1 -q --plot a.svg
    cp "$folder/libpathcount_draw.so" bare
    check 'the right one is there again' 0 '*' '' g.txt -k 1 -q --plot b.svg
    rm -f b.svg
fi
pathcount=$whole
rm -rf bare data out
folder_holds 'nothing made where parts are missing' expected.tsv g.txt
