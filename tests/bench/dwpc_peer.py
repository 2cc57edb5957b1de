"""Times degree-weighted path counts beside hetmatpy, values compared:

    python dwpc_peer.py [GENES DISEASES EDGES]
    python dwpc_peer.py HETNET.json.xz METAPATH...

The default is 10000 genes, 3000 diseases and 100,000 edges of each of two kinds, with hubs. The tests of hetmatpy take
bupropion-CbGpPWpGaD-subgraph.json.xz and random-subgraph.json.xz, in test/data of hetio/hetnetpy. hetmatpy is timed from the
matrices of a HetMat on the disk, dense as is its default, and sparse, and from a graph of hetnetpy as in its tests. Times are
medians. Its ends of GiGiGiG and the like may be one gene: the diagonal is not compared.
"""

import json
import lzma
import random
import sys
import tempfile
import time

import numpy as np

import pathcount

try:
    import hetmatpy.degree_weight
    import hetmatpy.hetmat
    import hetnetpy.hetnet
    import hetnetpy.readwrite
except ImportError as error:
    print(f"SKIPPED: {error}")
    sys.exit(0)

METAPATHS = ["DaG", "DaGaD", "DaGiGaD", "DaGiGiG", "GaDaGaD"]


def graph_of(n_genes, n_diseases, n_edges):
    """A graph of hetnetpy."""
    kinds = [("Gene", "Disease", "association", "both"), ("Gene", "Gene", "interaction", "both")]
    short = {"Gene": "G", "Disease": "D", "association": "a", "interaction": "i"}
    graph = hetnetpy.hetnet.Graph(hetnetpy.hetnet.MetaGraph.from_edge_tuples(kinds, short))
    rng = random.Random(1)
    sizes = {"Gene": n_genes, "Disease": n_diseases}
    for kind, size in sizes.items():
        for i in range(size):
            graph.add_node(kind, f"{kind} {i:06d}")
    for start, end, kind, direction in kinds:
        found = set()
        while len(found) < n_edges:
            i, j = (int(sizes[side] * rng.random() ** 2) for side in (start, end))
            if start != end or i < j:
                found.add((f"{start} {i:06d}", f"{end} {j:06d}"))
        for i, j in sorted(found):
            graph.add_edge((start, i), (end, j), kind, direction)
    return graph


def timed(function, *arguments, **keywords):
    """The median time of 3 to 31 calls, which together take 2 seconds or a little more, and the last result."""
    times = []
    while len(times) < 3 or (len(times) < 31 and sum(times) < 2):
        start = time.perf_counter()
        result = function(*arguments, **keywords)
        times.append(time.perf_counter() - start)
    return sorted(times)[len(times) // 2], result


def relation_of(matrices, step):
    rows, columns, matrix = matrices.metaedge_to_adjacency_matrix(step)
    return pathcount.Relation([(rows[i], columns[j]) for i, j in zip(*np.nonzero(matrix))])


def main():
    given = sys.argv[1:] or ["10000", "3000", "100000"]
    if given[0].isdigit():
        graph, names = graph_of(*(int(text) for text in given)), METAPATHS
    else:
        graph = hetnetpy.readwrite.graph_from_writable(json.loads(lzma.open(given[0]).read()))
        names = given[1:]
    matrices = hetmatpy.hetmat.hetmat_from_graph(graph, tempfile.mkdtemp())
    for name in names:
        metapath = graph.metagraph.metapath_from_abbrev(name)
        steps = [relation_of(matrices, step) for step in metapath]
        types = [node.abbrev for node in metapath.get_nodes()]
        seconds, ours = timed(pathcount.dwpc, *steps, types=types, allow_missing=True)
        print(f"{name}: pathcount {1000 * seconds:.2f} ms, hetmatpy", end="")
        for words, source, density in (("sparse", matrices, 1), ("dense", matrices, 0), ("graph", graph, 0)):
            peer, (rows, columns, values) = timed(
                hetmatpy.degree_weight.dwpc, source, metapath, damping=0.5, dense_threshold=density
            )
            print(f" {words} {1000 * peer:.2f} ({peer / seconds:.1f} x)", end=",", flush=True)
        place = [{label: i for i, label in enumerate(labels)} for labels in (rows, columns)]
        at = np.ix_([place[0][row] for row in ours.rows], [place[1][column] for column in ours.columns])
        made = np.zeros(values.shape)
        made[at] = ours.to_numpy()
        apart = np.abs(values - made)
        if types[0] == types[-1]:
            np.fill_diagonal(apart, 0)
        print(f" {apart.max():.1g} apart, {ours.error:.1g} told")


main()
