"""Search path counts of graphs without cycles, and main paths: main path analysis of citation networks."""

from __future__ import annotations

import ctypes
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from . import _abi, _call, _numbers, _settings
from ._abi import lib
from ._labels import naming
from .graphs import Graph, as_graph

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._settings import Settings


def spc(graph: Any, kind: str = "spc", **settings: Unpack[Settings]) -> dict[tuple[Any, Any], int]:
    """The number of search paths along each arc, exact: {(from, to): weight}.

    kind is ``"spc"`` (paths from sources to sinks), ``"splc"`` (from any vertex to sinks) or ``"spnp"`` (between any
    vertices). DataError names a cycle of a graph that has one. The keywords threads, memory and progress are taken.

    >>> spc(Graph([("A", "B"), ("A", "C"), ("B", "C")], directed=True))
    {('A', 'B'): 1, ('A', 'C'): 1, ('B', 'C'): 1}
    """
    return {(begin, end): weight for begin, end, weight in _arcs(as_graph(graph), kind, None, settings)}


def main_path(graph: Any, kind: str = "spc", search: str = "global", **settings: Unpack[Settings]) -> list[Any]:
    """The path from a source to a sink with the largest sum of weights: its arcs (from, to, weight).

    search="local" goes on along the heaviest arc, again and again. The first of several paths is taken.

    >>> main_path(Graph([("A", "B"), ("A", "C"), ("B", "C")], directed=True))
    [('A', 'B', 1), ('B', 'C', 1)]
    """
    return _arcs(as_graph(graph), kind, _settings._choice("search", search, {"global": 0, "local": 1}), settings)


def _arcs(graph: Graph, kind: str, search: int | None, settings: Settings) -> list[Any]:
    paths = _settings._choice("kind", kind, {"spc": 0, "splc": 1, "spnp": 2})
    _settings.only(settings, "a search path count")
    address, labels, n = graph._handle.address, graph.vertices, len(graph)
    chosen, made = (ctypes.c_uint64 * (n + 1))(), ctypes.c_void_p()

    def job(context: _call.Context) -> tuple[_numbers.Numbers, int]:
        lib.pc_counts_free(context.make(lib.pc_search_path_counts, context.address, address, paths, ctypes.addressof(made)))
        numbers, n_chosen, _ = _numbers.of_counts(made.value or 0)
        if search is not None:
            given = context.address, address, made.value, search, ctypes.addressof(chosen)
            n_chosen = _numbers.of_counts(context.make(lib.pc_main_path, *given))[1]
        return numbers, n_chosen

    with naming(labels) if graph._info.format == b"arrays" else nullcontext():
        numbers, n_chosen = _call.run(job, 8.0 * (graph.n_arcs + n), settings)
    arcs = _abi.pc_arcs()
    lib.pc_graph_arcs(address, ctypes.addressof(arcs))
    start = (ctypes.c_uint64 * (n + 1)).from_address(arcs.row_start)
    column = (ctypes.c_uint32 * graph.n_arcs).from_address(arcs.column or ctypes.addressof(chosen))
    ends = ((v, a) for v in range(n) for a in range(start[v], start[v + 1]))
    weighted = [(labels[v], labels[column[a]], numbers[a]) for v, a in ends]
    return weighted if search is None else [weighted[a] for a in chosen[:n_chosen]]
