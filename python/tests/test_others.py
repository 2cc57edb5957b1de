"""Streams, relations, recurrences and centralities."""

import itertools
import math
import pickle
import re
from collections import Counter

import igraph
import networkx as nx
import numpy as np
import oracle
import pandas
import pytest
import scipy.linalg
import scipy.sparse as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import pathcount
from pathcount import Graph, Relation

# ---- Streams ---------------------------------------------------------------------------------------


@st.composite
def small_graphs(draw, loops=1):
    """Graphs in every form that a stream takes, each with its matrix; with loops=2 undirected ones that are no Graph yet."""
    forms, matrices = [], []
    for _ in range(draw(st.integers(0, 6))):
        n = draw(st.integers(1, 8))
        ends = st.integers(0, n - 1)
        edges = [(u, v, 1) for u, v in draw(st.lists(st.tuples(ends, ends), max_size=10))]
        either = ["graph6", "sparse6", "bytes", "Graph", "MultiGraph"]
        form = draw(st.sampled_from([*either, "DiGraph", "edges", "ours"] if loops == 1 else either))
        if form in ("graph6", "sparse6", "bytes"):
            graph = nx.Graph([edge[:2] for edge in edges if edge[0] != edge[1]])
            graph.add_nodes_from(range(n))
            graph = nx.convert_node_labels_to_integers(graph, ordering="sorted")
            encode = nx.to_sparse6_bytes if form == "sparse6" else nx.to_graph6_bytes
            text = encode(graph, header=draw(st.booleans()))
            forms.append(text if form == "bytes" else text.decode())
            edges = [edge for edge in edges if edge[0] != edge[1]]
            matrices.append(oracle.adjacency(n, edges, False, adds=False))
        elif form in ("edges", "ours"):
            pairs = [(edge[0], edge[1]) for edge in edges]
            forms.append(Graph(pairs, vertices=range(n)) if form == "ours" else Graph(pairs, directed=True, vertices=range(n)))
            matrices.append(oracle.adjacency(n, edges, form == "edges", adds=False))
        else:
            graph = getattr(nx, form)()
            graph.add_nodes_from(range(n))
            graph.add_edges_from(edge[:2] for edge in edges)
            forms.append(graph)
            matrices.append(oracle.adjacency(n, edges, form == "DiGraph", form == "MultiGraph", loops))
    return forms, matrices


@given(small_graphs(), st.integers(0, 12), st.sampled_from(["one", "each", "up_to"]), st.sampled_from([None, 7]))
def test_streams(made, k, lengths, mod):
    graphs, matrices = made
    got = list(pathcount.stream(iter(graphs), k, closed=True, each=lengths == "each", up_to=lengths == "up_to", mod=mod))
    for a, row in zip(matrices, got):
        powers = [oracle.up_to(a, k)] if lengths == "up_to" else [oracle.power(a, k)]
        if lengths == "each":
            powers = [oracle.power(a, length) for length in range(1, k + 1)]
        expected = [*map(oracle.total, powers), *map(oracle.trace, powers)]
        assert list(row) == [x % mod if mod else x for x in expected]
    assert len(got) == len(graphs)


@given(small_graphs(loops=2), st.integers(0, 9))
def test_streams_of_loops_that_count_twice(made, k):
    graphs, matrices = made
    got = list(pathcount.stream(graphs, k, closed=True, loops=2))
    powers = [oracle.power(a, k) for a in matrices]
    assert got == [(oracle.total(power), oracle.trace(power)) for power in powers]


def test_streams_of_loops_in_files(tmp_path):
    (tmp_path / "graphs.s6").write_text(":AJ\n")  # 0 - 1, and a loop at 0
    assert list(pathcount.stream(tmp_path / "graphs.s6", 2, loops=2)) == [(10,)]
    assert list(pathcount.stream([":AJ", [(0, 0), (0, 1)]], 2, loops=2)) == [(10,), (10,)]
    assert list(pathcount.stream([":AJ", Graph([(0, 0), (0, 1)])], 2, loops=1)) == [(5,), (5,)]
    for directed in ["&A~", nx.DiGraph([(0, 0)])]:
        with pytest.raises(pathcount.errors.ArgumentError, match="directed"):
            list(pathcount.stream([directed], 2, loops=2))
    with pytest.raises(pathcount.errors.ArgumentError, match="give 1 or 2"):
        pathcount.stream([], 2, loops=0)


