"""Holds what the processes of pathcount-mpi counted against the formulas of the manual.

counted.py GRAPH.mtx PROCESSES LENGTH VECTORS EXPLAINED: EXPLAINED has what --explain=all printed of LENGTH and so many
--from, or of --total where there is 1. The graph is undirected, without weights; counts stay below 2^64. Exits 1 when a number is off by more than 5%.
"""

import bisect
import sys

# Open MPI allocates this much for messages, and at most this much for each other process. One of 16 held 6% less in some runs
# on a machine in use.
MPI_BYTES, PEER_BYTES = 120000, 10000


def read_rows(path):
    edges = [line.split() for line in open(path) if not line.startswith("%")]
    n = int(edges[0][0])
    rows = [set() for _ in range(n)]
    for edge in edges[1:]:
        i, j = int(edge[0]) - 1, int(edge[1]) - 1
        rows[i].add(j)
        rows[j].add(i)
    return rows


def cut(rows, n_processes):
    """The first vertex of each process: arcs and vertices are a unit of work each."""
    before = [0]
    for row in rows:
        before.append(before[-1] + len(row) + 1)
    return [bisect.bisect_left(before, before[-1] * r // n_processes) for r in range(n_processes)] + [len(rows)]


def limits_of(rows, length):
    """s_l, the largest row sum of A^l; no count exceeds s_l nor s_(l - 1)."""
    sums = [1] * len(rows)
    largest = [1]
    for _ in range(length):
        sums = [sum(sums[j] for j in row) for row in rows]
        largest.append(max(sums))
    return [1] + [min(largest[l], largest[l - 1]) for l in range(1, length + 1)]


def line_bytes(rows, length, n_vectors):
    """Returns for each step how many bytes, 1, 2, 4 or 8, an entry has that holds its sums."""
    bits = [limit.bit_length() for limit in limits_of(rows, length)]
    sizes = []
    for l in range(length):
        widest = max(bits[: l + 2])
        sizes.append(n_vectors * next(b for b in (1, 2, 4, 8) if 8 * b >= widest))
    return sizes


def counted(path):
    """Returns for each process its steps, bytes sent, products, bytes sent, vectors and rows, bytes held."""
    lines = open(path).read().splitlines()
    at = next(i for i, line in enumerate(lines) if line.split()[:2] == ["process", "steps"])
    table = [line.split() for line in lines[at + 1 :]]
    return [[int(field) for field in line[1:]] for line in table if line and line[0].isdigit()]


def main():
    path, explained = sys.argv[1], sys.argv[5]
    n_processes, length, n_asked = (int(a) for a in sys.argv[2:5])
    rows, found, n_wrong = read_rows(path), counted(explained), 0
    first = cut(rows, n_processes)
    is_single = n_asked == 1
    n_blocks = 1 if is_single else found[0][0] // length
    sizes = line_bytes(rows, length, n_asked // n_blocks)
    outer = []
    for p in range(n_processes):
        named = set().union(*rows[first[p] : first[p + 1]])
        outer.append([v for v in named if not first[p] <= v < first[p + 1]])
    n_halo = sum(len(vertices) for vertices in outer)

    def hold(what, expected, number, peer_bytes=0):
        nonlocal n_wrong
        ratio = number / expected if expected else 1 + number
        n_wrong += ratio > 1.05 or number < 0.95 * (expected - peer_bytes)
        print(f"{n_processes} processes: {what} {number}, by the formula {expected}: {ratio:.4f}")

    if is_single:  # of length / 2, of which the degrees are the first step, and a pair of the certificate
        hold("bytes of products", n_halo * (8 * (length // 2 - 1) + 16), sum(p[3] for p in found))
    else:
        hold("bytes of steps", n_blocks * n_halo * sum(sizes), sum(p[1] for p in found))
    for p in range(0 if is_single else 1, n_processes):
        n_own, n_outer = first[p + 1] - first[p], len(outer[p])
        n_given = sum(first[p] <= v < first[p + 1] for q in range(n_processes) for v in outer[q])
        n_arcs = sum(len(row) for row in rows[first[p] : first[p + 1]])
        peer_bytes = PEER_BYTES * n_processes
        held = 8 * n_own + 4 * n_arcs + 4 * (n_outer + n_given) + 4 * 2**16 + MPI_BYTES + peer_bytes
        if is_single:
            held += 8 * (2 * n_own + n_outer) + 16 * n_own + 16 * n_own
        else:
            held += (2 * n_own + n_outer) * (sizes[-1] + 17)
        hold(f"bytes held by process {p}", held, found[p][5], peer_bytes)
    return n_wrong > 0


if __name__ == "__main__":
    sys.exit(main())
