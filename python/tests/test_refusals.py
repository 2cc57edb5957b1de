"""Inputs that could be taken for something else: each is refused with a message that helps, or read as it is meant."""

import igraph
import networkx as nx
import numpy as np
import oracle
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse as sp

import pathcount
from pathcount import Graph, Relation
from pathcount.errors import ArgumentError, DataError, RangeError

NAN = float("nan")


def refused(error, words, make):
    with pytest.raises(error) as raised:
        make()
    assert words in str(raised.value)
    assert "--" not in str(raised.value)


# ---- Labels ----------------------------------------------------------------------------------------


def test_ids_of_both_signs():
    """The common type of uint64 and int64 is a double, which does not tell these apart."""
    large = [2**63 + 1, 2**63 + 2]
    frame = pd.DataFrame({"from": np.array(large, dtype=np.uint64), "to": np.array([1, 2], dtype=np.int64)})
    for table in (frame, pa.Table.from_pandas(frame)):
        graph = Graph(table)
        assert list(graph.vertices) == [1, 2, *large]
        assert pathcount.walks_between(graph, large[0], 1, 1) == 1
        assert pathcount.walks_between(graph, large[0], 2, 1) == 0


@pytest.mark.parametrize(
    "source",
    [
        lambda: np.array([[1, NAN], [2, 3], [3, 4]]),
        lambda: np.array([["a", None], ["b", "c"], ["c", "a"]], dtype=object),
        lambda: np.array([["2020-01-01", "NaT"]] * 3, dtype="M8[D]"),
        lambda: pa.table({"from": [1.0, NAN], "to": [2.0, 3.0]}),
        lambda: pa.table({"from": ["a", None], "to": ["b", "c"]}),
        lambda: pd.DataFrame({"from": [1.0, NAN, 3], "to": [2, 3, 4]}),
        lambda: [(1, NAN)],
        lambda: [(pd.NA, 1)],
        lambda: iter([(1, 2), (np.float64("nan"), 3)]),
    ],
)
def test_missing_values_are_no_vertices(source):
    refused(DataError, "missing value", lambda: Graph(source()))


def test_labels_given_by_the_caller():
    refused(DataError, "vertex 1 is given twice", lambda: Graph([(1, 2)], vertices=[1, 2, 1]))
    refused(DataError, "missing value", lambda: Graph([(1, 2)], vertices=[NAN]))
    refused(ArgumentError, "give a list", lambda: Graph([(1, 2)], vertices="ab"))
    refused(DataError, "missing value", lambda: Relation([("a", NAN)]))
    for vertices in (range(3), np.arange(3), pd.Series([0, 1, 2]), pa.array([0, 1, 2])):
        assert [type(label) for label in Graph([(0, 1)], vertices=vertices).vertices] == [int] * 3


# ---- Matrices and arrays ---------------------------------------------------------------------------


def test_entries_of_bool_matrices_that_are_given_again():
    matrix = sp.csr_array((3, 3), dtype=bool)
    matrix.indptr, matrix.indices = np.array([0, 2, 2, 3], dtype=np.int32), np.array([1, 1, 0], dtype=np.int32)
    matrix.data = np.array([True, True, True])
    expected = [[0, 1, 0], [0, 0, 0], [1, 0, 0]]
    entries = sp.coo_array((np.ones(3, dtype=bool), ([0, 0, 2], [1, 1, 0])), (3, 3))
    for given in (matrix, entries):
        assert pathcount.count(Graph(given), 1).tolist() == expected
        assert pathcount.count(Graph(given, real_weights=True), 1).tolist() == expected
        assert pathcount.chain(Relation(given)).tolist() == expected
    assert matrix.nnz == 3  # the caller's own is as it was


def test_masked_arrays():
    matrix = np.ma.masked_array([[0, 1, 1], [1, 0, 9], [1, 9, 0]], mask=[[0, 0, 0], [0, 0, 1], [0, 1, 0]])
    refused(DataError, "filled(0)", lambda: Graph(matrix))
    refused(DataError, "masked", lambda: Graph(np.ma.masked_equal([[1, 2], [2, 3], [3, 4]], 4)))
    assert pathcount.count(Graph(matrix.filled(0)), 1).total == 4
    assert pathcount.count(Graph(np.ma.masked_array(np.eye(3))), 1).total == 3


