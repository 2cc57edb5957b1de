# Completion of pathcount for bash 4 or newer: source this file, or leave it where the package
# bash-completion finds it. All is in the tables below, which tests/completion.sh compares with the
# command: nothing is run while somebody types.

_pathcount_options() # COMMAND: its options
{
    local about='--help --usage --version -V -h'
    local counting='--certify --float --length --method --mod -k'
    local input='--directed --format --max-vertices --multigraph --undirected --vertices --weights'
    local output='--json --output --plot --show -o'
    local paths='--markov --non-backtracking'
    local query='--closed --each --from --katz --pair --pairs --subgraph-centrality --sums --to
        --top --total --trace --up-to'
    local running='--device --memory-limit --no-sync --quiet --threads -q'
    case $1 in
    batch) options="$input $counting $paths $query $running $about --as --jobs --manifest --out
        --report --resume --retry --timeout" ;;
    bench) options="$about --calibrate --device --engine --json --kernels --ladder --n --part
        --rounds --sizes" ;;
    chain) options="$running $about --allow-missing --certify --explain --float --json --max-vertices --mod
        --multigraph --output --pathsim --power --weights -o" ;;
    coarsen) options="$input $counting $output $running $about --blocks --explain --graph
        --iterations --mean --resolution --seed" ;;
    count) options="$input $counting $paths $query $output $running $about --explain" ;;
    devices) options="$about --device --json" ;;
    generate) options="$running $about --directed --edge-factor --edges --edges-per-vertex --explain
        --output --probability --quadrants --scale --seed --vertices -o" ;;
    esac
}

_pathcount_offer() # WORDS: those that begin with $word
{
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word")
}

# Names of files are left to bash, which knows how to quote them: it takes over where COMPREPLY is
# empty (complete -o default). These are for files beside words, and for words alone.
_pathcount_add_files()
{
    local files
    mapfile -t files < <(compgen -f -- "$word")
    COMPREPLY+=("${files[@]}")
    compopt -o filenames 2> /dev/null
}

_pathcount_no_files()
{
    compopt +o default 2> /dev/null
}

_pathcount_list() # WORDS: for lists with commas, such as products,planes
{
    local before=
    [[ $word == *,* ]] && before=${word%,*},
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${word##*,}")
    _pathcount_no_files
}

_pathcount_value() # OPTION: what may follow it; false when it takes no value
{
    case $1 in
    --as)
        _pathcount_offer 'mtx mtx.gz mtx.zst tsv tsv.gz tsv.zst csv csv.gz csv.zst npy npy.gz
            npy.zst json json.gz json.zst'
        _pathcount_no_files
        ;;
    --blocks)
        _pathcount_offer 'components leiden multilevel'
        _pathcount_add_files
        ;;
    --device)
        _pathcount_offer 'auto cpu cuda cuda:0 cuda:all'
        _pathcount_no_files
        ;;
    --format)
        _pathcount_offer 'auto edges mtx graph6 graphml gml pajek lgl ncol dl'
        _pathcount_no_files
        ;;
    --from | --to)
        _pathcount_no_files
        [[ $word == @* ]] || return 0
        mapfile -t COMPREPLY < <(compgen -P @ -f -- "${word#@}")
        compopt -o filenames 2> /dev/null
        ;;
    --manifest | --output | -o | --graph | --pairs) ;;
    --method)
        _pathcount_offer 'auto dense sweep hybrid'
        _pathcount_no_files
        ;;
    --out)
        mapfile -t COMPREPLY < <(compgen -d -- "$word")
        compopt -o filenames 2> /dev/null
        ;;
    --part) _pathcount_list 'ceilings products planes counts' ;;
    --plot)
        [[ $word == *:* ]] && return 0
        _pathcount_offer 'heatmap: growth: histogram:'
        [[ ${#COMPREPLY[@]} -gt 0 ]] && compopt -o nospace 2> /dev/null
        _pathcount_add_files
        ;;
    --length | -k | --mod | --certify | --vertices | --max-vertices | --threads | --memory-limit | --pair | --katz | \
        --top | --iterations | --resolution | --seed | --power | --scale | --edge-factor | \
        --quadrants | --edges | --probability | --edges-per-vertex | --rounds | --sizes | --n | \
        --kernels | --jobs | --timeout | --retry) _pathcount_no_files ;;
    *) return 1 ;;
    esac
}

_pathcount_argument() # COMMAND: what is no option
{
    local models='rmat erdos-renyi barabasi-albert famous'
    case $1 in
    bench | devices) _pathcount_no_files ;;
    generate)
        _pathcount_no_files
        case " ${COMP_WORDS[*]:2} " in
        *' famous '*)
            _pathcount_offer 'Bull Chvatal Coxeter Cubical Diamond Dodecahedral Folkman Franklin
                Frucht Grotzsch Heawood Herschel House HouseX Icosahedral Krackhardt_Kite Levi McGee
                Meredith Noperfectmatching Nonline Octahedral Petersen Robertson
                Smallestcyclicgroup Tetrahedral Thomassen Tutte Uniquely3colorable Walther Zachary'
            ;;
        *' rmat '* | *' erdos-renyi '* | *' barabasi-albert '*) ;;
        *) _pathcount_offer "$models" ;;
        esac
        ;;
    esac
}

# bash cuts words at = and : too; the line itself is clearer. What stands before such a cut is not
# to be in the answers.
_pathcount()
{
    local line=${COMP_LINE:0:COMP_POINT} command=count options='' glue='' cut=''
    local word=${line##*[[:blank:]]} before
    before=${line%"$word"}
    before=${before%"${before##*[![:blank:]]}"}
    before=${before##*[[:blank:]]}
    COMPREPLY=()
    if [[ $COMP_CWORD -gt 1 ]]; then
        case ${COMP_WORDS[1]} in
        batch | bench | chain | coarsen | count | devices | generate) command=${COMP_WORDS[1]} ;;
        esac
    fi
    if [[ $word == --*=* ]]; then
        before=${word%%=*} word=${word#*=}
        [[ $COMP_WORDBREAKS == *=* ]] || glue=$before=
    fi
    if ! _pathcount_value "$before"; then
        if [[ $word == -* ]]; then
            _pathcount_options "$command"
            _pathcount_offer "$options"
        elif [[ $COMP_CWORD -eq 1 ]]; then
            _pathcount_offer 'batch bench chain coarsen count devices generate'
            _pathcount_add_files
        else
            _pathcount_argument "$command"
        fi
    fi
    [[ $word == *:* && $COMP_WORDBREAKS == *:* ]] && cut=${word%"${word##*:}"}
    [[ $word == @* && $COMP_WORDBREAKS == *@* ]] && cut=@
    [[ ${#COMPREPLY[@]} -eq 0 ]] && return
    COMPREPLY=("${COMPREPLY[@]#"$cut"}")
    COMPREPLY=("${COMPREPLY[@]/#/"$glue"}")
}

complete -o default -F _pathcount pathcount
