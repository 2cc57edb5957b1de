#!/bin/sh
# Holds the table of variables in SECURITY.md against what the sources read from the environment:  sh tests/variables.sh
# Names are the texts of capitals in files that read the environment, but for units of memory, and the definitions of macros that
# end in VARIABLE.
cd "${0%/*}/.." || exit 1

capitals='"[A-Z][A-Z0-9_]+(=[0-9]+)?"'
found=$({
    grep -rlE 'getenv\(|environ\b' src io gpu graphs python/pathcount | xargs grep -hoE "$capitals"
    grep -rhE '^#define [A-Z_]*VARIABLE ' src io gpu graphs | grep -oE "$capitals"
} | tr -d '"' | sed 's/=.*//' | grep -vxE '[KMGT]B' | sort -u)
listed=$(sed -n '/^| variable/,/^$/p' SECURITY.md | cut -d '|' -f 2 | grep -oE '`[A-Z0-9_]+`' | tr -d '`' | sort -u)

failed=0
for name in $found; do
    echo "$listed" | grep -qx "$name" || { echo "SECURITY.md does not list $name, which is read"; failed=1; }
done
for name in $listed; do
    echo "$found" | grep -qx "$name" || { echo "SECURITY.md lists $name, which nothing reads"; failed=1; }
done
[ "$found" ] && [ "$listed" ] && exit $failed
echo 'no variables were found'
exit 1
