#!/usr/bin/env python3
"""Checks a result of pathcount against its certificate and its graph, with Python alone.

    pathcount graph.txt --length 8 -o counts.tsv --certificate counts.json
    python3 check_certificate.py graph.txt counts.tsv counts.json

The graph is an edge list (a line an edge, FROM TO [WEIGHT]), the result a whole matrix of paths between
vertices in .tsv, .csv or .mtx, exact or modulo M, of one length or of all up to it; each may be packed with gzip.

Only the graph is trusted. The certificate says which question the result answers; that question is printed, and it is
for you to see that it is the one you mean. Once all three files are read, this script draws primes of 61 bits and
random vectors of its own, sends the vectors along the arcs, one step after the other, and each row of the result must
give its entry of what arrives. So nobody can make a result, or a certificate, for the numbers that are drawn: a wrong
count passes with probability below 2^-80. Labels, digests, and the rounds of the certificate are checked as well.
Exit status: 0 it holds, 1 it does not, 2 this script cannot check such a result.
"""
import csv
import gzip
import hashlib
import io
import json
import math
import secrets
import sys
import zlib
from pathlib import Path

HEADERS = {("from", "to"), ("source", "target"), ("src", "dst"), ("u", "v"), ("i", "j")}
ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})
MASK = 2**64 - 1
ERROR_BITS, LEAST_ROUNDS = 80, 2
MOST_VERTICES, MOST_STEPS, MOST_DIVISOR = 10**6, 10**10, 2**20


class Refused(Exception):
    """Says why a result is refused; an exit status of 2 comes with it where this script cannot check such a result."""


def is_number(text):
    """int() takes many texts that are not just the digits 0 to 9 without leading zeros."""
    return isinstance(text, str) and text.isascii() and text.isdigit() and (text[0] != "0" or text == "0")


def decimal(text):
    if not is_number(text):
        raise Refused(f"'{str(text)[:40]}' is no decimal integer")
    return int(text)


def read_text(path):
    data = Path(path).read_bytes()
    unpacked = gzip.decompress(data) if path.endswith(".gz") else data
    return data, unpacked.decode("utf-8", "surrogateescape")


# ---- The graph -------------------------------------------------------------------------------------


def fields_of(line):
    if "\t" in line:
        return [field.strip() for field in line.split("\t")]
    if "," in line:
        return [field.strip() for field in next(csv.reader([line]))]
    return line.split()


def read_edges(path):
    """The data lines as (from, to, weight or None)."""
    lines = [line.strip() for line in read_text(path)[1].split("\n")]
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
    if policies["vertices"] > MOST_VERTICES:
        raise Refused(f"more than {MOST_VERTICES} vertices", 2)
    if all(map(is_number, labels)):
        numbers = set(map(int, labels)) | set(range(policies["vertices"]))
        labels = [str(number) for number in sorted(numbers)]
    elif policies["vertices"]:
        raise Refused("--vertices with labels that are no numbers", 2)
    index = {label: i for i, label in enumerate(labels)}
    arcs = [{} for _ in index]
    for start, end, weight in edges:
        multiplicity = 1
        if policies["weights"]:
            if not is_number(weight):
                raise Refused(f"{path}: the weight '{weight}' is no integer", 2)
            multiplicity = int(weight)
        if multiplicity == 0:
            continue
        u, v = index[start], index[end]
        if not policies["directed"] and u > v:
            u, v = v, u
        known = arcs[u].get(v, 0)
        arcs[u][v] = known + multiplicity if policies["multigraph"] else known or multiplicity
    if policies["loops"] == "twice":
        for u, ends in enumerate(arcs):
            if u in ends:
                ends[u] *= 2
    if not policies["directed"]:
        for u in range(len(arcs)):
            for v, multiplicity in list(arcs[u].items()):
                arcs[v][u] = multiplicity
    return list(index), arcs


def facts_of_graph(labels, arcs):
    text = hashlib.sha256(b"pathcount graph\n%d\n" % len(labels))
    for label in labels:
        text.update((label.translate(ESCAPES) + "\n").encode("utf-8", "surrogateescape"))
    for u, ends in enumerate(arcs):
        for v in sorted(ends):
            text.update(b"%d %d %d\n" % (u, v, ends[v]))
    return {"sha256": text.hexdigest(), "vertices": len(labels), "arcs": sum(map(len, arcs))}


# ---- The result ------------------------------------------------------------------------------------


def read_table(file, labels, delimiter):
    """Rows of counts; the labels must be those of the graph."""
    is_csv = delimiter == ","
    rows = csv.reader(file, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if is_csv else csv.QUOTE_NONE)
    names = labels if is_csv else [label.translate(ESCAPES) for label in labels]
    if next(rows, None) != ["", *names]:
        raise Refused("the header of the result is not the labels of the graph")
    matrix = []
    for label in names:
        row = next(rows, [])
        if row[:1] != [label] or len(row) != len(names) + 1:
            raise Refused(f"row '{label}' must come here, and another one does, or it is too short or long")
        matrix.append([(j, decimal(count)) for j, count in enumerate(row[1:])])
    if next(rows, None) is not None:
        raise Refused("the result has too many rows")
    return matrix


