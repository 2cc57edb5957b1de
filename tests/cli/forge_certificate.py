"""Forges the result and the certificate of an undirected graph without weights, as a writer would who knows how they
are checked:  python3 forge_certificate.py KIND GRAPH RESULT CERTIFICATE

Both files are changed in their places. Whatever a reader can compute from the certificate alone stays right: digests,
and the images of the vectors that it names. Nothing is shared with examples/check_certificate.py.
"""
import hashlib
import json
import sys

kind, graph_path, result_path, certificate_path = sys.argv[1:]
edges = [line.split()[:2] for line in open(graph_path) if line.strip() and not line.startswith("#")]
labels = list(dict.fromkeys(label for edge in edges for label in edge))
n = len(labels)
A = [[0] * n for _ in labels]
for a, b in edges:
    i, j = labels.index(a), labels.index(b)
    A[i][j] = A[j][i] = 1
certificate = json.load(open(certificate_path))
question, rounds = certificate["question"], certificate["rounds"]
lines = open(result_path, encoding="utf-8").read().split("\n")


def vector(seed, modulus):
    """The first n numbers of SplitMix64, scaled."""
    words = []
    for step in range(1, n + 1):
        z = (seed + step * 0x9E3779B97F4A7C15) % 2**64
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        words.append((z ^ z >> 31) * modulus >> 64)
    return words


def image(seed, modulus):
    y = vector(seed, modulus)
    for _ in range(int(question["length"])):
        y = [sum(a * b for a, b in zip(row, y)) % modulus for row in A]
    return [[format(value, "x") for value in y]]


def kernel(rows, p):
    """A vector, not 0, whose products with the rows are 0 modulo the prime p; there are fewer rows than columns."""
    rows, pivots = [row[:] for row in rows], []
    for r in range(len(rows)):
        c = next(c for c in range(n) if rows[r][c] % p)
        inverse = pow(rows[r][c], -1, p)
        rows[r] = [value * inverse % p for value in rows[r]]
        for other in range(len(rows)):
            if other != r:
                factor = rows[other][c]
                rows[other] = [(a - factor * b) % p for a, b in zip(rows[other], rows[r])]
        pivots.append(c)
    free = next(c for c in range(n) if c not in pivots)
    found = [int(c == free) for c in range(n)]
    for row, c in zip(rows, pivots):
        found[c] = -row[free] % p
    return found


def change_row(change):
    """Changes the counts of the third row of a table."""
    fields = lines[3].split("\t")
    lines[3] = "\t".join(fields[:1] + [str(count) for count in change([int(field) for field in fields[1:]])])


if kind == "small-modulus":
    change_row(lambda row: [row[0] + 41, *row[1:]])
    certificate["rounds"] = rounds = [{"modulus": "41", "seed": "7"}]
elif kind == "moduli":  # of the rounds: their product added is 0 modulo each of them
    product = 1
    for one in rounds:
        product *= int(one["modulus"])
    change_row(lambda row: [row[0] + product, *row[1:]])
elif kind == "seeds":  # the residues of a row changed by what each vector of the certificate makes 0
    p = int(question["modulus"])
    d = kernel([vector(int(one["seed"]), p) for one in rounds], p)
    change_row(lambda row: [(a + b) % p for a, b in zip(row, d)])
elif kind == "length":
    question["length"] = str(int(question["length"]) - 1)
elif kind == "corner":
    lines[0] = "x" + lines[0]
elif kind == "label":
    lines = [line.replace(f"% label 2 {labels[1]}", f"% label 2 {labels[2]}") for line in lines]
elif kind == "about":
    lines = [line.replace(f"of length {question['length']} ", "of length 1 ") for line in lines]
elif kind == "index-0":
    lines = [f"0 {line.split(' ', 1)[1]}" if line.startswith(f"{n} ") and line.count(" ") == 2 else line
             for line in lines]
elif kind == "foreign-digits":
    lines[-2] = lines[-2].translate({ord("0") + d: 0x660 + d for d in range(10)})
elif kind == "foreign-length":
    question["length"] = "".join(chr(0x660 + int(d)) for d in question["length"])
elif kind in ("each", "up_to", "mean"):
    question[kind] = True
elif kind == "one-round":
    del rounds[1:]
elif kind != "nothing":
    sys.exit(f"there is no kind '{kind}'")

for one in rounds:
    one["images"] = [image(int(one["seed"]), int(one["modulus"]))[0]]
data = "\n".join(lines).encode("utf-8")
certificate["result"] = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
open(result_path, "wb").write(data)
json.dump(certificate, open(certificate_path, "w"))
