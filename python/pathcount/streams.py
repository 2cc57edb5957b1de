"""Many small graphs: their paths, in memory that does not grow with their number."""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, SupportsIndex

from . import _abi, _flow, _graph6, _settings, queries
from ._abi import lib
from .errors import ArgumentError, DataError
from .graphs import LOOPS, Graph, check_loops

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._call import Context
    from ._settings import Settings

_GRAPHS_A_CHUNK = 2000
_DIRECTIONS = {None: _abi.PC_DIRECTION_OF_FORMAT, True: _abi.PC_DIRECTED, False: _abi.PC_UNDIRECTED}


def stream(
    graphs: Any,
    length: SupportsIndex,
    *,
    total: bool = True,
    closed: bool = False,
    each: bool = False,
    up_to: bool = False,
    directed: bool | None = None,
    loops: int | None = None,
    **settings: Unpack[Settings],
) -> Iterator[tuple[int, ...]]:
    """For each graph a tuple of counts: how many paths it has, or how many of them end where they start, or both.

    graphs is a path (of a file with a graph a line in graph6, sparse6 or digraph6, packed or not, or of the folder of a
    TUDataset), or an iterable of such lines (str or bytes) and of whatever Graph takes, mixed as you like. With each
    there is a count for each length 1, ..., length; first come the totals, then the closed paths. Counts are exact, or
    residues (mod=). directed overrides the direction of files and lines. loops is that of Graph, for
    all but those that are a Graph already; the folder of a TUDataset has matrices.

    DataError names the graph that is none; the graphs before it have come.

    >>> list(stream(["C~", "Bw"], 3, closed=True))  # the complete graphs of four and of three vertices
    [(108, 24), (24, 6)]
    """
    if not (total or closed):
        raise ArgumentError("total and closed are False: nothing is asked")
    if each and up_to:
        raise ArgumentError("each and up_to are given: lengths come one by one, or added up")
    check_loops(loops)
    question = _Question(length, total, closed, each, up_to, directed, loops, settings)
    if isinstance(graphs, (str, os.PathLike)):
        return question.of_file(os.fspath(graphs))
    if not isinstance(graphs, Iterable):
        raise ArgumentError(f"a {type(graphs).__name__} is no stream of graphs: give a path or an iterable of graphs")
    return question.of_graphs(graphs)


class _Question:
    """What is asked of each graph."""

    def __init__(
        self,
        length: SupportsIndex,
        total: bool,
        closed: bool,
        each: bool,
        up_to: bool,
        directed: bool | None,
        loops: int | None,
        settings: Settings,
    ) -> None:
        _settings.only(settings, "a stream", "mod", "approximate", "paths", "method", "certify")
        self.settings = settings
        self.loops = loops
        self.options = _settings.count_options(settings)
        self.graph_options = _abi.pc_graph_options(direction=_DIRECTIONS[directed], loops=LOOPS[loops])
        self.query = _abi.pc_stream_query(bool(total), bool(closed), _settings.paths_of(settings))
        self.query.length = _settings.whole("length", length, 0, 2**63 - 1)
        self.query.each, self.query.up_to = bool(each), bool(up_to)

    def of_file(self, path: str | bytes) -> Iterator[tuple[int, ...]]:
        options = None if self.options is None else ctypes.addressof(self.options)
        given = os.fsencode(path), ctypes.addressof(self.graph_options), ctypes.addressof(self.query), options

        def job(context: Context, take: _flow.Take) -> None:
            callback = _abi.rows_fn(lambda _user, rows: take(rows))
            context.check(lib.pc_stream_run(context.address, *given, callback, None))

        for block in _flow.flow(job, self.settings):
            n = block.n_columns
            for i in range(block.n_rows):
                yield tuple(block.numbers.iterate(i * n, (i + 1) * n))

    def of_graphs(self, graphs: Iterable[Any]) -> Iterator[tuple[int, ...]]:
        lines: list[bytes] = []
        n_before = 0
        for graph in graphs:
            if self.loops is not None and not isinstance(graph, (str, bytes, Graph)):
                graph = Graph(graph, loops=self.loops)
            line = None if self.loops == 2 and isinstance(graph, Graph) else _graph6.line_of(graph)
            if line is not None:
                lines.append(line)
            if lines and (line is None or len(lines) == _GRAPHS_A_CHUNK):
                yield from self._of_lines(lines, n_before)
                n_before += len(lines)
                lines.clear()
            if line is None:
                yield self._of_graph(graph)
                n_before += 1
        if lines:
            yield from self._of_lines(lines, n_before)

    def _of_lines(self, lines: list[bytes], n_before: int) -> Iterator[tuple[int, ...]]:
        """A file in memory holds them."""
        file = os.memfd_create("graphs")
        try:
            with os.fdopen(os.dup(file), "wb") as to:
                to.writelines(line + b"\n" for line in lines)
            yield from self.of_file(f"/proc/self/fd/{file}")
        except DataError as error:
            place = re.match(r"/proc/self/fd/\d+:(\d+): (.*)", str(error), re.DOTALL)
            if place is None:
                raise
            i = int(place[1]) - 1
            hint = "; it is the name of a file: give Graph(name)" if os.path.exists(lines[i]) else ""
            raise DataError(f"graph {n_before + i}: {place[2]}{hint}") from None
        finally:
            os.close(file)

    def _of_graph(self, graph: Any) -> tuple[int, ...]:
        """One that has no line, because of multiplicities or its size."""
        made = _graph6.as_graph(graph)
        counts: list[int] = []
        lengths: Any = {"each": bool(self.query.each), "up_to": bool(self.query.up_to), **self.settings}
        for is_asked, ask in ((self.query.total, queries.total), (self.query.closed, queries.trace)):
            if is_asked:
                answer = ask(made, self.query.length, **lengths)
                counts += answer.tolist() if self.query.each else [answer]
        return tuple(counts)


