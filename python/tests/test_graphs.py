"""Every kind of object that Graph takes, with the adjacency matrix that its owner means."""

import pickle
import warnings

import igraph
import networkx as nx
import numpy as np
import oracle
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import pathcount
from pathcount import Graph

ONE = st.just(1)
WEIGHTS = st.one_of(st.integers(0, 3), st.integers(0, 2**64 - 1))
LABELS = st.one_of(
    st.integers(-5, 40), st.text(max_size=3), st.tuples(st.integers(0, 3), st.text(max_size=1)), st.booleans(), st.none()
)


@st.composite
def graphs(draw, most=7, weights=ONE, again=True):
    """(n, edges, directed): edges are (u, v, weight)."""
    n = draw(st.integers(1, most))
    ends = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(ends, ends, weights), max_size=14))
    if not again:
        edges = list({frozenset(edge[:2]): edge for edge in edges}.values())
    return n, edges, draw(st.booleans())


def check(graph, matrix, length=3):
    """The graph has this adjacency matrix, in the order of its vertices."""
    assert graph.n_vertices == len(matrix)
    assert graph.n_arcs == sum(1 for row in matrix for entry in row if entry)
    for k in (1, length):
        assert pathcount.count(graph, k).tolist() == oracle.power(matrix, k)


def matrix_of(graph, given_matrix, labels):
    """The matrix with rows and columns in the order of the graph's vertices, which are these labels."""
    assert sorted(map(repr, graph.vertices)) == sorted(map(repr, labels))
    place = {label: i for i, label in enumerate(labels)}
    order = [place[label] for label in graph.vertices]
    return [[given_matrix[i][j] for j in order] for i in order]


# ---- NetworkX --------------------------------------------------------------------------------------

CLASSES = {(0, 0): nx.Graph, (1, 0): nx.DiGraph, (0, 1): nx.MultiGraph, (1, 1): nx.MultiDiGraph}


@given(graphs(weights=WEIGHTS), st.booleans(), st.booleans(), st.data())
def test_networkx(made, multi, weighted, data):
    n, edges, directed = made
    labels = data.draw(st.lists(LABELS, min_size=n, max_size=n, unique_by=lambda x: x))
    if None in labels:
        labels = [label if label is not None else frozenset([1]) for label in labels]
    graph = CLASSES[directed, multi]()
    graph.add_nodes_from(labels)
    for u, v, weight in edges:
        graph.add_edge(labels[u], labels[v], **({"m": weight} if weight != 1 else {}))
    # By NetworkX itself, entry by entry: the last weight of an edge that is given again, or the sum of parallel ones.
    entries = oracle.zeros(n)
    place = {label: i for i, label in enumerate(labels)}
    for u, v, weight in graph.edges(data="m", default=1):
        i, j = place[u], place[v]
        entries[i][j] += weight if weighted else 1
        if not directed and i != j:
            entries[j][i] += weight if weighted else 1
    if max(map(max, entries)) >= 2**64:
        with pytest.raises(OverflowError):
            Graph(graph, weight="m")
        return
    is_known = any("m" in data for *_, data in graph.edges(data=True)) or not edges
    ours = Graph(graph, weight="m" if weighted and is_known else None)
    assert list(ours.vertices) == list(graph)
    check(ours, entries)
    assert ours.directed == bool(directed)


def test_networkx_without_edges():
    assert Graph(nx.Graph()).n_vertices == 0
    assert pathcount.count(nx.empty_graph(3), 2).tolist() == oracle.zeros(3)


@pytest.mark.parametrize(("weight", "error"), [(1.5, ValueError), (-1, ValueError), ("2", ValueError), (2**64, OverflowError)])
def test_networkx_weights_that_are_none(weight, error):
    graph = nx.Graph()
    graph.add_edge("a", "b", m=weight)
    with pytest.raises(error, match="'a', 'b'"):
        Graph(graph, weight="m")


def test_networkx_weights_of_numpy():
    graph = nx.Graph()
    graph.add_edge(0, 1, m=np.int64(3))
    graph.add_edge(1, 2, m=np.float64(2.0))
    assert pathcount.count(Graph(graph, weight="m"), 1).tolist() == [[0, 3, 0], [3, 0, 2], [0, 2, 0]]


# ---- igraph ----------------------------------------------------------------------------------------


