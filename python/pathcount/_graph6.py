"""Graphs as lines of graph6 and digraph6 (formats.txt of nauty's distribution), which streams are made of."""

from __future__ import annotations

import ctypes
from array import array
from typing import Any

from . import _abi, _sources
from ._abi import lib
from .errors import DataError
from .graphs import Graph
from .graphs import as_graph as _as_graph

_MOST_VERTICES = 1000
_TO_TEXT = bytes((i + 63) % 256 for i in range(256))


def as_graph(graph: Any) -> Graph:
    """A Graph of anything but a line."""
    return _as_graph(graph)


def line_of(graph: Any) -> bytes | None:
    """A graph as a line: its own text, or an encoding; None where multiplicities or the size leave none."""
    if isinstance(graph, (str, bytes)):
        line = (graph.encode() if isinstance(graph, str) else graph).strip()
        if not line or b"\n" in line:
            raise DataError(f"a graph is {graph!r}: give one line of graph6, sparse6 or digraph6")
        return line
    n, row_start, column, weight, is_mutual = _arcs_of(graph)
    if n > _MOST_VERTICES or (weight is not None and any(one != 1 for one in weight)):
        return None
    has_loops = any(column[a] == row for row in range(n) for a in range(row_start[row], row_start[row + 1]))
    if is_mutual and not has_loops:
        return _encode(n, n * (n - 1) // 2, (j * (j - 1) // 2 + i for i, j in _pairs(n, row_start, column) if i < j))
    return b"&" + _encode(n, n * n, (i * n + j for i, j in _pairs(n, row_start, column)))


def _arcs_of(graph: Any) -> tuple[int, Any, Any, Any, bool]:
    """Vertices, compressed rows, and whether each arc is there both ways."""
    nx = _sources.module("networkx")
    if nx and isinstance(graph, nx.Graph):
        arcs = _sources.from_networkx(graph, None)
        return len(arcs.labels), arcs.row_start, arcs.column, arcs.weight, not arcs.directed
    made = _as_graph(graph)
    place = _abi.pc_arcs()
    lib.pc_graph_arcs(made._handle.address, ctypes.addressof(place))
    n, n_arcs = len(made), made.n_arcs
    row_start = array("Q", ctypes.string_at(place.row_start, 8 * (n + 1)))
    column = array("I", ctypes.string_at(place.column, 4 * n_arcs) if n_arcs else b"")
    weight = array("Q", ctypes.string_at(place.weight, 8 * n_arcs)) if place.weight else None
    return n, row_start, column, weight, not made.directed


def _pairs(n: int, row_start: Any, column: Any) -> Any:
    return ((row, column[a]) for row in range(n) for a in range(row_start[row], row_start[row + 1]))


def _encode(n: int, n_bits: int, bits: Any) -> bytes:
    """The size, then the bits in groups of six."""
    head = bytes([n + 63]) if n <= 62 else bytes([126, *((n >> shift & 63) + 63 for shift in (12, 6, 0))])
    groups = bytearray((n_bits + 5) // 6)
    for bit in bits:
        groups[bit // 6] |= 32 >> bit % 6
    return head + groups.translate(_TO_TEXT)


def n_vertices(graph: Any) -> int:
    """The vertices of a line, as its head states them, or of a Graph."""
    if isinstance(graph, Graph):
        return len(graph)
    line = line_of(graph) or b""
    for header in (b">>graph6<<", b">>sparse6<<", b">>digraph6<<"):
        line = line[len(header) :] if line.startswith(header) else line
    line = line.lstrip(b":&;")
    n_long = 1 if line[:1] != b"~" else 3 if line[1:2] != b"~" else 6
    digits = line[{1: 0, 3: 1, 6: 2}[n_long] :][:n_long]
    n = 0
    for digit in digits:
        n = n << 6 | (digit - 63 & 63)
    return n
