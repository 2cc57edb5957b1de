#!/bin/sh
# Links of documents:  sh tests/links.sh FOLDER
# Each relative link in FOLDER and below it must lead to a file there, and its fragment to a heading. Prints those
# that do not, and exits 1.

cd "$1" || exit 2

# The fragment that a heading has: lower case, blanks as -, nothing else but letters, digits, - and _.
fragments()
{
    sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

find . -name '*.md' | sort | while IFS= read -r document; do
    grep -o '](\([^)]*\))' "$document" | sed 's/^](//; s/)$//' | sort -u | while IFS= read -r link; do
        case $link in
        http:* | https:* | mailto:*) continue ;;
        '#'*) path=$document ;;
        *) path=$(dirname "$document")/${link%%#*} ;;
        esac
        if [ ! -e "$path" ]; then
            echo "$document: there is no $link"
        elif [ "${link#*#}" != "$link" ] && ! fragments "$path" | grep -qx -e "${link#*#}"; then
            echo "$document: there is no heading $link"
        fi
    done
done > "${TMPDIR:-/tmp}/links.$$"
status=0
if [ -s "${TMPDIR:-/tmp}/links.$$" ]; then
    cat "${TMPDIR:-/tmp}/links.$$"
    status=1
fi
rm -f "${TMPDIR:-/tmp}/links.$$"
exit $status
