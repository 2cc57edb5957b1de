"""What is used of the C library, as src/pathcount.h and src/pathcount_recurrence.h declare it.

Only declarations: structures with the names and the order of the header's fields, and the types of functions.
tests/test_abi.py compiles a program that prints every size and offset, and reads every prototype, so that neither
can differ from the headers. Pointers are ``c_void_p``, which ctypes takes and gives as plain integers: this makes a
call cheap, and an object of the library an integer that its owner frees.
"""

from __future__ import annotations

import ctypes
from ctypes import c_char_p, c_double, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, ClassVar

from ._library import open_library

Fields = list[tuple[str, Any]]

# ---- Enumerations ----------------------------------------------------------------------------------

PC_OK, PC_ERR_ARGUMENT, PC_ERR_CANCELLED = 0, 1, 10
PC_DIRECTION_OF_FORMAT, PC_DIRECTED, PC_UNDIRECTED = range(3)
PC_LOOPS_ONCE, PC_LOOPS_TWICE = range(2)
PC_HEADER_FOUND, PC_HEADER_FIRST_LINE, PC_HEADER_NONE = range(3)
PC_EXACT, PC_MODULAR, PC_FLOAT = range(3)
PC_CERTIFY_NONE = -1
PC_METHOD_AUTO, PC_METHOD_DENSE, PC_METHOD_SWEEP, PC_METHOD_HYBRID = range(4)
PC_PATHS_ALL, PC_PATHS_NON_BACKTRACKING, PC_PATHS_MARKOV = range(3)
(
    PC_QUERY_FROM,
    PC_QUERY_TO,
    PC_QUERY_PAIRS,
    PC_QUERY_TOTAL,
    PC_QUERY_STARTS,
    PC_QUERY_ENDS,
    PC_QUERY_CLOSED,
    PC_QUERY_TRACE,
    PC_QUERY_MATRIX,
) = range(9)
PC_RECURRENCE_COEFFICIENT, PC_RECURRENCE_INITIAL, PC_RECURRENCE_NUMERATOR = range(3)

# ---- Structures ------------------------------------------------------------------------------------


class pc_graph_options(ctypes.Structure):
    _fields_: ClassVar[Fields] = [
        ("direction", c_int),
        ("multigraph", c_int),
        ("weights", c_int),
        ("real_weights", c_int),
        ("loops", c_int),
        ("n_vertices", c_uint64),
        ("max_vertices", c_uint64),
        ("columns", c_char_p),
        ("separator", c_char_p),
        ("header", c_int),
    ]


class pc_graph_info(ctypes.Structure):
    _fields_: ClassVar[Fields] = [
        ("n_vertices", c_uint64),
        ("n_edges", c_uint64),
        ("n_arcs", c_uint64),
        ("n_loops", c_uint64),
        ("n_duplicates", c_uint64),
        ("max_weight", c_uint64),
        ("decimals", c_uint32),
        ("weight_error", c_double),
        ("directed", c_int),
        ("direction_overridden", c_int),
        ("weights_ignored", c_int),
        ("duplicates_added", c_int),
        ("loops", c_int),
        ("format", c_char_p),
        ("note", c_char_p),
    ]


class pc_arcs(ctypes.Structure):
    _fields_: ClassVar[Fields] = [
        ("row_start", c_void_p),
        ("column", c_void_p),
        ("weight", c_void_p),
        ("decimals", c_uint32),
        ("weight_error", c_double),
    ]


class pc_edges(ctypes.Structure):
    _fields_: ClassVar[Fields] = [
        ("n_vertices", c_uint64),
        ("labels", c_void_p),
        ("n_edges", c_uint64),
        ("from", c_void_p),
        ("to", c_void_p),
        ("weight", c_void_p),
        ("real_weight", c_void_p),
        ("stated", c_int),
        ("weights_ignored", c_int),
        ("format", c_char_p),
        ("note", c_char_p),
    ]


class pc_count_options(ctypes.Structure):
    _fields_: ClassVar[Fields] = [
        ("arithmetic", c_int),
        ("modulus", c_uint64),
        ("n_certify_rounds", c_int),
        ("method", c_int),
    ]


class pc_rows(ctypes.Structure):
    _fields_: ClassVar[Fields] = [
        ("first_row", c_uint64),
        ("n_rows", c_uint64),
        ("n_columns", c_uint64),
        ("n_limbs", c_uint32),
        ("limbs", c_void_p),
        ("values", c_void_p),
        ("exponent", c_int64),
        ("row_sizes", c_void_p),
        ("column_sizes", c_void_p),
    ]


