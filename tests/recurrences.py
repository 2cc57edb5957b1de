"""Recurrences of random graphs, held against numbers that this program counts itself:

    python3 tests/recurrences.py build/pathcount [GRAPHS [SEED]]

The recurrence must make 3 n terms beyond those that it was found from, n being the number of vertices. Of all paths its
length must be that of the minimal polynomial: of a total or a pair from the spaces that the vectors A^i y and x A^i
span, of a trace from the characteristic polynomial, modulo a prime of 61 bits. Prints "N passed, N failed, N skipped".
"""

import json
import random
import subprocess
import sys
import tempfile

PRIME = (1 << 61) - 1
QUESTIONS = ("--total", "--pair", "--trace", "--from", "--to")
MOST_VERTICES = 40
DEGREES_EACH = 6  # of so many graphs one has its degree found here, too


class Graph:
    """Arcs with weights, as the command reads them."""

    def __init__(self, source):
        self.n = source.randint(1, MOST_VERTICES)
        self.directed = source.random() < 0.5
        self.weighted = source.random() < 0.3
        self.non_backtracking = not self.weighted and source.random() < 0.25
        if self.non_backtracking:
            self.n = min(self.n, 14)
        density = source.choice((0.5, 1.5, 3, self.n / 2)) / self.n
        self.edges = {}
        for u in range(self.n):
            for v in range(self.n):
                if (self.directed or u <= v) and source.random() < density:
                    self.edges[u, v] = source.randint(2, 9) if self.weighted else 1
        self.next = [[] for _ in range(self.n)]
        for (u, v), weight in self.edges.items():
            self.next[u].append((v, weight))
            if not self.directed and u != v:
                self.next[v].append((u, weight))

    def write(self, file):
        for (u, v), weight in self.edges.items():
            file.write(f"{u} {v} {weight}\n")
        file.flush()

    def options(self):
        options = ["--vertices", str(self.n), "--directed" if self.directed else "--undirected"]
        return options + ["--weights"] * self.weighted + ["--non-backtracking"] * self.non_backtracking

    def step(self, x):
        return [sum(weight * x[v] for v, weight in row) for row in self.next]

    def matrix(self, modulus):
        matrix = [[0] * self.n for _ in range(self.n)]
        for u, row in enumerate(self.next):
            for v, weight in row:
                matrix[u][v] = weight % modulus
        return matrix


# ---- Numbers of paths, by their definition ------------------------------------------------------------


def numbers_from(graph, starts, ends, n_terms):
    """Of paths that begin and end at these vertices."""
    x = [int(v in ends) for v in range(graph.n)]
    numbers = []
    for _ in range(n_terms):
        numbers.append(sum(x[v] for v in starts))
        x = graph.step(x)
    return numbers


def numbers_that_never_turn(graph, starts, ends, n_terms):
    """The same of paths in which no arc is followed by itself turned round, by their last arcs."""
    arcs = [(u, v) for u, row in enumerate(graph.next) for v, _ in row]
    at = {arc: i for i, arc in enumerate(arcs)}
    after = [[at[v, w] for w, _ in graph.next[v] if w != u or (v, u) not in at] for u, v in arcs]
    x = [int(u in starts) for u, _ in arcs]
    numbers = [len(starts & ends)]
    for _ in range(1, n_terms):
        numbers.append(sum(x[i] for i, (_, v) in enumerate(arcs) if v in ends))
        y = [0] * len(arcs)
        for i, following in enumerate(after):
            for j in following:
                y[j] += x[i]
        x = y
    return numbers


def numbers_of(graph, question, u, v, n_terms):
    count = numbers_that_never_turn if graph.non_backtracking else numbers_from
    everywhere = set(range(graph.n))
    if question == "--trace":
        each = [count(graph, {w}, {w}, n_terms) for w in everywhere]
        return [sum(numbers) for numbers in zip(*each)]
    starts = {u} if question in ("--pair", "--from") else everywhere
    ends = {v} if question in ("--pair", "--to") else everywhere
    return count(graph, starts, ends, n_terms)


# ---- The degree of the minimal polynomial ---------------------------------------------------------------


