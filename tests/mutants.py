#!/usr/bin/env python3
"""Whether the tests notice small errors in the code:

    mutants.py BUILD [--count N] [--seed N] [--jobs N] [--seconds N] [--minutes N] [--at FILE[:LINE]] [--again] [--report]

Makes N mutants of src, io and graphs, but not of src/cli and src/cluster: each is one change of one line that
`make coverage` lists as executable. Lines are drawn from all files with the same chance, then one of the changes that
are possible in the line. A mutant is compiled in a copy of the project, BUILD/mutants/tree-*. It is killed when a
suite fails, crashes or does not end in time. Only suites that execute the line can notice it; those that are quick,
that execute little else, and that killed mutants of the same file run first, and the first that fails ends it. A suite
whose failure is to count is run once without a mutant. The command is linked when the first suite that needs it is
reached. With --seconds a mutant counts as a survivor when the suites have taken so long, and its row says how many of
them it passed: a mutant that changes little takes as long as many that are killed.
With --minutes no mutant is begun when so much time has passed.

Results are kept in tests/mutants_tried.tsv: verdict, suite that killed, commit, mutant. A mutant that stands there
is not tried again, so a run can be interrupted and continued, also in another checkout. A mutant is the text of its
line and what the line becomes. Its result says what the tests of that commit noticed: other lines may have changed
since, so --again tries survivors again, and a mutant whose row was deleted is tried anew. --report only sums up what
was tried. The place of a line in the order of a seed depends on its text only, so changes of other lines keep most of
a sample; rows of lines that are no longer there are not counted.

tests/mutants.txt lists mutants that change nothing that can be observed; those are not counted. The kernels of the
CPU engine (src/cpu/kernel_*.c, rows.c) have no coverage, and no mutants; nor has src/cluster, which tests/mpi.sh tests in
several processes."""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, "tests/coverage")
from suites import LONG_SCRIPTS, SCRIPTS, command_of

EQUIVALENT = "tests/mutants.txt"
TRIED = "tests/mutants_tried.tsv"
MOST_DATA_BYTES = 4 << 30  # a wrong size must not fill the memory of the machine
MOST_SECONDS_ASLEEP = 60
PAUSE_SECONDS = 3  # from one look at a suite to the next: longer only when both were stopped


# ---- Changes of a line -------------------------------------------------------------------------


def mask(source):
    """The source with blanks in the place of comments, text, characters and directives: same columns."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())
    source = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, source,
                    flags=re.S)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, source, flags=re.M)


SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "+",
         "/": "*", "%": "/", "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "<<": ">>", ">>": "<<",
         "&": "|", "|": "&"}
OPERATOR = re.compile(r"(?<= )(%s)(?= )" % "|".join(re.escape(o) for o in sorted(SWAPS, key=len, reverse=True)))
CONSTANT = re.compile(r"(?<![\w.])\d+(?![\w.])")
STATEMENT = re.compile(r"\s*(?:[A-Za-z_][\w.]*(?:->[\w.]+|\[[^\]]*\])*)(?:\(| [-+|&*/%^]?= |\+\+|--).*;\s*$")


def closing(text, start):
    """Where the bracket that opens at start is closed in the text; -1: not there."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    return -1


def comma(text, start, end, n):
    """Where comma number n outside of brackets stands between start and end; end when there is none."""
    depth = 0
    for i in range(start, end):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if text[i] == "," and depth == 0:
            n -= 1
            if n == 0:
                return i
    return end


def change_sizes(code, line):
    """Allocations that are one too small."""
    for match in re.finditer(r"\bpci_alloc(_zero)?\(", code):
        end = closing(code, match.end() - 1)
        if end > 0:
            first = comma(code, match.end(), end, 1) + 1
            last = comma(code, match.end(), end, 2)
            if first < last:
                yield line[:first] + " (" + line[first:last].strip() + ") - 1" + line[last:]


def changes_of(code, line, before):
    """All mutants of a line; code is the line without text and comments, before the code above it."""
    for match in OPERATOR.finditer(code):
        yield line[:match.start()] + SWAPS[match.group()] + line[match.end():]
    for match in CONSTANT.finditer(code):
        for step in (1, -1):
            value = int(match.group()) + step
            if value >= 0:
                yield line[:match.start()] + str(value) + line[match.end():]
    for match in re.finditer(r"\b(?:if|while) \(", code):
        end = closing(code, match.end() - 1)
        if end > 0:
            yield line[:match.end()] + "!(" + line[match.end():end] + ")" + line[end:]
    match = re.match(r"(\s*return )(status|pci_fail\w*\(.*|PC_ERR\w+);\s*$", code)
    if match:
        yield match.group(1) + "PC_OK;"
    begins = not before.strip() or before.rstrip()[-1] in ";{}):"
    if begins and STATEMENT.match(code) and code.count("(") == code.count(")"):
        yield re.match(r"\s*", line).group() + ";"
    yield from change_sizes(code, line)


