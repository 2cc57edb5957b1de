"""Chains of relations: how many ways lead from a row of the first to a column of the last."""

from __future__ import annotations

import ctypes
import os
from array import array
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, SupportsFloat, overload

from . import _abi, _call, _flow, _objects, _settings, _sources
from ._abi import lib
from ._labels import Labels, check_labels, read_labels
from ._numbers import Handle
from .counts import Counts
from .errors import ArgumentError, DataError
from .graphs import header_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._settings import Settings


class Relation:
    """A matrix of multiplicities whose rows and columns have labels of their own, such as authors and papers.

    Args:
        source: an iterable of pairs (row, column), or with ``weight=True`` of triples (row, column, multiplicity); a table
            (pandas, or an Arrow stream) with two columns, or columns=; a path of an edge list or a Matrix Market file; a
            matrix of any shape (SciPy, GraphBLAS, or an array of NumPy or another package), with rows and columns 0, 1, ...; a
            graph of NetworkX: nodes with the attribute bipartite 0 are rows, those with 1 columns, or without the attribute
            all nodes are both; a Dataset of scikit-network with a biadjacency.
        weight: whether the third element, or column of a file that has one, is the multiplicity; of a table the name of a
            column, of a graph that of an edge attribute. Entries of matrices are multiplicities always.
        columns: which columns of a table, or a file, have the labels of rows and of columns: two names or numbers (of files
            from 1).
        header: whether the first line of a file has the names of its columns.

    Pairs that are given again add; entries of a bool matrix do not. Rows and columns are in order of first appearance, those
    of files as Graph orders them. ArgumentError for an object of another kind, which is never iterated.

    >>> writes = Relation([("Ada", "p1"), ("Ben", "p1"), ("Ben", "p2")])
    >>> list(writes.rows), list(writes.columns)
    (['Ada', 'Ben'], ['p1', 'p2'])
    """

    __slots__ = ("_column", "_made", "_row", "_weight", "columns", "rows")

    rows: Labels
    """What the rows are called."""
    columns: Labels
    """What the columns are called."""

    def __init__(
        self, source: Any, *, weight: Any = False, columns: Sequence[Any] | None = None, header: bool | None = None
    ) -> None:
        is_file = isinstance(source, (str, os.PathLike))
        table = None if is_file or isinstance(source, list) else _objects.table_of(source)
        if is_file:
            self._read(os.fsencode(os.fspath(source)), bool(weight), columns, header)
        elif table is not None:
            self._take(_rows_of(table, weight, columns), weight is not False)
        elif not isinstance(source, list) and (entries := _objects.entries_of(source, weight)) is not None:
            rows, names, row, column, weights = entries
            self._set(rows, names, row, column, None if weights is None else array("Q", memoryview(weights).tolist()))
        else:
            self._take(source, bool(weight))
        if columns is not None and table is None and not is_file:
            raise ArgumentError("columns is given, and the relation is no table: leave it out")
        if header is not None and not is_file:
            raise ArgumentError("header is given, and the relation is no file: leave it out")

    def _set(self, rows: Sequence[Hashable], columns: Sequence[Hashable], row: Any, column: Any, weight: Any) -> None:
        self.rows, self.columns = Labels(rows, "row"), Labels(columns, "column")
        self._row, self._column, self._weight = array("Q", row), array("Q", column), weight
        self._made: Handle | None = None

    def _take(self, pairs: Iterable[Any], weighted: bool) -> None:
        _sources.check_iterable(
            pairs, "relation", "a list of pairs, a matrix, a table or a graph, as the help of Relation says"
        )
        rows: dict[Hashable, int] = {}
        columns: dict[Hashable, int] = {}
        row, column, weights = array("Q"), array("Q"), array("Q") if weighted else None
        for pair in pairs:
            if isinstance(pair, (str, bytes, Mapping, Set)) or len(pair) != (3 if weighted else 2):
                raise DataError(f"an entry is {pair!r}: give {'(row, column, weight)' if weighted else '(row, column)'}")
            row.append(rows.setdefault(pair[0], len(rows)))
            column.append(columns.setdefault(pair[1], len(columns)))
            if weights is not None:
                weights.append(_sources.multiplicity(pair[2], tuple(pair[:2])))
        check_labels(rows, "row")
        check_labels(columns, "column")
        self._set(list(rows), list(columns), row, column, weights)

    def _read(self, path: bytes, weighted: bool, columns: Sequence[Any] | None, header: bool | None) -> None:
        options = _abi.pc_graph_options(weights=weighted, multigraph=1, header=header_of(header))
        if columns is not None:
            options.columns = ",".join(map(str, columns)).encode()

        def read(context: _call.Context) -> Handle:
            made = context.make(lib.pc_relation_read, context.address, path, ctypes.addressof(options))
            return Handle(made, lib.pc_relation_free)

        handle = _call.run(read, _call.SHORT_WORK)
        info = _abi.pc_relation_info()
        lib.pc_relation_get_info(handle.address, ctypes.addressof(info))
        arcs = info.arcs
        rows, columns, n = read_labels(info.rows, "row"), read_labels(info.columns, "column"), info.n_entries
        start = array("Q", ctypes.string_at(arcs.row_start, 8 * (len(rows) + 1)))
        row = array("Q", (i for i in range(len(rows)) for _ in range(start[i], start[i + 1])))
        column = array("I", ctypes.string_at(arcs.column, 4 * n) if n else b"")
        weight = array("Q", ctypes.string_at(arcs.weight, 8 * n)) if arcs.weight else None
        self._set(list(rows), list(columns), row, column, weight)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.rows), len(self.columns)

    @property
    def T(self) -> Relation:
        """The same read backwards."""
        return _again(self.columns, self.rows, self._column, self._row, self._weight)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.rows, self.columns, self._row, self._column, self._weight)

    def __repr__(self) -> str:
        return f"<pathcount.Relation: {len(self.rows)} x {len(self.columns)}, {len(self._row)} entries>"


