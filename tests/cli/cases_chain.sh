# `pathcount chain`: products of relations. The expected tables were worked out by hand.

cp "$graphs/writes.txt" "$graphs/published.txt" .
prints 'authors and venues' chain writes.txt published.txt << 'END'
from\to  Theory  Graphs
Ada           0       2
Ben           0       2
Cleo          1       2
Dan           1       0
END
prints 'authors who wrote together' chain writes.txt writes.txt^T << 'END'
from\to  Ada  Ben  Cleo  Dan
Ada        2    1     1    0
Ben        1    2     1    0
Cleo       1    1     3    0
Dan        0    0     0    1
END
# Ada, Ben (0, 2), Cleo (1, 2), Dan (1, 0): 2 * 4 / (4 + 5) and 2 * 1 / (5 + 1)
prints 'authors alike by venue' \
    chain writes.txt published.txt published.txt^T writes.txt^T --pathsim << 'END'
from\to     Ada     Ben    Cleo     Dan
Ada      1.0000  1.0000  0.8889  0.0000
Ben      1.0000  1.0000  0.8889  0.0000
Cleo     0.8889  0.8889  1.0000  0.3333
Dan      0.0000  0.0000  0.3333  1.0000
END
prints 'one relation, backwards' chain published.txt^T << 'END'
from\to  p5  p1  p2  p3  p4
Theory    1   0   0   0   1
Graphs    0   1   1   1   0
END
printf 'source,target,weight\na,x,2\nb,x,1\n' > pages.csv
check 'what is left out of a relation' 0 '*' 'pages.csv: 2 rows, 1 column, 2 entries, weights ignored (--weights takes them), header *source,target,weight* skipped*' chain pages.csv pages.csv^T
printf 'n,page,person,\n1,x,a,\n2,x,b,\n' > pages.csv
check 'columns of a relation' 0 '*' 'pages.csv: 2 rows, 1 column, 2 entries, header *' \
    chain pages.csv --columns person,page
rm pages.csv
check 'each file is read once, and the order told' 0 '*' \
    'writes.txt: 4 rows, 5 columns, 8 entries
published.txt: 5 rows, 2 columns, 5 entries
order ((1 2) (3 4)): about * multiplications, * from left to right' \
    chain writes.txt published.txt published.txt^T writes.txt^T
check 'quiet' 0 '*' '' chain writes.txt published.txt published.txt^T -q
check 'the limit, explained' 0 '*' '*
entries at most 2^* (proved), integers of 64 bits' chain writes.txt published.txt --explain=all

# ---- Ways that visit no vertex twice, damped ways --------------------------------------------------

# Ada and Ben share p1, Ada and Cleo p2, Ben and Cleo p3.
prints 'no author twice' chain writes.txt writes.txt^T --simple << 'END'
from\to  Ada  Ben  Cleo  Dan
Ada        0    1     1    0
Ben        1    0     1    0
Cleo       1    1     0    0
Dan        0    0     0    0
END
prints 'authors are not authors when they come again' \
    chain writes.txt writes.txt^T --simple --types from,paper,to << 'END'
from\to  Ada  Ben  Cleo  Dan
Ada        2    1     1    0
Ben        1    2     1    0
Cleo       1    1     3    0
Dan        0    0     0    1
END
# From Ada by the paper of Ben, or of Cleo, on to another paper of theirs.
prints 'no author and no paper twice' chain writes.txt writes.txt^T writes.txt --simple << 'END'
from\to  p1  p2  p3  p4  p5
Ada       0   0   2   1   0
Ben       0   2   0   1   0
Cleo      2   0   0   0   0
Dan       0   0   0   0   0
END
# Papers have 2 authors, but p4; Ada and Ben have 2 papers, Cleo has 3: 1 / sqrt(2 2 2 2), 1 / sqrt(2 2 2 3).
prints 'damped, no author twice' chain writes.txt writes.txt^T --simple --damping 0.5 << 'END'
from\to       Ada       Ben      Cleo  Dan
Ada             0      0.25  0.204124    0
Ben          0.25         0  0.204124    0
Cleo     0.204124  0.204124         0    0
Dan             0         0         0    0
END
# From Ada to herself 2 / (2 2 2 2), from Cleo 2 / (3 2 2 3) + 1 / (3 3).
prints 'damped walks' chain writes.txt writes.txt^T --damping 1 << 'END'
from\to        Ada        Ben       Cleo  Dan
Ada          0.125     0.0625  0.0416667    0
Ben         0.0625      0.125  0.0416667    0
Cleo     0.0416667  0.0416667   0.166667    0
Dan              0          0          0    1
END
check 'a summary of damped walks' 0 'product               writes.txt writes.txt^T
rows, columns         4, 4
error at most         *e-1?
joined pairs          10 of 16*largest entries
*' '*' chain writes.txt writes.txt^T --damping 1 --summary
check 'JSON of damped ways' 0 '*"simple": true, "damping": 0.5,*"measure": "ways"*"error": *e-1?,*"total": null*"count": "2.5e-01"*' \
    '*' chain writes.txt writes.txt^T --simple --damping 0.5 --json
