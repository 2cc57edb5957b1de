#!/usr/bin/env python3
"""Which lines and branches of src, io and graphs the tests execute:  coverage.py BUILD [SUITE...]

BUILD is what `make coverage` built. Runs each suite of the library, each file of cases of the command
(cli:NAME) and the scripts of tests/coverage/suites.py in a folder of counters of its own; with names only
those, with -NAME all but those, and keeps what is known of the others. Prints percentages by folder and writes

    BUILD/coverage.json   what each suite executes, and its seconds: tests/mutants.py reads it
    BUILD/uncovered.txt   each line and branch that no suite executes, with the reason of tests/uncovered.txt

A line counts when gcov lists it. A branch is one way out of a condition, as gcov lists it, so each part of
a && b has two. Code is compiled without optimisation; src/cpu and src/streams/small.c with -O3.
src/cpu/kernel_*.c are not measured (Makefile), and src/cpu/*_avx512.c not where the processor has no AVX-512;
what they include counts once for all instruction sets that run. Processes that leave by _exit, and workers that
are killed, count (tests/coverage/exit.c). Threads count without waiting for each other: in parallel loops the
number of passes can be wrong, and gcov computes some branches as differences."""

import collections
import fnmatch
import glob
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys

from suites import command_of, list_suites

FOLDERS = ("src/cli", "src", "io", "graphs")  # a file belongs to the first that it is in
REASONS = "tests/uncovered.txt"
LONGEST_SECONDS = 3600


def run(build, suite, counters):
    """Runs one suite; its counters go to a folder. Returns seconds of processors, and whether it passed."""
    shutil.rmtree(counters, ignore_errors=True)
    environment = dict(os.environ, GCOV_PREFIX=counters, OMP_WAIT_POLICY="passive")
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command_of(build, suite), env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LONGEST_SECONDS)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime
    if done.returncode != 0:
        print(f"{suite}: FAILED\n" + done.stdout.decode(errors="replace")[-2000:])
    return seconds, done.returncode == 0


def ask_gcov(files):
    """What gcov says of notes and counters: one object for each source file of each object file."""
    if not files:
        return
    answer = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", *files],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    for line in answer.stdout.splitlines():
        yield from json.loads(line)["files"]


def is_ours(name):
    return name.startswith(("src/", "io/", "graphs/")) and not name.startswith("src/cli/texts/")


def items_of(files):
    """Yields (file, item, count): item is "LINE" or "LINE:FUNCTION:BRANCH"."""
    for file in files:
        if not is_ours(file["file"]):
            continue
        for line in file["lines"]:
            number = line["line_number"]
            yield file["file"], str(number), line["count"]
            for i, branch in enumerate(line["branches"]):
                if not branch["throw"]:
                    name = line.get("function_name", "")
                    yield file["file"], f"{number}:{name}:{i}", branch["count"]


def executed(build, counters):
    """{file: sorted items} of what was executed by the run whose counters are in this folder."""
    where = counters + build
    found = collections.defaultdict(set)
    files = glob.glob(f"{where}/obj/**/*.gcda", recursive=True)
    files = [f for f in files if "/obj/tests/" not in f]
    for file in files:
        notes = file[:-len("gcda")] + "gcno"
        if not os.path.lexists(notes):
            os.symlink(build + notes[len(where):], notes)
    for name, item, count in items_of(ask_gcov(files)):
        if count > 0:
            found[name].add(item)
    return {name: sorted(items) for name, items in found.items()}


def can_run(notes):
    """Whether this processor has the instructions that an object file is compiled for."""
    has_avx512 = re.search(r"^flags.* avx512f ", open("/proc/cpuinfo").read(), re.M)
    return has_avx512 or not notes.endswith("_avx512.gcno")


def everything(build):
    """{file: set of items}: all that could be executed."""
    found = collections.defaultdict(set)
    for counters in glob.glob(f"{build}/obj/**/*.gcda", recursive=True):  # of programs that made texts
        os.remove(counters)
    files = glob.glob(f"{build}/obj/**/*.gcno", recursive=True)
    files = [f for f in files if "/obj/tests/" not in f and can_run(f)]
    for name, item, _ in items_of(ask_gcov(files)):
        found[name].add(item)
    return found


