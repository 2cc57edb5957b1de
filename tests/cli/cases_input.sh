# What is read, in every form, and what is refused: exit 65, 66, with file:line where there is one.

edge_table='from\to  0  1  2
0        0  1  0
1        1  0  1
2        0  1  0'

# reads NAME FILE [OPTION...]: FILE is the graph 0 - 1 - 2.
reads()
{
    case_name=$1
    shift
    printf '%s\n' "$edge_table" | prints "$case_name" "$@" -k 1
}

printf '0 1\n1 2\n' > plain.txt
reads 'plain' plain.txt
printf '0 1\r\n1 2\r\n' > crlf.txt
reads 'CRLF' crlf.txt
printf '\357\273\2770\t1\n1\t2' > bom.tsv
reads 'byte order mark, tabs, no final newline' bom.tsv
printf '# comment\n%% comment\n\n1,0\n1, 2\n' > comma.csv
reads 'commas, comments, blank lines' comma.csv
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n' > symmetric.mtx
prints 'Matrix Market symmetric' symmetric.mtx -k 2 << 'END'
from\to  1  2  3
1        1  0  1
2        0  2  0
3        1  0  1
END
printf '%%%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 3\n2 1 5\n' > general.mtx
prints 'Matrix Market general, with values' general.mtx -k 2 --weights << 'END'
from\to   1   2
1        15   0
2         0  15
END
check 'direction overridden' 0 '*' \
    'general.mtx: Matrix Market, undirected (the file says directed): 2 vertices, 1 edge*' \
    general.mtx -k 1 --undirected
check 'values ignored' 0 '*' 'general.mtx: *directed*weights ignored (--weights takes them)' \
    general.mtx -k 1
printf 'p edge 0 0\n' > nobody.txt
check 'DIMACS of no vertices, in a file of another ending' 0 '*' \
    'nobody.txt: DIMACS, undirected: 0 vertices, 0 edges*' nobody.txt -k 1
printf 'to,n,from\n1,5,0\n2,6,1\n' > columns.csv
reads 'columns by number' columns.csv --columns 3,1
reads 'columns by name' columns.csv --columns from,to
reads 'columns by the names of the header' columns.csv
printf 'to,n,from\n"a ""b""",5,c\n' > quoted.csv
prints 'doubled quotes in a column that is chosen by name' quoted.csv -k 1 << 'END'
from\to  c  a "b"
c        0      1
a "b"    1      0
END
printf '0;1\n1;2\n' > semicolons.csv
reads 'semicolons' semicolons.csv
reads 'a separator, no header' semicolons.csv --separator ';' --no-header
for wrong in --columns=1 --columns=1,1 --columns=0,1 --separator=ab '--columns=a,b --no-header'; do
    # shellcheck disable=SC2086 # two words are two options
    check "refused: $wrong" 2 '' 'pathcount: --*' columns.csv -k 1 $wrong
done
check 'a column that is not there' 65 '' "pathcount: columns.csv:1: no column is named 'x'*" \
    columns.csv -k 1 --columns x,to
check 'columns of a matrix' 65 '' 'pathcount: general.mtx:1: --columns*are for edge lists*' \
    general.mtx -k 1 --columns 1,2
printf '1 0 2020\n1 2 2021\n' > dated.txt
reads 'third column ignored' dated.txt
if holds "$notes/stderr" '*weights ignored (--weights takes them)'; then pass
else fail 'note of third column' 'wrong'; fi
printf '\037\213\010\000\000\000\000\000\002\377\063\120\060\344\062\124\060\342' > packed.txt.gz
printf '\002\000\152\035\273\327\010\000\000\000' >> packed.txt.gz
reads 'gzip' packed.txt.gz
head -c 16 packed.txt.gz > cut.txt.gz
printf '7 4000000000\n' > far.txt
prints 'far ids are two vertices' far.txt -k 1 << 'END'
from\to     7  4000000000
7           0           1
4000000000  1           0
END
printf '18446744073709551615 0\n' > last.txt
check 'largest id' 0 '*18446744073709551615*' '*: 2 vertices, 1 edge' last.txt -k 1
printf '0 1\n18446744073709551616 1\n' > beyond.txt
check 'an id beyond 64 bits is a label' 0 '*18446744073709551616*' '*: 3 vertices, 2 edges' beyond.txt -k 1
printf 'C#1 \303\251t\303\251\n' > names.txt
prints 'a # and UTF-8 inside labels' names.txt -k 1 << END
from\\to  C#1  $(printf '\303\251t\303\251')
C#1        0    1
$(printf '\303\251t\303\251')        1    0
END
printf '0 0\n0 1\n' > loop.txt
check 'a loop counts once' 0 '*
0        1  1
*' 'loop.txt: edge list, undirected: 2 vertices, 2 edges (1 loop, counted once)' loop.txt -k 1
printf 'a \033[31mred\n' > escape.txt
check 'no control characters on the terminal' 0 '*x1b\[31mred*' '*' escape.txt -k 1 --separator space