@given(graphs(weights=WEIGHTS), st.booleans(), st.booleans())
def test_igraph(made, weighted, named):
    n, edges, directed = made
    graph = igraph.Graph(n, [edge[:2] for edge in edges], directed=directed)
    graph.es["m"] = [weight for _, _, weight in edges]
    if named:
        graph.vs["name"] = [f"v{i}" for i in range(n)]
    entries = oracle.adjacency(n, [(u, v, w if weighted else 1) for u, v, w in edges], directed, adds=True)
    if max(map(max, entries)) >= 2**64:
        with pytest.raises(OverflowError):
            Graph(graph, weight="m", loops=1)
        return
    ours = Graph(graph, weight="m" if weighted else None, loops=1)
    assert list(ours.vertices) == ([f"v{i}" for i in range(n)] if named else list(range(n)))
    check(ours, entries)


@given(graphs())
def test_igraph_loops(made):
    """loops=2 is igraph's own adjacency matrix."""
    n, edges, _ = made
    graph = igraph.Graph(n, [edge[:2] for edge in edges])
    theirs = [list(map(int, row)) for row in graph.get_adjacency()]
    check(Graph(graph, loops=2), theirs)
    assert theirs == oracle.adjacency(n, [(u, v, 1) for u, v, _ in edges], False, adds=True, loops=2)


def test_igraph_loops_that_nobody_asked_about():
    graph = igraph.Graph(2, [(0, 0), (0, 1)])
    with pytest.warns(UserWarning, match="loops=1 or loops=2"):
        ours = Graph(graph)
    check(ours, [[1, 1], [1, 0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check(Graph(graph, loops=1), [[1, 1], [1, 0]])
        check(Graph(igraph.Graph(2, [(0, 0), (0, 1)], directed=True)), [[1, 1], [0, 0]])
        check(Graph(igraph.Graph(2, [(0, 1)])), [[0, 1], [1, 0]])


# ---- Loops -----------------------------------------------------------------------------------------


@given(graphs(weights=WEIGHTS), st.booleans(), st.booleans(), st.sampled_from([1, 2]))
def test_loops(made, multi, weighted, loops):
    n, edges, _ = made
    weight = True if weighted else None
    expected = oracle.adjacency(n, [(u, v, w if weighted else 1) for u, v, w in edges], False, multi, loops)
    theirs = (nx.MultiGraph if multi else nx.Graph)()
    theirs.add_nodes_from(range(n))
    theirs.add_edges_from((u, v, {"m": w}) for u, v, w in (edges if multi else reversed(edges)))
    given_edges = [edge if weighted else edge[:2] for edge in edges]
    sources = [(theirs, {"weight": "m" if weighted else None})]
    if multi or not weighted:
        sources.append((given_edges, {"weight": weight, "multigraph": multi, "vertices": range(n)}))
    for source, keywords in sources:
        if max(map(max, expected)) >= 2**64:
            with pytest.raises(OverflowError):
                Graph(source, loops=loops, **keywords)
        else:
            check(Graph(source, loops=loops, **keywords), expected)


def test_loops_of_files_and_tables(tmp_path):
    (tmp_path / "graph.txt").write_text("0 0\n0 1\n")
    expected = [[2, 1], [1, 0]]
    check(Graph(tmp_path / "graph.txt", loops=2), expected)
    check(Graph(np.array([[0, 0], [0, 1], [0, 1]]), loops=2), expected)
    check(Graph(pd.DataFrame({"from": [0, 0], "to": [0, 1]}), loops=2), expected)
    loop = Graph([(0, 0)], loops=2)
    assert [pathcount.count(loop, k).tolist() for k in range(5)] == [[[2**k]] for k in range(5)]
    again = pickle.loads(pickle.dumps(loop))
    assert pathcount.count(again, 3).tolist() == [[8]]


@pytest.mark.parametrize(
    ("source", "keywords", "words"),
    [
        ([(0, 0)], {"loops": 3}, "give 1 or 2"),
        ([(0, 0)], {"loops": True}, "give 1 or 2"),
        ([(0, 0)], {"loops": 2, "directed": True}, "directed"),
        (nx.DiGraph([(0, 0)]), {"loops": 2}, "directed"),
        (igraph.Graph(1, [(0, 0)], directed=True), {"loops": 2}, "directed"),
        (sp.eye_array(3), {"loops": 2}, "loops is given, and a matrix"),
        (np.eye(3, dtype=int), {"loops": 1}, "loops is given, and a matrix"),
    ],
)
def test_loops_refused(source, keywords, words):
    with pytest.raises(pathcount.errors.ArgumentError, match=words):
        Graph(source, **keywords)


def test_igraph_names_given_twice():
    graph = igraph.Graph(2)
    graph.vs["name"] = ["a", "a"]
    with pytest.raises(pathcount.errors.DataError):
        Graph(graph)


# ---- Matrices --------------------------------------------------------------------------------------

FORMATS = ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"]
DTYPES = [bool, np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64]


@st.composite
def matrices(draw, most_entry):
    n = draw(st.integers(1, 7))
    entry = st.one_of(st.just(0), st.integers(0, most_entry))
    a = [[draw(entry) for _ in range(n)] for _ in range(n)]
    if draw(st.booleans()):
        for i in range(n):
            for j in range(i):
                a[i][j] = a[j][i]
    return a


@given(st.data(), st.sampled_from(DTYPES), st.sampled_from(FORMATS), st.booleans())
def test_scipy(data, dtype, form, is_array):
    most = 1 if dtype is bool else int(np.iinfo(dtype).max) if np.dtype(dtype).kind in "iu" else 2**24
    a = data.draw(matrices(most))
    dense = np.array(a, dtype=dtype)
    kind = f"{form}_{'array' if is_array else 'matrix'}"
    if form == "dia" and dtype is bool:
        dense = dense.astype(np.int8)
    check(Graph(getattr(sp, kind)(dense)), a)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 3)), max_size=20), st.booleans())
