"""Reads the files of the table by NetworkX, NumPy, SciPy, pandas or igraph, and holds vertices, edges and the
total of A^3 against the table:
    python3 tests/files/compare.py
A case names its reader behind "# "; F is the file. Readers of packages that are not installed are skipped.
The last line is "N passed, N failed, N skipped"; exits 1 when a case failed."""

import gzip
import importlib
import json
import os
import sys
import tempfile
import warnings

sys.dont_write_bytecode = True
from table import cases  # noqa: E402

warnings.simplefilter("ignore")
known = {"gzip": gzip, "json": json}
for name, module in (("nx", "networkx"), ("np", "numpy"), ("pd", "pandas"), ("igraph", "igraph"),
                     ("sp", "scipy.sparse"), ("scipy", "scipy.io")):
    try:
        known[name] = importlib.import_module(module)
        if name == "scipy":
            known[name] = importlib.import_module("scipy")
    except ImportError:
        pass


def entries(graph, weights):
    """n and {(i, j): multiplicity}; an edge given again adds up where the graph keeps it."""
    if hasattr(graph, "get_edgelist"):
        weighted = weights and "weight" in graph.es.attributes()
        values = graph.es["weight"] if weighted else [1] * graph.ecount()
        edges = [(*edge, value) for edge, value in zip(graph.get_edgelist(), values)]
        return graph.vcount(), edges, graph.is_directed()
    if hasattr(graph, "nodes"):
        number = {vertex: i for i, vertex in enumerate(graph)}
        edges = [(number[u], number[v], d.get("weight", 1) if weights else 1)
                 for u, v, d in graph.edges(data=True)]
        return len(number), edges, graph.is_directed()
    if hasattr(graph, "tocoo"):
        coo = graph.tocoo()
        coo.sum_duplicates()
        return coo.shape[0], [(int(i), int(j), v if weights else 1)
                              for i, j, v in zip(coo.row, coo.col, coo.data) if v], True
    n = len(graph)
    return n, [(i, j, graph[i][j] if weights else 1)
               for i in range(n) for j in range(n) if graph[i][j]], True


def read(case, path):
    n, edges, directed = entries(eval(case.reader, known, {"F": path}), "--weights" in case.options)
    matrix = {}
    for i, j, value in edges:
        for place in {(i, j)} if directed else {(i, j), (j, i)}:
            matrix[place] = matrix.get(place, 0) + int(value)
    total = sum(value * sum(v for (_, k), v in matrix.items() if k == i)
                * sum(v for (k, _), v in matrix.items() if k == j) for (i, j), value in matrix.items())
    if case.expected[0] == "undirected":
        n_edges = sum(i <= j for i, j in matrix)
        if any(matrix.get((j, i)) != value for (i, j), value in matrix.items()):
            n_edges = None
    else:
        n_edges = len(matrix)
    return [str(n), str(n_edges), str(total)]


n_passed = n_failed = n_skipped = 0
with tempfile.TemporaryDirectory() as folder:
    for case in cases():
        if not case.reader:
            continue
        path = os.path.join(folder, case.name)
        open(path, "wb").write(case.content())
        try:
            got = read(case, path)
        except NameError:
            n_skipped += 1
            continue
        if got == case.expected[1:4]:
            n_passed += 1
        else:
            n_failed += 1
            print(f"FAILED: {case.header}: {case.reader} reads {' '.join(got)}")
print(f"{n_passed} passed, {n_failed} failed, {n_skipped} skipped")
sys.exit(n_failed > 0)
