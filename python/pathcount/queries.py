"""Questions about the paths of a graph.

A graph is a Graph, or anything that Graph takes; make a Graph once where several questions follow. Paths may visit a vertex
more than once, which graph theory calls walks, unless paths is "simple", "cycles" or "shortest". All questions
take the keywords of Settings.

With ``each=True`` the answers for the lengths 1, 2, ..., length come at once; with ``up_to=True`` these lengths are added
up. Counts are exact Python integers of any size, or residues (``mod=``), or floats (``approximate=True``,
``paths="markov"``).

All raise ArgumentError (a ValueError) for a length below 0 or above 2**63 - 1 and for what cannot be asked, LabelError (a
KeyError) for a label that no vertex has, OutOfMemoryError (a MemoryError) before anything is computed that does not fit, and
CertificateError for a result that failed its own check.
"""

from __future__ import annotations

import ctypes
import math
import sys
from bisect import bisect_right
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from contextlib import nullcontext
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, SupportsIndex, Union, overload

from . import _abi, _call, _flow, _settings, _types
from ._abi import lib
from ._labels import Labels, listed, naming, read_labels
from ._numbers import Handle, Lengths, Numbers, of_counts
from .counts import Counts, Vector
from .errors import ArgumentError, LabelError
from .graphs import Graph, as_graph

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._labels import Several
    from ._settings import Exact, Rounded, Settings
    from ._types import Int, No, Yes

    Blocks = Union[Mapping[Any, Hashable], list[Any]]

_OF_MATCH = "walks_from, walks_to, walks_between, starts, ends, closed or total"


class _Question:
    """A pc_query with its options, and what they point to."""

    def __init__(
        self,
        graph: Any,
        kind: int,
        length: SupportsIndex,
        settings: Settings,
        begin: list[Any] | None = None,
        end: list[Any] | None = None,
        each: bool = False,
        up_to: bool = False,
    ) -> None:
        if each and up_to:
            raise ArgumentError("each and up_to are given: lengths come one by one, or added up")
        self.graph: Graph = as_graph(graph, takes_decimals=settings.get("paths") == "markov")
        self.settings = settings
        self.options = _settings.count_options(settings)
        self.length = _settings.whole("length", length, 0, 2**63 - 1)
        self.each = bool(each)
        position = self.graph.vertices.position
        self.begin = None if begin is None else _words([position(label) for label in begin])
        self.end = None if end is None else _words([position(label) for label in end])
        asked = self.begin if self.begin is not None else self.end
        self.query = _abi.pc_query(kind, length=self.length, each=self.each, up_to=bool(up_to))
        if settings:
            self.query.paths = _settings.paths_of(settings)
        self.match: str | None = settings.get("match")
        if self.match is not None and (not isinstance(self.match, str) or "\0" in self.match):
            raise ArgumentError(f"match is {self.match!r}: give a pattern such as 'A B*'")
        if self.match is not None and self.graph._labelled is None:
            raise ArgumentError("match is given, and edges have no labels: make the Graph with label=")
        if self.match is not None and kind == _abi.PC_QUERY_MATRIX:
            raise ArgumentError(f"match is given, and a matrix of all pairs does not take it: ask for {_OF_MATCH}")
        wait = settings.get("wait")
        if wait is not None and (self.match is not None or self.graph._labelled is None):
            raise ArgumentError("wait is given: make the Graph with label= of the times, and leave match out")
        self.in_time = wait is not None
        self.wait = None if wait is None or wait == math.inf else _number(wait)
        if asked is not None:
            self.query.n_asked = len(asked)
            setattr(self.query, "from", _place(self.begin))
            self.query.to = _place(self.end)
        n_vectors = len(asked) if asked is not None else len(self.graph) if kind >= _abi.PC_QUERY_CLOSED else 1
        self.work = float(self.graph.n_arcs + len(self.graph)) * self.length * n_vectors
        if self.query.paths >= _abi.PC_PATHS_SIMPLE:
            self.work *= len(self.graph)  # each vertex has a row of its own, or is searched from
        if self.query.paths >= _abi.PC_PATHS_SHORTEST:
            rows = len(self.graph) if asked is None else len(asked)
            self.work = float(self.graph.n_arcs + len(self.graph)) * rows

    def plan(self, context: _call.Context) -> int:
        if self.in_time:
            raise ArgumentError("wait is given, and rows one by one do not take it: ask for count")
        options = None if self.options is None else ctypes.addressof(self.options)
        graph, query = self.graph._handle.address, ctypes.addressof(self.query)
        if self.match is not None and self.graph._labelled is not None:
            given = context.address, self.graph._labelled.address, self.match.encode(), query
            self.matched = Handle(context.make(lib.pc_match_create, *given), lib.pc_match_free)
            graph, query = lib.pc_match_graph(self.matched.address), lib.pc_match_query(self.matched.address)
        return context.make(lib.pc_plan_create, context.address, graph, query, options)

    def answer(self) -> tuple[Numbers, int, int]:
        """The numbers, their rows and columns; with each the rows of all lengths."""

        def job(context: _call.Context) -> tuple[Numbers, int, int]:
            if self.in_time and self.graph._labelled is not None:
                options = None if self.options is None else ctypes.addressof(self.options)
                given = self.graph._labelled.address, ctypes.addressof(self.query), self.wait, options
                return of_counts(context.make(lib.pc_time_walks, context.address, *given))
            plan = self.plan(context)
            try:
                counts = context.make(lib.pc_plan_collect, plan)
            finally:
                lib.pc_plan_free(plan)
            return of_counts(counts)

        numbers, n_rows, n_columns = _call.run(job, self.work, self.settings)
        if self.query.paths == _abi.PC_PATHS_DISTANCE:
            numbers = Lengths(numbers.words, numbers.n, numbers.n_limbs)
        return numbers, n_rows, n_columns

    def lengths(self) -> Labels:
        return Labels(range(1, self.length + 1), "length")


