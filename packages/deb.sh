#!/bin/sh
# The Debian packages of what `make install` gave, in BUILD/deb:  sh packages/deb.sh BUILD STAGE VERSION
# STAGE is the DESTDIR of an installation with PREFIX=/usr. Packages whose files are not there are left out: pathcount-igraph
# without igraph, pathcount-cuda without CUDA. What they depend on is what the programs need here (dpkg-shlibdeps), so they
# are for the release of Debian that they are made on. DEBFULLNAME and DEBEMAIL are who publishes them.
set -eu

build=$(cd "$1" && pwd)
stage=$(cd "$2" && pwd)
version=$3
soname=1
top=$(cd "${0%/*}/.." && pwd)
home=$build/deb
maintainer="${DEBFULLNAME:-The pathcount authors} <${DEBEMAIL:-pathcount@example.org}>"
architecture=$(dpkg --print-architecture)
date=$(date -u -R -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}")
umask 022
rm -rf "$home"
mkdir -p "$home/tree/debian"
cd "$home/tree"

# What dpkg-shlibdeps reads: our own library is in none of the packages that are installed.
printf 'Source: pathcount\n\nPackage: pathcount\nArchitecture: any\n' > debian/control
echo "libpathcount $soname libpathcount$soname (= $version)" > debian/shlibs.local
echo "libpathcount_igraph $soname pathcount-igraph (= $version)" >> debian/shlibs.local

# take PACKAGE FILE...: moves files of the stage, named from /usr on, to a package. Fails where one is not there.
take()
{
    package=$1
    shift
    for file in "$@"; do
        mkdir -p "$package/usr/$(dirname "$file")"
        mv "$stage/usr/$file" "$package/usr/$file"
    done
}

# needs PACKAGE: the packages with the libraries that the programs of a package need.
needs()
{
    find "$1/usr" -type f \( -name '*.so*' -o -perm -u+x \) -exec strip --strip-unneeded {} + \
        -exec dpkg-shlibdeps -O --warnings=0 "-l$stage/usr/lib" "-llibpathcount$soname/usr/lib" {} + 2> "$home/log" |
        sed 's/^shlibs:Depends=//'
}

# pack PACKAGE SECTION LICENCE DEPENDS SUMMARY TEXT: TEXT is one paragraph in lines of one blank and words.
pack()
{
    package=$1
    doc=$package/usr/share/doc/$package
    mkdir -p "$doc" "$package/DEBIAN"
    {
        echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
        printf '\nFiles: *\nCopyright: 2026 The pathcount authors\nLicense: Expat\n'
        sed '1,4d; s/^$/./; s/^/ /' "$top/LICENSE"
        [ "$3" = Expat ] || printf '\nComment: The programs of this package are linked with igraph, which is under the
 GNU General Public License, version 2 or later: as a whole they are under that licence,
 which is in /usr/share/common-licenses/GPL-2.\n'
    } > "$doc/copyright"
    printf 'pathcount (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md of the package pathcount.\n\n -- %s  %s\n' \
        "$version" "$maintainer" "$date" | gzip -9n > "$doc/changelog.gz"
    {
        printf 'Package: %s\nSource: pathcount\nVersion: %s\nArchitecture: %s\n' "$package" "$version" "$architecture"
        printf 'Maintainer: %s\nInstalled-Size: %s\n' "$maintainer" "$(du -sk "$package/usr" | cut -f 1)"
        printf 'Depends: %s\nSection: %s\nPriority: optional\nDescription: %s\n' "$4" "$2" "$5"
        echo "$6"
    } > "$package/DEBIAN/control"
    (cd "$package" && find usr -type f -exec md5sum {} + | LC_ALL=C sort -k 2 > DEBIAN/md5sums)
    dpkg-deb --root-owner-group --build "$package" "$home" > "$home/log"
}

# with_library PACKAGE [NAME]: what a package with libraries says about them, and about lib/NAME.so.SOVERSION, for links.
with_library()
{
    mkdir -p "$1/DEBIAN"
    [ -z "${2-}" ] || echo "$2 $soname $1 (= $version)" > "$1/DEBIAN/shlibs"
    echo 'activate-noawait ldconfig' > "$1/DEBIAN/triggers"
}

