"""What a long-lived program needs: nothing leaks, signals and threads and forks work, and the interpreter ends."""

import gc
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import networkx as nx
import pytest
from conftest import LONG

import pathcount
from pathcount import Graph, _call, _numbers


def in_python(program, *, rc=0, timeout=120):
    """Runs a program of its own; returns what it prints. Nothing may be on standard error."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=timeout)
    assert (done.returncode, done.stderr) == (rc, "")
    return done.stdout


# ---- Memory ----------------------------------------------------------------------------------------


def private_bytes():
    """Memory that is in use now."""
    gc.collect()
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize()


def everything(graph, plain):
    """Calls of each kind, with failures among them."""
    pathcount.count(graph, 9).top(3)
    pathcount.walks_from(graph, [0, 1], 5, each=True)
    pathcount.total(plain, 4)
    next(pathcount.rows(graph, 5))
    list(pathcount.stream(["C~", plain], 3))
    pathcount.katz(graph, 0.01, 9)
    pathcount.coarsen(graph, 3, {v: v % 3 for v in graph.vertices})
    relation = pathcount.Relation([(1, 2)])
    pathcount.chain(relation, relation.T)
    for fail in (
        lambda: pathcount.count(graph, 2**63 - 1),
        lambda: pathcount.count(graph, 8, memory=1000),
        lambda: pathcount.count(graph, 8, device="cuda:77"),
        lambda: pathcount.walks_from(graph, "nobody", 3),
        lambda: Graph([(1, 2, 3), (1, 2, 4)], weight=True),
        lambda: pathcount.coarsen(graph, 3, {}),
        lambda: pathcount.count(graph, 3, progress=lambda *_: 1 / 0),
        lambda: list(pathcount.rows(graph, 8, memory=1000)),
        lambda: list(pathcount.stream(["C~~"], 3)),
    ):
        with pytest.raises((pathcount.Error, ZeroDivisionError)):
            fail()


def test_nothing_leaks():
    plain = nx.karate_club_graph()
    graph = Graph(plain)
    rounds = 600 if LONG else 40
    for _ in range(20):
        everything(graph, plain)
    before = private_bytes()
    for _ in range(rounds):
        everything(graph, plain)
    grown = private_bytes() - before
    # 17 calls a round. Blocks of malloc that are in use by chance make a difference of some pages.
    assert grown < 4_000_000, f"{grown} bytes in {17 * rounds} calls"
    assert len(_call._idle) < 20
    assert len(_numbers._freeing) < 500  # dead ones are forgotten


def test_large_matrices_are_freed():
    graph = Graph(nx.path_graph(1500))
    for _ in range(15):  # malloc keeps some
        pathcount.count(graph, 3)
    before = private_bytes()
    for _ in range(20):
        pathcount.count(graph, 3)  # 18 MB each
    assert private_bytes() - before < 40_000_000


# ---- Signals ---------------------------------------------------------------------------------------

LONG_WORK = "graph = pathcount.Graph(networkx.gnm_random_graph(6000, 60000, seed=1))"


@pytest.mark.parametrize(
    "call",
    [
        "pathcount.count(graph, 10**9, mod=10**9 + 7)",
        "pathcount.count(graph, 300, mod=10**9 + 7, method='sweep')",
        "pathcount.closed(graph, 400)",
        "list(pathcount.rows(graph, 2000))",
        "pathcount.count(graph, 10**9, mod=10**9 + 7, progress=lambda *_: None)",
    ],
)
def test_interrupts(call):
    """Ctrl-C is KeyboardInterrupt soon, nothing else is printed, and the next call works."""
    program = f"""
import os, signal, threading, time, networkx, pathcount
{LONG_WORK}
sent = []
def interrupt():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(1.0, interrupt).start()
try:
    {call}
    print("finished")
except KeyboardInterrupt:
    print("interrupted", round(time.monotonic() - sent[0], 3))
print(pathcount.total([("A", "B")], 5))
"""
    words = in_python(program).split()
    assert words[0] == "interrupted"
    assert words[2] == "2"
    assert float(words[1]) < 5  # far more than it takes, on a machine that does other work besides


def test_interrupts_of_short_calls():
    program = """
import os, signal, threading, networkx, pathcount
graph = pathcount.Graph(networkx.karate_club_graph())
main = os.getpid()
n = 0
for _ in range(30):
    timer = threading.Timer(0.01, os.kill, (main, signal.SIGINT))
    try:
        timer.start()
        while True:
            assert pathcount.total(graph, 25) == 12233149591788443515398
    except KeyboardInterrupt:
        n += 1
    timer.join()
print(n, len(pathcount._call._idle))
"""
    assert in_python(program).split() == ["30", "1"]


def test_other_signals_are_handled_during_a_call():
    program = f"""
import os, signal, threading, networkx, pathcount
{LONG_WORK}
class Alarm(Exception): pass
def handler(*_): raise Alarm
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.5)
try:
    pathcount.count(graph, 10**9, mod=10**9 + 7)
except Alarm:
    print("alarm")
