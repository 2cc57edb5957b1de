# Wrong command lines. Each message must say what to do instead: the right word, an example, or what is
# possible. Notes may come before it.
# A line of the table is
#     command line | exit status | shell pattern of the message, without "pathcount" or the command before it
# Words of a command line are split as the shell does. Nothing is printed on standard output.

printf '0 1\n1 2\n' > g.txt
printf 'Ada Ben\nBen Cleo\nCleo Ada\n' > people.txt
printf '@home work\nwork shop\n' > at.txt
printf '0 1\n1 x\n2 0\n' > mixed.txt
printf '0 1 0.5\n1 2 2\n' > real.txt
printf 'C\n' > pictures.txt
printf 'Bw\nCF\n' > graphs.g6
printf 'Ada theory\n' > left.txt
printf 'theory 1900\n' > right.txt
printf '0 a\n1 a\n' > blocks.txt
mkdir folder

# one_wrong COMMAND-LINE STATUS PATTERN
one_wrong()
{
    eval "set -- \"\$1\" \"\$2\" \"\$3\" $1"
    wrong_name=$1 wrong_status=$2 wrong_pattern="*pathcount*: $3"
    shift 3
    refuses "$wrong_name" "$wrong_status" "$wrong_pattern*" "$@" < /dev/null
    n_wrong=$((n_wrong + 1))
}

n_wrong=0
while IFS='|' read -r line code pattern; do
    case $line in '' | '#'*) continue ;; esac
    one_wrong "${line% }" "${code# }" "${pattern# }"