def _rows_of(table: Any, weight: Any, columns: Sequence[Any] | None) -> Iterator[tuple[Any, ...]]:
    """The rows of a table: its two columns, or those that are asked for, and the weights."""
    names = list(table.columns) if hasattr(table, "iloc") else table.column_names
    ends = columns if columns is not None else [name for name in names if weight is False or name != weight]
    if len(ends) != 2:
        raise ArgumentError(f"the table has the columns {', '.join(map(str, names))}: say which two by columns=")
    asked = [*ends, *([] if weight is False else [weight])]
    return zip(*(_sources.column_of(table, name).tolist() for name in asked))


def _again(rows: Labels, columns: Labels, row: Any, column: Any, weight: Any) -> Relation:
    """A relation from its parts, which it shares."""
    relation = Relation.__new__(Relation)
    relation.rows, relation.columns = rows, columns
    relation._row, relation._column, relation._weight = row, column, weight
    relation._made = None
    return relation


@overload
def chain(
    *relations: Relation,
    simple: bool = ...,
    types: Sequence[Hashable] | None = ...,
    allow_missing: bool = ...,
    **settings: Unpack[Settings],
) -> Counts: ...
@overload
def chain(
    *relations: Relation,
    damping: SupportsFloat,
    simple: bool = ...,
    types: Sequence[Hashable] | None = ...,
    allow_missing: bool = ...,
    **settings: Unpack[Settings],
) -> Counts[float]: ...
def chain(
    *relations: Relation,
    simple: bool = False,
    damping: SupportsFloat = 0,
    types: Sequence[Hashable] | None = None,
    allow_missing: bool = False,
    **settings: Unpack[Settings],
) -> Counts[Any]:
    """The product of relations: entry (i, j) is the number of ways from row i of the first to column j of the last.

    The columns of a factor must be the rows of the next, by label, in any order: DataError names a label that only one of
    them has, unless allow_missing lets it lead nowhere. Exact, each row certified. The keywords certify, threads,
    memory and progress are taken.

    simple=True counts only ways that visit no vertex twice, along 6 relations at most. Equal labels are one vertex where
    the types of their positions are equal: types names those of the rows of the first relation, of its columns, and so on.
    Without types positions with the same labels have the same type. damping: see ``dwpc``.

    >>> writes = Relation([("Ada", "p1"), ("Ben", "p1"), ("Ben", "p2")])
    >>> chain(writes, writes.T)["Ben", "Ben"]
    2
    >>> chain(writes, writes.T, simple=True)["Ben", "Ben"]
    0
    """
    return _chain(relations, allow_missing, settings, simple=simple, damping=damping, types=types)


