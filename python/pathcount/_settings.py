"""Keywords that every question takes: how to count, and on what."""

from __future__ import annotations

import re
from typing import Any, Callable, Literal, SupportsIndex, TypedDict, Union

from . import _abi
from .errors import ArgumentError

Progress = Union[bool, Callable[[str, float], object]]


class Exact(TypedDict, total=False):
    """The keywords of a question whose answer is exact, for type checkers."""

    mod: SupportsIndex | None
    method: Literal["auto", "dense", "sweep", "hybrid", "formula", "search", "sets"]
    reduce: Literal["auto", "always", "never"]
    certify: SupportsIndex
    threads: SupportsIndex
    device: str
    memory: SupportsIndex | str
    progress: Progress
    up_to: bool
    paths: Literal["all", "non-backtracking", "simple", "cycles", "shortest"]
    match: str | None
    wait: Any


class Settings(TypedDict, total=False):
    """Keywords that every question takes. One that would say nothing about a question is refused.

    How to count:

    - ``mod``: residues modulo this number, 2 to 2**63 - 1, in place of exact integers.
    - ``approximate``: True counts in doubles: rounded, faster where counts are wide.
    - ``paths``: ``"all"``; ``"non-backtracking"``, those that never turn straight back; ``"markov"``, probabilities of a
      random walk, always in doubles; ``"simple"``, those that visit no vertex twice; ``"cycles"``, of which entry
      (u, v) counts those through the arc from u to v; ``"shortest"``, with length 0.
    - ``match``: a pattern such as ``"A B* (C|D)"``: only walks whose labels match it, of a Graph with ``label=``. Labels
      follow each other behind a blank; ``|``, ``( )``, ``*``, ``+``, ``?``, ``{2,5}`` and ``.`` (any label) are as in
      regular expressions. Walks from and to vertices, between them, starts, ends, closed and total take it.
    - ``wait``: only walks in time, of a Graph whose ``label=`` are times: each edge comes later than the last, by at most this
      number; ``math.inf`` is any. Counts are exact, or residues.
    - ``method``: ``"auto"``, ``"dense"``, ``"sweep"`` or ``"hybrid"``; of simple paths and cycles ``"formula"``,
      ``"search"`` or ``"sets"``. All give the same counts.
    - ``reduce``: ``"auto"``, ``"always"`` or ``"never"``: whether a matrix is made of one row for vertices with the same
      neighbours, and of one component after the other. The counts are the same.
    - ``certify``: random checks of the result, 0 to 64; 2 where it is not given.

    On what:

    - ``threads``: 1 to 1024; 0 or not given: all processors.
    - ``device``: ``"auto"``, ``"cpu"``, ``"cuda"``, ``"cuda:1"``, ``"cuda:all"``.
    - ``memory``: the most bytes that may be planned for, or a text such as ``"1GB"`` (10**9) or ``"512MiB"`` (512 * 2**20).
    - ``progress``: True shows a line on standard error, or a function that is called with a word and a fraction.
      An exception of the function stops the call and is raised.
    """

    mod: SupportsIndex | None
    method: Literal["auto", "dense", "sweep", "hybrid", "formula", "search", "sets"]
    reduce: Literal["auto", "always", "never"]
    certify: SupportsIndex
    threads: SupportsIndex
    device: str
    memory: SupportsIndex | str
    progress: Progress
    approximate: bool
    paths: str
    match: str | None
    wait: Any


class Rounded(Settings, total=False):
    """The keywords of a question whose answer may be of doubles, for type checkers."""

    up_to: bool


_KNOWN = Settings.__optional_keys__
_PATHS = {
    "all": _abi.PC_PATHS_ALL,
    "non-backtracking": _abi.PC_PATHS_NON_BACKTRACKING,
    "markov": _abi.PC_PATHS_MARKOV,
    "simple": _abi.PC_PATHS_SIMPLE,
    "cycles": _abi.PC_PATHS_CYCLES,
    "shortest": _abi.PC_PATHS_SHORTEST,
    "distance": _abi.PC_PATHS_DISTANCE,
}
_METHODS = {
    "auto": _abi.PC_METHOD_AUTO,
    "dense": _abi.PC_METHOD_DENSE,
    "sweep": _abi.PC_METHOD_SWEEP,
    "hybrid": _abi.PC_METHOD_HYBRID,
    "formula": _abi.PC_METHOD_FORMULA,
    "search": _abi.PC_METHOD_SEARCH,
    "sets": _abi.PC_METHOD_SETS,
}
_REDUCTIONS = {
    "auto": _abi.PC_REDUCE_WHERE_IT_PAYS,
    "always": _abi.PC_REDUCE_ALWAYS,
    "never": _abi.PC_REDUCE_NEVER,
}