class Mutant:
    """nth: of the lines of this file with the same text."""

    def __init__(self, name, number, nth, line, changed):
        self.name, self.number, self.line, self.changed = name, number, line.strip(), changed.strip()
        self.text = changed
        self.key = f"{name}\t{nth}\t{self.line}\t{self.changed}"


def mutants_of_line(name, lines, code, number):
    found = []
    before = next((c for c in reversed(code[:number - 1]) if c.strip()), "")
    for changed in changes_of(code[number - 1], lines[number - 1], before):
        nth = lines[:number].count(lines[number - 1])
        found.append(Mutant(name, number, nth, lines[number - 1], changed))
    return found


def draw(files, count, seed, at):
    """The first `count` mutants in the order of the seed."""
    sources = {}
    places = []
    for name in sorted(files):
        lines = open(name).read().split("\n")
        sources[name] = lines, mask("\n".join(lines)).split("\n")
        places += [(name, int(i)) for i in files[name] if ":" not in i]
    if at:
        name, _, number = at.partition(":")
        places = [p for p in places if p[0] == name and number in ("", str(p[1]))]

    def rank(place):
        lines = sources[place[0]][0]
        line = lines[place[1] - 1]
        return hashlib.sha256(f"{seed} {place[0]} {lines[:place[1]].count(line)} {line}".encode()).digest()

    drawn = []
    for name, number in sorted(places, key=rank):
        possible = mutants_of_line(name, *sources[name], number)
        random.Random(rank((name, number))).shuffle(possible)
        drawn += possible if at else possible[:1]
        if len(drawn) >= count:
            break
    return drawn[:count]


# ---- Compiling and running ---------------------------------------------------------------------


def limit_memory():
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_DATA_BYTES, MOST_DATA_BYTES))


def run_limited(command, folder, cpu_seconds, environment):
    """Returns whether it ended well in time, seconds of processors, and the last lines of its output. Time is that of
    processors, because others may use them: a process that nobody lets run is waited for, one that sleeps is not. What
    fails after it was stopped together with this process is run again: limits of its own may be by the clock."""
    while True:
        passed, used, text, was_stopped = run_once(command, folder, cpu_seconds, environment)
        if passed or not was_stopped:
            return passed, used, text


def run_once(command, folder, cpu_seconds, environment):
    """As run_limited, and whether it was stopped for a while."""
    with open(f"{folder}/output", "w+", errors="replace") as output:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=output, start_new_session=True,
                                   preexec_fn=limit_memory)
        begin = last_use = last_look = time.monotonic()
        seen, was_stopped = 0.0, False
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            now = time.monotonic()
            if now - last_look > PAUSE_SECONDS:
                was_stopped, last_use = True, now
            last_look = now
            used, all_sleep = look_at_session(process.pid)
            if used != seen or not all_sleep:
                seen, last_use = used, now
            if used > cpu_seconds or now - last_use > MOST_SECONDS_ASLEEP:
                os.killpg(process.pid, signal.SIGKILL)
                _, status, usage = os.wait4(process.pid, 0)
                break
            time.sleep(min(0.02 + (now - begin) / 20, 0.5))
        used = max(seen, usage.ru_utime + usage.ru_stime)
        process.returncode = status
        try:  # what it started and left behind
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        output.seek(0)
        return status == 0, used, output.read()[-2000:], was_stopped


def look_at_session(pid):
    """Seconds of processors of the processes of a session and of their children that have ended; whether none of them
    runs, wants to, or was stopped."""
    ticks, all_sleep = 0, True
    for entry in os.listdir("/proc"):
        try:
            fields = open(f"/proc/{entry}/stat").read().rsplit(")", 1)[1].split() if entry.isdigit() else ()
        except OSError:
            continue
        if fields and int(fields[3]) == pid:
            ticks += sum(int(f) for f in fields[11:15])
            all_sleep = all_sleep and fields[0] in "SZ"
    return ticks / os.sysconf("SC_CLK_TCK"), all_sleep


BUILDING = ["make", "-s", "-j2", "NVCC=", "BUILD=build"]
ALL_PROGRAMS = ["all", "programs-of-tests"]
TESTS_ONLY = ["build/tests"]


