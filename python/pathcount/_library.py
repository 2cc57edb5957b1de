"""Finds and opens libpathcount.

1. where the environment variable PATHCOUNT_LIBRARY says, the path of a file, and then nowhere else;
2. in the folder ``_lib`` of this package: the copy that a wheel carries;
3. where the dynamic linker looks.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

NAME = "libpathcount.so.1"
OWN_FOLDER = Path(__file__).with_name("_lib")


def _candidates() -> list[str]:
    chosen = os.environ.get("PATHCOUNT_LIBRARY")
    if chosen:
        return [chosen]
    own = OWN_FOLDER / NAME
    return [str(own)] if own.exists() else [NAME]


def open_library() -> ctypes.CDLL:
    """The library. ImportError when there is none, with what was tried and what to do."""
    tried = []
    for path in _candidates():
        try:
            return ctypes.CDLL(path)
        except OSError as error:
            tried.append(str(error))
    raise ImportError(
        f"libpathcount cannot be opened: {'; '.join(tried)}. Install a wheel of pathcount, which has a copy of it, or "
        "install the library, or set PATHCOUNT_LIBRARY to the path of libpathcount.so"
    )
