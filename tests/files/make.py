"""Writes the files in tests/files/made by the tools that people have them from:
    python3 tests/files/make.py
needs networkx, scipy, pandas and igraph. The files are kept; this says where each came from."""

import gzip
import io
import json
import os
import pickle
import struct
import sys
import tarfile
import zipfile

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import scipy.io
import scipy.sparse as sp

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "made"))
sys.argv = ["make.py"]

# A kite: a triangle with a tail, 5 vertices, 5 edges. Degrees 2 2 3 2 1.
EDGES = [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4)]
kite = nx.Graph(EDGES)
names = nx.relabel_nodes(kite, {i: f"city {i}" for i in kite})
words = nx.relabel_nodes(kite, dict(enumerate("abcde")))
arcs = nx.DiGraph(EDGES + [(4, 2)])
heavy = nx.Graph()
heavy.add_weighted_edges_from([("a", "b", 2), ("b", "c", 3)])
real = nx.Graph()
real.add_weighted_edges_from([("a", "b", 0.5), ("b", "c", 1.5)])
multi = nx.MultiGraph([(0, 1), (0, 1), (1, 2)])
lone = nx.Graph(EDGES)
lone.add_node(9)
loop = nx.Graph(EDGES + [(4, 4)])
coloured = nx.Graph()
coloured.add_edge("a", "b", colour="red, dark", weight=2)
coloured.add_edge("b", "c", colour="blue", weight=3)


def write(name, text):
    with open(name, "w") as file:
        file.write(text)


# NetworkX
nx.write_edgelist(kite, "nx-edgelist.txt")
nx.write_edgelist(kite, "nx-plain.txt", data=False)
nx.write_edgelist(coloured, "nx-attributes.txt")
nx.write_edgelist(coloured, "nx-attributes.csv", delimiter=",")
nx.write_edgelist(heavy, "nx-weight-column.txt", data=["weight"])
nx.write_weighted_edgelist(heavy, "nx-weighted.txt")
nx.write_weighted_edgelist(real, "nx-real.txt")
nx.write_edgelist(arcs, "nx-arcs.txt")
nx.write_edgelist(names, "nx-names.tsv", delimiter="\t")
nx.write_edgelist(multi, "nx-multi.txt", data=False)
nx.write_edgelist(loop, "nx-loop.txt", data=False)
nx.write_adjlist(kite, "nx.adjlist")
nx.write_adjlist(kite, "nx-adjlist.txt")
nx.write_adjlist(arcs, "nx-arcs.adjlist")
nx.write_adjlist(names, "nx-names.adjlist", delimiter="\t")
nx.write_adjlist(lone, "nx-lone.adjlist")
nx.write_adjlist(words, "nx-words.adjlist.gz")
nx.write_multiline_adjlist(kite, "nx-multiline.txt")
nx.write_multiline_adjlist(heavy, "nx-multiline-heavy.adjlist")
nx.write_multiline_adjlist(lone, "nx-multiline-lone.adjlist")
nx.write_multiline_adjlist(arcs, "nx-multiline-arcs.txt")
nx.write_pajek(words, "nx.net")
nx.write_pajek(heavy, "nx-heavy.net")
nx.write_pajek(arcs, "nx-arcs.net")
nx.write_pajek(names, "nx-names.net")
nx.write_gml(kite, "nx.gml")
nx.write_gml(heavy, "nx-heavy.gml")
nx.write_gml(arcs, "nx-arcs.gml")
nx.write_graphml(kite, "nx.graphml")
nx.write_graphml(heavy, "nx-heavy.graphml")
nx.write_graphml(arcs, "nx-arcs.graphml")
nx.write_gexf(kite, "nx.gexf")
nx.write_graph6(kite, "nx.g6")
nx.write_sparse6(kite, "nx.s6")
for name, graph, edges in (("nx-links.json", kite, "links"), ("nx-edges.json", kite, "edges"),
                           ("nx-heavy.json", heavy, "links"), ("nx-arcs.json", arcs, "edges"),
                           ("nx-lone.json", lone, "edges"), ("nx-multi.json", multi, "edges"),
                           ("nx-names.json", names, "links")):
    write(name, json.dumps(nx.node_link_data(graph, edges=edges)))
write("nx-indented.json", json.dumps(nx.node_link_data(words, edges="links"), indent=2))
write("nx-adjacency.json", json.dumps(nx.adjacency_data(kite)))
write("nx-adjacency-arcs.json", json.dumps(nx.adjacency_data(arcs)))
write("nx-cytoscape.json", json.dumps(nx.cytoscape_data(words)))
write("nx-tree.json", json.dumps(nx.tree_data(nx.DiGraph([(0, 1), (0, 2)]), 0)))
write("nx.nwk", "(a,b,(c,d));\n")