def test_streams_from_files(tmp_path):
    path = tmp_path / "graphs.g6"
    path.write_text("C~\nBw\n")
    assert list(pathcount.stream(path, 3)) == [(108,), (24,)]
    with pytest.raises(FileNotFoundError):
        list(pathcount.stream(tmp_path / "none", 3))


def test_streams_of_many_graphs():
    triangle = nx.cycle_graph(3)
    stream = pathcount.stream((triangle for _ in itertools.count()), 2)
    assert list(itertools.islice(stream, 5000)) == [(12,)] * 5000
    stream.close()


def test_streams_with_a_bad_line():
    stream = pathcount.stream([nx.path_graph(2)] * 2500 + ["C~", "C~~~~"], 1)
    assert list(itertools.islice(stream, 2501)) == [(2,)] * 2500 + [(12,)]
    with pytest.raises(ValueError, match="graph 2501"):
        next(stream)
    for bad in ("", "C~\nC~", b"\n"):
        with pytest.raises(ValueError, match="one line"):
            list(pathcount.stream([bad], 2))
    with pytest.raises(ValueError, match="nothing"):
        pathcount.stream([], 2, total=False)
    with pytest.raises(ValueError, match="no stream"):
        pathcount.stream(3, 2)


def test_large_graphs_in_a_stream():
    assert list(pathcount.stream([nx.path_graph(1200), nx.path_graph(70)], 2)) == [(4 * 1200 - 6,), (4 * 70 - 6,)]


@given(small_graphs())
def test_molecules(made):
    graphs, matrices = made
    for counts, a in zip(pathcount.molecular_walk_counts(graphs), matrices):
        for order in range(1, 11):
            assert counts[f"MWC{order:02}"] == oracle.total(oracle.power(a, order))
            if order > 1:
                assert counts[f"SRW{order:02}"] == oracle.trace(oracle.power(a, order))
        assert counts["TWC"] == oracle.total(oracle.up_to(a, len(a) - 1))


def test_molecules_by_logarithms():
    """The numbers that Mordred gives for n-butane: half the walks of one bond, and ln(1 + x) of all others."""
    butane = next(pathcount.molecular_walk_counts([nx.path_graph(4)], log=True))
    assert butane["MWC01"] == 3
    assert math.isclose(butane["MWC02"], math.log(11))
    assert math.isclose(butane["SRW04"], math.log(15))


# ---- Relations -------------------------------------------------------------------------------------


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 2**40)), max_size=8), min_size=1, max_size=4
    ),
    st.booleans(),
)
def test_chains(factors, as_scipy):
    matrices = []
    for entries in factors:
        a = oracle.zeros(4)
        for i, j, weight in entries:
            a[i][j] += weight
        matrices.append(a)
    if as_scipy:
        relations = [Relation(sp.coo_array(np.array(a))) for a in matrices]
    else:
        # Labels in another order in each factor: a factor has all rows and columns, some by an entry 0.
        relations = [
            Relation([(f"{k}{i}", f"{k + 1}{j}", matrices[k][i][j]) for j in (2, 0, 1, 3) for i in (3, 1, 0, 2)], weight=True)
            for k in range(len(matrices))
        ]
    product = matrices[0]
    for a in matrices[1:]:
        product = oracle.product(product, a)
    counts = pathcount.chain(*relations)
    if as_scipy:
        assert counts.tolist() == product
    else:
        last = len(matrices)
        assert [[counts[f"0{i}", f"{last}{j}"] for j in range(4)] for i in range(4)] == product


