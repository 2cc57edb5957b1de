"""The graph: what questions are asked of."""

from __future__ import annotations

import ctypes
import os
import warnings
from array import array
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from . import _abi, _call, _objects, _settings, _sources
from ._abi import lib
from ._labels import Labels, is_missing, listed, naming, read_labels
from ._numbers import Handle
from .errors import ArgumentError, DataError

_DIRECTIONS = {None: _abi.PC_DIRECTION_OF_FORMAT, True: _abi.PC_DIRECTED, False: _abi.PC_UNDIRECTED}
LOOPS = {None: _abi.PC_LOOPS_ONCE, 1: _abi.PC_LOOPS_ONCE, 2: _abi.PC_LOOPS_TWICE}
#: In the order of pc_format.
_NAMES = (
    "auto edges mtx graph6 adjlist metis dimacs sif json matrix npy npz sg multiline-adjlist tuples graphml gml pajek lgl "
    "ncol dl"
)
_FORMATS = {name: i for i, name in enumerate(_NAMES.split())}
_HEADERS = {None: _abi.PC_HEADER_FOUND, True: _abi.PC_HEADER_FIRST_LINE, False: _abi.PC_HEADER_NONE}


class Graph:
    """A graph in the memory of the library. It never changes, and does not need the object that it was made of.

    Of what it is made:

    ================================ ============================= ============================ =======================
    object                           direction                     an edge given again          vertices are called
    ================================ ============================= ============================ =======================
    a path (str or os.PathLike)      as the file states            counts once                  texts, as in the file
    networkx Graph, DiGraph,         as the graph says             counts again (of a           its nodes
    MultiGraph, MultiDiGraph                                       multigraph)
    igraph.Graph                     as the graph says             counts again                 "name", else 0..n-1
    SciPy sparse matrix or array     undirected when symmetric     entries add                  0..n-1
    NumPy array, n x n               undirected when symmetric     entries are multiplicities   0..n-1
    NumPy array, m x 2               undirected                    counts once                  its elements
    other array of two axes          as one of NumPy               as of NumPy                  as of NumPy
    pandas table, Arrow stream       undirected                    counts once                  its values
    PyTorch Geometric Data,          undirected when symmetric     entries add                  0..n-1
    edge_index= of 2 x m
    rustworkx graph                  as the graph says             counts again                 its node indices
    GraphBLAS matrix                 undirected when symmetric     -                            0..n-1
    RDKit Mol                        undirected                    -                            0..n-1, its atoms
    scikit-network Dataset           undirected when symmetric     entries add                  "names", else 0..n-1
    iterable of pairs                undirected                    counts once                  any hashable objects
    ================================ ============================= ============================ =======================

    Other arrays have ``__array__`` or DLPack (torch, JAX); an Arrow stream is a table of pyarrow, polars or DuckDB, and needs
    pyarrow. Iterables are sequences, sets, iterators, views of a dict and edges of NetworkX: an object of another class is
    refused.

    A loop is one arc from a vertex to itself, and counts once; loops=2 says otherwise. Vertices of edges, tables and edge
    arrays ascend when all are integers; else they are in the order in which they first appear. A missing value (NaN, NaT)
    is no vertex, and masked entries of an array are refused.

    An entry 0 of a matrix is no edge. Elsewhere an edge is an edge, whatever its weight, unless weights are asked for by
    weight=: then an edge of weight 0 is none.

    A file is read as the command reads it ("man pathcount", INPUT FORMATS). A text that can be read as different graphs is
    refused; the message lists the readings, and columns= chooses one of edges.

    An array or a table that may be a matrix or edges is refused unless columns= says that it has edges: an array of 2 x 2,
    and a table of pandas whose rows are called as its columns.

    Args:
        source: one of these objects.
        edge_index: in place of source an array of 2 x m of integers, the arcs of PyTorch Geometric. vertices are the labels
            of 0, 1, ...: range(n) where vertices without arcs follow. weight is an array of m.
        directed: whether edges have a direction, for what states none (files, edges, tables) or is a matrix; False makes
            each entry of a matrix an edge, both ways.
        weight: what holds the multiplicity of an edge, an integer from 0 on; 0 is no edge. The name of an edge attribute
            (NetworkX: an edge without it counts once; igraph; PyTorch Geometric; rustworkx: of an element of its data), which
            an edge must have, or of a column (tables); True for a third element of edges, the third column of an array of
            edges or of a file, which must have one, the data of an edge (rustworkx), the order of a bond (RDKit). Entries of
            matrices are multiplicities always.
        real_weights: True: weights may have decimals, such as 0.25, for markov, katz and random_walk_pe; every other question
            of such a graph is refused. Matrices are directed then, unless directed is False.
        multigraph: True: an edge that is given again counts again, for files, edges and tables.
        loops: how often a loop of an undirected graph counts, 1 (NetworkX, SciPy; the default) or 2 (igraph): its entry of the
            adjacency matrix is its multiplicity times that. Directed graphs with 2, and matrices, are refused. A graph of
            igraph that has loops gives a UserWarning when loops is not given.
        columns: which columns of a table, an array or a file are from and to: two names, or two numbers (from 0 on, of files
            from 1); of a file a third one has the weights.
        vertices: labels that exist even when no edge has them, in their order, for edges and tables: a list, a range, an
            array. All are different.
        format: of a file that may be of several: "edges", "mtx", "adjlist", ..., the names of the command.
        separator: what is between the columns of a file: "tab", "space", a character, or an arrow between ends.
        header: whether the first line of a file has the names of its columns.
        label: what holds the label of an edge, for match=: True for the last element of edges, the name of an attribute
            (NetworkX, igraph) or of a column (tables, files; of a file also its number from 1 on). Edges with the same
            ends and other labels are others. Edges with labels keep a Graph from being pickled.

    Raises:
        DataError: the object is not a graph, such as a multiplicity of 1.5.
        InputError: the file cannot be opened; a FileNotFoundError.
        OutOfMemoryError: a MemoryError.

    >>> Graph([("A", "B"), ("B", "C")])
    <pathcount.Graph: 3 vertices, 2 edges, undirected>
    >>> list(Graph([("A", "B"), ("B", "C")]).vertices)
    ['A', 'B', 'C']
    """

    __slots__ = ("__weakref__", "_handle", "_info", "_labelled", "vertices")

    vertices: Labels
    """The labels of the vertices, in the order of rows and columns."""

    def __init__(
        self,
        source: Any = None,
        *,
        edge_index: Any = None,
        directed: bool | None = None,
        weight: Any = None,
        real_weights: bool = False,
        multigraph: bool = False,
        loops: int | None = None,
        columns: Sequence[Any] | None = None,
        vertices: Iterable[Any] = (),
        format: str = "auto",
        separator: str | None = None,
        header: bool | None = None,
        label: Any = None,
    ) -> None:
        self._labelled: Handle | None = None
        is_file = isinstance(source, (str, os.PathLike))
        if columns is not None and len(columns) == 3 and not is_file:
            raise ArgumentError(f"columns is {columns!r}: give two, as only a file has its weights in a third one")
        keywords = _Keywords(directed, weight, bool(real_weights), bool(multigraph), loops, columns, vertices)
        if not is_file and (format, separator, header) != ("auto", None, None):
            raise ArgumentError("format, separator or header is given, and the graph is no file: leave it out")
        if edge_index is not None:
            if source is not None:
                raise ArgumentError("a graph and edge_index are given: give one of them")
            keywords.only("edge_index", "directed", "weight", "vertices")
            labels = keywords.vertices or None
            self._take(_objects.from_edge_index(edge_index, keywords.weight, labels, keywords.directed, keywords.real_weights))
        elif is_file:
            self._read(os.fspath(source), keywords, format, separator, header, label)
        elif label is None:
            self._take(_arrays(source, keywords), keywords.loops)
        else:
            made, texts = _labelled(source, keywords, label)
            self._take(made, keywords.loops, texts)

    def _make(self, function: Any, arguments: Sequence[Any], work: float) -> None:
        handle = _call.run(lambda context: Handle(context.make(function, context.address, *arguments), lib.pc_graph_free), work)
        info = _abi.pc_graph_info()
        lib.pc_graph_get_info(handle.address, ctypes.addressof(info))
        self._handle = handle
        self._info = info

    def _label(self, function: Any, arguments: Sequence[Any], work: float) -> None:
        self._labelled = _call.run(
            lambda context: Handle(context.make(function, context.address, *arguments), lib.pc_labelled_edges_free), work
        )
        self._make(lib.pc_labelled_edges_graph, (self._labelled.address,), work)

    def _take(self, made: _sources.Arcs | _sources.Edges, loops: int | None = None, texts: Sequence[str] | None = None) -> None:
        n = len(made.labels)
        options = _abi.pc_graph_options(multigraph=1, direction=_DIRECTIONS[made.directed], real_weights=1)
        with naming(made.labels):
            self._give(made, options, loops, texts)
        self.vertices = Labels(range(n) if _is_range(made.labels) else made.labels)

    def _give(self, made: _sources.Arcs | _sources.Edges, options: Any, loops: int | None, texts: Sequence[str] | None) -> None:
        n, address = len(made.labels), _sources.address
        if isinstance(made, _sources.Arcs):
            rows = address(made.row_start), address(made.column), address(made.weight)
            arcs = _abi.pc_arcs(*rows, made.decimals, made.weight_error)
            self._make(lib.pc_graph_from_arcs, (n, ctypes.addressof(arcs), ctypes.addressof(options)), len(made.column))
        else:
            options.multigraph = made.adds
            options.loops = LOOPS[loops]
            edges = _abi.pc_edges(n_vertices=n, n_edges=len(made.begin), to=address(made.end))
            setattr(edges, "from", address(made.begin))
            setattr(edges, "real_weight" if made.is_real else "weight", address(made.weight))
            if texts is None:
                self._make(lib.pc_graph_from_edges, (ctypes.addressof(edges), ctypes.addressof(options)), len(made.begin))
                return
            place = {text: i for i, text in enumerate(dict.fromkeys(texts))}
            numbers = array("Q", [place[text] for text in texts])
            names = (ctypes.c_char_p * len(place))(*[text.encode() for text in place])
            given = ctypes.addressof(edges), len(place), ctypes.addressof(names), address(numbers), ctypes.addressof(options)
            self._label(lib.pc_labelled_edges_from_edges, given, len(made.begin))

    def _read(
        self,
        path: str | bytes,
        keywords: _Keywords,
        format: str,
        separator: str | None,
        header: bool | None,
        label: Any,
    ) -> None:
        if keywords.vertices:
            raise ArgumentError("vertices are given, and the graph is a file: write them into the file")
        if keywords.weight not in (None, True):
            raise ArgumentError(f"weight is {keywords.weight!r}: give True where a file has weights in its third column")
        options = _abi.pc_graph_options(
            direction=_DIRECTIONS[keywords.directed],
            multigraph=keywords.multigraph,
            weights=bool(keywords.weight),
            real_weights=keywords.real_weights,
            loops=LOOPS[keywords.loops],
            separator=None if separator is None else separator.encode(),
            header=header_of(header),
        )
        if keywords.columns is not None:
            options.columns = ",".join(map(str, keywords.columns)).encode()
        kind = _settings._choice("format", format, _FORMATS)
        arguments = (os.fsencode(path), kind, ctypes.addressof(options))
        work = os.path.getsize(path) if os.path.exists(path) else 0
        if label is None:
            self._make(lib.pc_graph_read, arguments, work)
        else:
            self._label(lib.pc_labelled_edges_read, (*arguments, str(label).encode()), work)
        self.vertices = read_labels(lib.pc_graph_labels(self._handle.address))

    # ---- Facts -------------------------------------------------------------------------------------

    @property
    def n_vertices(self) -> int:
        """The number of vertices."""
        return len(self.vertices)

    def __len__(self) -> int:
        return len(self.vertices)

    @property
    def n_edges(self) -> int:
        """Distinct edges: undirected edges, or arcs when directed; with loops."""
        return int(self._info.n_edges)

    @property
    def n_arcs(self) -> int:
        """Nonzero entries of the adjacency matrix."""
        return int(self._info.n_arcs)

    @property
    def n_loops(self) -> int:
        """Arcs from a vertex to itself."""
        return int(self._info.n_loops)

    @property
    def directed(self) -> bool:
        """Whether edges have a direction; False of a symmetric matrix."""
        return bool(self._info.directed)

    @property
    def max_weight(self) -> int | float:
        """The largest multiplicity, or weight."""
        return self._info.max_weight / 10**self._info.decimals if self.has_decimals else int(self._info.max_weight)

    @property
    def has_decimals(self) -> bool:
        """Whether a weight is no integer: see real_weights."""
        return bool(self._info.decimals > 0 or self._info.weight_error > 0)

    def __repr__(self) -> str:
        direction = "directed" if self.directed else "undirected"
        return f"<pathcount.Graph: {self.n_vertices} vertices, {self.n_edges} edges, {direction}>"

    def longest_path(self) -> int:
        """The arcs of the longest path of a directed graph without cycles.

        With it as the length, ``up_to=True`` counts all paths of any length. DataError names vertices of a cycle.

        >>> Graph([("A", "B"), ("B", "C")], directed=True).longest_path()
        2
        """
        place = ctypes.c_uint64()

        def job(context: _call.Context) -> None:
            context.check(lib.pc_graph_longest_path(context.address, self._handle.address, ctypes.addressof(place)))

        with naming(self.vertices) if self._info.format == b"arrays" else nullcontext():
            _call.run(job, self.n_arcs + self.n_vertices)
        return place.value

    # ---- Copies: for other processes ---------------------------------------------------------------

    def __reduce__(self) -> tuple[Any, ...]:
        if self._labelled is not None:
            raise TypeError("a Graph with labels of edges cannot be pickled: pickle the edges")
        arcs = _abi.pc_arcs()
        lib.pc_graph_arcs(self._handle.address, ctypes.addressof(arcs))
        n, n_arcs = self.n_vertices, self.n_arcs
        parts = (
            ctypes.string_at(arcs.row_start, 8 * (n + 1)),
            ctypes.string_at(arcs.column, 4 * n_arcs) if n_arcs else b"",
            ctypes.string_at(arcs.weight, 8 * n_arcs) if arcs.weight else None,
        )
        return _again, (self.vertices[:], *parts, self.directed, self._info.decimals, self._info.weight_error)


