# Single tests of a shell script, which reads this file, counts in passed, failed and skipped, and names a file in log.

# check NAME COMMAND...: one test. It passes when the command exits 0; else its output is shown.
check()
{
    name=$1
    shift
    if "$@" > "$log" 2>&1; then
        passed=$((passed + 1))
        echo "$name: passed"
    else
        failed=$((failed + 1))
        echo "$name: FAILED"
        sed 's/^/    /' "$log"
    fi
}

# skip NAME WHY
skip()
{
    skipped=$((skipped + 1))
    echo "$1: SKIPPED ($2)"
}

# Ends the script with the sum; exits 1 when a test failed.
end()
{
    printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
    [ $failed -eq 0 ]
    exit
}
