"""What is used of the C library, as the headers src/pathcount*.h declare it.

Only declarations: structures with the names and the order of the header's fields, and the types of functions.
tests/test_abi.py compiles a program that prints every size and offset, and reads every prototype, so that neither
can differ from the headers. Pointers are ``c_void_p``, which ctypes takes and gives as plain integers: this makes a
call cheap, and an object of the library an integer that its owner frees.
"""

from __future__ import annotations

import ctypes
from ctypes import c_char_p, c_double, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any

from ._library import open_library

Fields = list[tuple[str, Any]]

# ---- Enumerations ----------------------------------------------------------------------------------

PC_OK, PC_ERR_ARGUMENT, PC_ERR_CANCELLED = 0, 1, 10
PC_DIRECTION_OF_FORMAT, PC_DIRECTED, PC_UNDIRECTED = range(3)
PC_LOOPS_ONCE, PC_LOOPS_TWICE = range(2)
PC_HEADER_FOUND, PC_HEADER_FIRST_LINE, PC_HEADER_NONE = range(3)
PC_EXACT, PC_MODULAR, PC_FLOAT = range(3)
PC_CERTIFY_NONE = -1
PC_METHOD_AUTO, PC_METHOD_DENSE, PC_METHOD_SWEEP, PC_METHOD_HYBRID, PC_METHOD_RECURRENCE = range(5)
PC_METHOD_FORMULA, PC_METHOD_SEARCH, PC_METHOD_SETS = range(5, 8)
PC_REDUCE_WHERE_IT_PAYS, PC_REDUCE_NEVER, PC_REDUCE_ALWAYS = range(3)
PC_PATHS_ALL, PC_PATHS_NON_BACKTRACKING, PC_PATHS_MARKOV, PC_PATHS_SIMPLE, PC_PATHS_CYCLES = range(5)
PC_PATHS_SHORTEST, PC_PATHS_DISTANCE = range(5, 7)
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
PC_CENTRALITY_KATZ, PC_CENTRALITY_SUBGRAPH = range(2)
PC_CHAIN_COUNTS, PC_CHAIN_PATHSIM = range(2)
PC_RECURRENCE_COEFFICIENT, PC_RECURRENCE_INITIAL, PC_RECURRENCE_NUMERATOR = range(3)

# ---- Structures ------------------------------------------------------------------------------------


def _structure(name: str, fields: str) -> Any:
    """A structure of fields in the order of the header, which follow the name of their type."""
    declared: Fields = []
    kind: Any = None
    for word in fields.split():
        if word.endswith(":"):
            kind = _TYPES[word[:-1]]
        else:
            declared.append((word, kind))
    return type(name, (ctypes.Structure,), {"_fields_": declared})


_TYPES: dict[str, Any] = {
    "int": c_int,
    "uint32": c_uint32,
    "uint64": c_uint64,
    "int64": c_int64,
    "double": c_double,
    "text": c_char_p,
    "address": c_void_p,
    "doubles": ctypes.POINTER(c_double),
}

pc_graph_options = _structure(
    "pc_graph_options",
    "int: direction multigraph weights real_weights loops uint64: n_vertices max_vertices text: columns separator int: header",
)
pc_graph_info = _structure(
    "pc_graph_info",
    "uint64: n_vertices n_edges n_arcs n_loops n_duplicates max_weight uint32: decimals double: weight_error int: directed "
    "direction_overridden weights_ignored duplicates_added loops text: format note",
)
pc_arcs = _structure("pc_arcs", "address: row_start column weight uint32: decimals double: weight_error")
_TYPES["arcs"] = pc_arcs
pc_edges = _structure(
    "pc_edges",
    "uint64: n_vertices address: labels uint64: n_edges address: from to weight real_weight int: stated weights_ignored "
    "text: format note",
)
pc_count_options = _structure("pc_count_options", "int: arithmetic uint64: modulus int: n_certify_rounds method reduce")
pc_rows = _structure(
    "pc_rows",
    "uint64: first_row n_rows n_columns uint32: n_limbs address: limbs values int64: exponent address: row_sizes column_sizes",
)
pc_query = _structure(
    "pc_query",
    "int: kind paths uint64: length n_asked address: from to int: each up_to address: partition int: keeps",
)
pc_stream_query = _structure("pc_stream_query", "int: total closed paths uint64: length int: each up_to")
pc_chain_info = _structure(
    "pc_chain_info",
    "uint64: n_rows n_columns address: rows columns int: square double: bound_bits uint32: n_limbs text: order double: "
    "n_multiplications n_left_to_right error",
)
pc_relation_info = _structure(
    "pc_relation_info",
    "uint64: n_entries n_duplicates max_weight int: weights_ignored duplicates_added text: format note address: rows columns "
    "arcs: arcs",
)
pc_frame = _structure(
    "pc_frame",
    "address: rows columns uint32: n_limbs int: symmetric means text: about entry format uint64: n_matrices",
)
pc_pair = _structure("pc_pair", "uint64: from to text: count")
_TYPES["pairs"] = ctypes.POINTER(pc_pair)
pc_summary_values = _structure(
    "pc_summary_values",
    "text: total closed largest uint64: largest_from largest_to text: largest_row_sum uint64: largest_row uint32: "
    "largest_bits uint64: n_nonzero n_pairs pairs: pairs",
)
pc_grid_values = _structure(
    "pc_grid_values",
    "uint64: n_rows n_columns uint32: n_down n_across uint64: row_span column_span doubles: log2 double: least most uint64: "
    "n_zeros int64: first_bin address: bin uint32: n_bins",
)
pc_recurrence_info = _structure(
    "pc_recurrence_info",
    "uint64: order start n_initial modulus int: is_shortest uint64: n_terms uint32: n_primes",
)
pc_sample_options = _structure("pc_sample_options", "uint64: length number address: from to int: simple uint64: seed")

