"""Has every command write each of its formats, and reads the files back: by `pathcount verify` or as a graph, by
Python itself, and by NumPy, SciPy, pandas, NetworkX and igraph where they are installed. Numbers and labels must be
those that this script counts itself.
    python3 tests/files/results.py build/pathcount
The last line is "N passed, N failed, N skipped"; exits 1 when a case failed."""

import collections
import csv
import fractions
import gzip
import importlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings

sys.dont_write_bytecode = True
warnings.simplefilter("ignore")
pathcount = os.path.abspath(sys.argv[1])
packages = {}
for name in ("numpy", "pandas", "scipy.io", "scipy.sparse", "networkx", "igraph"):
    try:
        packages[name] = importlib.import_module(name)
    except ImportError:
        pass
n_passed = n_failed = 0
skipped = collections.Counter()


def run(*arguments, text=None, status=0):
    """Standard output of the command, as bytes."""
    done = subprocess.run([pathcount, *arguments], input=text, capture_output=True)
    if done.returncode != status:
        judge(f"pathcount {' '.join(arguments)}: {done.stderr.decode()}", done.returncode, status)
    return done.stdout


def judge(name, got, expected):
    global n_passed, n_failed
    if got == expected:
        n_passed += 1
    else:
        n_failed += 1
        print(f"FAILED: {name}\n    got      {str(got)[:300]}\n    expected {str(expected)[:300]}")


def compare(name, package, read, expected):
    """Judges what read() returns, which needs a package; "" needs none."""
    if package and package not in packages:
        skipped[package] += 1
        return
    try:
        got = read()
    except Exception as error:
        got = repr(error)
    judge(f"{name} by {package or 'Python'}", got, expected)


# ---- What is right -----------------------------------------------------------------------------------

class Graph:
    def __init__(self, name, labels, arcs, options=()):
        """arcs[i, j] is the multiplicity from labels[i] to labels[j]."""
        self.name, self.labels, self.options = name, labels, list(options)
        n = len(labels)
        self.matrix = [[arcs.get((i, j), 0) for j in range(n)] for i in range(n)]


def multiply(a, b):
    return [[sum(x * b[k][j] for k, x in enumerate(row) if x) for j in range(len(b[0]))] for row in a]


def power(a, k):
    result = [[int(i == j) for j in range(len(a))] for i in range(len(a))]
    for _ in range(k):
        result = multiply(result, a)
    return result


def entries(rows, columns, matrix):
    return {(r, c): value for r, line in zip(rows, matrix) for c, value in zip(columns, line) if value}


# ---- Readers: each returns {(label, label): number}, zeros left out --------------------------------

def number(text):
    text = str(text)
    if "/" in text:
        return fractions.Fraction(text)
    return int(text) if text.lstrip("-").isdigit() else float(text)


def unescape(label):
    for escape, character in (("\\t", "\t"), ("\\n", "\n"), ("\\r", "\r"), ("\\\\", "\\")):
        label = label.replace(escape, character)
    return label


def opened(path):
    return gzip.open(path, "rt", newline="") if path.lower().endswith(".gz") else open(path, newline="")


def by_csv(path, separator):
    quoting = csv.QUOTE_MINIMAL if separator == "," else csv.QUOTE_NONE
    table = list(csv.reader(opened(path), delimiter=separator, quoting=quoting))
    plain = str if separator == "," else unescape
    return entries([plain(line[0]) for line in table[1:]], [plain(c) for c in table[0][1:]],
                   [[number(x) for x in line[1:]] for line in table[1:]])


def by_json(path):
    root = json.load(opened(path))
    rows = root.get("labels", root.get("row_labels"))
    return entries(rows, root.get("column_labels", rows), [[number(x) for x in row] for row in root["rows"]])


def pairs_of(lines):
    return {(unescape(r), unescape(c)): number(x) for r, c, x in lines}


