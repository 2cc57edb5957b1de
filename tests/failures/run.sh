#!/bin/sh
# Fails everything that runs of the command ask the system for (tests/failures/campaign.c):
#
#   sh tests/failures/run.sh BUILD [OPTION...] [NAME...]
#
# Names are those of flows.txt beside this file.

here=$(cd "$(dirname "$0")" && pwd) || exit 2
build=$(cd "$1" && pwd) || exit 2
shift
pathcount=$build/pathcount
for preload in fake_memory fake_files; do
    [ -f "$build/$preload.so" ] || { echo "run.sh: there is no $build/$preload.so: make failures builds it" >&2; exit 2; }
done
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$work/in" "$work/flows" && cd "$work/in" || exit 2
unset PATHCOUNT_CPU FAKE_ENGINE
export LC_ALL=C OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive XDG_CACHE_HOME=$work/cache
export PATHCOUNT_CUDA_ENGINE=none
ulimit -c 0

# ---- Inputs --------------------------------------------------------------------------------------

printf '0 1\n1 2\n2 0\n2 3\n3 4\n' > g.txt
printf '0 1 x\n1 2 y\n2 0 x\n2 3 y\n0 1 y\n' > l.tsv
printf '0 1\n1 2\n2 0\n2 3\n3 4\n4 0\n' > d.txt
printf '0 1\n0 2\n1 2\n1 3\n2 3\n' > dag.txt
printf '0 1 3\n1 2 1\n0 1 4\n2 0 9\n' > weighted.csv
printf '# friends\nAda Ben\nBen "Carl Maria"\nAda "Carl Maria"\n' > labels.txt
printf '0 4\n1 2\n3 3\n' > pairs.txt
printf '0 a\n1 a\n2 b\n3 b\n4 b\n' > blocks.txt
printf 'a x\nb x\nb y\n' > writes.txt
printf 'x v\ny v\ny w\n' > published.txt
printf 'a b\nb a\nb b\n' > square.txt
printf 'Dhc\n' > one.g6
printf 'a b c\nc d\n' > g.adjlist
printf '3 2 1\n2 2\n1 2 3 3\n2 3\n' > g.metis
printf 'p sp 3 2\na 1 2 4\na 2 3 1\n' > g.gr
printf '{"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2}]}' > g.json
printf ',a,b\na,0,1\nb,1,0\n' > g.matrix
cp "$here/../files/made/np-uint8.npy" g.npy
cp "$here/../files/made/sp-csr.npz" g.npz
printf 'x,from,to\n1,a,b\n2,b,c\n' > columns.csv
printf 'Dhc\nBw\nDQc\nC~\n@\n' > many.g6
"$pathcount" generate erdos-renyi --vertices 40 --edges 150 -q > w.txt
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n5 5 4\n2 1\n3 2\n4 3\n5 4\n' > g.mtx
for file in g.txt g.mtx many.g6; do gzip -kn $file; done
zstd -q g.txt
xz -k g.txt
bzip2 -k g.txt
mkdir few && cp g.txt few/one.txt && cp g.mtx few/two.mtx
printf '{"input": "../../in/g.txt", "name": "plain"}\n../../in/g.mtx\n' > jobs.jsonl

# Results, for verify: as they are printed, and in files.
printed()
{
    "$pathcount" "$@" -q || exit 2
}
result()
{
    printed "$@" > /dev/null
}
for ending in tsv mtx npy json tsv.gz; do result g.txt -k 6 -o "m.$ending"; done
result g.txt -k 6 -o signed.tsv --certificate signed.json
result g.txt -k 9 --mod 97 -o mod.tsv
result g.txt -k 5 --markov -o markov.tsv
result g.txt -k 7 --non-backtracking -o straight.mtx
result g.txt -k 600 --float -o doubles.tsv
printed g.txt -k 5 --from 0 --each > from.txt
printed g.txt -k 6 --pairs pairs.txt > pairs.out
printed g.txt -k 6 --sums > sums.txt
printed g.txt -k 6 --total --up-to > total.txt
result coarsen g.txt -k 5 --blocks blocks.txt --mean -o means.csv

. "$here/../tree_files.sh"

# One font, so that pictures take little time.
font=$(fc-match -f '%{file}' 2> /dev/null)
if [ -r "$font" ]; then
    mkdir "$work/fonts" && cp "$font" "$work/fonts"
    printf '<fontconfig><dir>%s</dir><cachedir>%s</cachedir></fontconfig>\n' \
        "$work/fonts" "$work/cache/fonts" > "$work/fonts.conf"
    export FONTCONFIG_FILE="$work/fonts.conf"
fi

options=
names= has_one=
while [ $# -gt 0 ]; do
    case $1 in
    -o) has_one=yes options="$options $1 $2"; shift ;;
    -j | -e | -k | -s) options="$options $1 $2"; shift ;;
    -*) options="$options $1" ;;
    *) names="$names $1" ;;
    esac
    shift
done
mv "$work/in" "$work/flows/in"
mkdir -p "$work/flows/verify-folder/work" && cd "$work/flows/verify-folder/work" || exit 2
result batch ../../in/few -k 4 --out ../../in/done --jobs 1 --threads 1
cd "$work"
"$build/failures" $options "$pathcount" \
    "$build/fake_memory.so:$build/fake_files.so" "$here/flows.txt" "$work/flows" $names
status=$?
[ -z "$has_one" ] || head -n 40 "$work/flows/"*/stdout "$work/flows/"*/stderr
exit $status