def _number(wait: Any) -> bytes:
    """A number as a decimal, a timedelta in seconds."""
    if hasattr(wait, "astype"):  # numpy.timedelta64
        wait = wait.item() if wait.dtype.kind != "m" else wait.astype("m8[us]").item()
    try:
        return format(Decimal(str(wait.total_seconds() if hasattr(wait, "total_seconds") else wait)), "f").encode()
    except InvalidOperation:
        raise ArgumentError(f"wait is {wait!r}: give an integer, a decimal, a timedelta or math.inf") from None


def _words(numbers: list[int]) -> ctypes.Array[ctypes.c_uint64]:
    return (ctypes.c_uint64 * len(numbers))(*numbers)


def _place(words: ctypes.Array[ctypes.c_uint64] | None) -> int | None:
    return None if words is None else ctypes.addressof(words)


# ---- The whole matrix ------------------------------------------------------------------------------


@_types.matrix
def count(graph: Any, length: SupportsIndex, *, up_to: bool = False, **settings: Unpack[Settings]) -> Counts:
    """The paths of a length between all vertices: a Counts, n x n, in memory (n is at most 131071).

    >>> count([("A", "B"), ("B", "C"), ("C", "A")], 100)["A", "B"]
    422550200076076467165567735125
    """
    return _matrix(graph, length, settings, up_to)


def _matrix(graph: Any, length: SupportsIndex, settings: Settings, up_to: bool = False) -> Counts[Any]:
    question = _Question(graph, _abi.PC_QUERY_MATRIX, length, settings, up_to=up_to)
    question.query.keeps = 1
    numbers, _, _ = question.answer()
    return Counts(numbers, question.graph.vertices, question.graph.vertices)


def markov(graph: Any, length: SupportsIndex, *, up_to: bool = False, **settings: Unpack[Settings]) -> Counts[float]:
    """The probabilities of a random walk to be at each vertex after so many steps: rows of doubles that sum to 1.

    Each arc is taken with its multiplicity, or weight, over the sum of its row; who is at a vertex without arcs stays there.

    >>> markov([("A", "B"), ("B", "C")], 2)["A", "C"]
    0.5
    """
    _settings.with_paths(settings, "markov")
    return _matrix(graph, length, settings, up_to)


