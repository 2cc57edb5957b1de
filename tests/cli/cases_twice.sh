# --twice: two processes do everything, and all that leaves the command is compared.

printf 'A B\nB C\nC A\nC D\n' > g.txt
printf 'A B\nB C\nC A\nA D\n' > other.txt

# The command prints and writes the same with --twice as without.
for question in '--total' '--from A' '--closed --json' '--top 3' '--sums'; do
    # shellcheck disable=SC2086 # words
    "$pathcount" g.txt -k 5 -q $question > "$notes/expected"
    # shellcheck disable=SC2086
    run g.txt -k 5 -q --twice $question
    same "the same with --twice: $question" "$notes/stdout"
done
for ending in tsv mtx.gz npy json; do
    "$pathcount" g.txt -k 5 -q -o once.$ending > /dev/null
    cp once.$ending "$notes/expected"
    run g.txt -k 5 -q --twice -o two.$ending
    same "the same file with --twice: $ending" two.$ending
done
"$pathcount" batch g.txt other.txt -k 5 -q --as tsv --out once
run batch g.txt other.txt -k 5 -q --as tsv --out two --twice
cp once/other.tsv "$notes/expected"
same 'the same results of a batch with --twice' two/other.tsv
run generate rmat --scale 4 --twice -q -o made.txt
"$pathcount" generate rmat --scale 4 -q -o once.txt
cp once.txt "$notes/expected"
same 'the same graph with --twice' made.txt


# Standard input is read once, and is there for both.
run - -k 5 -q --total --twice < g.txt
judge 'standard input with --twice' 0 "$("$pathcount" g.txt -k 5 -q --total)" ''
printf '%s\n' 'C~' 'Cr' > two.g6
run batch - -k 3 -q --total --twice < two.g6
judge 'a stream with --twice' 0 "$("$pathcount" batch two.g6 -k 3 -q --total)" ''

# A failure is told once, and its code is that of the command.
refuses 'a failure with --twice' 66 'pathcount: nothere: cannot be opened*' nothere -k 3 --twice
check 'help with --twice' 0 'Usage: pathcount *' '' --twice --help
refuses '--twice in short' 2 '*--twice must be written in full*' g.txt -k 3 --twi --total
run g.txt -k 5 -q --total --twice > /dev/full
"$pathcount" g.txt -k 5 -q --total --twice > /dev/full 2> "$notes/stderr"
is 'standard output that fails with --twice' 74 $?

# A process that is ended: by the limit of processor time.
chords 2000 > circle.txt
(ulimit -S -t 1; exec "$pathcount" circle.txt -q --device cpu --threads 1 -k 1000000000000000000 \
    --mod 9223372036854775783 --twice) > "$notes/stdout" 2> "$notes/stderr"
status=$?
judge 'a process that is ended' 70 '' 'pathcount: --twice: the first process was ended by signal * (CPU time *)'
rm circle.txt
if script -qec true /dev/null < /dev/null > /dev/null 2>&1; then
    total=$("$pathcount" g.txt -k 5 -q --total)
    is 'an answer on a terminal with --twice' "$total" \
        "$(in_terminal 80 "'$pathcount' g.txt -k 5 -q --total --twice" | tr -d '\r')"
else
    skip 'an answer on a terminal with --twice' 'script cannot make a terminal'
fi

# Two processes that differ: the first one reads a pipe, the second one a file that took its place.
# unlike FIRST SECOND
unlike()
{
    rm -f swapped
    mkfifo swapped
    cp "$2" second
    (exec 4> swapped; mv second swapped; cat "$1" >&4) &
}
printf 'A B 1 2 3 4\n' > bad.txt
unlike g.txt other.txt
refuses 'two processes that print different answers' 70 'pathcount: --twice: the two processes printed *' \
    swapped -k 5 -q --from A --twice
echo old > kept.tsv
unlike g.txt other.txt
refuses 'two processes that make different files' 70 'pathcount: --twice: the two processes made *' \
    swapped -k 5 -q -o kept.tsv --twice
is 'a file that differs does not get its name' old "$(cat kept.tsv)"
unlike g.txt bad.txt
refuses 'a second process that fails' 65 'pathcount: swapped*' swapped -k 5 -q --total --twice
unlike bad.txt g.txt
refuses 'a first process that fails' 70 'pathcount: --twice: the first process ended *' \
    swapped -k 5 -q --total --twice
chords 2000 > circle.txt
unlike circle.txt g.txt
refuses 'a first process that lacks memory' 69 'pathcount: --twice: the first process *: try again' \
    swapped -k 60 -q --memory-limit 4M --top 3 --twice
wait
