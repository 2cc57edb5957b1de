"""Simple paths beside igraph and NetworkX:  python3 tests/bench/simple_peers.py build/pathcount GRAPH LENGTH...

Of each length the command counts the paths between all pairs (--sums, from the file to the answer), and the peers list
the paths of some sources, which must be as many. Their time for all sources is that of these, times all paths over
theirs: a peer that lists paths takes time in proportion to them. A pair follows: the two vertices of most edges.
SOURCES (3), SECONDS (60, after which a peer begins no further source) and RUNS (3, medians) are variables of the
environment. GRAPH is an undirected edge list with labels that are integers.
"""

import os
import statistics
import subprocess
import sys
import time

try:
    import igraph
except ImportError:
    igraph = None
try:
    import networkx
except ImportError:
    networkx = None

SOURCES, SECONDS, RUNS = (int(os.environ.get(name, given)) for name, given in
                          (("SOURCES", "3"), ("SECONDS", "60"), ("RUNS", "3")))


def read(path):
    edges = set()
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and line[0] not in "#%":
                u, v = (int(word) for word in line.replace(",", " ").split()[:2])
                if u != v:
                    edges.add((min(u, v), max(u, v)))
    return sorted(edges)


def command(pathcount, *arguments):
    """The lines of an answer, and the median of the seconds of the whole command."""
    seconds = []
    for _ in range(RUNS):
        start = time.perf_counter()
        run = subprocess.run([pathcount, *arguments, "-q"], stdout=subprocess.PIPE, check=True, text=True)
        seconds.append(time.perf_counter() - start)
    return run.stdout.splitlines(), statistics.median(seconds)


class Igraph:
    name = "igraph"

    def __init__(self, edges):
        self.vertices = sorted({v for edge in edges for v in edge})
        self.number = {v: i for i, v in enumerate(self.vertices)}
        self.graph = igraph.Graph(len(self.vertices), [(self.number[u], self.number[v]) for u, v in edges])

    def paths(self, source, target, length):
        to = None if target is None else self.number[target]
        return len(self.graph.get_all_simple_paths(self.number[source], to, minlen=length, maxlen=length))


class NetworkX:
    name = "NetworkX"

    def __init__(self, edges):
        self.graph = networkx.Graph(edges)

    def paths(self, source, target, length):
        to = [v for v in self.graph if v != source] if target is None else target
        found = networkx.all_simple_paths(self.graph, source, to, cutoff=length)
        return sum(len(path) == length + 1 for path in found)


def row(length, question, ours, name, theirs, note):
    print(f"{length:3d}  {question:9s}  {ours:10.4f}  {name:9s} {theirs:14.4f}  {theirs / ours:10.1f}  {note}", flush=True)


def all_pairs(pathcount, path, length, peer):
    lines, ours = command(pathcount, path, "--length", str(length), "--simple", "--sums")
    starting = {int(label): int(count) for label, count, _ in (line.split("\t") for line in lines[1:])}
    total, sample, spent = sum(starting.values()), 0, 0.0
    middle = sorted(starting, key=lambda v: starting[v])
    chosen = [middle[len(middle) * (2 * i + 1) // (2 * SOURCES)] for i in range(SOURCES)]
    for n_done, source in enumerate(chosen, 1):
        start = time.perf_counter()
        found = peer.paths(source, None, length)
        spent += time.perf_counter() - start
        assert found == starting[source], (source, found, starting[source])
        sample += found
        if spent > SECONDS:
            break
    if sample:
        row(length, "all pairs", ours, peer.name, spent * total / sample, f"from {n_done} of {len(starting)} sources")


def one_pair(pathcount, path, edges, length, peer):
    degree = {}
    for edge in edges:
        for v in edge:
            degree[v] = degree.get(v, 0) + 1
    source, target = sorted(degree, key=degree.get)[-2:]
    lines, ours = command(pathcount, path, "--length", str(length), "--simple", "--pair", str(source), str(target))
    start = time.perf_counter()
    found = peer.paths(source, target, length)
    assert found == int(lines[0]), (found, lines[0])
    row(length, "one pair", ours, peer.name, time.perf_counter() - start, "the graph is read before")


def main():
    pathcount, path, *lengths = sys.argv[1:]
    edges = read(path)
    peers = [peer(edges) for peer, there in ((Igraph, igraph), (NetworkX, networkx)) if there]
    print("  k  question     pathcount s  peer            seconds       ratio")
    for length in map(int, lengths):
        for peer in peers:
            all_pairs(pathcount, path, length, peer)
            one_pair(pathcount, path, edges, length, peer)


if __name__ == "__main__":
    main()
