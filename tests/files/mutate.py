"""Reads files of the table with random changes:
    python3 tests/files/mutate.py build/pathcount [NUMBER [SEED]]
Allowed is exit status 0, when the format is still that of the file, and 65; 65 alone for files whose format is named
but not read. All else is listed, with a command that writes the file again:
    python3 tests/files/mutate.py --write PATH SEED
The last line is "N passed, N failed, 0 skipped"; exits 1 when a case failed."""

import os
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from table import cases  # noqa: E402

WORDS = [b"0", b"1", b"-1", b"2", b"99999999999999999999", b"4294967296", b"1e400", b"nan", b"\0", b"\xff",
         b'"', b"{", b"}", b"[", b"<", b",", b";", b"|", b"\t", b"\n", b"\r", b"#", b"%", b"'weight': 2", b"p"]

TABLES = (".txt", ".csv", ".tsv")
MARKS = (b"# GMT", b"p ", b"{}", b'{"', b"%MatrixMarket")
# What a text without a mark may be; one change makes another one of it, such as METIS without its first line.
READINGS = {"edge list", "adjacency matrix", "adjacency list", "METIS", "pairs in brackets"}


def change(content, other, chance):
    """One random change."""
    kind = chance.randrange(8)
    at = chance.randrange(len(content) + 1)
    lines = content.split(b"\n")
    if kind == 0:
        return content[:at]
    if kind == 1:
        return content[:at] + bytes([chance.randrange(256)]) + content[at + 1:]
    if kind == 2:
        return content[:at] + chance.choice(WORDS) + content[at:]
    if kind == 3:
        return content[:at] + content[at + chance.randrange(1, 9):]
    if kind == 4:
        del lines[chance.randrange(len(lines))]
    elif kind == 5:
        lines.insert(chance.randrange(len(lines) + 1), chance.choice(lines))
    elif kind == 6:
        i, j = chance.randrange(len(lines)), chance.randrange(len(lines))
        lines[i], lines[j] = lines[j], lines[i]
    else:
        words = re.split(rb"([\s,;]+)", content)
        words[chance.randrange(len(words))] = chance.choice(WORDS + re.split(rb"[\s,;]+", other))
        return b"".join(words)
    return b"\n".join(lines)


def count_marks(case):
    """Bytes that say the format where neither the name nor an option does: those of the first two lines.
    Without them the file would be another one."""
    if "--format" in case.options or not case.name.endswith(TABLES):
        return 0
    lines = case.content().split(b"\n")
    is_edges = not any(word in lines[0] + lines[min(1, len(lines) - 1)] for word in MARKS)
    return 0 if is_edges else len(b"\n".join(lines[:2])) + 1


def mutant(read, seed):
    """The case and the content of mutant number seed."""
    chance = random.Random(seed)
    case, other = chance.choice(read), chance.choice(read).content()
    content, n_kept = case.content(), count_marks(case)
    kept, content = content[:n_kept], content[n_kept:]
    for _ in range(chance.choice((1, 1, 2, 4))):
        content = change(content, other, chance)
    return case, kept + content


def run(pathcount, case, folder):
    """Exit status, and the format as the command prints it."""
    path = os.path.join(folder, case.name)
    result = subprocess.run([pathcount, path, *case.options, "-k", "3", "--total"], stdin=subprocess.DEVNULL,
                            capture_output=True, timeout=60)
    found = re.search(rb": ([^:,]+), (?:un)?directed", result.stderr.split(b"\n")[0])
    return result.returncode, found.group(1).decode() if found else "", result.stderr


def is_named(case):
    """Whether the format is not read, and both the text and the name of the file tell it."""
    return not case.is_read and not case.options and case.expected[1:4] == ["this", "looks", "like"] and \
        not case.name.endswith((*TABLES, ".jsonl"))


def main():
    # With --vertices, a label that is no integer is a wrong command line.
    read = [case for case in cases() if (case.is_read or is_named(case)) and "--vertices" not in case.options]
    if sys.argv[1] == "--write":
        open(sys.argv[2], "wb").write(mutant(read, int(sys.argv[3]))[1])
        return 0
    pathcount = os.path.abspath(sys.argv[1])
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    n_failed = 0
    formats = {}
    with tempfile.TemporaryDirectory() as folder:
        for case in read:
            open(os.path.join(folder, case.name), "wb").write(case.content())
            formats[case.header] = run(pathcount, case, folder)[:2]
        for seed in range(first, first + n):
            case, content = mutant(read, seed)
            open(os.path.join(folder, case.name), "wb").write(content)
            try:
                status, name, message = run(pathcount, case, folder)
            except subprocess.TimeoutExpired:
                status, name, message = 124, "", b"it did not end"
            expected = formats[case.header][1]
            is_alike = case.name.endswith(TABLES) and {name, expected} <= READINGS
            if status == 65 or (status == 0 and case.is_read and (name == expected or is_alike)):
                continue
            n_failed += 1
            print(f"FAILED: seed {seed}: {case.header}: exit {status}, {formats[case.header][1]} as {name}: "
                  f"{message.decode(errors='replace').strip()}")
    print(f"{n - n_failed} passed, {n_failed} failed, 0 skipped")
    return n_failed > 0


sys.exit(main())