done << 'END'
# ---- Commands
cuont g.txt -k 3                              | 2 | there is no command, and no file, 'cuont'; did you mean 'count'[?]
bacth g.txt -k 3 --out r                      | 2 | there is no command, and no file, 'bacth'; did you mean 'batch'[?]
coarsne g.txt -k 3 --blocks 2                 | 2 | there is no command, and no file, 'coarsne'; did you mean 'coarsen'[?]
genrate rmat --scale 3                        | 2 | *did you mean 'generate'[?]
device                                        | 2 | *did you mean 'devices'[?]
verfiy g.txt c.tsv -k 2                       | 2 | *did you mean 'verify'[?]
hepl                                          | 2 | *did you mean 'help'[?] (pathcount --help lists the commands)
# ---- Options
g.txt --lenght 3                              | 2 | there is no option '--lenght'; did you mean --length[?]
g.txt --lenght=3                              | 2 | there is no option '--lenght'; did you mean --length[?]
g.txt -length 3                               | 2 | there is no option '-length'; did you mean --length[?]
g.txt -k 3 --non_backtracking                 | 2 | *did you mean --non-backtracking[?]
g.txt -k 3 --subgraph-centralty               | 2 | *did you mean --subgraph-centrality[?]
g.txt -k 3 --Total                            | 2 | there is no option '--Total'; did you mean --total[?]
g.txt -k 3 --thread=2 --upto                  | 2 | *did you mean --up-to[?]
g.txt -k 3 --memory_limit 1G                  | 2 | *did you mean --memory-limit[?]
g.txt -k 3 --blocks 2                         | 2 | --blocks is an option of 'pathcount coarsen'; see 'pathcount help coarsen'
chain left.txt right.txt --show               | 2 | --show is an option of 'pathcount count'; see *
coarsen g.txt -k 3 --blocks 2 --total         | 2 | --total is an option of 'pathcount count'; see *
g.txt -k 3 --xyzzy                            | 2 | there is no option '--xyzzy'*Try *--help*
g.txt -k 3 -x                                 | 2 | there is no option '-x'*Try *--help*
coarsen g.txt -k 3 --block 2 --seeed 3        | 2 | *did you mean --seed[?]
chain left.txt right.txt --pathsimm           | 2 | *did you mean --pathsim[?]
generate rmat --scales 4                      | 2 | *did you mean --scale[?]
batch g.txt -k 3 --out r --resmue             | 2 | *did you mean --resume[?]
g.txt -k 3 --ma                               | 2 | option '--ma' is ambiguous; possibilities: '--max-vertices' '--markov'
g.txt -k                                      | 2 | option requires an argument -- 'k'
g.txt -k 3 --total=yes                        | 2 | option '--total' doesn't allow an argument
# ---- Values of options
g.txt -k 3 --memory-limit lots                | 2 | --memory-limit must be a size such as 512M*not 'lots'
g.txt -k 3 --method dens                      | 2 | --method must be auto, dense*not 'dens'; did you mean 'dense'[?]
g.txt -k 3 --format graphlm                   | 2 | --format must be one of auto, edges*not 'graphlm'; did you mean 'graphml'[?]
g.txt -k 3 --device cdua                      | 2 | device 'cdua': give auto, cpu, cuda*; did you mean 'cuda'[?]
g.txt -k 3 --katz 0                           | 2 | --katz must be a number above 0, not '0'
g.txt -k 3 --top none                         | 2 | --top must be an integer from 1 to *, not 'none'
g.txt -k 3 --plot counts.gif                  | 2 | --plot takes a file that ends in .png, .svg or .pdf*
g.txt -k 3 --plot growht:a.png                | 2 | --plot draws a heatmap, growth or histogram, not 'growht'*
g.txt -k 3 -o counts.xls                      | 2 | *'counts.xls'*.tsv*
coarsen g.txt -k 3 --blocks leidne            | 66 | --blocks: there is no file 'leidne'; give a number, components*; did you mean 'leiden'[?]
coarsen g.txt -k 3 --blocks 0                 | 2 | --blocks: groups must have 1 to 2^64-1 vertices
generate erdos-reny --vertices 4 --edges 2    | 2 | no model is called 'erdos-reny': there are rmat*; did you mean 'erdos-renyi'[?]
generate erdos-renyi --vertices 4             | 2 | erdos-renyi needs --edges or --probability, one of them
generate rmat                                 | 2 | rmat needs --scale. For example: *
# ---- What is missing
-k 3                                          | 2 | which graph[?] For example: pathcount graph.txt --length 8
g.txt                                         | 2 | how long are the paths[?] Add --length 8, for example
coarsen g.txt -k 3                            | 2 | which blocks[?] For example: --blocks 2*
batch g.txt -k 3                              | 2 | where do the results go[?] For example: pathcount batch g.txt --length 8 --out results
batch --out r -k 3                            | 2 | which datasets[?] For example: *
batch graphs.g6 -k 3                          | 2 | a stream of small graphs is asked for --total*For example: *
chain                                         | 2 | which relations[?] For example: *
bench                                         | 2 | bench is no command any more: *make bench*
generate                                      | 2 | which model[?] For example: *
verify g.txt                                  | 2 | which graph and which result[?] For example: *
g.txt -k 3 --pair 0 --total                   | 2 | --pair takes two vertices: --pair FROM TO
# ---- What does not go together
g.txt people.txt -k 3                         | 2 | one graph at a time, not both 'g.txt' and 'people.txt'
g.txt -k 3 --from 0 --total                   | 2 | --from and --total exclude each other
g.txt -k 3 --directed --undirected            | 2 | --directed and --undirected exclude each other
g.txt -k 3 --mod 7 --float                    | 2 | --mod and --float exclude each other
g.txt -k 3 --total -o t.tsv                   | 2 | --output writes the whole matrix; what --total asks for is printed: redirect it*
g.txt -k 3 -o a.tsv -o ./a.tsv                | 2 | --output 'a.tsv' and --output './a.tsv' are the same file: write to another one
g.txt -k 3 --json -o -                        | 2 | --json and the matrix would both go to standard output: give the matrix a file by -o FILE
generate rmat --scale 3 --edges 4             | 2 | --edges has no meaning for rmat: leave it out*
g.txt -k 3 --each                             | 2 | --each needs a query, such as --total, or a place for the matrices: -o FOLDER --as tsv, or -o FILE.npy
g.txt -k 3 --each -o c.csv                    | 2 | 'c.csv' is one file, and --each writes a matrix for each length: -o FOLDER --as csv, or -o FILE.npy
g.txt -k 3 --each --as mtx                    | 2 | --each writes a matrix for each length: -o FOLDER --as mtx, or -o FILE.npy
g.txt -k 3 --top 2 --mod 7                    | 2 | --top has no meaning with --mod*
g.txt -k 3 --markov --mod 7                   | 2 | --markov gives probabilities*leave --mod out
g.txt -k 3 --show --mod 7                     | 2 | --show has no meaning with --mod*
- -k 3 --from @-                              | 2 | the graph and its vertices cannot both be read from standard input
batch g.txt -k 3 --out r --json               | 2 | results are files: --as json instead of --json
batch g.txt -k 3 -o r.tsv                     | 2 | results go into a folder: --out DIR instead of --output
chain left.txt right.txt --mod 7              | 2 | --mod and --float are for --power*
# ---- Files and labels
nowhere.txt -k 3                              | 66 | nowhere.txt: cannot be opened: No such file*
folder -k 3                                   | 66 | folder: is a folder: name a file in it
people.txt -k 3 --from Cloe                   | 65 | people.txt has no vertex 'Cloe'; did you mean 'Cleo'[?]
people.txt -k 3 --from ada                    | 65 | people.txt has no vertex 'ada'; did you mean 'Ada'[?]
people.txt -k 3 --pair Ada Benn               | 65 | people.txt has no vertex 'Benn'; did you mean 'Ben'[?]
people.txt -k 3 --to Zoe                      | 65 | people.txt has no vertex 'Zoe': the first of its 3 is 'Ada', the last 'Cleo'
g.txt -k 3 --from 3                           | 65 | g.txt has no vertex '3': the first of its 3 is '0', the last '2'
at.txt -k 3 --from @home                      | 66 | there is no file 'home' of vertices; the vertex '@home' is written @@home
g.txt -k 3 --from @nowhere                    | 66 | nowhere: cannot be opened: No such file*
real.txt -k 3 --weights                       | 65 | real.txt:1: *0.5*integer*--markov and --katz*
pictures.txt -k 3                             | 65 | pictures.txt:1: *
g.txt -k 3 -o nowhere/c.tsv                   | 73 | cannot create 'nowhere/c.tsv': *: make its folder first
g.txt -k 3 --plot nowhere/c.png               | 73 | cannot create 'nowhere/c.png': *: make its folder first
batch g.txt -k 3 --out no/where               | 73 | cannot create 'no/where': *: make the folder around it first
END
if [ $n_wrong -ge 55 ]; then pass; else fail 'wrong command lines' "only $n_wrong"; fi

