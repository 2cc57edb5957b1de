"""What questions answer, for type checkers: an int or a Vector, exact or doubles, by the keywords that are given.

A function of queries is declared by its body; a decorator here tells a type checker the answer of each form. At run time the
decorators do nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Literal, Protocol, SupportsIndex, TypeVar, overload

from .counts import Counts, Vector

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._settings import Exact, Rounded

One = TypeVar("One", covariant=True)
Each = TypeVar("Each", covariant=True)
OneDouble = TypeVar("OneDouble", covariant=True)
EachDouble = TypeVar("EachDouble", covariant=True)
Int = SupportsIndex
No = Literal[False]
Yes = Literal[True]


class Matrix(Protocol):
    """A matrix."""

    @overload
    def __call__(self, graph: Any, length: Int, **settings: Unpack[Exact]) -> Counts: ...
    @overload
    def __call__(self, graph: Any, length: Int, **settings: Unpack[Rounded]) -> Counts[float]: ...


class ByLength(Protocol[One, Each, OneDouble, EachDouble]):
    """One answer, or with each one for each length; both may be of doubles."""

    @overload
    def __call__(self, graph: Any, length: Int, *, each: No = ..., **settings: Unpack[Exact]) -> One: ...
    @overload
    def __call__(self, graph: Any, length: Int, *, each: Yes, **settings: Unpack[Exact]) -> Each: ...
    @overload
    def __call__(self, graph: Any, length: Int, *, each: No = ..., **settings: Unpack[Rounded]) -> OneDouble: ...
    @overload
    def __call__(self, graph: Any, length: Int, *, each: Yes, **settings: Unpack[Rounded]) -> EachDouble: ...
    @overload
    def __call__(self, graph: Any, length: Int, *, each: bool, **settings: Unpack[Rounded]) -> OneDouble | EachDouble: ...


def _same(function: Any) -> Any:
    return function


matrix: Callable[[Callable[..., Any]], Matrix] = _same
number: Callable[[Callable[..., Any]], ByLength[int, Vector, float, Vector[float]]] = _same
vector: Callable[[Callable[..., Any]], ByLength[Vector, Counts, Vector[float], Counts[float]]] = _same