def test_pathsim():
    relation = Relation([("a", 1), ("a", 2), ("b", 2), ("c", 3), ("c", 3)])
    ways = pathcount.chain(relation, relation.T)
    alike = pathcount.pathsim(relation, relation.T)
    for i, j in itertools.product("abc", repeat=2):
        assert math.isclose(alike[i, j], 2 * ways[i, j] / (ways[i, i] + ways[j, j]))
    assert ways.rows is ways.columns
    with pytest.raises(ValueError, match="columns are its rows"):
        pathcount.pathsim(relation)


def ways_of(entries, types, start, end, damping, simple):
    """The sum over ways of the products of their damped entries; entries are dicts, by pair."""
    rows = [Counter() for _ in entries]
    columns = [Counter() for _ in entries]
    for step, weight_of in enumerate(entries):
        for (i, j), weight in weight_of.items():
            rows[step][i] += weight
            columns[step][j] += weight

    def follow(path, value):
        step = len(path) - 1
        if step == len(entries):
            return value if path[-1] == end else 0
        total = 0
        for (i, j), weight in entries[step].items():
            is_new = all(types[p] != types[step + 1] or path[p] != j for p in range(step + 1))
            if i == path[-1] and (is_new or not simple):
                factor = (rows[step][i] * columns[step][j]) ** -damping if damping else 1
                total += follow([*path, j], value * weight * factor)
        return total

    return follow([start], 1)


@pytest.mark.parametrize("damping", [0, 0.5])
@pytest.mark.parametrize("simple", [True, False])
@given(data=st.data())
@settings(max_examples=40)
def test_ways_that_do_not_come_back(damping, simple, data):
    sizes = {"gene": 3, "disease": 2}
    types = data.draw(st.lists(st.sampled_from(sorted(sizes)), min_size=2, max_size=5))
    entries = [
        {
            (i, j): data.draw(st.integers(1, 3))
            for i, j in itertools.product(range(sizes[left]), range(sizes[right]))
            if data.draw(st.booleans())
        }
        for left, right in zip(types, types[1:])
    ]
    assume(all(entries))
    relations = [Relation([(i, j, weight) for (i, j), weight in weight_of.items()], weight=True) for weight_of in entries]
    found = pathcount.dwpc(*relations, damping=damping, simple=simple, types=types, allow_missing=True)
    assert found.is_exact == (damping == 0)
    for i, j in itertools.product(found.rows, found.columns):
        truth = ways_of(entries, types, i, j, damping, simple)
        assert abs(found[i, j] - truth) <= found.error + 1e-15 * truth
        assert (found[i, j] == 0) == (truth == 0)


def test_ways_and_types():
    binds = Relation([("c1", "g1"), ("c2", "g1"), ("c2", "g2")])
    treats = Relation([("c1", "d1"), ("c3", "d1")])
    with pytest.raises(ValueError, match=r"positions 0 and 2 .* both have 'c1', but not all"):
        pathcount.chain(binds, binds.T, treats, simple=True, allow_missing=True)
    with pytest.raises(ValueError, match="one more than"):
        pathcount.chain(binds, simple=True, types=["c"])
    with pytest.raises(ValueError, match="from 0 to 1"):
        pathcount.dwpc(binds, damping=2)
    with pytest.raises(ValueError, match="6 relations at most"):
        pathcount.chain(*[binds, binds.T] * 4, simple=True)
    counts = pathcount.chain(binds, binds.T, treats, simple=True, types="cgcd", allow_missing=True)
    assert counts.tolist() == [[0], [1]]
    again = pickle.loads(pickle.dumps(pathcount.dwpc(binds, binds.T)))
    assert 0 < again.error < 1e-13


def test_a_table_of_metapaths():
    binds = Relation([("c1", "g1"), ("c2", "g1"), ("c2", "g2")])
    metapaths = {"CbG": [binds], "CbGbC": [binds, binds.T]}
    table = list(pathcount.dwpc_table(metapaths, damping=0.5))
    assert [row[:3] for row in table] == [
        ("CbG", "c1", "g1"),
        ("CbG", "c2", "g1"),
        ("CbG", "c2", "g2"),
        ("CbGbC", "c1", "c2"),
        ("CbGbC", "c2", "c1"),
    ]
    assert table[3][3] == pathcount.dwpc(*metapaths["CbGbC"])["c1", "c2"]
    types = {"CbG": "cg", "CbGbC": "cgx"}
    asked = list(pathcount.dwpc_table(metapaths, [("c1", "g2"), ("c1", "c1")], types=types, damping=0))
    assert asked == [("CbG", "c1", "g2", 0), ("CbGbC", "c1", "c1", 1)]