def dwpc(*relations: Relation, damping: SupportsFloat = 0.5, simple: bool = True, **keywords: Any) -> Counts[float]:
    """Degree-weighted path counts (Himmelstein and Baranzini 2015), in doubles; ``counts.error`` bounds their errors.

    This is ``chain`` with simple=True, but each entry of a relation is multiplied by (r * c) ** -damping, with the sums r of
    its row and c of its column in the relation. damping is from 0, which counts exactly, to 1. Zeros are exact. simple=False:
    degree-weighted walk counts. The other keywords are those of ``chain``.

    >>> treats = Relation([("aspirin", "fever"), ("aspirin", "stroke"), ("ibuprofen", "fever")])
    >>> alike = dwpc(treats, treats.T, damping=0.5)
    >>> round(alike["aspirin", "ibuprofen"], 9), alike["aspirin", "aspirin"], alike.error < 1e-14
    (0.353553391, 0.0, True)
    """
    return chain(*relations, damping=damping, simple=simple, **keywords)


def dwpc_table(
    metapaths: Mapping[Any, Sequence[Relation]],
    pairs: Iterable[tuple[Any, Any]] | None = None,
    *,
    types: Mapping[Any, Sequence[Hashable]] | None = None,
    **keywords: Any,
) -> Iterator[tuple[Any, Any, Any, float]]:
    """A table of degree-weighted path counts: (metapath, from, to, value) of the pairs, or of all that are not 0.

    types is by metapath, too; the other keywords are those of ``dwpc``. A pair with a label that a metapath lacks is left out.

    >>> treats = Relation([("aspirin", "fever"), ("aspirin", "stroke"), ("ibuprofen", "fever")])
    >>> list(dwpc_table({"CtD": [treats], "CtDtC": [treats, treats.T]}, [("aspirin", "stroke")], damping=0))
    [('CtD', 'aspirin', 'stroke', 1)]
    """
    asked = None if pairs is None else list(pairs)
    for name, relations in metapaths.items():
        counts = dwpc(*relations, types=types[name] if types else None, **keywords)
        if asked is None:
            for row, values in counts.iter_rows():
                yield from ((name, row, column, value) for column, value in values.items() if value)
        else:
            for row, column in asked:
                if row in counts.rows and column in counts.columns:
                    yield name, row, column, counts.row(row)[column]


def pathsim(*relations: Relation, allow_missing: bool = False, **settings: Unpack[Settings]) -> Counts[float]:
    """PathSim (Sun, Han, Yan, Yu, Wu 2011) of a chain M with the same rows and columns, in doubles.

    2 M[i, j] / (M[i, i] + M[j, j]), and 0 where both are 0.

    >>> writes = Relation([("Ada", "p1"), ("Ben", "p1"), ("Ben", "p2")])
    >>> pathsim(writes, writes.T)["Ada", "Ben"]
    0.6666666666666666
    """
    return _chain(relations, allow_missing, settings, measure=_abi.PC_CHAIN_PATHSIM)


class _Axes:
    """The labels of all factors, each a number of its own: the library is given numbers for labels."""

    def __init__(self) -> None:
        self.number: dict[Hashable, int] = {}

    def texts(self, labels: Labels) -> list[bytes]:
        return [b"%d" % self.number.setdefault(label, len(self.number)) for label in labels]


def _plain_texts(labels: Labels) -> list[bytes] | None:
    """Texts that are the same for equal labels of all relations; None where labels are other things than integers and texts."""
    if not {type(label) for label in labels} <= {int, str}:
        return None
    try:
        texts = [b"%d" % label if type(label) is int else b"." + label.encode() for label in labels]
    except UnicodeEncodeError:
        return None
    return None if any(b"\0" in text for text in texts) else texts


