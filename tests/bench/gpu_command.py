"""The command as a user runs it on a GPU, beside CuPy's float64 matrix_power on the same files:

    python3 tests/bench/gpu_command.py [--summary] PATHCOUNT GRAPH...

For each graph (an undirected edge list) and k = 8: the summary, the matrix to an .npy file (not with
--summary), CuPy, and the start of the driver alone, in turn, RUNS times; medians of wall time and of the
command's own split of it. The totals are compared first, exactly as far as doubles go.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 5
STAGES = ["read", "start", "bound", "load", "extend", "product", "step", "collect", "certify",
          "deliver", "total"]


def run(command):
    start = time.time()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return time.time() - start, done.stdout


def ours(pathcount, graph, folder, writes):
    command = [pathcount, graph, "--length", "8", "--device", "cuda", "--json"]
    if writes:
        command += ["-o", os.path.join(folder, "counts.npy")]
    wall, output = run(command)
    return wall, json.loads(output)


def python(script, *arguments):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), script)
    wall, output = run([sys.executable, path, *arguments])
    return wall, json.loads(output.splitlines()[-1])


def measure(pathcount, graph, folder, writes):
    samples = {"summary": [], "to .npy": [], "CuPy": [], "driver": []}
    for _ in range(RUNS):
        samples["summary"].append(ours(pathcount, graph, folder, False))
        if writes:
            samples["to .npy"].append(ours(pathcount, graph, folder, True))
        samples["CuPy"].append(python("cupy_peer.py", graph, "8"))
        samples["driver"].append(python("cuda_start.py"))
    total = int(samples["summary"][0][1]["total_paths"])
    theirs = samples["CuPy"][0][1]["total"]
    assert abs(total - theirs) <= 1e-9 * total, (total, theirs)
    return samples


def median(values):
    return statistics.median(values)


def report(graph, samples):
    print(f"\n{os.path.basename(graph)}: seconds, medians of {RUNS}")
    print(f"{'':10}{'wall':>8}" + "".join(f"{s:>9}" for s in STAGES))
    for name in ("summary", "to .npy") if samples["to .npy"] else ("summary",):
        line = f"{name:10}{median([wall for wall, _ in samples[name]]):8.3f}"
        for stage in STAGES:
            line += f"{median([answer['seconds'][stage] for _, answer in samples[name]]):9.4f}"
        print(line)
    for name, parts in (("CuPy", ("import", "read", "compute")),
                        ("driver", ("init", "context", "release"))):
        wall = median([wall for wall, _ in samples[name]])
        print(f"{name:10}{wall:8.3f}" + "".join(
            f"   {s} {median([answer[s] for _, answer in samples[name]]):.3f}" for s in parts))
    ours, theirs = (median([wall for wall, _ in samples[s]]) for s in ("summary", "CuPy"))
    print(f"CuPy / summary {theirs / ours:.2f}; from {min(w for w, _ in samples['summary']):.3f} to "
          f"{max(w for w, _ in samples['summary']):.3f} s, CuPy from "
          f"{min(w for w, _ in samples['CuPy']):.3f} to {max(w for w, _ in samples['CuPy']):.3f}")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    writes = "--summary" not in arguments
    program, *graphs = [a for a in arguments if a != "--summary"]
    with tempfile.TemporaryDirectory() as scratch:
        for path in graphs:
            report(path, measure(program, path, scratch, writes))
