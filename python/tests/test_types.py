"""Types that users see, and numbers of NumPy and texts where numbers go. A checker that is not installed is named."""

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import pathcount
from pathcount import Graph, Relation
from pathcount.errors import ArgumentError

PROGRAM = Path(__file__).with_name("program.py")
PACKAGE = Path(pathcount.__file__).parents[1]


def checker(name, *arguments):
    found = shutil.which(name, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if found is None:
        pytest.skip(f"SKIPPED: {name} is not installed")
    environment = {
        **os.environ,
        "MYPYPATH": "" if "site-packages" in str(PACKAGE) else str(PACKAGE),
        "PYTHONPATH": str(PACKAGE),
    }
    done = subprocess.run([found, *arguments, str(PROGRAM)], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_program_runs():
    runpy.run_path(str(PROGRAM))


def test_mypy(tmp_path):
    checker("mypy", "--strict", "--cache-dir", str(tmp_path))


def test_pyright():
    checker("pyright", "--pythonpath", sys.executable)


@pytest.mark.parametrize("memory", ["1GB", "1 GB", "1gib", "512M", "1.5G", "2000000000", "2000000000B", np.int64(2**31)])
def test_memory(memory):
    assert pathcount.total(nx.path_graph(3), 2, memory=memory) == 6


@pytest.mark.parametrize("memory", ["", "GB", "1XB", "-1GB", "1e9", "99999999TB", 1.5, None, "1GBB", "1iB"])
def test_memory_that_is_none(memory):
    with pytest.raises(ArgumentError, match="memory"):
        pathcount.total(nx.path_graph(3), 2, memory=memory)


def test_units_of_memory():
    from pathcount._settings import size

    for text, expected in [
        ("3K", 3072),
        ("3KiB", 3072),
        ("3KB", 3000),
        ("2TB", 2 * 10**12),
        ("0.5G", 2**29),
        ("7B", 7),
        ("7", 7),
    ]:
        assert size("memory", text) == expected
    with pytest.raises(MemoryError):
        pathcount.count(nx.path_graph(3000), 3000, memory="1MB")


@pytest.mark.parametrize("kind", [np.int8, np.uint64, np.int64])
def test_integers_of_numpy(kind):
    path, two = nx.path_graph(4), kind(2)
    assert pathcount.total(path, two, mod=kind(7), threads=kind(1), certify=kind(1)) == 3
    assert pathcount.walks_from(path, kind(0), two)[kind(2)] == 1
    assert pathcount.count(path, two)[kind(0), kind(2)] == 1
    assert len(pathcount.count(path, two).top(two)) == 2
    assert len(pathcount.sample(path, two, kind(3), seed=kind(1))) == 3
    assert pathcount.recurrence(path).term(two) == 10
    assert pathcount.random_walk_pe(path, two).shape == (4, 2)
    assert Graph([(0, 1)], loops=two).n_edges == 1


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.array])
def test_floats_of_numpy(kind):
    path, half = nx.path_graph(3), kind(0.5)
    assert pathcount.katz(path, half, 2) == pathcount.katz(path, 0.5, 2)
    treats = Relation([("x", 1), ("y", 1)])
    assert pathcount.dwpc(treats, treats.T, damping=half) == pathcount.dwpc(treats, treats.T, damping=0.5)
    for bad in ("0.5", None, 1j):
        with pytest.raises(ArgumentError, match="beta"):
            pathcount.katz(path, bad, 2)
        with pytest.raises(ArgumentError, match="damping"):
            pathcount.dwpc(treats, treats.T, damping=bad)
