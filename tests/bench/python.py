"""Times beside what Python programs use today, results compared:  python bench.py [WORKLOAD ...]

Workloads: calls karate random256 W1 W3 molecules. W1 and W3 are those of tests/bench: undirected, 2048 vertices of mean degree
32, length 8; preferential attachment of 4096 vertices with 8 edges each, length 16 (other random numbers). A peer that would
take minutes is left out. Each time is the best of several.
"""

import sys
import time

import networkx as nx
import numpy as np
import scipy.sparse

import pathcount


def best(function, seconds=1.0):
    """The least time of several runs within some seconds, and the result."""
    times, end = [], time.perf_counter() + seconds
    while not times or (time.perf_counter() < end and len(times) < 2000):
        start = time.perf_counter()
        result = function()
        times.append(time.perf_counter() - start)
    return min(times), result


def powers(name, graph, length, peers):
    ours = pathcount.Graph(graph)
    seconds, counts = best(lambda: pathcount.count(ours, length))
    exact = counts.to_numpy(object) if len(ours) <= 300 else None
    print(f"\n{name}: {len(ours)} vertices, length {length}, largest count {counts.bits} bits")
    show("pathcount.count", seconds, seconds, None)
    conversion, _ = best(lambda: pathcount.Graph(graph), 0.3)
    show("pathcount.Graph of NetworkX's", conversion, seconds, None)
    a = nx.to_scipy_sparse_array(graph, weight=None, dtype=np.int64, format="csr")
    residues = np.asarray(counts.limbs)[:, :, 0]

    def compare(result):
        """Against all counts, or their lowest 64 bits."""
        if isinstance(result, dict):
            result = [[result[u][v] for v in graph] for u in graph]
            result = np.array(result, dtype=object if exact is not None else np.uint64)
        if exact is not None:
            return bool((np.asarray(result, dtype=object) == exact).all())
        return bool((np.asarray(result).astype(np.uint64) == residues).all()) and counts.bits < 64

    functions = {
        "backend": lambda: nx.number_of_walks(graph, length, backend="pathcount"),
        "networkx": lambda: nx.number_of_walks.orig_func(graph, length),
        "scipy": lambda: scipy.sparse.linalg.matrix_power(a, length).toarray(),
        "numpy int64": lambda: np.linalg.matrix_power(a.toarray(), length),
        "numpy object": lambda: np.linalg.matrix_power(a.toarray().astype(object), length),
    }
    for peer in peers:
        peer_seconds, result = best(functions[peer])
        show(peer, peer_seconds, seconds, compare(result))


def show(name, seconds, ours, is_right):
    verdict = {None: "", True: "right", False: "WRONG"}[is_right]
    print(f"  {name:30} {seconds:12.6f} s {seconds / ours:9.1f} x  {verdict}")


def calls():
    """What a call costs on a graph of ten vertices, and how much of that is the library."""
    graph = pathcount.Graph(nx.erdos_renyi_graph(10, 0.4, seed=1))
    label = next(iter(graph.vertices))
    print("calls on 10 vertices, length 8, in microseconds: all of it, and the library")
    questions = {
        "total": lambda: pathcount.total(graph, 8),
        "walks_from": lambda: pathcount.walks_from(graph, label, 8),
        "walks_between": lambda: pathcount.walks_between(graph, label, 1, 8),
        "count": lambda: pathcount.count(graph, 8),
    }
    for name, ask in questions.items():
        whole, _ = best(ask)
        print(f"  {name:16} {1e6 * whole:7.1f} {1e6 * in_library(ask):7.1f}")


def in_library(ask):
    """The time within functions of the library, with the functions replaced by ones that measure."""
    from pathcount import _numbers, queries

    class Timed:
        seconds = 0.0

        def __getattr__(self, name):
            function = getattr(queries_lib, name)

            def timed(*arguments):
                start = time.perf_counter()
                result = function(*arguments)
                Timed.seconds += time.perf_counter() - start
                return result

            setattr(self, name, timed)
            return timed

    queries_lib, numbers_lib = queries.lib, _numbers.lib
    queries.lib = _numbers.lib = Timed()
    try:
        shares = []
        for _ in range(2000):
            Timed.seconds = 0.0
            ask()
            shares.append(Timed.seconds)
        return min(shares)
    finally:
        queries.lib, _numbers.lib = queries_lib, numbers_lib


def molecules():
    trees = [nx.random_labeled_tree(30, seed=i) for i in range(300)]
    lines = [nx.to_graph6_bytes(tree, header=False).strip() for tree in trees]
    seconds, ours = best(lambda: list(pathcount.stream(lines, 10, closed=True, each=True)))
    from_networkx, again = best(lambda: list(pathcount.stream(trees, 10, closed=True, each=True)))

    def by_numpy():
        rows = []
        for tree in trees:
            a = nx.to_numpy_array(tree, dtype=np.int64)
            power, totals, traces = np.eye(len(a), dtype=np.int64), [], []
            for _ in range(10):
                power = power @ a
                totals.append(int(power.sum()))
                traces.append(int(power.trace()))
            rows.append((*totals, *traces))
        return rows

    peer, theirs = best(by_numpy)
    print("\nmolecules: 300 trees of 30 vertices, all and closed walks of lengths 1 to 10")
    show("pathcount.stream of graph6", seconds, seconds, None)
    show("pathcount.stream of NetworkX's", from_networkx, seconds, ours == again)
    show("numpy int64", peer, seconds, ours == theirs)


def main(names):
    nx.config.warnings_to_ignore.add("cache")
    if not names or "calls" in names:
        calls()
    if not names or "karate" in names:
        everyone = ["backend", "networkx", "scipy", "numpy int64", "numpy object"]
        powers("karate", nx.karate_club_graph(), 25, everyone)
    if not names or "random256" in names:
        powers("random256", nx.gnm_random_graph(256, 4096, seed=1), 8, ["backend", "networkx", "scipy", "numpy object"])
    if not names or "W1" in names:
        powers("W1", nx.gnm_random_graph(2048, 32768, seed=1), 8, ["scipy", "backend"])
    if not names or "W3" in names:
        powers("W3", nx.barabasi_albert_graph(4096, 8, seed=1), 16, ["scipy"])
    if not names or "molecules" in names:
        molecules()


if __name__ == "__main__":
    main(sys.argv[1:])