class pc_query(ctypes.Structure):
    _fields_: ClassVar[Fields] = [
        ("kind", c_int),
        ("paths", c_int),
        ("length", c_uint64),
        ("n_asked", c_uint64),
        ("from", c_void_p),
        ("to", c_void_p),
        ("each", c_int),
        ("up_to", c_int),
        ("partition", c_void_p),
        ("keeps", c_int),
    ]


class pc_stream_query(ctypes.Structure):
    _fields_: ClassVar[Fields] = [
        ("total", c_int),
        ("closed", c_int),
        ("paths", c_int),
        ("length", c_uint64),
        ("each", c_int),
        ("up_to", c_int),
    ]


class pc_chain_options(ctypes.Structure):
    _fields_: ClassVar[Fields] = [("n_certify_rounds", c_int), ("allow_missing", c_int)]


class pc_chain_info(ctypes.Structure):
    _fields_: ClassVar[Fields] = [
        ("n_rows", c_uint64),
        ("n_columns", c_uint64),
        ("rows", c_void_p),
        ("columns", c_void_p),
        ("square", c_int),
        ("bound_bits", c_double),
        ("n_limbs", c_uint32),
        ("order", c_char_p),
        ("n_multiplications", c_double),
        ("n_left_to_right", c_double),
    ]


class pc_relation_info(ctypes.Structure):
    _fields_: ClassVar[Fields] = [
        ("n_entries", c_uint64),
        ("n_duplicates", c_uint64),
        ("max_weight", c_uint64),
        ("weights_ignored", c_int),
        ("duplicates_added", c_int),
        ("format", c_char_p),
        ("note", c_char_p),
        ("rows", c_void_p),
        ("columns", c_void_p),
    ]


class pc_frame(ctypes.Structure):
    _fields_: ClassVar[Fields] = [
        ("rows", c_void_p),
        ("columns", c_void_p),
        ("n_limbs", c_uint32),
        ("symmetric", c_int),
        ("means", c_int),
        ("about", c_char_p),
        ("entry", c_char_p),
        ("format", c_char_p),
        ("n_matrices", c_uint64),
    ]


class pc_pair(ctypes.Structure):
    _fields_: ClassVar[Fields] = [("from", c_uint64), ("to", c_uint64), ("count", c_char_p)]


class pc_summary_values(ctypes.Structure):
    _fields_: ClassVar[Fields] = [
        ("total", c_char_p),
        ("closed", c_char_p),
        ("largest", c_char_p),
        ("largest_from", c_uint64),
        ("largest_to", c_uint64),
        ("largest_row_sum", c_char_p),
        ("largest_row", c_uint64),
        ("largest_bits", c_uint32),
        ("n_nonzero", c_uint64),
        ("n_pairs", c_uint64),
        ("pairs", ctypes.POINTER(pc_pair)),
    ]


class pc_grid_values(ctypes.Structure):
    _fields_: ClassVar[Fields] = [
        ("n_rows", c_uint64),
        ("n_columns", c_uint64),
        ("n_down", c_uint32),
        ("n_across", c_uint32),
        ("row_span", c_uint64),
        ("column_span", c_uint64),
        ("log2", ctypes.POINTER(c_double)),
        ("least", c_double),
        ("most", c_double),
        ("n_zeros", c_uint64),
        ("first_bin", c_int64),
        ("bin", c_void_p),
        ("n_bins", c_uint32),
    ]


class pc_recurrence_info(ctypes.Structure):
    _fields_: ClassVar[Fields] = [
        ("order", c_uint64),
        ("start", c_uint64),
        ("n_initial", c_uint64),
        ("modulus", c_uint64),
        ("is_shortest", c_int),
        ("n_terms", c_uint64),
        ("n_primes", c_uint32),
    ]


progress_fn = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, c_double)
rows_fn = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)
answer_fn = ctypes.CFUNCTYPE(c_int, c_void_p, c_uint64, c_void_p)

# ---- Functions -------------------------------------------------------------------------------------