check 'JSON of exact ways' 0 '*"simple": true, "damping": 0.0,*"error": 0.0,*"total": "6"*' '*' \
    chain writes.txt writes.txt^T --simple --damping 0 --json
run chain writes.txt writes.txt^T -q --simple -o ways.mtx
head -1 ways.mtx > "$notes/stdout"
echo '%%MatrixMarket matrix coordinate integer symmetric' > "$notes/expected"
same 'ways there and back are symmetric' "$notes/stdout"
run chain writes.txt writes.txt^T -q --simple --types a,b,a --damping 0.5 -o damped.mtx
head -1 damped.mtx > "$notes/stdout"
echo '%%MatrixMarket matrix coordinate real general' > "$notes/expected"
same 'damped ways are only nearly so' "$notes/stdout"
refuses 'ways and powers' 2 'pathcount chain: --simple and --damping exclude --pathsim and --power*' \
    chain writes.txt writes.txt^T --simple --power 2
refuses 'damped similarities' 2 'pathcount chain: --simple and --damping exclude*' \
    chain writes.txt writes.txt^T --damping 0.5 --pathsim
refuses 'too much damping' 2 "pathcount chain: --damping is a number from 0 to 1, not '2'*" \
    chain writes.txt --damping 2
refuses 'damping that is no number' 2 "pathcount chain: --damping is a number from 0 to 1, not '1x'*" \
    chain writes.txt --damping 1x
refuses 'too few types' 2 'pathcount chain: --types is for --simple and has one type more*: 3 here*' \
    chain writes.txt writes.txt^T --simple --types a,b
refuses 'too many types' 2 'pathcount chain: --types is for --simple and has one type more*' \
    chain writes.txt --simple --types a,b,c
refuses 'types of walks' 2 'pathcount chain: --types is for --simple*' chain writes.txt --types a,b
printf '# AUTHOR VENUE\nAda Graphs\nEve Theory\nEve Graphs\n' > likes.txt
refuses 'types that labels do not tell' 65 "*
pathcount: positions 0 and 2 of the chain, counted from 0, both have 'Ada'*--types*" \
    chain writes.txt writes.txt^T likes.txt --simple --allow-missing
# Ben and Cleo wrote with Ada, who likes Graphs; Ada does not count as her own coauthor.
prints 'types are told' chain writes.txt writes.txt^T likes.txt --simple --allow-missing \
    --types author,paper,author,venue << 'END'
from\to  Graphs  Theory
Ada           0       0
Ben           1       0
Cleo          1       0
Dan           0       0
END
refuses 'too long a way' 2 '*
pathcount: ways that visit no vertex twice, and damped ways, go along 6 relations at most; this chain has 7' \
    chain writes.txt writes.txt^T writes.txt writes.txt^T writes.txt writes.txt^T writes.txt --simple

# ---- Powers of a product ---------------------------------------------------------------------------

# The square of the second table above.
prints 'the product twice' chain writes.txt writes.txt^T --power 2 << 'END'
from\to  Ada  Ben  Cleo  Dan
Ada        6    5     6    0
Ben        5    6     6    0
Cleo       6    6    11    0
Dan        0    0     0    1
END
prints 'modulo' chain writes.txt writes.txt^T --power 2 --mod 5 << 'END'
from\to  Ada  Ben  Cleo  Dan
Ada        1    0     1    0
Ben        0    1     1    0
Cleo       1    1     1    0
Dan        0    0     0    1
END
prints 'in doubles' chain writes.txt writes.txt^T --power 0 --float << 'END'
from\to  Ada  Ben  Cleo  Dan
Ada        1    0     0    0
Ben        0    1     0    0
Cleo       0    0     1    0
Dan        0    0     0    1
END
check 'power as JSON' 0 '*"graph": {"path": "writes.txt writes.txt^T", "format": "product", "directed": false*"length": "2"*' \
    '*' chain writes.txt writes.txt^T --power 2 --json
check 'power explained' 0 '*' '*plan: length 2, 4 vertices*' \
    chain writes.txt writes.txt^T --power 2 --explain=all

# ---- Formats, files, names -------------------------------------------------------------------------

