"""Walks that match A B* (C|D) beside NetworkX and Kuzu:  python3 tests/bench/match_peers.py build/pathcount GRAPH LENGTH...

Edges of GRAPH, a list of arcs between integers, get labels A to D by a hash. Of each length the command counts the walks
that match from the vertex of most arcs, and all of them, from the file to the answer. NetworkX holds the product with the
automaton as a DiGraph, through which exact integers go step by step in Python; its time is that of the steps, without
making the product. Kuzu gets the only word of that length as a pattern of relations, and its time is that of the query,
without loading. Answers must agree. RUNS (3, medians) and SECONDS (60, after which a peer gets no greater length) are
variables of the environment.
"""

import collections
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

try:
    import kuzu
except ImportError:
    kuzu = None
try:
    import networkx
except ImportError:
    networkx = None

RUNS, SECONDS = (int(os.environ.get(name, given)) for name, given in (("RUNS", "3"), ("SECONDS", "60")))
NEXT = {(0, "A"): 1, (1, "B"): 1, (1, "C"): 2, (1, "D"): 2}


def read(path):
    with open(path, encoding="utf-8") as lines:
        arcs = {tuple(int(word) for word in line.split()[:2]) for line in lines if line.strip() and line[0] not in "#%"}
    return [(u, v, "ABCD"[(u * 2654435761 ^ v * 40503) >> 7 & 3]) for u, v in sorted(arcs)]


class NetworkX:
    name = "NetworkX"

    def __init__(self, arcs, folder):
        self.product = networkx.DiGraph()
        self.vertices = {v for arc in arcs for v in arc[:2]}
        for u, v, label in arcs:
            for (state, read_label), then in NEXT.items():
                if label == read_label:
                    self.product.add_edge((u, state), (v, then))

    def count(self, source, length):
        counts = {(v, 0): 1 for v in (self.vertices if source is None else [source])}
        for _ in range(length):
            following = collections.defaultdict(int)
            for place, number in counts.items():
                for then in self.product.successors(place) if place in self.product else ():
                    following[then] += number
            counts = following
        return sum(number for (_, state), number in counts.items() if state == 2)


class Kuzu:
    name = "Kuzu"

    def __init__(self, arcs, folder):
        self.database = kuzu.Database(os.path.join(folder, "kuzu"))
        self.connection = kuzu.Connection(self.database)
        self.connection.set_query_timeout(1000 * SECONDS)
        vertices = sorted({v for arc in arcs for v in arc[:2]})
        self.load("CREATE NODE TABLE V(id INT64, PRIMARY KEY(id))", "V", vertices, folder)
        for kind in "ABCD":
            pairs = [f"{u},{v}" for u, v, label in arcs if label == kind]
            self.load(f"CREATE REL TABLE {kind}(FROM V TO V)", kind, pairs, folder)

    def load(self, create, table, lines, folder):
        path = os.path.join(folder, f"{table}.csv")
        with open(path, "w", encoding="utf-8") as out:
            out.writelines(f"{line}\n" for line in lines)
        self.connection.execute(create)
        self.connection.execute(f"COPY {table} FROM '{path}' (HEADER=false)")

    def count(self, source, length):
        word = "-[:A]->()" + "-[:B]->()" * (length - 2) + "-[:C|D]->()"
        where = "" if source is None else f"WHERE a.id = {source} "
        return self.connection.execute(f"MATCH (a:V){word} {where}RETURN count(*)").get_next()[0]


def timed(call):
    seconds = []
    for _ in range(RUNS):
        start = time.perf_counter()
        try:
            answer = call()
        except RuntimeError:  # of Kuzu, which was interrupted
            return None, time.perf_counter() - start
        seconds.append(time.perf_counter() - start)
        if seconds[-1] > SECONDS:
            break
    return answer, statistics.median(seconds)


def ours(pathcount, path, source, length):
    question = ["--total"] if source is None else ["--from", str(source)]
    given = [pathcount, path, "--directed", "--no-header", "--label-column", "3", "--match", "A B* (C|D)"]
    run = subprocess.run([*given, "-k", str(length), *question, "-q"], stdout=subprocess.PIPE, check=True, text=True)
    return int(run.stdout) if source is None else sum(int(line.split("\t")[2]) for line in run.stdout.splitlines()[1:])


def main():
    pathcount, path, lengths = sys.argv[1], sys.argv[2], [int(length) for length in sys.argv[3:]]
    arcs = read(path)
    source = collections.Counter(arc[0] for arc in arcs).most_common(1)[0][0]
    folder = tempfile.mkdtemp()
    labelled = os.path.join(folder, "labelled.tsv")
    with open(labelled, "w", encoding="utf-8") as out:
        out.writelines(f"{u}\t{v}\t{label}\n" for u, v, label in arcs)
    peers = [peer(arcs, folder) for peer, package in ((NetworkX, networkx), (Kuzu, kuzu)) if package]
    late = set()
    print("length  from    walks            pathcount, s  peer      peer, s      ratio")
    for length in lengths:
        for asked in (source, None):
            answer, seconds = timed(lambda: ours(pathcount, labelled, asked, length))
            for peer in peers:
                if (peer.name, asked) in late:
                    continue
                theirs, peer_seconds = timed(lambda: peer.count(asked, length))
                if theirs not in (answer, None):
                    sys.exit(f"{peer.name} counts {theirs}, and pathcount {answer}")
                late |= {(peer.name, asked)} if theirs is None or peer_seconds > SECONDS else set()
                begin = "all" if asked is None else asked
                print(f"{length:6d}  {begin!s:6s}  {answer:<15d}  {seconds:12.4f}  {peer.name:8s}  {peer_seconds:11.4f}  "
                      f"{peer_seconds / seconds:9.1f}{' and more: stopped' if theirs is None else ''}", flush=True)
    shutil.rmtree(folder)


main()
