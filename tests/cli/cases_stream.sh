# Streams of small graphs: `pathcount batch` answers a line a graph.

# An edge, two vertices without one, a triangle, a vertex with a loop and an arc from it.
printf 'A_\nA?\nBw\n&Ao\n' > graphs.g6
head -n 3 graphs.g6 > simple.g6

# A line may state so many vertices as its length says, unless an option allows more.
printf 'A_\n:~~?@????\n' > stated.s6
check 'a line that states millions of vertices' 65 '2' \
    'pathcount: stated.s6:2: more vertices than a line of its length*(--max-vertices N*' \
    batch stated.s6 --length 1 --total --quiet
printf ':~~??J[Z?\n' > stated.s6
check 'as many as the option allows' 0 '0' '*1 graph*' \
    batch stated.s6 --length 1 --total --max-vertices 3000000
rm stated.s6

# ---- Columns -------------------------------------------------------------------------------------

prints 'a number alone' batch graphs.g6 --length 3 --total --quiet << 'END'
2
0
24
2
END
prints 'closed paths' batch graphs.g6 --length 3 --closed --quiet << 'END'
0
0
6
1
END
prints 'the trace is the same' batch graphs.g6 --length 3 --trace --quiet << 'END'
0
0
6
1
END
printf '%s\t%s\n' total closed 2 2 0 0 12 6 2 1 > "$notes/both"
prints 'both have names' batch graphs.g6 --length 2 --total --closed --quiet < "$notes/both"
printf '%s\t%s\t%s\t%s\n' total_1 total_2 closed_1 closed_2 2 2 0 2 0 0 0 0 6 12 0 6 2 2 1 1 \
    > "$notes/each"
prints 'each length has columns' batch graphs.g6 --length 2 --total --closed --each --quiet \
    < "$notes/each"
printf '%s\t%s\n' total_1 total_2 2 2 0 0 6 12 2 2 > "$notes/each"
prints 'each length of totals' batch graphs.g6 --length 2 --total --each --quiet < "$notes/each"
prints 'lengths added up' batch graphs.g6 --length 3 --total --up-to --quiet << 'END'
6
0
42
6
END
prints 'residues' batch graphs.g6 --length 3 --total --mod 7 --quiet << 'END'
2
0
3
2
END
prints 'paths that never turn back' \
    batch simple.g6 --length 3 --total --non-backtracking --quiet << 'END'
0
0
6
END
prints 'arcs as edges' batch graphs.g6 --length 2 --total --undirected --quiet << 'END'
2
0
12
5
END
prints 'edges as arcs' batch graphs.g6 --length 1 --total --directed --quiet << 'END'
1
0
3
2
END
prints 'counts of any width' batch simple.g6 --length 200 --total --quiet << 'END'
2
0
4820814132776970826625886277023487807566608981348378505904128
END
prints 'as many threads as wanted' batch simple.g6 --length 3 --total --quiet --threads 3 << 'END'
2
0
24
END
check 'lengths without end' 0 '2
0' '*2 graphs,*' batch - --length 18446744073709551615 --total --mod 10 << 'END'
A_
A?
END
check 'long lengths' 0 '2
0' '*2 graphs,*' batch - --length 1000000000 --total << 'END'
A_
A?
END
check 'lengths without end, exact' 69 '' 'pathcount: standard input:1: *wider than*--mod*' \
    batch - --length 18446744073709551615 --total << 'END'
A_
END

# ---- Where graphs come from ----------------------------------------------------------------------

printf '%s\n' 2 0 24 > "$notes/expected"
check 'standard input' 0 "$(cat "$notes/expected")" 'standard input: 3 graphs, *' \
    batch - --length 3 --total < simple.g6
gzip -k simple.g6
run batch simple.g6.gz --length 3 --total
same 'a packed file' "$notes/stdout"
check 'nothing at all' 0 '' 'standard input: 0 graphs, *' batch - --length 3 --total < /dev/null
check 'names of the columns of no graph' 0 'total	closed' '*' \
    batch - --length 3 --total --closed < /dev/null
check 'one graph' 0 '24' 'standard input: 1 graph, *' batch - --length 3 --total << 'END'
Bw
END

# The triangle and an arc, as a TUDataset.
mkdir SET
printf '%s\n' '1, 2' '2, 1' '2, 3' '3, 2' '1, 3' '3, 1' '4, 5' > SET/SET_A.txt
printf '%s\n' 1 1 1 2 2 > SET/SET_graph_indicator.txt
prints 'a folder of graphs' batch SET --length 1 --total --quiet << 'END'
6
1
END
prints 'a folder of undirected graphs' batch SET --length 2 --total --quiet --undirected << 'END'
12
2
END
prints 'edges given twice' batch SET --length 1 --total --quiet --undirected --multigraph << 'END'
12
2
END
refuses 'loops of a folder' 2 'pathcount: SET: --loops twice is for edges, and this folder has *' \
    batch SET --length 1 --total --quiet --undirected --loops twice