def header_of(header: Any) -> int:
    """The option of the library that says whether a file has a header."""
    return _settings._choice("header", header, _HEADERS)


def check_loops(loops: Any) -> None:
    """ArgumentError for anything but 1, 2 and None."""
    if loops is not None and (isinstance(loops, bool) or loops not in (1, 2)):
        raise ArgumentError(f"loops is {loops!r}: give 1 or 2")


@dataclass
class _Keywords:
    """The keywords of Graph."""

    directed: bool | None
    weight: Any
    real_weights: bool
    multigraph: bool
    loops: int | None
    columns: Sequence[Any] | None
    vertices: Any

    def __post_init__(self) -> None:
        check_loops(self.loops)
        if isinstance(self.vertices, (str, bytes)):
            raise ArgumentError(f"vertices is {self.vertices!r}: give a list of labels")
        if self.directed not in (None, True, False):
            raise ArgumentError(f"directed is {self.directed!r}: give True, False or None")
        if self.columns is not None and (isinstance(self.columns, str) or len(self.columns) not in (2, 3)):
            raise ArgumentError(f"columns is {self.columns!r}: give two names or numbers")
        if self.columns is not None and len(set(self.columns)) < len(self.columns):
            raise ArgumentError(f"columns is {self.columns!r}: give different ones")
        self.directed = None if self.directed is None else bool(self.directed)
        self.weight = None if self.weight is False else self.weight
        self.vertices = listed(self.vertices) or list(self.vertices)

    def only(self, what: str, *allowed: str) -> None:
        """ArgumentError for a keyword that says nothing about this kind of object."""
        for name in ("directed", "weight", "multigraph", "loops", "columns", "vertices"):
            value = getattr(self, name)
            is_given = bool(value) if name in ("multigraph", "vertices") else value is not None
            if is_given and name not in allowed:
                raise ArgumentError(f"{name} is given, and {what} says it itself: leave it out")