# NumPy and SciPy
dense = nx.to_numpy_array(kite, dtype=int)
np.save("np.npy", dense)
np.save("np-float.npy", dense.astype(float))
np.save("np-float32.npy", dense.astype(np.float32))
np.save("np-bool.npy", dense.astype(bool))
np.save("np-uint8.npy", dense.astype(np.uint8))
np.save("np-big-endian.npy", dense.astype(">i4"))
np.save("np-fortran.npy", np.asfortranarray(nx.to_numpy_array(arcs, dtype=int)))
np.save("np-arcs.npy", nx.to_numpy_array(arcs, dtype=np.int16))
np.save("np-heavy.npy", nx.to_numpy_array(heavy, dtype=int))
np.save("np-half.npy", nx.to_numpy_array(real))
np.save("np-pairs.npy", np.array(EDGES))
np.save("np-cube.npy", np.zeros((2, 2, 2)))
np.save("np-complex.npy", dense.astype(complex))
np.save("np-objects.npy", np.array([{"a": 1}], dtype=object))
np.savez("np-one.npz", dense)
np.savez_compressed("np-packed.npz", A=dense)
np.savez("np-two.npz", dense, dense)
np.savetxt("np-dense.txt", dense, fmt="%d")
np.savetxt("np-float.txt", dense)
np.savetxt("np-dense.csv", dense, fmt="%d", delimiter=",")
np.savetxt("np-arcs.matrix", nx.to_numpy_array(arcs, dtype=int), fmt="%d")
with gzip.GzipFile("np.npy.gz", "wb", mtime=0) as file:
    np.save(file, dense)
sparse = sp.csr_matrix(dense)
sp.save_npz("sp-csr.npz", sparse)
sp.save_npz("sp-csc.npz", sp.csc_matrix(nx.to_numpy_array(arcs, dtype=int)))
sp.save_npz("sp-coo.npz", sp.coo_matrix(nx.to_numpy_array(arcs, dtype=int)))
sp.save_npz("sp-array.npz", sp.csr_array(dense.astype(float)), compressed=False)
sp.save_npz("sp-heavy.npz", sp.csr_array(nx.to_numpy_array(heavy, dtype=int)))
sp.save_npz("sp-sums.npz", sp.coo_matrix(([1, 1, 1], ([0, 0, 1], [1, 1, 0])), shape=(2, 2)))
sp.save_npz("sp-bsr.npz", sp.bsr_matrix(dense[:4, :4]))
sp.save_npz("sp-wide.npz", sp.csr_matrix(np.ones((2, 3), dtype=int)))
scipy.io.mmwrite("sp-general.mtx", sp.coo_matrix(nx.to_numpy_array(arcs, dtype=int)))
scipy.io.mmwrite("sp-symmetric.mtx", sp.coo_matrix(dense))
scipy.io.mmwrite("sp-real.mtx", sp.coo_matrix(dense.astype(float)))
scipy.io.mmwrite("sp-pattern.mtx", sp.coo_matrix(dense), field="pattern")
scipy.io.mmwrite("sp-unsigned.mtx", sp.coo_matrix(dense.astype(np.uint32)))
scipy.io.mmwrite("sp-array.mtx", nx.to_numpy_array(arcs, dtype=int))
scipy.io.mmwrite("sp-array-symmetric.mtx", dense)
scipy.io.mmwrite("sp-array-real.mtx", dense.astype(float))
scipy.io.mmwrite("sp-array-heavy.mtx", nx.to_numpy_array(heavy, dtype=int))
scipy.io.savemat("sp.mat", {"A": dense})

# pandas
frame = pd.DataFrame(EDGES, columns=["source", "target"])
frame.to_csv("pd-index.csv")
frame.to_csv("pd.csv", index=False)
frame.to_csv("pd.tsv", index=False, sep="\t")
frame.to_csv("pd-semicolon.csv", index=False, sep=";")
frame.to_csv("pd-pipe.csv", index=False, sep="|")
frame.to_csv("pd-no-header.csv", index=False, header=False)
frame.to_csv("pd-index-no-header.csv", header=False)
frame.assign(weight=2, colour="red").to_csv("pd-attributes.csv", index=False)
frame.assign(since=range(2000, 2005))[["since", "target", "source"]].to_csv("pd-later.csv", index=False)
frame.astype(float).to_csv("pd-float.csv", index=False)
nx.to_pandas_edgelist(coloured).to_csv("pd-networkx.csv", index=False)
nx.to_pandas_adjacency(words, dtype=int).to_csv("pd-adjacency.csv")
nx.to_pandas_adjacency(words, dtype=int).to_csv("pd-adjacency.tsv", sep="\t")
nx.to_pandas_adjacency(words).to_csv("pd-adjacency-float.csv")
pickle.dump(kite, open("py.pickle", "wb"))

# igraph
graph = igraph.Graph(n=5, edges=EDGES)
directed = igraph.Graph(n=5, edges=EDGES + [(4, 2)], directed=True)
named = igraph.Graph(n=5, edges=EDGES)
named.vs["name"] = list("abcde")
weighted = igraph.Graph(n=3, edges=[(0, 1), (1, 2)])
weighted.vs["name"] = list("abc")
weighted.es["weight"] = [2, 3]
graph.write_edgelist("ig-edgelist.txt")
named.write_ncol("ig.ncol", weights=None)
weighted.write_ncol("ig-heavy.ncol")
named.write_lgl("ig.lgl", weights=None)
graph.write_graphml("ig.graphml")
directed.write_graphml("ig-arcs.graphml")
weighted.write_graphml("ig-heavy.graphml")
graph.write_gml("ig.gml")
directed.write_gml("ig-arcs.gml")
graph.write_pajek("ig.net")
directed.write_pajek("ig-arcs.net")
graph.write_dot("ig.dot")
graph.write_leda("ig.leda")
graph.write_adjacency("ig-adjacency.txt")
directed.write_dimacs("ig.dimacs", 0, 4, [1] * 6)

