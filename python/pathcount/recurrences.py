"""The linear recurrence that counts obey from length to length."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, SupportsIndex

from . import _abi, _call, _numbers, _settings
from ._abi import lib
from ._numbers import Handle
from .errors import ArgumentError
from .graphs import Graph, as_graph

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._settings import Settings

_KINDS = {
    "total": _abi.PC_QUERY_TOTAL,
    "trace": _abi.PC_QUERY_TRACE,
    "from": _abi.PC_QUERY_FROM,
    "to": _abi.PC_QUERY_TO,
    "between": _abi.PC_QUERY_PAIRS,
}


class Recurrence:
    """``a(n) = c(1) a(n-1) + ... + c(d) a(n-d)`` for all n >= start + d. Made by recurrence()."""

    __slots__ = ("_graph", "_handle", "_info")

    def __init__(self, handle: Handle, graph: Graph) -> None:
        self._handle = handle
        self._graph = graph
        self._info = _abi.pc_recurrence_info()
        lib.pc_recurrence_get_info(handle.address, ctypes.addressof(self._info))

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(
            "a Recurrence cannot be pickled: pickle its coefficients and initial terms, or its graph and call recurrence()"
        )

    def __copy__(self) -> Recurrence:
        return self  # it never changes

    def __deepcopy__(self, _: object) -> Recurrence:
        return self

    @property
    def order(self) -> int:
        """The number d of coefficients; 0: a(n) is 0 from start on."""
        return int(self._info.order)

    @property
    def start(self) -> int:
        """The first n for which it holds is start + order."""
        return int(self._info.start)

    @property
    def is_shortest(self) -> bool:
        """Whether it is proved that there is none shorter."""
        return bool(self._info.is_shortest)

    @property
    def coefficients(self) -> list[int]:
        """c(1), ..., c(d)."""
        return [self._text(_abi.PC_RECURRENCE_COEFFICIENT, i) for i in range(1, self.order + 1)]

    @property
    def initial(self) -> list[int]:
        """a(0), a(1), ..., the terms that begin the sequence: start + order of them."""
        return [self._text(_abi.PC_RECURRENCE_INITIAL, i) for i in range(self._info.n_initial)]

    @property
    def numerator(self) -> list[int]:
        """The coefficients of P, of x**0 first: the generating function is P / (1 - c(1) x - ... - c(d) x**d)."""
        return [self._text(_abi.PC_RECURRENCE_NUMERATOR, i) for i in range(self._info.n_initial)]

    def term(self, n: SupportsIndex, mod: SupportsIndex | None = None) -> int:
        """a(n), of any n: exact, or a residue. RangeError when it may have 2**36 bits or more."""
        number = _settings.whole("n", n, 0, 2**63 - 1)
        modulus = self._info.modulus if mod is None else _settings.whole("mod", mod, 2, 2**63 - 1)
        terms: list[int] = []

        def take(_user: int, _length: int, rows: int) -> int:
            try:
                terms.append(_numbers.copy_of_rows(_abi.pc_rows.from_address(rows))[0])
            except BaseException:
                return _abi.PC_ERR_CANCELLED
            return _abi.PC_OK

        callback = _abi.answer_fn(take)

        def job(context: _call.Context) -> int:
            context.check(lib.pc_recurrence_term(self._handle.address, number, modulus, callback, None))
            return terms[0]

        # As every call with a callback, it is made by a thread of its own.
        return _call.run(job, _call.SHORT_WORK)

    def _text(self, part: int, i: int) -> int:
        length = ctypes.c_size_t()
        lib.pc_recurrence_text(self._handle.address, part, i, None, 0, ctypes.addressof(length))
        buffer = ctypes.create_string_buffer(length.value + 1)
        lib.pc_recurrence_text(self._handle.address, part, i, ctypes.addressof(buffer), length.value + 1, None)
        return _numbers.int_of(buffer.value)

    def terms(self, n: SupportsIndex) -> list[int]:
        """The first n terms, a(0) to a(n - 1).

        >>> recurrence([(0, 1), (1, 2)]).terms(6)
        [3, 4, 6, 8, 12, 16]
        """
        terms, coefficients, modulus = self.initial, self.coefficients, self._info.modulus
        for i in range(len(terms), _settings.whole("n", n, 0, 2**32)):
            term = sum(c * terms[i - j] for j, c in enumerate(coefficients, 1))
            terms.append(term % modulus if modulus else term)
        return terms[:n]

    def __str__(self) -> str:
        """The recurrence and its first terms.

        >>> print(recurrence([(0, 1), (1, 2)]))
        a(n) = 2 a(n-2) for n >= 2; 3, 4, 6, 8, 12, 16, 24, 32, 48, 64
        """
        parts = [
            f"{'-' if c < 0 else '+'} {'' if abs(c) == 1 else f'{abs(c)} '}a(n-{i})"
            for i, c in enumerate(self.coefficients, 1)
            if c
        ]
        right = " ".join(parts).replace("+ ", "", 1) if parts and parts[0][0] == "+" else " ".join(parts) or "0"
        return f"a(n) = {right} for n >= {self.start + self.order}; {', '.join(map(str, self.terms(10)))}"

    def __repr__(self) -> str:
        return f"<pathcount.Recurrence of order {self.order} from n = {self.start + self.order} on>"


def recurrence(graph: Any, of: str = "total", *vertices: Any, **settings: Unpack[Settings]) -> Recurrence:
    """The shortest linear recurrence that a number of paths obeys from length to length, proved.

    of is ``"total"``, ``"trace"``, ``"from"`` and ``"to"`` (followed by a vertex), or ``"between"`` (followed by two). With
    ``mod=`` that of residues. ``paths=`` may be ``"non-backtracking"``. It refuses method, certify and
    approximate. RangeError (an OverflowError) for a graph that would take more than 2**42 operations.

    >>> fibonacci = recurrence(Graph([(0, 0), (0, 1), (1, 0)], directed=True), "between", 0, 1)
    >>> fibonacci.coefficients, fibonacci.initial, fibonacci.term(90)
    ([1, 1], [0, 1], 2880067194370816120)
    """
    graph = as_graph(graph)
    if of not in _KINDS:
        raise ArgumentError(f"of is {of!r}: give one of {', '.join(map(repr, _KINDS))}")
    n_wanted = {"from": 1, "to": 1, "between": 2}.get(of, 0)
    if len(vertices) != n_wanted:
        raise ArgumentError(f"{len(vertices)} vertices are given: {of!r} takes {n_wanted}")
    _settings.only(settings, "a recurrence", "mod", "paths", "device")
    options = _settings.count_options(settings)
    query = _abi.pc_query(_KINDS[of], paths=_settings.paths_of(settings), n_asked=min(n_wanted, 1))
    places = [ctypes.c_uint64(graph.vertices.position(label)) for label in vertices]
    if of in ("from", "between"):
        setattr(query, "from", ctypes.addressof(places[0]))
    if of in ("to", "between"):
        query.to = ctypes.addressof(places[-1])
    modulus = options.modulus if options else 0

    def job(context: _call.Context) -> Handle:
        given = context.address, graph._handle.address, ctypes.addressof(query), modulus
        return Handle(context.make(lib.pc_recurrence_create, *given), lib.pc_recurrence_free)

    return Recurrence(_call.run(job, 8.0 * len(graph) * (graph.n_arcs + len(graph)), settings), graph)