# ---- Molecules -------------------------------------------------------------------------------------

_MOST_ORDER = 10


def molecular_walk_counts(
    molecules: Iterable[Any], *, log: bool = False, **settings: Unpack[Settings]
) -> Iterator[dict[str, Any]]:
    """Walk counts of molecules by their usual names, a dict for each.

    ========================== ======================================================================================
    MWC01, ..., MWC10          molecular walk counts: the walks of 1, ..., 10 bonds (Ruecker and Ruecker 1993)
    SRW02, ..., SRW10          self-returning walk counts: those that end where they start
    TWC                        total walk count: all walks of 1, ..., n - 1 bonds, n the number of atoms
    ========================== ======================================================================================

    molecules are graphs as stream takes them, without hydrogen atoms, a bond an edge of any order. Exact integers. With log
    the numbers are those that Dragon and Mordred print: ln(1 + x), and for MWC01 the number of bonds.

    >>> butane = next(molecular_walk_counts([[(1, 2), (2, 3), (3, 4)]]))
    >>> butane["MWC01"], butane["MWC02"], butane["SRW02"], butane["TWC"]
    (6, 10, 6, 32)
    """
    chunk: list[Any] = []
    for molecule in molecules:
        chunk.append(molecule if isinstance(molecule, (str, bytes)) else _graph6.as_graph(molecule))
        if len(chunk) == _GRAPHS_A_CHUNK:
            yield from _walk_counts(chunk, log, settings)
            chunk.clear()
    yield from _walk_counts(chunk, log, settings)


def _walk_counts(molecules: list[Any], log: bool, settings: Settings) -> Iterator[dict[str, Any]]:
    sizes = [_graph6.n_vertices(molecule) for molecule in molecules]
    longest = max([_MOST_ORDER, *(n - 1 for n in sizes)])
    totals = stream(molecules, longest, each=True, **settings)
    closed = stream(molecules, _MOST_ORDER, total=False, closed=True, each=True, **settings)
    for n, walks, returning in zip(sizes, totals, closed):
        counts = {f"MWC{order:02}": walks[order - 1] for order in range(1, _MOST_ORDER + 1)}
        counts.update({f"SRW{order:02}": returning[order - 1] for order in range(2, _MOST_ORDER + 1)})
        counts["TWC"] = sum(walks[: max(n - 1, 0)])
        yield _logarithms(counts) if log else counts


def _logarithms(counts: dict[str, int]) -> dict[str, Any]:
    from math import log

    logs = {name: log(1 + count) for name, count in counts.items()}
    logs["MWC01"] = counts["MWC01"] / 2
    return logs
