"""Packages of Python in the benchmark. Started by the driver.

python_peer.py numpy|flint ...   powers, as peer_python.c says. NumPy's entries are doubles, of one word; an
    entry of FLINT's that WORDS words do not hold is written as all ones, which no count is.
python_peer.py read FILE         loadtxt: prints seconds, peak memory in bytes, vertices, edges, 0, version.
"""
import array
import sys
import time


def say(text):
    print(text, flush=True)


def numpy_power(arcs, n, length, _):
    """The version, a function that computes, and one that saves what it made."""
    import numpy
    source, target = numpy.array(arcs, dtype=numpy.int64).reshape(2, -1)
    a = numpy.zeros((n, n))
    a[source, target] = 1
    return (numpy.__version__, lambda: numpy.linalg.matrix_power(a, length),
            lambda power, n_words, path: power.tofile(path))


def flint_power(arcs, n, length, n_threads):
    import flint
    flint.ctx.threads = n_threads
    a = flint.fmpz_mat(n, n)
    for source, target in zip(arcs[:len(arcs) // 2], arcs[len(arcs) // 2:]):
        a[source, target] = 1

    def save(power, n_words, path):
        n_bytes = 8 * n_words
        with open(path, "wb") as file:
            for row in range(n):
                entries = (int(power[row, column]) for column in range(n))
                file.write(b"".join(e.to_bytes(n_bytes, "little") if 0 <= e.bit_length() <= 8 * n_bytes
                                    else b"\xff" * n_bytes for e in entries))
    return flint.__FLINT_VERSION__, lambda: a ** length, save


def power(make, arcs_path, n, length, n_threads, result_path):
    with open(arcs_path, "rb") as file:
        arcs = array.array("Q", file.read())
    version, compute, save = make(arcs, int(n), int(length), int(n_threads))
    result = None
    say("ready " + version)
    for line in sys.stdin:
        words = line.split()
        if words[0] == "run":
            result = compute()
            say("done")
        elif words[0] == "save":
            save(result, int(words[1]), result_path)
            say("saved")


def read(path):
    """The peak is of this program alone: getrusage would count what its parent had before exec."""
    import numpy
    start = time.monotonic()
    edges = numpy.loadtxt(path, dtype=numpy.int64)
    seconds = time.monotonic() - start
    with open("/proc/self/status", encoding="ascii") as status:
        peak = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:"))
    say(f"{seconds:.6f} {peak} {edges.max() + 1} {len(edges)} 0 {numpy.__version__}")


if __name__ == "__main__":
    if sys.argv[1] == "read":
        read(sys.argv[2])
    else:
        power({"numpy": numpy_power, "flint": flint_power}[sys.argv[1]], *sys.argv[2:])