def head_of_matrix_market(labels, question, is_symmetric):
    lengths = f"lengths 1 to {question['length']}" if question["up_to"] else f"length {question['length']}"
    yield f"%%MatrixMarket matrix coordinate integer {'symmetric' if is_symmetric else 'general'}"
    yield "% pathcount graph: weights"
    yield f"% numbers of paths of {lengths} from vertex i to vertex j"
    if labels != [str(i + 1) for i in range(len(labels))]:
        for i, label in enumerate(labels):
            yield f"% label {i + 1} {label.translate(ESCAPES)}"


def read_matrix_market(file, labels, question, is_symmetric):
    n, matrix = len(labels), [[] for _ in labels]
    for line in head_of_matrix_market(labels, question, is_symmetric):
        if next(file, "") != line + "\n":
            raise Refused(f"the line '{line}' must come in the head of the result, and another one does")
    sizes, last = [decimal(size) for size in next(file, "").split()], (0, 0)
    entries = [line[:-1].split(" ") for line in file if line.endswith("\n")]
    if sizes != [n, n, len(entries)]:
        raise Refused("the sizes of the result are not those of the matrix")
    for entry in entries:
        i, j, count = map(decimal, entry if len(entry) == 3 else ["", "", ""])
        if (i, j) <= last or not (1 <= i <= n and 1 <= j <= (i if is_symmetric else n)):
            raise Refused(f"row {i} and column {j} are none of this matrix, or do not come after those before them")
        last = i, j
        matrix[i - 1].append((j - 1, count))
        if is_symmetric and i != j:
            matrix[j - 1].append((i - 1, count))
    return matrix


def read_result(path, text, labels, question, is_symmetric):
    name, file = path.removesuffix(".gz"), io.StringIO(text, newline="")
    if name.endswith(".mtx"):
        return read_matrix_market(file, labels, question, is_symmetric)
    if name.endswith((".tsv", ".csv")):
        return read_table(file, labels, "\t" if name.endswith(".tsv") else ",")
    raise Refused("only .tsv, .csv and .mtx, also packed as .gz", 2)


# ---- The certificate -------------------------------------------------------------------------------


def unique(pairs):
    if len(dict(pairs)) != len(pairs):
        raise Refused("the certificate has a name twice")
    return dict(pairs)


def read_certificate(path):
    """The certificate, once it is one whose question this script can check."""
    try:
        certificate = json.loads(Path(path).read_bytes(), object_pairs_hook=unique)
        question, policies = certificate["question"], certificate["policies"]
        loops = policies.get("loops", "once")
        policies = {name: policies[name] for name in ("directed", "multigraph", "weights", "vertices")}
        policies["loops"] = loops
        asked = {name: question[name] for name in ("query", "paths", "each", "vertices", "blocks", "mean")}
        if asked != {"query": "matrix", "paths": "all", "each": False, "vertices": [], "blocks": None, "mean": False}:
            raise Refused("only matrices of all paths between vertices: no --each, no blocks, no means, no queries", 2)
        if certificate["certificate"] != 1 or question["arithmetic"] == "float" or certificate["result"] is None:
            raise Refused("only certificates of version 1 of integers in a file: no doubles, nothing printed", 2)
        flags = [question["up_to"], *list(policies.values())[:3]]
        if any(type(flag) is not bool for flag in flags) or type(policies["vertices"]) is not int or (
                loops not in ("once", "twice")):
            raise Refused("the certificate has a policy that is none")
        certificate["result"]["sha256"], certificate["result"]["bytes"], question["length"], question["modulus"]
        rounds = [(decimal(one["modulus"]), decimal(one["seed"]), one["images"]) for one in certificate["rounds"]]
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise Refused(f"the certificate is damaged: {error!r}") from None
    if question["arithmetic"] != ("exact" if question["modulus"] is None else "modular"):
        raise Refused("the arithmetic of the question does not fit its modulus")
    return certificate, question, policies, rounds


def describe(question, policies):
    lengths = f"lengths 1 to {question['length']} added up" if question["up_to"] else f"length {question['length']}"
    kept = [f"--{name}" for name in ("weights", "multigraph") if policies[name]]
    kept += [f"--vertices {policies['vertices']}"] if policies["vertices"] else []
    kept += ["--loops twice"] if policies["loops"] == "twice" else []
    return (f"paths of {lengths} between all vertices, "
            + ("exact" if question["modulus"] is None else f"modulo {question['modulus']}")
            + f", of the {'directed' if policies['directed'] else 'undirected'} graph"
            + (f" with {' '.join(kept)}" if kept else ""))


# ---- Rounds ----------------------------------------------------------------------------------------


