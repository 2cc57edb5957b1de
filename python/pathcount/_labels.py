"""Labels: what rows and columns are called, in their order."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, Union, overload

from . import errors
from ._abi import lib


class Column(Protocol):
    """An array or a column of labels."""

    def tolist(self) -> Any: ...
    def __len__(self) -> int: ...


#: What is one label for certain: an overload begins with it, so that dict(vector) has a type.
Single = Union[str, bytes, float, None]
#: What stands for several labels.
Several = Union[list[Any], range, slice, "Labels", Column]


class Labels(Sequence[Any]):
    """Labels in order, each a hashable object, and their positions. Those of a range are held as a range."""

    __slots__ = ("_items", "_position", "what")

    def __init__(self, items: Sequence[Hashable], what: str = "vertex") -> None:
        self._items = items
        self.what = what
        self._position: dict[Hashable, int] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Labels, (self._items, self.what)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __contains__(self, label: object) -> bool:
        return self._find(label) is not None

    def __repr__(self) -> str:
        return f"Labels({self._items!r})"

    def _find(self, label: object) -> int | None:
        if isinstance(self._items, range):
            try:
                index: int = label.__index__()  # type: ignore[attr-defined]
            except (AttributeError, TypeError):
                return None
            return self._items.index(index) if index in self._items else None
        if self._position is None:
            self._position = {item: i for i, item in enumerate(self._items)}
        try:
            return self._position.get(label)
        except TypeError:
            return None

    def position(self, label: object) -> int:
        """The position of a label. LabelError, a KeyError, when there is none."""
        found = self._find(label)
        if found is None:
            raise errors.LabelError(f"no {self.what} is labelled {label!r}")
        return found

    def places(self, key: object) -> int | Sequence[int]:
        """The position of a label, or the positions of a slice and of several labels (listed).

        A slice is one of positions. ArgumentError where labels are other integers than their positions: it could be one of
        labels.
        """
        found = self._find(key)
        if found is not None:
            return found
        if isinstance(key, slice):
            are_places = isinstance(self._items, range) and self._items[:1] == range(1)
            if not are_places and not key.start is key.stop is None and any(hasattr(one, "__index__") for one in self._items):
                raise errors.ArgumentError(f"{key!r} may be of labels or of places: give a list of labels, or a range of them")
            return range(len(self))[key]
        if getattr(getattr(key, "dtype", None), "kind", None) == "b":
            raise errors.ArgumentError("an array of bool is no label: give the labels where it is True")
        several = listed(key)
        return self.position(key) if several is None else [self.position(label) for label in several]

    def chosen(self, places: Sequence[int]) -> Labels:
        """The labels at these positions."""
        if list(places) == list(range(len(self))):
            return self
        return Labels([self._items[i] for i in places], self.what)


def listed(given: Any) -> list[Any] | None:
    """The labels of a list, a range, an array or a column of labels; None of a single label."""
    if isinstance(given, (list, range, Labels)):
        return list(given)
    to_list = next((getattr(given, name) for name in ("tolist", "to_pylist", "to_list") if hasattr(given, name)), None)
    if to_list is None or getattr(given, "shape", None) == () or isinstance(given, Mapping):
        return None
    return list(to_list())


def positions(labels: Iterable[Hashable], what: str = "vertex") -> dict[Hashable, int]:
    """The position of each label. DataError for one that is given twice, and for one such as NaN, which equals nothing."""
    position: dict[Hashable, int] = {}
    for i, label in enumerate(labels):
        if position.setdefault(label, i) != i:
            raise errors.DataError(f"{what} {label!r} is given twice: labels are all different")
    check_labels(position, what)
    return position


def check_labels(labels: Iterable[Hashable], what: str = "vertex") -> None:
    """DataError for a missing value among labels."""
    for label in labels:
        if is_missing(label):
            raise errors.DataError(f"a {what} is {label!r}, a missing value: leave such edges out, or give it a name")


def is_missing(label: object) -> bool:
    """True of NaN, NaT and pandas.NA, which do not equal themselves."""
    try:
        return bool(label != label)
    except (TypeError, ValueError):
        return True


@contextmanager
def naming(labels: Sequence[Hashable]) -> Iterator[None]:
    """Calls vertices by their labels where a message of the library has their numbers."""
    try:
        yield
    except errors.Error as error:
        said = _NUMBERS.sub(lambda found: _named(found[0], labels), str(error))
        raise type(error)(said) from None


#: Finds the numbers of vertices in messages about a graph that was made of arrays.
_NUMBERS = re.compile(r"(?<=\bedge )\d+ \d+|(?<=\bvertex )\d+|(?<=\bthe arcs )\d.*?(?= lead )")


def _named(numbers: str, labels: Sequence[Hashable]) -> str:
    return re.sub(r"\d+", lambda number: repr(labels[int(number[0])]), numbers)


def read_labels(address: int, what: str = "vertex") -> Labels:
    """The texts of a pc_labels."""
    n = lib.pc_labels_count(address)
    size = 64
    buffer = ctypes.create_string_buffer(size)
    items = []
    for i in range(n):
        length = lib.pc_labels_text(address, i, buffer, size)
        if length >= size:
            size = 2 * length
            buffer = ctypes.create_string_buffer(size)
            lib.pc_labels_text(address, i, buffer, size)
        items.append(buffer.value.decode(errors="surrogateescape"))
    return Labels(items, what)
