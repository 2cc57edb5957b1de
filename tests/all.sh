#!/bin/sh
# Runs every test of a build from the top folder and sums up:  sh tests/all.sh BUILD
# Expects the programs that `make check` builds, and an installation in BUILD/stage.
# The last line is "N passed, N failed, N skipped"; exits 1 when anything failed.

build=$1
stage=$(cd "$build/stage" && pwd) || exit 1
log=$build/test.log
passed=0 failed=0 skipped=0
. tests/checks.sh

# Real graphs with known counts are too large for this repository: tests that use them are skipped
# unless they lie beside it, or where PATHCOUNT_TEST_DATA says.
if [ -z "$PATHCOUNT_TEST_DATA" ] && [ -d ../shared/data ]; then
    PATHCOUNT_TEST_DATA=$(cd ../shared/data && pwd)
    export PATHCOUNT_TEST_DATA
fi

# Waiting threads sleep: tests run more threads than there may be processors.
export OMP_WAIT_POLICY=passive

# section NAME COMMAND...: a command that runs many tests and ends with its own sum.
section()
{
    printf '\n== %s\n' "$1"
    shift
    { "$@" 2>&1; echo "exit $?"; } | tee "$log" | sed '$d'
    sum=$(sed '$d' "$log" | tail -n 1 | sed -n \
        's/^\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed, \([0-9][0-9]*\) skipped$/\1 \2 \3/p')
    status=$(tail -n 1 "$log")
    if [ -z "$sum" ] || { [ "$status" != 'exit 0' ] && [ "${sum#* 0 }" != "$sum" ]; }; then
        echo "FAILED: $1 ended with $status and without saying what failed"
        failed=$((failed + 1))
    fi
    set -- ${sum:-0 0 0}
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

# prints EXPECTED COMMAND...
prints()
{
    expected=$1
    shift
    got=$("$@") || return 1
    [ "$got" = "$expected" ] || { echo "expected: $expected"; echo "got:      $got"; return 1; }
}

# The counts are those of examples/README.md.
examples()
{
    check 'examples/count' \
        prints 526474 "$build/examples/count" examples/graphs/karate.txt 8 1 34
    check 'examples/stream' prints 34855961753213002930323053334 \
        "$build/examples/stream" examples/graphs/lesmis.txt 25
    check 'examples/small_graphs' prints "$(printf '0\n0\n1\n0\n2\n4')" \
        "$build/examples/small_graphs" examples/streams/connected4.g6
    check 'examples/alike' prints 'Ada and Ben: 1.0000' \
        "$build/examples/alike" examples/graphs/writes.txt examples/graphs/published.txt
    if [ -x "$build/examples/from_igraph" ]; then
        check 'examples/from_igraph' prints 526474 "$build/examples/from_igraph"
    else
        skip 'examples/from_igraph' 'built without igraph'
    fi
}

man_page()
{
    complaints=$(man --warnings -E UTF-8 -l -Tutf8 -Z "$stage/share/man/man1/pathcount.1" 2>&1 > "$build/pathcount.man")
    echo "$complaints"
    [ -z "$complaints" ] && [ -s "$build/pathcount.man" ]
}

# A program made with nothing but the installed files.
installed_library()
{
    export PKG_CONFIG_PATH="$stage/lib/pkgconfig"
    pkg-config --exists --print-errors pathcount &&
        $CC -o "$build/installed/count" examples/count.c $(pkg-config --cflags --libs pathcount) &&
        prints 7 "$build/installed/count" examples/graphs/hochberg.txt 4 C J
}

installed_for_cmake()
{
    folder=$build/installed/cmake
    rm -rf "$folder" && mkdir -p "$folder" && cp examples/count.c "$folder" &&
        printf '%s\n' 'cmake_minimum_required(VERSION 3.10)' 'project(program C)' 'find_package(pathcount REQUIRED)' \
            'add_executable(count count.c)' 'target_link_libraries(count pathcount::pathcount)' > "$folder/CMakeLists.txt" &&
        cmake -S "$folder" -B "$folder/build" -DCMAKE_PREFIX_PATH="$stage" && cmake --build "$folder/build" &&
        prints 7 "$folder/build/count" examples/graphs/hochberg.txt 4 C J
}

# What is left of a copy of the installation.
uninstalled()
{
    copy=$build/installed/copy
    rm -rf "$copy" && cp -R "$stage" "$copy" && make -s NVCC= BUILD="$build" PREFIX="$copy" uninstall &&
        left=$(find "$copy" ! -type d) && echo "$left" && [ -z "$left" ]
}

installed_igraph_library()
{
    export PKG_CONFIG_PATH="$stage/lib/pkgconfig"
    $CC -o "$build/installed/from_igraph" examples/from_igraph.c \
        $(pkg-config --cflags --libs pathcount_igraph) &&
        prints 526474 "$build/installed/from_igraph"
}

# What the command opens when it wants it is found where it was installed.
installed_igraph()
{
    "$stage/bin/pathcount" generate famous Zachary > "$build/installed/karate.txt" &&
        prints 526474 "$stage/bin/pathcount" "$build/installed/karate.txt" -q --length 8 \
            --pair 0 33
}

installed_drawing()
{
    picture=$build/installed/karate.svg
    rm -f "$picture"
    "$stage/bin/pathcount" examples/graphs/karate.txt -q --length 8 --plot "$picture" &&
        [ -s "$picture" ]
}

# Each library that is linked is loaded at every start, with all that it needs in turn.
command_links_little()
{
    needed=$(readelf --dynamic "$build/pathcount" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    echo "$needed"
    echo "$needed" | grep -q '^libpathcount\.so' && ! echo "$needed" | grep -e igraph -e cairo -e draw
}

# A program that runs as somebody else than its caller must not do what the caller's environment says.
foreign_privileges()
{
    copy=$build/installed/as_nobody
    cp "$stage/bin/pathcount" "$copy" && chown 65534 "$copy" && chmod 4755 "$copy" || return 1
    PATHCOUNT_CPU=nonsense "$copy" -q --length 2 --total - < examples/graphs/karate.txt
    status=$?
    rm -f "$copy"
    return $status
}

# Whether this machine lets such a program be made, and have those privileges where the build is.
can_give_privileges()
{
    [ "$(id -u)" = 0 ] && ! findmnt -no OPTIONS -T "$build" | grep -q nosuid &&
        setpriv --reuid=65534 "$stage/bin/pathcount" --version > /dev/null 2>&1
}

installed_static_library()
{
    export PKG_CONFIG_PATH="$stage/lib/pkgconfig"
    $CC -o "$build/installed/static" examples/count.c -I"$stage/include" \
        "$stage/lib/libpathcount.a" -fopenmp -lgmp -larchive -ljansson -lm &&
        prints 7 "$build/installed/static" examples/graphs/hochberg.txt 4 C J
}

# The suites of the library take as long as all the rest, and much of both uses one processor.
"$build/tests" > "$build/library.log" 2>&1 &
library=$!
trap 'kill $library 2> /dev/null; exit 130' INT
trap 'kill $library 2> /dev/null; exit 143' TERM

section 'Command' sh tests/cli/run.sh "$build/pathcount"
section 'Fuzz corpora' "$build/fuzz_replay" tests/fuzz/corpus
section 'Files as people have them' sh tests/files/run.sh "$build/pathcount"
if command -v python3 > /dev/null; then
    section 'Random graphs in many spellings' python3 tests/spellings.py "$build/pathcount" 3000
    section 'The same files by other readers, where they are installed' python3 tests/files/compare.py
    section 'Results of every command and format, read back' python3 tests/files/results.py "$build/pathcount"
    section 'The same files with random changes' python3 tests/files/mutate.py "$build/pathcount" 300
    section 'Recurrences of random graphs' python3 tests/recurrences.py "$build/pathcount" 100
else
    skip 'files by other readers, and with random changes; recurrences of random graphs' 'no python3'
fi

# A fault in memory at any allocation of some commands. --certify 0 has to miss some: else the test is blind.
short_faults='dense-packed sums table summary-json stream coarsen-file chain float'
faults_are_missed()
{
    FAULTS_OPTIONS='--certify 0' sh tests/faults/run.sh "$build" 200 table chain
    [ $? -eq 1 ]
}

printf '\n== Faults in memory\n'
if grep -q -e ' -fsanitize' "$build/flags.stamp"; then
    skip 'faults in memory' 'the sanitizers have allocators of their own'
else
    check 'none escapes --twice' sh tests/faults/run.sh "$build" 400 $short_faults
    check 'some escape --certify 0' faults_are_missed
fi

section 'The Python package' sh tests/python.sh "$build"
section 'The documentation' sh tests/docs.sh "$build"
section 'Graphs in parts over several processes' sh tests/mpi.sh "$build"

printf '\n== Batch\n'
check 'a batch killed and resumed' sh tests/batch_kill.sh "$build" 60 8
check 'shards killed and resumed' sh tests/shard_kill.sh "$build" 60 3 8

# The long forms are `make failures` and `make environments`. Sanitizers have their own malloc, and look for
# leaks as a tracer does.
printf '\n== Failures\n'
if grep -q -e ' -fsanitize' "$build/flags.stamp"; then
    skip 'failures of memory and calls, environments' 'this build has sanitizers'
else
    check 'failures of memory and calls' sh tests/failures/run.sh "$build" -j 2 -e 29 \
        total exact tsv-gz labels coarsen-file chain-power generate batch stream
    check 'runs that are killed' sh tests/failures/run.sh "$build" -j 2 -k 10 exact coarsen-file batch svg named
    section 'Environments' sh tests/environments.sh "$build"
fi

wait $library
library_status=$?
show_library()
{
    cat "$build/library.log"
    return $library_status
}
section 'Library' show_library

printf '\n== Structure\n'
check 'nothing refers upward' sh tests/layers.sh "$build"
check 'SECURITY.md lists the variables of the environment' sh tests/variables.sh

printf '\n== Packaging\n'
examples
if [ -x "$build/header_cxx" ]; then
    check 'header as C++17' "$build/header_cxx"
else
    skip 'header as C++17' 'no C++ compiler'
fi
check 'exported symbols' sh tests/check_symbols.sh "$build/libpathcount.so"
check 'NULL arguments of every function' sh tests/check_nulls.sh "$build/libpathcount.so"
if [ -e "$build/libpathcount_igraph.so" ]; then
    check 'exported symbols of igraph library' \
        sh tests/check_symbols.sh "$build/libpathcount_igraph.so"
    check 'NULL arguments of every function of igraph library' \
        sh tests/check_nulls.sh "$build/libpathcount_igraph.so"
    check 'hardened process of igraph' \
        sh tests/check_hardening.sh "$build/pathcount_igraph_child"
    check 'installed igraph library' installed_igraph_library
    check 'igraph from the installed command' installed_igraph
fi
if [ -e "$build/libpathcount_draw.so" ]; then
    check 'exported symbol of drawing library' sh tests/check_symbols.sh "$build/libpathcount_draw.so"
    check 'pictures from the installed command' installed_drawing
fi
check 'the command links little' command_links_little
check 'hardened command and libraries' \
    sh tests/check_hardening.sh "$build/pathcount" "$build"/libpathcount*.so
if grep -q -e ' -fsanitize' -e ' -O0' -e '_FORTIFY_SOURCE=0' "$build/flags.stamp"; then
    skip 'checked calls of the C library' 'this build has none'
else
    check 'checked calls of the C library' \
        sh tests/check_hardening.sh --fortified "$build/pathcount" "$build/libpathcount.so"
fi
check 'uninstall' uninstalled
if command -v cmake > /dev/null; then
    check 'installed library for CMake' installed_for_cmake
else
    skip 'installed library for CMake' 'there is no cmake'
fi
check 'installed command' "$stage/bin/pathcount" --version
check 'installed schema of JSON' test -s "$stage/share/pathcount/pathcount.schema.json"
check 'links of the installed documents' sh tests/links.sh "$stage/share/doc/pathcount"
check 'installed statement on security' test -s "$stage/share/doc/pathcount/SECURITY.md"
if grep -q __asan_init "$build/pathcount"; then
    skip 'environment of a caller without the privileges' 'sanitizers look for leaks there in vain'
elif can_give_privileges; then
    check 'environment of a caller without the privileges' foreign_privileges
else
    skip 'environment of a caller without the privileges' 'needs the superuser'
fi
check 'installed library' installed_library
check 'installed static library' installed_static_library
for shell in bash zsh; do
    if command -v $shell > /dev/null; then
        check "completion for $shell" sh tests/completion.sh "$stage/bin/pathcount" "$stage" $shell
    else
        skip "completion for $shell" "no $shell"
    fi
done
if command -v man > /dev/null; then
    check 'man page' man_page
else
    skip 'man page' 'no man command'
fi

echo
end