# standard NAME FILE: the graph 0 - 1 - 2 from the standard input.
standard()
{
    "$pathcount" - -k 1 < "$2" > "$notes/stdout" 2> "$notes/stderr"
    status=$?
    printf '%s\n' "$edge_table" > "$notes/expected"
    same "$1" "$notes/stdout"
}
standard 'standard input' plain.txt
standard 'packed standard input' packed.txt.gz
if holds "$notes/stderr" 'standard input: edge list, *'; then pass
else fail 'note of standard input' 'wrong'; fi

. "$here/../tree_files.sh"
gzip -c tree.gml > tree.GML.gz
cp tree.net tree.PAJ
for file in tree.*; do
    run "$file" -k 1
    printf '%s\n' "$edge_table" > "$notes/expected"
    same "$file" "$notes/stdout"
done
refuses 'missing GML file' 66 'pathcount: *none.gml*' none.gml -k 1
printf 'graph [\n node [ id 0 ]\n edge [ source 0 target' > broken.gml
refuses 'broken GML' 65 'pathcount: broken.gml*' broken.gml -k 1
refuses 'a format that is not the right one' 65 'pathcount: plain.txt*' plain.txt -k 1 --format gml

# ---- No input (66) --------------------------------------------------------------------------------

refuses 'missing file' 66 'pathcount: *none.txt*No such file or directory' none.txt -k 1
mkdir folder
refuses 'a folder' 66 'pathcount: *folder: is a folder: name a file in it' folder -k 1
if [ "$(id -u)" -eq 0 ]; then
    skip 'unreadable file' 'root reads everything'
else
    printf '0 1\n' > secret.txt
    chmod 000 secret.txt
    refuses 'unreadable file' 66 'pathcount: *secret.txt*Permission denied' secret.txt -k 1
fi

# ---- Bad data (65) --------------------------------------------------------------------------------

# bad NAME PATTERN TEXT [OPTION...]: the file bad.txt of this text (a printf format) is refused.
bad()
{
    case_name=$1 case_pattern=$2
    # shellcheck disable=SC2059 # the text is meant as a format
    printf "$3" > bad.txt
    shift 3
    refuses "$case_name" 65 "$case_pattern" bad.txt -k 2 "$@"
}
bad 'empty file' 'pathcount: bad.txt*empty*' ''
bad 'only comments' 'pathcount: bad.txt*' '# nothing\n'
bad 'one token' 'pathcount: bad.txt:2: *stands alone*' '0 1\n2\n3 4\n' --format edges
bad 'one token, perhaps a vertex without neighbours' \
    'pathcount: bad.txt:2: *stands alone*--format adjlist reads lists of neighbours*' '0 1\n2\n3 4\n'
bad 'four columns' 'pathcount: bad.txt:1: *' '0 1 2 3\n'
bad 'non-numeric weight' 'pathcount: bad.txt:2: *' '1 0 2\n1 2 x\n' --weights
bad 'negative weight' 'pathcount: bad.txt:1: *negative*' '0 1 -2\n' --weights
bad 'fractional weight' 'pathcount: bad.txt:1: *' '0 1 2.5\n' --weights
bad 'overflowing weight' 'pathcount: bad.txt:1: *' '0 1 18446744073709551616\n' --weights
bad 'missing weight' 'pathcount: bad.txt:2: *' '0 1 2\n1 2\n' --weights --no-header
bad 'a missing weight, or a list' 'pathcount: bad.txt:1: lists of neighbours (--format adjlist) or edges*' '0 1 2\n1 2\n'
bad 'no weights' 'pathcount: bad.txt:1: weights are asked for (--weights), and the lines have two columns: *' \
    '0 1\n1 2\n' --weights
bad 'times for weights' "pathcount: bad.txt:1: column 3 looks like times ('1500000000'): --columns 1,2,3 *" \
    '1 0 1500000000\n1 2 1500000001\n' --weights
bad 'half of a pair of brackets' "pathcount: bad.txt:1: '(b' has a bracket * --separator *" 'a (b\n'
bad 'weights that differ' 'pathcount: *--multigraph*' '0 1 2\n1 0 3\n' --weights
bad 'multiplicities past 64 bits' 'pathcount: *' '0 1 18446744073709551615\n0 1 1\n' \
    --weights --multigraph
bad 'NUL byte' 'pathcount: bad.txt:2: *NUL*' '0 1\n1 \0002\n'
bad 'UTF-16' 'pathcount: bad.txt:1: *UTF-16*' '\377\3760\000 \0001\000\n\000'
refuses 'truncated gzip' 65 'pathcount: cut.txt.gz*' cut.txt.gz -k 1

