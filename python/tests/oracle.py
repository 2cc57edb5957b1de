"""What answers are held against: powers of lists of Python integers, by the definition. Shares no code with the package."""

from fractions import Fraction


def zeros(n):
    return [[0] * n for _ in range(n)]


def adjacency(n, edges, directed, adds, loops=1):
    """Edges are (u, v, weight); an edge given again adds or is dropped; a loop is one entry, of so many times its weight."""
    seen, a = {}, zeros(n)
    for u, v, weight in edges:
        key = (u, v) if directed else (min(u, v), max(u, v))
        if key in seen and not adds:
            continue
        seen[key] = True
        a[u][v] += weight * (loops if u == v else 1)
        if not directed and u != v:
            a[v][u] += weight
    return a


def product(left, right):
    columns = list(zip(*right))
    return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in left]


def power(a, k):
    n = len(a)
    result = [[int(i == j) for j in range(n)] for i in range(n)]
    for _ in range(k):
        result = product(result, a)
    return result


def plus(left, right):
    return [[x + y for x, y in zip(*rows)] for rows in zip(left, right)]


def up_to(a, k):
    total = zeros(len(a))
    for length in range(1, k + 1):
        total = plus(total, power(a, length))
    return total


def total(matrix):
    return sum(map(sum, matrix))


def trace(matrix):
    return sum(matrix[i][i] for i in range(len(matrix)))


def random_walk(a):
    """Probabilities as fractions; who is at a vertex without arcs stays there."""
    n = len(a)
    return [
        [Fraction(x, sum(row)) for x in row] if sum(row) else [Fraction(int(i == j)) for j in range(n)]
        for i, row in enumerate(a)
    ]


def without_turning_back(a, k):
    """Walks of a simple 0/1 matrix that never follow arc (u, v) by (v, u), listed one by one."""
    n = len(a)
    counts = zeros(n)
    walks = [(u,) for u in range(n)]
    for step in range(k):
        walks = [(*walk, v) for walk in walks for v in range(n) if a[walk[-1]][v] and not (step > 0 and walk[-2] == v)]
    for walk in walks:
        counts[walk[0]][walk[-1]] += 1
    return counts
