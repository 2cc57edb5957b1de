"""Objects of the package in other processes: pickle, cloudpickle (joblib, Dask, Ray) and copy keep every bit."""

import copy
import pickle

import cloudpickle
import networkx as nx
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathcount
from pathcount import Graph, Relation
from pathcount.networkx_backend import BackendGraph

WAYS = {
    **{f"pickle {protocol}": lambda it, p=protocol: pickle.loads(pickle.dumps(it, p)) for protocol in range(6)},
    "cloudpickle": lambda it: pickle.loads(cloudpickle.dumps(it)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}
KARATE = nx.karate_club_graph()
LABELS = [("a", ("b", 1)), (("b", 1), None), (None, "\udcff"), ("\udcff", 7)]


def numbers_of(answer):
    return answer.tolist(), answer._numbers.exponent, answer._numbers.n_limbs


MATRICES = {
    "one word": lambda: pathcount.count(KARATE, 8),
    "two words": lambda: pathcount.count(KARATE, 25),
    "many words": lambda: pathcount.count(KARATE, 900),
    "labels": lambda: pathcount.count(LABELS, 70),
    "residues": lambda: pathcount.count(KARATE, 25, mod=2**61 - 1),
    "doubles": lambda: pathcount.markov(KARATE, 5),
    "scaled doubles": lambda: pathcount.count(nx.complete_graph(20), 200, approximate=True),
    "lengths": lambda: pathcount.starts(KARATE, 40, each=True),
    "blocks": lambda: pathcount.coarsen(KARATE, 30, {v: v % 3 for v in KARATE}),
    "a chain": lambda: pathcount.chain(Relation([("x", 1), ("y", 1), ("y", 2)])),
    "nothing": lambda: pathcount.count([], 3),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("matrix", MATRICES)
def test_counts(matrix, way):
    counts = MATRICES[matrix]()
    again = WAYS[way](counts)
    assert numbers_of(again) == numbers_of(counts)
    assert list(again.rows) == list(counts.rows)
    assert list(again.columns) == list(counts.columns)
    assert (again.rows is again.columns) == (counts.rows is counts.columns)
    if counts.rows:
        u, v = counts.rows[-1], counts.columns[0]
        assert again[u, v] == counts[u, v]
        row = WAYS[way](counts.row(u))
        assert numbers_of(row) == numbers_of(counts.row(u))
        assert list(row) == list(counts.row(u))
        with pytest.raises(KeyError) as error:
            again[u, "none"]
        assert str(error.value) == f"no {counts.columns.what} is labelled 'none'"


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_lives_on_its_own(way):
    counts = pathcount.count(KARATE, 25)
    expected = oracle.power(oracle.adjacency(34, [(u, v, 1) for u, v in KARATE.edges], False, False), 25)
    again = WAYS[way](counts)
    del counts
    pathcount.count(KARATE, 24)
    assert again.tolist() == expected
    assert again.trace == sum(expected[i][i] for i in range(34))


REAL = st.one_of(st.floats(1e-5, 1e8), st.integers(0, 2**50), st.sampled_from([0.1, 0.25, 1 / 3]))


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), REAL), min_size=1, max_size=9),
    st.sampled_from([nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph]),
    st.sampled_from(sorted(WAYS)),
)
def test_weights_with_decimals(edges, kind, way):
    given_graph = kind()
    given_graph.add_weighted_edges_from(edges)
    try:
        graph = Graph(given_graph, weight="weight", real_weights=True)
    except pathcount.Error:  # weights too far apart
        return
    again = WAYS[way](graph)
    assert again.__reduce__()[1] == graph.__reduce__()[1]  # arcs, labels, decimals, and the error of rounding
    assert pathcount.katz(again, 0.25, 3) == pathcount.katz(graph, 0.25, 3)
    for name in ("n_edges", "n_arcs", "n_loops", "directed", "max_weight", "has_decimals"):
        assert getattr(again, name) == getattr(graph, name)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "graph",
    [
        lambda: Graph(LABELS, directed=True),
        lambda: Graph([("a", "b", 2**64 - 1)], weight=True),
        lambda: Graph([], directed=True, vertices=["a", "b"]),
        lambda: Graph([(1, 2), (2, 1)], directed=True),
        lambda: Graph(KARATE),
        lambda: Graph([]),
    ],
)
def test_graphs(graph, way):
    graph = graph()
    again = WAYS[way](graph)
    assert again.__reduce__() == graph.__reduce__()
    assert list(again.vertices) == list(graph.vertices)
    assert pathcount.count(again, 3).tolist() == pathcount.count(graph, 3).tolist()
    assert (again.n_edges, again.directed) == (graph.n_edges, graph.directed)


@pytest.mark.parametrize("way", WAYS)
def test_relations(way):
    for relation in (Relation([("x", None), ("y", ("z", 1)), ("x", None)]), Relation([("x", 1, 2**63)], weight=True).T):
        again = WAYS[way](relation)
        assert pathcount.chain(again, again.T).tolist() == pathcount.chain(relation, relation.T).tolist()
        assert (list(again.rows), list(again.columns)) == (list(relation.rows), list(relation.columns))


@pytest.mark.parametrize("way", WAYS)
def test_series_backend_and_errors(way):
    series = pathcount.katz(KARATE, 0.01, 4)
    assert WAYS[way](series) == series
    with pytest.raises(KeyError) as raised:
        pathcount.walks_from(KARATE, "none", 2)
    again = WAYS[way](raised.value)
    assert (type(again), str(again)) == (pathcount.errors.LabelError, str(raised.value))
    graph = BackendGraph(KARATE)
    assert list(graph.ours.vertices) == list(WAYS[way](graph).ours.vertices)


@pytest.mark.parametrize("way", WAYS)
def test_a_recurrence(way):
    recurrence = pathcount.recurrence(KARATE)
    if "pickle" in way:
        with pytest.raises(TypeError, match="Recurrence cannot be pickled: pickle its coefficients"):
            WAYS[way](recurrence)
    else:
        assert WAYS[way](recurrence).term(30) == recurrence.term(30)


@pytest.mark.parametrize("way", [way for way in WAYS if "pickle" in way])
def test_iterators_are_refused(way):
    for iterator in (pathcount.rows(KARATE, 3), pathcount.stream([KARATE], 3), pathcount.molecular_walk_counts([KARATE])):
        with pytest.raises(TypeError, match="generator"):
            WAYS[way](iterator)