def by_pairs(path):
    return pairs_of([line.split("\t") for line in opened(path).read().splitlines()[1:]])


def labels_of_mtx(path, shape):
    found = {"label": {}, "row": {}, "column": {}}
    for line in opened(path):
        if not line.startswith("%"):
            break
        words = line.rstrip("\n").split(" ", 3)
        if len(words) == 4 and words[1] in found:
            found[words[1]][int(words[2]) - 1] = unescape(words[3])
    return [[found[axis].get(i, found["label"].get(i, str(i + 1))) for i in range(n)]
            for axis, n in zip(("row", "column"), shape)]


def labels_beside(path, shape):
    if not os.path.exists(path + ".labels"):
        return [list(map(str, range(n))) for n in shape]
    labels = [unescape(line) for line in open(path + ".labels", newline="").read().split("\n")[:-1]]
    return [labels, labels] if len(labels) == shape[0] else [labels[:shape[0]], labels[shape[0]:]]


def by_mtx(path):
    """Wide counts too, which SciPy does not read."""
    lines = opened(path).read().splitlines()
    symmetric = lines[0].endswith("symmetric")
    lines = [line.split() for line in lines if not line.startswith("%")]
    rows, columns = labels_of_mtx(path, [int(x) for x in lines[0][:2]])
    found = {}
    for i, j, value in lines[1:]:
        i, j = int(i) - 1, int(j) - 1
        found[rows[i], columns[j]] = number(value)
        if symmetric:
            found[rows[j], columns[i]] = number(value)
    return found


def of_sparse(path, matrix, labels):
    coo = matrix.tocoo()
    rows, columns = labels(path, coo.shape)
    return {(rows[i], columns[j]): v.item() for i, j, v in zip(coo.row, coo.col, coo.data)}


def by_numpy(path):
    array = packages["numpy"].load(gzip.open(path) if path.endswith(".gz") else path)
    if array.dtype.names:  # wide counts, as README reads them
        array = sum(array[f].astype(object) << 64 * i for i, f in enumerate(array.dtype.names))
    rows, columns = labels_beside(path, array.shape)
    return entries(rows, columns, array.tolist())


def by_pandas(path, separator):
    table = packages["pandas"].read_csv(path, sep=separator, index_col=0, dtype=str, keep_default_na=False,
                                        quoting=0 if separator == "," else 3)
    return entries(list(map(unescape, table.index)), list(map(unescape, table.columns)),
                   [[number(x) for x in line] for line in table.values.tolist()])


def pairs_by_pandas(path):
    table = packages["pandas"].read_csv(path, sep="\t", dtype=str, keep_default_na=False, quoting=3)
    return pairs_of(table.values.tolist())


def pairs_by_networkx(path):
    table = packages["pandas"].read_csv(path, sep="\t", dtype={0: str, 1: str}, keep_default_na=False, quoting=3)
    graph = packages["networkx"].from_pandas_edgelist(table, "from", "to", table.columns[2],
                                                      create_using=packages["networkx"].DiGraph)
    return pairs_of((u, v, d) for u, v, d in graph.edges(data=table.columns[2]))


def pairs_by_igraph(path):
    lines = [line.split("\t") for line in opened(path).read().splitlines()[1:]]
    graph = packages["igraph"].Graph.TupleList(lines, directed=True, edge_attrs=["paths"])
    return pairs_of((graph.vs[e.source]["name"], graph.vs[e.target]["name"], e["paths"]) for e in graph.es)


