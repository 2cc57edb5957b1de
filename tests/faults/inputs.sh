#!/bin/sh
# Makes the inputs of flows.txt:  sh inputs.sh FOLDER EXAMPLES
mkdir -p "$1/many" && cd "$1" || exit 1
cp "$2/graphs/hochberg.txt" plain.txt
cp "$2/graphs/writes.txt" "$2/graphs/published.txt" .
cp "$2/streams/connected4.g6" small.g6
awk 'BEGIN { for (i = 0; i < 9; i++) { print i, (i + 1) % 9; print i, (i * i + 3) % 9
    if (i % 3 == 0) print i, (i + 5) % 9 } }' > arcs.txt
awk 'BEGIN { for (i = 0; i < 8; i++) { print i, (i + 1) % 8, i + 1; print i, (3 * i + 2) % 8, 2 } }' > weighted.txt
awk 'BEGIN { for (i = 0; i < 9; i++) { print i, (i + 1) % 9, "x"; print i, (i * i + 3) % 9, "y"; print i, (i + 5) % 9, "z" } }' \
    > labelled.tsv
awk 'BEGIN { for (i = 0; i < 36; i++) { print "v" i, "v" (i + 1) % 36; print "v" i, "v" (i * 7 + 3) % 36 } }' > many.txt
# Twins of both kinds: leaves of v0 .. v4, and vertices in threes that are joined to each other.
awk 'BEGIN { for (i = 0; i < 5; i++) { print "v" i, "v" (i + 1) % 5; for (j = 0; j < 4; j++) print "v" i, "leaf" i j
    for (j = 0; j < 3; j++) { print "v" i, "three" i j; print "three" i j, "three" i (j + 1) % 3 } } }' > twins.txt
awk 'BEGIN { for (i = 0; i < 30; i++) for (j = i + 1; j < i + 4; j++) print i, j, (7 * i + j) % 9 + 1 }' > cited.txt
printf 'A J\nB F\nF F\nC I\n' > pairs.txt
printf 'A x\nB x\nC y\nD y\nE x\nF z\nG z\nH y\nI z\nJ x\n' > blocks.txt
cp plain.txt many/a.txt
cp arcs.txt many/b.txt
printf '0 1\n1 2\n2 0\n2 3\n' > many/c.txt
