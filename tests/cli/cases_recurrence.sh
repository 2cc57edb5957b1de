# pathcount recurrence: what it prints, and that counting gives the same.

printf 'A A\nA B\nB A\n' > fibonacci.txt
check 'a recurrence' 0 'recurrence  a(n) = a(n-1) + a(n-2) for n >= 2
terms       2, 3, 5, 8, 13, 21, 34, 55, 89, 144
signature   (1, 1)
function    (2 + x)/(1 - x - x^2)' 'fibonacci.txt: edge list, directed: *' recurrence fibonacci.txt --directed --total
check 'a pair, with another number of terms' 0 'recurrence  a(n) = a(n-1) + a(n-2) for n >= 2
terms       0, 1, 1
signature   (1, 1)
function    (x)/(1 - x - x^2)' '' recurrence fibonacci.txt --directed --pair A B --terms 3 -q
check 'modulo a number' 0 'recurrence  a(n) = a(n-1) + a(n-2) for n >= 2
terms       0, 1, 1, 2, 3, 5, 1, 6, 0, 6
signature   (1, 1)
function    (x)/(1 - x - x^2)
a(7000)     0' '' recurrence fibonacci.txt --directed --pair A B --mod 7 --length 7000 -q

# The path A - B - C from B: 1, 2, 2, 4, 4 ...; nothing goes on for ever in a graph without a cycle.
printf 'A B\nB C\n' > path.txt
check 'coefficients that are 0 are left out' 0 'recurrence  a(n) = 2 a(n-2) for n >= 2
terms       1, 2, 2, 4, 4, 8, 8, 16, 16, 32
signature   (0, 2)
function    (1 + 2*x)/(1 - 2*x^2)' '' recurrence path.txt --from B -q
check 'a recurrence without coefficients' 0 'recurrence  a(n) = 0 for n >= 3
terms       3, 2, 1, 0, 0, 0, 0, 0, 0, 0
signature   ()
function    (3 + 2*x + x^2)/(1)' '' recurrence path.txt --directed --total -q
check 'paths that never turn back' 0 'recurrence  a(n) = 0 for n >= 3
terms       3, 4, 2, 0, 0, 0, 0, 0, 0, 0
signature   ()
function    (3 + 4*x + 2*x^2)/(1)' '' recurrence path.txt --total --non-backtracking -q

printf 'a b\na c\na d\nb c\nb d\nc d\n' > k4.txt

# Counted from square to square by a program of its own.
sh "$graphs/../king.sh" 3 5 > king.txt
check 'moves of a king, as README has them' 0 '*
terms       15, 76, 428, 2368, 13282, 74208, 415458, 2324216, 13007038, 72780800
signature   (0, 24, 48, -21, -96, -46)
*' '' recurrence king.txt --total -q

# Signs, and terms far out, as counting gives them.
cp "$graphs/lesmis.txt" .
for question in '--total' '--trace' '--from Valjean' '--to Javert' '--pair Valjean Javert'; do
    counted=$question
    case $question in
    '--from '* | '--to '*) counted='--sums' ;;
    esac
    # shellcheck disable=SC2086 # options are words
    run lesmis.txt --undirected -k 200 -q $counted
    case $question in
    '--from '* | '--to '*) awk -v name="${question#* }" '$1 == name { print $2 }' "$notes/stdout" > "$notes/expected" ;;
    *) cp "$notes/stdout" "$notes/expected" ;;
    esac
    # shellcheck disable=SC2086
    run recurrence lesmis.txt --undirected --length 200 -q $question
    sed -n 's/^a(200) *//p' "$notes/stdout" > "$notes/term"
    same "the term of length 200: $question" "$notes/term"
done

check 'a growth rate' 0 '*
growth      1.61803398874989484...' '' recurrence fibonacci.txt --directed --total --growth -q
check 'a growth rate without more digits' 0 '*
growth      3' '' recurrence k4.txt --total --growth -q
check 'no growth' 0 '*
growth      none, all are 0 in the end' '' recurrence path.txt --directed --total --growth -q
refuses 'growth of residues' 2 '*residues do not grow*' recurrence path.txt --total --growth --mod 7

