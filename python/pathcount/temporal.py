"""Walks in time: over events (from, to, time)."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from . import _abi, _call, _settings, _sources
from ._abi import lib
from ._labels import Labels
from ._numbers import Numbers, of_counts
from .counts import Vector
from .errors import ArgumentError, DataError

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._settings import Settings


def time_respecting_walks(
    events: Any,
    length: int | None = None,
    *,
    source: Any = None,
    target: Any = None,
    wait: Any = None,
    up_to: bool = False,
    directed: bool = True,
    columns: Sequence[Any] = (0, 1, 2),
    **settings: Unpack[Settings],
) -> Any:
    """The walks of that many events, each of which begins where the last one ended, at a strictly later time.

    source and target are where walks start and end. With both, or without, the answer is an int; with one of them it is a
    Vector by the other end. length None: of all lengths, which are finitely many. An event follows another by at most wait.

    events are tuples (from, to, time), or a table of pandas or pyarrow or an array of NumPy, where columns are from, to and
    time. An event that is given again is dropped. Times are integers, decimals or datetimes, and wait a timedelta then.
    Floats are taken as they are printed. directed=False: events lead both ways. The keywords mod and certify are taken.

    >>> time_respecting_walks([("a", "b", 1), ("b", "c", 2), ("b", "c", 9)], 2, source="a", target="c", wait=5)
    1
    """
    _settings.only(settings, "a walk in time", "mod", "certify")
    number = 2**64 - 1 if length is None else _settings.whole("length", length, 0, 2**63 - 1)
    options = _settings.count_options(settings)
    edges, times = _taken(events, columns, bool(directed))
    labels = Labels(edges.labels)
    asked = [(ctypes.c_uint64 * 1)(labels.position(one)) if one is not None else None for one in (source, target)]
    kinds = [_abi.PC_QUERY_TOTAL, _abi.PC_QUERY_FROM, _abi.PC_QUERY_TO, _abi.PC_QUERY_PAIRS]
    kind = kinds[(asked[0] is not None) + 2 * (asked[1] is not None)]
    query = _abi.pc_query(kind, length=number, n_asked=int(any(asked)), up_to=bool(up_to) or length is None)
    setattr(query, "from", asked[0] and ctypes.addressof(asked[0]))
    query.to = asked[1] and ctypes.addressof(asked[1])
    limit = None if wait is None else _text(wait, "wait", ArgumentError).encode()
    place: dict[str, int] = {}
    text = array("Q", [place.setdefault(_text(time, "a time", DataError), len(place)) for time in times])
    texts = (ctypes.c_char_p * len(place))(*[one.encode() for one in place])
    given = _abi.pc_edges(n_vertices=len(labels), n_edges=len(edges.begin), to=_sources.address(edges.end))
    setattr(given, "from", _sources.address(edges.begin))
    direction = _abi.pc_graph_options(direction=_abi.PC_DIRECTED if directed else _abi.PC_UNDIRECTED)

    def job(context: _call.Context) -> tuple[Numbers, int, int]:
        names = ctypes.addressof(texts), _sources.address(text), ctypes.addressof(direction)
        made = context.make(lib.pc_labelled_edges_from_edges, context.address, ctypes.addressof(given), len(place), *names)
        try:
            how = None if options is None else ctypes.addressof(options)
            return of_counts(context.make(lib.pc_time_walks, context.address, made, ctypes.addressof(query), limit, how))
        finally:
            lib.pc_labelled_edges_free(made)

    n_passes = 1 if length is None else min(number, len(text))
    numbers, _, _ = _call.run(job, 100.0 * (len(text) + len(labels)) * n_passes, settings)
    return Vector(numbers, labels) if (source is None) != (target is None) else numbers[0]


def _taken(events: Any, columns: Sequence[Any], directed: bool) -> tuple[_sources.Edges, list[Any]]:
    """The edges of events, and their times."""
    if hasattr(events, "iloc") or hasattr(events, "column_names"):
        begin, end, times = (_sources.column_of(events, column) for column in columns)
    elif hasattr(events, "shape") and len(events.shape) == 2:
        begin, end, times = (events[:, _settings.whole("a column", c, 0, events.shape[1] - 1)] for c in columns)
    else:
        _sources.check_iterable(events, "list of events", "tuples (from, to, time), an array, or a table and its columns")
        rows = list(events)
        bad = next((row for row in rows if not isinstance(row, (tuple, list)) or len(row) != 3), None)
        if bad is not None:
            raise DataError(f"an event is {bad!r}: give (from, to, time)")
        pairs = ((u, v) for u, v, _ in rows)
        return _sources.from_iterable(pairs, False, directed, False, ()), [time for _, _, time in rows]
    if times.dtype.kind == "M":
        times = times.astype("datetime64[ns]").astype("int64")
    return _sources.from_columns(begin, end, None, directed, False, (), False), times.tolist()


def _text(time: Any, what: str, error: type[Exception]) -> str:
    """A time as a decimal without zeros at its end; dates as nanoseconds since 1970."""
    if isinstance(time, datetime):
        time -= datetime(1970, 1, 1, tzinfo=time.tzinfo and timezone.utc)
    if isinstance(time, timedelta):
        return str(time // timedelta(microseconds=1) * 1000)
    if getattr(getattr(time, "dtype", None), "kind", "") in ("m", "M"):  # of NumPy
        return str(time.astype(f"{time.dtype.kind}8[ns]").astype("int64"))
    try:
        text = format(Decimal(str(time)), "f")
    except InvalidOperation:
        raise error(f"{what} is {time!r}: give an integer, a decimal, or a datetime and a timedelta") from None
    return text.rstrip("0").rstrip(".") if "." in text else text
