# Results and certificates that somebody made who knows how they are checked: `pathcount verify` and
# examples/check_certificate.py refuse them all.

hochberg=$graphs/hochberg.txt
script=$graphs/../check_certificate.py

# forged STATUS KIND PATTERN FILE OPTION...: the script ends with that status and says why; verify refuses with 65.
forged()
{
    forged_status=$1 forged_kind=$2 forged_text=$3 forged_file=$4
    shift 4
    "$pathcount" "$hochberg" -q -o "$forged_file" --certificate f.json "$@" > "$notes/stdout"
    if ! python3 "$here/forge_certificate.py" "$forged_kind" "$hochberg" "$forged_file" f.json; then
        fail "forged: $forged_kind" 'the forger failed'
        return
    fi
    python3 "$script" "$hochberg" "$forged_file" f.json > "$notes/stdout" 2> "$notes/stderr"
    status=$?
    judge "forged for the script: $forged_kind in $forged_file" "$forged_status" '' "$forged_file: *$forged_text*"
    refuses "forged for verify: $forged_kind in $forged_file" 65 'pathcount: *' \
        verify "$hochberg" "$forged_file" --certificate f.json "$@"
}

if command -v python3 > "$notes/found"; then
    "$pathcount" "$hochberg" -q -k 8 -o f.tsv --certificate f.json > "$notes/stdout"
    python3 "$here/forge_certificate.py" nothing "$hochberg" f.tsv f.json
    python3 "$script" "$hochberg" f.tsv f.json > "$notes/stdout" 2> "$notes/stderr"
    status=$?
    judge 'what the forger leaves alone, and the question' 0 \
        'f.tsv: holds, 2 rounds: paths of length 8 between all vertices, exact, of the undirected graph' ''
    check 'what the forger leaves alone, for verify' 0 'f.tsv: certified*' '' \
        verify "$hochberg" f.tsv -k 8 --certificate f.json
    for ending in tsv csv mtx; do
        "$pathcount" "$hochberg" -q -k 5 --up-to --directed -o f.$ending --certificate f.json > "$notes/stdout"
        python3 "$script" "$hochberg" f.$ending f.json > "$notes/stdout" 2> "$notes/stderr"
        status=$?
        judge "lengths added up in $ending" 0 \
            "f.$ending: holds, 2 rounds: paths of lengths 1 to 5 added up *, of the directed graph" ''
    done

    forged 1 small-modulus 'too few rounds' f.tsv -k 8
    forged 1 one-round 'too few rounds' f.tsv -k 8
    forged 1 moduli "row 'C' is not" f.tsv -k 8
    forged 1 seeds "row 'C' is not" f.tsv -k 8 --mod 2305843009213693951
    forged 1 length "is not the numbers of paths" f.tsv -k 8
    forged 1 corner 'the header' f.tsv -k 8
    forged 1 label 'must come in the head' f.mtx -k 8
    forged 1 about 'must come in the head' f.mtx -k 8
    forged 1 index-0 'are none of this matrix' f.mtx -k 8
    forged 1 foreign-digits 'is no decimal integer' f.tsv -k 8
    forged 1 foreign-digits 'is no decimal integer' f.csv -k 8
    forged 1 foreign-digits 'is no decimal integer' f.mtx -k 8
    forged 1 foreign-length 'is no decimal integer' f.tsv -k 8
    forged 2 each 'no --each, no blocks, no means' f.tsv -k 8
    forged 2 mean 'no --each, no blocks, no means' f.tsv -k 8
    forged 1 up_to 'is not the numbers of paths' f.tsv -k 8
else
    skip 'forged certificates' 'there is no python3'
fi
rm -f f.*
