# The progress line: on a terminal only, within its width, calm, and gone at the end.

# A circle with chords: sixty squarings modulo a large number take one thread long.
chords 2000 > circle.txt
echo 'not a graph of this world' > bad.txt
long='circle.txt --device cpu --threads 1 -k 1000000000000000000 --mod 9223372036854775783'
escape=$(printf '\033')

# drawn COLUMNS COMMAND...: runs it in a terminal; its drawings are lines of $notes/drawn.
drawn()
{
    in_terminal "$@" | tr '\r' '\n' > "$notes/drawn"
}

# drawn_until PATTERN COLUMNS COMMAND...: the same with a long command, which is ended when the pattern
# is seen, or after a minute.
drawn_until()
{
    pattern=$1 columns=$2
    shift 2
    script -qefc "stty cols $columns; exec timeout 60 $*" "$notes/typescript" < /dev/null \
        > /dev/null 2>&1 &
    for tenth in $(seq 600); do
        sleep 0.1
        tr '\r' '\n' < "$notes/typescript" > "$notes/drawn" 2> /dev/null
        if seen | grep -q "$pattern" && [ "$tenth" -gt 15 ]; then break; fi
    done
    kill $! 2> /dev/null
    wait $! 2> /dev/null
}

# Drawings without control sequences, as a person sees them.
seen()
{
    sed "s/$escape\[[0-9;]*[A-Za-z]//g" "$notes/drawn"
}

"$pathcount" $long 2> "$notes/stderr" > "$notes/stdout" &
sleep 2
kill $!
wait $!
status=$?
judge 'no progress in a file' 143 '' 'circle.txt: *

pathcount: interrupted'
if grep -q '%' "$notes/stderr"; then fail 'no progress in a file' 'there is'; else pass; fi

if script -qec true /dev/null < /dev/null > /dev/null 2>&1; then
    TERM=xterm NO_COLOR= drawn_until ' [1-9]*[3-9]%, ' 80 "'$pathcount' $long"
    if seen | grep -q '^multiplying, step [0-9]* of [0-9]* \[#*-*\] [0-9]*%, [0-9]* s'; then pass
    else fail 'progress of a count' "$(seen | tail -n 3)"; fi
    if holds "$notes/drawn" "*$escape\[2m*"; then pass; else fail 'a dim bar' 'is not dim'; fi
    seen | sed -n 's/.* \([0-9]*\)%.*/\1/p' > "$notes/percents"
    if [ -s "$notes/percents" ] && sort -n -c "$notes/percents" 2> /dev/null; then pass
    else fail 'progress' 'goes backwards'; fi

    TERM=xterm drawn 40 "timeout 3 '$pathcount' $long -q"
    if seen | grep -q 'multiplying'; then fail 'quiet' 'draws a line'; else pass; fi
    TERM=xterm NO_COLOR=1 drawn_until '^multiplying, step' 30 "'$pathcount' $long"
    widest=$(seen | grep '^multiplying' | wc -L)
    if [ "$widest" -gt 17 ] && [ "$widest" -lt 30 ]; then pass
    else fail 'narrow terminal' "$widest columns"; fi
    if holds "$notes/drawn" "*$escape\[2m*"; then fail 'NO_COLOR' 'colours'; else pass; fi
    TERM=dumb drawn_until '^multiplying' 80 "'$pathcount' $long"
    if seen | grep -q '^multiplying' && ! holds "$notes/drawn" "*$escape*"; then pass
    else fail 'TERM=dumb' 'control sequences, or no line'; fi

    for i in 1 2 3 4 5 6 7 8 9; do cp "$graphs/karate.txt" "g$i.txt"; done
    TERM=xterm drawn 80 "'$pathcount' batch g?.txt bad.txt -k 3 --out out --jobs 1"
    if seen | grep -q '^\[#*-*\] [0-9]* of 10 done'; then pass
    else fail 'progress of a batch' "$(seen | head -n 3)"; fi
    # The last drawing is erased: nothing but the sum is left after it.
    if seen | grep 'of 10 done' | tail -n 1 | grep -q '^\['; then pass
    else fail 'progress of a batch' "$(seen | tail -n 3)"; fi
    if [ "$(sed -n "/of 10 done/,\$p" "$notes/drawn" | grep -c "^$escape\[J")" -ge 1 ]; then pass
    else fail 'progress of a batch' 'is not erased'; fi
    TERM=xterm drawn 80 "'$pathcount' batch g?.txt -k 3 --out quiet --quiet"
    if holds "$notes/drawn" '*of 9*'; then fail 'quiet batch' 'draws a line'; else pass; fi
    rm -rf out quiet g?.txt
else
    skip 'progress on a terminal' 'script cannot make a terminal'
fi

# Elsewhere a batch says where it is after five seconds, and no sooner.
"$pathcount" batch bad.txt circle.txt -k 1000000000000000000 --mod 9223372036854775783 \
    --device cpu --threads 2 --timeout 6.5 --jobs 2 --out out > "$notes/stdout" 2> "$notes/stderr"
status=$?
judge 'plain progress of a batch' 1 '' '0 of 2 done, 1 failed, *
2 jobs: *'
if [ "$(grep -c 'of 2 done' "$notes/stderr")" -eq 1 ]; then pass
else fail 'plain progress of a batch' 'more than one line'; fi
rm -rf out
folder_holds 'nothing left by progress' bad.txt circle.txt
