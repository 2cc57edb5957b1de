"""Times degree-weighted path counts beside hetmatpy, values compared:  python dwpc_peer.py [GENES DISEASES EDGES]

The default is 10000 genes, 3000 diseases and 100,000 edges of each of two kinds, with hubs. hetmatpy is timed from the matrices
of a HetMat on the disk, dense as is its default, and sparse. Its ends of GiGiGiG and the like may be one gene: the diagonal is
not compared.
"""

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
except ImportError as error:
    print(f"SKIPPED: {error}")
    sys.exit(0)

METAPATHS = ["DaG", "DaGaD", "DaGiGaD", "DaGiGiG", "GaDaGaD"]


def graph_of(n_genes, n_diseases, n_edges):
    """A graph of hetnetpy, and its edges by kind."""
    kinds = [("Gene", "Disease", "association", "both"), ("Gene", "Gene", "interaction", "both")]
    short = {"Gene": "G", "Disease": "D", "association": "a", "interaction": "i"}
    graph = hetnetpy.hetnet.Graph(hetnetpy.hetnet.MetaGraph.from_edge_tuples(kinds, short))
    rng = random.Random(1)
    sizes = {"Gene": n_genes, "Disease": n_diseases}
    edges = {}
    for kind, size in sizes.items():
        for i in range(size):
            graph.add_node(kind, f"{kind} {i:06d}")
    for start, end, kind, direction in kinds:
        found = set()
        while len(found) < n_edges:
            i, j = (int(sizes[side] * rng.random() ** 2) for side in (start, end))
            if start != end or i < j:
                found.add((f"{start} {i:06d}", f"{end} {j:06d}"))
        edges[kind] = sorted(found)
        for i, j in edges[kind]:
            graph.add_edge((start, i), (end, j), kind, direction)
    return graph, edges


def timed(function, *arguments, **keywords):
    start = time.perf_counter()
    result = function(*arguments, **keywords)
    return time.perf_counter() - start, result


def main():
    graph, edges = graph_of(*(int(text) for text in sys.argv[1:] or ("10000", "3000", "100000")))
    both = [pair for i, j in edges["interaction"] for pair in ((i, j), (j, i))]
    associated = pathcount.Relation(edges["association"])
    relations = {"GaD": associated, "DaG": associated.T, "GiG": pathcount.Relation(both)}
    matrices = hetmatpy.hetmat.hetmat_from_graph(graph, tempfile.mkdtemp())
    for name in METAPATHS:
        steps = [relations[name[i : i + 3]] for i in range(0, len(name) - 1, 2)]
        seconds, ours = timed(pathcount.dwpc, *steps, types=name[::2], allow_missing=True)
        metapath = graph.metagraph.metapath_from_abbrev(name)
        print(f"{name}: pathcount {seconds:.3f} s", end="")
        for density, words in ((1, "sparse"), (0, "dense")):
            peer, (rows, columns, values) = timed(
                hetmatpy.degree_weight.dwpc, matrices, metapath, damping=0.5, dense_threshold=density
            )
            print(f", hetmatpy {words} {peer:.3f} s ({peer / seconds:.1f} x)", end="", flush=True)
        place = [{label: i for i, label in enumerate(labels)} for labels in (rows, columns)]
        at = np.ix_([place[0][row] for row in ours.rows], [place[1][column] for column in ours.columns])
        apart = np.abs(values[at] - ours.to_numpy())
        if name[0] == name[-1]:
            apart[np.array(list(ours.rows))[:, None] == np.array(list(ours.columns))] = 0
        print(f"; {apart.max():.1g} apart, {ours.error:.1g} told")


main()
