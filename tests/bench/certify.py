"""What certificates and checks cost: the command with them and with --certify 0, in turn.

    python3 tests/bench/certify.py PATHCOUNT [RUNS [NAME...]]

The graphs are made first, in a temporary folder; both ways must print the same. Each line has the medians
of wall time with checks and without, and the median of the ratios of neighbouring runs. Every run is a
whole one, from the file to the summary or the sum.
"""
import statistics
import subprocess
import sys
import tempfile
import time

GRAPHS = {
    "w1.txt": "erdos-renyi --vertices 2048 --edges 32768",
    "w2.mtx": "erdos-renyi --vertices 4096 --probability 0.25 --directed",
    "w3.txt": "barabasi-albert --vertices 4096 --edges-per-vertex 8",
    "s2.mtx": "rmat --scale 18 --edge-factor 16",
}
FROM_64 = " ".join(f"--from {v}" for v in range(64))
WORK = {
    "W1": "w1.txt --length 8 --total",
    "W1-matrix": "w1.txt --length 8",
    "W2": "w2.mtx --length 4",
    "W3": "w3.txt --length 16",
    "W4": "w1.txt --length 64",
    "S2": f"s2.mtx --length 8 {FROM_64}",
    "S3": "s2.mtx --length 8 --total",
}


def timed(command):
    start = time.time()
    done = subprocess.run(command, capture_output=True, check=True)
    return time.time() - start, done.stdout


def same(a, b):
    """Both answers, but for the measured times of a summary."""
    def lines(text):
        return [line for line in text.splitlines() if b" s" not in line]
    return lines(a) == lines(b)


def measure(pathcount, name, n_runs, folder):
    command = [pathcount, *WORK[name].split(), "-q"]
    command[1] = f"{folder}/{command[1]}"
    with_checks, without = [], []
    for run in range(n_runs + 1):
        checked, answer = timed(command)
        unchecked, other = timed(command + ["--certify", "0"])
        if not same(answer, other):
            sys.exit(f"{name}: the answers differ")
        if run > 0:  # the first one warms up
            with_checks.append(checked)
            without.append(unchecked)
    ratio = statistics.median(a / b for a, b in zip(with_checks, without))
    print(f"{name:10} {statistics.median(with_checks):8.3f} s {statistics.median(without):8.3f} s "
          f"{100 * (ratio - 1):+6.1f}%", flush=True)


def main():
    pathcount = sys.argv[1]
    n_runs = int(sys.argv[2]) if len(sys.argv) > 2 else 11
    print(f"{'':10} {'checked':>10} {'unchecked':>10}   cost")
    with tempfile.TemporaryDirectory() as folder:
        for file, model in GRAPHS.items():
            subprocess.run([pathcount, "generate", *model.split(), "-q", "-o", f"{folder}/{file}"],
                           check=True)
        for name in sys.argv[3:] or WORK:
            measure(pathcount, name, n_runs, folder)


main()
