#!/usr/bin/env python3
"""Prints how large the project is: python3 tests/size.py [--list], or make size.

Every file that git knows is counted. --list adds the files that name a kind of question and the sentences that stumble.
"""

import re
import subprocess
import sys
from pathlib import Path

# A name of closed walks or of their sum. A kind of question should be a row of a table, not a case in many files.
KIND = re.compile(r'\b[A-Z_]+_(CLOSED|TRACE)\b|"(closed|trace)"|\bis_(closed|trace)\b')
# A definition begins in the first column and ends with a brace there.
FUNCTION = re.compile(r"^(?!struct|union|enum|typedef|extern|#)[A-Za-z_][^;{}=]*\)[^;{}=]*\n\{", re.M)
# A sentence of a C comment stumbles where it begins with one of these words, or is a phrase of a preposition alone.
OPENING = re.compile(r"(Of|What|Who|Whose|Where|Whether)\b")
PHRASE = re.compile(r"(After|Among|As|At|Before|Behind|Beside|By|For|From|In|On|Such|To|With)\b")
VERB = re.compile(
    r"\b(is|are|was|were|be|has|have|had|do|does|can|cannot|could|may|must|shall|should|will|would|[a-z]{3,}(es|ed|ts|ns|ps|ds|ks)|"
    r"count|come|get|give|go|hold|keep|make|need|read|stand|take|use)\b"
)


def part_of(path):
    """tests, examples, texts or product: what a file belongs to."""
    if path.startswith(("tests/", "python/tests/")):
        return "tests"
    if path.startswith("examples/"):
        return "examples"
    return "texts" if path.endswith((".md", ".1.in")) or path == "LICENSE" else "product"


def sentences(text):
    """The sentences of C comments."""
    for comment in re.findall(r"/\*(.*?)\*/", text, re.S):
        whole = re.sub(r"\s*\n\s*\*?\s*", " ", comment).strip("-! \n")
        yield from (s for s in re.split(r"(?<=[.!?])\s+", whole) if s.endswith(".") and len(s.split()) > 2)


def main():
    listed = subprocess.run(["git", "ls-files", "-z"], capture_output=True, check=True).stdout.decode().split("\0")
    files = {path: Path(path).read_text(errors="replace") for path in listed if path and Path(path).is_file()}
    lines = {"tests": 0, "examples": 0, "texts": 0, "product": 0}
    for path, text in files.items():
        lines[part_of(path)] += text.count("\n")
    product = {path: text for path, text in files.items() if part_of(path) == "product"}
    code = {path: text for path, text in product.items() if path.endswith((".c", ".h", ".cu", ".cuh"))}
    functions = sum(len(FUNCTION.findall(text)) for text in code.values())
    kinds = [path for path, text in product.items() if KIND.search(text)]
    bad = [(p, s) for p, t in code.items() for s in sentences(t) if OPENING.match(s) or PHRASE.match(s) and not VERB.search(s)]

    # The public headers, but that of graphs in parts.
    public = re.findall(r"src/(pathcount\w*\.h)", "\n".join(code))
    headers = "\n".join(code["src/" + name] for name in public if "mpi" not in name)
    declared = re.sub(r"/\*.*?\*/", "", headers, flags=re.S)
    n_public = len(re.findall(r"^(?!typedef)[a-z][^;{}()]*\bpc_\w+\(", declared, re.M))
    n_structs = len(re.findall(r"^(?:typedef )?struct \w+\s*\{", declared, re.M))
    for name, found, goal in (
        ("lines outside tests, examples and texts", lines["product"], 65000),
        ("headers", sum(path.endswith((".h", ".cuh")) for path in code), 120),
        ("functions", functions, 2900),
        ("public functions", n_public, 65),
        ("public structs", n_structs, 19),
        ("lines of pathcount.h", code["src/pathcount.h"].count("\n"), 650),
        ("product files that name closed walks", len(kinds), 4),
        ("sentences that stumble", len(bad), 140),
        ("lines of tests", lines["tests"], 45000),
        ("lines of examples", lines["examples"], None),
        ("lines of texts", lines["texts"], None),
    ):
        print(f"{name:42}{found:8}{f'   at most {goal}' if goal else ''}")
    if "--list" in sys.argv[1:]:
        print("\nclosed walks:", *kinds, sep="\n  ")
        print("\nsentences:", *(f"{path}: {sentence}" for path, sentence in bad), sep="\n  ")


main()
