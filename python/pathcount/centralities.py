"""Centralities: lengths added up with weights of their own; and positional encodings by random walks."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsFloat, SupportsIndex

from . import _abi, _call, _settings, queries
from ._abi import lib
from ._numbers import of_values
from .counts import Vector
from .errors import ArgumentError
from .graphs import Graph, as_graph

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Unpack

    from ._settings import Settings


class Series(NamedTuple):
    """Values of an infinite series that was cut off after some terms."""

    values: Vector[float]
    """The value of each vertex, by label."""
    remainder: float
    """A proved limit of what was cut off, the same for every vertex; infinity where none is known: it may diverge."""


def katz(graph: Any, beta: SupportsFloat, length: SupportsIndex, **settings: Unpack[Settings]) -> Series:
    """Katz centrality: the sum for l = 1, ..., length of beta**l times the paths of length l that end at a vertex.
    NetworkX adds 1, the path of length 0.

    beta is above 0; the series converges for beta below 1 over the largest eigenvalue. The counts are exact, each value is
    rounded by less than (3 length + 5) / 2**53 of itself. The keywords threads, memory and progress are taken.

    A path counts as often as the product of its weights says, which may have decimals (real_weights of Graph).

    >>> dict(katz([("A", "B"), ("B", "C")], 0.5, 2).values)
    {'A': 1.0, 'B': 1.5, 'C': 1.0}
    """
    rate = _settings.real("beta", beta)
    if not rate > 0:
        raise ArgumentError(f"beta is {beta!r}: give a number above 0")
    return _series(as_graph(graph, takes_decimals=True), _abi.PC_CENTRALITY_KATZ, rate, length, settings)


def subgraph_centrality(graph: Any, length: SupportsIndex, **settings: Unpack[Settings]) -> Series:
    """Subgraph centrality (Estrada, Rodriguez-Velazquez 2005): the sum for l = 0, ..., length of the closed paths of length l
    at a vertex, over l factorial. Rounded as katz; the same keywords.

    >>> round(subgraph_centrality([("A", "B")], 40).values["A"], 12)  # cosh 1
    1.543080634815
    """
    return _series(as_graph(graph), _abi.PC_CENTRALITY_SUBGRAPH, 0.0, length, settings)


def _series(graph: Graph, kind: int, beta: float, length: SupportsIndex, settings: Settings) -> Series:
    _settings.only(settings, "a series")
    n_terms = _settings.whole("length", length, 0, 2**63 - 1)
    values, remainder = (ctypes.c_double * len(graph))(), ctypes.c_double()
    places = ctypes.addressof(values), ctypes.addressof(remainder), None

    def job(context: _call.Context) -> None:
        context.check(lib.pc_centrality(context.address, graph._handle.address, kind, beta, n_terms, *places))

    _call.run(job, float(graph.n_arcs + len(graph)) * n_terms * len(graph), settings)
    return Series(Vector(of_values(list(values), False), graph.vertices), remainder.value)


def random_walk_pe(
    graph: Any, walk_length: SupportsIndex, dtype: npt.DTypeLike = "float32", **settings: Unpack[Settings]
) -> npt.NDArray[np.floating[Any]]:
    """Positional encodings by random walks (Dwivedi et al. 2022): an array of shape (n, walk_length), in the order of vertices.

    Element (v, l - 1) is the probability that a random walk of l steps from v ends at v, as AddRandomWalkPE of PyTorch
    Geometric means it: the diagonal of (D^-1 A)^l, so a vertex without arcs has zeros. Within 1e-12 before it is rounded to
    float32 or float64.

    >>> random_walk_pe([("A", "B"), ("B", "C")], 2).tolist()
    [[0.0, 0.5], [0.0, 1.0], [0.0, 0.5]]
    """
    import numpy as np

    graph = as_graph(graph, takes_decimals=True)
    walk_length = _settings.whole("walk_length", walk_length, 1, 2**32)
    if np.dtype(dtype) not in (np.float32, np.float64):
        raise ArgumentError(f"dtype is {dtype!r}: give 'float32' or 'float64'")
    _settings.with_paths(settings, "markov")
    if len(graph) == 0:
        return np.zeros((0, walk_length), dtype=dtype)
    by_length = queries.closed(graph, walk_length, each=True, **settings).to_numpy()
    encoding: npt.NDArray[Any] = np.ascontiguousarray(by_length.T).astype(dtype)
    encoding[_arcs_from(graph) == 0] = 0  # the library lets a walk stay there
    return encoding


def _arcs_from(graph: Graph) -> npt.NDArray[Any]:
    """How many arcs begin at each vertex."""
    import numpy as np

    arcs = _abi.pc_arcs()
    lib.pc_graph_arcs(graph._handle.address, ctypes.addressof(arcs))
    return np.diff(np.frombuffer(ctypes.string_at(arcs.row_start, 8 * (len(graph) + 1)), dtype=np.uint64))