@_types.matrix
def non_backtracking(graph: Any, length: SupportsIndex, *, up_to: bool = False, **settings: Unpack[Settings]) -> Counts:
    """The paths that never turn straight back; a loop is not followed by itself. Of graphs without weights.

    >>> non_backtracking([("A", "B"), ("B", "C")], 2).total
    2
    """
    _settings.with_paths(settings, "non-backtracking")
    return _matrix(graph, length, settings, up_to)


@_types.matrix
def simple_paths(graph: Any, length: SupportsIndex, *, up_to: bool = False, **settings: Unpack[Settings]) -> Counts:
    """The paths that visit no vertex twice (GQL calls them ACYCLIC). Loops never count, parallel edges multiply.

    Lengths up to 6 take a few passes over the graph for each vertex. Longer paths are looked for one by one, or by sets
    of vertices where there are at most 26.

    >>> simple_paths([("A", "B"), ("B", "C"), ("C", "A"), ("C", "D")], 3)["D", "B"]
    1
    """
    _settings.with_paths(settings, "simple")
    return _matrix(graph, length, settings, up_to)


@overload
def shortest_path_counts(graph: Any, sources: Several | None = ..., **settings: Unpack[Settings]) -> Counts: ...
@overload
def shortest_path_counts(graph: Any, sources: Hashable, **settings: Unpack[Settings]) -> Vector: ...
def shortest_path_counts(graph: Any, sources: Any = None, **settings: Unpack[Settings]) -> Any:
    """Counts the shortest paths from each vertex, or from each of a list of sources, to each vertex: a Counts.

    An entry is 1 from a vertex to itself and 0 where no path leads. Weights are multiplicities, not lengths, so
    parallel edges multiply. A single source gives a Vector.

    >>> shortest_path_counts([("A", "B"), ("B", "C"), ("C", "D"), ("D", "A")])["A", "C"]
    2
    """
    return _shortest("shortest", graph, sources, settings)


@overload
def shortest_path_lengths(graph: Any, sources: Several | None = ..., **settings: Unpack[Settings]) -> Counts: ...
@overload
def shortest_path_lengths(graph: Any, sources: Hashable, **settings: Unpack[Settings]) -> Vector: ...
def shortest_path_lengths(graph: Any, sources: Any = None, **settings: Unpack[Settings]) -> Any:
    """Counts the arcs of the shortest paths, in the forms of shortest_path_counts; UNREACHED where no path leads, which is
    a missing value in to_pandas, and no line of to_arrow and to_polars. Weights are no lengths: each arc counts 1.

    >>> import pathcount
    >>> lengths = shortest_path_lengths(Graph([("A", "B"), ("B", "C")], directed=True), ["A", "C"])
    >>> lengths["A", "C"], lengths["C", "A"] == pathcount.UNREACHED
    (2, True)
    """
    return _shortest("distance", graph, sources, settings)


def _shortest(paths: str, graph: Any, sources: Any, settings: Settings) -> Any:
    _settings.with_paths(settings, paths)
    if sources is None:
        return _matrix(graph, 0, settings)
    return _rows_of(_abi.PC_QUERY_FROM, graph, sources, 0, False, False, settings)


@_types.number
def cycles(graph: Any, length: SupportsIndex, *, each: bool = False, up_to: bool = False, **settings: Unpack[Settings]) -> Any:
    """How many cycles of a length there are: an int; with each a Vector by length.

    Those through each vertex are closed(graph, length, paths="cycles"), those through each edge
    count(graph, length, paths="cycles").

    >>> cycles([("A", "B"), ("B", "C"), ("C", "A"), ("C", "D"), ("D", "A")], 3)
    2
    """
    _settings.with_paths(settings, "cycles")
    return total(graph, length, each=each, up_to=up_to, **settings)


