#!/bin/sh
# Compares an installed completion with the command:
#     sh tests/completion.sh build/pathcount PREFIX bash|zsh
# Just the options that --help prints are offered, for each command, and just the values that the
# command's own messages list. Then the shell itself, in a terminal, completes a line. Exits 1 after
# saying what differs.

pathcount=$1 shell=$3
share=$(cd "$2/share" && pwd) || exit 1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
case $pathcount in
/*) ;;
*) pathcount=$PWD/$pathcount ;;
esac
mkdir "$folder/empty" && cd "$folder/empty" || exit 1 # no files that would be offered too
unset ARGP_HELP_FMT
failed=0

# offered LINE: what the shell offers at the end of this line, a word each.
offered_bash()
{
    bash --norc -c '
        source "$1"
        COMP_LINE=$2 COMP_POINT=${#2}
        read -ra COMP_WORDS <<< "$2"
        [[ $2 == *" " ]] && COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _pathcount
        printf "%s\n" "${COMPREPLY[@]}"' bash "$share/bash-completion/completions/pathcount" "$1"
}

# The functions of zsh print what they were asked to offer: options, or values of the last word.
offered_zsh()
{
    zsh -f -c '
        words=(${=2}) CURRENT=${#words}
        [[ $2 == *" " ]] && words+=("") && (( CURRENT++ ))
        last=$words[-1] before=$words[-2]
        _files() { : }
        _message() { : }
        _describe() { print -rl -- ${${(P)4}%%:*} }
        _values() { shift; print -rl -- $@ }
        _alternative() { [[ $1 == commands:* ]] && _pathcount_commands }
        _arguments() {
            local spec name kind
            for spec in ${@[4,-1]}; do
                name=${${spec#\(*\)}#\*}
                if [[ $name == 1:* && $last != -* && $before != (-*|famous) ]]; then
                    kind=${spec##*:}
                    [[ $kind == _pathcount_* ]] && $kind
                elif [[ $name == 2:* && $before == famous ]]; then
                    _pathcount_famous
                elif [[ $last == --* && $name == -* ]]; then
                    print -r -- ${${name%%\[*}%[=+]}
                elif [[ $name == $before\=* && $name == *:\(*\) ]]; then
                    print -rl -- ${${=${${name##*:\(}%\)}}//\\/}
                elif [[ $name == $before\=* && $name == *:_values* ]]; then
                    print -rl -- ${=${name##*-s , word }}
                fi
            done
        }
        source "$1"' zsh "$share/zsh/site-functions/_pathcount" "$1"
}

# same WHAT: the lists in $folder/offered and $folder/known, sorted, are one.
same()
{
    sort -u "$folder/offered" | sed '/^$/d' > "$folder/a"
    sort -u "$folder/known" | sed '/^$/d' > "$folder/b"
    if ! [ -s "$folder/b" ] || ! cmp -s "$folder/a" "$folder/b"; then
        failed=1
        echo "$1: < offered by $shell, > known to the command"
        diff "$folder/a" "$folder/b"
    fi
    rm "$folder/a" "$folder/b"
}

# values LINE PATTERN ARGUMENT...: what is offered, against the list that PATTERN finds in the message
# of a command with a wrong value.
values()
{
    line=$1 pattern=$2
    shift 2
    "offered_$shell" "$line" > "$folder/offered"
    "$pathcount" "$@" 2>&1 | sed -n "s/.*$pattern.*/\\1/p" | sed 's/ or /, /' | tr -d ' ' |
        tr , '\n' > "$folder/known"
    same "values of '$line'"
}

"$pathcount" --help | sed -n '/^Other commands/,/^$/s/^  \(pathcount \)*\([a-z]*\)  .*/\2/p' > ../known
echo count >> ../known
cp ../known ../commands
"offered_$shell" 'pathcount help ' > ../offered
same 'commands after help'
{ cat ../commands && echo help; } > ../known
"offered_$shell" 'pathcount ' > ../offered
same 'commands'

for command in count coarsen chain batch generate convert devices verify; do
    "$pathcount" $command --help > ../help || failed=1
    sed -n 's/^ \{6\}\(--[a-z-]*\).*/\1/p; s/^  \(-[a-zA-Z]\), \(--[a-z-]*\).*/\1\n\2/p' ../help > ../known
    "offered_$shell" "pathcount $command --" > ../offered
    [ $shell = zsh ] || "offered_$shell" "pathcount $command -" >> ../offered
    same "options of $command"
done
"$pathcount" --help > ../help
sed -n 's/^ \{6\}\(--[a-z-]*\).*/\1/p; s/^  \(-[a-zA-Z]\), \(--[a-z-]*\).*/\1\n\2/p' ../help > ../known
"offered_$shell" 'pathcount graph.txt --' > ../offered
[ $shell = zsh ] || "offered_$shell" 'pathcount graph.txt -' >> ../offered
same 'options without a command'

values 'pathcount g.txt --method ' 'must be \(.*\), not .*' g.txt -k 1 --method '?'
values 'pathcount coarsen g.txt --format ' 'must be one of \(.*\), not .*' g.txt -k 1 --format '?'
values 'pathcount generate ' 'there are \(.*\)' generate '?'
if "$pathcount" generate famous Petersen > /dev/null 2>&1; then
    values 'pathcount generate famous ' 'there are \(.*\)' generate famous '?'
fi

# Endings are a format and perhaps a packing: each one that is offered is taken, none by another name. Seven formats
# may be packed in two ways, one (npz) is packed in itself, and zip is no ending.
n_endings=0
for ending in $("offered_$shell" 'pathcount batch g --as ') zip; do
    n_endings=$((n_endings + 1))
    "$pathcount" batch no-graph -k 1 --out results --as $ending 2>&1 |
        sed -n "s/.*--as must be.* not '\(.*\)'.*/\1/p" >> ../refused
done
if [ "$(cat ../refused)" != zip ] || [ $n_endings -ne 23 ]; then
    failed=1
    echo "of $n_endings endings offered by $shell --as refuses:"
    cat ../refused
fi
# A line is typed with tabs, and a function in place of the command prints what becomes of it.
cat > .zshrc << EOF
PS1= HISTFILE=
pathcount() { echo "typed: \$*"; }
if [ -n "\$ZSH_VERSION" ]; then
    fpath=($share/zsh/site-functions \$fpath)
    autoload -U compinit && compinit -u -D
else
    source $share/bash-completion/completions/pathcount
fi
EOF
: > picture.png
case $shell in
bash) start='bash --rcfile .zshrc -i' ;;
zsh) start='zsh -i' ;;
esac
typed=$(printf 'pathcount g.txt --direct\t --meth\tsw\t --outp\tpic\t\nexit\n' |
    TERM=xterm ZDOTDIR=$PWD script -qec "$start" /dev/null 2>&1 | tr -d '\r' | tr = ' ' |
    sed -n 's/.*typed: //p' | tail -n 1)
if [ "$typed" != 'g.txt --directed --method sweep --output picture.png' ]; then
    failed=1
    echo "$shell in a terminal completes to: $typed"
fi
[ $failed -eq 0 ]