def is_prime(n):
    """Miller and Rabin's test, exact below 2^64 with these bases."""
    odd, twos = (n - 1) >> 1, 1
    while odd % 2 == 0:
        odd, twos = odd >> 1, twos + 1
    for base in 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37:
        power = pow(base, odd, n)
        if power != 1 and all(pow(power, 2**i, n) != n - 1 for i in range(twos)):
            return False
    return n > 37 and n % 2 == 1


def draw_prime():
    while True:
        prime = 2**60 | secrets.randbits(60) | 1
        if is_prime(prime):
            return prime


def vector_of_seed(seed, n, modulus):
    """x of a round of the certificate: SplitMix64 from the seed on, each word scaled to 0 .. modulus - 1."""
    for _ in range(n):
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        z = ((seed ^ seed >> 30) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
        yield (z ^ z >> 31) * modulus >> 64


def send(x, arcs, question, modulus):
    """Returns the product of x with the matrix that was asked for."""
    y, total = [value % modulus for value in x], [0] * len(x)
    for _ in range(int(question["length"])):
        y = [sum(m * y[v] for v, m in ends.items()) % modulus for ends in arcs]
        total = [(a + b) % modulus for a, b in zip(total, y)] if question["up_to"] else y
    return total if question["up_to"] else y


def check_rows(arcs, matrix, question, labels, modulus):
    """One round: a modulus and a vector that nobody knew when the files were written."""
    x = [secrets.randbelow(modulus) for _ in arcs]
    for label, row, value in zip(labels, matrix, send(x, arcs, question, modulus)):
        if sum(count * x[j] for j, count in row) % modulus != value:
            raise Refused(f"row '{label}' is not the numbers of paths of this graph")


def check_round(modulus, seed, images, arcs, question):
    """A round of the certificate proves nothing here, but it must be what the graph makes it."""
    if question["modulus"] != str(modulus) if question["modulus"] else modulus >> 60 != 1 or not is_prime(modulus):
        raise Refused("a modulus of the rounds proves nothing")
    x = [1] if len(arcs) == 1 else list(vector_of_seed(seed, len(arcs), modulus))
    if [[format(value, "x") for value in send(x, arcs, question, modulus)]] != images:
        raise Refused("an image is not what the arcs of the graph make of its vector")


def rounds_needed(arcs, matrix, question, modulus):
    """A wrong count has no more prime factors of 61 bits than its bits allow, and there are some 2^54 such primes.
    Modulo M a wrong row passes a vector once in the least prime factor of M."""
    if modulus:
        least = next((d for d in range(2, MOST_DIVISOR) if modulus % d == 0), MOST_DIVISOR)
        return math.ceil(ERROR_BITS / math.log2(min(least, modulus)))
    widest = max((count for row in matrix for _, count in row), default=0).bit_length()
    heaviest = max((sum(ends.values()) for ends in arcs), default=1)
    bits = max(widest, (int(question["length"]) + 1) * (heaviest.bit_length() + 1))
    return max(LEAST_ROUNDS, math.ceil(ERROR_BITS / max(1, min(45, 54 - math.log2(bits / 60)))))


def check(graph_path, result_path, certificate_path):
    certificate, question, policies, rounds = read_certificate(certificate_path)
    length, modulus = decimal(question["length"]), question["modulus"] and decimal(question["modulus"])
    if modulus is not None and not 2 <= modulus < 2**63:
        raise Refused("the modulus of the question is none")
    labels, arcs = read_graph(graph_path, policies)
    n = len(labels)
    if (certificate["graph"], certificate["rows"], certificate["columns"]) != (facts_of_graph(labels, arcs), n, n):
        raise Refused("the graph has another digest or another size than that of the certificate")
    data, text = read_text(result_path)
    if certificate["result"] != {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}:
        raise Refused("the result has another digest than that of the certificate")
    matrix = read_result(result_path, text, labels, question, not policies["directed"])
    if modulus and any(count >= modulus for row in matrix for _, count in row):
        raise Refused("a count is not below the modulus")
    if len(rounds) < (1 if modulus else LEAST_ROUNDS):
        raise Refused("the certificate has too few rounds")
    n_rounds = rounds_needed(arcs, matrix, question, modulus)
    n_steps = (n_rounds + len(rounds)) * length * (n + certificate["graph"]["arcs"])
    if n_steps > MOST_STEPS:
        raise Refused("the paths are too long for this script: `pathcount verify` checks them", 2)
    for _ in range(n_rounds):
        check_rows(arcs, matrix, question, labels, modulus or draw_prime())
    for one in rounds:
        check_round(*one, arcs, question)
    print(f"{result_path}: holds, {n_rounds} rounds: {describe(question, policies)}")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    getattr(sys, "set_int_max_str_digits", int)(0)
    csv.field_size_limit(sys.maxsize)
    try:
        check(*sys.argv[1:])
    except Refused as reason:
        print(f"{sys.argv[2]}: {reason.args[0]}", file=sys.stderr)
        sys.exit(*reason.args[1:] or [1])
    except (OSError, EOFError, zlib.error) as error:
        print(f"{sys.argv[2]}: {error}", file=sys.stderr)
        sys.exit(2)
