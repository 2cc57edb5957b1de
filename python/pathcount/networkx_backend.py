"""The backend of NetworkX: ``nx.number_of_walks(G, k, backend="pathcount")``, or NETWORKX_BACKEND_PRIORITY=pathcount.

number_of_walks gives exact integers. Subgraph centralities, the Estrada index and communicability are series over walk
counts, which are cut off where what is left cannot change a double. katz_centrality is not here: NetworkX defines it by the
steps of an iteration (max_iter, tol, nstart), which fails where the series diverges; see pathcount.katz for the series.
"""

from __future__ import annotations

import inspect
import math
from typing import Any

from . import centralities, queries
from .graphs import Graph

_MOST_TERMS = 400
_MOST_VERTICES = 1000
_LEFT = 2.0**-60


class BackendGraph:
    """A graph of NetworkX, and ours of it, made when it is first asked for."""

    __networkx_backend__ = "pathcount"

    def __init__(self, graph: Any) -> None:
        self.graph = graph
        self._ours: Graph | None = None

    @property
    def ours(self) -> Graph:
        if self._ours is None:
            self._ours = Graph(self.graph)
        return self._ours

    def is_directed(self) -> bool:
        return bool(self.graph.is_directed())

    def is_multigraph(self) -> bool:
        return bool(self.graph.is_multigraph())

    def __len__(self) -> int:
        return len(self.graph)

    def __repr__(self) -> str:
        return f"<pathcount.BackendGraph of {self.graph!r}>"


def _as_backend(graph: Any) -> BackendGraph:
    return graph if isinstance(graph, BackendGraph) else BackendGraph(graph)


def number_of_walks(G: Any, walk_length: int) -> dict[Any, dict[Any, int]]:
    """The walks of a length between all nodes: exact."""
    if walk_length < 0:
        raise ValueError(f"`walk_length` cannot be negative: {walk_length}")
    counts = queries.count(_as_backend(G).ours, walk_length)
    labels = list(counts.rows)
    return {label: dict(zip(labels, row)) for label, row in zip(labels, counts.tolist())}


def subgraph_centrality(G: Any, *, normalized: bool = False) -> dict[Any, float]:
    """Closed walks of all lengths l at each node, over l factorial."""
    graph = _as_backend(G)
    return dict(centralities.subgraph_centrality(graph.ours, _n_terms(graph.graph)).values)


def estrada_index(G: Any) -> float:
    """The sum of the subgraph centralities."""
    return math.fsum(subgraph_centrality(G).values())


def communicability(G: Any) -> dict[Any, dict[Any, float]]:
    """Walks of all lengths l between each two nodes, over l factorial."""
    import numpy as np

    graph = _as_backend(G)
    n_terms, total = _n_terms(graph.graph), np.eye(len(graph))
    for length in range(1, n_terms + 1):
        counts = queries.count(graph.ours, length)
        total += _over_factorial(counts, length)
    labels = list(graph.ours.vertices)
    return {label: dict(zip(labels, row)) for label, row in zip(labels, total.tolist())}


def triangles(G: Any, nodes: Any = None) -> Any:
    """The triangles through each node, or through one."""
    graph = _as_backend(G)
    through = queries.closed(graph.ours, 3, paths="cycles")
    if nodes is not None and nodes in graph.graph:
        return through[nodes]
    return {node: through[node] for node in graph.graph.nbunch_iter(nodes)}


#: NetworkX has two ways to both.
subgraph_centrality_exp, communicability_exp = subgraph_centrality, communicability


def _over_factorial(counts: Any, length: int) -> Any:
    """Each count over length factorial, the nearest double: Python divides integers of any size so."""
    import numpy as np

    factorial = math.factorial(length)
    if counts.bits <= 53 and length < 19:
        return counts.to_numpy("float64") / factorial
    return np.array([[count / factorial for count in row] for row in counts.tolist()])


# ---- What NetworkX asks ----------------------------------------------------------------------------


def _n_terms(graph: Any) -> int:
    """How many terms of the series change a double: with largest degree d no entry of A**l is more than d**l."""
    degree = max((len(neighbours) for _, neighbours in graph.adjacency()), default=0)
    left, length = 1.0, 0
    while left > _LEFT or length < 2 * degree:
        length += 1
        left *= degree / length
        if length > _MOST_TERMS:
            break
    return length


def _can_count(graph: Any) -> bool | str:
    if len(graph) == 0:
        return "NetworkX has an error of its own for a graph without nodes"
    return True  # whatever walk_length is: NetworkX's own arithmetic would wrap


def _can_sum(graph: Any, normalized: Any) -> bool | str:
    if len(graph) == 0 or graph.is_directed() or graph.is_multigraph():
        return "the graph is empty, directed or a multigraph"
    if normalized:
        return "normalized wants the largest eigenvalue"
    if len(graph) > _MOST_VERTICES or _n_terms(graph) > _MOST_TERMS:
        return "the graph is too large, or has a vertex of high degree: eigenvalues are faster"
    return True


_FUNCTIONS: dict[str, Any] = {
    "number_of_walks": number_of_walks,
    "subgraph_centrality": subgraph_centrality,
    "subgraph_centrality_exp": subgraph_centrality_exp,
    "estrada_index": estrada_index,
    "triangles": triangles,
    "communicability": communicability,
    "communicability_exp": communicability_exp,
}


def convert_from_nx(graph: Any, *_: Any, **__: Any) -> BackendGraph:
    """A graph for these functions; NetworkX keeps it with the graph until that changes."""
    return _as_backend(graph)


def convert_to_nx(result: Any, *_: Any, **__: Any) -> Any:
    """A result as NetworkX knows it."""
    return result.graph if isinstance(result, BackendGraph) else result


def can_run(name: str, args: Any, kwargs: Any) -> bool | str:
    """Whether a call gives what NetworkX defines; else why not."""
    if name not in _FUNCTIONS:
        return False
    try:
        given = inspect.signature(_FUNCTIONS[name]).bind(*args, **kwargs).arguments
    except TypeError:
        return "unknown arguments"
    graph = given["G"].graph if isinstance(given["G"], BackendGraph) else given["G"]
    if name == "number_of_walks":
        return _can_count(graph)
    if name == "triangles":
        simple = len(graph) > 0 and not graph.is_directed() and not graph.is_multigraph()
        return True if simple else "the graph is empty, directed or a multigraph"
    return _can_sum(graph, given.get("normalized"))