class Tree:
    """A copy of the project in which one mutant at a time is compiled and tested."""

    def __init__(self, folder):
        self.folder = folder
        self.originals = {}  # file: digest of its object file without a mutant

    def environment(self):
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "PATHCOUNT_"))}
        return dict(kept, OMP_WAIT_POLICY="passive", OPT="-O1", OPT_CPU="-O2", CFLAGS="-g0 -w")

    def make(self, programs=ALL_PROGRAMS):
        return run_limited(BUILDING + programs, self.folder, 600, self.environment())

    def copy_sources(self):
        names = subprocess.run(["git", "ls-files", "-z"], stdout=subprocess.PIPE, check=True).stdout
        for name in names.decode().split("\0"):
            if name and os.path.isfile(name):
                to = f"{self.folder}/{name}"
                os.makedirs(os.path.dirname(to), exist_ok=True)
                if not os.path.exists(to) or open(name, "rb").read() != open(to, "rb").read():
                    shutil.copyfile(name, to)

    def object_of(self, name):
        path = f"{self.folder}/build/obj/{name[:-2]}.o"
        return hashlib.sha256(open(path, "rb").read()).hexdigest() if os.path.exists(path) else ""

    def write(self, name, text):
        with open(f"{self.folder}/{name}", "w") as file:
            file.write(text)

    def test(self, build, suite, seconds):
        return run_limited(command_of(build, suite), self.folder, 10 + 2 * seconds, self.environment())


def needs_command(suite):
    return suite.startswith("cli:") or suite in SCRIPTS


class Suites:
    """What each suite executes. A suite is run without a mutant before its failure counts."""

    def __init__(self, suites, store):
        self.suites, self.store, self.lock = suites, store, threading.Lock()
        self.lines = {n: {f: {i for i in items if ":" not in i} for f, items in s["executed"].items()}
                      for n, s in suites.items()}
        self.n_lines = {n: sum(map(len, files.values())) for n, files in self.lines.items()}
        self.trusted = json.load(open(store)) if os.path.exists(store) else {}

    def covering(self, mutant, results):
        """Those that execute the line, by seconds for a kill, as far as results tell and as much of what they execute is in
        this file."""
        kills = collections.Counter(suite for key, (verdict, suite, _) in results.items()
                                    if verdict == "killed" and key.startswith(mutant.name + "\t"))
        found = [n for n in self.suites if str(mutant.number) in self.lines[n].get(mutant.name, ())]
        share = {n: len(self.lines[n][mutant.name]) / self.n_lines[n] for n in found}
        return sorted(found, key=lambda n: self.suites[n]["seconds"] / (1 + 5 * kills[n]) / share[n] ** 0.5)

    def fails(self, tree, name):
        """Returns whether a suite notices the mutant in the tree, and seconds. The command is tested by what it does in
        time, so a suite of the command has to pass again without the mutant."""
        seconds = self.suites[name]["seconds"]
        passed, used, _ = tree.test("build", name, seconds)
        if passed or not needs_command(name):
            return not passed, used
        clean, more, _ = tree.test("clean", name, seconds)
        return clean, used + more

    def is_trusted(self, tree, name):
        with self.lock:
            if name not in self.trusted:
                passed, _, text = tree.test("clean", name, self.suites[name]["seconds"])
                self.trusted[name] = passed
                json.dump(self.trusted, open(self.store, "w"))
                if not passed:
                    print(f"{name} fails without a mutant, so it is not used:\n{text}", flush=True)
            return self.trusted[name]


def try_mutant(tree, suites, mutant, results, most_seconds):
    """Returns (verdict, suite, seconds)."""
    covering = suites.covering(mutant, results)
    if not covering:
        return "survived", "not executed", 0.0
    original = open(f"{tree.folder}/{mutant.name}").read()
    lines = original.split("\n")
    lines[mutant.number - 1] = mutant.text
    total = 0.0
    tree.write(mutant.name, "\n".join(lines))
    try:
        # The other programs have code of their own from these files.
        has_all = "igraph" in mutant.name
        built, total, _ = tree.make(ALL_PROGRAMS if has_all else TESTS_ONLY)
        if not built:
            return "invalid", "does not compile", total
        if tree.object_of(mutant.name) == tree.originals[mutant.name]:
            return "equivalent", "same code", total
        for n_passed, name in enumerate(covering):
            if total > most_seconds:
                return "survived", f"{n_passed} of {len(covering)} suites", total
            if not has_all and needs_command(name):
                has_all, seconds, _ = tree.make()
                total += seconds
            is_noticed, seconds = suites.fails(tree, name)
            total += seconds
            if is_noticed and suites.is_trusted(tree, name):
                return "killed", name, total
        return "survived", f"{len(covering)} suites", total
    finally:
        tree.write(mutant.name, original)


