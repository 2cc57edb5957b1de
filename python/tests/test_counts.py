"""Counts and Vector: every form of a number, at the edges of words and types."""

import gc
import math
import pickle

import networkx as nx
import numpy as np
import oracle
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathcount
from pathcount import Graph

EDGES_OF_WORDS = [2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**64 + 1, 2**65 - 1, 2**128 - 1, 2**128]


def counts_with(number):
    """A matrix of counts with this one: each digit of it in base 2**32 is a way from s to t, of five arcs."""
    edges, steps, digit, weight = [], 5, 0, number
    while weight:
        value, weight = weight % 2**32, weight >> 32
        if value:
            path = ["s", *(f"{digit}.{i}" for i in range(1, steps)), "t"]
            factors = [value, *([2**32] * digit), *([1] * (steps - 1 - digit))]
            edges += [(u, v, f) for u, v, f in zip(path, path[1:], factors)]
        digit += 1
    return pathcount.count(Graph(edges, directed=True, weight=True), steps)


@pytest.mark.parametrize("number", [1, *EDGES_OF_WORDS])
def test_edges_of_types(number):
    counts = counts_with(number)
    assert counts["s", "t"] == counts.largest == counts.total == number
    assert counts.bits == number.bit_length()
    for dtype, most in ((None, 2**64 - 1), ("uint64", 2**64 - 1), ("int64", 2**63 - 1), ("int32", 2**31 - 1), ("uint8", 255)):
        if number <= most:
            array = counts.to_numpy(dtype)
            assert array.dtype == (dtype or "uint64")
            assert int(array.max()) == number
        else:
            with pytest.raises(OverflowError, match=r"object.*float64.*limbs"):
                counts.to_numpy(dtype)
    exact = counts.to_numpy(dtype=object)
    assert exact.max() == number
    assert all(type(entry) is int for entry in exact.flat)
    assert counts.to_numpy("float64").max() == float(number)
    words = np.asarray(counts.limbs).astype(object)
    assert (words * [2 ** (64 * i) for i in range(words.shape[2])]).sum() == number
    frame = counts.to_pandas()
    assert frame.loc["s", "t"] == number
    assert (frame.dtypes == ("uint64" if number < 2**64 else object)).all()


def test_nearest_doubles_of_wide_counts():
    for number in (2**64 + 2**11, 2**64 + 2**11 + 1, 2**53 + 1, 2**54 + 3, 2**128 - 2**74):
        assert counts_with(number).to_numpy("float64").max() == float(number)


def test_wider_than_doubles():
    counts = pathcount.count(nx.complete_graph(20), 400)
    assert counts[0, 1] == (19**400 - 1) // 20
    with pytest.raises(OverflowError):
        counts.to_numpy("float64")
    assert len(repr(counts)) < 200


matrix_of = (
    st.integers(1, 6)
    .flatmap(lambda n: st.lists(st.lists(st.integers(0, 2**40), min_size=n, max_size=n), min_size=n, max_size=n))
    .filter(lambda a: len(a) != 2)
)


@given(matrix_of, st.integers(0, 5))
def test_forms_agree(a, k):
    expected = oracle.power(a, k)
    n = len(a)
    counts = pathcount.count(np.array(a, dtype=np.uint64), k)
    assert counts.shape == (n, n)
    assert counts.tolist() == expected
    assert [[counts[i, j] for j in range(n)] for i in range(n)] == expected
    assert [row.tolist() for _, row in counts.iter_rows()] == expected
    assert counts.to_numpy(object).tolist() == expected
    assert counts.total == oracle.total(expected)
    assert counts.trace == oracle.trace(expected)
    assert counts.diagonal.tolist() == [expected[i][i] for i in range(n)]
    assert list(counts.row_sums.values()) == list(map(sum, expected))
    assert counts.largest == max(map(max, expected))
    places = sorted((-expected[i][j], i, j) for i in range(n) for j in range(n) if expected[i][j])
    assert counts.top(5) == [(i, j, -count) for count, i, j in places[:5]]
    row = counts.row(0)
    assert dict(row) == dict(enumerate(expected[0]))
    assert row.total == sum(expected[0])
    assert row.top(2) == sorted(enumerate(expected[0]), key=lambda item: (-item[1], item[0]))[:2]
    assert row.to_numpy(object).tolist() == expected[0]
    assert row.to_pandas().tolist() == expected[0]
    assert np.asarray(counts.limbs).shape == (n, n, counts.limbs.shape[2])


def test_views_share_the_memory_and_outlive_the_counts():
    counts = pathcount.count(nx.karate_club_graph(), 8)
    view, array = np.asarray(counts.limbs), counts.to_numpy()
    assert np.shares_memory(view, array)
    expected = counts.tolist()
    row, limbs = counts.row(0), counts.limbs
    del counts, view
    gc.collect()
    for _ in range(20):  # whatever was freed is used again
        pathcount.count(nx.karate_club_graph(), 7)
    assert array.tolist() == expected
    assert row.tolist() == expected[0]
    assert limbs[0, 0, 0] == expected[0][0]