progress_fn = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, c_double)
rows_fn = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)
sample_fn = ctypes.CFUNCTYPE(c_int, c_void_p, c_uint64, c_void_p)
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
    "pc_partition_from_arrays": (c_int, c_void_p, c_void_p, c_uint64, c_void_p, c_void_p, c_void_p),
    "pc_partition_free": (None, c_void_p),
    "pc_plan_create": (c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p),
    "pc_plan_free": (None, c_void_p),
    "pc_plan_run": (c_int, c_void_p, c_void_p, c_uint32, answer_fn, c_void_p),
    "pc_plan_collect": (c_int, c_void_p, c_void_p),
    "pc_counts_free": (None, c_void_p),
    "pc_counts_rows": (None, c_void_p, c_void_p),
    "pc_centrality": (c_int, c_void_p, c_void_p, c_int, c_double, c_uint64, c_void_p, c_void_p, c_void_p),
    "pc_stream_run": (c_int, c_void_p, c_char_p, c_void_p, c_void_p, c_void_p, rows_fn, c_void_p),
    "pc_relation_read": (c_int, c_void_p, c_char_p, c_void_p, c_void_p),
    "pc_relation_from_arrays": (c_int,) + (c_void_p,) + (c_uint64,) * 3 + (c_void_p,) * 6,
    "pc_relation_free": (None, c_void_p),
    "pc_relation_get_info": (None, c_void_p, c_void_p),
    "pc_chain_create": (c_int, c_void_p, c_uint32, c_void_p, c_void_p, c_int, c_int, c_void_p),
    "pc_chain_free": (None, c_void_p),
    "pc_chain_get_info": (None, c_void_p, c_void_p),
    "pc_chain_rows": (c_int, c_void_p, c_int, rows_fn, c_void_p),
    "pc_chain_paths": (c_int, c_void_p, c_int, c_double, c_void_p, rows_fn, c_void_p),
    "pc_chain_graph": (c_int, c_void_p, c_void_p),
    "pc_reduction_add": (c_int, c_void_p, c_void_p),
    "pc_reduction_free": (None, c_void_p),
    "pc_summary_create": (c_int, c_void_p, c_void_p, c_uint64, c_void_p),
    "pc_summary_get": (c_int, c_void_p, c_void_p),
    "pc_grid_create": (c_int, c_void_p, c_void_p, c_uint32, c_void_p),
    "pc_grid_get": (c_int, c_void_p, c_void_p),
    "pc_sample": (c_int, c_void_p, c_void_p, c_void_p, sample_fn, c_void_p),
    "pc_time_walks": (c_int, c_void_p, c_void_p, c_void_p, c_char_p, c_void_p, c_void_p),
    "pc_time_path_counts": (c_int, c_void_p, c_void_p, c_int, c_char_p, c_void_p, c_void_p),
    "pc_time_main_path": (c_int, c_void_p, c_void_p, c_char_p, c_void_p, c_int, c_void_p, c_void_p),
    "pc_recurrence_create": (c_int, c_void_p, c_void_p, c_void_p, c_uint64, c_void_p),
    "pc_recurrence_free": (None, c_void_p),
    "pc_recurrence_get_info": (None, c_void_p, c_void_p),
    "pc_recurrence_text": (c_int, c_void_p, c_int, c_uint64, c_void_p, c_size_t, c_void_p),
    "pc_recurrence_term": (c_int, c_void_p, c_uint64, c_uint64, answer_fn, c_void_p),
    "pc_labelled_edges_read": (c_int, c_void_p, c_char_p, c_int, c_void_p, c_char_p, c_void_p),
    "pc_labelled_edges_from_edges": (c_int, c_void_p, c_void_p, c_uint64, c_void_p, c_void_p, c_void_p, c_void_p),
    "pc_labelled_edges_free": (None, c_void_p),
    "pc_labelled_edges_texts": (c_void_p, c_void_p),
    "pc_labelled_edges_arcs": (None, c_void_p, c_void_p, c_void_p),
    "pc_labelled_edges_graph": (c_int, c_void_p, c_void_p, c_void_p),
    "pc_match_create": (c_int, c_void_p, c_void_p, c_char_p, c_void_p, c_void_p),
    "pc_match_free": (None, c_void_p),
    "pc_match_graph": (c_void_p, c_void_p),
    "pc_match_query": (c_void_p, c_void_p),
    "pc_search_path_counts": (c_int, c_void_p, c_void_p, c_int, c_void_p, c_void_p),
    "pc_main_path": (c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p, c_void_p),
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
