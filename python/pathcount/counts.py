"""Answers: a vector of counts, and a matrix of counts, by label."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Callable

from . import _abi, _call, errors
from ._abi import lib
from ._labels import Labels
from ._numbers import Handle, Numbers, address_of, int_of

if TYPE_CHECKING:
    import numpy.typing as npt


class Vector(Mapping[Any, Any]):
    """A count for each label: a mapping, in the order of the labels.

    >>> import pathcount
    >>> starts = pathcount.starts(pathcount.Graph([("A", "B"), ("B", "C")]), 2)
    >>> starts["B"], dict(starts), starts.total
    (2, {'A': 2, 'B': 2, 'C': 2}, 6)
    """

    __slots__ = ("_numbers", "labels")

    labels: Labels
    """What the counts are called."""

    def __init__(self, numbers: Numbers, labels: Labels) -> None:
        self._numbers = numbers
        self.labels = labels

    def __reduce__(self) -> tuple[Any, ...]:
        return Vector, (self._numbers, self.labels)

    def __getitem__(self, label: Any) -> Any:
        """The count of a label, a Python int of any size (a float of doubles). KeyError when there is no such label."""
        return self._numbers[self.labels.position(label)]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.labels)

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        shown = ", ".join(f"{label!r}: {_short(partial(self.__getitem__, label))}" for label in self.labels[:4])
        return f"<pathcount.Vector of {len(self)}: {{{shown}{', ...' if len(self) > 4 else ''}}}>"

    def tolist(self) -> list[Any]:
        """The counts in the order of the labels."""
        return list(self._numbers)

    @property
    def total(self) -> Any:
        """The sum of all counts."""
        return self._numbers.sum(0, len(self))

    def top(self, n: int = 10) -> list[tuple[Any, Any]]:
        """The n largest counts with their labels, the largest first; equal ones in the order of the labels."""
        import heapq

        largest = heapq.nsmallest(n, ((-count, i) for i, count in enumerate(self._numbers)))
        return [(self.labels[i], -negated) for negated, i in largest]

    @property
    def limbs(self) -> memoryview:
        """A read-only view, without a copy, of shape (n, n_limbs): 64-bit words, the least significant first."""
        return self._numbers.limbs(len(self))

    def to_numpy(self, dtype: npt.DTypeLike | None = None) -> npt.NDArray[Any]:
        """An array of shape (n,): uint64, or the dtype. OverflowError when a count does not fit; see Counts.to_numpy."""
        return self._numbers.to_numpy(dtype, (len(self),))

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        made = self.to_numpy(dtype)
        return made.copy() if copy else made

    def to_pandas(self) -> Any:
        """A Series by label: uint64 where all counts fit, else Python integers (object); float64 of doubles."""
        import pandas

        return pandas.Series(_fitting(self), index=pandas.Index(list(self.labels), tupleize_cols=False))


class Counts:
    """A matrix of counts. ``counts[u, v]`` is the number of paths from the vertex labelled u to the one labelled v.

    The numbers stay in the memory of the library and are converted when they are asked for. A matrix never changes. As of a
    dict, the length is that of the rows, and to iterate gives their labels.

    >>> import pathcount
    >>> counts = pathcount.count(pathcount.Graph([("A", "B"), ("B", "C")]), 3)
    >>> counts["A", "B"], counts["B", "B"], counts.total
    (2, 0, 8)
    >>> dict(counts["B"])
    {'A': 2, 'B': 0, 'C': 2}
    """

    __slots__ = ("_numbers", "_summary", "columns", "error", "rows")

    rows: Labels
    """What the rows are called: where paths start."""
    columns: Labels
    """What the columns are called: where paths end. Of square matrices the same object as rows."""

    error: float
    """A proved limit of the errors of ``dwpc``; 0.0 of all other matrices."""

    def __init__(self, numbers: Numbers, rows: Labels, columns: Labels, error: float = 0.0) -> None:
        self._numbers = numbers
        self.error = error
        self._summary: tuple[bytes, bytes] | None = None
        self.rows = rows
        self.columns = columns

    def __reduce__(self) -> tuple[Any, ...]:
        return Counts, (self._numbers, self.rows, self.columns, self.error)

    # ---- Counts ------------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.rows), len(self.columns)

    @property
    def is_exact(self) -> bool:
        """False of doubles."""
        return self._numbers.n_limbs > 0

    def __getitem__(self, key: Any) -> Any:
        """``counts[u, v]``: a Python int of any size (a float of doubles). ``counts[u]``: the row of u, a Vector.

        KeyError when there is no such label. A label that is a tuple of two is looked for as a row with ``row(label)``.
        """
        if isinstance(key, tuple) and len(key) == 2:
            row, column = self.rows.position(key[0]), self.columns.position(key[1])
            return self._numbers[row * len(self.columns) + column]
        return self.row(key)

    def __iter__(self) -> Iterator[Any]:
        """The labels of the rows, as of a dict of rows."""
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __contains__(self, label: object) -> bool:
        return label in self.rows

    def row(self, label: Any) -> Vector:
        """The counts from one vertex, by the label where paths end."""
        n = len(self.columns)
        return Vector(self._numbers.part(self.rows.position(label) * n, n), self.columns)

    def iter_rows(self) -> Iterator[tuple[Any, Vector]]:
        """Each row with its label."""
        n = len(self.columns)
        for i, label in enumerate(self.rows):
            yield label, Vector(self._numbers.part(i * n, n), self.columns)

    def __repr__(self) -> str:
        rows, columns = self.shape
        what = "counts" if self.is_exact else "doubles"
        largest = f", the largest is {_short(lambda: self.largest)}" if rows and columns else ""
        return f"<pathcount.Counts: {rows} x {columns} {what}{largest}>"

    # ---- Sums --------------------------------------------------------------------------------------

    @property
    def total(self) -> Any:
        """The sum of all counts."""
        return _number(self._sums()[0], self.is_exact)

    @property
    def trace(self) -> Any:
        """The sum of the diagonal: paths that end where they start. ValueError when rows and columns differ."""
        self._must_be_square()
        n = len(self.rows)
        return self._numbers.sum(0, n * n, n + 1)

    @property
    def largest(self) -> Any:
        """The largest count."""
        return _number(self._sums()[1], self.is_exact)

    @property
    def bits(self) -> int:
        """The width of the largest count. TypeError of doubles."""
        if not self.is_exact:
            raise TypeError("these numbers are doubles: they have no width")
        return int(self.largest).bit_length()

    @property
    def diagonal(self) -> Vector:
        """Paths that return to where they start, by vertex. ValueError when rows and columns differ."""
        self._must_be_square()
        return Vector(self._numbers.stepped(0, len(self.rows), len(self.rows) + 1), self.rows)

    @property
    def row_sums(self) -> dict[Any, Any]:
        """How many paths start at each vertex."""
        n = len(self.columns)
        return {label: self._numbers.sum(i * n, (i + 1) * n) for i, label in enumerate(self.rows)}

    def top(self, n: int = 10) -> list[tuple[Any, Any, Any]]:
        """The n largest counts as (from, to, count), the largest first and none that is 0.

        Equal ones are in the order of rows, then columns.
        """
        if n <= 0:
            return []
        with _Reduction(self) as reduction:
            values = reduction.summary(n)
            pairs = (values.pairs[i] for i in range(values.n_pairs))
            return [(self.rows[getattr(p, "from")], self.columns[p.to], _number(p.count, self.is_exact)) for p in pairs]

    def _sums(self) -> tuple[bytes, bytes]:
        if self._summary is None:
            with _Reduction(self) as reduction:
                values = reduction.summary(1)
                self._summary = values.total, values.largest
        return self._summary

    def _must_be_square(self) -> None:
        if self.rows is not self.columns:
            raise errors.ArgumentError("the matrix has rows and columns of different kinds: it has no diagonal")

    # ---- Other forms -------------------------------------------------------------------------------

    @property
    def limbs(self) -> memoryview:
        """A read-only view, without a copy, of shape (rows, columns, n_limbs): 64-bit words, the least significant first.

        ``numpy.asarray(counts.limbs)`` is an array of uint64 that shares the memory. TypeError of doubles.
        """
        return self._numbers.limbs(*self.shape)

    def to_numpy(self, dtype: npt.DTypeLike | None = None) -> npt.NDArray[Any]:
        """An array of shape (rows, columns).

        uint64 where dtype is not given: read-only and without a copy where each count has one word. OverflowError when a
        count does not fit an integer dtype. ``dtype=object`` gives Python integers of any size, ``dtype="float64"`` the
        nearest doubles. Doubles are float64 at first. OverflowError when a number passes the range of a floating dtype.
        """
        return self._numbers.to_numpy(dtype, self.shape)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        made = self.to_numpy(dtype)
        return made.copy() if copy else made

    def tolist(self) -> list[list[Any]]:
        """Rows of Python integers (floats of doubles)."""
        n = len(self.columns)
        return [list(self._numbers.iterate(i * n, (i + 1) * n)) for i in range(len(self.rows))]

    def to_pandas(self) -> Any:
        """A DataFrame by label: uint64 where all counts fit, else Python integers (object); float64 of doubles."""
        import pandas

        index = pandas.Index(list(self.rows), tupleize_cols=False)
        columns = pandas.Index(list(self.columns), tupleize_cols=False)
        return pandas.DataFrame(_fitting(self), index=index, columns=columns)

    def _repr_html_(self) -> str:
        """A small heatmap for notebooks: darker means larger, by the logarithm of the largest count of each cell."""
        rows, columns = self.shape
        caption = f"<code>{_escape(repr(self))}</code>"
        if rows == 0 or columns == 0:
            return caption
        with _Reduction(self) as reduction:
            values = reduction.grid(48)
            down, across = values.n_down, values.n_across
            log2 = values.log2[: down * across]
        least, most = values.least, values.most
        span = most - least if most > least else 1.0
        cells = []
        for i in range(down):
            for j in range(across):
                log = log2[i * across + j]
                if log >= least:
                    opacity = 0.15 + 0.85 * (log - least) / span if most > least else 1.0
                    cells.append(f'<rect x="{j}" y="{i}" width="1" height="1" opacity="{opacity:.2f}"/>')
        return (
            f'<svg viewBox="0 0 {across} {down}" width="{min(240, 12 * across)}" fill="#08306b" '
            f'shape-rendering="crispEdges">{"".join(cells)}</svg><br>{caption}'
        )


class _Reduction:
    """What all rows of a matrix amount to, computed by the library. Values are valid within the with statement."""

    def __init__(self, counts: Counts) -> None:
        self.counts = counts
        self.made: list[Handle] = []

    def __enter__(self) -> _Reduction:
        return self

    def __exit__(self, *_: object) -> None:
        self.made.clear()

    def summary(self, n_pairs: int) -> Any:
        return self._reduce(lib.pc_summary_create, n_pairs, lib.pc_summary_get, _abi.pc_summary_values())

    def grid(self, most_cells: int) -> Any:
        return self._reduce(lib.pc_grid_create, most_cells, lib.pc_grid_get, _abi.pc_grid_values())

    def _reduce(self, create: Any, most: int, get: Any, values: Any) -> Any:
        numbers = self.counts._numbers
        n_rows, n_columns = self.counts.shape
        rows = _abi.pc_rows(n_rows=n_rows, n_columns=n_columns, n_limbs=numbers.n_limbs, exponent=numbers.exponent)
        words = address_of(numbers.words)
        if numbers.n_limbs:
            rows.limbs = words
        else:
            rows.values = words

        def job(context: _call.Context) -> None:
            frame = _abi.pc_frame(n_limbs=numbers.n_limbs)
            frame.rows = frame.columns = self._labels(context, n_rows)
            if n_columns != n_rows:
                frame.columns = self._labels(context, n_columns)
            made = context.make(create, context.address, ctypes.addressof(frame), most)
            self.made.append(Handle(made, lib.pc_reduction_free))
            context.check(lib.pc_reduction_add(made, ctypes.addressof(rows)))
            context.check(get(made, ctypes.addressof(values)))

        _call.run(job, float(n_rows) * n_columns * (numbers.n_limbs or 1))
        return values

    def _labels(self, context: _call.Context, n: int) -> int:
        """Labels 0..n-1 for a frame: those of a graph without edges."""
        edges = _abi.pc_edges(n_vertices=n)
        graph = context.make(lib.pc_graph_from_edges, context.address, ctypes.addressof(edges), None)
        self.made.append(Handle(graph, lib.pc_graph_free))
        labels: int = lib.pc_graph_labels(graph)
        return labels


def _number(text: bytes, is_exact: bool) -> Any:
    if is_exact:
        return int_of(text)
    number = float(text)
    if number == float("inf"):
        raise errors.RangeError(f"{text.decode()} passes the range of doubles: count exactly")
    return number


def _short(number_of: Callable[[], Any]) -> str:
    """A number for people: the ends of a long one."""
    try:
        number = number_of()
    except errors.RangeError as error:
        return str(error).partition(" ")[0]
    if isinstance(number, int) and number.bit_length() > 130:
        from math import log10

        digits = int(number.bit_length() * log10(2))
        return f"about 10**{digits}"
    return str(number)


def _fitting(answer: Vector | Counts) -> Any:
    try:
        return answer.to_numpy()
    except errors.RangeError:
        return answer.to_numpy(dtype=object)


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