def test_relations_that_do_not_meet():
    left, right = Relation([("a", "x"), ("a", "y")]), Relation([("x", 1)])
    with pytest.raises(ValueError, match="'y' is no row of factor 2"):
        pathcount.chain(left, right)
    assert pathcount.chain(left, right, allow_missing=True).tolist() == [[1]]
    with pytest.raises(ValueError, match="one or more"):
        pathcount.chain()
    with pytest.raises(ValueError, match="an entry is"):
        Relation([("a", "b", 3)])


def test_relations_from_files(tmp_path):
    path = tmp_path / "writes.txt"
    path.write_text("Ada p1 2\nBen p1 1\nBen p2 5\n")
    relation = Relation(path, weight=True)
    assert list(relation.rows) == ["Ada", "Ben"]
    assert pathcount.chain(relation, relation.T).tolist() == [[4, 2], [2, 26]]
    assert pathcount.chain(Relation(path)).tolist() == [[1, 0], [1, 1]]


# ---- Recurrences -----------------------------------------------------------------------------------


@given(
    st.integers(1, 5), st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=10), st.sampled_from([None, 2, 101])
)
def test_recurrences(n, edges, mod):
    edges = [(u % n, v % n, 1) for u, v in edges]
    a = oracle.adjacency(n, edges, True, adds=False)
    graph = Graph([edge[:2] for edge in edges], directed=True, vertices=range(n))
    reads = {
        ("total",): oracle.total,
        ("trace",): oracle.trace,
        ("from", 0): lambda p: sum(p[0]),
        ("to", n - 1): lambda p: sum(row[n - 1] for row in p),
        ("between", 0, n - 1): lambda p: p[0][n - 1],
    }
    for of, read in reads.items():
        terms = [read(oracle.power(a, k)) for k in range(16)]
        if mod:
            terms = [term % mod for term in terms]
        found = pathcount.recurrence(graph, *of, **({"mod": mod} if mod else {}))
        d, first = found.order, found.start
        assert len(found.coefficients) == d
        assert found.initial == terms[: first + d]
        for k in range(first + d, 16):
            following = sum(c * terms[k - 1 - i] for i, c in enumerate(found.coefficients))
            assert terms[k] == (following % mod if mod else following)
        assert found.term(15) == terms[15]
        assert len(found.numerator) == first + d


def test_search_paths():
    arcs = [(0, 1, 1), (0, 2, 5), (1, 3, 2), (2, 3, 1), (3, 4, 3**40), (5, 4, 1)]
    graph = Graph(arcs, directed=True, weight=True)
    assert list(pathcount.spc(graph).values()) == [2 * 3**40, 5 * 3**40, 2 * 3**40, 5 * 3**40, 7 * 3**40, 1]
    assert pathcount.main_path(graph) == [(0, 2, 5 * 3**40), (2, 3, 5 * 3**40), (3, 4, 7 * 3**40)]
    assert pathcount.spc(graph, "splc")[1, 3] == 4 * 3**40
    assert pathcount.main_path(graph, "spnp", search="local", threads=1)[0][:2] == (0, 2)
    assert pathcount.spc([], threads=1) == {}
    with pytest.raises(pathcount.errors.DataError, match="'b' -> 'b' lead round"):
        pathcount.spc(Graph([("a", "b"), ("b", "b")], directed=True))
    with pytest.raises(pathcount.errors.ArgumentError, match="'spc', 'splc', 'spnp'"):
        pathcount.spc(graph, "pcs")


