#!/bin/sh
# The rule of the house: nothing refers upward. Folders have ranks, from the lowest to the highest, in
# the list below. It is checked for every #include "..." in the sources, and for every pci_* symbol
# that an object of BUILD needs: a header must not hide who calls whom. Within a folder there is no
# circle of files, each of which needs a symbol of the next.
#
#     sh tests/layers.sh BUILD [FOLDER OF SOURCES]
#
# Exits 1 and names each reference that goes upward.
build=$1
cd "${2:-.}" || exit 1

# The folders of a line have the same rank, and may refer to each other; not in a circle.
ranks='src/core
src/residues graphs
src/rows
src/engine
src/cpu
src/vectors
src/certify
src/plan
src/recurrence src/simple io
src/count io/igraph
src/series src/relations
src/streams src/measure
src/cluster
gpu/engine
gpu/sweep gpu/simple
gpu
gpu/ladder
src/cli src/cli/look src/cli/batch src/cli/verify
src/cli/mpi'

list=$(mktemp) && trap 'rm -f "$list" "$list".*' EXIT
echo "$ranks" | awk '{ for (i = 1; i <= NF; i++) print $i, NR }' > "$list"

# check WHAT: lines "FILE OTHER" on standard input; FILE must not refer to OTHER when it is above.
check()
{
    awk -v what="$1" -v list="$list" '
        function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
        BEGIN { while ((getline line < list) > 0) { split(line, f, " "); rank[f[1]] = f[2] } }
        {
            from = folder($1); to = folder($2)
            if (from == to || !(from in rank) || !(to in rank)) next
            if (rank[to] <= rank[from]) next
            print $1 " " what " " $2 ($3 == "" ? "" : " (" $3 ")") ", which is above it"
            n++
        }
        END { exit n > 0 }'
}

# Which file includes which.
git ls-files '*.c' '*.h' '*.cu' '*.cuh' 2>/dev/null | grep -v '^tests/\|^examples/' |
    xargs grep -Ho '^#include "[^"]*"' | sed 's/:#include "/ /; s/"$//' |
    awk '$2 ~ /\//' > "$list".includes

# Which object needs a symbol of which: file of sources, other file, symbol.
find "$build/obj/src" "$build/obj/graphs" "$build/obj/io" "$build/obj/gpu" -name '*.o' 2>/dev/null |
    xargs nm -A 2>/dev/null | sed "s#^$build/obj/##; s#\.o:# #; s#\.cu # #" |
    awk '$NF ~ /^(pci|cli)_/ { print $1, $(NF - 1), $NF }' |
    while read -r file kind symbol; do # objects of sources that are gone do not count
        [ -e "$file.c" ] || [ -e "$file.cu" ] || case $file in *rows_*) ;; *) continue ;; esac
        echo "$file $kind $symbol"
    done > "$list".symbols
awk '
    $2 ~ /^[TDRBC]$/ { if (!($3 in home)) home[$3] = $1 }
    $2 == "U" { needs[++n] = $1 " " $3 }
    END { for (i = 1; i <= n; i++) { split(needs[i], f, " "); if (f[2] in home && home[f[2]] != f[1]) print f[1], home[f[2]], f[2] } }
' "$list".symbols | sort -u > "$list".calls

failed=0
check includes < "$list".includes || failed=1
check calls < "$list".calls || failed=1
[ -s "$list".calls ] || { echo "no objects in $build"; failed=1; }

# A circle within a folder: tsort names the files of each.
awk '{ a = $1; b = $2; sub(/\/[^\/]*$/, "", a); sub(/\/[^\/]*$/, "", b); if (a == b) print $1, $2 }' \
    "$list".calls | sort -u | tsort 2> "$list".circles > /dev/null
if [ -s "$list".circles ]; then
    echo 'files of one folder that need each other:'
    sed 's/^tsort: *//' "$list".circles
    failed=1
fi
exit $failed
