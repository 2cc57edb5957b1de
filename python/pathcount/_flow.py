"""Rows that a call of the library passes on: all together, or as an iterator while the call is at work in a thread of its own.

The library calls back with each block of rows. The thread copies it into a queue of a few blocks and waits there until
somebody takes them. When the iterator is closed, or nobody refers to it any more, the call is cancelled.
"""

from __future__ import annotations

import ctypes
import queue
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Callable, NamedTuple, Union

from . import _abi, _call
from ._numbers import Numbers, copy_of_rows, view

if TYPE_CHECKING:
    from ._settings import Settings

_MOST_BLOCKS = 2
_WAIT_SECONDS = 0.1


class Block(NamedTuple):
    """Rows first_row, first_row + 1, ... of a matrix."""

    numbers: Numbers
    first_row: int
    n_rows: int
    n_columns: int


Take = Callable[[int], int]


def joined(job: Callable[[_call.Context, Take], None], n: int, settings: Settings) -> Numbers:
    """The n numbers of all blocks that a job passes to its function: they have the same width, doubles the exponent 0."""
    memory = bytearray()
    n_limbs = 1
    failures: list[BaseException] = []

    def take(address: int) -> int:
        nonlocal memory, n_limbs
        try:
            rows = _abi.pc_rows.from_address(address)
            width = 8 * (rows.n_limbs or 1)
            if not memory:
                memory, n_limbs = bytearray(n * width), rows.n_limbs
            if rows.n_limbs != n_limbs or rows.exponent:
                raise AssertionError("blocks of rows differ in width")
            at = rows.first_row * rows.n_columns * width
            if memory:
                place = ctypes.addressof(ctypes.c_char.from_buffer(memory, at))
                ctypes.memmove(place, rows.limbs if n_limbs else rows.values, rows.n_rows * rows.n_columns * width)
        except BaseException as error:  # an exception cannot pass through the library
            failures.append(error)
        return _abi.PC_ERR_CANCELLED if failures else _abi.PC_OK

    try:
        _call.run(lambda context: job(context, take), _call.SHORT_WORK, settings)
    except BaseException:
        if failures:
            raise failures[0] from None
        raise
    return Numbers(view(memory, n_limbs), n, n_limbs)


def flow(job: Callable[[_call.Context, Take], None], settings: Settings) -> Iterator[Block]:
    """The blocks that a job passes to the function which it gets, with the address of a pc_rows."""
    blocks: queue.Queue[Union[Block, BaseException, None]] = queue.Queue(_MOST_BLOCKS)
    has_ended = threading.Event()

    def put(item: Union[Block, BaseException, None]) -> bool:
        while not has_ended.is_set():
            try:
                blocks.put(item, timeout=_WAIT_SECONDS)
            except queue.Full:
                continue
            return True
        return False

    def take(address: int) -> int:
        try:
            rows = _abi.pc_rows.from_address(address)
            block = Block(copy_of_rows(rows), rows.first_row, rows.n_rows, rows.n_columns)
        except BaseException as error:  # an exception cannot pass through the library
            put(error)
            return _abi.PC_ERR_CANCELLED
        return _abi.PC_OK if put(block) else _abi.PC_ERR_CANCELLED

    def work(context: _call.Context) -> None:
        try:
            job(context, take)
        except BaseException as error:
            put(error)
        else:
            put(None)

    cancel = _call.start(work, settings)
    try:
        while (item := blocks.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        has_ended.set()
        cancel()
