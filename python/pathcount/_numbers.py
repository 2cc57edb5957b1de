"""Numbers of an answer: where they lie in memory, and how they become Python's.

A count is n_limbs 64-bit words, the least significant first. n_limbs 0 says that the numbers are doubles.
"""

from __future__ import annotations

import ctypes
import math
import sys
import weakref
from array import array
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from . import _abi
from ._abi import lib
from .errors import RangeError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

if sys.byteorder != "little":
    raise ImportError("pathcount needs a little-endian machine")


UNREACHED = 2**64 - 1
"""The length of a shortest path where there is none."""


class Handle:
    """An object of the library, and the function that frees it.

    There is no __del__: an exception that a signal handler raises when a method begins, such as KeyboardInterrupt, would be
    lost in it. A weak reference calls the function of the library, without any instruction of Python.
    """

    __slots__ = ("__weakref__", "address")

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("an object of the library cannot be pickled: it is an address in this process")

    def __init__(self, address: int, free: Any) -> None:
        global _n_kept
        self.address = address
        freeing = _Freeing(self, free)
        freeing._as_parameter_ = address
        _freeing.append(freeing)
        if len(_freeing) > 2 * _n_kept + 100:
            _freeing[:] = [one for one in _freeing if one() is not None]
            _n_kept = len(_freeing)


class _Freeing(weakref.ref[Handle]):
    """A weak reference that is the address of the object where ctypes takes it for an argument."""

    __slots__ = ("_as_parameter_",)
    _as_parameter_: int


_freeing: list[_Freeing] = []
_n_kept = 0