def _chain(
    relations: Sequence[Relation],
    allow_missing: bool,
    settings: Settings,
    *,
    measure: int = _abi.PC_CHAIN_COUNTS,
    simple: bool = False,
    damping: SupportsFloat = 0,
    types: Sequence[Hashable] | None = None,
) -> Counts[Any]:
    if not relations or not all(isinstance(relation, Relation) for relation in relations):
        raise ArgumentError("a chain is of objects of Relation, one or more, as chain(Relation(table), Relation(pairs))")
    _settings.only(settings, "a chain", "certify")
    options = _settings.count_options(settings)
    damping = _settings.real("damping", damping)
    how = bool(allow_missing), options.n_certify_rounds if options else 0
    _check_axes(relations, allow_missing)
    axes = None if all(_is_made(relation) for relation in relations) else _Axes()
    names = _type_names(relations, types) if simple else None
    info = _abi.pc_chain_info()

    def job(context: _call.Context, take: _flow.Take) -> None:
        factors = [_factor(context, relation, axes) for relation in relations]
        addresses = (ctypes.c_void_p * len(factors))(*(factor.address for factor in factors))
        given = len(factors), ctypes.addressof(addresses), None, *how
        made = Handle(context.make(lib.pc_chain_create, context.address, *given), lib.pc_chain_free)
        deliver = _abi.rows_fn(lambda _user, rows: take(rows))
        if simple or damping:
            context.check(
                lib.pc_chain_paths(made.address, bool(simple), damping, names and ctypes.addressof(names), deliver, None)
            )
        else:
            context.check(lib.pc_chain_rows(made.address, measure, deliver, None))
        lib.pc_chain_get_info(made.address, ctypes.addressof(info))

    rows, columns = relations[0].rows, relations[-1].columns
    numbers = _flow.joined(job, len(rows) * len(columns), settings)
    columns = rows if list(rows) == list(columns) else columns
    return Counts(numbers, rows, columns, info.error if damping else None)


def _check_axes(relations: Sequence[Relation], allow_missing: bool) -> None:
    for i, (left, right) in enumerate(zip(relations, relations[1:]), 1):
        for missing, of, at in ((left.columns, right.rows, "row"), (right.rows, left.columns, "column")):
            lost = None if allow_missing else next((label for label in missing if label not in of), None)
            if lost is not None:
                where = i + 1 if at == "row" else i
                turned = ", .T reads a factor backwards" if left.columns is right.columns or lost in right.columns else ""
                raise DataError(f"{lost!r} is no {at} of factor {where}: allow_missing=True lets it lead nowhere{turned}")


def _type_names(relations: Sequence[Relation], types: Sequence[Hashable] | None) -> Any:
    """Makes names of types for the library; None: it compares labels."""
    if types is not None:
        if len(types) != len(relations) + 1:
            raise ArgumentError(f"types has {len(types)} elements: it must have one more than there are relations")
        number = {name: b"%d" % i for i, name in enumerate(types)}
        return (ctypes.c_char_p * len(types))(*(number[name] for name in types))
    labels = [set(relation.rows) for relation in relations] + [set(relations[-1].columns)]
    for q, there in enumerate(labels):
        for p, here in enumerate(labels[:q]):
            both = next(iter(here & there), None) if here != there else None
            if both is not None:
                raise DataError(
                    f"positions {p} and {q} of the chain, counted from 0, both have {both!r}, but not all labels: say which "
                    'positions have the same type, as types=["gene", "gene", "disease"] does'
                )
    return None


def _is_made(relation: Relation) -> bool:
    """Tells whether the library has the relation, which it keeps, or can have it for all chains."""
    if relation._made is None:
        rows, columns = _plain_texts(relation.rows), _plain_texts(relation.columns)
        if rows is not None and columns is not None:
            relation._made = _call.run(lambda context: _make(context, relation, rows, columns), 0)
    return relation._made is not None


def _factor(context: _call.Context, relation: Relation, axes: _Axes | None) -> Handle:
    if axes is None and relation._made is not None:
        return relation._made
    numbered = axes or _Axes()
    return _make(context, relation, numbered.texts(relation.rows), numbered.texts(relation.columns))


def _make(context: _call.Context, relation: Relation, rows: Sequence[bytes], columns: Sequence[bytes]) -> Handle:
    place = _sources.address
    entries = len(relation._row), place(relation._row), place(relation._column), place(relation._weight)
    labels = [(ctypes.c_char_p * len(texts))(*texts) for texts in (rows, columns)]
    made = context.make(
        lib.pc_relation_from_arrays, context.address, *relation.shape, *entries, *(ctypes.addressof(texts) for texts in labels)
    )
    return Handle(made, lib.pc_relation_free)
