#!/usr/bin/env python3
"""Checks a result of pathcount against its certificate and its graph, with Python alone.

    pathcount graph.txt --length 8 -o counts.tsv --certificate counts.json
    python3 check_certificate.py graph.txt counts.tsv counts.json

The graph is an edge list (a line an edge, FROM TO [WEIGHT]), the result a whole matrix of paths between
vertices in .tsv, .csv or .mtx, exact or modulo M; each may be packed with gzip. Four things are checked:
the digest of the graph, the digest of the result, the images of the random vectors (which are sent along the
arcs here, one step after the other), and that each row of the result gives its entry of each image.
Exit status: 0 it holds, 1 it does not, 2 this script cannot check such a result.
"""
import csv
import gzip
import hashlib
import json
import sys
from pathlib import Path

HEADERS = {("from", "to"), ("source", "target"), ("src", "dst"), ("u", "v"), ("i", "j")}
ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})
MASK = 2**64 - 1


class Refused(Exception):
    """What does not hold and, if this script cannot check it, the exit status 2."""


def open_text(path):
    opener = gzip.open if path.endswith(".gz") else open
    return opener(path, "rt", encoding="utf-8", errors="surrogateescape", newline="")


def fields_of(line):
    if "\t" in line:
        return [field.strip() for field in line.split("\t")]
    if "," in line:
        return [field.strip() for field in next(csv.reader([line]))]
    return line.split()


def read_edges(path):
    """The data lines as (from, to, weight or None)."""
    with open_text(path) as file:
        lines = [line.strip() for line in file]
    lines = [fields_of(line) for line in lines if line and line[0] not in "#%"]
    if lines and tuple(field.lower() for field in lines[0][:2]) in HEADERS:
        del lines[0]
    if any(len(fields) < 2 for fields in lines):
        raise Refused(f"{path}: a line is no edge", 2)
    return [(fields[0], fields[1], fields[2] if len(fields) > 2 else None) for fields in lines]


def read_graph(path, policies):
    """Labels in their order, and of each vertex its arcs as {end: multiplicity}."""
    edges, labels = read_edges(path), {}
    for edge in edges:
        labels.update(dict.fromkeys(edge[:2]))
    if all(label.isdigit() and str(int(label)) == label for label in labels):
        numbers = set(map(int, labels)) | set(range(policies["vertices"]))
        labels = [str(number) for number in sorted(numbers)]
    elif policies["vertices"]:
        raise Refused("--vertices with labels that are no numbers", 2)
    index = {label: i for i, label in enumerate(labels)}
    arcs = [{} for _ in index]
    for start, end, weight in edges:
        multiplicity = int(weight) if policies["weights"] and weight is not None else 1
        if multiplicity == 0 or weight == "0":
            continue
        u, v = index[start], index[end]
        if not policies["directed"] and u > v:
            u, v = v, u
        known = arcs[u].get(v, 0)
        arcs[u][v] = known + multiplicity if policies["multigraph"] else known or multiplicity
    if policies.get("loops") == "twice":
        for u, ends in enumerate(arcs):
            if u in ends:
                ends[u] *= 2
    if not policies["directed"]:
        for u in range(len(arcs)):
            for v, multiplicity in list(arcs[u].items()):
                arcs[v][u] = multiplicity
    return list(index), arcs


def digest_of_graph(labels, arcs):
    text = hashlib.sha256(b"pathcount graph\n%d\n" % len(labels))
    for label in labels:
        text.update((label.translate(ESCAPES) + "\n").encode("utf-8", "surrogateescape"))
    for u, ends in enumerate(arcs):
        for v in sorted(ends):
            text.update(b"%d %d %d\n" % (u, v, ends[v]))
    return text.hexdigest()


def read_table(file, labels, delimiter, is_csv):
    """Rows of counts; the labels must be those of the graph."""
    quoting = csv.QUOTE_MINIMAL if is_csv else csv.QUOTE_NONE
    rows = csv.reader(file, delimiter=delimiter, quoting=quoting)
    names = labels if is_csv else [label.translate(ESCAPES) for label in labels]
    if next(rows)[1:] != names:
        raise Refused("the header of the result is not the labels of the graph")
    matrix = []
    for label, row in zip(names, rows):
        if row[0] != label or len(row) != len(names) + 1:
            raise Refused(f"'{row[0]}' is not the row that must come here, or it is too short or long")
        matrix.append(list(enumerate(row[1:])))
    if len(matrix) != len(names) or next(rows, None) is not None:
        raise Refused("the result has too few rows, or too many")
    return matrix


