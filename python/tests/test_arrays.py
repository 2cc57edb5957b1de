"""Counts and Vector as arrays and mappings: parts, slices, sums, equality, against lists of Python integers."""

import networkx as nx
import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathcount
from pathcount import Counts, Graph, Vector
from pathcount.errors import ArgumentError, LabelError

NAMES = ["a", ("b", 1), None, "d", 2.5]


@st.composite
def answers(draw):
    """(matrix of lists, Counts) with labels of any kind: narrow, of several words, and doubles."""
    n = draw(st.integers(1, 5))
    rounded = draw(st.booleans())
    a = [[draw(st.sampled_from([0, 1, 2, 2 if rounded else 2**40])) for _ in range(n)] for _ in range(n)]
    k = draw(st.integers(0, 5))
    edges = [(NAMES[i], NAMES[j], a[i][j]) for i in range(n) for j in range(n)]
    graph = Graph(edges, weight=True, directed=True, vertices=NAMES[:n])
    return oracle.power(a, k), pathcount.count(graph, k, approximate=rounded)


def places(n):
    return st.lists(st.integers(0, n - 1), max_size=n, unique=True)


@given(answers(), st.data())
def test_parts(made, data):
    matrix, counts = made
    n = len(matrix)
    rows, columns = data.draw(places(n)), data.draw(places(n))
    bounds = st.one_of(st.none(), st.integers(-n - 1, n + 1))
    cut = slice(data.draw(bounds), data.draw(bounds), data.draw(st.sampled_from([None, 1, 2, -1, -2])))
    of_rows, of_columns = [NAMES[i] for i in rows], [NAMES[j] for j in columns]
    i = data.draw(st.integers(0, n - 1))
    label = NAMES[i]
    if rows != [] or columns != []:
        part = counts[of_rows, of_columns]
        assert part.tolist() == [[matrix[i][j] for j in columns] for i in rows]
        assert (list(part.rows), list(part.columns)) == (of_rows, of_columns)
        assert (part.rows is part.columns) == (rows == columns)
    assert counts[of_rows].tolist() == [matrix[i] for i in rows]
    assert counts[:, of_columns].tolist() == [[row[j] for j in columns] for row in matrix]
    assert counts[cut].tolist() == matrix[cut]
    assert counts[cut, cut].tolist() == [row[cut] for row in matrix[cut]]
    assert counts[:, cut].tolist() == [row[cut] for row in matrix]
    assert list(counts[cut]) == NAMES[:n][cut]
    for row in (counts[label, :], counts.row(label)):
        assert isinstance(row, Vector)
        assert dict(row) == dict(zip(NAMES, matrix[i]))
    assert dict(counts[:, label]) == {name: line[i] for name, line in zip(NAMES, matrix)}
    assert counts[label, of_columns].tolist() == [matrix[i][j] for j in columns]
    row = counts.row(label)
    assert row[of_columns].tolist() == [matrix[i][j] for j in columns]
    assert row[cut].tolist() == matrix[i][cut]
    assert row[:] == row
    assert counts[:, :] == counts
    assert counts[:].rows is counts[:].columns


@given(answers())
def test_an_array_and_a_mapping(made):
    matrix, counts = made
    n = len(matrix)
    turned = [list(column) for column in zip(*matrix)]
    assert counts.T.tolist() == turned
    assert counts.T.trace == counts.trace
    assert (counts == counts.T) == (matrix == turned)
    assert counts == counts.T.T
    assert (counts.shape, counts.ndim, counts.size) == ((n, n), 2, n * n)
    row = counts.row("a")
    assert (row.shape, row.ndim, row.size) == ((n,), 1, n)
    largest = max(map(max, matrix))
    assert counts.dtype == (float if not counts.is_exact else np.uint64 if largest < 2**64 else object)
    assert counts.sum() == np.sum(counts) == oracle.total(matrix)
    for axis, lines in ((0, turned), (1, matrix), (-1, matrix), (-2, turned)):
        assert dict(counts.sum(axis=axis)) == dict(zip(NAMES, map(sum, lines)))
    assert np.sum(counts, axis=1).tolist() == list(map(sum, matrix))
    assert row.sum() == np.sum(row) == sum(matrix[0])
    assert [(label, list(line.values())) for label, line in counts.items()] == list(zip(NAMES, matrix))
    assert list(counts.keys()) == NAMES[:n]
    assert dict(counts) == {label: dict(zip(NAMES, line)) for label, line in zip(NAMES, matrix)}
    assert ["a"] not in counts
    assert ["a"] not in row
    with pytest.raises(ArgumentError, match="axis is 2"):
        counts.sum(axis=2)
    with pytest.raises(TypeError, match="unhashable"):
        hash(counts)