def test_matrix_or_edges():
    square = np.array([[0, 1], [1, 2]])
    refused(ArgumentError, "columns=(0, 1) for edges", lambda: Graph(square))
    assert list(Graph(square, columns=(0, 1)).vertices) == [0, 1, 2]
    assert list(Graph(sp.csr_array(square)).vertices) == [0, 1]
    three = np.array([[0, 1, 5], [1, 2, 6], [3, 2, 7]])
    assert Graph(three).max_weight == 7  # a matrix
    assert len(Graph(three)) == 3
    weighted = oracle.adjacency(4, [tuple(edge) for edge in three.tolist()], False, False)
    assert pathcount.count(Graph(three, weight=True), 1).tolist() == weighted
    turned = Graph(three, columns=(2, 0), weight=True)
    assert (list(turned.vertices), turned.max_weight) == ([0, 1, 3, 5, 6, 7], 2)
    assert Graph(three, columns=(0, 1)).max_weight == 1
    for columns in ((0, 3), (-1, 0), (0, "a"), (1, 1), (0,)):
        with pytest.raises(ArgumentError, match="column"):
            Graph(three, columns=columns)
    names = ["a", "b"]
    for frame in (pd.DataFrame([[0, 1], [1, 0]], names, names), pd.DataFrame([[0, 1], [1, 0]])):
        refused(ArgumentError, "give columns=", lambda frame=frame: Graph(frame))
        assert Graph(frame, columns=tuple(frame.columns)).n_edges == 1
    assert Graph(pd.DataFrame({"from": [0, 1], "to": [1, 2]})).n_edges == 2


# ---- Weights ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [True, "no"])
@pytest.mark.parametrize("real_weights", [False, True])
def test_weights_that_nothing_has(weight, real_weights):
    graph = nx.Graph([("a", "b", {"w": 2}), ("b", "c", {"z": 1})])
    of_igraph = igraph.Graph([(0, 1)], edge_attrs={"w": [3], "z": [1]})
    frame = pd.DataFrame({"from": ["a"], "to": ["b"], "w": [3]})
    for source in (graph, nx.MultiDiGraph(graph), of_igraph, frame, pa.Table.from_pandas(frame)):
        refused(ArgumentError, "'w'", lambda source=source: Graph(source, weight=weight, real_weights=real_weights))
    assert Graph(graph, weight="w").max_weight == 2
    assert Graph(graph, weight=False).max_weight == 1
    assert Graph(nx.empty_graph(2), weight="w").n_edges == 0
    refused(ArgumentError, "leave it out", lambda: Graph(nx.path_graph(3), weight=weight))


def test_names_of_weights_where_there_are_none(tmp_path):
    path = tmp_path / "edges"
    path.write_text("a b 2\n")
    refused(ArgumentError, "third column", lambda: Graph(path, weight="w"))
    assert Graph(path, weight=True).max_weight == 2


def test_a_weight_of_zero():
    """Without weights an edge is an edge; with weights one of 0 is none. An entry 0 of a matrix is none."""
    edges = [("a", "b", 0), ("b", "c", 3), ("c", "d", 0), ("d", "a", 1)]
    plain = oracle.adjacency(4, [("abcd".index(u), "abcd".index(v), 1) for u, v, _ in edges], False, False)
    weighted = oracle.adjacency(4, [("abcd".index(u), "abcd".index(v), w) for u, v, w in edges], False, False)
    graph, of_igraph = nx.Graph(), igraph.Graph.TupleList(edges, edge_attrs=["w"])
    graph.add_weighted_edges_from(edges, weight="w")
    table = pd.DataFrame(edges, columns=["from", "to", "w"])
    array = np.array([("abcd".index(u), "abcd".index(v), w) for u, v, w in edges])
    ends = ("from", "to")
    for source, keywords, weight in [
        (graph, {}, "w"),
        (nx.MultiGraph(graph), {}, "w"),
        (of_igraph, {}, "w"),
        (table, {"columns": ends}, "w"),
        (pa.Table.from_pandas(table), {"columns": ends}, "w"),
        (array, {"columns": (0, 1)}, True),
    ]:
        assert pathcount.count(Graph(source, **keywords), 1).tolist() == plain
        for real in (False, True):
            made = Graph(source, **keywords, weight=weight, real_weights=real)
            assert pathcount.count(made, 1).tolist() == weighted
            assert made.n_edges == 2
    assert pathcount.count([edge[:2] for edge in edges], 1).tolist() == plain
    assert pathcount.count(Graph(edges, weight=True), 1).tolist() == weighted
    stored = sp.csr_array(np.array(plain))
    stored.data[:] = [weighted[i][j] for i, j in zip(*stored.nonzero())]
    for matrix in (stored, np.array(weighted), stored.astype(float)):
        for real in (False, True):
            assert pathcount.count(Graph(matrix, real_weights=real), 1).tolist() == weighted