bad 'matrix without banner' 'pathcount: bad.txt:*' '3 3 2\n2 1\n3 2\n' --format mtx
banner='%%%%MatrixMarket matrix coordinate'
bad 'array cut short' 'pathcount: bad.txt:4: *before the last entry*' \
    '%%%%MatrixMarket matrix array real general\n2 2\n1\n'
bad 'complex matrix' 'pathcount: bad.txt:1: *' "$banner complex general\n1 1 1\n1 1 1 0\n"
bad 'not square' 'pathcount: bad.txt:2: *square*' "$banner pattern general\n2 3 1\n1 2\n"
bad 'index 0' 'pathcount: bad.txt:3: *' "$banner pattern general\n2 2 1\n0 1\n"
bad 'index out of range' 'pathcount: bad.txt:3: *' "$banner pattern general\n2 2 1\n1 3\n"
bad 'too few entries' 'pathcount: bad.txt:*' "$banner pattern general\n2 2 2\n1 2\n"
bad 'too many entries' 'pathcount: bad.txt:4: *' "$banner pattern general\n2 2 1\n1 2\n2 1\n"
bad 'absurd number of entries' 'pathcount: bad.txt:2: *' \
    "$banner pattern general\n2 2 18446744073709551615\n1 2\n"
bad 'absurd dimensions' 'pathcount: bad.txt:2: *' \
    "$banner pattern general\n18446744073709551615 18446744073709551615 1\n1 2\n"

# A few bytes state few vertices, unless an option allows more.
bad 'sparse6 that states millions of vertices' \
    'pathcount: bad.txt:1: 16777216 vertices: a file of 9 bytes may state 2097161 (--max-vertices N*' \
    ':~~?@????' --format graph6
bad 'Matrix Market that states millions of vertices' \
    'pathcount: bad.txt:2: 3000000 vertices: *(--max-vertices N*' \
    "$banner pattern general\n3000000 3000000 1\n1 2\n"
bad 'more than the option allows' 'pathcount: bad.txt:2: 9 vertices: *may state 8 *' \
    "$banner pattern general\n9 9 1\n1 2\n" --max-vertices 8
printf '%%%%MatrixMarket matrix coordinate pattern general\n3000000 3000000 1\n1 2\n' > wide.mtx
check 'as many as the option allows' 0 '1' 'wide.mtx: *3000000 vertices, 1 arc' \
    wide.mtx --total -k 1 --max-vertices 3000000
refuses 'a relation of millions of rows' 65 'pathcount: wide.mtx:2: *(--max-vertices N*' \
    chain wide.mtx 'wide.mtx^T'

# Zeros in a packed file are not unpacked to their end: that would not fit.
{ printf '0 1\n1 2\n' && head -c 400000000 /dev/zero; } | gzip -1 > zeros.txt.gz
refuses 'packed zeros' 65 'pathcount: zeros.txt.gz:3: *NUL*' \
    zeros.txt.gz -k 1 --memory-limit 64M

# While other processes rewrite the file, make it longer and cut it short, it is read or refused.
"$pathcount" generate erdos-renyi --vertices 30000 --edges 200000 -q > first.txt
sed 's/$/ 1/' first.txt > second.txt
awk '!/^#/ { print $1 % 10, $2 % 10 }' first.txt > third.txt
rewrite()
{
    while [ -e rewriting ]; do
        cat "$1" > changing.txt
        head -c 700000 "$1" > changing.txt
    done
}
: > rewriting
: > changing.txt # else the first turn may come before it
for text in first second third; do
    rewrite $text.txt &
done
turn=0 case_bad=
while [ $turn -lt 30 ]; do
    turn=$((turn + 1))
    weights=
    [ $((turn % 2)) -eq 0 ] || weights=--weights
    # shellcheck disable=SC2086 # no option is no word
    run changing.txt -k 1 --total $weights
    case $status in
    0 | 65) ;;
    *) case_bad="$case_bad $status" ;;
    esac
done
rm rewriting
wait
if [ -z "$case_bad" ]; then pass
else fail 'a file that is rewritten all the time' "exit codes:$case_bad"; fi

# ---- Not possible here (69) -----------------------------------------------------------------------

refuses 'does not fit the memory limit' 69 '*
pathcount: *' plain.txt --vertices 4000 -k 8 --method dense --no-reduce --memory-limit 20M
refuses 'wider than products reach' 69 '*
pathcount: *--method sweep*' plain.txt -k 1000000 --method dense
refuses 'more steps than there is time for' 69 '*
pathcount: *--mod*--float*' plain.txt -k 1000000000000
PATHCOUNT_CPU=abacus
export PATHCOUNT_CPU
refuses 'no such kernel' 69 '*
pathcount: *abacus*' plain.txt -k 2
unset PATHCOUNT_CPU