@given(answers(), st.randoms())
def test_equality_is_by_label(made, random):
    matrix, counts = made
    names = list(counts.rows)
    random.shuffle(names)
    assert counts[names, names] == counts
    assert counts[names] == counts
    assert counts[names].row("a") == counts.row("a")
    assert counts.row("a") == dict(zip(counts.rows, matrix[0]))
    other = counts[names[1:], names]
    assert other != counts
    assert counts != matrix
    if counts.is_exact:
        wider = pathcount.count(
            Graph(
                [(u, v, counts[u, v]) for u in counts for v in counts if counts[u, v] < 2**64],
                weight=True,
                directed=True,
                vertices=list(counts),
            ),
            1,
        )
        assert (wider == counts) == (max(map(max, matrix)) < 2**64)


def test_equality_of_one_number():
    one, two = (pathcount.count(Graph([("a", "b", w)], weight=True), 1) for w in (2**63, 2**63 + 1))
    assert one != two
    assert one == pathcount.count(Graph([("a", "b", 2**63)], weight=True), 1)
    assert one != pathcount.count(Graph([("a", "c", 2**63)], weight=True), 1)
    assert (np.arange(2) == pathcount.starts([("x", "y")], 1)).tolist() == [False, True]  # NumPy's own, element by element


def test_labels_that_are_numbers():
    counts = pathcount.count(nx.path_graph(4), 2)
    assert counts[1:3] == counts[[1, 2]] == counts[range(1, 3)] == counts[np.array([1, 2])]
    lengths = pathcount.total(nx.path_graph(4), 5, each=True)
    assert lengths[:] == lengths
    assert dict(lengths[[2, 3]]) == dict(lengths[range(2, 4)]) == {2: 10, 3: 16}
    for cut in (slice(1, 3), slice(2), slice(1, None)):
        for ask in (lengths.__getitem__, pathcount.count([(5, 7)], 2).__getitem__):
            with pytest.raises(ArgumentError, match="labels or of places"):
                ask(cut)
    with pytest.raises(ArgumentError, match="array of bool"):
        counts[np.array([True, False, True, False])]
    with pytest.raises(LabelError, match="9"):
        counts[[1, 9]]
    with pytest.raises(LabelError):
        counts[3:, 9]
    tuples = pathcount.count([("b", 1), (1, ("b", 2)), ("b", ("b", 1))], 1)
    assert tuples["b", 2] == tuples.row(("b", 2))
    with pytest.raises(ArgumentError, match="row\\(label\\)"):
        tuples["b", 1]
    assert tuples.row("b")[1] == 1
    pairs = pathcount.walks_between(nx.path_graph(4), [0, 1], [1, 2], 3)
    assert pairs[0, 1] == 2
    assert pairs[[(1, 2)]].tolist() == [3]


def test_parts_of_other_shapes():
    rows = pathcount.walks_from(nx.path_graph(4), [0, 3], 3)
    assert isinstance(rows, Counts)
    assert rows.T.tolist() == [[0, 1], [2, 0], [0, 2], [1, 0]]
    assert rows.T[1].tolist() == [2, 0]
    assert rows[:, 1].tolist() == [2, 0]
    assert rows.sum(axis=0).tolist() == [1, 2, 2, 1]
    assert rows[[3, 0]] == rows
    nothing = pathcount.count([], 3)
    assert nothing[:] == nothing == nothing.T
    assert nothing.sum(axis=0) == {}
    assert nothing.dtype == np.uint64


def test_pages_of_a_vector():
    html = pathcount.starts(nx.path_graph(12), 3)._repr_html_()
    assert html.count("<tr>") == 11
    assert "2 more" in html
    assert "&lt;b&gt;" in pathcount.starts([("<b>", "c")], 3)._repr_html_()
