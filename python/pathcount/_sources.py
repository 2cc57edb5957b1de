"""Objects that hold a graph, as arrays for the library.

Each function takes one kind of object and gives Edges or Arcs. None imports what it is for: an object of a module exists
only where the module is loaded (module()).
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set, ValuesView
from dataclasses import dataclass
from typing import Any, Callable

from ._labels import check_labels, is_missing, positions
from .errors import ArgumentError, DataError, RangeError

MOST_WEIGHT = 2**64 - 1


@dataclass
class Edges:
    """Edges from[e], to[e] between vertices, as 64-bit words; weight None: 1 each."""

    labels: Sequence[Any]
    begin: Any
    end: Any
    weight: Any
    directed: bool
    adds: bool
    """Whether an edge that is given again counts again."""
    is_real: bool = False
    """Whether weights are doubles."""


@dataclass
class Arcs:
    """An adjacency matrix in compressed rows: 64-bit words, 32-bit columns, 64-bit weights or None."""

    labels: Sequence[Any]
    row_start: Any
    column: Any
    weight: Any
    directed: bool | None
    """None: undirected when the matrix is symmetric."""
    decimals: int = 0
    weight_error: float = 0.0
    """pc_graph_info explains both."""


def module(name: str) -> Any:
    """A module that somebody has imported, or None."""
    return sys.modules.get(name)


def address(words: Any) -> int | None:
    """Where an array lies; None of None."""
    if words is None:
        return None
    if isinstance(words, array):
        return words.buffer_info()[0]
    at: int = words.ctypes.data
    return at


def multiplicity(weight: Any, where: Any) -> int:
    """A weight as a multiplicity: an integer from 0 to 2**64 - 1, or a float that is one."""
    try:
        number: int = weight.__index__()
    except AttributeError:
        number = -1
        if isinstance(weight, float):
            number = int(weight) if weight.is_integer() else -1
        elif hasattr(weight, "item") and not isinstance(weight.item(), type(weight)):  # a scalar of NumPy
            return multiplicity(weight.item(), where)
    if number < 0:
        decimals = ", and real_weights=True of Graph takes decimals" if isinstance(weight, float) and weight > 0 else ""
        raise DataError(f"edge {where} has weight {weight!r}: a multiplicity is an integer from 0 on{decimals}")
    if number > MOST_WEIGHT:
        raise RangeError(f"edge {where} has weight {weight!r}: a multiplicity is below 2**64")
    return number


def real_number(weight: Any, where: Any) -> float:
    """A weight that may have decimals. The library refuses those that are no number from 0 on."""
    try:
        return float(weight)
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"edge {where} has weight {weight!r}: give a number from 0 on") from None


def no_such_attribute(weight: Any, names: Iterable[Any]) -> ArgumentError:
    """The error for a weight that no edge has."""
    known = " or ".join(map(repr, names))
    return ArgumentError(
        f"weight is {weight!r}, and no edge has this attribute: {f'give {known}' if known else 'leave it out'}"
    )


def check_iterable(source: Any, what: str, instead: str) -> None:
    """Raises ArgumentError for an object that is no iterable of tuples. One of an unknown class is not taken apart."""
    package = type(source).__module__.partition(".")[0]
    if package in _INSTEAD:
        instead = _INSTEAD[package]
    elif isinstance(source, Mapping) and not isinstance(source, Set):  # edges of NetworkX are both
        instead = f"{instead}; of a dict of neighbours networkx.Graph(dict), of a dict of pairs dict.items()"
    elif package in _OF_EDGES and isinstance(source, Iterable):
        return
    elif any(hasattr(source, mark) for mark in _MARKS_OF_ARRAYS):
        pass
    elif isinstance(source, (Sequence, Set, Iterator, ValuesView)):
        return
    elif isinstance(source, Iterable):
        instead = f"{instead}; list(...) of it where it is an iterable of edges"
    raise ArgumentError(f"{name_of(source)} is no {what}: give {instead}")


def name_of(source: Any) -> str:
    """What a message calls an object."""
    kind = type(source)
    package = kind.__module__.partition(".")[0]
    return kind.__name__ if package == "builtins" else f"{package}.{kind.__name__}"


_MARKS_OF_ARRAYS = ("shape", "__array__", "__dataframe__", "__dlpack__", "__arrow_c_stream__")
#: Packages whose classes of edges are not known as sequences.
_OF_EDGES = ("networkx", "rustworkx")
#: The advice for objects of a package. It is not imported for this.
_INSTEAD = {
    "torch": "a dense tensor of n x n, or edge_index=tensor of 2 x m",
    "torch_geometric": "a Data with edge_index, or edge_index= of one kind of edges",
    "pathcount": "counts.to_scipy() for a matrix of counts",
}


def check_square(shape: tuple[int, ...]) -> None:
    """ArgumentError where a matrix has another shape."""
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ArgumentError(f"the matrix has the shape {shape}: an adjacency matrix is square")


# ---- NetworkX --------------------------------------------------------------------------------------


def from_networkx(graph: Any, weight: Any) -> Arcs:
    """The adjacency of a graph of NetworkX: parallel edges add."""
    _check_weight(graph, weight)
    labels = list(graph)
    position = {label: i for i, label in enumerate(labels)}
    row_start, column = array("Q", [0]), array("I")
    weights = array("Q") if weight is not None or graph.is_multigraph() else None
    for label, neighbours in graph.adjacency():
        column.extend([position[neighbour] for neighbour in neighbours])
        row_start.append(len(column))
        if weights is not None:
            for neighbour, data in neighbours.items():
                weights.append(_weight(data, weight, graph.is_multigraph(), (label, neighbour)))
    return Arcs(labels, row_start, column, weights, True if graph.is_directed() else None)


def edges_of_networkx(graph: Any, weight: Any, is_real: bool) -> Edges:
    """The edges of a graph of NetworkX, whose weights may have decimals: those of parallel edges add."""
    _check_weight(graph, weight)
    labels = list(graph)
    position = {label: i for i, label in enumerate(labels)}
    code, number = _numbers(is_real)
    begin, end, weights = array("Q"), array("Q"), array(code)
    for u, v, one in graph.edges(data=weight, default=1):
        begin.append(position[u])
        end.append(position[v])
        weights.append(number(one, (u, v)))
    return Edges(labels, begin, end, weights, graph.is_directed(), True, is_real)


def _check_weight(graph: Any, weight: Any) -> None:
    all_data = [data for _, _, data in graph.edges(data=True)] if weight is not None else []
    if all_data and not any(weight in data for data in all_data):
        raise no_such_attribute(weight, dict.fromkeys(name for data in all_data for name in data))


def _weight(data: Any, weight: Any, is_multigraph: bool, edge: tuple[Any, Any]) -> int:
    if not is_multigraph:
        return multiplicity(data.get(weight, 1), edge)
    if weight is None:
        return len(data)
    total = sum(multiplicity(one.get(weight, 1), edge) for one in data.values())
    return multiplicity(total, edge)


# ---- igraph ----------------------------------------------------------------------------------------


def from_igraph(graph: Any, weight: str | None, is_real: bool) -> Edges:
    """The edges of a graph of igraph: parallel edges add. Vertices are called by their attribute name, if there is one."""
    n = graph.vcount()
    labels = graph.vs["name"] if "name" in graph.vs.attributes() else range(n)
    begin, end = array("Q"), array("Q")
    for u, v in graph.get_edgelist():
        begin.append(u)
        end.append(v)
    weights = None
    if weight is not None and graph.ecount():
        if weight not in graph.es.attributes():
            raise no_such_attribute(weight, graph.es.attributes())
        code, number = _numbers(is_real)
        weights = array(code, [number(one, e) for e, one in enumerate(graph.es[weight])])
    return Edges(_distinct(labels), begin, end, weights, graph.is_directed(), True, is_real)


def _numbers(is_real: bool) -> tuple[str, Callable[[Any, Any], Any]]:
    """The kind of an array of weights, and what takes a weight."""
    return ("d", real_number) if is_real else ("Q", multiplicity)


def _distinct(labels: Sequence[Any]) -> Sequence[Any]:
    if not isinstance(labels, range) and len(set(labels)) != len(labels):
        raise DataError("two vertices have the same name")
    return labels


# ---- Matrices --------------------------------------------------------------------------------------


def without_mask(values: Any) -> Any:
    """A plain array of an array of NumPy of any class. DataError when an entry is masked."""
    import numpy as np

    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise DataError("the array has masked entries: give array.filled(0) where they are no edge")
    return np.asarray(values)


def joined(matrix: Any) -> Any:
    """A sparse matrix. Entries of a bool one that are given again are one, those of others add later."""
    if matrix.dtype.kind == "b":
        matrix = matrix.tocsr(copy=True)
        matrix.sum_duplicates()
    return matrix


def from_sparse(matrix: Any, directed: bool | None) -> Arcs:
    """A sparse matrix of SciPy: entries are multiplicities, and those given again add."""
    check_square(matrix.shape)
    rows = joined(matrix).tocsr()
    return Arcs(range(rows.shape[0]), _words(rows.indptr), _columns(rows.indices), _entries(rows.data), directed)


def from_matrix(matrix: Any, directed: bool | None) -> Arcs:
    """A square array of NumPy: entries are multiplicities."""
    import numpy as np

    check_square(matrix.shape)
    row, column = np.nonzero(matrix)
    row_start = np.searchsorted(row, np.arange(len(matrix) + 1)).astype(np.uint64)
    return Arcs(range(len(matrix)), row_start, column.astype(np.uint32), _entries(np.asarray(matrix)[row, column]), directed)


def edges_of_matrix(matrix: Any, directed: bool | None) -> Edges:
    """A square matrix of SciPy or NumPy with weights that may have decimals: arcs, or with directed=False edges."""
    import numpy as np

    check_square(matrix.shape)
    if isinstance(matrix, np.ndarray):
        row, column = np.nonzero(matrix)
        data = matrix[row, column]
    else:
        entries = joined(matrix).tocoo()
        row, column, data = entries.row, entries.col, entries.data
    labels = range(matrix.shape[0])
    return Edges(labels, _words(row), _words(column), _reals(data), directed is not False, True, True)


def _reals(data: Any) -> Any:
    import numpy as np

    try:
        return np.ascontiguousarray(data, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError("the weights are no numbers") from None


def _words(indices: Any) -> Any:
    import numpy as np

    return np.ascontiguousarray(indices, dtype=np.uint64)


def _columns(indices: Any) -> Any:
    """Columns as 32-bit words: without a copy where they are 32-bit integers already."""
    import numpy as np

    if indices.dtype == np.int32 and indices.flags.c_contiguous:
        return indices.view(np.uint32)
    if len(indices) and (indices.min() < 0 or indices.max() >= 2**32):
        raise ArgumentError("the matrix has a column index that is out of range")
    return np.ascontiguousarray(indices, dtype=np.uint32)


def _entries(data: Any) -> Any:
    """Entries as multiplicities: 64-bit words, without a copy where they are; None where all are 1."""
    import numpy as np

    data = np.asarray(data)
    if data.dtype.kind == "b":
        return None if data.all() else data.astype(np.uint64)
    if data.dtype.kind == "O":
        return np.array([multiplicity(one, e) for e, one in enumerate(data)], dtype=np.uint64)
    if data.dtype.kind not in "iuf":
        raise DataError(f"the entries are {data.dtype}: a multiplicity is an integer from 0 on")
    if len(data) == 0 or (data == 1).all():
        return None
    if not (data.min() >= 0 and (data.dtype.kind != "f" or (np.floor(data) == data).all())):
        bad = next(one for one in data.tolist() if not (one >= 0 and one == int(one)))
        raise DataError(f"an entry or weight is {bad!r}: a multiplicity is an integer from 0 on")
    if data.dtype.kind == "f" and data.max() >= 2.0**64:
        raise RangeError(f"an entry or weight is {float(data.max())!r}: a multiplicity is below 2**64")
    if data.dtype.itemsize == 8 and data.dtype.kind in "iu" and data.flags.c_contiguous and data.dtype.isnative:
        return data.view(np.uint64)
    return data.astype(np.uint64)


# ---- Edges -----------------------------------------------------------------------------------------


def from_iterable(
    edges: Iterable[Any], weighted: bool, directed: bool, adds: bool, vertices: Sequence[Any], is_real: bool = False
) -> Edges:
    """Edges as tuples of two labels, or of three with a weight."""
    code, number = _numbers(is_real)
    position = positions(vertices)
    no_edges = (str, bytes, Mapping, Set) if directed or weighted else (str, bytes, Mapping)
    begin, end = array("Q"), array("Q")
    weights = array(code) if weighted else None
    if (
        isinstance(edges, list)
        and len(edges) == 2
        and all(type(e) is list and [type(x) for x in e] == [int, int] for e in edges)
    ):
        raise ArgumentError(
            "two lists of two integers are a matrix or two edges: tuples are edges, scipy.sparse.csr_array(lists) is a matrix"
        )
    for edge in edges:
        try:
            if type(edge) is not tuple and isinstance(edge, no_edges):
                raise TypeError
            if weights is None:
                u, v = edge
            else:
                u, v, weight = edge
                weights.append(number(weight, (u, v)))
        except (TypeError, ValueError) as error:
            if isinstance(error, DataError):
                raise
            wanted = "(from, to, weight)" if weighted else "(from, to), with weight=True or label=True a third element"
            hint = "; pandas.DataFrame(edges) where edges are dicts" if isinstance(edge, Mapping) else ""
            hint = "; numpy.array(rows) where lists are the rows of a matrix" if isinstance(edge, list) else hint
            raise DataError(f"an edge is {edge!r}: give {wanted}{hint}") from None
        begin.append(position.setdefault(u, len(position)))
        end.append(position.setdefault(v, len(position)))
    check_labels(position)
    labels, new = _in_order(list(position), len(vertices))
    if new is not None:
        begin, end = array("Q", [new[i] for i in begin]), array("Q", [new[i] for i in end])
    return Edges(labels, begin, end, weights, directed, adds, is_real and weighted)


def _in_order(labels: list[Any], n_given: int) -> tuple[Sequence[Any], list[int] | None]:
    """Labels that are all integers ascend: the new place of each is told too. Others, and those of vertices, stay."""
    if n_given or not all(type(label) is int for label in labels):
        return labels, None
    order = sorted(range(len(labels)), key=labels.__getitem__)
    if all(i == place for place, i in enumerate(order)):
        return labels, None
    new = [0] * len(labels)
    for place, i in enumerate(order):
        new[i] = place
    return [labels[i] for i in order], new


def from_columns(
    begin: Any, end: Any, weight: Any, directed: bool, adds: bool, vertices: Sequence[Any], is_real: bool
) -> Edges:
    """Two columns of labels, arrays of NumPy, and one of weights or None."""
    import numpy as np

    n_edges = len(begin)
    for column in (begin, end):
        _check_column(column)
    # The common type of int64 and uint64 is float64, which does not tell large integers apart.
    are_integers = begin.dtype.kind in "iu" and end.dtype.kind in "iu" and np.result_type(begin, end).kind in "iu"
    if vertices or not are_integers:
        pairs = zip(begin.tolist(), end.tolist())
        made = from_iterable(pairs, False, directed, adds, vertices)
    else:
        labels, places = np.unique(np.concatenate([begin, end]), return_inverse=True)
        ends = places.astype(np.uint64, copy=False).reshape(-1)
        made = Edges(labels.tolist(), ends[:n_edges], ends[n_edges:], None, directed, adds)
    if weight is not None and is_real:
        made.weight, made.is_real = _reals(weight), True
    elif weight is not None:
        made.weight = _entries(weight)
        if made.weight is not None:
            made.weight = np.ascontiguousarray(made.weight)
    return made


def _check_column(labels: Any) -> None:
    """DataError for a missing value in an array of labels: not a number, not a time, None."""
    import numpy as np

    kind = labels.dtype.kind
    is_lost = np.isnan(labels).any() if kind in "fcmM" else kind == "O" and any(v is None or is_missing(v) for v in labels)
    if is_lost:
        raise DataError("a vertex is a missing value (NaN, NaT or None): leave such edges out, or give it a name")


def column_of(table: Any, column: Any) -> Any:
    """A column of a table of pandas or pyarrow, by name or number, as an array. DataError when values are missing."""
    import numpy as np

    names = list(table.columns) if hasattr(table, "iloc") else table.column_names
    if column in names and not isinstance(column, bool):
        place = names.index(column)
    elif isinstance(column, int) and not isinstance(column, bool) and 0 <= column < len(names):
        place = column
    elif column is True:
        raise ArgumentError(f"say which column: the table has {', '.join(map(repr, names))}")
    else:
        raise ArgumentError(f"the table has no column {column!r}: it has {', '.join(map(repr, names))}")
    if hasattr(table, "iloc"):
        series = table.iloc[:, place]
        missing, values = bool(series.isna().any()), series.to_numpy()
    else:
        values = table.column(place)
        missing, values = values.null_count > 0, values.to_numpy()
    if missing:
        raise DataError(
            f"column {names[place]!r} has missing values: leave these rows out, as table.dropna(subset=[...]) of pandas does"
        )
    return np.asarray(values)
