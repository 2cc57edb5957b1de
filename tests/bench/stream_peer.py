"""networkx's part of the benchmark of streams. Started by the driver.

stream_peer.py FILE LENGTH N_GRAPHS RESULT   counts the paths of the first graphs of FILE (graph6, a
    line a graph) and writes them to RESULT, a line each; prints the seconds that reading and
    counting took, the time to start and to write left out, and what counted.
"""
import itertools
import sys
import time

try:
    import networkx
    import numpy
    import scipy  # number_of_walks of networkx needs it
except ImportError:
    sys.exit(1)  # the driver says what to install


def by_number_of_walks(graph, length):
    walks = networkx.number_of_walks(graph, length)
    return sum(sum(row.values()) for row in walks.values())


def by_matrix_power(graph, length):
    """What number_of_walks does, where networkx (before 3.2) has none, without its dictionaries."""
    a = networkx.to_numpy_array(graph, dtype=numpy.int64)
    return int(numpy.linalg.matrix_power(a, length).sum())


def main():
    path, length, n_graphs, result = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    has_walks = hasattr(networkx, "number_of_walks")
    count = by_number_of_walks if has_walks else by_matrix_power
    how = "number_of_walks" if has_walks else "matrix_power"
    with open(path, "rb") as lines:
        start = time.monotonic()
        totals = [count(networkx.from_graph6_bytes(line.strip()), length)
                  for line in itertools.islice(lines, n_graphs)]
        seconds = time.monotonic() - start
    with open(result, "w", encoding="ascii") as out:
        out.writelines(f"{total}\n" for total in totals)
    print(f"{seconds:.6f} {networkx.__version__}/{how}")


if __name__ == "__main__":
    main()