def test_recurrences_that_are_refused():
    graph = nx.path_graph(3)
    with pytest.raises(ValueError, match="of is"):
        pathcount.recurrence(graph, "all")
    with pytest.raises(ValueError, match="takes 2"):
        pathcount.recurrence(graph, "between", 0)
    with pytest.raises(KeyError):
        pathcount.recurrence(graph, "from", 7)
    found = pathcount.recurrence(graph)
    assert found.coefficients == [0, 2] or found.order == 2
    with pytest.raises(ValueError, match="n is"):
        found.term(-1)
    assert repr(found).startswith("<pathcount.Recurrence of order 2")


# ---- Centralities ----------------------------------------------------------------------------------


def test_katz():
    graph = nx.karate_club_graph()
    beta = 0.1
    values, remainder = pathcount.katz(graph, beta, 200)
    a = nx.to_numpy_array(graph, weight=None)
    exact = np.linalg.solve(np.eye(34) - beta * a.T, np.ones(34)) - 1
    assert np.allclose(list(values.values()), exact, rtol=1e-10)
    assert remainder < 1e-6
    with pytest.raises(ValueError, match="beta"):
        pathcount.katz(graph, -1, 3)


def test_subgraph_centrality():
    graph = nx.les_miserables_graph()
    values, remainder = pathcount.subgraph_centrality(graph, 120)
    exact = np.diag(scipy.linalg.expm(nx.to_numpy_array(graph, weight=None)))
    assert list(values) == list(graph)
    assert np.allclose(list(values.values()), exact, rtol=1e-10)
    assert remainder < 1e-10


@given(st.integers(1, 6), st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12), st.booleans())
def test_random_walk_encodings(n, edges, directed):
    """As PyTorch Geometric's AddRandomWalkPE: the diagonal of (D^-1 A)^l; a vertex without arcs has zeros."""
    edges = [(u % n, v % n, 1) for u, v in edges]
    a = np.array(oracle.adjacency(n, edges, directed, adds=False), dtype=float)
    graph = Graph([edge[:2] for edge in edges], directed=directed, vertices=range(n))
    degree = a.sum(axis=1)
    walk = np.divide(a, degree[:, None], out=np.zeros_like(a), where=degree[:, None] > 0)
    expected = np.stack([np.diag(np.linalg.matrix_power(walk, k)) for k in range(1, 6)], axis=1)
    encoding = pathcount.random_walk_pe(graph, 5)
    assert encoding.dtype == np.float32
    assert encoding.shape == (n, 5)
    assert np.allclose(encoding, expected, atol=1e-7)
    assert np.allclose(pathcount.random_walk_pe(graph, 5, "float64"), expected, atol=1e-12)


# ---- Weights with decimals -------------------------------------------------------------------------

DECIMALS = st.integers(1, 10**6).map(lambda n: n / 1000)


def weighted_forms(n, edges, directed):
    """The same weighted graph as each kind of object."""
    kind = nx.DiGraph if directed else nx.Graph
    graph = kind()
    graph.add_nodes_from(range(n))
    graph.add_weighted_edges_from(edges)
    plain = [(u, v, data["weight"]) for u, v, data in graph.edges(data=True)]
    matrix = nx.to_numpy_array(graph)
    ig = igraph.Graph(n, [edge[:2] for edge in plain], directed=directed)
    ig.es["cost"] = [edge[2] for edge in plain]
    table = pandas.DataFrame(plain, columns=["u", "v", "w"])
    columns = {"vertices": range(n), "directed": directed}
    yield Graph(graph, weight="weight", real_weights=True), matrix
    yield Graph(ig, weight="cost", real_weights=True, loops=1), matrix
    yield Graph(plain, weight=True, real_weights=True, **columns), matrix
    if plain:
        yield Graph(table, weight="w", real_weights=True, **columns), matrix
    if n != 2:  # which may be two edges
        yield Graph(matrix, real_weights=True), matrix
    yield Graph(sp.csr_array(matrix), real_weights=True), matrix
    yield pickle.loads(pickle.dumps(Graph(graph, weight="weight", real_weights=True))), matrix