"""
    assert in_python(program) == "alarm\n"


# ---- Progress --------------------------------------------------------------------------------------


def test_progress():
    told = []
    pathcount.count(nx.gnm_random_graph(800, 8000, seed=1), 60, progress=lambda stage, part: told.append((stage, part)))
    assert len(told) > 2
    assert all(isinstance(stage, str) and 0 <= part <= 1 for stage, part in told)
    with pytest.raises(ZeroDivisionError):
        pathcount.count(nx.path_graph(50), 60, progress=lambda *_: 1 / 0)
    assert pathcount.total(nx.path_graph(3), 1) == 4


def test_a_line(capsys):
    pathcount.count(nx.path_graph(300), 60, progress=True)
    assert "%" in capsys.readouterr().err


# ---- Threads and processes -------------------------------------------------------------------------


def test_threads():
    graph = Graph(nx.karate_club_graph())
    wrong = []

    def work(k):
        for _ in range(30):
            if pathcount.count(graph, k, threads=1).total != totals[k]:
                wrong.append(k)

    totals = {k: pathcount.total(graph, k) for k in range(20, 26)}
    threads = [threading.Thread(target=work, args=(k,)) for k in totals]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_the_interpreter_works_during_a_call():
    """The GIL is released: another thread goes on counting while the library works."""
    graph = Graph(nx.gnm_random_graph(1200, 12000, seed=1))
    ticks, ended = [], threading.Event()

    def tick():
        while not ended.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    while time.monotonic() - start < 0.5:
        pathcount.count(graph, 300)
    ended.set()
    thread.join()
    assert sum(1 for tick in ticks if tick > start) > 20


def test_forks():
    """A child counts with objects of its parent, and with its own."""
    graph = Graph(nx.karate_club_graph())
    counts = pathcount.count(graph, 25)
    pathcount.count(nx.gnm_random_graph(500, 5000, seed=1), 30)  # with all threads
    child = os.fork()
    if child == 0:
        status = 1
        try:
            right = pathcount.total(graph, 25) == 12233149591788443515398 == counts.total
            again = pathcount.count(nx.gnm_random_graph(500, 5000, seed=1), 30)
            status = 0 if right and again.bits > 64 else 2
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0


def test_process_pools():
    program = """
import multiprocessing, networkx, pathcount
def count(graph): return pathcount.total(graph, 25)
if __name__ == "__main__":
    graph = pathcount.Graph(networkx.karate_club_graph())
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(set(pool.map(count, [graph] * 4)))
"""
    assert in_python(program) == "{12233149591788443515398}\n"


def test_the_interpreter_ends_with_live_objects():
    program = """
import networkx, pathcount
graph = pathcount.Graph(networkx.path_graph(3000))
counts = pathcount.count(graph, 5)
view, row = counts.limbs, counts.row(3)
rows = pathcount.rows(graph, 50)
next(rows)
stream = pathcount.stream(iter(["C~"] * 100000), 5)
next(stream)
class Cycle: pass
cycle = Cycle(); cycle.itself = cycle; cycle.held = (graph, counts, rows)
print("end")
"""
    for _ in range(5):
        assert in_python(program) == "end\n"


def test_a_call_in_a_daemon_thread_when_the_interpreter_ends():
    program = f"""
import threading, time, networkx, pathcount
{LONG_WORK}
threading.Thread(target=pathcount.count, args=(graph, 10**9), kwargs={{'mod': 97}}, daemon=True).start()
time.sleep(0.5)
print("end")
"""
    assert in_python(program) == "end\n"


def test_nothing_is_needed_but_python():
    """Without NumPy and all others."""
    program = """
import sys
for name in ("numpy", "scipy", "networkx", "pandas", "pyarrow", "igraph", "typing_extensions"):
    sys.modules[name] = None
import pathcount
counts = pathcount.count([("A", "B"), ("B", "C"), ("C", "A")], 100)
print(counts["A", "B"], counts.total, counts.top(1)[0][2], counts.limbs.shape)
print(list(pathcount.stream([[(1, 2)], "C~"], 2)), counts._repr_html_().count("<rect"))
"""
    expected = "422550200076076467165567735125 3802951800684688204490109616128 422550200076076467165567735126 (3, 3, 2)"
    assert in_python(program).splitlines() == [expected, "[(2,), (36,)] 9"]


def test_subinterpreters():
    """ctypes is refused there, or works: no crash."""
    program = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
one = interpreters.create()
code = "try:\\n import pathcount\\n assert pathcount.total([(1, 2)], 3) == 2\\nexcept ImportError:\\n pass"
(interpreters.exec if hasattr(interpreters, "exec") else interpreters.run_string)(one, code)
interpreters.destroy(one)
print("end")
"""
    assert in_python(program) == "end\n"


# ---- The library itself ----------------------------------------------------------------------------


def test_libraries_that_are_none():
    for path, words in (("/nowhere/libpathcount.so", "PATHCOUNT_LIBRARY"), ("libm.so.6", "another version")):
        done = subprocess.run(
            [sys.executable, "-c", "import pathcount"],
            env={**os.environ, "PATHCOUNT_LIBRARY": path},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 1
        assert "ImportError" in done.stderr
        assert words in done.stderr


def test_ctrl_c_is_what_it_was():
    pathcount.count(nx.gnm_random_graph(800, 8000, seed=1), 60)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