class Numbers:
    """Numbers in memory, one after the other. words is a view of 64-bit words, or of doubles; owner keeps it alive."""

    __slots__ = ("exponent", "n", "n_limbs", "words")

    def __init__(self, words: Any, n: int, n_limbs: int, exponent: int = 0) -> None:
        self.words = words
        self.n = n
        self.n_limbs = n_limbs
        self.exponent = exponent

    def __reduce__(self) -> tuple[Any, ...]:
        return _numbers_again, (self.words.tobytes(), self.n, self.n_limbs, self.exponent, type(self))

    def __getitem__(self, index: int) -> Any:
        n_limbs = self.n_limbs
        if n_limbs == 1:
            return self.words[index]
        if n_limbs == 0:
            return self._double(self.words[index])
        return int.from_bytes(self.words[index * n_limbs : (index + 1) * n_limbs], "little")

    def _double(self, value: float) -> float:
        if self.exponent == 0:
            return value
        try:
            return math.ldexp(value, self.exponent)
        except OverflowError:
            power, fraction = divmod(math.log10(value) + self.exponent * math.log10(2), 1)
            text = f"{10**fraction:.6g}e+{power:.0f}"
            raise RangeError(f"{text} passes the range of doubles: count exactly") from None

    def __iter__(self) -> Iterator[Any]:
        return self.iterate(0, self.n)

    def iterate(self, first: int, end: int, step: int = 1) -> Iterator[Any]:
        """Numbers first, first + step, ... below end."""
        if self.n_limbs == 1:
            return iter(self.words[first:end:step])
        return (self[i] for i in range(first, end, step))

    def sum(self, first: int, end: int, step: int = 1) -> Any:
        """The sum of numbers first, first + step, ... below end."""
        if self.n_limbs == 0:
            return math.fsum(self.iterate(first, end, step))
        n_limbs = self.n_limbs
        total = 0
        for limb in range(n_limbs):
            total += sum(self.words[first * n_limbs + limb : end * n_limbs : step * n_limbs]) << (64 * limb)
        return total

    def part(self, first: int, n: int) -> Numbers:
        width = self.n_limbs or 1
        return type(self)(self.words[first * width : (first + n) * width], n, self.n_limbs, self.exponent)

    def gather(self, runs: Iterable[tuple[int, int, int]]) -> Numbers:
        """A copy of runs of numbers, one after the other. A run (first, n, step) is first, first + step, ..., n of them."""
        width = self.n_limbs or 1
        parts = []
        for first, n, step in runs:
            if width == 1 or step == 1 or n == 1:
                parts.append(self.words[first * width : (first + (n - 1) * step + 1) * width : step if width == 1 else 1])
            else:
                part = array("Q", bytes(8 * width * n))
                for limb in range(width):
                    column = self.words[first * width + limb : (first + (n - 1) * step + 1) * width : step * width]
                    part[limb::width] = array("Q", column.tobytes())
                parts.append(part)
        made = view(b"".join(part.tobytes() for part in parts), self.n_limbs)
        return type(self)(made, len(made) // width, self.n_limbs, self.exponent)

    @property
    def bits(self) -> int:
        """The width of the largest count."""
        for limb in reversed(range(self.n_limbs)):
            largest: int = max(self.words[limb :: self.n_limbs], default=0)
            if largest:
                return 64 * limb + largest.bit_length()
        return 0

    def equals(self, other: Numbers) -> bool:
        """Whether the numbers are the same, whatever their width."""
        if (self.n_limbs, self.exponent) == (other.n_limbs, other.exponent):
            return bool(self.words == other.words)
        return list(self) == list(other)

    def limbs(self, *shape: int) -> memoryview:
        """The words as a view of this shape and n_limbs."""
        if self.n_limbs == 0:
            raise TypeError("these numbers are doubles: they have no limbs; take to_numpy()")
        if self.n == 0:
            return memoryview(b"")
        shaped: memoryview = self.words.cast("B").cast("Q", shape=[*shape, self.n_limbs])
        return shaped

    def to_numpy(self, dtype: npt.DTypeLike | None, shape: tuple[int, ...]) -> npt.NDArray[Any]:
        """An array; without a copy, and read-only, where the words are its numbers already."""
        import numpy as np

        words: Any = np.frombuffer(self.words, dtype=np.float64 if self.n_limbs == 0 else np.uint64)
        if self.n_limbs == 0:
            return self._to_floats(words, np.dtype(dtype or np.float64)).reshape(shape)
        wanted = np.dtype(np.uint64 if dtype is None else dtype)
        if wanted.kind == "O":
            exact = np.empty(self.n, dtype=object)
            exact[:] = list(self)
            return exact.reshape(shape)
        if wanted.kind in "iu":
            return self._to_integers(words, wanted).reshape(shape)
        if self.n_limbs > 1:
            words = np.array([float(number) for number in self], dtype=np.float64)
        return _rounded(words, wanted).reshape(shape)

    def _to_floats(self, words: npt.NDArray[np.float64], wanted: np.dtype[Any]) -> npt.NDArray[Any]:
        import numpy as np

        if wanted.kind not in "fcO":
            raise RangeError(f"these numbers are doubles and do not fit {wanted.name}: take to_numpy(), which are float64")
        if self.exponent:
            with np.errstate(over="ignore"):
                words = np.ldexp(words, self.exponent)
        return _rounded(_rounded(words, words.dtype), wanted)

    def _to_integers(self, words: npt.NDArray[np.uint64], wanted: np.dtype[Any]) -> npt.NDArray[Any]:
        import numpy as np

        table = words.reshape(self.n, self.n_limbs)
        most = int(np.iinfo(wanted).max)
        if table[:, 1:].any() or (self.n and int(table[:, 0].max()) > most):
            raise RangeError(
                f"the largest count has {self.bits} bits and does not fit {wanted.name}: take to_numpy(dtype=object), exact "
                "Python integers; to_numpy(dtype='float64'), rounded; or limbs, the 64-bit words"
            )
        return table[:, 0].astype(wanted, copy=False)


def _rounded(numbers: npt.NDArray[Any], wanted: np.dtype[Any]) -> npt.NDArray[Any]:
    """Numbers in a type of floating point; RangeError where one passes its range."""
    import numpy as np

    with np.errstate(over="ignore"):
        made = numbers.astype(wanted, copy=False)
    if made.dtype.kind in "fc" and np.isinf(made).any():
        raise RangeError(f"a number passes the range of {made.dtype.name}: count exactly, and take to_numpy(dtype=object)")
    return made


class Lengths(Numbers):
    """Lengths of shortest paths: UNREACHED is no number of arcs."""

    __slots__ = ()


def _numbers_again(words: bytes, n: int, n_limbs: int, exponent: int, kind: type[Numbers] = Numbers) -> Numbers:
    """Numbers from what __reduce__ gave."""
    return kind(view(words, n_limbs), n, n_limbs, exponent)


def view(memory: Any, n_limbs: int) -> Any:
    """A read-only view of bytes as 64-bit words, or as doubles."""
    format: Any = "d" if n_limbs == 0 else "Q"
    if type(memory) is bytes:
        return memoryview(memory).cast(format)
    return memoryview(memory).cast("B").cast(format).toreadonly()


def address_of(words: Any) -> int:
    """Where the words of a view lie; 0 of an empty one."""
    if len(words) == 0:
        return 0
    # ctypes takes the address of writable memory only, unless PyObject_GetBuffer is asked for that of any.
    buffer = _Buffer()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(words), ctypes.byref(buffer), 0)
    try:
        at: int = buffer.buf or 0
        return at
    finally:
        ctypes.pythonapi.PyBuffer_Release(ctypes.byref(buffer))


