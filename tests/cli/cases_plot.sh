# Pictures: --plot. That they are right is seen in .svg, where every mark is a line of text.

printf '0 1\n1 2\n' > g.txt
usage='--plot takes a file that ends in .png, .svg or .pdf*'
for name in out.gif png .png out.PNG out.png.gz dir.svg/out ''; do
    refuses "picture of an unknown kind: $name" 2 "pathcount: $usage*" g.txt -k 2 --plot "$name"
done
refuses 'a picture twice' 2 "*--plot 'a.png' and --plot 'a.png' are the same file*" g.txt -k 2 --plot a.png \
    --plot growth:a.png
many=$(seq -f '--plot %g.png' 17)
# shellcheck disable=SC2086 # words
refuses 'too many pictures' 2 '*--plot may be given 16 times at most*' g.txt -k 2 $many
refuses 'picture of residues' 2 '*--mod*residues have no size*' g.txt -k 2 --plot a.png --mod 7
refuses 'JSON and --show' 2 '*--show and --json*' g.txt -k 2 --show --json
refuses 'picture of a query' 2 '*leave out --from*' g.txt -k 2 --plot growth:a.png --from 0
refuses 'a query shown' 2 '*leave out --sums*' g.txt -k 2 --show --sums
refuses 'heatmap of a total' 2 '*--plot growth:a.png*' g.txt -k 2 --plot a.png --total
refuses 'growth of probabilities' 2 '*--markov*' g.txt -k 2 --plot growth:a.png --markov
refuses 'growth of no length' 2 '*from 1 to*' g.txt -k 0 --plot growth:a.png
refuses 'growth of too many lengths' 2 '*from 1 to 1000000*' g.txt -k 1000001 --float \
    --plot growth:a.png
refuses 'residues of blocks' 2 '*residues have no size*' coarsen g.txt -k 2 --blocks 2 --mod 5 \
    --plot a.png
folder_holds 'nothing made when refused' g.txt

# shapes FILE: its filled rectangles, "red green blue x y height width" in per cent and pixels, from
# the top down; as cairo writes them before and after 1.18.
shapes()
{
    sed -n 's/.*fill[:=]"\{0,1\}rgb(\([0-9.]*\)%, *\([0-9.]*\)%, *\([0-9.]*\)%).* d="M \([0-9.]*\) \([0-9.]*\) L \([0-9.]*\) [0-9.]* L [0-9.]* \([0-9.]*\) L .*/\1 \2 \3 \4 \5 \6 \7/p' \
        "$1" | grep -v '^100 100 100 ' | awk '{ print $1, $2, $3, $4, $5, $7 - $5, $6 - $4 }' |
        sort -k 5n -k 4n
}

printf 'from to weight\n0 1 1\n1 2 1000\n2 0 31\n' > g.txt
run g.txt -k 1 --directed --weights -q --plot a.svg
if [ $status -eq 69 ] && holds "$notes/stderr" '*built without cairo*--show*'; then
    pass
    folder_holds 'nothing made without cairo' g.txt
    skip 'pictures' 'this build has no cairo'
    return 0 2> /dev/null
fi
judge 'heatmap' 0 'from*' ''

# Rows go down, columns across: 0 -> 1 is in the first row. Three cells have a colour: the least count
# the lightest, the largest the darkest, and sqrt(1000) is half way; the others are as white as zero.
shapes a.svg > cells
awk 'NR == 1 { x1 = $4; side = $6; light1 = $2 }
    NR == 2 { x2 = $4; light2 = $2 }
    NR == 3 { x3 = $4; light3 = $2 }
    { square = $6 == $7 && $6 == side; if (!square) bad = 1 }
    END { print (NR == 3 && !bad && x2 == x1 + side && x3 == x1 - side ? "places" : "no"),
                (light1 > 85 && light3 > 35 && light3 < 65 && light2 < 15 ? "colours" : "no") }' \
    cells > seen
echo 'places colours' > "$notes/expected"
same 'cells are where and as dark as the counts' seen

# A matrix larger than the picture is an image in the file.
check 'large heatmap' 0 '*' '' g.txt -k 1 --directed --vertices 1201 -q --plot a.png --plot b.svg
if grep -q '<image' b.svg; then pass; else fail 'large heatmap' 'it is no image'; fi

# A picture that is larger than the pipe between its process and the command, and no room for it.
"$pathcount" generate erdos-renyi --vertices 200 --edges 2000 -q > g.txt
(
    ulimit -f 64
    timeout -k 1 60 "$pathcount" g.txt -k 6 -q --plot c.svg > "$notes/stdout" 2> "$notes/stderr"
    echo $? > "$notes/status"
)
status=$(cat "$notes/status")
judge 'no room for a large picture' 74 '*' "pathcount: cannot write*c.svg*"
if [ -e c.svg ]; then fail 'no room for a large picture' 'part of it is there'; else pass; fi

