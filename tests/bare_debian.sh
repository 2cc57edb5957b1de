#!/bin/sh
# The wheel, and the Debian packages where they were made, in a Debian 12 without any of our build packages:
#   sh tests/bare_debian.sh BUILD
# Needs the superuser, debootstrap and a network. The Debian is BUILD/debian, made once. The last line is "N passed, ...".

build=$(cd "$1" && pwd) || exit 1
top=$(cd "${0%/*}/.." && pwd)
debian=$build/debian
log=$build/bare_debian.log
passed=0 failed=0 skipped=0
. "$top/tests/checks.sh"

if [ "$(id -u)" != 0 ] || ! command -v debootstrap > /dev/null; then
    skip 'a bare Debian' 'needs the superuser and debootstrap'
    end
fi
if ! [ -x "$debian/usr/bin/python3" ] &&
    ! debootstrap --variant=minbase --include=python3,python3-venv bookworm "$debian" > "$log" 2>&1; then
    skip 'a bare Debian' "$(tail -n 1 "$log")"
    rm -rf "$debian"
    end
fi

inside()
{
    chroot "$debian" "$@"
}

# ---- The wheel ----

# NetworkX comes along: nothing in there has a network.
wheel()
{
    rm -rf "$debian/wheels" "$debian/environment" && mkdir "$debian/wheels" &&
        cp "$build"/wheel/*.whl "$debian/wheels" &&
        "$build/wheel/tools/bin/pip" download -q --python-version 3.11 --only-binary :all: -d "$debian/wheels" networkx &&
        inside python3 -m venv /environment &&
        inside /environment/bin/pip install -q --no-index --find-links /wheels pathcount networkx
}

# The three lines of the README.
readme()
{
    sed -n '/^import networkx, pathcount/,/^print/p' "$top/README.md" > "$debian/readme.py" &&
        [ "$(wc -l < "$debian/readme.py")" -eq 3 ] &&
        inside /environment/bin/python /readme.py > "$build/readme.out" &&
        grep -qx 68848319761339208022 "$build/readme.out"
}

backend()
{
    inside env NETWORKX_BACKEND_PRIORITY=pathcount /environment/bin/python -c \
        'import networkx; print(networkx.number_of_walks(networkx.karate_club_graph(), 25)[33][33])' |
        grep -qx 68848319761339208022
}

if ls "$build"/wheel/*.whl > /dev/null 2>&1; then
    check 'the wheel is installed' wheel
    check 'the example of the README' readme
    check 'the backend of NetworkX without SciPy' backend
else
    echo 'the wheel: SKIPPED (make wheel makes it)'
    skipped=$((skipped + 1))
fi

# ---- The Debian packages ----

with_apt()
{
    inside env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o APT::Sandbox::User=root --no-install-recommends "$@"
}

packages()
{
    rm -rf "$debian/debs" && mkdir "$debian/debs" && cp "$build"/deb/*.deb "$debian/debs" && with_apt update &&
        inside sh -c 'DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends /debs/*.deb'
}

# In a ring of 8 vertices a path of length 16 is closed when 0, 4, 8, 12 or 16 of its steps go left: 16512 from each vertex.
ring='a b\nb c\nc d\nd e\ne f\nf g\ng h\nh a\n'

command_counts()
{
    # shellcheck disable=SC2059 # a format
    printf "$ring" > "$debian/ring.txt" && [ "$(inside pathcount /ring.txt --length 16 --trace)" = 132096 ]
}

igraph_works()
{
    inside pathcount generate famous Petersen | grep -q '^8 '
}

purge()
{
    # shellcheck disable=SC2046 # words
    with_apt purge $(for deb in "$build"/deb/*.deb; do dpkg-deb -f "$deb" Package; done) &&
        ! inside sh -c 'find / -xdev -name "*pathcount*" -path "/usr/*" | grep .'
}

without_errors()
{
    lintian --allow-root --fail-on error "$build"/deb/*.deb
}

if ! ls "$build"/deb/*.deb > /dev/null 2>&1; then
    echo 'Debian packages: SKIPPED (make deb makes them)'
    skipped=$((skipped + 1))
    end
fi
check 'Debian packages are installed' packages
check 'the command counts' command_counts
if [ -e "$debian/usr/lib/pathcount_igraph_child" ]; then
    check 'igraph works' igraph_works
else
    echo 'igraph works: SKIPPED (pathcount-igraph was not made)'
    skipped=$((skipped + 1))
fi
check 'Debian packages are purged' purge
if command -v lintian > /dev/null; then
    check 'lintian' without_errors
else
    echo 'lintian: SKIPPED (not installed)'
    skipped=$((skipped + 1))
fi

end
