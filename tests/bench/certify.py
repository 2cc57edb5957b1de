"""What certificates and checks cost: the command with them and with --certify 0, in turn.

    python3 tests/bench/certify.py PATHCOUNT [RUNS [NAME...]]

The graphs are made first, in a temporary folder; both ways must print the same. Each line has the medians
of wall time with checks and without, and the medians of the ratios of neighbouring runs, of wall time and of
the time of processors; the latter is less disturbed by other programs. Every run is a whole one, from the file
to the summary, the rows or the sum. With OMP_WAIT_POLICY=passive threads that wait take no time of processors.
"""
import os
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
FROM_64 = " ".join(f"--from {v}" for v in range(1, 65))
WORK = {
    "W1": "w1.txt --length 8",
    "W1-file": "w1.txt --length 8 --output counts.tsv",
    "W1-total": "w1.txt --length 8 --total",
    "W2": "w2.mtx --length 4",
    "W3": "w3.txt --length 16",
    "W3-total": "w3.txt --length 16 --total",
    "W4": "w1.txt --length 64",
    "S2": f"s2.mtx --length 8 {FROM_64}",
    "S2-total": "s2.mtx --length 8 --total",
}


def timed(command, folder, output):
    """Wall time and time of processors; what is printed goes to a file, or to nowhere: pages that a file gave back and
    asks for again can take longer than the checks."""
    with open(f"{folder}/{output}" if output else os.devnull, "wb") as file:
        start = time.time()
        process = subprocess.Popen(command, cwd=folder, stdout=file)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.time() - start
    if status != 0:
        sys.exit(f"{' '.join(command)}: failed")
    return wall, used.ru_utime + used.ru_stime


def same(folder):
    """Whether both answers are, but for the measured times of a summary."""
    with open(f"{folder}/checked", "rb") as one, open(f"{folder}/unchecked", "rb") as other:
        return all(a == b or (b" s" in a and b" s" in b) for a, b in zip(one, other)) and \
            one.read(1) == other.read(1) == b""


def measure(pathcount, name, n_runs, folder):
    checked_command = [pathcount, *WORK[name].split(), "-q"]
    unchecked_command = checked_command + ["--certify", "0"]
    timed(checked_command, folder, "checked")  # these two warm up
    timed(unchecked_command, folder, "unchecked")
    if not same(folder):
        sys.exit(f"{name}: the answers differ")
    checked, unchecked = [], []
    for run in range(n_runs):
        both = [(checked_command, checked), (unchecked_command, unchecked)]
        for command, times in both if run % 2 else both[::-1]:  # neither always comes after the other
            times.append(timed(command, folder, None))
    cost = [100 * (statistics.median(a[k] / b[k] for a, b in zip(checked, unchecked)) - 1)
            for k in range(2)]
    print(f"{name:10} {statistics.median(a[0] for a in checked):8.3f} s "
          f"{statistics.median(b[0] for b in unchecked):8.3f} s {cost[0]:+7.1f}% {cost[1]:+7.1f}%",
          flush=True)


def main():
    pathcount = os.path.abspath(sys.argv[1])
    n_runs = int(sys.argv[2]) if len(sys.argv) > 2 else 11
    print(f"{'':10} {'checked':>10} {'unchecked':>10} {'wall':>8} {'CPU':>8}")
    with tempfile.TemporaryDirectory() as folder:
        names = sys.argv[3:] or list(WORK)
        for file, model in GRAPHS.items():
            if not any(WORK[name].startswith(file + " ") for name in names):
                continue
            subprocess.run([pathcount, "generate", *model.split(), "-q", "-o", f"{folder}/{file}"],
                           check=True)
        for name in names:
            measure(pathcount, name, n_runs, folder)


main()