def read_matrix_market(file, labels):
    n, matrix = len(labels), [[] for _ in labels]
    is_symmetric = next(file).split()[4] == "symmetric"
    lines = (line for line in file if not line.startswith("%"))
    n_rows, n_columns, n_entries = map(int, next(lines).split())
    entries = [tuple(line.split()) for line in lines]
    places = {(int(i) - 1, int(j) - 1) for i, j, _ in entries}
    if (n_rows, n_columns, n_entries, len(places)) != (n, n, len(entries), len(entries)):
        raise Refused("the sizes of the result are not those of the matrix")
    for i, j, count in entries:
        i, j = int(i) - 1, int(j) - 1
        matrix[i].append((j, count))
        if is_symmetric and i != j:
            matrix[j].append((i, count))
    return matrix


def read_result(path, labels):
    name = path[:-3] if path.endswith(".gz") else path
    with open_text(path) as file:
        if name.endswith(".mtx"):
            return read_matrix_market(file, labels)
        if name.endswith((".tsv", ".csv")):
            return read_table(file, labels, "\t" if name.endswith(".tsv") else ",", name.endswith(".csv"))
    raise Refused(f"'{path}' is no .tsv, .csv or .mtx", 2)


def draw(seed, n, modulus):
    """x: SplitMix64 from the seed on, each word scaled to 0 .. modulus - 1."""
    for _ in range(n):
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        z = ((seed ^ seed >> 30) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
        yield (z ^ z >> 31) * modulus >> 64


def check_round(one, arcs, matrix, question, labels):
    modulus, length = int(one["modulus"]), int(question["length"])
    x = [1] if len(arcs) == 1 else list(draw(int(one["seed"]), len(arcs), modulus))
    y = x
    for _ in range(length):
        y = [sum(m * y[v] for v, m in ends.items()) % modulus for ends in arcs]
    if [[format(value, "x") for value in y]] != one["images"]:
        raise Refused("an image is not what the arcs of the graph make of its vector")
    for label, row, value in zip(labels, matrix, y):
        if sum(int(count) * x[j] for j, count in row) % modulus != value:
            raise Refused(f"row '{label}' of the result does not agree with its image")


def is_prime(n):
    """Miller and Rabin's test, exact below 2^64 with these bases."""
    odd, twos = (n - 1) >> 1, 1
    while odd % 2 == 0:
        odd, twos = odd >> 1, twos + 1
    for base in 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37:
        power = pow(base, odd, n)
        if power != 1 and all(pow(power, 2**i, n) != n - 1 for i in range(twos)):
            return False
    return n > 37


def check(graph_path, result_path, certificate_path):
    certificate = json.loads(Path(certificate_path).read_text(encoding="utf-8"))
    question, rounds = certificate["question"], certificate["rounds"]
    kind = [certificate["certificate"], question["query"], question["paths"], question["blocks"]]
    if kind != [1, "matrix", "all", None] or not rounds:
        raise Refused("only matrices of all paths between vertices, no doubles", 2)
    labels, arcs = read_graph(graph_path, certificate["policies"])
    if digest_of_graph(labels, arcs) != certificate["graph"]["sha256"]:
        raise Refused("the graph has another digest")
    if hashlib.sha256(Path(result_path).read_bytes()).hexdigest() != certificate["result"]["sha256"]:
        raise Refused("the result has another digest")
    matrix, modulus = read_result(result_path, labels), question["modulus"]
    if not all(count.isdigit() for row in matrix for _, count in row):
        raise Refused("a count is no decimal integer")
    for one in rounds:
        if one["modulus"] != modulus if modulus else not is_prime(int(one["modulus"])):
            raise Refused("a modulus of the rounds proves nothing")
        check_round(one, arcs, matrix, question, labels)
    if modulus and any(int(count) >= int(modulus) for row in matrix for _, count in row):
        raise Refused("a count is not below the modulus")
    print(f"{result_path}: holds, {len(rounds)} rounds")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    try:
        check(*sys.argv[1:])
    except Refused as reason:
        print(f"{sys.argv[2]}: {reason.args[0]}", file=sys.stderr)
        sys.exit(*reason.args[1:] or [1])