@overload
def rows(graph: Any, length: Int, **settings: Unpack[Exact]) -> Iterator[tuple[Any, Vector]]: ...
@overload
def rows(graph: Any, length: Int, **settings: Unpack[Rounded]) -> Iterator[tuple[Any, Vector[float]]]: ...
def rows(
    graph: Any, length: SupportsIndex, *, up_to: bool = False, **settings: Unpack[Settings]
) -> Iterator[tuple[Any, Vector[Any]]]:
    """The rows of the same matrix one by one, each with its label: the matrix is never held.

    The rows are computed while they are taken, a few ahead. To leave the iterator early cancels the rest.

    >>> [row.total for _, row in rows([("A", "B"), ("B", "C")], 8)]
    [16, 16, 16]
    """
    question = _Question(graph, _abi.PC_QUERY_MATRIX, length, settings, up_to=up_to)
    vertices = question.graph.vertices

    def job(context: _call.Context, take: Any) -> None:
        plan = question.plan(context)
        try:
            context.check(lib.pc_plan_run(plan, None, 0, _abi.answer_fn(lambda _user, _length, block: take(block)), None))
        finally:
            lib.pc_plan_free(plan)

    def taken() -> Iterator[tuple[Any, Vector[Any]]]:
        for block in _flow.flow(job, question.settings):
            for i in range(block.n_rows):
                numbers = block.numbers.part(i * block.n_columns, block.n_columns)
                yield vertices[block.first_row + i], Vector(numbers, vertices)

    return taken()


@overload
def coarsen(graph: Any, length: Int, blocks: Blocks, **settings: Unpack[Exact]) -> Counts: ...
@overload
def coarsen(graph: Any, length: Int, blocks: Blocks, **settings: Unpack[Rounded]) -> Counts[float]: ...
def coarsen(
    graph: Any, length: SupportsIndex, blocks: Blocks, *, up_to: bool = False, **settings: Unpack[Settings]
) -> Counts[Any]:
    """The paths between blocks of vertices: a Counts whose labels are the blocks.

    blocks[label] is the block of each vertex; in a list of sets of labels, as communities of NetworkX are, set I is block I.
    Entry (I, J) counts the paths from any vertex of I to any of J; the matrix between vertices is never made, so the graph may
    be large. Rows and columns have the blocks of the list in its order, those of a dict in the order of the vertices.

    >>> coarsen([("A", "B"), ("B", "C")], 2, {"A": "left", "B": "left", "C": "right"}).tolist()
    [[3, 1], [1, 1]]
    >>> coarsen([("A", "B"), ("B", "C")], 2, [{"A", "B"}, {"C"}])[0, 1]
    1
    """
    if isinstance(blocks, list) and all(isinstance(members, (Set, list)) for members in blocks):
        lists, blocks = blocks, {label: i for i, members in enumerate(blocks) for label in members}
        if len(blocks) < sum(map(len, lists)):
            raise ArgumentError("a vertex is in two blocks, or twice in one: give each block once to each vertex")
    else:
        lists = []  # of a dict, blocks are numbered as they come
    question = _Question(graph, _abi.PC_QUERY_MATRIX, length, settings, up_to=up_to)
    question.query.keeps = 1
    place: dict[Hashable, int] = {i: i for i in range(len(lists))}
    try:
        block = _words([place.setdefault(blocks[label], len(place)) for label in question.graph.vertices])
    except KeyError as error:
        raise LabelError(f"vertex {error.args[0]!r} has no block") from None
    except (TypeError, IndexError):
        raise ArgumentError(
            f"blocks is a {type(blocks).__name__}: give a dict from each vertex to its block, or a list of sets"
        ) from None

    def make(context: _call.Context) -> Handle:
        given = question.graph._handle.address, len(place), ctypes.addressof(block), None
        made = context.make(lib.pc_partition_from_arrays, context.address, *given)
        return Handle(made, lib.pc_partition_free)

    partition = _call.run(make, 0)
    question.query.partition = partition.address
    question.work = max(question.work, float(len(question.graph)))
    numbers, _, _ = question.answer()
    labels = Labels(list(place), "block")
    return Counts(numbers, labels, labels)


