"""Calls of the library: a context for each, cancelled by whatever a signal handler raises.

A context serves one call at a time. Contexts that serve none are kept for the next call and never freed: objects of the
library must not outlive the context that they were made with, and there are no more contexts than there were calls at
once.

ctypes releases the GIL during a call. Python's signal handlers run only in the main thread, between its instructions:
not while it waits for the library. So a call that may take long is made by a thread of its own, while the main thread
waits for a lock, which signals interrupt. Callbacks are never called in the main thread either: an exception that a
signal handler raises when a callback begins would be lost. Short calls have no callbacks.
"""

from __future__ import annotations

import _thread
import ctypes
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, Callable, TypeVar

from . import _abi, _settings, errors
from ._abi import lib

if TYPE_CHECKING:
    from ._settings import Progress, Settings

Result = TypeVar("Result")

#: Steps of arithmetic that certainly take less than a moment: a thread of its own would take longer.
SHORT_WORK = 3e6


class Context:
    """A pc_context that is never freed."""

    __slots__ = ("_place", "_place_address", "address", "settings")

    def __init__(self) -> None:
        self._place = place = ctypes.c_void_p()
        self._place_address = ctypes.addressof(place)
        status = lib.pc_context_create(self._place_address)
        if status or place.value is None:
            raise errors.of_status(status, "no memory for a context")
        self.address: int = place.value
        self.settings: tuple[object, ...] | None = (0, "auto", 0)

    def check(self, status: int) -> None:
        """Raises what a status says."""
        if status:
            message = lib.pc_context_message(self.address).decode(errors="replace")
            raise errors.of_status(status, message)

    def apply(self, settings: Settings) -> None:
        """Sets threads, device and memory, where they differ from those of the last call."""
        wanted = (settings.get("threads", 0), settings.get("device", "auto"), settings.get("memory", 0))
        if wanted == self.settings:
            return
        _settings.check_names(settings)
        threads = _settings.whole("threads", wanted[0], 0, 1024)
        if not isinstance(wanted[1], str):
            raise errors.ArgumentError(f"device is {wanted[1]!r}: give a text such as 'cpu'")
        memory = _settings.size("memory", wanted[2])
        self.settings = None
        self.check(lib.pc_context_set_threads(self.address, threads))
        self.check(lib.pc_context_set_device(self.address, wanted[1].encode()))
        lib.pc_context_set_memory_limit(self.address, memory)
        self.settings = wanted

    def make(self, function: Callable[..., int], *arguments: object) -> int:
        """Calls a function whose last argument is the place for the object that it makes; returns the object."""
        status = function(*arguments, self._place_address)
        if status:
            self.check(status)
        return self._place.value  # type: ignore[return-value]


_idle: list[Context] = []


def run(job: Callable[[Context], Result], work: float, settings: Settings = _settings.NONE) -> Result:
    """The result of a job, which gets a context. work is a rough number of steps that it takes."""
    context = _idle.pop() if _idle else Context()
    try:
        context.apply(settings)
        progress = settings.get("progress", False)
        if not progress and work < SHORT_WORK:
            return job(context)
        with _progress(context, progress):
            if threading.current_thread() is threading.main_thread():
                return _run_in_thread(job, context)
            return job(context)
    finally:
        _idle.append(context)


def start(job: Callable[[Context], None], settings: Settings) -> Callable[[], None]:
    """Starts a job in a thread of its own, for results that are taken while it works. Returns a function that cancels it."""
    context = _idle.pop() if _idle else Context()
    lock = threading.Lock()
    has_ended = False

    def cancel() -> None:
        with lock:
            if not has_ended:
                lib.pc_context_set_cancelled(context.address, 1)

    def work() -> None:
        nonlocal has_ended
        try:
            with _progress(context, settings.get("progress", False)):
                job(context)
        finally:
            with lock:
                has_ended = True
                lib.pc_context_set_cancelled(context.address, 0)
            _idle.append(context)

    try:
        context.apply(settings)
    except BaseException:
        _idle.append(context)
        raise
    # Not a threading.Thread: Python would wait for one that nobody reads from any more when it ends.
    _thread.start_new_thread(work, ())
    return cancel


def _run_in_thread(job: Callable[[Context], Result], context: Context) -> Result:
    claim, done = _thread.allocate_lock(), _thread.allocate_lock()
    done.acquire()
    results: list[Result] = []
    failures: list[BaseException] = []

    def work() -> None:
        if not claim.acquire(blocking=False):
            return
        try:
            results.append(job(context))
        except BaseException as error:
            failures.append(error)
        finally:
            done.release()

    try:
        _thread.start_new_thread(work, ())
        done.acquire()
    except BaseException:
        if not claim.acquire(blocking=False):  # the job has begun
            lib.pc_context_set_cancelled(context.address, 1)
            _wait(done, lambda: bool(results or failures))
            lib.pc_context_set_cancelled(context.address, 0)
        raise
    if failures:
        raise failures[0]
    return results[0]


def _wait(done: _thread.LockType, has_ended: Callable[[], bool]) -> None:
    """Waits for the end of a call that was cancelled, whatever else interrupts."""
    while not has_ended():
        try:
            done.acquire()
        except BaseException:  # what was raised first is raised when the call has ended
            continue


# ---- Progress --------------------------------------------------------------------------------------

_INTERVAL_SECONDS = 0.05


class _progress:
    """Sets the progress callback of a context; nothing for False. Exceptions of the callable are raised at the end."""

    def __init__(self, context: Context, progress: Progress) -> None:
        self.context = context
        self.tell: Any = _show if progress is True else progress or None
        self.error: BaseException | None = None
        if self.tell is not None and not callable(self.tell):
            raise errors.ArgumentError(f"progress is {progress!r}: give True, or a function of a word and a fraction")

    def __enter__(self) -> None:
        if self.tell is None:
            return
        last: tuple[bytes, float] = (b"", 0.0)

        def told(_user: int, stage: bytes, fraction: float) -> int:
            nonlocal last
            now = time.monotonic()
            if self.error is None and (stage != last[0] or now - last[1] >= _INTERVAL_SECONDS):
                last = (stage, now)
                try:
                    self.tell(stage.decode(), fraction)
                except BaseException as error:
                    self.error = error
            return self.error is not None

        self.callback = _abi.progress_fn(told)
        lib.pc_context_set_progress(self.context.address, self.callback, None)

    def __exit__(self, *_: object) -> None:
        if self.tell is None:
            return
        lib.pc_context_set_progress(self.context.address, _abi.progress_fn(), None)
        if self.tell is _show:
            print("\r" + " " * 30 + "\r", end="", file=sys.stderr, flush=True)
        if self.error is not None:
            raise self.error


def _show(stage: str, fraction: float) -> None:
    """A line on standard error."""
    print(f"\r{stage} {fraction:4.0%} ", end="", file=sys.stderr, flush=True)