# Archives of what there is
with zipfile.ZipFile("zip.zip", "w") as archive:
    archive.writestr("edges.txt", "0 1\n")
with zipfile.ZipFile("excel.xlsx", "w") as archive:
    archive.writestr("[Content_Types].xml", "<Types/>")
    archive.writestr("xl/workbook.xml", "<workbook/>")
with tarfile.open("tar.tar", "w") as archive:
    entry = tarfile.TarInfo("edges.txt")
    entry.size = 4
    archive.addfile(entry, io.BytesIO(b"0 1\n"))
with gzip.GzipFile("tar.tar.gz", "wb", mtime=0) as file:
    file.write(open("tar.tar", "rb").read())
whole = gzip.compress(b"0 1\n1 2\n", mtime=0)
open("gzip-trailing.txt.gz", "wb").write(whole + b"trailing")
open("gzip-zeros.txt.gz", "wb").write(whole + bytes(16))
open("gzip-two.txt.gz", "wb").write(whole + gzip.compress(b"2 3\n", mtime=0))
open("gzip-short.txt.gz", "wb").write(whole[:-3])
# Serialized graphs, by the layout that ReadSerializedGraph of the GAP Benchmark Suite reads (src/reader.h)
def serialized(name, rows, directed=False, weighted=False, incoming=None):
    def side(rows):
        starts = [sum(map(len, rows[:i])) for i in range(len(rows) + 1)]
        flat = [number for row in rows for entry in row for number in (entry if weighted else [entry])]
        return struct.pack(f"<{len(starts)}q", *starts) + struct.pack(f"<{len(flat)}i", *flat)
    content = struct.pack("<bqq", directed, sum(map(len, rows)), len(rows)) + side(rows)
    if directed:
        turned = [[(i, entry[1]) if weighted else i for i, row in enumerate(rows) for entry in row
                   if (entry[0] if weighted else entry) == j] for j in range(len(rows))]
        content += side(incoming or turned)
    open(name, "wb").write(content)
    return content


KITE = [[1, 2], [0, 2], [0, 1, 3], [2, 4], [3]]
ARCS = [[1, 2], [2], [3], [4], [2]]
HEAVY = [[(1, 2)], [(0, 2), (2, 3)], [(1, 3)]]
whole = serialized("gap.sg", KITE)
serialized("gap-by-content.bin", KITE)
serialized("gap-arcs.sg", ARCS, directed=True)
serialized("gap-heavy.wsg", HEAVY, weighted=True)
serialized("gap-heavy-arcs.wsg", HEAVY, directed=True, weighted=True)
serialized("gap-zero.wsg", [[(1, 2), (2, 0)], [(0, 2), (2, 3)], [(0, 0), (1, 3)]], weighted=True)
serialized("gap-unsorted.sg", [row[::-1] for row in ARCS], directed=True)
serialized("gap-twice.sg", [[1, 1], [0, 0]])
serialized("gap-lone.sg", [[], [], []])
serialized("gap-one-way.sg", [[1], [0, 2], []])
serialized("gap-other-weight.wsg", [[(1, 2)], [(0, 3)]], weighted=True)
serialized("gap-negative.wsg", [[(1, -2)], [(0, -2)]], weighted=True)
serialized("gap-beyond.sg", [[1], [0, 2]])
serialized("gap-minus.sg", [[1], [0, -1]])
serialized("gap-incoming.sg", ARCS, directed=True, incoming=[[], [0], [0, 1, 3], [2], [3]])
open("gap-short.sg", "wb").write(whole[:-1])
open("gap-long.sg", "wb").write(whole + b"\0")
open("gap-head.sg", "wb").write(whole[:10])
open("gap-starts.sg", "wb").write(whole[:25] + whole[33:41] + whole[25:33] + whole[41:])
open("gap-vertices.sg", "wb").write(whole[:16] + b"\xff" + whole[17:])
open("gap-weights.wsg", "wb").write(whole)
open("gap-text.sg", "w").write("0 1\n1 2\n2 0\n3 4\n4 5\n")
with gzip.GzipFile("gap.sg.gz", "wb", mtime=0) as file:
    file.write(whole)

open("utf16.txt", "wb").write("0 1\n1 2\n".encode("utf-16"))
open("utf16-plain.txt", "wb").write("0 1\n1 2\n".encode("utf-16-le"))
open("zeros.txt", "wb").write(b"0 1\n\0\0\0\0")
open("null-first.txt", "wb").write(b"\0binary data\n")
open("parquet.parquet", "wb").write(b"PAR1\x15\x04\x15 ... PAR1")