# ---- Less than the whole matrix --------------------------------------------------------------------


@overload
def walks_from(graph: Any, source: Several, length: Int, *, each: No = ..., **settings: Unpack[Exact]) -> Counts: ...
@overload
def walks_from(graph: Any, source: Several, length: Int, *, each: Yes, **settings: Unpack[Exact]) -> list[Counts]: ...
@overload
def walks_from(graph: Any, source: Hashable, length: Int, *, each: No = ..., **settings: Unpack[Exact]) -> Vector: ...
@overload
def walks_from(graph: Any, source: Hashable, length: Int, *, each: Yes, **settings: Unpack[Exact]) -> Counts: ...
@overload
def walks_from(
    graph: Any, source: Several, length: Int, *, each: bool = ..., **settings: Unpack[Rounded]
) -> Counts[float] | list[Counts[float]]: ...
@overload
def walks_from(
    graph: Any, source: Hashable, length: Int, *, each: bool = ..., **settings: Unpack[Rounded]
) -> Vector[float] | Counts[float]: ...
def walks_from(
    graph: Any, source: Any, length: SupportsIndex, *, each: bool = False, up_to: bool = False, **settings: Unpack[Settings]
) -> Any:
    """The paths from one vertex to every vertex: a Vector.

    A list of vertices, a range, or an array or a column of them gives a Counts with a row for each. With each a Counts with a
    row for each length, counts[length, v]; of a list of vertices a list of Counts, those of length 1 first.

    >>> walks_from([("A", "B"), ("B", "C")], "A", 4)["C"]
    2
    >>> walks_from([("A", "B"), ("B", "C")], "A", 3, each=True)[2, "C"]
    1
    """
    return _rows_of(_abi.PC_QUERY_FROM, graph, source, length, each, up_to, settings)


@overload
def walks_to(graph: Any, target: Several, length: Int, *, each: No = ..., **settings: Unpack[Exact]) -> Counts: ...
@overload
def walks_to(graph: Any, target: Several, length: Int, *, each: Yes, **settings: Unpack[Exact]) -> list[Counts]: ...
@overload
def walks_to(graph: Any, target: Hashable, length: Int, *, each: No = ..., **settings: Unpack[Exact]) -> Vector: ...
@overload
def walks_to(graph: Any, target: Hashable, length: Int, *, each: Yes, **settings: Unpack[Exact]) -> Counts: ...
@overload
def walks_to(
    graph: Any, target: Several, length: Int, *, each: bool = ..., **settings: Unpack[Rounded]
) -> Counts[float] | list[Counts[float]]: ...
@overload
def walks_to(
    graph: Any, target: Hashable, length: Int, *, each: bool = ..., **settings: Unpack[Rounded]
) -> Vector[float] | Counts[float]: ...
def walks_to(
    graph: Any, target: Any, length: SupportsIndex, *, each: bool = False, up_to: bool = False, **settings: Unpack[Settings]
) -> Any:
    """The paths from every vertex to one vertex, in the forms of walks_from.

    >>> dict(walks_to(Graph([("A", "B"), ("B", "C")], directed=True), "C", 2))
    {'A': 1, 'B': 0, 'C': 0}
    """
    return _rows_of(_abi.PC_QUERY_TO, graph, target, length, each, up_to, settings)


def _rows_of(kind: int, graph: Any, asked: Any, length: SupportsIndex, each: bool, up_to: bool, settings: Settings) -> Any:
    several = listed(asked)
    vertices = [asked] if several is None else several
    ends = {"begin" if kind == _abi.PC_QUERY_FROM else "end": vertices}
    question = _Question(graph, kind, length, settings, each=each, up_to=up_to, **ends)
    numbers, _, _ = question.answer()
    labels = question.graph.vertices
    if several is None:
        return Counts(numbers, question.lengths(), labels) if each else Vector(numbers, labels)
    asked_labels = Labels(vertices)
    size = len(vertices) * len(labels)
    if each:
        return [Counts(numbers.part(i * size, size), asked_labels, labels) for i in range(question.length)]
    return Counts(numbers, asked_labels, labels)


