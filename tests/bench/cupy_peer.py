"""What a user of CuPy would write: the total of A^k in float64, from an undirected edge list.

    python3 cupy_peer.py FILE K      prints the total and how the time was spent
"""
import json
import sys
import time

start = time.time()  # before the imports, which are part of what a user waits for
import cupy
import numpy

imported = time.time()
edges = numpy.loadtxt(sys.argv[1], dtype=numpy.int64, usecols=(0, 1), comments=["#", "%"])
labels, index = numpy.unique(edges, return_inverse=True)
index = index.reshape(edges.shape)
read = time.time()
adjacency = cupy.zeros((labels.size, labels.size))
adjacency[index[:, 0], index[:, 1]] = 1
adjacency[index[:, 1], index[:, 0]] = 1
power = cupy.linalg.matrix_power(adjacency, int(sys.argv[2]))
total = float(power.sum())
done = time.time()
print(json.dumps({"total": total, "import": imported - start, "read": read - imported,
                  "compute": done - read}))
