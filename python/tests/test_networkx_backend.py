"""The backend of NetworkX against NetworkX. Its own tests run in tests/python.sh with NETWORKX_TEST_BACKEND."""

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathcount import networkx_backend as backend

GRAPHS = st.builds(
    lambda n, edges, kind: with_edges(n, edges, kind),
    st.integers(1, 7),
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12),
    st.sampled_from([nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph]),
)


def with_edges(n, edges, kind):
    graph = kind()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((u % n, v % n) for u, v in edges)
    return graph


@given(GRAPHS, st.integers(0, 9))
def test_walks(graph, k):
    assert backend.number_of_walks(graph, k) == nx.number_of_walks.orig_func(graph, k)


@pytest.mark.parametrize("name", ["subgraph_centrality", "subgraph_centrality_exp", "communicability", "communicability_exp"])
def test_series(name):
    for graph in (nx.karate_club_graph(), nx.les_miserables_graph(), nx.star_graph(20), nx.path_graph(2), nx.empty_graph(3)):
        for u in list(graph)[:1]:
            graph.add_edge(u, u)
        ours, theirs = getattr(backend, name)(graph), getattr(nx, name).orig_func(graph)
        assert list(ours) == list(theirs)
        for node, value in theirs.items():
            of_node = value.items() if isinstance(value, dict) else [(None, value)]
            for other, expected in of_node:
                got = ours[node] if other is None else ours[node][other]
                assert math.isclose(got, expected, rel_tol=1e-9, abs_tol=1e-9)
    assert math.isclose(backend.estrada_index(nx.karate_club_graph()), nx.estrada_index.orig_func(nx.karate_club_graph()))


def test_triangles():
    graph = nx.karate_club_graph()
    graph.add_edge(0, 0)
    assert backend.triangles(graph) == nx.triangles.orig_func(graph)
    assert backend.triangles(graph, 5) == nx.triangles.orig_func(graph, 5)
    assert backend.triangles(graph, [3, 7]) == nx.triangles.orig_func(graph, [3, 7])


def test_what_is_left_to_networkx():
    star, empty, directed = nx.star_graph(500), nx.Graph(), nx.DiGraph([(1, 2)])
    refused = [
        ("number_of_walks", (empty, 2), {}),
        ("subgraph_centrality", (star,), {}),
        ("subgraph_centrality", (directed,), {}),
        ("subgraph_centrality", (nx.path_graph(3),), {"normalized": True}),
        ("communicability", (empty,), {}),
        ("katz_centrality", (star,), {}),
        ("estrada_index", (star, 1, 2), {}),
    ]
    for name, args, kwargs in refused:
        assert backend.can_run(name, args, kwargs) is not True
    assert backend.can_run("number_of_walks", (directed,), {"walk_length": 3}) is True
    assert backend.can_run("communicability", (nx.path_graph(3),), {}) is True


@pytest.mark.parametrize("length", [np.int64(25), np.uint8(25), True, np.array(25)])
def test_lengths_that_are_no_int(length):
    """NetworkX's own arithmetic wraps at 64 bits: it must not be fallen back to."""
    graph = nx.karate_club_graph()
    assert backend.can_run("number_of_walks", (graph, length), {}) is True
    assert backend.number_of_walks(graph, length) == backend.number_of_walks(graph, int(length))
    if "pathcount" in nx.utils.backends.backends and hasattr(nx, "config"):
        with nx.config(backend_priority=["pathcount"]):
            assert nx.number_of_walks(graph, length)[33][33] == backend.number_of_walks(graph, int(length))[33][33]


@pytest.mark.parametrize("length", [2.0, "2", None])
def test_lengths_that_are_none(length):
    assert backend.can_run("number_of_walks", (nx.path_graph(3), length), {}) is True
    with pytest.raises((TypeError, ValueError)):
        backend.number_of_walks(nx.path_graph(3), length)


def test_dispatch():
    if "pathcount" not in nx.utils.backends.backends:
        pytest.skip("the package is not installed: NetworkX does not find its entry point")
    if not hasattr(nx, "config"):
        pytest.skip("this version of NetworkX has other settings")
    nx.config.warnings_to_ignore.add("cache")
    graph = nx.karate_club_graph()
    walks = nx.number_of_walks(graph, 25, backend="pathcount")
    assert walks[33][33] == 68848319761339208022
    assert "pathcount" in graph.__networkx_cache__["backends"]
    graph.add_edge(0, 33)  # what was kept is no more
    assert nx.number_of_walks(graph, 1, backend="pathcount")[0][33] == 1
    with pytest.raises(ValueError, match="negative"):
        nx.number_of_walks(graph, -1, backend="pathcount")
    with nx.config(backend_priority=["pathcount"]):
        assert nx.number_of_walks(graph, 30)[33][33] > 2**64
        assert nx.is_connected(graph)