def _choice(name: str, value: Any, choices: dict[Any, int]) -> int:
    if isinstance(value, (str, bool, type(None))) and value in choices:
        return choices[value]
    raise ArgumentError(f"{name} is {value!r}: give one of {', '.join(map(repr, choices))}")


def whole(name: str, value: object, least: int, most: int) -> int:
    """An integer in a range, NumPy's included; ArgumentError names the argument."""
    try:
        number: int = value.__index__()  # type: ignore[attr-defined]
    except (AttributeError, TypeError):
        raise ArgumentError(f"{name} is {value!r}: give an integer") from None
    if not least <= number <= most:
        raise ArgumentError(f"{name} is {number}: give {least} to {most}")
    return number


def real(name: str, value: Any) -> float:
    """A number as a double, NumPy's included; ArgumentError names the argument."""
    if isinstance(value, (str, bytes, bool)) or not hasattr(value, "__float__"):
        raise ArgumentError(f"{name} is {value!r}: give a number")
    return float(value)


def size(name: str, value: object) -> int:
    """Bytes, as an integer or as a text with a unit."""
    if isinstance(value, str):
        found = re.fullmatch(r"(\d+(?:\.\d+)?) ?(?:([KMGT])(i?B)?|B)?", value.strip(), re.IGNORECASE)
        if found is None:
            raise ArgumentError(f"{name} is {value!r}: give bytes, or a text such as '512MiB' or '8GB'")
        power = " KMGT".index((found[2] or " ").upper())
        value = int(float(found[1]) * (1000 if (found[3] or "").upper() == "B" else 1024) ** power)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return whole(name, value, 0, 2**64 - 1)


def paths_of(settings: Settings) -> int:
    """The pc_path_kind."""
    return _choice("paths", settings.get("paths", "all"), _PATHS)


_OF_GRAPH = ("columns", "directed", "header", "label", "loops", "multigraph", "real_weights", "vertices", "weight")
_ENDS = 'walks_from, walks_to and walks_between take it, with paths="simple" and others, too'
_ELSEWHERE = {"source": _ENDS, "target": _ENDS, "float": "approximate=True counts in doubles"}


def check_names(settings: Settings) -> None:
    for name in sorted(settings.keys() - _KNOWN):
        if name in _OF_GRAPH:
            raise TypeError(f"unknown keyword {name!r}: the graph takes it, as Graph(graph, {name}=...)")
        hint = _ELSEWHERE.get(name, f"known are {', '.join(sorted(_KNOWN))}")
        raise TypeError(f"unknown keyword {name!r}: {hint}")


_WHEREVER = ("threads", "memory", "progress")
_DEFAULTS = {
    "mod": None,
    "approximate": False,
    "paths": "all",
    "match": None,
    "wait": None,
    "method": "auto",
    "reduce": "auto",
    "certify": 2,
    "device": "auto",
}


def only(settings: Settings, what: str, *taken: str) -> None:
    """Raises ArgumentError for a keyword that a question does not take, unless its value is the default.

    A question that does not take a device is computed on processors: device may be "cpu".
    """
    check_names(settings)
    for name, value in settings.items():
        if name in taken or name in _WHEREVER or value == _DEFAULTS[name] or (name, value) == ("device", "cpu"):
            continue
        advice = "it is computed on processors, give 'cpu'" if name == "device" else "leave it out"
        raise ArgumentError(f"{name} is {value!r}, and {what} does not take it: {advice}")


def with_paths(settings: Settings, paths: str) -> None:
    """Sets the paths of a question that is of these only."""
    if settings.get("paths", paths) != paths:
        raise ArgumentError(f"paths is {settings.get('paths')!r}, and this question is of {paths!r}: leave it out")
    settings["paths"] = paths


def count_options(settings: Settings) -> Any:
    """How to count; None is the default."""
    if not settings:
        return None
    check_names(settings)
    options = _abi.pc_count_options()
    modulus = settings.get("mod")
    if modulus is not None:
        options.arithmetic = _abi.PC_MODULAR
        options.modulus = whole("mod", modulus, 2, 2**63 - 1)
    if settings.get("approximate") or settings.get("paths") == "markov":
        if modulus is not None:
            raise ArgumentError("mod is given: residues are exact, and neither approximate nor probabilities")
        options.arithmetic = _abi.PC_FLOAT
    if settings.get("paths") == "markov":
        only(settings, "a random walk", "approximate", "paths", "method", "certify")
    options.method = _choice("method", settings.get("method", "auto"), _METHODS)
    options.reduce = _choice("reduce", settings.get("reduce", "auto"), _REDUCTIONS)
    certify = whole("certify", settings.get("certify", 2), 0, 64)
    options.n_certify_rounds = certify or _abi.PC_CERTIFY_NONE
    return options


NONE: Any = {}