refuses 'no question' 2 '*which paths? --total*' recurrence path.txt
refuses 'no graph' 2 '*which graph?*' recurrence --total
refuses 'two pairs' 2 '*one --pair at a time*' recurrence path.txt --pair A B --pair B C
refuses 'a vertex that is not there' 65 "*'Z'*" recurrence path.txt --from Z
printf '0 1\n1 2\n' > numbers.txt
refuses 'a trace that takes too long' 69 '*
pathcount: *operations*' recurrence numbers.txt --trace --vertices 100000

# Very long paths modulo a number, by squaring the matrix and by the recurrence.
for modulus in 1000000007 1000000 9223372036854775783; do
    run "$graphs/karate.txt" -k 1000000000000000000 --mod $modulus --total -q
    cp "$notes/stdout" "$notes/expected"
    run recurrence "$graphs/karate.txt" --length 1000000000000000000 --mod $modulus --total -q
    sed -n 's/^a(1000000000000000000) *//p' "$notes/stdout" > "$notes/term"
    same "the term of length 10^18 modulo $modulus" "$notes/term"
done

# Counting takes the recurrence by itself where it pays.
for question in '--total' '--pair 1 34' '--trace'; do
    # shellcheck disable=SC2086
    check "very long paths, exactly: $question" 0 '*' '*
  method      recurrence: of at most * lengths, by * sent along the arcs, * steps
*
  memory      forecast *
  prediction  *' "$graphs/karate.txt" -k 100000 $question -q --explain=all
done
run "$graphs/karate.txt" -k 3000 --total -q --method sweep
cp "$notes/stdout" "$notes/expected"
run "$graphs/karate.txt" -k 3000 --total -q --method recurrence
same 'by a recurrence and by sweeps' "$notes/stdout"
refuses 'a matrix modulo a number by a recurrence' 2 '*
pathcount: a recurrence is for one length*' path.txt -k 5 --mod 7 --method recurrence
run "$graphs/karate.txt" -k 1500 -o swept.tsv -q --method sweep
run "$graphs/karate.txt" -k 1500 -o polynomial.tsv -q --method recurrence
cp swept.tsv "$notes/expected"
same 'a matrix as a polynomial and by sweeps' polynomial.tsv
check 'a very long matrix' 0 '*' '*
  method      recurrence: rows as a polynomial of A, of at most 34 lengths, by 1 vector sent along the arcs, 68 steps
*' "$graphs/karate.txt" -k 10000 --explain=all
refuses 'very long paths that do not fit' 69 '*
pathcount: *need *B of memory*' "$graphs/karate.txt" -k 1000000000 --total --memory-limit 64M
refuses 'paths longer than any memory' 69 '*
pathcount: *wider than 2^36 bits*--mod M*' "$graphs/karate.txt" -k 1000000000000000000 --total --method recurrence

# The karate club's paths of length 10000, as integers of Python count them.
if command -v python3 > "$notes/found"; then
    cat > integers.py << 'END'
import sys
edges = [tuple(map(int, line.split())) for line in open(sys.argv[1]) if line[0] != "#"]
n, length = 34, 10000
near = [[] for _ in range(n)]
for u, v in edges:
    near[u - 1].append(v - 1)
    near[v - 1].append(u - 1)
def after(vector):
    for _ in range(length // 2):
        vector = [sum(vector[v] for v in near[u]) for u in range(n)]
    return vector
unit = lambda v: [int(u == v) for u in range(n)]
dot = lambda x, y: sum(a * b for a, b in zip(x, y))
sys.set_int_max_str_digits(0) if hasattr(sys, "set_int_max_str_digits") else None
half = [after(unit(v)) for v in range(n)]
print(dot(after([1] * n), after([1] * n)), dot(half[0], half[33]), sum(dot(x, x) for x in half), sep="\n")
END
    python3 integers.py "$graphs/karate.txt" > "$notes/expected"
    for question in '--total' '--pair 1 34' '--trace'; do
        # shellcheck disable=SC2086
        run "$graphs/karate.txt" -k 10000 -q $question
        cat "$notes/stdout" >> "$notes/counted"
    done
    same 'length 10000, as Python counts' "$notes/counted"
else
    skip 'length 10000, as Python counts' 'python3 is not installed'
fi