READERS = {  # ending: (package, reader, fits counts beyond 64 bits)
    "tsv": [("", lambda p: by_csv(p, "\t"), 1), ("pandas", lambda p: by_pandas(p, "\t"), 1)],
    "csv": [("", lambda p: by_csv(p, ","), 1), ("pandas", lambda p: by_pandas(p, ","), 1)],
    "json": [("", by_json, 1)],
    "pairs.tsv": [("", by_pairs, 1), ("pandas", pairs_by_pandas, 1), ("igraph", pairs_by_igraph, 1),
                  ("networkx", pairs_by_networkx, 0)],
    "mtx": [("", by_mtx, 1),
            ("scipy.io", lambda p: of_sparse(p, packages["scipy.io"].mmread(p), labels_of_mtx), 0)],
    "npy": [("numpy", by_numpy, 1)],
    "npz": [("scipy.sparse", lambda p: of_sparse(p, packages["scipy.sparse"].load_npz(p), labels_beside), 0)],
}
DOUBLES = {"mtx", "npy", "npz"}


def read_back(name, path, ending, expected, rounded=False):
    """Doubles may be off by a few units of the last of 16 digits; means become doubles in some formats."""
    wide = max(expected.values(), default=0) >= 1 << 64 and not rounded
    rounded = rounded or ending in DOUBLES and any(isinstance(x, fractions.Fraction) for x in expected.values())

    def is_close(pair, value):
        return pair in expected and abs(value - expected[pair]) <= 1e-12 * expected[pair]
    for package, read, fits in READERS[ending]:
        if package == "networkx" and "pandas" not in packages:
            package = "pandas"
        if fits or not wide:
            compare(f"{name} {ending}", package,
                    lambda: {pair: expected[pair] if rounded and is_close(pair, value) else value
                             for pair, value in read(path).items()}, expected)


# ---- Matrices ----------------------------------------------------------------------------------------

def write_and_read(name, command, verify, rows, columns, matrix, rounded=False):
    """Writes all formats in one run, and each on standard output."""
    expected = entries(rows, columns, matrix)
    endings = [e for e in READERS if e != "npz" or rounded or max(expected.values(), default=0) < 1 << 62]
    paths = {ending: f"result.{ending}" for ending in endings}
    paths.update({f"{ending}.gz": f"result.{ending}.gz" for ending in ("tsv", "mtx", "npy", "pairs.tsv", "json")})
    run(*command, "-q", *(part for path in paths.values() for part in ("-o", path)))
    for ending, path in paths.items():
        if not os.path.exists(path):
            judge(f"{name} {ending}", "no file", "a file")
            continue
        plain = ending[:-3] if ending.endswith(".gz") else ending
        judge(f"{name} {ending} by verify", b": certified" in run("verify", *verify(path)), True)
        if ending != "npy.gz":
            read_back(name, path, plain, expected, rounded)
        judge(f"{name} {ending} on standard output", run(*command, "-q", "--as", ending), open(path, "rb").read())
    for file in os.listdir("."):
        if file.startswith("result."):
            os.unlink(file)


def path_graph():
    labels = ["b", "a", "long name", 'q"uote', "tab\there", "x,y", "back\\slash"]
    text = "".join('"%s","%s"\n' % (u.replace('"', '""'), v.replace('"', '""')) for u, v in zip(labels, labels[1:]))
    open("names.csv", "w").write(text)
    arcs = {}
    for i in range(len(labels) - 1):
        arcs[i, i + 1] = arcs[i + 1, i] = 1
    return Graph("names.csv", labels, arcs)


def weighted_graph():
    arcs = {(i, (i * i + 3) % 11): 1 + i % 4 for i in range(11)}
    arcs.update({(i, (i + 1) % 11): 2 for i in range(0, 11, 2)})
    open("arcs.txt", "w").write("".join(f"{i} {j} {w}\n" for (i, j), w in arcs.items()))
    return Graph("arcs.txt", list(map(str, range(11))), arcs, ["--directed", "--weights"])


def count(graphs):
    for graph in graphs:
        for k, extra, function in ((0, [], int), (5, [], int), (90, [], int), (40, ["--mod", "97"], lambda x: x % 97),
                                   (6, ["--float"], float)):
            matrix = [[function(x) for x in row] for row in power(graph.matrix, k)]
            options = [*graph.options, "-k", str(k), *extra]
            write_and_read(f"count {graph.name} {' '.join(options)}", [graph.name, *options],
                           lambda path: [graph.name, path, *options], graph.labels, graph.labels, matrix,
                           extra == ["--float"])