def test_les_miserables():
    graph = nx.les_miserables_graph()
    for _, _, data in list(graph.edges(data=True))[::7]:
        data["weight"] = 0
    order = {label: i for i, label in enumerate(graph)}
    for weight in (None, "weight"):
        edges = [(order[u], order[v], w if weight else 1) for u, v, w in graph.edges(data="weight")]
        expected = oracle.total(oracle.power(oracle.adjacency(len(graph), edges, False, False), 6))
        assert pathcount.total(Graph(graph, weight=weight), 6) == expected


# ---- Objects that would be taken apart -------------------------------------------------------------


def object_of(package, name, **what):
    """An object of a class with this name: its package need not be installed."""
    pairs = {"__iter__": lambda self: iter([("x", 1), ("y", 2)]), "__module__": package, **what}
    return type(name, (), pairs)()


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (object_of("torch", "Tensor", shape=(2, 2)), ["torch.Tensor", "edge_index=tensor"]),
        (object_of("torch_geometric.data.data", "Data"), ["torch_geometric.Data", "a Data with edge_index"]),
        (object_of("polars.dataframe.frame", "DataFrame"), ["polars.DataFrame", "give"]),
        (object_of("graphblas.core.matrix", "Matrix"), ["graphblas.Matrix", "give"]),
        (object_of("cupy", "ndarray", __array__=None), ["cupy.ndarray", "give"]),
        (object_of("modin.pandas", "DataFrame", __dataframe__=None), ["modin.DataFrame", "give"]),
        (pd.Series([("a", "b")]), ["pandas.Series", "list of edges"]),
        ({"AB": 1, "CD": 2}, ["dict", "networkx.Graph(dict)"]),
        ({"a": ["bc", "de"]}, ["dict", "networkx.Graph(dict)"]),
        (pathcount.starts([("a", "b")], 2), ["pathcount.Vector", "to_scipy"]),
        (pathcount.count([("a", "b")], 2), ["pathcount.Counts", "to_scipy"]),
        (object_of("unknown", "Bag"), ["unknown.Bag", "list(...)"]),
        (3, ["int"]),
    ],
)
def test_objects_of_others(source, words):
    for word in words:
        refused(ArgumentError, word, lambda word=word: Graph(source))
    refused(ArgumentError, words[0], lambda: Relation(source))
    refused(ArgumentError, words[0], lambda: pathcount.count(source, 2))


def test_texts_are_no_pairs():
    for edge in ("AB", b"AB", {"a": 1, "b": 2}):
        refused(DataError, "give (from, to)", lambda edge=edge: Graph([edge]))
        refused(DataError, "give (row, column)", lambda edge=edge: Relation([edge]))
    refused(DataError, "give (from, to", lambda: Graph([{1, 2}], directed=True))
    assert Graph([{1, 2}, frozenset([2, 3])]).n_edges == 2
    assert Graph(nx.karate_club_graph().edges).n_edges == 78
    assert Graph(dict.fromkeys([("a", "b"), ("b", "c")]).keys()).n_edges == 2


# ---- Keywords that would say nothing ---------------------------------------------------------------

PATH = nx.path_graph(3)


@pytest.mark.parametrize(
    "keyword",
    [{"mod": 7}, {"approximate": True}, {"paths": "markov"}, {"method": "dense"}, {"reduce": "never"}, {"certify": 0}],
)
def test_settings_that_are_not_taken(keyword):
    name = next(iter(keyword))
    refused(ArgumentError, name, lambda: pathcount.katz(PATH, 0.1, 2, **keyword))
    refused(ArgumentError, name, lambda: pathcount.subgraph_centrality(PATH, 2, **keyword))
    if name != "certify":
        refused(ArgumentError, name, lambda: pathcount.chain(Relation([(1, 2)]), **keyword))
    if name not in ("mod", "paths"):
        refused(ArgumentError, name, lambda: pathcount.recurrence(PATH, **keyword))


def test_devices_that_are_not_used():
    relation = Relation([(1, 2)])
    for ask in (
        lambda **device: pathcount.katz(PATH, 0.1, 2, **device),
        lambda **device: pathcount.subgraph_centrality(PATH, 2, **device),
        lambda **device: pathcount.markov(PATH, 2, **device),
        lambda **device: pathcount.closed(PATH, 2, paths="markov", **device),
        lambda **device: pathcount.random_walk_pe(PATH, 2, **device),
        lambda **device: list(pathcount.stream([PATH], 2, **device)),
        lambda **device: list(pathcount.molecular_walk_counts([PATH], **device)),
        lambda **device: pathcount.chain(relation, **device),
        lambda **device: pathcount.pathsim(relation, relation.T, **device),
    ):
        for device in ("cuda", "cuda:1", "cuda:all"):
            refused(ArgumentError, "device", lambda ask=ask, device=device: ask(device=device))
        ask(device="cpu")
        ask(device="auto")


