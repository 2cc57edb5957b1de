# The progress line: on a terminal only, within its width, calm, and gone at the end. The command sees a clock
# that moves on by a step at each look (tests/fakes/fake_clock.c), so nothing depends on how fast the machine is.

echo 'not a graph of this world' > bad.txt
karate=$graphs/karate.txt
long="'$karate' --device cpu --threads 1 -k 1000000000000000000 --mod 9223372036854775783"
escape=$(printf '\033')

# clocked STEP ARGUMENT...: the command, to which each look at the clock is STEP seconds later than the last.
cat > "$notes/clocked" << END
step=\$1
shift
LD_PRELOAD='$(dirname "$pathcount")/fake_clock.so' ASAN_OPTIONS=verify_asan_link_order=0 FAKE_CLOCK=\$step \\
    exec '$pathcount' "\$@"
END
clocked="sh '$notes/clocked'"

# drawn COLUMNS COMMAND...: runs it in a terminal; its drawings are lines of $notes/drawn.
drawn()
{
    in_terminal "$@" | tr '\r' '\n' > "$notes/drawn"
}

# Drawings without control sequences, as a person sees them.
seen()
{
    sed "s/$escape\[[0-9;]*[A-Za-z]//g" "$notes/drawn"
}

progress_of_a_count()
{
    TERM=xterm drawn 80 "$clocked 0.01 $long"
    if seen | grep -q '^multiplying \[#*-*\] [0-9]*%, [0-9]* s, .* left'; then pass
    else fail 'progress of a count' "$(seen | tail -n 3)"; fi
    seen | sed -n 's/.* \([0-9]*\)%.*/\1/p' > "$notes/percents"
    if [ "$(sort -u "$notes/percents" | wc -l)" -gt 5 ] && sort -n -c "$notes/percents" 2> /dev/null
    then pass; else fail 'progress' 'goes backwards'; fi
    most=$(seen | sed -n 's/^multi.*%, \([0-9]* s\).*/\1/p' | uniq -c | sort -n | sed -n '$s/ *\([0-9]*\).*/\1/p')
    if [ "${most:-99}" -ge 2 ] && [ "${most:-99}" -le 11 ]; then pass
    else fail 'a calm line' "$most drawings in a second"; fi
    # The last drawing is erased: what follows is the answer.
    if seen | grep '^multiplying' | tail -n 1 | grep -q '%' &&
        [ "$(sed -n '/^multiplying/,$p' "$notes/drawn" | grep -c "^$escape\[J.")" -ge 1 ]; then pass
    else fail 'progress' 'is not erased'; fi

    for step in 0.5:min 30:h 1000:d 1e8:years; do
        TERM=xterm drawn 80 "$clocked ${step%:*} $long"
        if seen | grep -q "^multiplying.*#-.* [0-9]*%, .*${step#*:}"; then pass
        else fail "a clock of ${step%:*} s" "$(seen | tail -n 3)"; fi
    done
    TERM=xterm drawn 80 "$clocked 0.0001 $long"
    if seen | grep -q 'multiplying'; then fail 'a short count' 'draws a line'; else pass; fi
    TERM=xterm drawn 40 "$clocked 0.01 $long -q"
    if seen | grep -q 'multiplying'; then fail 'quiet' 'draws a line'; else pass; fi
    TERM=xterm drawn 30 "$clocked 0.01 $long"
    widest=$(seen | grep '^multiplying' | wc -L)
    if [ "$widest" -gt 17 ] && [ "$widest" -lt 30 ]; then pass
    else fail 'narrow terminal' "$widest columns"; fi
    TERM=dumb drawn 80 "$clocked 0.01 $long"
    if seen | grep -q '^multiplying' && ! holds "$notes/drawn" "*$escape*"; then pass
    else fail 'TERM=dumb' 'control sequences, or no line'; fi
}

progress_of_a_batch()
{
    TERM=xterm drawn 80 "$clocked 0.2 batch g?.txt bad.txt -k 3 --out out --jobs 1"
    if seen | grep -q '^\[#*-*\] [0-9]* of 10 done'; then pass
    else fail 'progress of a batch' "$(seen | head -n 3)"; fi
    # The last drawing is erased: nothing but the sum is left after it.
    if seen | grep 'of 10 done' | tail -n 1 | grep -q '^\['; then pass
    else fail 'progress of a batch' "$(seen | tail -n 3)"; fi
    if [ "$(sed -n "/of 10 done/,\$p" "$notes/drawn" | grep -c "^$escape\[J")" -ge 1 ]; then pass
    else fail 'progress of a batch' 'is not erased'; fi
    for step in 0.1:/s 20:minute 1000:hour; do
        rm -rf out
        TERM=xterm drawn 80 "$clocked ${step%:*} batch g?.txt bad.txt -k 3 --out out --jobs 1"
        if seen | grep -q "of 10 done.*, [0-9.]* *[an]*.*${step#*:}, .* left"; then pass
        else fail "the rate of a batch, a clock of ${step%:*} s" "$(seen | tail -n 4)"; fi
    done
    TERM=xterm drawn 80 "$clocked 0.2 batch g?.txt bad.txt -k 3 --out out --jobs 1 --resume"
    if seen | grep -q 'of 10 done, 9 kept'; then pass
    else fail 'progress of a batch that goes on' "$(seen | tail -n 3)"; fi
    TERM=xterm drawn 80 "$clocked 0.2 batch g?.txt -k 3 --out quiet --quiet"
    if holds "$notes/drawn" '*of 9*'; then fail 'quiet batch' 'draws a line'; else pass; fi
}

# Of a stream the answers go elsewhere: on a terminal they move on, where the line would be.
progress_of_a_stream()
{
    for i in $(seq 3000); do echo 'D~{'; done > many.g6
    TERM=xterm drawn 80 "$clocked 0.5 batch many.g6 -k 4 --total > answers"
    if seen | grep -q '^[0-9]* graphs, [0-9]* a second, [0-9]* s'; then pass
    else fail 'progress of a stream' "$(seen | tail -n 3)"; fi
    if [ "$(sort -u answers)" = 1280 ] && [ "$(wc -l < answers)" -eq 3000 ]; then pass
    else fail 'progress of a stream' 'the answers are others'; fi
    TERM=xterm drawn 80 "$clocked 0.5 batch many.g6 -k 4 --total"
    if seen | grep -q 'a second'; then fail 'answers of a stream on a terminal' 'and a line'; else pass; fi
    rm many.g6 answers
}

# Where there is no terminal a batch says now and then where it is, and each time something else.
plain_progress_of_a_batch()
{
    sh "$notes/clocked" 2 batch g?.txt bad.txt -k 3 --out plain --jobs 1 > "$notes/stdout" 2> "$notes/stderr"
    status=$?
    judge 'plain progress of a batch' 1 '' '*[0-9] of 10 done*
10 jobs: *'
    if [ -z "$(grep 'of 10 done' "$notes/stderr" | sed 's/ failed.*//' | uniq -d)" ]; then pass
    else fail 'plain progress of a batch' 'says the same again'; fi
    sh "$notes/clocked" 0.0001 batch g?.txt bad.txt -k 3 --out short --jobs 1 > "$notes/stdout" 2> "$notes/stderr"
    status=$?
    judge 'a short batch' 1 '' '10 jobs: *'
}

for i in 1 2 3 4 5 6 7 8 9; do cp "$karate" "g$i.txt"; done
if [ ! -r "$(dirname "$pathcount")/fake_clock.so" ]; then
    skip 'progress' 'fake_clock.so does not lie beside the command'
else
    eval "sh '$notes/clocked' 0.01 $long" > "$notes/stdout" 2> "$notes/stderr"
    status=$?
    judge 'no progress in a file' 0 '*' '*karate.txt: *'
    if grep -q 'multiplying' "$notes/stderr"; then fail 'no progress in a file' 'there is'; else pass; fi
    plain_progress_of_a_batch
    if script -qec true /dev/null < /dev/null > /dev/null 2>&1; then
        progress_of_a_count
        progress_of_a_batch
        progress_of_a_stream
    else
        skip 'progress on a terminal' 'script cannot make a terminal'
    fi
fi
rm -rf out quiet plain short g?.txt
folder_holds 'nothing left by progress' bad.txt