def test_scipy_rows_in_any_order(entries, wide):
    """Indices that are not sorted, entries given again and explicit zeros, as CSR may have them."""
    index = np.int64 if wide else np.int32
    rows = [[(j, w) for i, j, w in entries if i == row] for row in range(5)]
    flat = [pair for row in rows for pair in row]
    matrix = sp.csr_array((5, 5), dtype=np.int64)
    matrix.indptr = np.cumsum([0, *map(len, rows)]).astype(index)
    matrix.indices = np.array([j for j, _ in flat], dtype=index)
    matrix.data = np.array([w for _, w in flat], dtype=np.int64)
    check(Graph(matrix), oracle.adjacency(5, entries, True, adds=True))


@given(st.data(), st.sampled_from([*DTYPES, object]))
def test_numpy_matrix(data, dtype):
    most = (
        1
        if dtype is bool
        else 2**64 - 1
        if dtype is object
        else int(np.iinfo(dtype).max)
        if np.dtype(dtype).kind in "iu"
        else 9
    )
    a = data.draw(matrices(most))
    if len(a) == 2:
        with pytest.raises(ValueError, match="2 x 2"):
            Graph(np.array(a, dtype=dtype))
        return
    check(Graph(np.array(a, dtype=dtype)), a)


def test_matrices_choose_their_direction():
    symmetric, other = np.array([[0, 1, 0], [1, 0, 2], [0, 2, 1]]), np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]])
    assert not Graph(symmetric).directed
    assert Graph(symmetric).n_edges == 3
    assert Graph(other).directed
    assert Graph(symmetric, directed=True).directed
    check(Graph(other, directed=False), [[0, 1, 0], [1, 0, 1], [0, 1, 0]])


@pytest.mark.parametrize("entry", [-1, 0.5, float("nan"), float("inf"), 1j])
def test_matrices_with_other_entries(entry):
    matrix = np.zeros((3, 3), dtype=type(entry))
    matrix[1, 2] = entry
    with pytest.raises((pathcount.errors.DataError, pathcount.errors.RangeError)):
        Graph(matrix)
    with pytest.raises((pathcount.errors.DataError, pathcount.errors.RangeError)):
        Graph(sp.csr_array(matrix))


def test_matrices_of_other_shapes():
    for shape in ((3, 4), (3, 5), (3,), (3, 3, 3)):
        with pytest.raises(pathcount.errors.ArgumentError):
            Graph(np.zeros(shape))
    with pytest.raises(pathcount.errors.ArgumentError):
        Graph(sp.csr_array((3, 4)))


# ---- Edges -----------------------------------------------------------------------------------------


