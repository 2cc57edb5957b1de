#!/bin/sh
# Replaces the addresses in a log by functions and files:  sh names.sh BUILD LOG
build=$1
log=$2
names=$(mktemp) || exit 1
trap 'rm -f "$names"' EXIT
for object in pathcount libpathcount.so.1 libpathcount_draw.so libpathcount_igraph.so.1 inject.so; do
    tr '\t ' '\n\n' < "$log" | grep "^$object+" | sort -u > "$names.a"
    [ -s "$names.a" ] || continue
    sed 's/.*+//' "$names.a" | addr2line -f -e "$build/$object" | paste - - |
        sed "s|$PWD/||; s/ (discriminator [0-9]*)//" | paste "$names.a" - >> "$names"
done
rm -f "$names.a"
awk -f "$(dirname "$0")/names.awk" "$names" "$log"
