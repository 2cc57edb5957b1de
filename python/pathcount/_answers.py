"""What a vector and a matrix of counts have in common: they are arrays, and go to other packages as such."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Generic

from ._numbers import UNREACHED, Lengths, Numbers
from .errors import ArgumentError, RangeError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas
    import polars
    import pyarrow
    from typing_extensions import TypeVar

    #: int of exact counts, float of doubles. "Counts" alone is Counts[int].
    Number_co = TypeVar("Number_co", bound=float, covariant=True, default=int)
else:
    from typing import TypeVar

    Number_co = TypeVar("Number_co")

#: The digits that a decimal of Arrow holds, by its bits.
_DECIMALS = ((128, 38), (256, 76))


class Answer(Generic[Number_co]):
    """Numbers with a shape."""

    __slots__ = ("_numbers",)
    _numbers: Numbers

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes, as of an array of NumPy."""
        raise NotImplementedError

    @property
    def ndim(self) -> int:
        """1 of a vector, 2 of a matrix."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return self._numbers.n

    @property
    def is_exact(self) -> bool:
        """False of doubles."""
        return self._numbers.n_limbs > 0

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of NumPy that holds all numbers: float64 of doubles, uint64 where all counts fit, else object."""
        import numpy as np

        return np.dtype(np.float64 if not self.is_exact else np.uint64 if self._numbers.bits <= 64 else object)

    @property
    def limbs(self) -> memoryview:
        """A read-only view, without a copy, of the shape and a last axis of words: 64 bits, the least significant first.

        ``numpy.asarray(counts.limbs)`` is an array of uint64 that shares the memory. TypeError of doubles.
        """
        return self._numbers.limbs(*self.shape)

    def to_numpy(self, dtype: npt.DTypeLike | None = None) -> npt.NDArray[Any]:
        """An array of the same shape.

        uint64 where dtype is not given: read-only and without a copy where each count has one word. OverflowError when a
        count does not fit an integer dtype. ``dtype=object`` gives Python integers of any size, ``dtype="float64"`` the
        nearest doubles. Doubles are float64 at first. OverflowError when a number passes the range of a floating dtype.

        >>> import pathcount
        >>> pathcount.starts([("A", "B"), ("B", "C")], 200).to_numpy(object)[1] == 2**100
        True
        """
        return self._numbers.to_numpy(dtype, self.shape)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        made = self.to_numpy(dtype)
        return made.copy() if copy else made

    def __dlpack__(self, **how: Any) -> Any:
        """A copy for torch, JAX and others (DLPack): int64 where all counts fit, else uint64; float64 of doubles.

        OverflowError when a count has more than 64 bits, BufferError for another device and for ``copy=False``.
        """
        if how.get("dl_device") not in (None, self.__dlpack_device__()) or how.get("copy") is False:
            raise BufferError("counts are copied, from the memory of the processor to it")
        made = self.to_numpy("int64" if self.is_exact and self._numbers.bits < 64 else None)
        return (made if made.flags.writeable else made.copy()).__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        """The memory of the processor."""
        return 1, 0

    # ---- Tables ------------------------------------------------------------------------------------

    def _table(self) -> tuple[dict[str, list[Any]], Any]:
        """Columns of labels, and the numbers that belong to them: an array of NumPy."""
        raise NotImplementedError

    def to_arrow(self) -> pyarrow.Table:
        """A table of pyarrow. Of a Vector its columns are label and count, of Counts from, to and count (length, to and
        count, where rows are lengths), without those that are 0.

        Counts are uint64 where all fit, else decimals of 38 or of 76 digits; float64 of doubles. OverflowError when a count
        has more digits. ArgumentError when the labels are of several types, which a column does not hold.

        >>> import pathcount
        >>> pathcount.count([("A", "B"), ("B", "C")], 2).to_arrow().column("count").to_pylist()
        [1, 1, 2, 1, 1]
        """
        import pyarrow

        labels, numbers = self._table()
        with _labels_of_one_type(labels):
            columns = {name: pyarrow.array(column) for name, column in labels.items()}
        if numbers.dtype == object:
            kinds = {128: pyarrow.decimal128, 256: pyarrow.decimal256}
            bits, digits = self._decimal("to_arrow", _DECIMALS)
            return pyarrow.table({**columns, "count": pyarrow.array(numbers.tolist(), kinds[bits](digits))})
        return pyarrow.table({**columns, "count": numbers})

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The table of to_arrow for polars, DuckDB and others, by the PyCapsule interface of Arrow. pyarrow makes it."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_polars(self) -> polars.DataFrame:
        """A DataFrame of polars with the columns of to_arrow; counts that pass uint64 are decimals of 38 digits.

        OverflowError when a count has more digits. ArgumentError when the labels are of several types.

        >>> import pathcount
        >>> pathcount.count([("A", "B"), ("B", "C")], 2).to_polars()["count"].to_list()  # doctest: +SKIP
        [1, 1, 2, 1, 1]
        """
        import polars

        labels, numbers = self._table()
        with _labels_of_one_type(labels):
            columns = {name: polars.Series(column) for name, column in labels.items()}
        if numbers.dtype == object:
            _, digits = self._decimal("to_polars", _DECIMALS[:1])
            numbers = polars.Series(map(Decimal, numbers.tolist()), dtype=polars.Decimal(digits, 0))
        return polars.DataFrame({**columns, "count": numbers})

    def _decimal(self, what: str, kinds: Sequence[tuple[int, int]]) -> tuple[int, int]:
        largest = max(self._numbers, default=0)
        for bits, digits in kinds:
            if largest < 10**digits:
                return bits, digits
        raise RangeError(f"the largest count has more than {kinds[-1][1]} digits, which {what} does not hold: take to_pandas()")

    def _must_add_up(self) -> None:
        if isinstance(self._numbers, Lengths):
            raise ArgumentError("lengths of shortest paths are not added up: where there is no path there is no length")

    def _reached(self) -> Numbers:
        """The numbers, with 0 for lengths of paths that are none."""
        if not isinstance(self._numbers, Lengths):
            return self._numbers
        words = array("Q", (0 if word == UNREACHED else word for word in self._numbers.words))
        return Numbers(words, self._numbers.n, 1, 0)

    def _known(self, made: Any) -> Any:
        """An object of pandas, with missing values for lengths of paths that are none."""
        if not isinstance(self._numbers, Lengths):
            return made
        return made.astype("UInt64").mask(made == UNREACHED)

    def _fitting(self) -> npt.NDArray[Any]:
        """An array of the dtype."""
        return self.to_numpy(self.dtype)


@contextmanager
def _labels_of_one_type(labels: Mapping[str, list[Any]]) -> Iterator[None]:
    """Explains why labels are no column."""
    try:
        yield
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentError(f"the labels ({' and '.join(labels)}) are no column of one type: take to_pandas()") from error


def index_of(labels: Sequence[Any]) -> pandas.Index:
    """An index of pandas; tuples stay labels."""
    import pandas

    return pandas.Index(list(labels), tupleize_cols=False)