@overload
def walks_between(
    graph: Any, source: Several, target: Several, length: Int, *, each: No = ..., **settings: Unpack[Exact]
) -> Vector: ...
@overload
def walks_between(
    graph: Any, source: Several, target: Several, length: Int, *, each: Yes, **settings: Unpack[Exact]
) -> Counts: ...
@overload
def walks_between(
    graph: Any, source: Hashable, target: Hashable, length: Int, *, each: No = ..., **settings: Unpack[Exact]
) -> int: ...
@overload
def walks_between(
    graph: Any, source: Hashable, target: Hashable, length: Int, *, each: Yes, **settings: Unpack[Exact]
) -> Vector: ...
@overload
def walks_between(
    graph: Any, source: Several, target: Several, length: Int, *, each: bool = ..., **settings: Unpack[Rounded]
) -> Vector[float] | Counts[float]: ...
@overload
def walks_between(
    graph: Any, source: Hashable, target: Hashable, length: Int, *, each: bool = ..., **settings: Unpack[Rounded]
) -> float | Vector[float]: ...
def walks_between(
    graph: Any,
    source: Any,
    target: Any,
    length: SupportsIndex,
    *,
    each: bool = False,
    up_to: bool = False,
    **settings: Unpack[Settings],
) -> Any:
    """The paths from one vertex to another: an int; with each a Vector by length.

    Two lists, ranges, arrays or columns of the same length give a Vector by pair, (source, target); with each a Counts with a
    row for each length.

    >>> walks_between([("A", "B"), ("B", "C")], "A", "C", 200)
    633825300114114700748351602688
    """
    begin, end = listed(source), listed(target)
    if begin is None and end is None:
        return _number_or_lengths(_Question(graph, _abi.PC_QUERY_PAIRS, length, settings, [source], [target], each, up_to))
    if begin is None or end is None or len(begin) != len(end):
        raise ArgumentError("source and target are two vertices, or two lists of the same length")
    question = _Question(graph, _abi.PC_QUERY_PAIRS, length, settings, begin, end, each, up_to)
    pairs = Labels(list(zip(begin, end)), "pair")
    numbers, _, _ = question.answer()
    return Counts(numbers, question.lengths(), pairs) if each else Vector(numbers, pairs)


@_types.number
def total(graph: Any, length: SupportsIndex, *, each: bool = False, up_to: bool = False, **settings: Unpack[Settings]) -> Any:
    """How many paths there are in all: an int; with each a Vector by length.

    >>> total([("A", "B"), ("B", "C")], 8), total([("A", "B"), ("B", "C")], 3, each=True).tolist()
    (48, [4, 6, 8])
    """
    return _number_or_lengths(_Question(graph, _abi.PC_QUERY_TOTAL, length, settings, each=each, up_to=up_to))


@_types.number
def trace(graph: Any, length: SupportsIndex, *, each: bool = False, up_to: bool = False, **settings: Unpack[Settings]) -> Any:
    """How many paths end where they start: an int; with each a Vector by length.

    >>> trace([("A", "B"), ("B", "C"), ("C", "A")], 3)
    6
    """
    return _number_or_lengths(_Question(graph, _abi.PC_QUERY_TRACE, length, settings, each=each, up_to=up_to))


@_types.vector
def starts(graph: Any, length: SupportsIndex, *, each: bool = False, up_to: bool = False, **settings: Unpack[Settings]) -> Any:
    """How many paths start at each vertex: a Vector; with each a Counts with a row for each length.

    >>> starts([("A", "B"), ("B", "C")], 3).tolist()
    [2, 4, 2]
    """
    return _column(_Question(graph, _abi.PC_QUERY_STARTS, length, settings, each=each, up_to=up_to))