@given(graphs(weights=WEIGHTS, again=False), st.booleans(), st.data())
def test_iterables(made, weighted, data):
    n, edges, directed = made
    labels = data.draw(st.lists(LABELS, min_size=n, max_size=n, unique_by=lambda x: x))
    given_edges = [(labels[u], labels[v], weight) if weighted else (labels[u], labels[v]) for u, v, weight in edges]
    graph = Graph(iter(given_edges), directed=directed, weight=weighted or None, vertices=labels)
    assert list(graph.vertices) == labels
    check(graph, oracle.adjacency(n, [(u, v, w if weighted else 1) for u, v, w in edges], directed, adds=False))


@given(graphs(), st.booleans(), st.sampled_from(["list", "array", "pandas", "arrow"]), st.sampled_from([int, str]))
def test_edges_of_each_kind(made, adds, kind, label):
    n, edges, directed = made
    pairs = [(label(u + 3), label(v + 3)) for u, v, _ in edges]
    if kind == "array":
        source = np.array(pairs).reshape(len(pairs), 2)
        if len(pairs) == 2:
            return
        if label is int:
            source = source.astype(np.int64)
    elif kind == "list":
        source = pairs
    else:
        columns = {"a": [u for u, _ in pairs], "b": [v for _, v in pairs]}
        source = pd.DataFrame(columns) if kind == "pandas" else pa.table(columns)
        if not pairs:
            source = pd.DataFrame({"a": np.zeros(0, int), "b": np.zeros(0, int)})
    graph = Graph(source, directed=directed, multigraph=adds)
    seen = list(dict.fromkeys(label(end + 3) for u, v, _ in edges for end in (u, v)))
    assert list(graph.vertices) == (sorted(seen) if label is int else seen)
    whole = oracle.adjacency(n, edges, directed, adds)
    kept = [i for i in range(n) if label(i + 3) in seen]
    smaller = [[whole[i][j] for j in kept] for i in kept]
    check(graph, matrix_of(graph, smaller, [label(i + 3) for i in kept]))


def test_tables_with_weights_and_other_columns():
    frame = pd.DataFrame({"x": [0, 0, 0], "to": ["b", "c", "b"], "from": ["a", "a", "b"], "n": [2, 0, 5]})
    for table in (frame, pa.Table.from_pandas(frame)):
        graph = Graph(table, columns=("from", "to"), weight="n", directed=True)
        assert list(graph.vertices) == ["a", "b", "c"]
        assert pathcount.count(graph, 1).tolist() == [[0, 2, 0], [0, 5, 0], [0, 0, 0]]
        with pytest.raises(pathcount.errors.ArgumentError, match="columns"):
            Graph(table)
        with pytest.raises(pathcount.errors.ArgumentError, match="'m'"):
            Graph(table, columns=("from", "to"), weight="m")
    frame.loc[1, "to"] = None
    for table in (frame, pa.Table.from_pandas(frame)):
        with pytest.raises(pathcount.errors.DataError, match="missing"):
            Graph(table, columns=("from", "to"))


def test_weights_in_the_third_column_of_an_array():
    edges = np.array([[0, 1, 3], [1, 2, 2], [2, 3, 1], [2, 2, 4]])
    expected = oracle.adjacency(4, edges.tolist(), False, adds=False)
    check(Graph(edges, weight=True), expected)
    with pytest.raises(pathcount.errors.ArgumentError):
        Graph(edges)


@pytest.mark.parametrize("edges", [[(1,)], [(1, 2, 3)], [3], [(1, [])]])
def test_edges_that_are_none(edges):
    with pytest.raises((pathcount.errors.DataError, TypeError)):
        Graph(edges)


def test_an_edge_with_two_weights():
    with pytest.raises(pathcount.errors.DataError, match="again with weight"):
        Graph([(1, 2, 3), (1, 2, 4)], weight=True)


# ---- Files -----------------------------------------------------------------------------------------


