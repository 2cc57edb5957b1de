"""Tests of NetworkX with the backend and without it, test by test:  python tests/networkx_suite.py [PYTEST ARGUMENT ...]

Runs `pytest --pyargs networkx` twice with the Python that runs this: as it is, and with NETWORKX_TEST_BACKEND=pathcount and
NETWORKX_FALLBACK_TO_NX. Prints how many tests had each outcome, and why tests are expected to fail or are skipped with the
backend only. Exits 1 when a test fails that passes without the backend, or is not run any more, or
when the backend is not called.
Arguments such as networkx.algorithms.centrality choose the tests that run.
"""

import collections
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from importlib.metadata import version
from pathlib import Path


def outcomes(report):
    """Returns the outcome of each test and the reason, from a report in JUnit's format."""
    tests = {}
    for case in ElementTree.parse(report).iter("testcase"):
        outcome, reason = "passed", ""
        for part in case:
            if part.tag in ("failure", "error"):
                outcome, reason = "failed", part.get("message", "").split("\n")[0]
            elif part.tag == "skipped":
                outcome = "expected to fail" if part.get("type") == "pytest.xfail" else "skipped"
                reason = part.get("message", "")
        tests[f"{case.get('classname')}::{case.get('name')}"] = (outcome, reason)
    return tests


#: Counts the calls that NetworkX gives to the backend, which prove that its tests reach it.
PLUGIN = """
import collections
import json
import pathlib
from pathcount import networkx_backend as backend
calls = collections.Counter()
def counted(name, function):
    def call(*given, **keywords):
        calls[name] += 1
        return function(*given, **keywords)
    return call
for name, function in backend._FUNCTIONS.items():
    setattr(backend, name, counted(name, function))
def pytest_sessionfinish():
    pathlib.Path("calls.json").write_text(json.dumps(calls))
"""


def run(arguments, folder, backend):
    report = Path(folder) / f"{backend or 'networkx'}.xml"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NETWORKX_")}
    if backend:
        environment |= {"NETWORKX_TEST_BACKEND": backend, "NETWORKX_FALLBACK_TO_NX": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", "--pyargs"]
    if backend:
        (Path(folder) / "counted_calls.py").write_text(PLUGIN)
        command[3:3] = ["-p", "counted_calls"]
    done = subprocess.run([*command, *(arguments or ["networkx"])], env=environment, cwd=folder, capture_output=True, text=True)
    if not report.exists():
        sys.exit(done.stdout + done.stderr)
    print(f"{backend or 'without'}: {done.stdout.rstrip().splitlines()[-1]}", flush=True)
    return outcomes(report)


def main(arguments):
    with tempfile.TemporaryDirectory() as folder:
        without = run(arguments, folder, None)
        ours = run(arguments, folder, "pathcount")
        calls = json.loads((Path(folder) / "calls.json").read_text())
    print(f"\nNetworkX {version('networkx')} called the backend: {calls}")
    missing = sorted(without.keys() - ours.keys())
    changes = collections.Counter()
    reasons = collections.Counter()
    worse = []
    for name, (before, _) in without.items():
        after, reason = ours.get(name, ("not run", ""))
        changes[before, after] += 1
        if after != before and after != "passed":
            reasons[after, reason] += 1
        if before == "passed" and after in ("failed", "not run"):
            worse.append(f"{name}: {reason or after}")
    print("\nwithout, with the backend, tests")
    for (before, after), n in sorted(changes.items()):
        print(f"  {before:17} {after:17} {n:6}")
    print(f"\nreasons of tests that are other than without ({len(missing)} are not run)")
    for (after, reason), n in reasons.most_common(20):
        print(f"  {n:6} {after}: {reason[:150]}")
    print(f"\n{len(worse)} tests pass without the backend and fail with it")
    print("\n".join(worse))
    return 1 if worse or not calls else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
