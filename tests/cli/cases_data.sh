# Counts of two real graphs (SNAP: ca-GrQc, facebook_combined), worked out elsewhere with integers of
# any width and no matrix product. PATHCOUNT_TEST_DATA is the folder that holds them.

# totals GRAPH LENGTH TOTAL [MORE]: the summary has this total, and matches the pattern MORE.
totals()
{
    check "$1, length $2" 0 "*
total paths           $3
*${4-}*" '*' "$PATHCOUNT_TEST_DATA/$1.txt" --length "$2"
}

# row_sum NAME DIGITS FIRST: the largest row sum last printed has that many decimal digits, the
# first of them in FIRST.
row_sum()
{
    sum=$(sed -n 's/^most from one vertex  \([0-9]*\), from .*/\1/p' "$notes/stdout")
    # shellcheck disable=SC2254 # the pattern is meant as one
    case ${#sum}:$sum in
    $2:$3*) pass ;;
    *) fail "$1" "largest row sum: $sum" ;;
    esac
}

if [ -n "${PATHCOUNT_TEST_DATA-}" ]; then
    case $PATHCOUNT_TEST_DATA in
    /*) ;;
    *) PATHCOUNT_TEST_DATA=$OLDPWD/$PATHCOUNT_TEST_DATA ;;
    esac
    totals ca-GrQc 2 488852
    if holds "$notes/stderr" '*/ca-GrQc.txt: edge list, undirected: 5242 vertices, 14496 edges (12 loops, counted once), 14484 duplicates dropped, a comment says directed'
    then pass; else fail 'note on ca-GrQc' 'wrong'; fi
    totals ca-GrQc 3 13560523
    totals ca-GrQc 4 495825900
    totals ca-GrQc 8 1608011967273378 'most from one vertex  24616291446015'
    totals ca-GrQc 16 26058873547018263458554628074
    totals ca-GrQc 64 1087748783998103200300165575217414091962030912876474780984403739787645827020253295391838739142791208167206166
    row_sum 'ca-GrQc: 354 bits' 107 '[123]'
    totals facebook_combined 2 18806166
    if holds "$notes/stderr" '*/facebook_combined.txt: edge list, undirected: 4039 vertices, 88234 edges'
    then pass; else fail 'note on facebook_combined' 'wrong'; fi
    totals facebook_combined 3 2157760302 'closed paths          9672060'
    totals facebook_combined 4 286823817114
    totals facebook_combined 8 139670273203627932778 'most from one vertex  744857139486189977'
    totals facebook_combined 16 58009205615532215128858839906684684192
    totals facebook_combined 64 722898856506634891618352070866659064539721499379196575717588579021181459362507575458968257932747047786425887600832037860021434426322769594775258
    row_sum 'facebook_combined: 471 bits' 142 '[3456]'
else
    skip 'real graphs' 'PATHCOUNT_TEST_DATA is not set'
fi