class _Buffer(ctypes.Structure):
    """The head of Py_buffer, with room for the rest of it."""

    _fields_: ClassVar[Any] = [("buf", ctypes.c_void_p), ("rest", ctypes.c_char * 256)]


def int_of(text: bytes) -> int:
    """A decimal text as an integer, also where it has more digits than Python converts for strangers."""
    if text.startswith(b"-"):
        return -int_of(text[1:])
    if len(text) <= 4000:
        return int(text)
    half = len(text) // 2
    power: int = 10**half
    return int_of(text[:-half]) * power + int_of(text[-half:])


def of_rows(rows: Any, owner: object) -> Numbers:
    """The numbers of a row block, not copied: they live as long as owner does."""
    n = rows.n_rows * rows.n_columns
    n_words = n * (rows.n_limbs or 1)
    if n_words == 0:
        return Numbers(view(b"", rows.n_limbs), 0, rows.n_limbs)
    words = (ctypes.c_uint64 * n_words).from_address(rows.limbs if rows.n_limbs else rows.values)
    words._owner = owner
    return Numbers(view(words, rows.n_limbs), n, rows.n_limbs, rows.exponent)


def of_values(values: list[Any], is_exact: bool) -> Numbers:
    """Numbers of Python's integers, or floats."""
    if not is_exact:
        return Numbers(view(array("d", values), 0), len(values), 0)
    n_limbs = max((value.bit_length() + 63) // 64 for value in [1, *values])
    return Numbers(view(b"".join(value.to_bytes(8 * n_limbs, "little") for value in values), n_limbs), len(values), n_limbs)


def copy_of_rows(rows: Any) -> Numbers:
    """The numbers of a row block, copied."""
    n = rows.n_rows * rows.n_columns
    memory = ctypes.string_at(rows.limbs if rows.n_limbs else rows.values, n * 8 * (rows.n_limbs or 1)) if n else b""
    return Numbers(view(memory, rows.n_limbs), n, rows.n_limbs, rows.exponent)


def of_counts(address: int) -> tuple[Numbers, int, int]:
    """The numbers of a pc_counts, which is freed with them, its rows and its columns. Few are copied: that is faster."""
    rows = _abi.pc_rows()
    lib.pc_counts_rows(address, ctypes.addressof(rows))
    n_rows, n_columns = rows.n_rows, rows.n_columns
    if n_rows * n_columns * (rows.n_limbs or 1) > _FEW_WORDS:
        return of_rows(rows, Handle(address, lib.pc_counts_free)), n_rows, n_columns
    numbers = copy_of_rows(rows)
    lib.pc_counts_free(address)
    return numbers, n_rows, n_columns


_FEW_WORDS = 4096
