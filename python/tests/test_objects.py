"""Graphs and relations of other packages, against the matrix that their owner means."""

import sys
from types import SimpleNamespace

import networkx as nx
import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_graphs import WEIGHTS, check, graphs, matrices

import pathcount
from pathcount import Graph, Relation
from pathcount.errors import ArgumentError, DataError


def of(package):
    return pytest.importorskip(package, reason=f"SKIPPED: {package} is not installed")


def entries(made, weighted=True):
    """A matrix that entries add up to."""
    n, edges, _ = made
    return oracle.adjacency(n, [(u, v, w if weighted else 1) for u, v, w in edges], True, adds=True)


class Foreign:
    """An array of another package: nothing but DLPack, or __array__, and a shape."""

    def __init__(self, values, by_dlpack):
        self.values, self.shape = values, values.shape
        self.__class__ = type("ndarray", (Foreign,), {"__module__": "foreign"})
        if by_dlpack:
            type(self).__dlpack__ = lambda self, **how: self.values.__dlpack__(**how)
            type(self).__dlpack_device__ = lambda self: self.values.__dlpack_device__()
        else:
            type(self).__array__ = lambda self, dtype=None, copy=None: self.values


@given(matrices(9), st.booleans(), st.data())
def test_arrays_of_any_package(matrix, by_dlpack, data):
    array = Foreign(np.array(matrix), by_dlpack)
    if len(matrix) != 2:
        check(Graph(array), matrix)
    edges = np.array(data.draw(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=4, max_size=9)))
    assert pathcount.count(Foreign(edges, by_dlpack), 2) == pathcount.count(edges, 2)
    assert pathcount.chain(Relation(array)).tolist() == matrix


def test_arrays_that_are_elsewhere():
    def fail(*_, **__):
        raise TypeError("it is in the memory of a device")

    array = Foreign(np.eye(3), False)
    type(array).__array__ = fail
    for make in (Graph, Relation):
        with pytest.raises(ArgumentError, match=r"foreign\.ndarray is no array .* memory of a device"):
            make(array)
    with pytest.raises(ArgumentError, match="ndarray is no graph"):
        Graph(Foreign(np.arange(3), False))


def test_jax_and_torch():
    matrix = np.array([[0, 1, 2], [1, 0, 0], [3, 0, 0]])
    jax = of("jax")
    check(Graph(jax.numpy.array(matrix)), matrix.tolist())
    torch = of("torch")
    check(Graph(torch.tensor(matrix)), matrix.tolist())
    check(Graph(edge_index=torch.tensor([[0, 1], [1, 0]])), [[0, 1], [1, 0]])


# ---- Arrow -----------------------------------------------------------------------------------------


@given(graphs(), st.sampled_from(["polars", "duckdb", "nanoarrow", "batch", "reader"]), st.sampled_from([int, str]))
def test_streams_of_arrow(made, kind, label):
    pa = of("pyarrow")
    _, edges, directed = made
    columns = {"a": [label(u) for u, _, _ in edges], "b": [label(v) for _, v, _ in edges], "n": [u + v for u, v, _ in edges]}
    table = pa.table(
        columns, schema=pa.schema([(name, pa.int64() if label is int or name == "n" else pa.string()) for name in columns])
    )
    batch = table.combine_chunks().to_batches()[0] if edges else pa.RecordBatch.from_pylist([], table.schema)

    def source():
        if kind == "polars":
            return of("polars").DataFrame(table)
        if kind == "duckdb":
            arrow = table  # noqa: F841, found by its name
            return of("duckdb").sql("select * from arrow")
        if kind == "nanoarrow":
            return of("nanoarrow").Array(batch)
        return batch if kind == "batch" else table.to_reader()

    keywords = {"columns": ("a", "b"), "directed": directed, "multigraph": True}
    assert pathcount.count(Graph(source(), **keywords), 2) == pathcount.count(Graph(table, **keywords), 2)
    pairs = [(label(u), label(v), u + v) for u, v, _ in edges]
    for weight in (False, "n"):
        theirs = Relation(source(), columns=("a", "b"), weight=weight)
        ours = Relation(pairs, weight=True) if weight else Relation([pair[:2] for pair in pairs])
        assert pathcount.chain(theirs) == pathcount.chain(ours)