def rank(rows):
    """Of a matrix modulo PRIME."""
    rows = [row[:] for row in rows]
    found = 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(found, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        inverse = pow(rows[found][column], -1, PRIME)
        for i in range(found + 1, len(rows)):
            if rows[i][column]:
                factor = rows[i][column] * inverse % PRIME
                rows[i] = [(a - factor * b) % PRIME for a, b in zip(rows[i], rows[found])]
        found += 1
    return found


def degree_between(graph, starts, ends):
    """The state space that can be reached and seen (Kalman): the rank of what is seen times what is reached."""
    matrix = graph.matrix(PRIME)
    columns = list(zip(*matrix))
    reached, seen = [[int(v in ends) for v in range(graph.n)]], [[int(v in starts) for v in range(graph.n)]]
    for _ in range(graph.n - 1):
        reached.append([sum(a * b for a, b in zip(row, reached[-1])) % PRIME for row in matrix])
        seen.append([sum(a * b for a, b in zip(seen[-1], column)) % PRIME for column in columns])
    return rank([[sum(a * b for a, b in zip(x, y)) % PRIME for y in reached] for x in seen])


def divide(a, b):
    """What is left of a divided by b, from the coefficient of the highest power on."""
    a, inverse = a[:], pow(b[0], -1, PRIME)
    while len(a) >= len(b):
        factor = a[0] * inverse % PRIME
        for i, value in enumerate(b):
            a[i] = (a[i] - factor * value) % PRIME
        a.pop(0)
    while a and a[0] == 0:
        a.pop(0)
    return a


def n_eigenvalues(graph):
    """Different ones: the degree of the characteristic polynomial without that of its common factor with its
    derivative (Faddeev and LeVerrier)."""
    a = graph.matrix(PRIME)
    columns = list(zip(*a))
    m = [[int(i == j) for j in range(graph.n)] for i in range(graph.n)]
    polynomial = [1]
    for k in range(1, graph.n + 1):
        m = [[sum(x * y for x, y in zip(row, column)) % PRIME for column in columns] for row in m]
        c = -sum(m[i][i] for i in range(graph.n)) * pow(k, -1, PRIME) % PRIME
        polynomial.append(c)
        for i in range(graph.n):
            m[i][i] = (m[i][i] + c) % PRIME
    derivative = [c * (graph.n - i) % PRIME for i, c in enumerate(polynomial[:-1])]
    f, g = polynomial, derivative
    while g:
        f, g = g, divide(f, g)
    return graph.n - (len(f) - 1)


def degree_of(graph, question, u, v):
    everywhere = set(range(graph.n))
    if question == "--trace":
        return n_eigenvalues(graph)
    starts = {u} if question in ("--pair", "--from") else everywhere
    ends = {v} if question in ("--pair", "--to") else everywhere
    return degree_between(graph, starts, ends)


# ---- All of it --------------------------------------------------------------------------------------------


def found_of(program, graph, question, u, v):
    words = {"--pair": [str(u), str(v)], "--from": [str(u)], "--to": [str(v)]}.get(question, [])
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        graph.write(file)
        command = [program, "recurrence", file.name, "--columns", "1,2,3", "--no-header", *graph.options(), question, *words,
                   "--json", "-q", "--threads", "1"]
        answer = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return json.loads(answer.stdout)


def what_is_wrong(program, graph, question, u, v, wants_degree):
    found = found_of(program, graph, question, u, v)
    order, start = int(found["order"]), int(found["start"])
    coefficients = [int(c) for c in found["coefficients"]]
    n_arcs = sum(len(row) for row in graph.next)
    used = 2 * (min(4 * graph.n + 4, n_arcs + 1) if graph.non_backtracking else graph.n)
    numbers = numbers_of(graph, question, u, v, used + 3 * graph.n)
    if [int(a) for a in found["initial"]] != numbers[:order + start]:
        return "other initial terms"
    for i in range(order + start, len(numbers)):
        if numbers[i] != sum(c * numbers[i - 1 - j] for j, c in enumerate(coefficients)):
            return f"term {i} is another one"
    if wants_degree and order + start != degree_of(graph, question, u, v):
        return f"length {order + start}, and the minimal polynomial has degree {degree_of(graph, question, u, v)}"
    return None


def main():
    program = sys.argv[1]
    n_graphs = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    n_failed = n_degrees = 0
    for g in range(n_graphs):
        source = random.Random(seed * 1000003 + g)
        graph = Graph(source)
        question = QUESTIONS[g % len(QUESTIONS)]
        u, v = source.randrange(graph.n), source.randrange(graph.n)
        wants_degree = g // len(QUESTIONS) % (DEGREES_EACH // 2) == 0 and not graph.non_backtracking
        n_degrees += wants_degree
        wrong = what_is_wrong(program, graph, question, u, v, wants_degree)
        if wrong:
            n_failed += 1
            print(f"FAILED: seed {seed}, graph {g}, {question} {u} {v}: {wrong}")
    print(f"{n_degrees} degrees")
    print(f"{n_graphs - n_failed} passed, {n_failed} failed, 0 skipped")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