paragraph=' pathcount counts the paths of length k between the vertices of a graph by
 powers of its adjacency matrix. Counts are exact, however large they become.'

# ---- The library -----------------------------------------------------------------------------------

take libpathcount$soname lib/libpathcount.so.$soname
with_library libpathcount$soname libpathcount
pack libpathcount$soname libs Expat "$(needs libpathcount$soname)" 'exact counts of paths in graphs: library' "$paragraph"

take libpathcount-dev include/pathcount.h include/pathcount_io.h \
    include/pathcount_recurrence.h include/pathcount_chain.h include/pathcount_stream.h include/pathcount_reduction.h include/pathcount_generate.h include/pathcount_spc.h include/pathcount_sample.h include/pathcount_labelled.h include/pathcount_match.h include/pathcount_time.h $(cd "$stage/usr" && ls include/pathcount_mpi.h lib/libpathcount_mpi.a 2> /dev/null) lib/libpathcount.a lib/libpathcount.so lib/pkgconfig/pathcount.pc
strip --strip-debug libpathcount-dev/usr/lib/libpathcount.a
pack libpathcount-dev libdevel Expat "libpathcount$soname (= $version), libgmp-dev, libjansson-dev" \
    'exact counts of paths in graphs: headers' "$paragraph
 .
 This package has the headers, the library for static links and the file of
 pkg-config."

# ---- igraph and CUDA -------------------------------------------------------------------------------

if [ -e "$stage/usr/lib/libpathcount_igraph.so.$soname" ]; then
    take pathcount-igraph "lib/libpathcount_igraph.so.$soname" lib/libpathcount_igraph.so lib/libpathcount_igraph.a \
        lib/pkgconfig/pathcount_igraph.pc include/pathcount_igraph.h lib/pathcount_igraph_child
    strip --strip-debug pathcount-igraph/usr/lib/libpathcount_igraph.a
    with_library pathcount-igraph libpathcount_igraph
    pack pathcount-igraph science GPL-2+ "$(needs pathcount-igraph)" 'exact counts of paths in graphs: what igraph does' \
        "$paragraph
 .
 With this package it finds communities of vertices by igraph, and makes
 famous graphs."
fi

if [ -e "$stage/usr/lib/libpathcount_cuda.so" ]; then
    take pathcount-cuda lib/libpathcount_cuda.so
    with_library pathcount-cuda
    pack pathcount-cuda science Expat "$(needs pathcount-cuda), libpathcount$soname (= $version)" \
        'exact counts of paths in graphs: GPUs of NVIDIA' "$paragraph
 .
 With this package it multiplies matrices on GPUs. It needs the driver of NVIDIA."
fi

if [ -e "$stage/usr/bin/pathcount-mpi" ]; then
    take pathcount-mpi bin/pathcount-mpi
    pack pathcount-mpi science Expat "$(needs pathcount-mpi), pathcount (= $version)" \
        'exact counts of paths in graphs: several machines' "$paragraph
 .
 With this package graphs lie in parts in the processes of MPI."
fi

# ---- The command -----------------------------------------------------------------------------------

doc=$stage/usr/share/doc/pathcount
rm -rf "$doc/LICENSE" "$doc/src" "$doc/tests"
mkdir -p "$stage/usr/share/zsh/vendor-completions"
mv "$stage/usr/share/zsh/site-functions/_pathcount" "$stage/usr/share/zsh/vendor-completions"
gzip -9n "$stage/usr/share/man/man1/pathcount.1"
if [ -e "$stage/usr/lib/libpathcount_draw.so" ]; then
    take pathcount lib/libpathcount_draw.so
    with_library pathcount
fi
take pathcount bin/pathcount share/man/man1/pathcount.1.gz share/pathcount share/doc/pathcount \
    share/bash-completion/completions/pathcount share/zsh/vendor-completions/_pathcount
pack pathcount science Expat "$(needs pathcount)" 'exact counts of paths in graphs' "$paragraph
 .
 This package has the command. With pathcount-igraph it finds communities, with
 pathcount-cuda it works on GPUs."

cd "$home"
rm -rf tree log
ls "$home"/*.deb