# Values that are no numbers, or out of bounds.
for k in abc -1 1e20 18446744073709551616 '' 1.5 0x10 ' 3' 3x +3 1e 1e3x 1e-3 2e19 .5e3; do
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
for device in tpu '' cuda: cuda:x cuda:1,1 cuda:64; do
    refuses "device '$device'" 2 "pathcount: device '$device': *" g.txt -k 1 --device "$device"
done
refuses 'vertices beside names' 2 'pathcount: *integer*' "$graphs/hochberg.txt" -k 1 --vertices 20

# What is nearly right is right, and a word that is too far is no suggestion.
for far in xyz helpless 'b.txt' cpu; do
    refuses "no suggestion for $far" 66 "pathcount: $far: cannot be opened: No such file or directory" \
        "$far" -k 3
done
refuses 'no suggestion far from any option' 2 "pathcount: there is no option '--colour'
Try*" g.txt -k 3 --colour

# A graph that is piped in is read by -.
printf '0 1\n' > piped.txt
run -k 3 < piped.txt
judge 'a graph on standard input without -' 2 '' \
    'pathcount: which graph[?] For example: *; - stands for standard input*'
run -k 3 < /dev/null
judge 'no graph, nothing piped in' 2 '' 'pathcount: which graph[?] For example: pathcount graph.txt --length 8
Try*'

# ---- What looks wrong and is not ------------------------------------------------------------------

prints 'a format in capital letters' g.txt -k 1 --as TSV --format Edges --method Sweep -q << 'END'
	0	1	2
0	0	1	0
1	1	0	1
2	0	1	0
END
prints 'a length as 1e3' g.txt -k 1e3 --total --mod 7 -q << 'END'
5
END
prints 'a vertex whose label begins with @' at.txt -k 1 --from @@home -q << 'END'
from	to	paths
@home	@home	0
@home	work	1
@home	shop	0
END
printf '@home\n' > places.txt
prints 'such a label in a file' at.txt -k 1 --from @places.txt -q << 'END'
from	to	paths
@home	@home	0
@home	work	1
@home	shop	0
END
prints 'such a label in a pair' at.txt -k 2 --pair @home shop -q << 'END'
1
END
for size in 512m 1G 1GB 1GiB 1gb 2T 300000000; do
    prints "a memory limit of $size" g.txt -k 1 --pair 0 1 -q --memory-limit $size << 'END'
1
END
done
# 1 GB is 10^9 bytes, less than the 2^30 of 1 G; the forecast is of what remains.
run g.txt -k 1 --pair 0 1 --explain=all --memory-limit 1GB
holds "$notes/stderr" '*of 953.7 MiB available*' && pass || fail '1GB is 10^9 bytes' 'no 953.7 MiB'
run g.txt -k 1 --pair 0 1 --explain=all --memory-limit 1GiB
holds "$notes/stderr" '*of 1.0 GiB available*' && pass || fail '1GiB is 2^30 bytes' 'no 1.0 GiB'

check 'help as a command' 0 'Usage: pathcount \[OPTION...\] GRAPH*' '' help
check 'help of a command' 0 'Usage: pathcount batch*' '' help batch
refuses 'help of no command' 2 "pathcount: there is no command 'bathc'; did you mean 'batch'[?]*" help bathc
refuses 'a length that is no option' 2 '*; the length of paths is an option: --length 8*' g.txt 8
refuses 'a letter of no option' 2 "*there is no option '-x'; those of one letter are -k (--length), *" g.txt -x 8

# Errors as JSON, also of arguments; nothing else is there.
check 'an error as JSON' 66 '{"error": {"exit_code": 66, "message": "no.txt: cannot be opened: *"}}' \
    'pathcount: no.txt: cannot be opened: *' no.txt -k 3 --json
check 'a wrong argument as JSON' 2 '{"error": {"exit_code": 2, "message": "there is no option *"}}' '*' g.txt --lenght 3 --json
printf 'a b\n' > ab.txt
check 'an error with odd bytes as JSON' 65 '{"error": {"exit_code": 65, "message": "ab.txt has no vertex *"}}' '*' \
    ab.txt -k 3 --json --from "$(printf 'x\376')"
run batch no.txt g.txt -k 3 --total --json --out of-error -q
if holds "$notes/stdout" '*"error": {*'; then fail 'a batch' 'prints an error object'; else pass; fi