def _arrays(source: Any, k: _Keywords) -> _sources.Arcs | _sources.Edges:
    """What an object holds. Classes are looked for in modules that are loaded."""
    module = _sources.module
    if (nx := module("networkx")) and isinstance(source, nx.Graph):
        k.only("a graph of NetworkX", "weight", "loops")
        if k.real_weights or k.loops == 2:
            return _sources.edges_of_networkx(source, k.weight, k.real_weights)
        return _sources.from_networkx(source, k.weight)
    if (ig := module("igraph")) and isinstance(source, ig.Graph):
        k.only("a graph of igraph", "weight", "loops")
        if k.loops is None and not source.is_directed() and any(source.is_loop()):
            warnings.warn(
                "the graph of igraph has loops: they count once here, twice in igraph's adjacency; give loops=1 or loops=2",
                stacklevel=3,
            )
        return _sources.from_igraph(source, k.weight, k.real_weights)
    if (sparse := module("scipy.sparse")) and sparse.issparse(source):
        k.only("a matrix", "directed")
        return (_sources.edges_of_matrix if k.real_weights else _sources.from_sparse)(source, k.directed)
    if (kind := _objects.kind_of(source)) is not None:
        k.only(kind.name, *kind.keywords)
        return kind.read(source, k)  # type: ignore[no-any-return]
    if (table := _objects.table_of(source)) is not None:
        return _from_table(table, k)
    if (np := module("numpy")) and isinstance(source, np.ndarray):
        return _from_array(source, k)
    if not isinstance(source, list) and (dense := _objects.array_of(source)) is not None:
        return _from_array(dense, k)
    _sources.check_iterable(source, "graph", "an array, a matrix, a table or a list of edges, as the help of Graph says")
    k.only("an iterable of edges", "directed", "weight", "multigraph", "loops", "vertices")
    if k.weight not in (None, True):
        raise ArgumentError(f"weight is {k.weight!r}: give True where edges are (from, to, weight)")
    return _sources.from_iterable(source, bool(k.weight), bool(k.directed), k.multigraph, k.vertices, k.real_weights)