# ---- Reasons -----------------------------------------------------------------------------------


def read_reasons():
    """Rows "GLOB | REGEX | REASON": lines of matching files whose text matches, or all of them with *."""
    rows = []
    for line in open(REASONS):
        if line.strip() and not line.startswith("#"):
            name, pattern, reason = (part.strip() for part in line.split(" | ", 2))
            rows.append((name, None if pattern == "*" else re.compile(pattern), reason))
    return rows


def reason_of(rows, name, text):
    for pattern, words, reason in rows:
        if fnmatch.fnmatch(name, pattern) and (words is None or words.search(text)):
            return reason
    return None


# ---- The sum -----------------------------------------------------------------------------------


class Sum:
    def __init__(self):
        self.total = self.executed = self.explained = 0

    def add(self, is_executed, has_reason):
        self.total += 1
        self.executed += is_executed
        self.explained += not is_executed and has_reason

    def __str__(self):
        if self.total == 0:
            return f"{'-':>31}"
        return (f"{100 * self.executed / self.total:6.2f}% of {self.total:6d}, "
                f"{self.total - self.executed - self.explained:5d} left")


def folder_of(name):
    return next(f for f in FOLDERS if name.startswith(f + "/"))


def sum_up(build, total, suites):
    done = collections.defaultdict(set)
    for suite in suites.values():
        for name, items in suite["executed"].items():
            done[name].update(items)
    rows = read_reasons()
    sums = collections.defaultdict(Sum)
    with open(f"{build}/uncovered.txt", "w") as listing:
        for name in sorted(total):
            source = open(name).read().splitlines()
            for item in sorted(total[name], key=lambda i: (int(i.split(":")[0]), i)):
                number = int(item.split(":")[0])
                text = source[number - 1]
                is_done, reason = item in done[name], reason_of(rows, name, text)
                kind = "branch" if ":" in item else "line"
                for where in (folder_of(name), "all"):
                    sums[where, kind].add(is_done, reason is not None)
                if not is_done and (kind == "line" or str(number) in done[name]):
                    listing.write(f"{name}:{number}: {kind}: {reason or '-'}: {text.strip()}\n")
    for where in FOLDERS + ("all",):
        print(f"{where:8} lines {sums[where, 'line']}   branches {sums[where, 'branch']}")
    if any(not can_run(f) for f in glob.glob(f"{build}/obj/**/*.gcno", recursive=True)):
        print("not measured: what needs a processor with AVX-512")
    print(f"'left' have no reason in {REASONS}; {build}/uncovered.txt lists what is not executed")


def main():
    build, wanted = os.path.abspath(sys.argv[1]), sys.argv[2:]
    store = f"{build}/coverage.json"
    suites = json.load(open(store))["suites"] if wanted and os.path.exists(store) else {}
    total = everything(build)
    files = {name: {"hash": hashlib.sha256(open(name, "rb").read()).hexdigest(), "items": sorted(items)}
             for name, items in total.items()}
    names = list_suites(build)
    for name in wanted:
        if name.removeprefix("-") not in names:
            sys.exit(f"coverage: there is no suite '{name}'")
    left_out = {name[1:] for name in wanted if name.startswith("-")}
    for name in [n for n in wanted if not n.startswith("-")] or names:
        if name in left_out:
            continue
        counters = f"{build}/counters"
        seconds, passed = run(build, name, counters)
        suites[name] = {"seconds": round(seconds, 2), "passed": passed,
                        "executed": executed(build, counters)}
        shutil.rmtree(counters, ignore_errors=True)
        print(f"{name:22} {seconds:7.2f} s", flush=True)
        with open(store + ".new", "w") as file:
            json.dump({"suites": suites, "files": files}, file)
        os.replace(store + ".new", store)
    sum_up(build, total, suites)


main()
