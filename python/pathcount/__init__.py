"""Exact counts of the paths of length k between the vertices of a graph.

>>> import pathcount
>>> counts = pathcount.count([("A", "B"), ("B", "C"), ("C", "A")], 8)
>>> counts["A", "B"]
85

A path may visit a vertex more than once: graph theory calls it a walk. The number of paths from u to v with k arcs is entry
(u, v) of the power A**k of the adjacency matrix. Counts are exact, however large they become.

A graph is what Graph takes: a file, a graph of NetworkX or igraph, a matrix of SciPy or NumPy, a table of pandas or pyarrow,
or edges. Answers are Python integers, Vector (a count for each label) and Counts (a matrix of counts).
"""

from __future__ import annotations

from . import errors
from ._numbers import UNREACHED
from ._settings import Settings
from ._version import VERSION as __version__
from .centralities import Series, katz, random_walk_pe, subgraph_centrality
from .counts import Counts, Vector
from .errors import EngineError, Error
from .graphs import Graph
from .queries import (
    closed,
    coarsen,
    count,
    cycles,
    ends,
    main_path,
    markov,
    non_backtracking,
    rows,
    shortest_path_counts,
    shortest_path_lengths,
    simple_paths,
    spc,
    starts,
    time_respecting_walks,
    total,
    trace,
    walks_between,
    walks_from,
    walks_to,
)
from .recurrences import Recurrence, recurrence
from .relations import Relation, chain, dwpc, dwpc_table, pathsim
from .samples import sample
from .streams import molecular_walk_counts, stream

__all__ = [
    "Counts",
    "EngineError",
    "Error",
    "Graph",
    "Recurrence",
    "Relation",
    "Series",
    "Settings",
    "UNREACHED",
    "Vector",
    "__version__",
    "chain",
    "closed",
    "coarsen",
    "count",
    "cycles",
    "dwpc",
    "dwpc_table",
    "ends",
    "errors",
    "katz",
    "main_path",
    "markov",
    "molecular_walk_counts",
    "non_backtracking",
    "pathsim",
    "random_walk_pe",
    "recurrence",
    "rows",
    "sample",
    "shortest_path_counts",
    "shortest_path_lengths",
    "simple_paths",
    "spc",
    "starts",
    "stream",
    "subgraph_centrality",
    "time_respecting_walks",
    "total",
    "trace",
    "walks_between",
    "walks_from",
    "walks_to",
]