@given(st.integers(1, 5), st.lists(st.tuples(*[st.integers(0, 4)] * 2, DECIMALS), max_size=8), st.booleans())
def test_weights_with_decimals(n, edges, directed):
    edges = [(u % n, v % n, weight) for u, v, weight in edges]
    for graph, a in weighted_forms(n, edges, directed):
        sums = a.sum(axis=1)
        walk = np.where(sums[:, None] > 0, a / np.where(sums > 0, sums, 1)[:, None], np.eye(n))
        assert np.allclose(pathcount.markov(graph, 3).to_numpy(), np.linalg.matrix_power(walk, 3), rtol=1e-9)
        katz = sum(0.001**k * np.linalg.matrix_power(a, k) for k in range(1, 5)).sum(axis=0)
        assert np.allclose(list(pathcount.katz(graph, 0.001, 4).values.values()), katz, rtol=1e-9)
        assert math.isclose(graph.max_weight, a.max())


def test_weights_with_decimals_from_files(tmp_path):
    path = tmp_path / "graph.txt"
    path.write_text("A B 0.25\nA C 0.75\n")
    graph = Graph(path, weight=True, real_weights=True, directed=True)
    assert pathcount.markov(graph, 1)["A", "C"] == 0.75
    assert pathcount.katz(graph, 0.5, 1).values == {"A": 0.0, "B": 0.125, "C": 0.375}
    assert pathcount.random_walk_pe(graph, 1).tolist() == [[0.0], [0.0], [0.0]]


def test_parallel_edges_with_decimals_add():
    graph = nx.MultiDiGraph()
    graph.add_edge("A", "B", weight=0.5)
    graph.add_edge("A", "B", weight=0.25)
    graph.add_edge("A", "C")
    values = pathcount.katz(Graph(graph, weight="weight", real_weights=True), 1.0, 1).values
    assert values == {"A": 0.0, "B": 0.75, "C": 1.0}


@pytest.mark.parametrize("weight", [-0.5, math.nan, math.inf, 1e30, "much", None])
def test_weights_that_are_none(weight):
    with pytest.raises(pathcount.errors.DataError, match="weight"):
        Graph([("A", "B", weight)], weight=True, real_weights=True)


def test_what_takes_no_decimals():
    graph = Graph([("A", "B", 0.5)], weight=True, real_weights=True)
    assert graph.has_decimals
    for ask in (
        lambda: pathcount.count(graph, 3),
        lambda: pathcount.total(graph, 3),
        lambda: pathcount.subgraph_centrality(graph, 3),
        lambda: pathcount.recurrence(graph),
        lambda: list(pathcount.stream([graph], 3)),
        lambda: pathcount.coarsen(graph, 3, {"A": 0, "B": 0}),
    ):
        with pytest.raises(ValueError, match="decimals"):
            ask()
    whole = Graph([("A", "B", 2.0)], weight=True, real_weights=True)
    assert not whole.has_decimals
    assert pathcount.total(whole, 3) == 16


# ---- Random walks ----------------------------------------------------------------------------------


@pytest.mark.parametrize("simple", [False, True])
def test_random_walks(simple):
    edges = {("a", "b"), ("b", "c"), ("c", "a"), ("a", "c"), ("c", "d"), ("d", "d")}
    graph = pathcount.Graph(list(edges), directed=True)
    walks = pathcount.sample(graph, 3, 6000, simple=simple, seed=5, threads=2)
    assert walks == pathcount.sample(graph, 3, 6000, simple=simple, seed=5, threads=1)
    every = [w for w in itertools.product("abcd", repeat=4) if all(step in edges for step in zip(w, w[1:]))]
    every = [w for w in every if not simple or len(set(w)) == 4]
    counts = Counter(walks)
    assert set(counts) == set(every)
    expected = 6000 / len(every)
    assert all(abs(count - expected) < 5 * expected**0.5 for count in counts.values())


