# --method: every way gives the same counts; what a way cannot do; and what --explain=all says of it.

karate=$graphs/karate.txt
run "$karate" -k 9 -q --method dense -o dense.tsv
mv dense.tsv "$notes/expected"
for method in auto sweep hybrid; do
    run "$karate" -k 9 -q --method $method -o counts.tsv
    same "the same file by $method" counts.tsv
done
run "$karate" -k 9 -q --mod 1000 -o dense.csv
mv dense.csv "$notes/expected"
run "$karate" -k 9 -q --mod 1000 --method sweep -o sweep.csv
same 'the same residues by sweeps' sweep.csv
for query in '--from 5' '--to 5' '--pair 5 17' '--total' '--sums' '--closed' '--trace' '--top 3'; do
    for more in '' --each --up-to; do
        case $query$more in --top*--*) continue ;; esac
        # shellcheck disable=SC2086 # words are meant to be split
        run "$karate" -k 6 -q $query $more --method sweep
        mv "$notes/stdout" "$notes/expected"
        for method in dense hybrid; do
            # shellcheck disable=SC2086
            run "$karate" -k 6 -q $query $more --method $method
            same "$query $more by $method" "$notes/stdout"
        done
    done
done
prints 'in doubles by sweeps' "$graphs/hochberg.txt" -k 4 -q --pair C J --float --method sweep << 'END'
7
END
run coarsen "$karate" -k 8 -q --blocks 3
mv "$notes/stdout" "$notes/expected"
run coarsen "$karate" -k 8 -q --blocks 3 --method hybrid
same 'blocks by a hybrid' "$notes/stdout"

check 'a hybrid explained' 0 '*' 'plan: length 9, *
  method      hybrid: rows sent along the arcs, 4 steps, then squared
*     4  sweep *     8  square *     9  step *
  sweep *' "$karate" -k 9 -q --method hybrid --explain=all
check 'sweeps explained' 0 '*' '*
  method      sweep: *rows*sent along the arcs, 9 steps
  engine      cpu, *
measured: * s, predicted * s*' "$karate" -k 9 -q --method sweep --explain=all
# What took no time, and a table with nothing to choose from, are left out.
run "$karate" -k 9 -q --total --explain=all
if grep -q ' 0\.000000 s' "$notes/stderr"; then fail 'rows of zeros' "$(cat "$notes/stderr")"; else pass; fi
if holds "$notes/stderr" '*  sweep *  total *' && ! holds "$notes/stderr" '*  product *'; then pass
else fail 'stages of a vector' "$(cat "$notes/stderr")"; fi
run "$karate" -k 9 -q --float --method dense --explain=all
if grep -q 'steps swept' "$notes/stderr"; then fail 'one way alone' 'is a table'; else pass; fi
check 'squaring explained' 0 '*' '*
  method      dense: the whole matrix is squared
*' "$karate" -k 9 -q --method dense --explain=all

check 'residues explained' 0 '*' '*
plan: length 9, *
  counts      modulo 1000
*' "$karate" -k 9 --mod 1000 --explain=all --total
check 'doubles without digits explained' 0 '*' '*
  digits      none (roundings may add up to more than the numbers themselves)
*' "$karate" -k 1000000000000000000 --float --explain=all --method dense

refuses 'unknown method' 2 "pathcount: --method must be auto, dense, sweep, hybrid, recurrence, formula, search or sets, not 'fast'*" \
    "$karate" -k 3 --method fast
refuses 'a hybrid of a short length' 2 '*pathcount: length 3 is too short*--method dense or sweep' \
    "$karate" -k 3 --method hybrid
refuses 'a hybrid modulo' 2 '*pathcount: a hybrid counts exactly*' "$karate" -k 9 --mod 5 --method hybrid
run coarsen "$karate" -k 9 -q --blocks 3 --method dense -o blocks.tsv
mv blocks.tsv "$notes/expected"
run coarsen "$karate" -k 9 -q --blocks 3 --method sweep -o blocks.tsv
same 'blocks by sweeps' blocks.tsv
refuses 'too many sweeps' 69 '*pathcount: *--method dense*' "$karate" -k 99999999999 --mod 5 --method sweep
refuses 'doubles with exponents beyond all' 69 '*pathcount: counts of length * have exponents beyond 2^62*' \
    "$karate" -k 18446744073709551615 --float --method dense
refuses 'too many sweeps in doubles' 69 '*pathcount: *--method dense*' "$karate" -k 99999999999999 --float --method sweep

# Giant lengths added up: a number by its recurrence, rows by one power of a graph with copies, which share no code.
run "$karate" -k 1000000000 -q --up-to --mod 1000003 --total
mv "$notes/stdout" "$notes/expected"
run "$karate" -k 1000000000 -q --up-to --mod 1000003 --sums
awk 'NR > 1 { sum = (sum + $2) % 1000003 } END { print sum }' "$notes/stdout" > summed.txt
same 'the total of giant lengths added up, by rows' summed.txt
check 'a total of giant lengths explained' 0 '*' '*
  method      recurrence: *' "$karate" -k 1000000000 -q --up-to --mod 1000003 --total --explain
check 'a matrix of giant lengths explained' 0 '*' '*
  method      dense: *
  because     lengths are added up by one power of twice as many vertices, on the CPU
*' "$karate" -k 1000000000 -q --up-to --mod 1000003 --explain
check 'one thread for little work' 0 '*' '*
  engine      cpu, 1 thread
*' "$karate" -k 9 -q --total --threads 8 --explain