def _labelled(source: Any, k: _Keywords, label: Any) -> tuple[_sources.Edges, list[str]]:
    """Edges, and the label of each."""
    module, labels = _sources.module, None
    if k.real_weights:
        raise ArgumentError("real_weights is given, and edges with labels have integers as weights: leave it out")
    if (nx := module("networkx")) and isinstance(source, nx.Graph):
        k.only("a graph of NetworkX", "weight", "loops")
        made = _sources.edges_of_networkx(source, k.weight, False)
        labels = [one for _, _, one in source.edges(data=label)]
    elif (ig := module("igraph")) and isinstance(source, ig.Graph):
        k.only("a graph of igraph", "weight", "loops")
        made = _sources.from_igraph(source, k.weight, False)
        labels = source.es[label] if label in source.es.attributes() else [None] * source.ecount()
    elif hasattr(source, "iloc") or hasattr(source, "column_names"):
        names = list(source.columns) if hasattr(source, "iloc") else source.column_names
        if label is True and k.columns is None and k.weight is None and len(names) == 3:
            label = names[2]
        labels = list(_sources.column_of(source, label))
        made = _from_table(source, k, label)
    elif label is not True:
        raise ArgumentError(f"label is {label!r}: give True where the last element of each edge is its label")
    else:
        _sources.check_iterable(source, "graph", "a graph of NetworkX, a table or a list of edges (from, to, label)")
        edges = [tuple(edge) for edge in source]
        if edges and min(map(len, edges)) < 3:
            raise DataError(f"an edge is {min(edges, key=len)!r}: give (from, to, label), or with weight=True four")
        labels = [edge[-1] for edge in edges]
        pairs = [edge[:-1] for edge in edges]
        made = _sources.from_iterable(pairs, bool(k.weight), bool(k.directed), k.multigraph, k.vertices)
    for one in labels:
        if one is None or is_missing(one) or not str(one) or "\0" in str(one):
            raise DataError(f"an edge has no label {label!r}: it is {one!r}")
    return made, [str(one) for one in labels]