def lengths_added_up(graphs):
    for graph in graphs:
        for k, extra, function in ((0, [], int), (1, [], int), (6, [], int), (70, [], int),
                                   (40, ["--mod", "97"], lambda x: x % 97), (6, ["--float"], float)):
            powers = [power(graph.matrix, length) for length in range(1, k + 1)]
            matrix = [[function(sum(a[i][j] for a in powers)) for j in range(len(graph.labels))]
                      for i in range(len(graph.labels))]
            options = [*graph.options, "-k", str(k), "--up-to", *extra]
            write_and_read(f"count {graph.name} {' '.join(options)}", [graph.name, *options],
                           lambda path: [graph.name, path, *options], graph.labels, graph.labels, matrix,
                           extra == ["--float"])


def lengths_each(graphs):
    """The matrices of all lengths: a folder of files, and an array of NumPy."""
    for graph in graphs:
        for k, extra, function in ((1, [], int), (12, [], int), (70, [], int), (40, ["--mod", "97"], lambda x: x % 97),
                                   (6, ["--float"], float)):
            matrices = [[[function(x) for x in row] for row in power(graph.matrix, length)]
                        for length in range(1, k + 1)]
            options = [*graph.options, "-k", str(k), "--each", *extra]
            name = f"count {graph.name} {' '.join(options)}"
            sums = run(graph.name, *options, "-q", "-o", "each", "--as", "tsv", "-o", "stack.npy").decode().split()[3::2]
            total = [function(sum(map(sum, matrix))) for matrix in matrices]
            judge(f"{name}: sums", [float(x) for x in sums] if "--float" in extra else [int(x) for x in sums], total)
            for length, matrix in enumerate(matrices, 1):
                path = f"each/{length:0{len(str(k))}}.tsv"
                compare(f"{name}: {path}", "", lambda: by_csv(path, "\t"), entries(graph.labels, graph.labels, matrix))

            def by_stack():
                array = packages["numpy"].load("stack.npy")
                wide = len(array.dtype.names or ())
                if not wide:
                    return array.tolist()
                return [[[sum(int(x[f"limb{i}"]) << 64 * i for i in range(wide)) for x in row] for row in matrix]
                        for matrix in array]
            compare(f"{name}: stack", "numpy", by_stack, matrices)
            judge(f"{name}: stack by verify", b": certified" in run("verify", graph.name, "stack.npy", *options), True)
            shutil.rmtree("each")


def decimals():
    """Probabilities and Katz centrality of weights with decimals, by NumPy."""
    text = "a b 0.25\na c 1.5e-2\nb c 3\nc a 0.1\nc c 0.333333333333333333333\n"
    open("real.txt", "w").write(text)

    def matrix():
        made = packages["numpy"].zeros((3, 3))
        for line in text.splitlines():
            u, v, w = line.split()
            made["abc".index(u), "abc".index(v)] = float(w)
        return made

    def are_near(found, wanted):
        return bool(packages["numpy"].allclose(found, wanted, rtol=1e-12, atol=0))

    def markov():
        run("real.txt", "--directed", "-k", "5", "--markov", "-q", "-o", "p.npy")
        p = matrix()
        p /= p.sum(axis=1, keepdims=True)
        return are_near(packages["numpy"].load("p.npy"), packages["numpy"].linalg.matrix_power(p, 5))

    def katz():
        lines = run("real.txt", "--directed", "-k", "60", "--katz", "0.2", "--weights", "-q").decode().split()[2:]
        ones, a = packages["numpy"].ones(3), 0.2 * matrix()
        return are_near([float(x) for x in lines[1::2]], ones @ packages["numpy"].linalg.inv(packages["numpy"].eye(3) - a) - ones)
    compare("--markov with decimals", "numpy", markov, True)

    # Texts are read as the same doubles, bit by bit.
    texts = ["tsv", "csv", "json", "pairs.tsv", "mtx"]
    open("third.txt", "w").write("".join(f"{u} {v}\n" for u in range(30) for v in range(u) if (u * v) % 3 == 1))
    run("third.txt", "-k", "9", "--markov", "-q",
        *(part for ending in ["npy", *texts] for part in ("-o", f"p.{ending}")))
    for ending in texts:
        compare(f"--markov, the doubles of {ending}", "numpy",
                lambda: READERS[ending][0][1](f"p.{ending}") == by_numpy("p.npy"), True)
    compare("--katz with decimals", "numpy", katz, True)


