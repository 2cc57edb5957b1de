"""What NetworkX asks when it is imported: kept apart from the package, so that libpathcount is not opened by then."""

from __future__ import annotations

from typing import Any


def get_info() -> dict[str, Any]:
    """The entry point networkx.backend_info."""
    series = "The series over exact walk counts; simple graphs of moderate degree, without normalized."
    return {
        "backend_name": "pathcount",
        "project": "pathcount",
        "package": "pathcount",
        "short_summary": "Exact walk counts, however large they become.",
        "functions": {
            "number_of_walks": {"additional_docs": "Exact Python integers: nothing wraps at 64 bits."},
            "subgraph_centrality": {"additional_docs": series},
            "subgraph_centrality_exp": {"additional_docs": series},
            "triangles": {"additional_docs": "Cycles of length 3, counted for all nodes at once."},
            "estrada_index": {"additional_docs": series},
            "communicability": {"additional_docs": series},
            "communicability_exp": {"additional_docs": series},
        },
    }