def _from_array(source: Any, k: _Keywords) -> _sources.Arcs | _sources.Edges:
    source = _sources.without_mask(source)
    if source.shape == (2, 2) and k.columns is None:
        raise ArgumentError(
            "a 2 x 2 array is a matrix or two edges: give columns=(0, 1) for edges, scipy.sparse.csr_array(array) for a matrix"
        )
    n_rows, n_columns = source.shape if source.ndim == 2 else (0, 0)
    has_weights = n_columns == 3 and k.weight is not None
    if k.columns is None and not has_weights and (n_columns not in (2, 3) or n_rows == n_columns):
        k.only("a matrix", "directed")
        return (_sources.edges_of_matrix if k.real_weights else _sources.from_matrix)(source, k.directed)
    k.only("an array of edges", "directed", "weight", "multigraph", "loops", "columns", "vertices")
    if k.weight not in (None, True) or (k.weight and not has_weights) or (n_columns > 2 and not k.weight and not k.columns):
        raise ArgumentError("edges have two columns, or with weight=True a third one with their multiplicities")
    ends = [_settings.whole("a column", column, 0, n_columns - 1) for column in k.columns or (0, 1)]
    weight = source[:, 3 - sum(ends)] if has_weights else None
    begin, end = (source[:, column] for column in ends)
    return _sources.from_columns(begin, end, weight, bool(k.directed), k.multigraph, k.vertices, k.real_weights)


