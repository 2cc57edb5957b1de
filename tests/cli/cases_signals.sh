# A signal ends the command at once, with 128 + its number, and leaves nothing behind.

# A circle of 3000 vertices with chords: sixty squarings modulo a large number take long.
chords 3000 > circle.txt
long='circle.txt -k 1000000000000000000 --mod 9223372036854775783'

# interrupt NAME SIGNAL STATUS ARGUMENT...
interrupt()
{
    case_name=$1 case_signal=$2 case_status=$3
    shift 3
    env --default-signal="$case_signal" timeout --preserve-status --kill-after=120 \
        --signal="$case_signal" 1.5 "$pathcount" "$@" \
        > "$notes/stdout" 2> "$notes/stderr"
    status=$?
    judge "$case_name" "$case_status" '' '*pathcount: interrupted'
}

if env --default-signal=INT true 2> /dev/null; then
    # shellcheck disable=SC2086 # words
    {
        interrupt 'Ctrl-C while counting' INT 130 $long
        echo old > out.csv
        interrupt 'Ctrl-C while counting for a file' INT 130 $long -o out.csv
        if [ "$(cat out.csv)" = old ]; then pass; else fail 'Ctrl-C' 'the old file changed'; fi
        rm -f out.csv
        interrupt 'SIGTERM while counting for a packed file' TERM 143 $long -o out.mtx.gz
        interrupt 'SIGHUP' HUP 129 $long -o out.npy
    }
    mkfifo pipe
    sleep 5 > pipe &
    interrupt 'Ctrl-C while waiting for input' INT 130 - -k 2 < pipe
    kill $! 2> /dev/null
    wait $! 2> /dev/null
    rm -f pipe
    folder_holds 'nothing left after signals' circle.txt
else
    skip 'signals' 'env cannot set them to their defaults'
fi