def test_random_walks_between_vertices():
    graph = pathcount.Graph([(0, 1), (1, 2), (2, 3), (0, 2)])
    walks = pathcount.sample(graph, 4, 50, source=0, target=3)
    assert len(walks) == 50
    assert {(walk[0], walk[-1]) for walk in walks} == {(0, 3)}
    assert pathcount.sample(graph, 0, 2, target=2) == [(2,), (2,)]
    assert pathcount.sample(graph, 3, 0) == []
    with pytest.raises(pathcount.errors.LabelError, match="7"):
        pathcount.sample(graph, 3, 1, source=7)
    with pytest.raises(pathcount.errors.DataError, match="no path that visits no vertex twice"):
        pathcount.sample(graph, 4, 1, simple=True)
    with pytest.raises(pathcount.errors.ArgumentError, match="mod"):
        pathcount.sample(graph, 4, 1, mod=7)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=8), st.sampled_from([None, 7]))
def test_recurrence_in_words(edges, modulus):
    graph = Graph(edges, directed=True)
    found = pathcount.recurrence(graph, mod=modulus)
    assert found.terms(30) == [pathcount.total(graph, n, mod=modulus) for n in range(30)]
    assert found.terms(2) == found.terms(30)[:2]
    rule, terms = str(found).split("; ")
    assert [int(term) for term in terms.split(", ")] == found.terms(10)
    right, first = rule.removeprefix("a(n) = ").split(" for n >= ")
    program = re.sub(r"(?:(\d+) )?a\(n-(\d+)\)", lambda term: f"{term[1] or 1}*a[n-{term[2]}]", right)
    a = found.terms(20)
    for n in range(int(first), 20):
        value = eval(program, {"a": a, "n": n})
        assert (value - a[n]) % modulus == 0 if modulus else value == a[n]


def test_communities_are_blocks():
    graph = nx.barbell_graph(4, 1)
    communities = [{0, 1, 2, 3}, [4], frozenset({5, 6, 7, 8})]
    between = pathcount.coarsen(graph, 3, communities)
    assert between == pathcount.coarsen(graph, 3, {v: i for i, block in enumerate(communities) for v in block})
    turned = pathcount.coarsen(graph, 3, communities[::-1])
    assert list(turned.rows) == [0, 1, 2]
    assert turned.to_numpy().tolist() == [row[::-1] for row in between.to_numpy().tolist()[::-1]]
    for bad, words in (([{0}, {0}], "in two blocks"), ([{0, 1}], "no block"), ([{1}, "ab"], "list of sets")):
        with pytest.raises((ValueError, KeyError), match=words):
            pathcount.coarsen(graph, 3, bad)


def test_series_are_vectors():
    values = pathcount.katz(nx.path_graph(3), 0.5, 2).values
    assert values.top(1) == [(1, 1.5)]
    assert values.to_pandas().tolist() == [1.0, 1.5, 1.0]


def test_relations_of_files(tmp_path):
    path = tmp_path / "binds.tsv"
    path.write_text("drug\tgene\nA\tx\nB\ty\n")
    with pytest.raises(ValueError, match="header=True"):
        pathcount.Relation(path)
    assert list(pathcount.Relation(path, header=True).rows) == ["A", "B"]
    assert list(pathcount.Relation(path, columns=("gene", "drug")).rows) == ["x", "y"]
    with pytest.raises(ValueError, match="header is given"):
        pathcount.Relation([("a", "b")], header=True)
    with pytest.raises(ValueError, match=r"\.T reads a factor backwards"):
        pathcount.chain(*[pathcount.Relation([("a", "p")])] * 2)
    with pytest.raises(ValueError, match=r"such as pathsim\(R, R\.T\)"):
        pathcount.pathsim(pathcount.Relation([("a", "p")]))
    with pytest.raises(ValueError, match=r"chain\(Relation\(table\)"):
        pathcount.chain([("a", "p")])


def test_two_lists_of_two():
    with pytest.raises(ValueError, match="a matrix or two edges"):
        pathcount.count([[0, 1], [0, 0]], 1)
    assert pathcount.total([["a", "b"], ["b", "c"]], 2) == pathcount.total([(0, 1), (1, 2)], 2) == 6