def _from_table(source: Any, k: _Keywords, label: Any = None) -> _sources.Edges:
    k.only("a table", "directed", "weight", "multigraph", "loops", "columns", "vertices")
    names = list(source.columns) if hasattr(source, "iloc") else source.column_names
    weight = None if k.weight is None else _sources.column_of(source, k.weight)
    if label is None and k.columns is None and hasattr(source, "iloc") and list(source.index[: len(names) + 1]) == names:
        raise ArgumentError(
            "the rows and the columns of the table have the same labels, so it is a matrix or edges: give columns= with two "
            "of them for edges, networkx.from_pandas_adjacency(table) for a matrix"
        )
    ends = k.columns if k.columns is not None else [name for name in names if name not in (k.weight, label) or name is None]
    if len(ends) != 2:
        raise ArgumentError(f"the table has the columns {', '.join(map(str, names))}: say which two by columns=")
    begin, end = (_sources.column_of(source, name) for name in ends)
    return _sources.from_columns(begin, end, weight, bool(k.directed), k.multigraph, k.vertices, k.real_weights)


def _is_range(labels: Sequence[Any]) -> bool:
    return isinstance(labels, range) or all(type(label) is int and label == i for i, label in enumerate(labels))


def _again(
    labels: Sequence[Any],
    row_start: bytes,
    column: bytes,
    weight: bytes | None,
    directed: bool,
    decimals: int,
    weight_error: float,
) -> Graph:
    """A graph from what __reduce__ gave."""
    graph = Graph.__new__(Graph)
    graph._labelled = None
    rows = array("Q", row_start), array("I", column), None if weight is None else array("Q", weight)
    graph._take(_sources.Arcs(labels, *rows, True if directed else None, decimals, weight_error))
    return graph


def as_graph(source: Any, takes_decimals: bool = False) -> Graph:
    """The graph itself, or one of what it is made of; ArgumentError when its weights have decimals, unless they are taken."""
    graph = source if isinstance(source, Graph) else Graph(source)
    if graph.has_decimals and not takes_decimals:
        raise ArgumentError("the weights have decimals, which only markov, katz and random_walk_pe take")
    return graph