rm -rf SET

geng=$(command -v geng || command -v nauty-geng)
if [ -n "$geng" ]; then
    "$geng" -q 6 | "$pathcount" batch - --length 8 --total 2> "$notes/stderr" > "$notes/stdout"
    status=$?
    judge 'all graphs of 6 vertices' 0 '*' 'standard input: 156 graphs, *'
    last=$(tail -n 1 "$notes/stdout")
    if [ "$(wc -l < "$notes/stdout")" -eq 156 ] && [ "$last" -eq 2343750 ]; then
        pass # the last one is complete: 6 * 5^8
    else
        fail 'all graphs of 6 vertices' 'not 156 lines, or the complete graph is wrong'
    fi
else
    skip 'all graphs of 6 vertices' 'geng (package nauty) is not installed'
fi

# ---- What goes wrong -----------------------------------------------------------------------------

printf 'A_\nBw\nB\nBw\n' > bad.g6
check 'lines before a bad one are answered' 65 '2
24' 'pathcount: bad.g6:3: *' batch bad.g6 --length 3 --total
check 'a bad line of standard input' 65 '' 'pathcount: standard input:1: *' \
    batch - --length 3 --total << 'END'
from to
END
refuses 'a file that is not there' 66 'pathcount: nowhere.g6: *' batch nowhere.g6 --length 3 --total
check 'more steps than there is time for' 69 '2
0' 'pathcount: simple.g6:3: *' batch simple.g6 --length 1000000000000 --total
refuses 'doubles' 2 '*doubles*' batch simple.g6 --length 3 --total --float
refuses 'weights' 2 '*--weights*' batch simple.g6 --length 3 --total --weights
refuses 'vertices' 2 '*--vertices*' batch simple.g6 --length 3 --total --vertices 9
refuses 'more lengths than memory' 69 'pathcount: *fewer lengths*' \
    batch simple.g6 --length 18446744073709551615 --total --each

if [ -w /dev/full ]; then
    "$pathcount" batch simple.g6 --length 3 --total > /dev/full 2> "$notes/stderr"
    status=$?
    : > "$notes/stdout"
    judge 'no room for the answers' 74 '' 'pathcount: standard output: No space left on device'
else
    skip 'no room for the answers' 'there is no /dev/full'
fi

# A reader that has enough ends it soon: of a stream that never ends.
{
    yes Bw | timeout 60 "$pathcount" batch - --length 3 --total 2> "$notes/stderr"
    echo $? > "$notes/status"
} | head -n 2 > "$notes/stdout"
status=$(cat "$notes/status")
judge 'a reader that leaves' 141 '24
24' ''

# Answers do not wait for more: the second line is sent when the first is answered.
{
    echo Bw
    tries=0
    while [ ! -s answers ] && [ $tries -lt 200 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    [ -s answers ] && echo A_
} | "$pathcount" batch - --length 3 --total --quiet > answers 2> "$notes/stderr"
status=$?
printf '%s\n' 24 2 > "$notes/expected"
same 'a pipe that waits' answers
rm -f answers
refuses 'a stream of another format' 2 '*not in mtx*' batch graphs.g6 --length 3 --total --format mtx
refuses 'probabilities of a stream' 2 '*--markov*' batch graphs.g6 --length 3 --total --markov

# A packed stream that is cut short: whole lines that came before it are answered.
yes A_ | head -n 100000 | gzip -c > long.g6.gz
head -c "$(($(wc -c < long.g6.gz) * 3 / 4))" long.g6.gz > cut.g6.gz
run batch cut.g6.gz --length 3 --total
if [ "$status" -eq 65 ] && [ "$(wc -l < "$notes/stdout")" -gt 1000 ] &&
    [ "$(sort -u "$notes/stdout")" = 2 ] && grep -q 'cut short' "$notes/stderr"; then pass
else fail 'a stream that is cut short' "exit code $status, $(wc -l < "$notes/stdout") lines"; fi
rm -f long.g6.gz cut.g6.gz

folder_holds 'streams leave nothing behind' bad.g6 graphs.g6 simple.g6 simple.g6.gz

printf 'C~\nCr\n' > two.g6
prints 'closed paths of each length of a stream' batch two.g6 -k 2 --closed --each -q << 'END'
closed_1	closed_2
0	12
0	8
END
prints 'closed paths of one length of a stream' batch two.g6 -k 1 --closed --each -q << 'END'
0
0
END
"$pathcount" batch two.g6 -k 3 --total --closed -q > "$notes/expected"
run batch two.g6 -k 3 --closed --total -q
same 'totals and closed paths in the other order' "$notes/stdout"
rm two.g6