def coarsen(graph):
    n, k = len(graph.labels), 5
    blocks = [v // 3 for v in range(n)]
    n_blocks = blocks[-1] + 1
    sizes = [blocks.count(b) for b in range(n_blocks)]
    sums = [[0] * n_blocks for _ in range(n_blocks)]
    for i, row in enumerate(power(graph.matrix, k)):
        for j, value in enumerate(row):
            sums[blocks[i]][blocks[j]] += value
    means = [[fractions.Fraction(x, sizes[i] * sizes[j]) for j, x in enumerate(row)] for i, row in enumerate(sums)]
    labels = [f"{3 * b}-{min(3 * b + 2, n - 1)}" for b in range(n_blocks)]
    open("blocks.txt", "w").write("".join(f"{v}\tblock {b}\n" for v, b in zip(graph.labels, blocks)))
    named = [f"block {b}" for b in range(n_blocks)]
    for spec, rows in (("3", labels), ("blocks.txt", named)):
        for extra, matrix in (([], sums), (["--mean"], means)):
            options = [*graph.options, "-k", str(k), "--blocks", spec, *extra]
            write_and_read(f"coarsen {' '.join(options)}", ["coarsen", graph.name, *options],
                           lambda path: [graph.name, path, *options], rows, rows, matrix)


def chain():
    open("writes.txt", "w").write("Ada\tp1\nBen\tp1\nBen\tp2\nCleo\tp3\n")
    open("published.txt", "w").write("p1\tTheory\np2\tGraphs\np3\tGraphs\n")
    write_and_read("chain", ["chain", "writes.txt", "published.txt"],
                   lambda path: ["--chain", "writes.txt", "published.txt", path], ["Ada", "Ben", "Cleo"],
                   ["Theory", "Graphs"], [[1, 0], [1, 1], [0, 1]])
    both = [[1, 1, 0], [1, 2, 0], [0, 0, 1]]
    names = ["Ada", "Ben", "Cleo"]
    write_and_read("chain of a power", ["chain", "writes.txt", "writes.txt^T", "--power", "4"],
                   lambda path: ["--chain", "writes.txt", "writes.txt^T", path, "--power", "4"], names, names,
                   power(both, 4))


def batch(graph):
    expected = entries(graph.labels, graph.labels, power(graph.matrix, 5))
    stem = graph.name.split(".")[0]
    for ending in READERS:
        folder = f"out-{stem}-{ending}"
        run("batch", graph.name, *graph.options, "-k", "5", "--out", folder, "--as", ending, "-q")
        line = json.loads(open(f"{folder}/manifest.jsonl").read())
        path = f"{folder}/{stem}.{ending}"
        judge(f"the name of a result as {ending}", f"{folder}/{line['result']}", path)
        judge(f"labels in the manifest, {ending}", line.get("labels"),
              f"{stem}.{ending}.labels" if os.path.exists(path + ".labels") else None)
        judge(f"batch {ending} by verify", b": certified" in run("verify", folder), True)
        read_back("batch", path, ending, expected)


# ---- Answers that are printed -------------------------------------------------------------------------

def queries(graph):
    a5 = power(graph.matrix, 5)
    source = graph.labels[1]
    expected = {(source, v): x for v, x in zip(graph.labels, a5[1])}
    lines = run(graph.name, *graph.options, "-k", "5", "--from", source, "-q").decode()
    compare("--from", "", lambda: {(r, c): int(x) for r, c, x in (s.split("\t") for s in lines.splitlines()[1:])},
            expected)

    def pandas():
        table = packages["pandas"].read_csv(io.StringIO(lines), sep="\t", dtype=str, quoting=3)
        return {(r, c): int(x) for r, c, x in table.values.tolist()}
    compare("--from", "pandas", pandas, expected)
    ranked = [(u, v, row[j]) for u, row in zip(graph.labels, a5)
              for j, v in sorted(enumerate(graph.labels), key=lambda place: (-row[place[0]], place[0]))[:3] if row[j]]
    lines = run(graph.name, *graph.options, "-k", "5", "--top-each", "3", "-q").decode()
    judge("--top-each", [(u, v, int(x)) for u, v, x in (s.split("\t") for s in lines.splitlines()[1:])], ranked)
    wide = run(graph.name, *graph.options, "-k", "90", "--top-each", "1", "-q", "--json")
    judge("--top-each of wide counts", [int(x["paths"]) for x in json.loads(wide)["answers"]],
          [max(row) for row in power(graph.matrix, 90) if max(row)])
    answer = json.loads(run(graph.name, *graph.options, "-k", "5", "--from", source, "-q", "--json"))
    judge("--from in JSON", {(x["from"], x["to"]): int(x["paths"]) for x in answer["answers"]}, expected)
    whole = json.loads(run(graph.name, *graph.options, "-k", "5", "-q", "--json"))
    judge("--json", [[int(x) for x in row] for row in whole["matrix"]], a5)
    judge("labels of --json", whole["labels"], graph.labels)
    total = sum(map(sum, a5))
    judge("--total", int(run(graph.name, *graph.options, "-k", "5", "--total", "-q")), total)


def stream():
    graphs = {"Bw": 3 * 2 ** 4, "A_": 2, "CF": sum(map(sum, power(
        [[0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 1], [1, 1, 1, 0]], 4)))}
    text = "".join(f"{g}\n" for g in graphs).encode()
    open("graphs.g6", "wb").write(text)
    answer = run("batch", "-", "-k", "4", "--total", "-q", text=text)
    open("totals.txt", "wb").write(answer)
    judge("a stream", [int(x) for x in answer.split()], list(graphs.values()))
    compare("a stream", "numpy", lambda: packages["numpy"].loadtxt("totals.txt", dtype="u8").tolist(),
            list(graphs.values()))
    judge("a stream by verify",
          b": certified" in run("verify", "--stream", "graphs.g6", "totals.txt", "-k", "4", "--total"), True)


# ---- Graphs ------------------------------------------------------------------------------------------

def edges_by_csv(path):
    separator = "\t" if ".tsv" in path else "," if ".csv" in path else " "
    lines = [line.split(separator) for line in opened(path).read().splitlines() if not line.startswith("#")]
    return {(u, v): int(w) for u, v, w in lines if int(w)}


def both_ways(found):
    return {pair: w for (u, v), w in found.items() for pair in ((u, v), (v, u))}


def edges_by_networkx(path):
    separator = "\t" if ".tsv" in path else "," if ".csv" in path else " "
    graph = packages["networkx"].read_weighted_edgelist(path, delimiter=separator)
    return {(u, v): int(w) for u, v, w in graph.edges(data="weight") if w}


def graphs_written(weighted):
    printed = run("generate", "erdos-renyi", "--vertices", "30", "--edges", "60", "--seed", "5", "-q").decode()
    expected = both_ways({tuple(line.split()): 1 for line in printed.splitlines() if line[0] != "#"})
    for ending in ("txt", "tsv", "csv", "mtx", "tsv.gz", "mtx.gz", "TXT"):
        path = f"g.{ending}"
        run("generate", "erdos-renyi", "--vertices", "30", "--edges", "60", "--seed", "5", "-q", "-o", path)
        back = json.loads(run(path, "-k", "1", "--json", "-q", "--mod", "1000"))
        judge(f"generate {ending} as a graph", (back["graph"]["vertices"], int(back["total_paths"])), (30, 120))
        if "mtx" in ending:
            compare(f"generate {ending}", "", lambda: by_mtx(path), {
                (str(int(u) + 1), str(int(v) + 1)): w for (u, v), w in expected.items()})
            compare(f"generate {ending}", "scipy.io", lambda: packages["scipy.io"].mmread(path).nnz, 120)
        else:
            compare(f"generate {ending}", "", lambda: both_ways(edges_by_csv(path)), expected)
            compare(f"generate {ending}", "networkx", lambda: both_ways(edges_by_networkx(path)), expected)
    for ending, nx_reader, igraph_reader in (("graphml", "read_graphml", "Read_GraphML"), ("gml", "read_gml", "Read_GML"),
                                             ("net", "read_pajek", "Read_Pajek")):
        path = f"g.{ending}"
        run("generate", "erdos-renyi", "--vertices", "30", "--edges", "60", "--seed", "5", "-q", "-o", path)
        back = subprocess.run([pathcount, path, "-k", "3", "--total", "-q"], capture_output=True)
        judge(f"generate {ending} as a graph", back.stdout, run("g.txt", "-k", "3", "--total", "-q"))

        def by_networkx():
            graph = getattr(packages["networkx"], nx_reader)(path)
            name = {v: d.get("name", str(v)) for v, d in graph.nodes(data=True)}
            return both_ways({(name[u], name[v]): int(w) for u, v, w in graph.edges(data="weight")})

        def by_igraph():
            graph = getattr(packages["igraph"].Graph, igraph_reader)(path)
            name = graph.vs[next(a for a in ("name", "label", "id") if a in graph.vs.attributes())]
            return both_ways({(name[e.source], name[e.target]): int(e["weight"]) for e in graph.es})
        compare(f"generate {ending}", "networkx", by_networkx, expected)
        compare(f"generate {ending}", "igraph", by_igraph, expected)
    halves = {}
    for (u, v), w in entries(weighted.labels, weighted.labels, weighted.matrix).items():
        pair = tuple("left" if int(x) < 6 else "right" for x in (u, v))
        halves[pair] = halves.get(pair, 0) + w
    run("coarsen", weighted.name, *weighted.options, "-k", "1", "--blocks", "halves.txt", "--graph", "q.mtx", "-q")
    judge("coarsen --graph mtx, labels", run("q.mtx", "-k", "1", "-q", "--as", "tsv").splitlines()[0], b"\tleft\tright")
    for ending in ("txt", "tsv", "csv"):
        run("coarsen", weighted.name, *weighted.options, "-k", "1", "--blocks", "halves.txt", "--graph", f"q.{ending}", "-q")
        compare(f"coarsen --graph {ending}", "", lambda: edges_by_csv(f"q.{ending}"), halves)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    names, weighted = path_graph(), weighted_graph()
    open("halves.txt", "w").write("".join(f"{v} {'left' if int(v) < 6 else 'right'}\n" for v in weighted.labels))
    count((names, weighted))
    lengths_added_up((names, weighted))
    lengths_each((names, weighted))
    decimals()
    coarsen(weighted)
    chain()
    batch(names)
    batch(weighted)
    queries(weighted)
    stream()
    graphs_written(weighted)
    os.chdir("/")
for name, n in skipped.items():
    print(f"SKIPPED: {n} readings by {name}, which is not installed")
print(f"{n_passed} passed, {n_failed} failed, {sum(skipped.values())} skipped")
sys.exit(n_failed > 0)