def test_columns_of_arrow():
    pa = of("pyarrow")
    coded = pa.table({"a": pa.array(["x", "y", "x"]).dictionary_encode(), "b": ["y", "z", "z"]})
    check(Graph(coded), [[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    with pytest.raises(DataError, match="'b' has missing values"):
        Relation(pa.table({"a": ["x"], "b": pa.array([None], pa.string())}))
    with pytest.raises(ArgumentError, match="say which two by columns="):
        Relation(pa.table({"a": ["x"], "b": ["y"], "n": [3]}))
    with pytest.raises(ArgumentError, match="columns is given"):
        Relation([("x", "y")], columns=("a", "b"))
    polars = of("polars")
    check(
        Graph(polars.DataFrame({"a": ["x", "y"], "b": ["y", "z"]}, schema_overrides={"a": polars.Categorical})),
        [[0, 1, 0], [1, 0, 1], [0, 1, 0]],
    )
    for make in (Graph, Relation):
        with pytest.raises(ArgumentError, match=r"polars\.Series is no"):
            make(polars.Series(["x", "y"]))


def test_without_pyarrow(monkeypatch):
    stream = type("Table", (), {"__module__": "foreign", "__arrow_c_stream__": lambda self, schema=None: None})()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ArgumentError, match=r"foreign\.Table, and is not installed: pip install pyarrow"):
        Graph(stream)


# ---- Graphs ----------------------------------------------------------------------------------------


@given(graphs(weights=st.integers(0, 9)), st.booleans(), st.booleans())
def test_pytorch_geometric(made, weighted, real):
    n, edges, _ = made
    index = np.array([edge[:2] for edge in edges], dtype=np.int64).reshape(len(edges), 2).T
    weights = np.array([w for _, _, w in edges], dtype=np.float32)
    data = SimpleNamespace(edge_index=index, num_nodes=n, edge_weight=weights)
    expected = entries(made, weighted)
    check(Graph(data, weight="edge_weight" if weighted else None, real_weights=real), expected)
    check(Graph(edge_index=index, weight=weights if weighted else None, vertices=range(n), real_weights=real), expected)
    names = [f"v{i}" for i in range(n)]
    named = Graph(edge_index=index.tolist() if edges else index, vertices=names)
    assert list(named.vertices) == names
    assert named.directed == (entries(made, False) != [list(row) for row in zip(*entries(made, False))])


def test_edge_indices_that_are_none():
    for bad in (np.zeros((3, 2), int), np.zeros((2, 2)), np.zeros(2, int), [[0, 1], [1]], 3, [(0, 1), (1, 2), (2, 0)]):
        with pytest.raises(ArgumentError):
            Graph(edge_index=bad)
    for bad in ([[0, 3], [1, 1]], [[0, -1], [1, 1]]):
        with pytest.raises(DataError, match="give 0 to 2"):
            Graph(edge_index=bad, vertices=range(3))
    with pytest.raises(ArgumentError, match="of 1 elements: give one for each of 2"):
        Graph(edge_index=[[0, 1], [1, 0]], weight=[3])
    with pytest.raises(ArgumentError, match="give one of them"):
        Graph([(0, 1)], edge_index=[[0], [1]])
    with pytest.raises(ArgumentError, match="multigraph is given"):
        Graph(edge_index=[[0], [1]], multigraph=True)
    data = SimpleNamespace(edge_index=np.array([[0], [1]]), num_nodes=2)
    with pytest.raises(ArgumentError, match="no such attribute"):
        Graph(data, weight="w")
    with pytest.raises(ArgumentError, match="no edge_index"):
        Graph(SimpleNamespace(edge_index=None, num_nodes=2))


@given(graphs(weights=WEIGHTS), st.booleans(), st.sampled_from([None, True, "m"]), st.data())
def test_rustworkx(made, multi, weight, data):
    rx = of("rustworkx")
    n, edges, directed = made
    graph = (rx.PyDiGraph if directed else rx.PyGraph)(multigraph=multi)
    graph.add_nodes_from(range(n + 1))
    lost = data.draw(st.integers(0, n))
    for u, v, w in edges:
        graph.add_edge(u + (u >= lost), v + (v >= lost), {"m": w} if weight == "m" else w)
    graph.remove_node(lost)
    kept = {} if not multi else None
    for u, v, w in edges:
        if kept is not None:
            kept[(u, v) if directed else (min(u, v), max(u, v))] = w
    last = edges if kept is None else [(u, v, w) for (u, v), w in kept.items()]
    expected = oracle.adjacency(n, [(u, v, w if weight else 1) for u, v, w in last], directed, adds=True)
    if max(map(max, expected)) >= 2**64:
        with pytest.raises(OverflowError):
            Graph(graph, weight=weight)
        return
    ours = Graph(graph, weight=weight)
    assert list(ours.vertices) == [i for i in range(n + 1) if i != lost]
    check(ours, expected)
    if weight is True and edges:
        with pytest.raises(ArgumentError, match="no such element"):
            Graph(graph, weight="m")
    pairs = graph.edge_list()
    assert Graph(pairs, directed=directed).n_edges == len({(u, v) if directed else frozenset((u, v)) for u, v in pairs})


@given(graphs(weights=st.integers(1, 99)))
def test_graphblas(made):
    gb = of("graphblas")
    n, _, _ = made
    a = entries(made)
    row, column = np.nonzero(np.array(a))
    matrix = gb.Matrix.from_coo(row, column, np.array(a)[row, column], nrows=n, ncols=n, dtype=int)
    check(Graph(matrix), a)
    assert pathcount.chain(Relation(matrix)).tolist() == a
    wide = gb.Matrix.from_coo(row, column, True, nrows=n, ncols=n + 2)
    assert pathcount.chain(Relation(wide)).tolist() == [[int(x > 0) for x in line] + [0, 0] for line in a]
    with pytest.raises(ArgumentError, match="square"):
        Graph(wide)


def test_molecules():
    chem = of("rdkit.Chem")
    toluene = chem.MolFromSmiles("Cc1ccccc1")
    bonds = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 1)]
    expected = oracle.adjacency(7, [(*bond, 1) for bond in bonds], False, False)
    check(Graph(toluene), expected)
    assert list(pathcount.stream([toluene], 4)) == [(oracle.total(oracle.power(expected, 4)),)]
    assert next(pathcount.molecular_walk_counts([toluene]))["MWC02"] == oracle.total(oracle.power(expected, 2))
    with pytest.raises(DataError, match=r"1\.5"):
        Graph(toluene, weight=True)
    assert Graph(toluene, weight=True, real_weights=True).max_weight == 1.5
    check(Graph(chem.MolFromSmiles("C=C"), weight=True), [[0, 2], [2, 0]])
    check(Graph(chem.MolFromSmiles("[Na+].[Cl-]")), [[0, 0], [0, 0]])
    with pytest.raises(ArgumentError, match="NoneType"):
        Graph(chem.MolFromSmiles(""[:0] or "C(", sanitize=False))


