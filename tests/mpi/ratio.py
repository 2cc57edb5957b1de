"""Times processes that share a graph beside one process: ratio.py BUILD [RUNS [SCALE...]].

64 pairs of random vertices of an R-MAT graph, k = 8, of which a half is sent from each end: the command with two
threads and two processes of one thread, the command with one thread and one process, in turn, so that other work on
the machine disturbs all of them alike. Printed are medians of the stages that --explain=all tells, and the ratios of
parts to whole; "processors" is the user time of all processes, in which they also wait for each other. RUNS is 5 and SCALE 18 20 unless they are given."""

import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile

VARIABLES = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_plm": "isolated",
    "OMPI_MCA_btl": "self,vader",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
}
STAGES = ("query", "sweep", "certify", "deliver")


def seconds(command, n_threads):
    """The seconds of each stage and of the processors, the bytes of the answer."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    found = subprocess.run(
        command,
        env={**os.environ, **VARIABLES, "OMP_NUM_THREADS": str(n_threads)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        check=True,
    )
    text = found.stderr.decode()
    stages = [float(re.findall(rf"^ *{s}:? +([\d.]+) s", text, re.M)[-1]) for s in STAGES]
    return [*stages, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before], found.stdout


def compare(build, folder, scale, n_runs):
    graph, pairs = f"{folder}/{scale}.sg", f"{folder}/{scale}.pairs"
    subprocess.run(
        [f"{build}/pathcount", "generate", "rmat", "--scale", str(scale), "--seed", "1", "-q", "-o", graph],
        check=True,
    )
    source = random.Random(scale)
    with open(pairs, "w", encoding="ascii") as out:
        for _ in range(64):
            print(source.randrange(1 << scale), source.randrange(1 << scale), file=out)
    question = [graph, "-k", "8", "--pairs", pairs, "--explain=all", "-q"]
    whole, parts = [f"{build}/pathcount", *question], [f"{build}/pathcount-mpi", *question]
    ways = {
        "command, 2 threads": (whole, 2),
        "2 processes": (["mpirun", "-n", "2", *parts], 1),
        "command, 1 thread": (whole, 1),
        "1 process": (["mpirun", "-n", "1", *parts], 1),
    }
    times, answers = {way: [] for way in ways}, set()
    for _ in range(n_runs):
        for way, (command, n_threads) in ways.items():
            stages, answer = seconds(command, n_threads)
            times[way].append(stages)
            answers.add(answer)
    print(f"R-MAT {scale}, medians of {n_runs} runs, s:", *STAGES, "processors")
    for way, found in times.items():
        print(f"  {way:20}", *(f"{statistics.median(stage):8.3f}" for stage in zip(*found)))
    for first, second in (("2 processes", "command, 2 threads"), ("1 process", "command, 1 thread")):
        ratios = [a[0] / b[0] for a, b in zip(times[first], times[second])]
        print(f"  {first} / {second}: median {statistics.median(ratios):.2f}, {min(ratios):.2f} to {max(ratios):.2f}")
    if len(answers) > 1:
        sys.exit("the answers differ")


def main():
    build, n_runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as folder:
        for scale in map(int, sys.argv[3:] or (18, 20)):
            compare(build, folder, scale, n_runs)


main()