@_types.vector
def ends(graph: Any, length: SupportsIndex, *, each: bool = False, up_to: bool = False, **settings: Unpack[Settings]) -> Any:
    """How many paths end at each vertex: a Vector; with each a Counts with a row for each length.

    >>> ends(Graph([("A", "B"), ("B", "C")], directed=True), 1).tolist()
    [0, 1, 1]
    """
    return _column(_Question(graph, _abi.PC_QUERY_ENDS, length, settings, each=each, up_to=up_to))


@_types.vector
def closed(graph: Any, length: SupportsIndex, *, each: bool = False, up_to: bool = False, **settings: Unpack[Settings]) -> Any:
    """How many paths start and end at each vertex: a Vector; with each a Counts with a row for each length.

    >>> closed([("A", "B"), ("B", "C")], 2).tolist()
    [1, 2, 1]
    """
    return _column(_Question(graph, _abi.PC_QUERY_CLOSED, length, settings, each=each, up_to=up_to))


def _number_or_lengths(question: _Question) -> Any:
    numbers, _, _ = question.answer()
    return Vector(numbers, question.lengths()) if question.each else numbers[0]


def _column(question: _Question) -> Any:
    numbers, _, _ = question.answer()
    vertices = question.graph.vertices
    return Counts(numbers, question.lengths(), vertices) if question.each else Vector(numbers, vertices)


# ---- Walks in time ---------------------------------------------------------------------------------


def time_respecting_walks(
    events: Any,
    length: int | None = None,
    *,
    source: Any = None,
    target: Any = None,
    time: Any = True,
    columns: Sequence[Any] | None = None,
    directed: bool = True,
    each: bool = False,
    up_to: bool = False,
    **settings: Unpack[Settings],
) -> Any:
    """The walks of that many events, each of which begins where the last one ended, strictly later, by at most ``wait``.

    events are tuples (from, to, time), a table of these three columns or with times in the column ``time`` (and the ends in
    two ``columns``), a graph with the attribute ``time``, or a Graph whose labels are times. Times are integers or decimals;
    dates (datetime, numpy.datetime64) are seconds since 1970, and ``wait`` may be a timedelta. An event that is given again is
    dropped. length None: walks of any length, which are finitely many. With source and target the answer is that of
    walks_between, with one of them that of walks_from or walks_to, else of total. They, and other questions of such a Graph,
    take ``wait=``, too.

    >>> time_respecting_walks([("a", "b", 1), ("b", "c", 2), ("b", "c", 9)], 2, source="a", target="c", wait=5)
    1
    """
    if isinstance(events, np.ndarray if (np := sys.modules.get("numpy")) else ()):
        events = events.tolist()
    graph = events if isinstance(events, Graph) else Graph(events, columns=columns, directed=directed, label=time)
    if settings.get("wait") is None:
        settings["wait"] = math.inf
    if length is None:
        length, up_to = 2**63 - 1, True
    if source is None and target is None:
        return total(graph, length, each=each, up_to=up_to, **settings)
    if source is None:
        return walks_to(graph, target, length, each=each, up_to=up_to, **settings)
    if target is None:
        return walks_from(graph, source, length, each=each, up_to=up_to, **settings)
    return walks_between(graph, source, target, length, each=each, up_to=up_to, **settings)


# ---- Graphs without cycles -------------------------------------------------------------------------


def spc(graph: Any, kind: str = "spc", **settings: Unpack[Settings]) -> dict[tuple[Any, ...], int]:
    """The number of search paths along each arc, exact: {(from, to): weight}.

    kind is ``"spc"`` (paths from sources to sinks), ``"splc"`` (from any vertex to sinks) or ``"spnp"`` (between any
    vertices). DataError names a cycle of a graph that has one. A Graph whose ``label=`` are times takes ``wait=``: the answer
    is the number of walks in time along each event, {(from, to, time): weight}. Those of ``"spc"`` begin with an event that
    could follow none and end with one that none could follow. The keywords threads, memory and progress are taken.

    >>> spc(Graph([("A", "B"), ("A", "C"), ("B", "C")], directed=True))
    {('A', 'B'): 1, ('A', 'C'): 1, ('B', 'C'): 1}
    >>> spc(Graph([("A", "B", 1), ("B", "C", 2), ("B", "C", 9)], directed=True, label=True), wait=5)
    {('A', 'B', 1): 1, ('B', 'C', 2): 1, ('B', 'C', 9): 1}
    """
    return {arc[:-1]: arc[-1] for arc in _arcs(as_graph(graph), kind, None, settings)}


