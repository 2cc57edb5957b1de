# Text from labels and file names that would steer a terminal: shown as \xNN in messages, and in answers
# on a terminal. In a pipe only what could break a line is shown, and files keep all.

escape=$(printf '\033')
csi=$(printf '\302\233')  # U+009B in UTF-8
raw=$(printf '\233')      # the same as a single byte
turn=$(printf '\342\200[\252-\256]\\|\342\201[\246-\251]') # U+202A to U+202E: writing from right to left, and the like
right=$(printf '\342\200\256')
printf 'a\033[31mb] c\302\233d\n\342\200\256x c\302\233d\n' > labels.txt

check 'labels in a table' 0 "*a\\\\x1b\[31mb*c${csi}d*" '' labels.txt -k 1 -q
check 'labels of an answer' 0 "*a\\\\x1b\[31mb*c${csi}d*" '' labels.txt -k 1 -q --sums
run labels.txt -k 1 -q -o out.tsv
if [ $status -eq 0 ] && grep -q "a$escape\[31mb" out.tsv && grep -q "c${csi}d" out.tsv; then pass
else fail 'files keep labels' 'they are changed'; fi

# harmless NAME FILE: no character in FILE but letters, lines and tabs, as a terminal sees it.
harmless()
{
    if LC_ALL=C grep -q "[$escape$raw]\|$turn" "$2"; then fail "$1" 'steers the terminal'
    else pass; fi
}

# In each name, something in another way.
for name in "e$escape[31m" "c$csi" "r$raw" "t$right" "$(printf 'o\340\202\233')" \
    "$(printf 'p\360\202\233\233')" "$(printf 's\342\200\252')" "$(printf 'i\342\201\246')" "$(printf 'j\342\201\251')" \
    "$(printf 'h\342\202')"; do
    refuses 'a file that is not there' 66 'pathcount: *\\x*: *' "no$name" -k 1
    harmless 'a file that is not there' "$notes/stderr"
    echo 'a b' > "$name"
    check 'the name of a graph' 0 '*' '*\\x*: edge list*' "$name" -k 1
    harmless 'the name of a graph' "$notes/stderr"
    refuses 'a name in a usage message' 2 '*\\x*' labels.txt "$name" -k 1
    harmless 'a name in a usage message' "$notes/stderr"
    rm -f "$name"
done
# What is no control character stays: characters of two to four bytes, a letter that is not in UTF-8.
for name in "$(printf '\305lesund')" "$(printf '\303\205lesund')" "$(printf 'a\302\240b')" \
    "$(printf '\342\202\254')" "$(printf '\360\237\230\200')" "$(printf 'a\344b')" "$(printf 'a\365b')" \
    "$(printf '\342\200\251b')" "$(printf '\342\200\257b')" "$(printf '\342\201\245b')" \
    "$(printf '\342\201\252b')"; do
    refuses 'a harmless name' 66 "pathcount: no$name: *" "no$name" -k 1
done

if script -qec true /dev/null < /dev/null > /dev/null 2>&1; then
    for answer in '' --json --sums '-o out.tsv'; do
        cp labels.txt "g$csi$escape[31m"
        in_terminal 80 "'$pathcount' 'g$csi$escape[31m' -k 2 $answer" > "$notes/typescript"
        harmless "terminal: $answer" "$notes/typescript"
        if grep -q '\\xc2\\x9b' "$notes/typescript"; then pass
        else fail "terminal: $answer" 'nothing is shown'; fi
    done
    # Results of a batch are files, wherever the standard output of the batch goes.
    in_terminal 80 "'$pathcount' batch labels.txt -k 1 --sums --out results" > "$notes/typescript"
    if grep -rq "c${csi}d" results; then pass; else fail 'results of a batch' 'are changed'; fi
else
    skip 'text on a terminal' 'script cannot make a terminal'
fi
# Results with such labels are certified, and what is another byte is refused.
for ending in tsv csv json mtx; do
    run labels.txt -k 3 -q -o out.$ending
    check "labels of a result, $ending" 0 "out.$ending: certified*" '' verify labels.txt out.$ending -k 3
done
for question in --sums --closed; do
    "$pathcount" labels.txt -k 3 -q $question > answer.txt
    check "labels of an answer, $question" 0 'answer.txt: certified*' '' verify labels.txt answer.txt -k 3 $question
done
"$pathcount" labels.txt -k 3 -q --sums > answer.txt
for change in 's/x1b/x1c/' 's/x1b/x1B/' 's/x1b/xgb/' 's/\\x1b/x1b/' 's/x1b//'; do
    sed "$change" answer.txt > wrong.txt
    refuses "a label that is another: $change" 65 'pathcount: wrong.txt:*' verify labels.txt wrong.txt -k 3 --sums
done
sed 's/u001b/u001c/;s/u001B/u001C/' out.json > wrong.json
refuses 'a label of JSON that is another' 65 'pathcount: wrong.json:*' verify labels.txt wrong.json -k 3
rm -f answer.txt wrong.txt wrong.json out.*
rm -rf results out.tsv "g$csi$escape[31m"
folder_holds 'nothing left by steering' labels.txt
