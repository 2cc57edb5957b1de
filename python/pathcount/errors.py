"""Exceptions: one for each status of the C library, each also the builtin exception that programs expect."""

from __future__ import annotations

import re


class Error(Exception):
    """Base of all exceptions of pathcount. Its text is the sentence of the library."""


class ArgumentError(Error, ValueError):
    """An argument or option makes no sense."""


class DataError(Error, ValueError):
    """The input is not what its format or type promises."""


class InputError(Error, FileNotFoundError):
    """The input cannot be opened."""


class EngineError(Error, RuntimeError):
    """The device asked for is not available here."""


class OutOfMemoryError(MemoryError, Error):  # the first one's __new__ is taken where it is unpickled by tblib (Dask)
    """It does not fit in memory; nothing was computed."""


class RangeError(Error, OverflowError):
    """A number does not fit the type or the width asked for."""


class CertificateError(Error, RuntimeError):
    """The result failed its own check and was withheld: a bug or bad hardware."""


class OutputError(Error, OSError):
    """The output cannot be created, or reading or writing failed halfway."""


class CancelledError(Error):
    """The call was cancelled."""


class InternalError(Error, RuntimeError):
    """A broken promise inside the library."""


class LabelError(Error, KeyError):
    """No vertex, block, row or column has this label."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


#: By number of pc_status; 0 is no error.
OF_STATUS: tuple[type[Error], ...] = (
    Error,
    ArgumentError,
    DataError,
    InputError,
    EngineError,
    OutOfMemoryError,
    RangeError,
    CertificateError,
    OutputError,
    OutputError,
    CancelledError,
    InternalError,
)


#: Translates options of the command and functions of C, which messages of the library name, into the words of Python.
_WORDS = tuple(
    (re.compile(r"(?<![\w-])" + pattern if pattern.startswith("--") else pattern), word)
    for pattern, word in (
        (r",? or take the rows by pc_plan_run", ""),
        (r", --columns 1,2,3 takes a weight, too", ""),
        (r"--method ([a-z]+) or ([a-z]+)", r"method='\1' or '\2'"),
        (r"--(method|device) ([a-z]+)", r"\1='\2'"),
        (r"--mod M\b", "mod=M"),
        (r"--float\b", "approximate=True"),
        (r"--weights\b", "weight=True"),
        (r"--allow-missing\b", "allow_missing=True"),
        (r"--(multigraph|directed)\b", r"\1=True"),
        (r"--(markov|katz|trace|total)\b", r"\1"),
        (r"--columns (\w+),(\w+),(\w+)\b", r"columns=(\1, \2, \3)"),
        (r"--(mod|columns|method|device)\b(?: ?(\w+),(\w+)\b)", r"\1=(\2, \3)"),
        (r"--(mod|columns|method|device)\b", r"\1"),
        (r"'pathcount batch FILE [^']*'", "stream(path, length)"),
        (r"'pathcount chain FILE FILE\^T'", "chain(Relation(path), Relation(path).T)"),
        (r"--format ([a-z]+6?(?:-[a-z]+)?)", r"format='\1'"),
        (r"--separator (tab|space|[^\w\s']+(?=[ ,)]))", r"separator='\1'"),
        (r"--separator ('.')", r"separator=\1"),
        (r"--no-header\b", "header=False"),
        (r"--header\b", "header=True"),
        (r"--loops twice\b", "loops=2"),
        (r"--loops once\b", "loops=1"),
        (r"--undirected\b", "directed=False"),
        (r"such as F F\^T", "such as pathsim(R, R.T)"),
        (r"--length K\b", "length"),
        (r"--types (\w+),(\w+),(\w+)", r"types=['\1', '\2', '\3']"),
        (r"--(separator|loops|length|cycles|closed|threads|format)\b", r"\1"),
        (r"--memory-limit\b", "memory"),
        (r"--([a-z][a-z-]*(?: [A-Z]+\b)?)", r"option \1 of the command"),
    )
)


def of_status(status: int, message: str) -> Error:
    """The exception for a status of the library other than PC_OK."""
    for pattern, word in _WORDS:
        message = pattern.sub(word, message)
    known = 0 < status < len(OF_STATUS)
    return (OF_STATUS[status] if known else InternalError)(message or f"status {status}")
