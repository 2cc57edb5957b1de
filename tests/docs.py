"""Executes the examples of pages:  python tests/docs.py BUILD PAGE...

An example is a fence of pycon, or of console, whose commands a shell runs; what they print is standard output, or, where that
is empty, the messages. It runs in a folder with the example graphs. Names of Python last to the end of the page. A section
that imports a module that is not installed is skipped. Cells of notebooks ran when the site was built, and tests/python.sh
executes docstrings. The last line is "N passed, N failed, N skipped".
"""

import doctest
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

FENCE = re.compile(r"^( *)```([^\n`]*)\n(.*?)^\1``` *$", re.M | re.S)
IMPORT = re.compile(r"^(?:>>>|\.\.\.) +(?:from (\w+).* import|import (\w+))", re.M)
sums: Counter[str] = Counter()


def pycon(code, names):
    said = []
    test = doctest.DocTestParser().get_doctest(code, names, "example", None, 0)
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append, clear_globs=False)
    names.update(test.globs)
    return "".join(said)


def console(code, _names):
    said = ""
    for part in re.split(r"^\$ ", code, flags=re.M)[1:]:
        command, want = re.match(r"((?:[^\n]*\\\n)*[^\n]*)\n?(.*)", part, re.S).groups()
        ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=300, check=False)
        want, got = (re.sub(r"\d+\.\d+ s\b", "T s", text) for text in (want, ran.stdout or ran.stderr))
        if not doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS):
            said += f"$ {command}\nexpected:\n{want}got, with exit status {ran.returncode}:\n{got}"
    return said


#: A fence without a language begins with a prompt, or is none of these.
KINDS = {"pycon": pycon, "console": console, ">>> ": pycon, "$ ": console}


def run(page, text):
    names = {"__name__": "__main__"}
    n_examples, line = 0, 1
    for section in re.split(r"^(?=## )", text, flags=re.M):
        modules = [name for found in IMPORT.findall(section) for name in found if name]
        lost = next((name for name in modules if importlib.util.find_spec(name) is None), None)
        if lost:
            sums["skipped"] += 1
            print(f"{page}: {section.splitlines()[0]}: SKIPPED ({lost} is not installed)")
        for found in FENCE.finditer(section):
            kind = found[2].strip() or re.match(r"\$ |>>> |", found[3])[0]
            n_examples += kind in (*KINDS, "{code-cell}", "{eval-rst}")
            if kind in KINDS and not lost:
                complaint = KINDS[kind](re.sub(f"^{found[1]}", "", found[3], flags=re.M), names)
                sums["failed" if complaint else "passed"] += 1
                if complaint:
                    print(f"{page}:{line + section[: found.start()].count(chr(10))}: FAILED\n{complaint}")
            elif kind in ("python", "sh", "bash", "shell"):
                sums["failed"] += 1
                print(f"{page}: FAILED, nobody executes a fence of {kind}: write pycon or console")
        line += section.count("\n")
    if not n_examples:
        sums["failed"] += 1
        print(f"{page}: FAILED, it has no example")


def main():
    top, build = Path.cwd(), Path(sys.argv[1]).resolve()
    for page in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(top / "examples" / "graphs", folder, dirs_exist_ok=True)
            os.symlink(top / "examples", f"{folder}/examples")
            os.symlink(build, f"{folder}/build")
            os.chdir(folder)
            run(page, (top / page).read_text())
            os.chdir(top)
    print(", ".join(f"{sums[kind]} {kind}" for kind in ("passed", "failed", "skipped")))
    sys.exit(sums["failed"] > 0)


main()
