"""Graphs on the workers of Dask and Ray: examples/python/many_graphs.py. Skipped where they are not installed."""

import importlib.util
import os
import sys

import networkx as nx
import pytest
from conftest import ROOT

import pathcount
from pathcount import Graph

LENGTHS = [3, 60]
MEMORY = 2**28


def example():
    """The module, by name, so that workers import it too."""
    folder = str(ROOT / "examples" / "python")
    os.environ["PYTHONPATH"] = os.pathsep.join([folder, *filter(None, [os.environ.get("PYTHONPATH")])])
    if folder not in sys.path:
        sys.path.insert(0, folder)
    import many_graphs

    return many_graphs


def graphs():
    made = {f"tree{i}": Graph(nx.random_labeled_tree(12, seed=i)) for i in range(4)}
    made["directed"] = Graph(nx.DiGraph([("A", "B"), ("B", "C"), ("C", "A")]))
    made["weights"] = Graph([("A", "B", 3), ("B", "C", 2)], weight=True)
    return made


def expected():
    return {
        (name, length): (len(graph), str(pathcount.total(graph, length)), str(pathcount.trace(graph, length)))
        for name, graph in graphs().items()
        for length in LENGTHS
    }


def check(rows):
    found = {(row["graph"], row["length"]): (row["vertices"], row["paths"], row["closed"]) for row in rows}
    assert found == expected()


class Sent(Graph):
    """A graph that counts how often it is sent."""

    n = 0

    def __reduce__(self):
        Sent.n += 1
        return super().__reduce__()


@pytest.fixture
def dask_client():
    distributed = pytest.importorskip("distributed")
    example()
    keywords = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**keywords) as cluster, distributed.Client(cluster) as client:
        yield client


def test_dask(dask_client):
    check(example().with_dask(dask_client, graphs(), LENGTHS, MEMORY))
    Sent.n = 0
    once = {"once": Sent(nx.karate_club_graph())}
    rows = example().with_dask(dask_client, once, range(1, 20), MEMORY)
    assert [int(row["paths"]) for row in rows] == pathcount.total(once["once"], 19, each=True).tolist()
    assert Sent.n == 1
    with pytest.raises(MemoryError):
        example().with_dask(dask_client, {"large": Graph(nx.path_graph(2000))}, [10], 1000)


def test_ray():
    if importlib.util.find_spec("ray") is None:
        pytest.skip("ray is not installed")
    import ray

    example()
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=80 * 2**20)
    try:
        check(example().with_ray(graphs(), LENGTHS, MEMORY))
        Sent.n = 0
        example().with_ray({"once": Sent(nx.karate_club_graph())}, [1, 2, 3, 4], MEMORY)
        assert Sent.n == 1
        with pytest.raises(MemoryError):
            example().with_ray({"large": Graph(nx.path_graph(2000))}, [10], 1000)
    finally:
        ray.shutdown()