def prepare_trees(folder, n_trees, names):
    """Copies of the project that are built; the first one is copied to the others."""
    trees = [Tree(f"{folder}/tree-{i}") for i in range(n_trees)]
    first = trees[0]
    os.makedirs(first.folder, exist_ok=True)
    first.copy_sources()
    built, seconds, text = first.make()
    if not built:
        raise SystemExit(f"mutants: the copy in {first.folder} does not compile:\n{text}")
    print(f"built in {seconds:.0f} s of processors", flush=True)
    shutil.rmtree(f"{first.folder}/clean", ignore_errors=True)
    os.makedirs(f"{first.folder}/clean")
    for entry in os.scandir(f"{first.folder}/build"):
        if entry.is_file() and not entry.name.endswith(".a"):
            shutil.copy2(entry.path, f"{first.folder}/clean/{entry.name}", follow_symlinks=True)
    first.originals = {name: first.object_of(name) for name in names}
    for tree in trees[1:]:
        tree.originals = first.originals
        if not os.path.exists(tree.folder):
            subprocess.run(["cp", "-a", first.folder, tree.folder], check=True)
        tree.copy_sources()
        tree.make()
    return trees


# ---- Results -----------------------------------------------------------------------------------


def read_equivalent():
    """Rows "FILE @@ LINE @@ MUTATED LINE @@ REASON"."""
    rows = {}
    for line in open(EQUIVALENT):
        if line.strip() and not line.startswith("#"):
            name, old, new, reason = (part.strip() for part in line.split(" @@ "))
            rows[name, old, new] = reason
    return rows


def read_tried():
    results = {}
    if os.path.exists(TRIED):
        for line in open(TRIED):
            verdict, suite, commit, key = line.rstrip("\n").split("\t", 3)
            results[key] = verdict, suite, commit
    return results


def write_tried(results):
    """Sorted by mutants, so that the rows of two checkouts can be merged."""
    with open(TRIED + ".new", "w") as file:
        file.writelines("\t".join((*results[key], key)) + "\n" for key in sorted(results))
    os.replace(TRIED + ".new", TRIED)


def sum_up(drawn, results, equivalent):
    counted = {"killed": 0, "survived": 0, "equivalent": 0, "invalid": 0}
    survivors = []
    for m in drawn:
        verdict, suite, commit = results[m.key]
        if verdict == "survived" and (m.name, m.line, m.changed) in equivalent:
            verdict = "equivalent"
        counted[verdict] += 1
        if verdict == "survived":
            survivors.append(f"{m.name}:{m.number}: {suite} at {commit}\n    {m.line}\n    {m.changed}")
    for text in sorted(survivors):
        print(text)
    n = counted["killed"] + counted["survived"]
    print(f"{n} mutants, {counted['killed']} killed ({100 * counted['killed'] / max(n, 1):.1f}%), "
          f"{counted['survived']} survived; besides {counted['equivalent']} equivalent, "
          f"{counted['invalid']} that do not compile")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--at")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--report", action="store_true")  # only of what was tried
    options = parser.parse_args()
    coverage = f"{options.build}/coverage/coverage.json"
    if not os.path.exists(coverage):
        raise SystemExit(f"mutants: there is no {coverage}: run make coverage first")
    known = json.load(open(coverage))
    for name in LONG_SCRIPTS:  # not in `make test`
        known["suites"].pop(name, None)
    files = {}
    for name, file in known["files"].items():
        if not name.endswith(".c") or name.startswith(("src/cli/", "src/cluster/")):
            continue
        if hashlib.sha256(open(name, "rb").read()).hexdigest() == file["hash"]:
            files[name] = file["items"]
        else:
            print(f"{name} changed since make coverage: it is left out")
    folder = f"{options.build}/mutants"
    os.makedirs(folder, exist_ok=True)
    results = read_tried()
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], stdout=subprocess.PIPE, text=True,
                            check=True).stdout.strip()
    drawn = draw(files, options.count, options.seed, options.at)
    if options.report:
        drawn = [m for m in drawn if m.key in results]
    known_equivalent = read_equivalent()
    left = [m for m in drawn if m.key not in results or
            (options.again and results[m.key][0] == "survived" and
             (m.name, m.line, m.changed) not in known_equivalent)]
    if left:
        trees = prepare_trees(folder, options.jobs, files)
        suites = Suites(known["suites"], f"{folder}/trusted.json")
        lock, free = threading.Lock(), list(trees)

        end = time.monotonic() + 60 * options.minutes

        def work(mutant):
            if time.monotonic() > end:
                return
            with lock:
                tree, known_results = free.pop(), dict(results)
            verdict, suite, seconds = try_mutant(tree, suites, mutant, known_results, options.seconds)
            with lock:
                free.append(tree)
                results[mutant.key] = verdict, suite, commit
                write_tried(results)
                print(f"{verdict:10} {seconds:6.1f} s  {mutant.name}:{mutant.number}: {suite}", flush=True)

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for done in [pool.submit(work, m) for m in left]:
                done.result()
        drawn = [m for m in drawn if m.key in results]
    sum_up(drawn, results, known_equivalent)


main()
