"""Answers: a vector of counts, and a matrix of counts, by label."""

from __future__ import annotations

import ctypes
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import partial
from math import nan
from typing import TYPE_CHECKING, Any, Callable, overload

from . import _abi, _call, _settings, errors
from ._abi import lib
from ._answers import Answer, Number_co, index_of
from ._labels import Labels
from ._numbers import UNREACHED, Handle, Lengths, Numbers, address_of, int_of, of_values

if TYPE_CHECKING:
    import networkx
    import numpy as np
    import numpy.typing as npt
    import pandas
    import scipy.sparse

    from ._labels import Several, Single


class Vector(Answer[Number_co], Mapping[Any, Number_co]):
    """A count for each label: a mapping, in the order of the labels, and an array of shape (n,).

    ``starts["B"]`` is a number. ``starts[["A", "B"]]`` and ``starts[:2]`` are Vectors of several labels; a slice is one of
    positions, and is refused where labels are integers other than 0, 1, ....

    >>> import pathcount
    >>> starts = pathcount.starts(pathcount.Graph([("A", "B"), ("B", "C")]), 2)
    >>> starts["B"], dict(starts), starts.sum()
    (2, {'A': 2, 'B': 2, 'C': 2}, 6)
    >>> starts[["C", "A"]]
    <pathcount.Vector of 2: {'C': 2, 'A': 2}>
    """

    __slots__ = ("labels",)

    labels: Labels
    """What the counts are called."""

    def __init__(self, numbers: Numbers, labels: Labels) -> None:
        self._numbers = numbers
        self.labels = labels

    def __reduce__(self) -> tuple[Any, ...]:
        return Vector, (self._numbers, self.labels)

    @property
    def shape(self) -> tuple[int]:
        """How many labels there are."""
        return (len(self.labels),)

    @overload
    def __getitem__(self, label: Single) -> Number_co: ...
    @overload
    def __getitem__(self, label: Several) -> Vector[Number_co]: ...
    @overload
    def __getitem__(self, label: Hashable) -> Number_co: ...
    def __getitem__(self, label: Any) -> Any:
        """The count of a label, a Python int of any size (a float of doubles). KeyError when there is no such label."""
        places = self.labels.places(label)
        if isinstance(places, int):
            return self._numbers[places]
        return Vector(self._numbers.gather((i, 1, 1) for i in places), self.labels.chosen(places))

    def __contains__(self, label: object) -> bool:
        return label in self.labels

    def __iter__(self) -> Iterator[Any]:
        return iter(self.labels)

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        shown = ", ".join(f"{label!r}: {number}" for label, number in self._shown(4))
        return f"<pathcount.Vector of {len(self)}: {{{shown}{', ...' if len(self) > 4 else ''}}}>"

    def _shown(self, n: int) -> Iterator[tuple[Any, str]]:
        for i, label in enumerate(self.labels[:n]):
            yield label, _text(self._numbers, partial(self._numbers.__getitem__, i))

    def _repr_html_(self) -> str:
        """The first ten counts, for notebooks."""
        rows = [f"<tr><th>{_escape(repr(label))}</th><td>{number}</td></tr>" for label, number in self._shown(10)]
        rest = f"<tr><td colspan='2'>... {len(self) - 10} more</td></tr>" if len(self) > 10 else ""
        return f"<table>{''.join(rows)}{rest}</table><code>&lt;pathcount.Vector of {len(self)}&gt;</code>"

    def tolist(self) -> list[Number_co]:
        """The counts in the order of the labels."""
        return list(self._numbers)

    @property
    def total(self) -> Number_co:
        """The sum of all counts."""
        self._must_add_up()
        return self._numbers.sum(0, len(self))  # type: ignore[no-any-return]

    def sum(self, axis: None = None, out: None = None) -> Number_co:
        """The sum of all counts, exact. axis and out are None: numpy.sum(vector) gives them."""
        return self.total

    def top(self, n: int = 10) -> list[tuple[Any, Number_co]]:
        """The n largest counts with their labels, the largest first; equal ones in the order of the labels."""
        import heapq

        n = _settings.whole("n", n, 0, 2**63 - 1)
        numbers = self._reached()
        largest = heapq.nsmallest(n, ((-count, i) for i, count in enumerate(numbers)))
        return [(self.labels[i], -negated) for negated, i in largest]

    def to_pandas(self) -> pandas.Series:
        """A Series by label: uint64 where all counts fit, else Python integers (object); float64 of doubles."""
        import pandas

        return self._known(pandas.Series(self._fitting(), index=index_of(self.labels)))

    def _table(self) -> tuple[dict[str, list[Any]], npt.NDArray[Any]]:
        name, labels, numbers = "length" if self.labels.what == "length" else "label", list(self.labels), self._fitting()
        if isinstance(self._numbers, Lengths):
            labels = [label for label, number in self.items() if number != UNREACHED]
            numbers = numbers[numbers != UNREACHED]
        return {name: labels}, numbers