# Of 121 counts 1 is 1, 10 are 2 and 110 are 0: bars are as high as the logarithm.
seq 1 9 | sed 's/$/ 0 2/' > g.txt
printf '0 1 2\n0 2 1\n' >> g.txt
check 'histogram' 0 'from*' '' g.txt -k 1 --directed --weights --vertices 11 -q --plot histogram:a.svg
shapes a.svg | sort -k 4n > bars
zero=$(sed -n 's/.*fill:none.*d="M \([0-9.]*\) \([0-9.]*\) L \([0-9.]*\) \2 L \3 \([0-9.]*\) .*/\2 \4/p
    s/.*fill="none".*d="M \([0-9.]*\) \([0-9.]*\) L \([0-9.]*\) \2 L \3 \([0-9.]*\) .*/\2 \4/p' a.svg)
awk -v zero="$zero" 'BEGIN { split(zero, z, " ") }
    { top[NR] = $5; bottom[NR] = $5 + $6 }
    END { decade = top[1] - top[2]; more = (top[2] - z[1]) / decade
          print (NR == 2 && bottom[1] == bottom[2] && decade > 50 ? "two" : NR " bars"),
                (more > 1.02 && more < 1.06 ? "as high" : more) }' bars > seen
echo 'two as high' > "$notes/expected"
same 'bars are as high as the tallies' seen

# There are 3^(k + 1) paths of length k: the points of lengths lie on a straight line, evenly apart.
printf '0 0\n0 1\n0 2\n1 1\n1 2\n2 2\n' > g.txt
check 'growth beside a total' 0 2187 '' g.txt -k 6 -q --total --plot growth:a.svg
sed -n 's/.*<path .*fill[:=]"\{0,1\}rgb.* d="M \([0-9.]*\) \([0-9.]*\) C .*/\1 \2/p' a.svg | uniq |
    awk 'NR > 1 { dx = $1 - x; dy = y - $2 }
        NR > 2 { if (dx - dx1 > 0.1 || dx1 - dx > 0.1 || dy - dy1 > 0.1 || dy1 - dy > 0.1) bad = 1 }
        { x = $1; y = $2; dx1 = dx; dy1 = dy }
        END { print (NR == 6 && dy > 20 && !bad ? "straight" : "no") }' > seen
echo straight > "$notes/expected"
same 'growth is a straight line' seen
rm -f ./*

# Every kind of file and picture, of every kind of matrix.
printf '0 1\n1 2\n2 3\n' > g.txt
looks_like()
{
    if [ "$(head -c 4 "$2" | tail -c 3)" = "$3" ]; then pass; else fail "$1" 'another format'; fi
}
check 'three formats' 0 'from*' '' g.txt -k 3 -q --plot a.png --plot growth:b.svg \
    --plot histogram:c.pdf
looks_like 'PNG' a.png PNG
looks_like 'SVG' b.svg '?xm'
looks_like 'PDF' c.pdf PDF
check 'a picture beside JSON' 0 '{*' '' g.txt -k 3 -q --json --plot a.svg
check 'a picture and a file' 0 '*' '' g.txt -k 3 -q -o out.mtx --plot heatmap:a.svg
check 'probabilities' 0 '*' '' g.txt -k 3 -q --markov --plot a.svg --plot histogram:d.svg
check 'doubles' 0 '*' '' g.txt -k 3000 -q --float --plot a.svg --plot histogram:d.svg \
    --plot growth:e.svg
check 'a length without end' 0 '*' '' g.txt -k 1000000000000000000 -q --float \
    --plot histogram:d.svg
if [ "$(shapes d.svg | awk '$4 > 100 && $4 + $7 < 800 && $7 > 20' | wc -l)" -gt 1 ]; then pass
else fail 'a length without end' 'bars are not where they can be seen'; fi
check 'growth beyond exact counts' 0 '*e+*' '' g.txt -k 100000 -q --float --total --plot growth:e.svg
check 'counts of thousands of bits' 0 '*' '' g.txt -k 9000 -q --plot a.svg --plot histogram:d.svg
check 'means of blocks' 0 '*' '' coarsen g.txt --blocks 2 --mean -k 3 -q --plot a.svg \
    --plot histogram:d.svg
printf 'a a 2\nc c 1\n' > apart.txt
check 'counts that are far apart' 0 '*' '' apart.txt --weights --directed -k 5000 -q --plot histogram:d.svg
check 'a title that is long' 0 '*' '' "$(n=$(printf '%0240d' 0).txt; cp g.txt "$n"; echo "$n")" -k 3 -q --plot a.svg
rm apart.txt 0*.txt
printf 'a a\n' > loop.txt
check 'growth that is none' 0 1 '' loop.txt -k 5 -q --total --plot growth:e.svg
check 'growth of one length' 0 1 '' loop.txt -k 1 -q --total --plot growth:e.svg
rm loop.txt
check 'means of blocks in doubles' 0 '*' '' coarsen g.txt --blocks 2 --mean --float -k 3 -q --plot a.svg \
    --plot histogram:d.svg
check 'a length of 0' 0 '*' '' g.txt -k 0 -q --plot a.png
check 'no paths at all' 0 '*' '' g.txt --directed -k 5 -q --plot a.png --plot growth:d.png \
    --plot histogram:e.png
printf '%%%%MatrixMarket matrix coordinate pattern general\n0 0 0\n' > empty.mtx
check 'no vertices' 0 '*' '' empty.mtx -k 5 -q --plot a.png --plot growth:d.png \
    --plot histogram:e.png
printf 'a\033]0;x\007 b\377\300\257\n%s c\n' "$(seq -s x 1 20000)" > odd.txt
check 'odd labels' 0 '*' '' odd.txt -k 2 -q --separator space --no-header --plot odd.svg --plot odd.pdf --plot odd.png
# What is no UTF-8: too long for its value, half of a pair of UTF-16, above U+10FFFF, broken off, no beginning.
for label in '\340\200\200' '\360\200\200\200' '\355\240\200' '\364\220\200\200' '\302\200' '\303(' \
    '\342\202x' '\360\237\230x' '\200' '\301\201' '\365\200\200\200' 'a\177' '\342\202\254' '\360\237\230\200'; do
    # shellcheck disable=SC2059 # the label is written as a format
    printf "$label $label\n" > bad.txt
    check "the label $label" 0 '*' '' bad.txt -k 2 -q --separator space --plot bad.svg
    if [ "$(tail -n 1 bad.svg)" = '</svg>' ]; then pass; else fail "the label $label" 'no picture'; fi
done
rm bad.txt bad.svg
if LC_ALL=C grep -q '[^ -~]' odd.svg; then fail 'odd labels' 'bytes of them are in the picture'
else pass; fi
folder_holds 'pictures and nothing else' a.png a.svg b.svg c.pdf d.png d.svg e.png e.svg empty.mtx \
    g.txt odd.pdf odd.png odd.svg odd.txt out.mtx

# What cannot be made is known before the count, and what is there stays as it is.
printf '0 1\n1 2\n' > g.txt
mkdir folder.png
echo old > old.png
refuses 'no folder for a picture' 73 "pathcount: cannot create 'nowhere/a.png': No such file*" \
    g.txt -k 2 -q --plot old.png --plot nowhere/a.png
refuses 'a folder of that name' 73 "pathcount: cannot create 'folder.png': it is a folder" \
    g.txt -k 2 -q --plot old.png --plot folder.png
refuses 'a count that fails' 69 'pathcount: *' g.txt -k 1000000000000 -q --plot old.png
if [ "$(cat old.png)" = old ]; then pass; else fail 'old picture' 'it changed'; fi
check 'a picture replaced' 0 'from*' '' g.txt -k 2 -q --plot old.png
looks_like 'replaced' old.png PNG
(ulimit -f 8 && exec "$pathcount" g.txt -k 2 -q --plot old.png) > "$notes/stdout" 2> "$notes/stderr"
status=$?
judge 'disk full: a picture' 74 'from*' "pathcount: cannot write to 'old.png': File too large"
looks_like 'the old one stays' old.png PNG
folder_holds 'nothing left after pictures failed' folder.png g.txt old.png

# A picture that gets no memory says so and leaves nothing. Libraries that find fonts
# crash then, or do not end: the limit of processor time makes that short.
fake_memory=$(dirname "$pathcount")/fake_memory.so
requests()
{
    LD_PRELOAD=$fake_memory FAKE_MEMORY_COUNT=$notes/requests OMP_NUM_THREADS=1 \
        "$pathcount" "$@" > /dev/null 2>&1
    cat "$notes/requests"
}

# lacks VARIABLE N: the picture when requests are refused from the N-th on, or the N-th alone.
lacks()
{
    (
        ulimit -S -t 2
        ulimit -c 0
        LD_PRELOAD=$fake_memory OMP_NUM_THREADS=1 exec env "$1=$2" "$pathcount" g.txt -k 2 -q \
            --plot new.svg
    ) > "$notes/stdout" 2> "$notes/stderr"
    status=$?
}

pictures_without_memory()
{
    printf '0 1\n1 2\n' > g.txt
    # What the process that draws asks for is not in this number: it comes after. Two runs do not ask
    # in quite the same order, so the first refusals may be those of the last lines of the answer.
    n=$(requests g.txt -k 2 -q --plot new.svg)
    rm new.svg
    n_refused=0
    for more in 0 300 600 1000 2500 4000 6000 8500 9500 9900 10100; do
        for variable in FAKE_MEMORY FAKE_MEMORY_ONCE; do
            lacks $variable $((n + more))
            case $status in
            0) rm new.svg; pass ;;
            *)
                judge "a picture, $variable $more" 69 '*' '*pathcount: no memory*'
                n_refused=$((n_refused + 1)) ;;
            esac
        done
    done
    if [ $n_refused -gt 5 ]; then pass; else fail 'pictures without memory' "$n_refused refusals"; fi
    folder_holds 'nothing left of pictures without memory' g.txt
}

if [ ! -r "$fake_memory" ]; then
    skip 'pictures without memory' 'fake_memory.so does not lie beside the command'
elif [ "$(grep -c __asan_init "$pathcount")" -gt 0 ]; then
    skip 'pictures without memory' 'sanitizers have memory of their own'
else
    pictures_without_memory
fi

# The file of the picture is there while the count runs; Ctrl-C takes it away.
seq 0 2999 | awk '{ print $1, ($1 + 1) % 3000 }' > circle.txt
echo old > old.png
if env --default-signal=INT true 2> /dev/null; then
    env --default-signal=INT timeout --preserve-status --kill-after=120 --signal=INT 1.5 \
        "$pathcount" circle.txt -k 1000000000000 --float -q --plot old.png --plot new.svg \
        > "$notes/stdout" 2> "$notes/stderr"
    status=$?
    judge 'Ctrl-C while counting for a picture' 130 '' '*pathcount: interrupted'
else
    skip 'Ctrl-C while counting for a picture' 'env cannot set signals to their defaults'
fi
if [ "$(cat old.png)" = old ]; then pass; else fail 'Ctrl-C' 'the old picture changed'; fi
folder_holds 'nothing left after Ctrl-C' circle.txt old.png

# Size and colours. The scene grows with the page, so a picture of twice the size has the same marks.
printf 'a b\nb c\nc a\nc d\n' > g.txt
for size in 800 1600; do
    run g.txt -k 5 -q --plot-size $size --plot a.svg
    shapes a.svg | awk -v s="$size" '{ printf "%s %s %s %.0f %.0f\n", $1, $2, $3, 80 * $4 / s, 80 * $5 / s }' > marks.$size
done
if grep -q 'width="1600' a.svg && [ -s marks.800 ]; then pass; else fail '--plot-size' 'the side is another'; fi
cp marks.800 "$notes/expected"
same 'twice the size' marks.1600
for scale in sea blue ember dusk grey; do
    run g.txt -k 5 -q --plot-colours $scale --plot a.svg --plot histogram:b.svg --plot growth:c.png
    judge "colours $scale" 0 '*' ''
    shapes a.svg | cut -d ' ' -f 1-3 | sort -u > marks.$scale
done
if [ "$(cat marks.sea marks.blue marks.ember marks.dusk | sort | uniq -d)" = '' ] &&
    awk '$1 != $2 || $2 != $3 { exit 1 }' marks.grey; then pass; else fail 'scales' 'colours are shared, or no grey'; fi
refuses 'a scale that is none' 2 '*--plot-colours*sea*grey*' g.txt -k 2 --plot a.png --plot-colours pink
refuses 'size of nothing' 2 '*add --plot FILE*' g.txt -k 2 --plot-size 900
refuses 'colours of nothing' 2 '*add --plot FILE*' g.txt -k 2 --show --plot-colours grey
refuses 'a small size' 2 '*400*' g.txt -k 2 --plot a.png --plot-size 399

# The words above the scale of colours are on the page: their right end is left of the edge.
run g.txt -k 5 -q --plot a.svg
awk 'match($0, /x="[0-9.]+"/) { x = substr($0, RSTART + 3, RLENGTH - 4) + 0; if (x > most) most = x }
    END { exit !(most > 700 && most < 790) }' a.svg
if [ $? -eq 0 ]; then pass; else fail 'words on the page' 'they end beyond it'; fi
rm -f ./*