def test_counts_never_change():
    counts = pathcount.count(nx.karate_club_graph(), 8)
    with pytest.raises(ValueError, match="read-only"):
        counts.to_numpy()[0, 0] = 1
    with pytest.raises(TypeError):
        counts.limbs[0, 0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(counts.limbs)[0, 0, 0] = 1
    array = np.array(counts)
    array[0, 0] = 1  # a copy


def test_labels():
    counts = pathcount.count([("a", ("b", 1)), (("b", 1), None)], 2)
    assert counts["a", None] == 1
    assert counts.row(("b", 1))["a"] == 0
    with pytest.raises(KeyError, match="'c'"):
        counts["a", "c"]
    with pytest.raises(KeyError):
        counts.row([])
    numbered = pathcount.count(nx.path_graph(3), 2)
    assert numbered[np.int64(0), True] == numbered[0, 1]
    for label in (-1, 3, "0", None, 2**70):
        with pytest.raises(KeyError):
            numbered[0, label]


def test_a_picture():
    html = pathcount.count(nx.karate_club_graph(), 8)._repr_html_()
    assert html.count("<rect") == 34 * 34
    assert "<svg" in html
    assert pathcount.count(nx.empty_graph(0), 8)._repr_html_().startswith("<code>")
    assert "<rect" not in pathcount.count(nx.empty_graph(4), 8)._repr_html_()
    assert "&lt;" in html
    large = pathcount.count(nx.path_graph(300), 30)._repr_html_()
    assert large.count("<rect") <= 48 * 48


def test_doubles():
    probabilities = pathcount.markov([("a", "b"), ("b", "c")], 1)
    assert not probabilities.is_exact
    assert probabilities["b", "a"] == 0.5
    assert probabilities.to_numpy().tolist() == [[0, 1, 0], [0.5, 0, 0.5], [0, 1, 0]]
    assert math.isclose(probabilities.total, 3)
    assert isinstance(probabilities.to_pandas(), pd.DataFrame)
    with pytest.raises(TypeError):
        probabilities.limbs  # noqa: B018
    with pytest.raises(TypeError):
        probabilities.bits  # noqa: B018
    rounded = pathcount.count(nx.complete_graph(20), 200, approximate=True)
    assert math.isclose(rounded[0, 1], (19**200 - 1) / 20, rel_tol=1e-12)
    assert math.isclose(rounded.to_numpy()[0, 1], (19**200 - 1) / 20, rel_tol=1e-12)


def test_doubles_out_of_their_range():
    far = pathcount.count(nx.complete_graph(20), 400, approximate=True)
    with pytest.raises(OverflowError, match="count exactly"):
        far[0, 1]


def test_no_vertices():
    counts = pathcount.count([], 3)
    assert counts.shape == (0, 0)
    assert counts.total == counts.trace == 0
    assert counts.top() == []
    assert counts.tolist() == []
    assert counts.to_numpy().shape == (0, 0)
    assert len(pathcount.starts([], 3)) == 0


def test_table_for_people():
    graph = pathcount.Graph([("a", "b", 3)], weight=True)
    assert str(pathcount.count(graph, 3)).split() == [
        *repr(pathcount.count(graph, 3)).split(),
        "a",
        "b",
        "a",
        "0",
        "27",
        "b",
        "27",
        "0",
    ]
    wide = str(pathcount.count(nx.path_graph(30), 2)).splitlines()
    assert len(wide) == 13
    assert wide[-1] == "..."
    assert all(line.endswith("...") for line in wide[1:])
    assert str(pathcount.count([], 2)) == repr(pathcount.count([], 2)) + "\n"


def test_lengths_that_are_none():
    """Vertices without a path are missing values where people look, and UNREACHED where programs do."""
    lengths = pathcount.shortest_path_lengths(nx.Graph([(0, 1), (2, 3)]))
    assert lengths[0, 2] == lengths[0][3] == lengths.T[[2], [0]][2, 0] == pathcount.UNREACHED
    for made in (lengths, lengths.T, lengths[[0, 2], [0, 2]], pickle.loads(pickle.dumps(lengths))):
        assert "UNREACHED" in str(made)
        assert str(pathcount.UNREACHED) not in str(made) + repr(made[0]) + made[0]._repr_html_()
        table = made.to_pandas()
        assert table.isna().sum().sum() == sum(n == pathcount.UNREACHED for _, row in made.items() for n in row.values())
        assert table.fillna(0).to_numpy().sum() == sum(n for _, row in made.items() for n in row.values() if n < 9)
    assert lengths[0].to_pandas().dropna().to_dict() == {0: 0, 1: 1}
    assert lengths.top(9) == [(0, 1, 1), (1, 0, 1), (2, 3, 1), (3, 2, 1)]
    assert lengths.largest == 1
    assert lengths[0].top(2) == [(1, 1), (0, 0)]
    for add in (lambda: lengths.total, lambda: lengths.sum(axis=0), lambda: lengths.row_sums, lambda: lengths[0].total):
        with pytest.raises(ValueError, match="not added up"):
            add()
    assert lengths.to_arrow().to_pylist() == [{"from": u, "to": v, "count": 1} for u, v in ((0, 1), (1, 0), (2, 3), (3, 2))]
    assert lengths[2].to_arrow().to_pylist() == [{"label": 2, "count": 0}, {"label": 3, "count": 1}]
    many = pathcount.walks_between([(0, 1)], [0], [1], 3)  # counts are no lengths, whatever they are
    assert str(many.to_pandas().dtype) == "uint64"


def test_top_of_a_negative_number():
    counts = pathcount.count([(0, 1)], 2)
    for answer in (counts, counts[0]):
        assert answer.top(0) == []
        with pytest.raises(ValueError, match="n is -1"):
            answer.top(-1)


def test_errors_that_are_known():
    graph = nx.path_graph(3)
    assert pathcount.count(graph, 3).error == 0
    assert pathcount.count(graph, 3)[:2].error == 0
    for doubles in (pathcount.markov(graph, 3), pathcount.count(graph, 3, approximate=True)):
        assert math.isnan(doubles.error)
        assert math.isnan(doubles.T.error)
