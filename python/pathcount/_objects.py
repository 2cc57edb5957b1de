"""Graphs of other packages, known by what they offer: nothing is imported for them, and no class is compared.

A row of KINDS says what marks a kind of object. Tables come by the C stream of Arrow, arrays by __array__ or DLPack.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any, Callable, NamedTuple

from . import _sources
from ._answers import Answer
from ._labels import listed
from ._sources import Arcs, Edges
from .errors import ArgumentError, DataError


def from_coordinates(
    labels: Sequence[Any], row: Any, column: Any, value: Any, directed: bool | None, is_real: bool
) -> Arcs | Edges:
    """The entries of a square matrix, arrays of NumPy in any order; value None: 1 each. Those that are given again add."""
    import numpy as np

    if is_real:
        reals = None if value is None else _sources._reals(value)
        return Edges(labels, _sources._words(row), _sources._words(column), reals, directed is not False, True, True)
    order = np.argsort(row, kind="stable")
    row_start = np.searchsorted(row[order], np.arange(len(labels) + 1)).astype(np.uint64)
    weight = None if value is None else _sources._entries(np.asarray(value)[order])
    return Arcs(labels, row_start, np.ascontiguousarray(column[order], dtype=np.uint32), weight, directed)


def from_edge_index(
    edge_index: Any, weight: Any, labels: Sequence[Any] | None, directed: bool | None, is_real: bool
) -> Arcs | Edges:
    """An array of 2 x m of positions: arcs, whose weights are an array of m or None. PyTorch Geometric has edges twice."""
    ends = array_of(edge_index)
    if ends is None or ends.shape[0] != 2 or (ends.dtype.kind not in "iu" and ends.size):
        raise ArgumentError(f"edge_index is a {_sources.name_of(edge_index)}: give an array of integers of the shape (2, m)")
    n = len(labels) if labels is not None else int(ends.max()) + 1 if ends.size else 0
    if ends.size and not 0 <= int(ends.min()) <= int(ends.max()) < n:
        raise DataError(f"edge_index has the vertices {ends.min()} to {ends.max()}, and there are {n}: give 0 to {n - 1}")
    if weight is not None:
        given, weight = weight, as_numpy(weight)
        if weight.size != ends.shape[1]:
            raise ArgumentError(
                f"weight is a {_sources.name_of(given)} of {weight.size} elements: give one for each of {ends.shape[1]} arcs"
            )
        weight = weight.reshape(-1)
    return from_coordinates(range(n) if labels is None else labels, ends[0], ends[1], weight, directed, is_real)


def _from_geometric(data: Any, keywords: Any) -> Arcs | Edges:
    if data.edge_index is None:
        raise ArgumentError(f"the {_sources.name_of(data)} has no edge_index: give one")
    weight = keywords.weight
    if weight is not None and (not isinstance(weight, str) or getattr(data, weight, None) is None):
        raise ArgumentError(
            f"weight is {weight!r}, and the {_sources.name_of(data)} has no such attribute: give 'edge_weight' or its like"
        )
    values = None if weight is None else getattr(data, weight)
    return from_edge_index(data.edge_index, values, range(data.num_nodes), keywords.directed, keywords.real_weights)


def _from_rustworkx(graph: Any, keywords: Any) -> Edges:
    """Vertices are called by their index. weight True: the data of an edge is its multiplicity; a name: data[name]."""
    labels = list(graph.node_indices())
    place = {label: i for i, label in enumerate(labels)}
    edges = list(graph.weighted_edge_list())
    begin, end = (array("Q", [place[edge[side]] for edge in edges]) for side in (0, 1))
    weights, key = None, keywords.weight
    if key is not None:
        code, number = _sources._numbers(keywords.real_weights)
        try:
            weights = array(code, [number(data if key is True else data[key], (u, v)) for u, v, data in edges])
        except (KeyError, IndexError, TypeError):
            raise ArgumentError(f"weight is {key!r}, and the data of an edge has no such element") from None
    return Edges(labels, begin, end, weights, hasattr(graph, "successors"), True, keywords.real_weights)


def _from_graphblas(matrix: Any, keywords: Any) -> Arcs | Edges:
    _sources.check_square((matrix.nrows, matrix.ncols))
    row, column, value = matrix.to_coo()
    return from_coordinates(range(matrix.nrows), row, column, value, keywords.directed, keywords.real_weights)


def _from_molecule(molecule: Any, keywords: Any) -> Edges:
    """Atoms by their index, a bond an edge. weight True: of the order of the bond, which is 1.5 of an aromatic one."""
    bonds = list(molecule.GetBonds())
    begin, end = array("Q", [b.GetBeginAtomIdx() for b in bonds]), array("Q", [b.GetEndAtomIdx() for b in bonds])
    weights = None
    if keywords.weight is not None:
        if keywords.weight is not True:
            raise ArgumentError(f"weight is {keywords.weight!r}: give True, for the orders of the bonds")
        code, number = _sources._numbers(keywords.real_weights)
        weights = array(code, [number(b.GetBondTypeAsDouble(), (u, v)) for b, u, v in zip(bonds, begin, end)])
    return Edges(range(molecule.GetNumAtoms()), begin, end, weights, False, True, keywords.real_weights)


def _from_scikit_network(data: Any, keywords: Any) -> Arcs | Edges:
    """A Dataset: its adjacency, and its names where it has some."""
    make = _sources.edges_of_matrix if keywords.real_weights else _sources.from_sparse
    made: Arcs | Edges = make(data.adjacency, keywords.directed)
    names = listed(getattr(data, "names", None))
    made.labels = made.labels if names is None else _sources._distinct(names)
    return made


class Kind(NamedTuple):
    """A kind of object: what it offers, what a message calls it, which keywords say something about it, who reads it."""

    marks: tuple[str, ...]
    name: str
    keywords: tuple[str, ...]
    read: Callable[[Any, Any], Any]


KINDS = (
    Kind(("edge_index", "num_nodes"), "a graph of PyTorch Geometric", ("directed", "weight"), _from_geometric),
    Kind(("node_indices", "weighted_edge_list"), "a graph of rustworkx", ("weight", "loops"), _from_rustworkx),
    Kind(("nrows", "ncols", "to_coo"), "a matrix", ("directed",), _from_graphblas),
    Kind(("GetNumAtoms", "GetBonds"), "a molecule", ("weight",), _from_molecule),
)
_DATASET = Kind((), "a data set of scikit-network", ("directed",), _from_scikit_network)


def kind_of(source: Any) -> Kind | None:
    """The kind of an object, None of others."""
    if isinstance(source, Mapping):
        return _DATASET if _is_sparse(getattr(source, "adjacency", None)) else None
    return next((kind for kind in KINDS if all(hasattr(source, mark) for mark in kind.marks)), None)


def _is_sparse(value: Any) -> bool:
    sparse = _sources.module("scipy.sparse")
    return bool(sparse and sparse.issparse(value))


# ---- Arrays and tables -----------------------------------------------------------------------------


def as_numpy(source: Any) -> Any:
    """An array of NumPy of a list, or of what has __array__ or DLPack. ArgumentError says why it is none."""
    import numpy as np

    try:
        return np.asarray(source) if hasattr(source, "__array__") or isinstance(source, list) else np.from_dlpack(source)
    except Exception as error:  # of any package
        raise ArgumentError(f"the {_sources.name_of(source)} is no array in the memory of the processor: {error}") from None


def array_of(source: Any) -> Any:
    """An array of NumPy of an array with two axes, of any package; None of other objects."""
    if isinstance(source, list):
        source = as_numpy(source)
    is_array = any(hasattr(source, mark) for mark in ("__array__", "__dlpack__")) and not isinstance(source, Answer)
    return _sources.without_mask(as_numpy(source)) if is_array and len(getattr(source, "shape", ())) == 2 else None


def table_of(source: Any) -> Any:
    """A table of pandas or pyarrow, or of pyarrow by the C stream of Arrow; None of other objects."""
    if (pandas := _sources.module("pandas")) and isinstance(source, pandas.DataFrame):
        return source
    marks = ("__arrow_c_stream__", "__arrow_c_array__")
    if isinstance(source, Answer) or not any(hasattr(source, mark) for mark in marks):
        return None
    try:
        import pyarrow
    except ImportError:
        raise ArgumentError(f"pyarrow reads a {_sources.name_of(source)}, and is not installed: pip install pyarrow") from None
    try:
        return pyarrow.table(source)
    except (TypeError, ValueError, NotImplementedError):
        return None  # a column


# ---- Relations -------------------------------------------------------------------------------------

Entries = tuple[Sequence[Any], Sequence[Any], Any, Any, Any]


def entries_of(source: Any, weight: Any) -> Entries | None:
    """Labels of rows, labels of columns, and of each entry its row, column and weight (None: 1 each); None of other objects."""
    biadjacency = getattr(source, "biadjacency", None)
    is_dataset = isinstance(source, Mapping) and _is_sparse(biadjacency)
    matrix: Any = biadjacency if is_dataset else source
    if (nx := _sources.module("networkx")) and isinstance(source, nx.Graph):
        return _entries_of_networkx(source, weight)
    if _is_sparse(matrix):
        made = _sources.joined(matrix).tocoo()
        shape, row, column, value = made.shape, made.row, made.col, made.data
    elif all(hasattr(matrix, mark) for mark in ("nrows", "ncols", "to_coo")):
        shape, (row, column, value) = (matrix.nrows, matrix.ncols), matrix.to_coo()
    elif (dense := array_of(source)) is not None:
        shape, (row, column) = dense.shape, dense.nonzero()
        value = dense[row, column]
    else:
        return None
    if weight:
        raise ArgumentError("weight is given, and a matrix says it itself: leave it out")
    names = [listed(getattr(source, name, None)) if is_dataset else None for name in ("names_row", "names_col")]
    rows, columns = (range(n) if these is None else _sources._distinct(these) for n, these in zip(shape, names))
    return rows, columns, row, column, _sources._entries(value)


def _entries_of_networkx(graph: Any, weight: Any) -> Entries:
    """Nodes with the attribute bipartite 0 are rows, those with 1 columns. Of a graph without it all nodes are both."""
    sides = dict(graph.nodes(data="bipartite"))
    is_split = any(side is not None for side in sides.values())
    if is_split and not all(side in (0, 1) for side in sides.values()):
        raise ArgumentError("a node has a bipartite that is neither 0 nor 1: give 0 to nodes that are rows, 1 to columns")
    rows = [node for node in graph if not is_split or sides[node] == 0]
    columns = [node for node in graph if not is_split or sides[node] == 1]
    place = [{label: i for i, label in enumerate(labels)} for labels in (rows, columns)]
    row, column, weights = array("Q"), array("Q"), array("Q")
    _sources._check_weight(graph, weight or None)
    for u, v, one in graph.edges(data=weight or None, default=1):
        if is_split and not graph.is_directed() and sides[u] == 1:
            u, v = v, u
        if is_split and (sides[u], sides[v]) != (0, 1):
            raise DataError(f"edge {(u, v)!r} does not lead from a node with bipartite=0 to one with 1")
        for i, j in {(u, v), (v, u)} if not is_split and not graph.is_directed() else [(u, v)]:
            row.append(place[0][i])
            column.append(place[1][j])
            weights.append(_sources.multiplicity(one, (u, v)))
    return rows, columns, row, column, weights
