"""Questions against powers of lists of Python integers: every kind, for one length, for each, and added up."""

import networkx as nx
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathcount
from pathcount import Graph


@st.composite
def asked(draw):
    """A graph, its matrix, and a length."""
    n = draw(st.integers(1, 6))
    ends = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(ends, ends, st.sampled_from([1, 1, 2, 2**33])), max_size=12))
    directed = draw(st.booleans())
    a = oracle.adjacency(n, edges, directed, adds=True)
    graph = Graph(edges, directed=directed, weight=True, multigraph=True, vertices=range(n))
    return graph, a, draw(st.integers(0, 5))


SETTINGS = st.sampled_from(
    [
        {},
        {"threads": 1},
        {"mod": 97},
        {"mod": 2**63 - 25},
        {"certify": 0},
        {"method": "sweep"},
        {"reduce": "always"},
        {"memory": 10**8},
    ]
)


def reduced(number, settings):
    return number % settings["mod"] if "mod" in settings else number


def rows_reduced(matrix, settings):
    return [[reduced(x, settings) for x in row] for row in matrix]


@given(asked(), SETTINGS, st.data())
def test_every_question(question, settings, data):
    graph, a, k = question
    n = len(a)
    powers = [oracle.power(a, length) for length in range(k + 1)]
    lengths = list(range(1, k + 1))
    vertex = st.integers(0, n - 1)
    u, v = data.draw(vertex), data.draw(vertex)
    several = data.draw(st.lists(vertex, max_size=3))
    others = data.draw(st.lists(vertex, min_size=len(several), max_size=len(several)))

    kinds = [
        (pathcount.total, (), oracle.total),
        (pathcount.trace, (), oracle.trace),
        (pathcount.walks_between, (u, v), lambda p: p[u][v]),
        (pathcount.walks_from, (u,), lambda p: p[u]),
        (pathcount.walks_to, (v,), lambda p: [row[v] for row in p]),
        (pathcount.starts, (), lambda p: [sum(row) for row in p]),
        (pathcount.ends, (), lambda p: [sum(column) for column in zip(*p)]),
        (pathcount.closed, (), lambda p: [p[i][i] for i in range(n)]),
        (pathcount.walks_between, (several, others), lambda p: [p[i][j] for i, j in zip(several, others)]),
        (pathcount.walks_from, (several,), lambda p: [p[i] for i in several]),
        (pathcount.walks_to, (several,), lambda p: [[row[j] for row in p] for j in several]),
    ]

    def plain(answer):
        return (
            answer if isinstance(answer, int) else [plain(x) for x in answer] if isinstance(answer, list) else answer.tolist()
        )

    def reduce(expected):
        return [reduce(x) for x in expected] if isinstance(expected, list) else reduced(expected, settings)

    for ask, arguments, read in kinds:
        assert plain(ask(graph, *arguments, k, **settings)) == reduce(read(powers[k])), ask
        assert plain(ask(graph, *arguments, k, each=True, **settings)) == reduce([read(powers[i]) for i in lengths]), ask
        assert plain(ask(graph, *arguments, k, up_to=True, **settings)) == reduce(read(oracle.up_to(a, k))), ask


@given(asked(), SETTINGS)
def test_matrices(question, settings):
    graph, a, k = question
    expected = rows_reduced(oracle.power(a, k), settings)
    assert pathcount.count(graph, k, **settings).tolist() == expected
    assert [(label, row.tolist()) for label, row in pathcount.rows(graph, k, **settings)] == list(enumerate(expected))
    if settings.get("method") is None:
        assert pathcount.count(graph, k, up_to=True, **settings).tolist() == rows_reduced(oracle.up_to(a, k), settings)


@given(asked(), st.data())
def test_blocks(question, data):
    graph, a, k = question
    n, p = len(a), oracle.power(a, k)
    blocks = data.draw(st.lists(st.sampled_from("xyz"), min_size=n, max_size=n))
    names = list(dict.fromkeys(blocks))
    expected = [
        [sum(p[i][j] for i in range(n) for j in range(n) if (blocks[i], blocks[j]) == (x, y)) for y in names] for x in names
    ]
    counts = pathcount.coarsen(graph, k, dict(enumerate(blocks)))
    assert list(counts.rows) == names
    assert counts.tolist() == expected
    assert counts.trace == oracle.trace(expected)


def test_a_vertex_without_a_block():
    with pytest.raises(KeyError, match="'b' has no block"):
        pathcount.coarsen([("a", "b")], 2, {"a": 1})


@given(asked())
def test_random_walks(question):
    graph, a, k = question
    expected = oracle.power(oracle.random_walk(a), k)
    got = pathcount.markov(graph, k).tolist()
    assert all(abs(x - float(y)) < 1e-12 for row, want in zip(got, expected) for x, y in zip(row, want))


@given(st.integers(1, 5), st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8), st.integers(0, 5))
def test_paths_that_do_not_turn_back(n, edges, k):
    edges = [(u % n, v % n, 1) for u, v in edges]
    graph = Graph([edge[:2] for edge in edges], vertices=range(n))
    a = oracle.adjacency(n, edges, False, adds=False)
    expected = oracle.without_turning_back(a, k)
    assert pathcount.non_backtracking(graph, k).tolist() == expected
    assert pathcount.total(graph, k, paths="non-backtracking") == oracle.total(expected)


