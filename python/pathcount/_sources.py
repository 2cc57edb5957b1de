"""Objects that hold a graph, as arrays for the library.

Each function takes one kind of object and gives Edges or Arcs. None imports what it is for: an object of a module exists
only where the module is loaded (module()).
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Callable

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
        if isinstance(weight, float) and weight.is_integer():
            number = int(weight)
        elif hasattr(weight, "item") and not isinstance(weight.item(), type(weight)):  # a scalar of NumPy
            return multiplicity(weight.item(), where)
    if number < 0:
        raise DataError(f"edge {where} has weight {weight!r}: a multiplicity is an integer from 0 on")
    if number > MOST_WEIGHT:
        raise RangeError(f"edge {where} has weight {weight!r}: a multiplicity is below 2**64")
    return number


def real_number(weight: Any, where: Any) -> float:
    """A weight that may have decimals. The library refuses those that are no number from 0 on."""
    try:
        return float(weight)
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"edge {where} has weight {weight!r}: give a number from 0 on") from None


# ---- NetworkX --------------------------------------------------------------------------------------


def from_networkx(graph: Any, weight: Any) -> Arcs:
    """The adjacency of a graph of NetworkX: parallel edges add."""
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
    labels = list(graph)
    position = {label: i for i, label in enumerate(labels)}
    code, number = _numbers(is_real)
    begin, end, weights = array("Q"), array("Q"), array(code)
    for u, v, one in graph.edges(data=weight, default=1):
        begin.append(position[u])
        end.append(position[v])
        weights.append(number(one, (u, v)))
    return Edges(labels, begin, end, weights, graph.is_directed(), True, is_real)


def _weight(data: Any, weight: Any, is_multigraph: bool, edge: tuple[Any, Any]) -> int:
    if not is_multigraph:
        return multiplicity(data.get(weight, 1), edge)
    if weight is None:
        return len(data)
    total = sum(multiplicity(one.get(weight, 1), edge) for one in data.values())
    return multiplicity(total, edge)


def divided(arcs: Arcs, by: int) -> Edges:
    """The edges of compressed rows, their weights divided: each edge once, unless directed."""
    begin, end, weights = array("Q"), array("Q"), array("d")
    for u in range(len(arcs.row_start) - 1):
        for a in range(arcs.row_start[u], arcs.row_start[u + 1]):
            if arcs.directed or u <= arcs.column[a]:
                begin.append(u)
                end.append(arcs.column[a])
                weights.append((1 if arcs.weight is None else arcs.weight[a]) / by)
    return Edges(arcs.labels, begin, end, weights, bool(arcs.directed), True, True)


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
    if weight is not None:
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


def from_sparse(matrix: Any, directed: bool | None) -> Arcs:
    """A sparse matrix of SciPy: entries are multiplicities, and those given again add."""
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ArgumentError(f"the matrix has the shape {matrix.shape}: an adjacency matrix is square")
    rows = matrix.tocsr()
    return Arcs(range(rows.shape[0]), _words(rows.indptr), _columns(rows.indices), _entries(rows.data), directed)


def from_matrix(matrix: Any, directed: bool | None) -> Arcs:
    """A square array of NumPy: entries are multiplicities."""
    import numpy as np

    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ArgumentError(f"the matrix has the shape {matrix.shape}: an adjacency matrix is square")
    row, column = np.nonzero(matrix)
    row_start = np.searchsorted(row, np.arange(len(matrix) + 1)).astype(np.uint64)
    return Arcs(range(len(matrix)), row_start, column.astype(np.uint32), _entries(np.asarray(matrix)[row, column]), directed)


def edges_of_matrix(matrix: Any, directed: bool | None) -> Edges:
    """A square matrix of SciPy or NumPy with weights that may have decimals: arcs, or with directed=False edges."""
    import numpy as np

    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ArgumentError(f"the matrix has the shape {matrix.shape}: an adjacency matrix is square")
    if isinstance(matrix, np.ndarray):
        row, column = np.nonzero(matrix)
        data = matrix[row, column]
    else:
        entries = matrix.tocoo()
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
        raise DataError(f"the matrix has the entry {bad!r}: a multiplicity is an integer from 0 on")
    if data.dtype.kind == "f" and data.max() >= 2.0**64:
        raise RangeError(f"the matrix has the entry {data.max()!r}: a multiplicity is below 2**64")
    if data.dtype.itemsize == 8 and data.dtype.kind in "iu" and data.flags.c_contiguous and data.dtype.isnative:
        return data.view(np.uint64)
    return data.astype(np.uint64)


# ---- Edges -----------------------------------------------------------------------------------------


def from_iterable(
    edges: Iterable[Any], weighted: bool, directed: bool, adds: bool, vertices: Sequence[Any], is_real: bool = False
) -> Edges:
    """Edges as tuples of two labels, or of three with a weight."""
    code, number = _numbers(is_real)
    position: dict[Any, int] = {label: i for i, label in enumerate(vertices)}
    begin, end = array("Q"), array("Q")
    weights = array(code) if weighted else None
    for edge in edges:
        try:
            if weights is None:
                u, v = edge
            else:
                u, v, weight = edge
                weights.append(number(weight, (u, v)))
        except (TypeError, ValueError) as error:
            if isinstance(error, DataError):
                raise
            wanted = "(from, to, weight)" if weighted else "(from, to), or with weight=True (from, to, weight)"
            raise DataError(f"an edge is {edge!r}: give {wanted}") from None
        begin.append(position.setdefault(u, len(position)))
        end.append(position.setdefault(v, len(position)))
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
    if vertices or begin.dtype.kind not in "iu" or end.dtype.kind not in "iu":
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


def column_of(table: Any, column: Any) -> Any:
    """A column of a table of pandas or pyarrow, by name or number, as an array. DataError when values are missing."""
    import numpy as np

    names = list(table.columns) if hasattr(table, "iloc") else table.column_names
    if column not in names and isinstance(column, int) and 0 <= column < len(names):
        place = column
    elif column in names:
        place = names.index(column)
    else:
        raise ArgumentError(f"the table has no column {column!r}: it has {', '.join(map(str, names))}")
    if hasattr(table, "iloc"):
        series = table.iloc[:, place]
        missing, values = bool(series.isna().any()), series.to_numpy()
    else:
        values = table.column(place)
        missing, values = values.null_count > 0, values.to_numpy()
    if missing:
        raise DataError(f"column {names[place]!r} has missing values: leave these rows out")
    return np.asarray(values)
