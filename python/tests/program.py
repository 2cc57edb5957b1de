"""What users write, with the type that each answer has for a type checker: test_types.py gives it to mypy and pyright."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

import pathcount as pc
from pathcount import Counts, Vector

if TYPE_CHECKING:
    from typing_extensions import assert_type
else:

    def assert_type(value: object, _: object) -> object:
        return value


graph = pc.Graph([("a", "b"), ("b", "c")])
assert_type(dict(pc.count(graph, 2)), dict[Any, Vector])
counts = pc.count(graph, np.int64(4), memory="1GB", threads=np.int32(1))
assert_type(counts, Counts)
assert_type(counts["a", "b"], int)
assert_type(counts["a"], Vector)
assert_type(counts["a", :], Vector)
assert_type(counts[:, "b"], Vector)
assert_type(counts[["a", "b"], ["c"]], Counts)
assert_type(counts[:2], Counts)
assert_type(counts.T, Counts)
assert_type(counts.sum(), int)
assert_type(counts.sum(axis=1), Vector)
assert_type(counts.total, int)
assert_type(counts.tolist(), list[list[int]])
assert_type(counts.top(2), list[tuple[Any, Any, int]])
assert_type(counts.row_sums, dict[Any, int])
assert_type(counts.shape, tuple[int, int])
assert_type(dict(pc.starts(graph, 3)), dict[Any, int])
assert_type(pc.starts(graph, 3)["a"], int)
assert_type(pc.starts(graph, 3)[["a"]], Vector)
assert_type(pc.total(graph, 3), int)
assert_type(pc.total(graph, 3, each=True), Vector)
assert_type(pc.total(graph, 3, mod=7), int)
assert_type(pc.total(graph, 3, approximate=True), float)
assert_type(pc.closed(graph, 3, each=True), Counts)
assert_type(pc.closed(graph, 3, approximate=True), Vector[float])
assert_type(pc.count(graph, 3, approximate=True), Counts[float])
assert_type(pc.count(graph, 3, approximate=True)["a", "b"], float)
assert_type(pc.markov(graph, 3)["a", "b"], float)
assert_type(pc.simple_paths(graph, 2), Counts)
assert_type(pc.cycles(graph, 3), int)
assert_type(pc.walks_from(graph, "a", 3), Vector)
assert_type(pc.walks_from(graph, ["a", "b"], 3), Counts)
assert_type(pc.walks_from(graph, np.array(["a"]), 3), Counts)
assert_type(pc.walks_to(graph, "a", 3, each=True), Counts)
assert_type(pc.walks_to(graph, ["a"], 3, each=True), list[Counts])
assert_type(pc.walks_between(graph, "a", "b", 3), int)
assert_type(pc.walks_between(graph, ["a"], ["b"], 3), Vector)
assert_type(pc.shortest_path_counts(graph), Counts)
assert_type(pc.shortest_path_lengths(graph, "a"), Vector)
assert_type(pc.rows(graph, 3), Iterator[tuple[Any, Vector]])
assert_type(pc.coarsen(graph, 3, {"a": 0, "b": 0, "c": 1}), Counts)
writes = pc.Relation([("Ada", "p1"), ("Ben", "p1")])
assert_type(pc.chain(writes, writes.T), Counts)
assert_type(pc.dwpc(writes, writes.T, damping=np.float32(0.5)), Counts[float])
assert_type(pc.pathsim(writes, writes.T)["Ada", "Ben"], float)
assert_type(pc.katz(graph, np.float32(0.25), 3).values, pc.Vector[float])
assert_type(pc.recurrence(graph).term(np.int64(9)), int)
labelled = pc.Graph([("a", "b", "x"), ("b", "c", "y")], label=True)
assert_type(pc.total(labelled, 2, match="x y"), int)
assert_type(pc.walks_from(labelled, "a", 2, match="x .", up_to=True), Vector)
events = pc.Graph([("a", "b", 1), ("b", "c", 2)], label=True)
assert_type(pc.total(events, 2, wait=5), int)
dag = pc.Graph([("a", "b"), ("b", "c")], directed=True)
assert_type(pc.spc(dag), dict[tuple[Any, ...], int])
assert_type(pc.main_path(dag), list[tuple[Any, ...]])


def heaviest(matrix: Counts) -> int:
    return matrix.largest


def mean(matrix: Counts[float]) -> float:
    return matrix.sum() / matrix.size


print(heaviest(counts), mean(counts), mean(pc.markov(graph, 2)))
