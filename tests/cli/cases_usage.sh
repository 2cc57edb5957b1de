# The command line itself: what it says about itself, and what makes no sense (exit 2).

check 'help' 0 'Usage: pathcount *GRAPH --length K
Count the paths*A path
may visit a vertex more than once: graph theory calls it a walk.*--memory-limit=SIZE*Exit status:*' \
    '' --help
wide=$(cut -c 81- "$notes/stdout" | tr -d '\n')
if [ -z "$wide" ]; then pass; else fail 'help in 80 columns' "too wide: $wide"; fi
check 'help by one letter' 0 'Usage: pathcount *' '' -h
check 'help of the command by name' 0 'Usage: pathcount *' '' count --help
check 'usage' 0 'Usage: pathcount *\[--length=K\]*' '' --usage
check 'version' 0 'pathcount [0-9]*.[0-9]*.[0-9]*' '' --version

printf '0 1\n' > g.txt
refuses 'no arguments' 2 'pathcount: which graph[?] For example: pathcount graph.txt --length 8*'
refuses 'no graph' 2 'pathcount: which graph*' --length 3
refuses 'no length' 2 'pathcount: how long are the paths[?] For example: pathcount g.txt --length 8*' \
    g.txt
refuses 'two graphs' 2 "pathcount: one graph at a time, not both 'g.txt' and 'h.txt'*" \
    g.txt h.txt -k 1
refuses 'unknown option' 2 "pathcount: there is no option '--lenght'; did you mean --length[?]*--help*" g.txt --lenght=3
refuses 'unknown letter' 2 "pathcount: there is no option '-x'*--help*" g.txt -k 3 -x
refuses 'option without its value' 2 "pathcount: option requires an argument -- 'k'*" g.txt -k

for k in abc -1 18446744073709551616 '' 1.5 0x10 ' 3' 3x +3 1e 1e3x 1e-3 2e19 .5e3; do
    refuses "length '$k'" 2 \
        "pathcount: --length must be an integer from 0 to 18446744073709551615, not '$k'*" \
        g.txt --length "$k"
done
for n in 0 1025 -1 two ''; do
    refuses "threads '$n'" 2 "pathcount: --threads must be an integer from 1 to 1024, not '$n'*" \
        g.txt -k 1 --threads "$n"
done
for m in 0 1 -7 9223372036854775808 x; do
    refuses "modulus '$m'" 2 \
        "pathcount: --mod must be an integer from 2 to 9223372036854775807, not '$m'*" \
        g.txt -k 1 --mod "$m"
done
for size in 0 G 3Q 5Gx 5GBB 5B 1.5G -1M 18446744073709551616 16777216T; do
    refuses "memory limit '$size'" 2 "pathcount: --memory-limit must be a size such as*not '$size'*" \
        g.txt -k 1 --memory-limit "$size"
done
refuses 'negative rounds' 2 'pathcount: --certify must be*' g.txt -k 1 --certify -1
refuses 'too many vertices' 2 'pathcount: --vertices must be*' g.txt -k 1 --vertices 4294967296
refuses 'unknown format' 2 "pathcount: --format must be one of auto, edges, *, not 'xls'*" \
    g.txt -k 1 --format xls
for device in tpu '' cuda: cuda:x cuda:1,1 cuda:64; do
    refuses "device '$device'" 2 "pathcount: device '$device': *" g.txt -k 1 --device "$device"
done
refuses 'modulus and float' 2 'pathcount: --mod and --float exclude each other*' \
    g.txt -k 1 --mod 7 --float
refuses 'both directions' 2 'pathcount: --directed and --undirected exclude each other*' \
    g.txt -k 1 --directed --undirected
refuses 'unknown output format' 2 "pathcount: *'counts.xls'*.tsv*" g.txt -k 1 -o counts.xls
refuses 'vertices beside names' 2 'pathcount: *integer*' "$graphs/hochberg.txt" -k 1 --vertices 20
folder_holds 'no file from a wrong command line' g.txt
