"""Walks whose labels match, against Python's re: a walk becomes a word of letters, and each word is tried."""

import itertools
import pickle
import random
import re

import networkx as nx
import pandas
import pytest

import pathcount
from pathcount import Graph

PATTERNS = {
    "A B* (C|D)": "AB*[CD]",
    "A* A*": "A*A*",
    "(A|A B)(B C|C)": "(A|AB)(BC|C)",
    "( . B ){1,2} | 'C' / \"D\"?": "(.B){1,2}|CD?",
    "(A|B|.)+": ".+",
    "()": "",
    "(A|())(B|())": "A?B?",
}


def walks(edges, directed, length):
    """Each walk as (from, to, word)."""
    arcs = [*edges, *((v, u, label) for u, v, label in edges if not directed and u != v)]
    found = [(v, v, "") for v in sorted({v for edge in edges for v in edge[:2]})]
    for _ in range(length):
        found = [(u, w, word + label) for u, v, word in found for x, w, label in arcs if x == v]
    return found


@pytest.mark.parametrize("seed", range(30))
def test_questions(seed):
    draw = random.Random(seed)
    n, directed = draw.randint(1, 5), draw.random() < 0.5
    every = {(u, v, label) for u in range(n) for v in range(n) for label in "ABCD" if directed or u <= v}
    edges = draw.sample(sorted(every), min(len(every), draw.randint(4, 12)))
    edges += [(0, 0, label) for label in "ABCD" if (0, 0, label) not in edges]  # patterns name them all
    graph = Graph(edges, directed=directed, label=True)
    vertices = list(graph.vertices)
    assert graph.n_edges == len(edges)
    for pattern, expression in PATTERNS.items():
        for length in range(4):
            all_walks = [(u, v) for u, v, word in walks(edges, directed, length) if re.fullmatch(expression, word)]
            number = {pair: all_walks.count(pair) for pair in itertools.product(vertices, vertices)}
            u, v = draw.choice(vertices), draw.choice(vertices)
            asked = {"match": pattern}
            assert pathcount.total(graph, length, **asked) == len(all_walks)
            assert pathcount.walks_between(graph, u, v, length, **asked) == number[u, v]
            assert pathcount.walks_from(graph, u, length, **asked).tolist() == [number[u, w] for w in vertices]
            assert pathcount.walks_to(graph, v, length, mod=5, **asked).tolist() == [number[w, v] % 5 for w in vertices]
            rows = pathcount.walks_from(graph, [u, v, u], length, **asked)
            assert rows.tolist() == [[number[w, x] for x in vertices] for w in (u, v, u)]
            assert pathcount.starts(graph, length, **asked).tolist() == [sum(number[w, x] for x in vertices) for w in vertices]
            assert pathcount.ends(graph, length, **asked).tolist() == [sum(number[x, w] for x in vertices) for w in vertices]
            assert pathcount.closed(graph, length, **asked).tolist() == [number[w, w] for w in vertices]
    each = pathcount.walks_from(graph, [0], 3, match="(A|B)*", each=True)
    assert [each[k][0, w] for k in range(3) for w in vertices] == [
        pathcount.walks_between(graph, 0, w, k + 1, match="(A|B)*") for k in range(3) for w in vertices
    ]


def test_sources(tmp_path):
    edges = [("u", "v", "knows"), ("v", "w", "likes it"), ("u", "v", "likes it")]
    table = pandas.DataFrame(edges, columns=["a", "b", "kind"])
    network = nx.MultiDiGraph()
    network.add_edges_from((u, v, {"kind": label}) for u, v, label in edges)
    path = tmp_path / "edges.csv"
    table.to_csv(path, index=False)
    graphs = [
        Graph(edges, directed=True, label=True),
        Graph(table, directed=True, label="kind"),
        Graph(network, label="kind"),
        Graph(path, directed=True, columns=("a", "b"), label="kind"),
        Graph([(u, v, 1, label) for u, v, label in edges], directed=True, weight=True, label=True),
    ]
    for graph in graphs:
        assert pathcount.walks_between(graph, "u", "w", 2, match="knows 'likes it'") == 1
        assert pathcount.walks_between(graph, "u", "w", 2, match=". .") == pathcount.walks_between(graph, "u", "w", 2) == 2
    weighted = Graph([("u", "v", 3, "x"), ("u", "v", 4, "y")], directed=True, weight=True, label=True)
    assert pathcount.total(weighted, 1, match="y") == 4
    assert pathcount.total(weighted, 1) == 7


def test_refusals():
    graph = Graph([("u", "v", "x")], label=True)
    refused = pathcount.errors.ArgumentError
    for words, call in {
        "position 3: no edge has the label 'y'": lambda: pathcount.total(graph, 2, match="x y"),
        "made with label=|Graph with label=": lambda: pathcount.total([("u", "v")], 2, match="x"),
        "give a pattern": lambda: pathcount.total(graph, 2, match="x\0"),
        "ask for walks_from": lambda: pathcount.count(graph, 2, match="x"),
        "not for simple": lambda: pathcount.total(graph, 2, match="x", paths="simple"),
        "match is 'x', and": lambda: pathcount.katz(graph, 0.1, 3, match="x"),
        "give True": lambda: Graph([("u", "v", "x")], label="kind"),
        "real_weights": lambda: Graph([("u", "v", "x")], label=True, real_weights=True),
    }.items():
        with pytest.raises(refused, match=words):
            call()
    with pytest.raises(pathcount.errors.DataError, match=r"give \(from, to, label\)"):
        Graph([("u", "v")], label=True)
    with pytest.raises(pathcount.errors.DataError, match="no label"):
        Graph(nx.path_graph(3), label="kind")
    with pytest.raises(TypeError, match="pickle the edges"):
        pickle.dumps(graph)
