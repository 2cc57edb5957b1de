"""The suites that tests/coverage/coverage.py and tests/mutants.py run, and their commands."""

import glob
import re
import subprocess

# Of what `make test` runs beside the suites of the library and the cases of the command (tests/all.sh).
SCRIPTS = {
    "files": ["sh", "tests/files/run.sh", "{build}/pathcount"],
    "fuzz": ["{build}/fuzz_replay", "tests/fuzz/corpus"],
    "batch_kill": ["sh", "tests/batch_kill.sh", "{build}", "60", "8"],
    "shard_kill": ["sh", "tests/shard_kill.sh", "{build}", "60", "3", "8"],
    "environments": ["sh", "tests/environments.sh", "{build}"],
}

def quick_flows():
    """Flows of the campaign that draw nothing: those take most of its time."""
    lines = open("tests/failures/flows.txt").read().splitlines()
    flows = [line for line in lines if ": " in line and not line.startswith("#")]
    slow = ("--plot", "--report")
    return [f.split(":")[0].lstrip("~!") for f in flows if not any(word in f for word in slow)]


# Of `make test`, but what processes of MPI execute has no mutants. Then a part of `make failures`: each request for memory fails, and of some flows each fifth call of the system.
FLOWS_WITH_CALLS = """total exact named labels json-file tsv-gz stdin read-gz read-mtx read-graphml
    coarsen-file batch twice-batch batch-manifest stream stream-stdin stream-gz verify verify-folder
    read-back named-batch"""
LONG_SCRIPTS = {
    "parts": ["sh", "tests/mpi.sh", "{build}"],
    "requests": ["sh", "tests/failures/run.sh", "{build}", "-m", *quick_flows()],
    "calls": ["sh", "tests/failures/run.sh", "{build}", "-c", "-e", "5", *FLOWS_WITH_CALLS.split()],
}


def list_suites(build):
    """Names of all suites of the library, then those of the command, then scripts."""
    answer = subprocess.run([f"{build}/tests", "?"], stderr=subprocess.PIPE, text=True)
    library = answer.stderr.split("the suites are:")[1].split()
    cases = sorted(glob.glob("tests/cli/cases_*.sh"))
    cases = ["cli:" + re.sub(r".*cases_(.*)\.sh", r"\1", c) for c in cases]
    return library + cases + list(SCRIPTS) + list(LONG_SCRIPTS)


def command_of(build, suite):
    """Returns the words that run a suite; relative to the top folder, but for a build folder elsewhere."""
    script = SCRIPTS.get(suite) or LONG_SCRIPTS.get(suite)
    if script:
        return [word.format(build=build) for word in script]
    if suite.startswith("cli:"):
        return ["sh", "tests/cli/run.sh", f"{build}/pathcount", suite[4:]]
    return [f"{build}/tests", suite]