def test_paths_of_another_question():
    refused(ArgumentError, "paths", lambda: pathcount.markov(PATH, 2, paths="non-backtracking"))
    refused(ArgumentError, "paths", lambda: pathcount.non_backtracking(PATH, 2, paths="markov"))
    refused(ArgumentError, "paths", lambda: pathcount.random_walk_pe(PATH, 2, paths="all"))
    assert pathcount.markov(PATH, 2, paths="markov").tolist() == pathcount.markov(PATH, 2).tolist()


# ---- Numbers that do not fit -----------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["int64", "uint8", "float16", bool, object, complex])
def test_types_of_encodings(dtype):
    refused(ArgumentError, "float32", lambda: pathcount.random_walk_pe(PATH, 2, dtype=dtype))


def test_doubles_have_no_infinity():
    complete = nx.complete_graph(20)
    far = pathcount.count(complete, 400, approximate=True)
    exact = (19**400 - 1) // 20
    blocks = pathcount.coarsen(complete, 400, {v: v % 2 for v in complete}, approximate=True)
    for ask in (
        lambda: far[0, 1],
        lambda: far.total,
        lambda: far.largest,
        lambda: far.to_numpy(),
        lambda: far.to_numpy("float32"),
        lambda: far.to_numpy(object),
        lambda: far.to_pandas(),
        lambda: np.asarray(far),
        lambda: far.tolist(),
        lambda: far.top(1),
        lambda: far.row(0).to_numpy(),
        lambda: far.row(0).to_pandas(),
        lambda: blocks.to_numpy(),
        lambda: pathcount.total(complete, 400, approximate=True),
    ):
        refused(RangeError, "exactly", ask)
    assert str(exact)[:4] == repr(far).split("largest is ")[1][:5].replace(".", "")
    assert str(exact)[:4] == repr(far.row(0)).split("1: ")[1][:5].replace(".", "")
    between = pathcount.count(complete, 245, approximate=True)  # 2**1040: more than a double, less than 2**1074
    refused(RangeError, "exactly", lambda: between.tolist())
    near = pathcount.count(complete, 240, approximate=True)
    assert near[0, 1] == near.largest == pytest.approx(float((19**240 - 1) // 20), rel=1e-12)
    assert near.to_numpy().max() == near.largest


def test_types_that_hold_no_such_number():
    refused(RangeError, "int64", lambda: pathcount.markov(PATH, 2).to_numpy("int64"))
    wide, one_word = pathcount.count(nx.complete_graph(20), 60), pathcount.count(nx.complete_graph(20), 8)
    refused(RangeError, "float32", lambda: wide.to_numpy("float32"))
    refused(RangeError, "float16", lambda: one_word.to_numpy("float16"))
    assert one_word.to_numpy("float32").max() == np.float32(one_word.largest)


# ---- Messages in the words of Python ---------------------------------------------------------------


def test_vertices_by_their_labels():
    again = [("x", ("y", 1), 2), (("y", 1), "x", 3)]
    refused(DataError, "edge 'x' ('y', 1) is given with weight 2", lambda: Graph(again, weight=True))
    refused(DataError, "multigraph=True", lambda: Graph(again, weight=True))
    heavy = [("x", 7, 2**63), (7, "x", 2**63)]
    refused(RangeError, "edge 'x' 7 ", lambda: Graph(heavy, weight=True, multigraph=True))
    refused(DataError, "vertex 'x' to vertex 7", lambda: Graph([("x", 7, -1.5)], weight=True, real_weights=True))
    circle = Graph([("x", "y"), ("y", "z"), ("z", "x")], directed=True)
    with pytest.raises(DataError, match=r"the arcs '[xyz]' -> '[xyz]' -> '[xyz]' -> '[xyz]' lead"):
        circle.longest_path()
    refused(DataError, "directed=True", lambda: Graph([("x", "y")]).longest_path())


def test_options_of_the_command(tmp_path):
    refused(RangeError, "mod=M", lambda: pathcount.recurrence(PATH).term(2**60))
    path = tmp_path / "graph"
    for text in (
        "a b\nc\n",
        "a b 1 2 3\nc d 1 2 3\n",
        "a b 0.5\nb c 1.5\n",
        "a,b;c\n1;2,3\n",
        "<graphml></graphml>\n",
        "a b 1\na b 2\n",
    ):
        path.write_text(text)
        with pytest.raises(pathcount.Error) as raised:
            Graph(path, weight=True)
        for word in ("--", "pc_", "libpathcount"):
            assert word not in str(raised.value)


def test_words_of_the_library():
    of_status = pathcount.errors.of_status
    for theirs, ours in [
        (
            "count modulo a number (--mod M) or in floating point (--float) instead",
            "(mod=M) or in floating point (approximate=True)",
        ),
        ("unless they are swept (--method sweep)", "(method='sweep')"),
        ("count with --method dense or sweep", "method='dense' or 'sweep'"),
        ("name the CPU (--device cpu), or", "(device='cpu')"),
        ("integers; --markov and --katz take decimals", "; markov and katz take"),
        ("give it (--columns 2,3)", "(columns=(2, 3))"),
        ("--allow-missing lets such", "allow_missing=True lets such"),
        ("too many (--max-vertices N allows more)", "(option max-vertices N of the command allows"),
        ("--format adjlist reads lists", "format='adjlist' reads"),
        ("(--separator ',', --no-header)", "(separator=',', header=False)"),
        ("leave --loops twice out (--length K)", "leave loops=2 out (length)"),
        ("a file called a--b", "a file called a--b"),
    ]:
        assert ours in str(of_status(1, theirs))


# ---- Answers, and several vertices -------------------------------------------------------------------


def test_counts_are_iterated_by_label():
    for graph in (nx.path_graph(3), [("a", "b"), ("b", "c")]):
        counts = pathcount.count(graph, 3)
        assert list(counts) == list(counts.rows)
        assert len(counts) == 3
        assert [counts[label].tolist() for label in counts] == counts.tolist()
        assert next(iter(counts)) in counts
        assert "none" not in counts


@pytest.mark.parametrize("of", [list, range, np.array, pd.Series, pd.Index, pa.array])
def test_several_vertices(of):
    graph, expected = nx.path_graph(4), oracle.power(oracle.adjacency(4, [(0, 1, 1), (1, 2, 1), (2, 3, 1)], False, False), 3)
    sources, targets = (of(0, 3), of(1, 4)) if of is range else (of([0, 1, 2]), of([1, 2, 3]))
    rows = pathcount.walks_from(graph, sources, 3)
    assert rows.tolist() == pathcount.walks_to(graph, sources, 3).tolist() == expected[:3]
    assert list(rows.rows) == [0, 1, 2]
    pairs = pathcount.walks_between(graph, sources, targets, 3)
    assert dict(pairs) == {(i, i + 1): expected[i][i + 1] for i in range(3)}
    assert pathcount.walks_from(graph, np.int64(1), 3).tolist() == expected[1]
    refused(ArgumentError, "two lists", lambda: pathcount.walks_between(graph, sources, 1, 3))


def test_blocks_that_are_none():
    refused(ArgumentError, "dict", lambda: pathcount.coarsen([("a", "b")], 2, [0, 1]))
    refused(ArgumentError, "dict", lambda: pathcount.coarsen([(0, 1), (1, 2)], 2, [0, 1]))
    refused(KeyError, "vertex 'b' has no block", lambda: pathcount.coarsen([("a", "b")], 2, {"a": 0}))


def test_words_that_belong_elsewhere():
    edges = [("a", "b")]
    for name in ("weight", "directed", "columns"):
        refused(TypeError, f"Graph(graph, {name}=...)", lambda name=name: pathcount.count(edges, 2, **{name: True}))
    refused(TypeError, "walks_between", lambda: pathcount.simple_paths(edges, 2, source="a"))
    refused(TypeError, "approximate=True", lambda: pathcount.total(edges, 2, float=True))
    refused(TypeError, "known are", lambda: pathcount.total(edges, 2, colour=True))
    refused(ValueError, "real_weights=True", lambda: Graph([("a", "b", 0.5)], weight=True))
    refused(ValueError, "label=True", lambda: Graph([("a", "b", "x")]))
    refused(ValueError, "numpy.array(rows)", lambda: Graph([[0, 1, 1], [1, 0, 1], [1, 1, 0]]))
    refused(ValueError, "pandas.DataFrame", lambda: Graph([{"from": 1, "to": 2, "n": 3}]))
    refused(ValueError, "Graph(name)", lambda: list(pathcount.stream([__file__], 2)))
    assert pathcount.total(edges, 2, memory=1e9) == 2
    refused(ValueError, "give an integer", lambda: pathcount.total(edges, 2, memory=1.5))
