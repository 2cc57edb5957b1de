"""Counts and Vector in other packages, against lists of Python integers. A package that is not installed is named."""

import networkx as nx
import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathcount
from pathcount import Graph
from pathcount.errors import ArgumentError, RangeError

#: The largest number of each kind, and what may come next.
EDGES = [1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**38 - 1, 10**38, 10**76 - 1, 10**76]


def of(package):
    return pytest.importorskip(package, reason=f"SKIPPED: {package} is not installed")


def counts_of(number):
    """A matrix of counts with this one from s to t, and others: each digit in base 2**32 is a path of eight arcs."""
    edges, digit = [("s", "x", 1)], 0
    while number >> 32 * digit:
        value = (number >> 32 * digit) % 2**32
        nodes = ["s", *(f"{digit}.{i}" for i in range(8)), "t"]
        edges += [(u, v, 2**32 if i < digit else 1) for i, (u, v) in enumerate(zip(nodes, nodes[1:]))]
        edges[-1] = (*edges[-1][:2], value)
        digit += 1
    return pathcount.count(Graph([edge for edge in edges if edge[2]], weight=True, directed=True), 9)


def nonzero(counts):
    return {(u, v): counts[u, v] for u in counts.rows for v in counts.columns if counts[u, v]}


@pytest.mark.parametrize("number", EDGES)
def test_tables_of_arrow(number):
    pa, counts = of("pyarrow"), counts_of(number)
    row = counts.row("s")
    if number >= 10**76:
        for answer in (counts, row):
            with pytest.raises(RangeError, match=r"76 digits.*to_pandas"):
                answer.to_arrow()
        return
    kind = pa.uint64() if number < 2**64 else pa.decimal128(38) if number < 10**38 else pa.decimal256(76)
    for table in (counts.to_arrow(), pa.table(counts)):
        assert table.schema.field("count").type == kind
        rows = table.to_pylist()
        assert {(one["from"], one["to"]): int(one["count"]) for one in rows} == nonzero(counts)
    rows = pa.table(row).to_pylist()
    assert {one["label"]: int(one["count"]) for one in rows} == dict(row)


@pytest.mark.parametrize("number", EDGES)
def test_frames_of_polars(number):
    pl, counts = of("polars"), counts_of(number)
    if number >= 10**38:
        with pytest.raises(RangeError, match="38 digits"):
            counts.to_polars()
        return
    frame = counts.to_polars()
    assert frame.schema["count"] == (pl.UInt64 if number < 2**64 else pl.Decimal(38, 0))
    assert {(u, v): int(count) for u, v, count in frame.rows()} == nonzero(counts)
    assert {label: int(count) for label, count in counts.row("s").to_polars().rows()} == dict(counts.row("s"))
    of("pyarrow")
    assert pl.DataFrame(counts).rows() == frame.rows()  # by the stream


def test_duckdb_and_nanoarrow():
    of("pyarrow")
    counts = pathcount.count(nx.path_graph(4), 2)
    array = of("nanoarrow").ArrayStream(counts).read_all()
    assert [(one["from"], one["to"], one["count"]) for one in array.to_pylist()] == [
        (*at, c) for at, c in nonzero(counts).items()
    ]
    duckdb = of("duckdb")
    arrow = counts.to_arrow()
    assert arrow.num_rows == len(nonzero(counts))
    assert duckdb.sql("select sum(count) from arrow").fetchall() == [(counts.total,)]


def test_columns_of_labels():
    of("pyarrow")
    of("polars")
    mixed = pathcount.count([("a", 1), (1, ("b", 2))], 1)
    for make in (mixed.to_arrow, mixed.to_polars, mixed.row("a").to_arrow, mixed.row("a").to_polars):
        with pytest.raises(ArgumentError, match=r"no column of one type: take to_pandas"):
            make()
    lengths = pathcount.starts([("a", "b")], 2, each=True)
    assert lengths.to_arrow().column_names == lengths.to_polars().columns == ["length", "to", "count"]
    assert pathcount.total([("a", "b")], 2, each=True).to_arrow().column_names == ["length", "count"]
    nothing = pathcount.count([], 3)
    assert (nothing.to_arrow().num_rows, nothing.to_polars().height) == (0, 0)
    assert pathcount.markov([("a", "b")], 1).to_polars()["count"].to_list() == [1.0, 1.0]


@given(st.integers(1, 6), st.integers(0, 9), st.data())
def test_scipy_and_networkx(n, k, data):
    of("scipy")
    edges = data.draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.integers(1, 200)), max_size=9))
    matrix = oracle.power(oracle.adjacency(n, edges, True, True), k)
    graph = Graph(
        [(f"v{u}", f"v{v}", w) for u, v, w in edges],
        weight=True,
        directed=True,
        multigraph=True,
        vertices=[f"v{i}" for i in range(n)],
    )
    counts = pathcount.count(graph, k)
    made = counts.to_networkx(weight="n")
    assert list(made) == list(counts.rows)
    expected = {(f"v{i}", f"v{j}"): matrix[i][j] for i in range(n) for j in range(n) if matrix[i][j]}
    assert {(u, v): w for u, v, w in made.edges(data="n")} == expected
    assert all(type(w) is int for _, _, w in made.edges(data="n"))
    if max(map(max, matrix)) < 2**64:
        sparse = counts.to_scipy()
        assert (sparse.dtype, sparse.nnz, sparse.shape) == (np.uint64, len(expected), (n, n))
        assert sparse.toarray().tolist() == matrix
        assert counts.to_scipy("float64").toarray().tolist() == [list(map(float, row)) for row in matrix]
        assert pathcount.count(sparse, 1).tolist() == matrix
    else:
        with pytest.raises(RangeError, match="bits"):
            counts.to_scipy()


def test_nodes_that_would_be_one():
    lengths = pathcount.starts([(1, 2)], 3, each=True)
    with pytest.raises(ArgumentError, match="1 is a length and a vertex"):
        lengths.to_networkx()
    assert set(pathcount.starts([("a", "b")], 2, each=True).to_networkx()) == {1, 2, "a", "b"}
    assert pathcount.walks_from([("a", "b")], ["b"], 1).to_networkx()["b"]["a"]["weight"] == 1
    treats = pathcount.Relation([("aspirin", "fever"), ("ibuprofen", "fever")])
    assert pathcount.chain(treats).to_networkx()["aspirin"]["fever"]["weight"] == 1


@pytest.mark.parametrize("number", EDGES[:5])
def test_dlpack(number):
    counts = counts_of(number)
    for answer in (counts, counts.row("s")):
        if number >= 2**64:
            with pytest.raises(OverflowError, match="bits"):
                np.from_dlpack(answer)
            continue
        array = np.from_dlpack(answer)
        assert array.dtype == (np.int64 if number < 2**63 else np.uint64)
        assert array.tolist() == answer.tolist()
        assert not np.shares_memory(array, np.asarray(answer.limbs))
    with pytest.raises(BufferError):
        counts.__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError):
        counts.__dlpack__(copy=False)


def test_dlpack_elsewhere():
    counts = pathcount.count(nx.karate_club_graph(), 8)
    jax = of("jax")
    jax.config.update("jax_enable_x64", True)
    assert jax.numpy.from_dlpack(counts).tolist() == counts.tolist()
    assert jax.numpy.from_dlpack(pathcount.markov(nx.path_graph(3), 1)).tolist() == [[0, 1, 0], [0.5, 0, 0.5], [0, 1, 0]]
    torch = of("torch")
    assert torch.from_dlpack(counts).tolist() == counts.tolist()
