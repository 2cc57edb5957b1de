# A virtual environment with the package, for scripts that set top, build (whole paths) and python.

# make_environment HOME PACKAGES OPTIONAL: HOME, unless it is there with the same packages. It fails where a package cannot be
# installed that is not optional; the reason is the last line of BUILD/python.log.
make_environment()
{
    wanted="$("$python" -VV) $2 $3"
    [ "$(cat "$1/packages" 2> /dev/null)" = "$wanted" ] && return
    rm -rf "$1"
    "$python" -m venv "$1" > "$build/python.log" 2>&1 || return
    # shellcheck disable=SC2086 # words
    "$1/bin/python" -m pip install -q --upgrade $2 > "$build/python.log" 2>&1 || return
    # shellcheck disable=SC2086
    "$1/bin/python" -m pip install -q $3 >> "$build/python.log" 2>&1 ||
        for package in $3; do "$1/bin/python" -m pip install -q "$package" >> "$build/python.log" 2>&1 || true; done
    echo "$wanted" > "$1/packages"
}

# install_wheel HOME: the package with the library of BUILD
install_wheel()
{
    rm -rf "$1/wheel" "$1/source"
    mkdir -p "$1/source" &&
        cp -r "$top/pyproject.toml" "$top/setup.py" "$top/python" "$1/source" &&
        PATHCOUNT_LIBRARY=$build/libpathcount.so.1 "$1/bin/python" -m pip wheel -q --no-deps --no-build-isolation \
            -w "$1/wheel" "$1/source" &&
        "$1/bin/python" -m pip install -q --no-deps --force-reinstall "$1"/wheel/*.whl
}
