"""NumPy's part of the benchmark: matrix_power in float64, and loadtxt. Started by the driver.

numpy_peer.py power ...    as python_power.h says; entries are doubles, of one word.
numpy_peer.py read FILE    prints seconds, peak memory in bytes, vertices,
    edges, 0, version.
"""
import sys
import time

import numpy


def say(text):
    print(text, flush=True)


def power(arcs_path, n, length, result_path):
    source, target = numpy.fromfile(arcs_path, dtype=numpy.uint64).reshape(2, -1)
    a = numpy.zeros((n, n))
    a[source, target] = 1
    result = None
    say("ready " + numpy.__version__)
    for line in sys.stdin:
        if line == "run\n":
            result = numpy.linalg.matrix_power(a, length)
            say("done")
        elif line.startswith("save"):
            result.tofile(result_path)
            say("saved")


def peak_bytes():
    """Of this program alone: getrusage would count what its parent had before exec."""
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


def read(path):
    start = time.monotonic()
    edges = numpy.loadtxt(path, dtype=numpy.int64)
    seconds = time.monotonic() - start
    say(f"{seconds:.6f} {peak_bytes()} {edges.max() + 1} {len(edges)} 0 {numpy.__version__}")


if __name__ == "__main__":
    if sys.argv[1] == "power":
        power(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[6])
    else:
        read(sys.argv[2])