def test_scikit_network():
    data = of("sknetwork.data")
    club = data.karate_club(metadata=True)
    check(Graph(club), club.adjacency.astype(int).toarray().tolist())
    painters = data.painters(metadata=True)
    assert list(Graph(painters).vertices) == painters.names.tolist()
    actors = data.movie_actor(metadata=True)
    relation = Relation(actors)
    assert (list(relation.rows), list(relation.columns)) == (actors.names_row.tolist(), actors.names_col.tolist())
    assert pathcount.chain(relation).tolist() == actors.biadjacency.astype(int).toarray().tolist()
    with pytest.raises(ArgumentError, match="no graph"):
        Graph(actors)


# ---- Relations -------------------------------------------------------------------------------------


@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=1, max_size=5))
def test_relations_of_arrays(matrix):
    relation = Relation(np.array(matrix))
    assert relation.shape == (len(matrix), 3)
    assert pathcount.chain(relation).tolist() == matrix
    with pytest.raises(ArgumentError, match="weight is given"):
        Relation(np.array(matrix), weight=True)


def test_relations_of_tables():
    pd = of("pandas")
    frame = pd.DataFrame({"n": [2, 3], "drug": ["aspirin", "ibuprofen"], "illness": ["fever", "fever"]})
    relation = Relation(frame, columns=("drug", "illness"), weight="n")
    assert pathcount.chain(relation).tolist() == pathcount.chain(Relation(frame, weight="n")).tolist() == [[2], [3]]
    assert pathcount.chain(Relation(frame[["drug", "illness"]])).tolist() == [[1], [1]]
    with pytest.raises(ArgumentError, match="no column 'm'"):
        Relation(frame, columns=("drug", "illness"), weight="m")


@given(graphs(weights=st.integers(1, 9)), st.booleans(), st.booleans())
def test_relations_of_networkx(made, multi, weighted):
    n, edges, directed = made
    kind = {(0, 0): nx.Graph, (1, 0): nx.DiGraph, (0, 1): nx.MultiGraph, (1, 1): nx.MultiDiGraph}[directed, multi]
    graph, split = kind(), kind()
    graph.add_nodes_from(range(n))
    split.add_nodes_from([("c", i) for i in range(n)], bipartite=1)
    split.add_nodes_from([("r", i) for i in range(n)], bipartite=0)
    for u, v, w in edges:
        graph.add_edge(u, v, m=w)
        split.add_edge(*((("r", u), ("c", v)) if directed or w % 2 else (("c", v), ("r", u))), m=w)
    weight = "m" if weighted and edges else False
    expected = nx.to_numpy_array(graph, weight="m" if weight else None, multigraph_weight=sum).astype(int)
    if multi and not weight:
        expected = nx.to_numpy_array(nx.Graph(graph) if not directed else nx.DiGraph(graph), weight=None).astype(int) * 0
        for u, v, _ in edges:
            expected[u][v] += 1
            expected[v][u] += not directed and u != v
    assert pathcount.chain(Relation(graph, weight=weight)).tolist() == expected.tolist()
    relation = Relation(split, weight=weight)
    assert list(relation.rows) == [("r", i) for i in range(n)]
    last = {} if not multi else None
    for u, v, w in edges:
        if last is not None:
            last[u, v] = w
    kept = edges if last is None else [(u, v, w) for (u, v), w in last.items()]
    assert pathcount.chain(relation).tolist() == entries((n, kept, True), bool(weight))


def test_relations_that_are_none():
    graph = nx.Graph([("a", "b")])
    graph.add_nodes_from(["a", "b"], bipartite=0)
    with pytest.raises(DataError, match=r"\('a', 'b'\) does not lead"):
        Relation(graph)
    graph.nodes["b"]["bipartite"] = 2
    with pytest.raises(ArgumentError, match="neither 0 nor 1"):
        Relation(graph)
    with pytest.raises(ArgumentError, match="no edge has this attribute"):
        Relation(nx.path_graph(2), weight="m")
    with pytest.raises(ArgumentError, match=r"pathcount\.Counts is no relation"):
        Relation(pathcount.count([("a", "b")], 1))