class Counts(Answer[Number_co]):
    """A matrix of counts. ``counts[u, v]`` is the number of paths from the vertex labelled u to the one labelled v.

    The numbers stay in the memory of the library and are converted when they are asked for. A matrix never changes. As of
    a dict of rows, the length is that of the rows, to iterate gives their labels, and items() gives each row with its label.

    ========================================== ==========================================================================
    ``counts["A", "B"]``                       a Python int of any size (a float of doubles)
    ``counts["A"]``, ``counts["A", :]``        a row: a Vector
    ``counts[:, "B"]``                         a column
    ``counts[["A", "B"], ["C", "D"]]``         a smaller Counts: these rows, these columns, by lists or arrays of labels
    ``counts[:5]``, ``counts[:, ::2]``         slices, of positions; refused where labels are integers other than 0, 1, ...
    ========================================== ==========================================================================

    >>> import pathcount
    >>> counts = pathcount.count(pathcount.Graph([("A", "B"), ("B", "C")]), 3)
    >>> counts["A", "B"], counts["B", "B"], counts.sum()
    (2, 0, 8)
    >>> dict(counts["B"]), counts[["A", "C"], ["B"]].tolist(), counts == counts.T
    ({'A': 2, 'B': 0, 'C': 2}, [[2], [2]], True)
    """

    __slots__ = ("_summary", "columns", "error", "rows")

    rows: Labels
    """What the rows are called: where paths start."""
    columns: Labels
    """What the columns are called: where paths end. Of square matrices the same object as rows."""

    error: float
    """0.0 of exact counts; a proved limit of the errors of ``dwpc``; NaN, not known, of other doubles."""

    def __init__(self, numbers: Numbers, rows: Labels, columns: Labels, error: float | None = None) -> None:
        self._numbers = numbers
        self.error = error if error is not None else 0.0 if numbers.n_limbs else nan
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

    @overload
    def __getitem__(self, key: Single) -> Vector[Number_co]: ...
    @overload
    def __getitem__(self, key: tuple[Several, Several]) -> Counts[Number_co]: ...
    @overload
    def __getitem__(self, key: tuple[Several, Hashable] | tuple[Hashable, Several]) -> Vector[Number_co]: ...
    @overload
    def __getitem__(self, key: tuple[Hashable, Hashable]) -> Number_co: ...
    @overload
    def __getitem__(self, key: Several) -> Counts[Number_co]: ...
    @overload
    def __getitem__(self, key: Hashable) -> Vector[Number_co]: ...
    def __getitem__(self, key: Any) -> Any:
        """One count, a row, a column or a part of the matrix, as the help of Counts says.

        KeyError when there is no such label. A tuple that is the label of a row gives this row; ArgumentError where it may
        be a row and a column, too: ``row(label)`` takes one label.
        """
        by_both = isinstance(key, tuple) and len(key) == 2
        if by_both and key in self.rows:
            if key[0] in self.rows and key[1] in self.columns:
                raise errors.ArgumentError(f"{key!r} is a row, or a row and a column: give row(label), or row(label)[label]")
            by_both = False
        row = self.rows.places(key[0] if by_both else key)
        column = self.columns.places(key[1] if by_both else slice(None))
        n = len(self.columns)
        if isinstance(row, int):
            if isinstance(column, int):
                return self._numbers[row * n + column]
            return Vector(self._part([row], column), self.columns.chosen(column))
        if isinstance(column, int):
            return Vector(self._part(row, [column]), self.rows.chosen(row))
        is_square = self.rows is self.columns and list(row) == list(column)
        rows = self.rows.chosen(row)
        return Counts(self._part(row, column), rows, rows if is_square else self.columns.chosen(column), self.error)

    def _part(self, rows: Sequence[int], columns: Sequence[int]) -> Numbers:
        """The numbers of some rows and columns, by position. They are copied, those of whole rows only once."""
        n_rows, n = self.shape
        if len(rows) == 1 and columns == range(n):
            return self._numbers.part(rows[0] * n, n)
        chosen = self._numbers if rows == range(n_rows) else self._numbers.gather((i * n, n, 1) for i in rows)
        if columns == range(n):
            return chosen
        turned = chosen.gather((j, len(rows), n) for j in columns)
        return turned.gather((i, len(columns), len(rows)) for i in range(len(rows)))

    @property
    def T(self) -> Counts[Number_co]:
        """The matrix with rows and columns exchanged, a copy."""
        n_rows, n = self.shape
        return Counts(self._numbers.gather((j, n_rows, n) for j in range(n)), self.columns, self.rows, self.error)

    def __eq__(self, other: object) -> bool:
        """Whether all counts by label are equal, in any order of the labels."""
        if not isinstance(other, Counts):
            return NotImplemented
        if self.shape != other.shape or not all(label in other.rows for label in self.rows):
            return False
        if not all(label in other.columns for label in self.columns):
            return False
        rows, columns = (
            _plain([there.position(label) for label in here])
            for there, here in ((other.rows, self.rows), (other.columns, self.columns))
        )
        return self._numbers.equals(other._part(rows, columns))

    def __iter__(self) -> Iterator[Any]:
        """The labels of the rows, as of a dict of rows."""
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __contains__(self, label: object) -> bool:
        return label in self.rows

    def row(self, label: Any) -> Vector[Number_co]:
        """The counts from one vertex, by the label where paths end."""
        n = len(self.columns)
        return Vector(self._numbers.part(self.rows.position(label) * n, n), self.columns)

    def keys(self) -> Labels:
        """The labels of the rows: dict(counts) asks for them."""
        return self.rows

    def iter_rows(self) -> Iterator[tuple[Any, Vector[Number_co]]]:
        """Each row with its label."""
        n = len(self.columns)
        for i, label in enumerate(self.rows):
            yield label, Vector(self._numbers.part(i * n, n), self.columns)

    items = iter_rows

    def __repr__(self) -> str:
        rows, columns = self.shape
        what = "counts" if self.is_exact else "doubles"
        largest = f", the largest is {_text(self._numbers, lambda: self.largest)}" if rows and columns else ""
        return f"<pathcount.Counts: {rows} x {columns} {what}{largest}>"

    def __str__(self) -> str:
        """The description, and up to 10 x 10 counts with their labels."""
        rows, columns, n = self.rows[:10], self.columns[:10], len(self.columns)
        table = [["", *map(str, columns)]]
        for i, label in enumerate(rows):
            numbers = (partial(self._numbers.__getitem__, i * n + j) for j in range(len(columns)))
            table.append([str(label), *(_text(self._numbers, number_of) for number_of in numbers)])
        widths = [max(map(len, column)) for column in zip(*table)]
        more = " ..." if len(columns) < n else ""
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(line, widths)) + more for line in table]
        return "\n".join([repr(self), *lines, *(["..."] if len(rows) < len(self.rows) else [])])

    # ---- Sums --------------------------------------------------------------------------------------

    @property
    def total(self) -> Number_co:
        """The sum of all counts."""
        self._must_add_up()
        return _number(self._sums()[0], self.is_exact)  # type: ignore[no-any-return]

    @overload
    def sum(self, axis: None = None, out: None = None) -> Number_co: ...
    @overload
    def sum(self, axis: int, out: None = None) -> Vector[Number_co]: ...
    def sum(self, axis: int | None = None, out: None = None) -> Any:
        """The sum of all counts, exact; with axis 0 the sum of each column, with 1 of each row, a Vector by label.

        numpy.sum(counts, axis) is the same. ArgumentError for another axis.

        >>> import pathcount
        >>> counts = pathcount.count([("A", "B"), ("B", "C")], 2)
        >>> counts.sum(), dict(counts.sum(axis=1))
        (6, {'A': 2, 'B': 2, 'C': 2})
        """
        if axis is None:
            return self.total
        if axis not in (0, 1, -1, -2):
            raise errors.ArgumentError(f"axis is {axis!r}: give 0 for sums of columns, 1 for sums of rows, or None")
        self._must_add_up()
        (n_rows, n), numbers = self.shape, self._numbers
        if axis in (1, -1):
            sums = [numbers.sum(i * n, (i + 1) * n) for i in range(n_rows)]
        else:
            sums = [numbers.sum(j, n_rows * n, n) for j in range(n)]
        return Vector(of_values(sums, self.is_exact), self.rows if axis in (1, -1) else self.columns)

    @property
    def trace(self) -> Number_co:
        """The sum of the diagonal: paths that end where they start. ValueError when rows and columns differ."""
        self._must_be_square()
        n = len(self.rows)
        return self._numbers.sum(0, n * n, n + 1)  # type: ignore[no-any-return]

    @property
    def largest(self) -> Number_co:
        """The largest count."""
        return _number(self._sums()[1], self.is_exact)  # type: ignore[no-any-return]

    @property
    def bits(self) -> int:
        """The width of the largest count. TypeError of doubles."""
        if not self.is_exact:
            raise TypeError("these numbers are doubles: they have no width")
        return int(self.largest).bit_length()

    @property
    def diagonal(self) -> Vector[Number_co]:
        """Paths that return to where they start, by vertex. ValueError when rows and columns differ."""
        self._must_be_square()
        return Vector(self._numbers.gather([(0, len(self.rows), len(self.rows) + 1)]), self.rows)

    @property
    def row_sums(self) -> dict[Any, Number_co]:
        """How many paths start at each vertex."""
        return dict(self.sum(axis=1))

    def top(self, n: int = 10) -> list[tuple[Any, Any, Number_co]]:
        """The n largest counts as (from, to, count), the largest first and none that is 0.

        Equal ones are in the order of rows, then columns. A pair of an undirected graph comes in both directions.
        """
        if _settings.whole("n", n, 0, 2**63 - 1) == 0:
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

    def tolist(self) -> list[list[Number_co]]:
        """Rows of Python integers (floats of doubles)."""
        n = len(self.columns)
        return [list(self._numbers.iterate(i * n, (i + 1) * n)) for i in range(len(self.rows))]

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame by label: uint64 where all counts fit, else Python integers (object); float64 of doubles."""
        import pandas

        made = pandas.DataFrame(self._fitting(), index=index_of(self.rows), columns=index_of(self.columns))
        return self._known(made)

    def to_scipy(self, dtype: npt.DTypeLike | None = None) -> scipy.sparse.csr_array:
        """A sparse array of SciPy of the counts that are not 0: uint64, or the dtype.

        OverflowError where a count does not fit, as of to_numpy: SciPy has no sparse arrays of larger integers.

        >>> import pathcount
        >>> pathcount.count([("A", "B"), ("B", "C")], 2).to_scipy().nnz
        5
        """
        import scipy.sparse

        row, column = self._places()
        return scipy.sparse.csr_array((self.to_numpy(dtype)[row, column], (row, column)), shape=self.shape)

    def to_networkx(self, weight: str = "weight") -> networkx.DiGraph:
        """A DiGraph of NetworkX with an arc for each count that is not 0, which is its attribute weight: a Python int.

        ArgumentError where a label of a row is one of a column and means something else.

        >>> import pathcount
        >>> pathcount.count([("A", "B"), ("B", "C")], 100).to_networkx()["A"]["C"]["weight"] == 2**49
        True
        """
        import networkx

        both = next((label for label in self.rows if label in self.columns), None) if self.rows is not self.columns else None
        if both is not None and self.rows.what != self.columns.what:
            raise errors.ArgumentError(f"{both!r} is a {self.rows.what} and a {self.columns.what}: they would be one node")
        labels, numbers = self._table()
        graph = networkx.DiGraph()
        graph.add_nodes_from(self.rows)
        graph.add_nodes_from(self.columns)
        graph.add_weighted_edges_from(zip(*labels.values(), numbers.tolist()), weight=weight)
        return graph

    def _places(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Row and column of each number that is not 0."""
        import numpy as np

        rows, columns = self.shape
        words = np.frombuffer(self._numbers.words, np.uint64).reshape(rows, columns, self._numbers.n_limbs or 1)
        is_count = words.any(axis=2)
        if isinstance(self._numbers, Lengths):
            is_count &= words[:, :, 0] != UNREACHED
        row, column = np.nonzero(is_count)
        return row, column

    def _table(self) -> tuple[dict[str, list[Any]], npt.NDArray[Any]]:
        row, column = self._places()
        rows, columns = list(self.rows), list(self.columns)
        begin = "length" if self.rows.what == "length" else "from"
        labels = {begin: [rows[i] for i in row.tolist()], "to": [columns[j] for j in column.tolist()]}
        return labels, self._fitting()[row, column]

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

    def __init__(self, counts: Counts[Any]) -> None:
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
        numbers = self.counts._reached()
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


def _text(numbers: Numbers, number_of: Callable[[], Any]) -> str:
    """One of the numbers, or a sum of them, for people: the size of a long one."""
    try:
        number = number_of()
    except errors.RangeError as error:
        return str(error).partition(" ")[0]
    if number == UNREACHED and isinstance(numbers, Lengths):
        return "UNREACHED"
    if isinstance(number, int) and number.bit_length() > 130:
        from math import log10

        digits = int(number.bit_length() * log10(2))
        return f"about 10**{digits}"
    return str(number)


def _plain(places: Sequence[int]) -> Sequence[int]:
    """The same positions, as a range where they are all in order."""
    return range(len(places)) if list(places) == list(range(len(places))) else places


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