printf '%%%%MatrixMarket matrix coordinate integer general\n2 3 3\n1 1 2\n1 3 1\n2 2 5\n' > wide.mtx
prints 'Matrix Market of another shape' chain wide.mtx --weights << 'END'
from\to  1  2  3
1        2  0  1
2        0  5  0
END
prints 'its square, with multiplicities' chain wide.mtx wide.mtx^T --weights << 'END'
from\to  1   2
1        5   0
2        0  25
END
printf 'a 3 7\nb 2 1\nb 1 1\n' > labels.txt
prints 'labels in another order' chain labels.txt wide.mtx^T --weights << 'END'
from\to  1  2
a        7  0
b        2  5
END
printf 'x y\nx y\n' > 'odd^T'
prints 'a file of that very name' chain 'odd^T' --multigraph << 'END'
from\to  y
x        2
END
"$pathcount" chain - writes.txt^T < writes.txt > "$notes/stdout" 2> "$notes/stderr"
status=$?
judge 'standard input' 0 '*Dan        0    0     0    1*' '*standard input: 4 rows*'

check 'written to a file' 0 '*rows, columns         4, 2*all ways              8*joined pairs          5 of 8
written to            venues.tsv*' '*' chain writes.txt published.txt -o venues.tsv
printf '\tTheory\tGraphs\nAda\t0\t2\nBen\t0\t2\nCleo\t1\t2\nDan\t1\t0\n' > "$notes/expected"
same 'as text' venues.tsv
run chain writes.txt writes.txt^T -q -o pairs.mtx
cat > "$notes/expected" << 'END'
%%MatrixMarket matrix coordinate integer symmetric
% pathcount graph: weights
% label 1 Ada
% label 2 Ben
% label 3 Cleo
% label 4 Dan
4 4                    7
1 1 2
2 1 1
2 2 2
3 1 1
3 2 1
3 3 3
4 4 1
END
same 'a product that is symmetric by its factors' pairs.mtx
check 'JSON' 0 '*"order": "((1 2) 3)"*"total": "*"row_labels": \["Ada", "Ben", "Cleo", "Dan"\]*"matrix": \[*' \
    '*' chain writes.txt published.txt published.txt^T --json
check 'JSON of similarities' 0 '*"measure": "pathsim"*"total": null*"largest_pairs": \[{"from": "Ada", "to": "Ben", "similarity": "5e-01"}*' \
    '*' chain writes.txt writes.txt^T --pathsim --json
i=0
while [ $i -lt 40 ]; do printf '%d x\n' $i; i=$((i + 1)); done > many.txt
check 'a summary beyond 32 rows' 0 'product               many.txt many.txt^T
rows, columns         40, 40
all ways              1600
most from one row     40, from 0
largest entry         1 (1 bit)
joined pairs          1600 of 1600*largest entries, each pair once*' '*' chain many.txt many.txt^T
check 'a summary of similarities' 0 '*similar pairs         1560 of 1560*most similar pairs, each pair once*
*1.0000*' '*' chain many.txt many.txt^T --pathsim

# ---- Refused ---------------------------------------------------------------------------------------

refuses 'similarities of a power' 2 'pathcount chain: --pathsim and --power exclude each other*' \
    chain writes.txt --pathsim --power 2
refuses 'labels that do not match' 65 "*
pathcount: column 'p1' of factor 1 is no row of factor 2*--allow-missing*" \
    chain writes.txt writes.txt
prints 'unless that is allowed' chain writes.txt writes.txt --allow-missing << 'END'
from\to  p1  p2  p3  p4  p5
Ada       0   0   0   0   0
Ben       0   0   0   0   0
Cleo      0   0   0   0   0
Dan       0   0   0   0   0
END
refuses 'similarities of what is not square' 2 '*
pathcount: similarities need a product whose columns are its rows*' \
    chain writes.txt published.txt --pathsim
refuses 'power of what is not square' 2 '*
pathcount: only a product whose columns are its rows*' chain writes.txt published.txt --power 2
printf 'a b 18446744073709551615\na b 1\n' > heavy.txt
refuses 'multiplicities past 64 bits' 65 'pathcount: heavy.txt: *' chain heavy.txt --weights --multigraph
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n2 3 1\n2 1\n' > bad.mtx
refuses 'symmetric and not square' 65 'pathcount: bad.mtx:2: *symmetric*square' chain bad.mtx
refuses 'no memory' 69 '*
pathcount: *' chain many.txt many.txt^T --memory-limit 1K
check 'help' 0 'Usage: pathcount *F1 \[F2...\]
Multiply relations*--allow-missing*--pathsim*--power=P*Examples:*' '' chain --help
wide=$(cut -c 81- "$notes/stdout" | tr -d '\n')
if [ -z "$wide" ]; then pass; else fail 'help in 80 columns' "too wide: $wide"; fi