#: The result of each function, then its arguments. An object that is made, or another result, is written to an address.
FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "pc_version": (c_char_p,),
    "pc_context_create": (c_int, c_void_p),
    "pc_context_free": (None, c_void_p),
    "pc_context_message": (c_char_p, c_void_p),
    "pc_context_set_threads": (c_int, c_void_p, c_int),
    "pc_context_set_device": (c_int, c_void_p, c_char_p),
    "pc_context_set_memory_limit": (None, c_void_p, c_uint64),
    "pc_context_set_progress": (None, c_void_p, progress_fn, c_void_p),
    "pc_context_set_cancelled": (None, c_void_p, c_int),
    "pc_graph_from_arrays": (c_int, c_void_p, c_uint64, c_uint64, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p),
    "pc_graph_from_edges": (c_int, c_void_p, c_void_p, c_void_p, c_void_p),
    "pc_graph_from_arcs": (c_int, c_void_p, c_uint64, c_void_p, c_void_p, c_void_p),
    "pc_graph_read": (c_int, c_void_p, c_char_p, c_int, c_void_p, c_void_p),
    "pc_graph_free": (None, c_void_p),
    "pc_graph_get_info": (None, c_void_p, c_void_p),
    "pc_graph_arcs": (None, c_void_p, c_void_p),
    "pc_graph_labels": (c_void_p, c_void_p),
    "pc_graph_longest_path": (c_int, c_void_p, c_void_p, c_void_p),
    "pc_labels_count": (c_uint64, c_void_p),
    "pc_labels_text": (c_size_t, c_void_p, c_uint64, c_void_p, c_size_t),
    "pc_labels_longest": (c_size_t, c_void_p),
    "pc_partition_from_arrays": (c_int, c_void_p, c_void_p, c_uint64, c_void_p, c_void_p, c_void_p),
    "pc_partition_free": (None, c_void_p),
    "pc_plan_create": (c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p),
    "pc_plan_free": (None, c_void_p),
    "pc_plan_run": (c_int, c_void_p, answer_fn, c_void_p),
    "pc_plan_keep": (c_int, c_void_p, c_void_p),
    "pc_plan_collect": (c_int, c_void_p, c_void_p),
    "pc_counts_free": (None, c_void_p),
    "pc_counts_rows": (None, c_void_p, c_void_p),
    "pc_katz": (c_int, c_void_p, c_void_p, c_double, c_uint64, c_void_p, c_void_p),
    "pc_subgraph_centrality": (c_int, c_void_p, c_void_p, c_uint64, c_void_p, c_void_p),
    "pc_stream_run": (c_int, c_void_p, c_char_p, c_void_p, c_void_p, c_void_p, rows_fn, c_void_p),
    "pc_relation_read": (c_int, c_void_p, c_char_p, c_void_p, c_void_p),
    "pc_relation_from_arrays": (c_int,) + (c_void_p,) + (c_uint64,) * 3 + (c_void_p,) * 6,
    "pc_relation_transpose": (c_int, c_void_p, c_void_p, c_void_p),
    "pc_relation_free": (None, c_void_p),
    "pc_relation_get_info": (None, c_void_p, c_void_p),
    "pc_relation_arcs": (None, c_void_p, c_void_p),
    "pc_chain_create": (c_int, c_void_p, c_uint32, c_void_p, c_void_p, c_void_p),
    "pc_chain_free": (None, c_void_p),
    "pc_chain_get_info": (None, c_void_p, c_void_p),
    "pc_chain_rows": (c_int, c_void_p, rows_fn, c_void_p),
    "pc_chain_pathsim_rows": (c_int, c_void_p, rows_fn, c_void_p),
    "pc_chain_graph": (c_int, c_void_p, c_void_p),
    "pc_reduction_add": (c_int, c_void_p, c_void_p),
    "pc_reduction_free": (None, c_void_p),
    "pc_summary_create": (c_int, c_void_p, c_void_p, c_uint64, c_void_p),
    "pc_summary_get": (c_int, c_void_p, c_void_p),
    "pc_grid_create": (c_int, c_void_p, c_void_p, c_uint32, c_void_p),
    "pc_grid_get": (c_int, c_void_p, c_void_p),
    "pc_recurrence_create": (c_int, c_void_p, c_void_p, c_void_p, c_uint64, c_void_p),
    "pc_recurrence_free": (None, c_void_p),
    "pc_recurrence_get_info": (None, c_void_p, c_void_p),
    "pc_recurrence_text": (c_int, c_void_p, c_int, c_uint64, c_void_p, c_size_t, c_void_p),
    "pc_recurrence_term": (c_int, c_void_p, c_uint64, c_uint64, answer_fn, c_void_p),
}


def _declare(library: ctypes.CDLL) -> ctypes.CDLL:
    for name, (result, *arguments) in FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(f"{library._name} is another version of libpathcount: it has no {name}") from None
        function.restype = result
        function.argtypes = arguments
    return library


lib = _declare(open_library())