@given(asked())
def test_shortest_paths(question):
    """The first power that is not 0 tells both."""
    graph, a, _ = question
    n = len(a)
    powers = [oracle.power(a, k) for k in range(n)]
    counts, lengths = pathcount.shortest_path_counts(graph), pathcount.shortest_path_lengths(graph)
    for u in range(n):
        for v in range(n):
            found = next((k for k in range(n) if powers[k][u][v]), None)
            assert lengths[u, v] == (pathcount.UNREACHED if found is None else found)
            assert counts[u, v] == (0 if found is None else powers[found][u][v])
    some = [n - 1, 0, n - 1]
    assert pathcount.shortest_path_counts(graph, some).tolist() == [counts[u].tolist() for u in some]
    assert pathcount.shortest_path_lengths(graph, 0, threads=1).tolist() == lengths[0].tolist()


def test_answers_by_length_have_lengths_for_labels():
    graph = Graph([("a", "b"), ("b", "c")])
    assert dict(pathcount.total(graph, 3, each=True)) == {1: 4, 2: 6, 3: 8}
    by_length = pathcount.walks_from(graph, "a", 3, each=True)
    assert by_length[3, "b"] == 2
    with pytest.raises(KeyError):
        by_length[0, "b"]
    with pytest.raises(ValueError, match="diagonal"):
        by_length.trace  # noqa: B018


def test_very_long_paths():
    assert pathcount.total(nx.karate_club_graph(), 10**6, mod=10**9 + 7) == 928355336


def test_known_counts():
    counts = pathcount.count(nx.karate_club_graph(), 25)
    assert counts.total == 12233149591788443515398
    assert counts.largest == 68848319761339208022


@pytest.mark.parametrize(
    ("keywords", "error"),
    [
        ({"length": -1}, ValueError),
        ({"length": 2**63}, ValueError),
        ({"length": 2.5}, ValueError),
        ({"length": "2"}, ValueError),
        ({"mod": 1}, ValueError),
        ({"mod": 2**63}, ValueError),
        ({"method": "magic"}, ValueError),
        ({"reduce": True}, ValueError),
        ({"paths": "acyclic"}, ValueError),
        ({"paths": "longest"}, ValueError),
        ({"paths": "shortest"}, ValueError),
        ({"certify": 65}, ValueError),
        ({"threads": -1}, ValueError),
        ({"threads": 1025}, ValueError),
        ({"device": "gpu"}, ValueError),
        ({"device": 0}, ValueError),
        ({"memory": -1}, ValueError),
        ({"progress": 5}, ValueError),
        ({"lenght": 3}, TypeError),
        ({"approximate": True, "mod": 5}, ValueError),
        ({"each": True, "up_to": True}, ValueError),
    ],
)
def test_what_is_refused(keywords, error):
    graph = nx.karate_club_graph()
    keywords = {"length": 3, **keywords}
    with pytest.raises(error):
        pathcount.starts(graph, **keywords)
    assert pathcount.total(graph, 1) == 156  # nothing of it stays


def test_devices_that_are_not_there(monkeypatch):
    monkeypatch.setenv("PATHCOUNT_CUDA_ENGINE", "none")
    with pytest.raises(pathcount.errors.EngineError):
        pathcount.count(nx.karate_club_graph(), 8, device="cuda")


def test_what_does_not_fit():
    with pytest.raises(MemoryError, match="memory"):
        pathcount.count(nx.path_graph(2000), 8, memory=2_000_000)


def test_longest_paths():
    graph = Graph([("a", "b"), ("b", "c"), ("a", "c")], directed=True)
    assert graph.longest_path() == 2
    assert pathcount.total(graph, graph.longest_path(), up_to=True) == 4
    with pytest.raises(pathcount.errors.DataError):
        Graph([(1, 2)]).longest_path()


def test_rows_that_nobody_wants():
    taken = pathcount.rows(nx.path_graph(3000), 50)
    assert next(taken)[0] == 0
    taken.close()
    assert list(pathcount.rows([], 3)) == []
    with pytest.raises(ValueError, match="length"):
        pathcount.rows([], -1)
    with pytest.raises(MemoryError):
        list(pathcount.rows(nx.path_graph(3000), 8, memory=10_000))


@given(
    st.integers(1, 7), st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=16), st.booleans(), st.integers(1, 7)
)
def test_simple_paths_and_cycles(n, edges, directed, k):
    """Against the lists that NetworkX makes."""
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((u % n, v % n) for u, v in edges)
    counts = pathcount.simple_paths(graph, k)
    for u in graph:
        for v in graph:
            paths = nx.all_simple_paths(graph, u, v, cutoff=k) if u != v else []
            assert counts[u, v] == sum(len(path) == k + 1 for path in paths)
    least = 2 if directed else 3
    found = [cycle for cycle in nx.simple_cycles(graph, length_bound=k) if len(cycle) == k >= least]
    assert pathcount.cycles(graph, k) == len(found)
    through = pathcount.closed(graph, k, paths="cycles")
    assert [through[v] for v in graph] == [sum(v in cycle for cycle in found) for v in graph]