def main_path(graph: Any, kind: str = "spc", search: str = "global", **settings: Unpack[Settings]) -> list[tuple[Any, ...]]:
    """The path from a source to a sink with the largest sum of weights: its arcs (from, to, weight).

    search="local" goes on along the heaviest arc, again and again. The first of several paths is taken. ``wait=`` asks
    for a walk in time: its events (from, to, time, weight).

    >>> main_path(Graph([("A", "B"), ("A", "C"), ("B", "C")], directed=True))
    [('A', 'B', 1), ('B', 'C', 1)]
    """
    return _arcs(as_graph(graph), kind, _settings._choice("search", search, {"global": 0, "local": 1}), settings)


def _time(text: Any) -> int | Decimal:
    return Decimal(text) if "." in str(text) else int(text)


def _arcs(graph: Graph, kind: str, search: int | None, settings: Settings) -> list[tuple[Any, ...]]:
    paths = _settings._choice("kind", kind, {"spc": 0, "splc": 1, "spnp": 2})
    _settings.only(settings, "a search path count", "wait")
    labels, n, wait, events = graph.vertices, len(graph), settings.get("wait"), graph._labelled
    if wait is not None and events is None:
        raise ArgumentError("wait is given: make the Graph with label= of the times")
    in_time = wait is not None and events is not None
    address = events.address if in_time and events is not None else graph._handle.address
    longest = (None if wait == math.inf else _number(wait),) if in_time else ()
    arcs, text, made = _abi.pc_arcs(), ctypes.c_void_p(), ctypes.c_void_p()
    if in_time:
        lib.pc_labelled_edges_arcs(address, ctypes.addressof(arcs), ctypes.addressof(text))
    else:
        lib.pc_graph_arcs(address, ctypes.addressof(arcs))
    start = (ctypes.c_uint64 * (n + 1)).from_address(arcs.row_start)[:]
    chosen = (ctypes.c_uint64 * (n + start[n] + 1))()

    def job(context: _call.Context) -> tuple[Numbers, int]:
        given: tuple[Any, ...] = context.address, address, paths, *longest, ctypes.addressof(made)
        function = lib.pc_time_path_counts if in_time else lib.pc_search_path_counts
        lib.pc_counts_free(context.make(function, *given))
        n_chosen = 0
        try:
            if search is not None:
                given = context.address, address, *longest, made.value, search, ctypes.addressof(chosen)
                n_chosen = of_counts(context.make(lib.pc_time_main_path if in_time else lib.pc_main_path, *given))[1]
        finally:
            numbers = of_counts(made.value or 0)[0]
        return numbers, n_chosen

    with naming(labels) if graph._info.format == b"arrays" else nullcontext():
        numbers, n_chosen = _call.run(job, 8.0 * (start[n] + n), settings)
    column = (ctypes.c_uint32 * start[n]).from_address(arcs.column or ctypes.addressof(chosen))[:]
    names, asked = list(labels), range(start[n]) if search is None else chosen[:n_chosen]
    ends = [(names[bisect_right(start, a) - 1], names[column[a]]) for a in asked]
    if not in_time:
        return [(*pair, numbers[a]) for pair, a in zip(ends, asked)]
    times = [_time(one) for one in read_labels(lib.pc_labelled_edges_texts(address))]
    number = (ctypes.c_uint32 * start[n]).from_address(text.value or ctypes.addressof(chosen))[:]
    return [(*pair, times[number[a]], numbers[a]) for pair, a in zip(ends, asked)]