def test_files(tmp_path):
    path = tmp_path / "graph.txt"
    path.write_text("a b 2\nb c 3\na b 2\n")
    graph = Graph(path)
    assert list(graph.vertices) == ["a", "b", "c"]
    check(graph, [[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    check(Graph(str(path), weight=True, multigraph=True, directed=True), [[0, 4, 0], [0, 0, 3], [0, 0, 0]])
    turned = Graph(path, columns=(2, 1), directed=True)
    assert list(turned.vertices) == ["b", "a", "c"]
    check(turned, [[0, 1, 0], [0, 0, 0], [1, 0, 0]])
    path.write_bytes(b"a c\n\xff c\n")
    assert Graph(path).vertices[2] == "\udcff"


def test_files_that_are_none(tmp_path):
    with pytest.raises(FileNotFoundError):
        Graph(tmp_path / "none.txt")
    path = tmp_path / "bad.txt"
    path.write_text("a b\n" * 20000 + "c\n")
    with pytest.raises(ValueError, match=r"bad\.txt:20001: 'c' stands alone"):
        Graph(path)


def test_files_that_can_be_read_in_several_ways(tmp_path):
    path = tmp_path / "graph.txt"
    path.write_text("0 1 2\n1 2 3\n2 0 4\n3 1 4\n")
    with pytest.raises(pathcount.errors.DataError, match=r"header \(columns=\(1, 2\)\) or edges .* \(columns=\(2, 3\)\)"):
        Graph(path)
    assert list(Graph(path, columns=(1, 2)).vertices) == ["0", "1", "2", "3"]
    path.write_text("a b\nb c d\n")
    with pytest.raises(pathcount.errors.DataError, match=r"lists of neighbours \(format='adjlist'\)"):
        Graph(path)
    assert pathcount.total(Graph(path, format="adjlist"), 1) == 6
    path.write_text("a,b\nb,c\n")
    assert len(Graph(path, separator=",", header=False)) == 3
    assert len(Graph(path, separator=",", header=True)) == 2
    for keywords in ({"format": "none"}, {"header": 3}, {"separator": "none"}):
        with pytest.raises(pathcount.errors.ArgumentError, match=next(iter(keywords))):
            Graph(path, **keywords)
    with pytest.raises(pathcount.errors.ArgumentError, match="no file"):
        Graph([(1, 2)], header=True)
    path.write_text("a b\nb c\n")
    with pytest.raises(pathcount.errors.DataError, match=r"asked for \(weight=True\), and the lines have two columns"):
        Graph(path, weight=True)
    path.write_text("a b 1500000000\nb c 1500000001\n")
    with pytest.raises(pathcount.errors.DataError, match=r"looks like times .* columns=\(1, 2, 3\) takes it"):
        Graph(path, weight=True)
    assert len(Graph(path, weight=True, columns=(1, 2, 3)).vertices) == 3
    with pytest.raises(pathcount.errors.ArgumentError, match="only a file"):
        Graph([(1, 2)], columns=(1, 2, 3))


# ---- Everything else -------------------------------------------------------------------------------


@pytest.mark.parametrize("source", [3, None, 2.5, object()])
def test_other_objects(source):
    with pytest.raises(pathcount.errors.ArgumentError, match="no graph"):
        Graph(source)


def test_keywords_that_say_nothing():
    for source, keywords in [
        (nx.path_graph(3), {"directed": True}),
        (nx.path_graph(3), {"columns": (0, 1)}),
        (np.zeros((4, 4)), {"weight": True}),
        (sp.eye_array(3), {"multigraph": True}),
        ([(1, 2)], {"columns": (0, 1)}),
        ([(1, 2)], {"weight": "w"}),
        ([(1, 2)], {"directed": "yes"}),
    ]:
        with pytest.raises(pathcount.errors.ArgumentError):
            Graph(source, **keywords)


@given(graphs(weights=WEIGHTS, again=False))
def test_copies_for_other_processes(made):
    _, edges, directed = made
    graph = Graph([(f"v{u}", f"v{v}", w) for u, v, w in edges], weight=True, directed=directed)
    copy = pickle.loads(pickle.dumps(graph))
    assert list(copy.vertices) == list(graph.vertices)
    assert copy.directed == graph.directed or not graph.n_arcs
    assert pathcount.count(copy, 3).tolist() == pathcount.count(graph, 3).tolist()


def test_rows_of_scipy_are_copied_once():
    """From a CSR of 32-bit indices the library copies; nothing else of that size is made."""
    import tracemalloc

    n = 200_000
    random = np.random.default_rng(1)
    ones = np.ones(2_000_000)
    matrix = sp.coo_matrix((ones, (random.integers(n, size=len(ones)), random.integers(n, size=len(ones)))), (n, n)).tocsr()
    matrix.data[:] = 1
    tracemalloc.start()
    graph = Graph(matrix)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert graph.n_arcs == matrix.nnz
    assert peak < 8 * (n + 1) + matrix.nnz + 100_000  # starts of rows, and a comparison of bytes
