#!/usr/bin/env python3
"""Random small graphs in the spellings of many programs, read by the command and judged by counting in Python:
  python3 tests/spellings.py build/pathcount [FILES [SEED]] [--only WORDS]
Each file must be read as the graph that was written (sizes, direction, the walks of length 3 from and to each vertex,
and labels where the spelling has them), with exit status 0, or refused with status 65 and a message of which one
advice, the options in parentheses, makes the command read that graph. A format that the command does not read may be
refused by its name. Printed is for each spelling how many files were right; asked (refused, and an advice gives the
right graph); broken (asked, but another advice in parentheses fails); refused by name; WRONG (another graph, or another
end); LOST (refused, and no advice gives the right graph); skipped, as the command has no igraph. One example of each
failure is shown. The last line is "N passed, N failed, N skipped", where right, asked, broken and refused have passed.
The exit status is 1 when a file failed. The seed and the number of a file decide everything."""
import argparse, collections, json, multiprocessing, os, random, re, subprocess, sys, tempfile

PLAIN = '.txt .csv .tsv .dat .edges .edgelist -'
TEXT, MATRIX = '.txt .dat -', '.txt .csv .dat .adj .matrix -'
PEOPLE = 'Ann Ben Cleo Dora Emil Finn Gus Hana Ivo Jan Kim Leo'.split()
CITIES = ['New York', 'Oslo', 'San Jose', 'Rome', 'Cape Town', 'Lima', 'Hong Kong', 'Bergen', 'Sao Paulo', 'Kyiv']
GENES = 'TP53 MDM2 CDKN1A E2F1 BRCA1 ATM CHEK2 RB1 MYC EGFR KRAS'.split()
# Rows: name, kind (u undirected, d directed, b one of both, ? undirected and may be read either way), endings, what a
# graph may have besides edges, words of a refusal by name, and the function of a Graph to its text
SPELLINGS = []


def walks(n, arcs, directed):
    """Returns direction, vertices, edges, and for each vertex the walks of length 3 that start and that end there"""
    entries = set(arcs) | (set() if directed else {(v, u) for u, v in arcs})
    starting, ending = [1] * n, [1] * n
    for _ in range(3):
        starting = [sum(starting[v] for u, v in entries if u == w) for w in range(n)]
        ending = [sum(ending[u] for u, v in entries if v == w) for w in range(n)]
    edges = {(u, v) for u, v in entries if directed or u <= v}
    return 'directed' if directed else 'undirected', n, len(edges), list(zip(starting, ending))


class Graph:
    """n vertices and arcs in the order of the file; an undirected edge is there once, in any direction"""

    def __init__(self, rng, kind, has):
        self.rng, self.directed = rng, kind == 'd' or kind == 'b' and rng.random() < 0.5
        while True:
            n = rng.randint(3, 9)
            loops = 'loops' in has and rng.random() < 0.2
            pairs = [(u, v) for u in range(n) for v in range(n) if u < v or u > v and self.directed or u == v and loops]
            arcs = rng.sample(pairs, rng.randint(2, min(20, len(pairs))))
            if 'lone' not in has:
                touched = sorted({v for arc in arcs for v in arc})
                n = len(touched)
                arcs = [(touched.index(u), touched.index(v)) for u, v in arcs]
            # a directed graph that is symmetric could not be told from an undirected one by some spellings
            if n >= 3 and (not self.directed or any((v, u) not in arcs for u, v in arcs)):
                break
        if not self.directed:
            arcs = [arc if rng.random() < 0.5 else arc[::-1] for arc in arcs]
        if rng.random() < 0.5:
            arcs.sort()
        self.n, self.arcs, self.names = n, arcs, None
        self.truths = [walks(n, arcs, self.directed)]
        self.truths += [walks(n, arcs, True)] * (kind == '?')

    def named(self, names):
        """Names the vertices by labels that an answer is to have, as they are without quotes and .0"""
        self.names = [re.sub(r'^(["\'])(.*)\1$|\.0$', r'\2', name) for name in names]
        return names

    def is_read(self, graph):
        """Returns whether graph is one of the truths"""
        for *sizes, sums in self.truths if graph else []:
            labels = self.names or [''] * len(sums)
            found = sorted((label if self.names else '', *row) for label, *row in graph[3])
            if [*graph[:3]] == sizes and found == sorted((x, *y) for x, y in zip(labels, sums)):
                return True
        return False

    def both(self):
        """The arcs, and those of undirected edges in both directions, sorted: the entries of the matrix"""
        return sorted(set(self.arcs) | (set() if self.directed else {(v, u) for u, v in self.arcs}))

    def after(self, v):
        return [w for u, w in self.both() if u == v]

    def later(self, v):
        """The neighbours of v where a list has each undirected edge once"""
        return [w for w in self.after(v) if self.directed or w >= v]

    def words(self):
        return {'n': self.n, 'm': len(self.arcs), 'd': 'directed' if self.directed else 'undirected',
                'D': 'Directed' if self.directed else 'Undirected', 'a': 'asym' if self.directed else 'sym'}


# Labels: functions of the generator and the number of vertices
numbers = lambda base: lambda rng, n: [str(base + v) for v in range(n)]
prefixed = lambda prefix: lambda rng, n: [prefix + str(1 + v) for v in range(n)]
of = lambda words: lambda rng, n: rng.sample(words, n)
quoted = lambda labels, quote='"': lambda rng, n: [quote + label + quote for label in labels(rng, n)]
large = lambda rng, n: [str(label) for label in rng.sample(range(10**3, 10**rng.choice([4, 6, 9, 12])), n)]
addresses = lambda rng, n: ['10.%d.%d.%d' % (rng.randrange(99), rng.randrange(99), v) for v in range(n)]
# Columns beside the ends of an edge: functions of the generator and of the number of the line
count = lambda base: lambda rng, i: str(base + i)
weight = lambda rng, i: str(rng.randint(1, 9))
real = lambda rng, i: '%.*f' % (rng.randint(1, 4), rng.uniform(0.1, 9))
decimal_comma = lambda rng, i: real(rng, i).replace('.', ',')
time = lambda rng, i: str(1082040961 + 86000 * i + rng.randrange(86000))
year = lambda rng, i: str(rng.randint(1990, 2024))
date = lambda rng, i: '%s-%02d-%02d' % (year(rng, i), rng.randint(1, 12), rng.randint(1, 28))
word = lambda rng, i: rng.choice(['friend', 'colleague', 'family'])
attributes = lambda rng, i: "{'weight': %s}" % weight(rng, i)


def line_list(g, labels, sep, head, before, behind, start, stop):
    names = g.named(labels(g.rng, g.n))
    if len(g.truths) == 1 and g.rng.random() < 0.15:  # an edge that is given again
        g.arcs.append(g.rng.choice(g.arcs)[::1 if g.directed else g.rng.choice([1, -1])])
    if head == '0,1' and g.arcs == sorted(g.arcs):  # in order, 0,1 is as well the first edge of a list
        g.arcs.reverse()
    lines = [head.format(**g.words())] if head else []
    for i, (u, v) in enumerate(g.arcs):
        fields = [f(g.rng, i) for f in before] + [names[u], names[v]] + [f(g.rng, i) for f in behind]
        lines.append(start + sep.join(fields) + stop.format(**g.words()))
    return '\n'.join(lines) + '\n'


def edges(name, sep=' ', labels=numbers(1), kind='u', head=None, before=(), behind=(), endings=PLAIN, start='', stop='',
          has='loops', refusal=None):
    SPELLINGS.append(('edges: ' + name, kind, endings, has, refusal, lambda g: line_list(
        g, labels, sep, head, before, behind, start, stop)))


people, cities, genes, commas = of(PEOPLE), of(CITIES), of(GENES), of([name + ', J' for name in PEOPLE])
for name, sep, labels in (
        ('blank, from 0', ' ', numbers(0)), ('blank, from 1', ' ', numbers(1)), ('pipe and blanks', ' | ', numbers(1)),
        ('tab, from 0', '\t', numbers(0)), ('tab', '\t', numbers(1)), ('comma, names with blanks', ',', cities),
        ('comma, from 0', ',', numbers(0)), ('comma', ',', numbers(1)), ('blank, letters', ' ', of('ABCDEFGHI')),
        ('comma and blank', ', ', numbers(1)), ('semicolon', ';', numbers(1)), ('tab, names with blanks', '\t', cities),
        ('pipe', '|', numbers(1)), ('several blanks', '    ', large), ('blank, addresses', ' ', addresses),
        ('comma, people', ',', people), ('blank, large ids', ' ', large), ('comma, v_1', ',', prefixed('v_')),
        ('comma, large ids', ',', large), ('tab, large ids', '\t', large), ('blank, 001', ' ', prefixed('00')),
        ('blank, people', ' ', people), ('blank, n1', ' ', prefixed('n')), ('tab, genes', '\t', genes),
        ('comma, quoted names with blanks', ',', quoted(cities)), ('comma, quoted numbers', ',', quoted(numbers(1))),
        ('comma, quoted names with commas', ',', quoted(commas)),
        ('blank, quoted names with blanks', ' ', quoted(cities)), ('semicolon, names with blanks', ';', cities)):
    edges(name, sep, labels)
edges('leading blanks', '   ', start='   ', endings=TEXT)
for name, sep in ('comma', ','), ('semicolon', ';'), ('blank', ' '), ('tab', '\t'):
    edges('trailing ' + name, sep, stop=sep)

for head, sep, labels in (
        ('source,target', ',', numbers(0)), ('from,to', ',', people), ('FromNodeId\tToNodeId', '\t', numbers(0)),
        ('person_a,person_b', ',', numbers(1)), ('person_a,person_b', ',', people), ('Protein A,Protein B', ',', genes),
        ('user;friend', ';', people), ('actor partner', ' ', people), ('"from","to"', ',', quoted(people)),
        ('u v', ' ', numbers(1)), ('node1\tnode2', '\t', genes), ('# source target', ' ', numbers(1)),
        ('id_1,id_2', ',', large), (':START_ID,:END_ID', ',', large), ('#source,target', ',', people),
        ('Quelle;Ziel', ';', cities), ('% from to', ' ', numbers(1)), ('0,1', ',', numbers(0)), ('0,1', ',', people),
        ('source,target', ',', lambda rng, n: [x + '.0' for x in large(rng, n)])):
    edges('header %s over %s' % (head.replace('\t', ' '), labels(random.Random(1), 5)[0]), sep, labels, head=head)
for head, labels, base, behind in (
        (',0,1', numbers(0), 0, ()), (',0,1', people, 0, ()), (',source,target,weight', numbers(0), 0, [real]),
        (',source,target', numbers(0), 0, ()), (',person,friend', people, 0, ()), ('Unnamed: 0,a,b', numbers(0), 0, ()),
        ('id,source,target', large, 1, ()), (None, numbers(0), 0, ()), (None, numbers(1), 1, ()),
        (None, people, 0, ())):
    edges('index, header %s over %s' % (head, labels(random.Random(1), 5)[0]), ',', labels, head=head,
          before=[count(base)], behind=behind, endings='.csv .txt')
edges('header 0,1,2 of pandas over people and weights', ',', people, head='0,1,2', behind=[weight], endings='.csv .txt')
for name, sep, head, labels, index in (
        ('write.csv', ',', '"","V1","V2"', quoted(people), '"%d"'), ('table', ' ', '"V1" "V2"', quoted(people), '"%d"'),
        ('no quotes', ' ', 'V1 V2', numbers(1), '%d'), ('csv, numbers', ',', '"","V1","V2"', numbers(1), '"%d"'),
        ('printed data frame', '    ', '  from to', people, '%d')):
    edges('R: ' + name, sep, labels, head=head, before=[lambda rng, i, index=index: index % (i + 1)],
          endings='.csv .txt' if sep == ',' else TEXT)
edges('Gephi', ',', numbers(0), 'b', 'Source,Target,Id,Type,Label,timeset,Weight', behind=[count(0)], stop=',{D},,,1.0',
      endings='.csv .txt')

for name, sep, labels, head, before, behind in (
        ('Source;Target;Weight', ';', numbers(1), 'Source;Target;Weight', (), [weight]),
        ('weights', ' ', numbers(1), None, (), [weight]), ('weights, from 0', ',', numbers(0), None, (), [weight]),
        ('weights, people', '\t', people, None, (), [weight]), ('dates, header', ',', people, 'a,b,since', (), [date]),
        ('floats', '\t', numbers(1), None, (), [real]), ('times', ' ', numbers(1), None, (), [time]),
        ('small floats', ' ', numbers(0), None, (), [lambda rng, i: '%.3e' % rng.random()]),
        ('weights and times', ' ', numbers(1), None, (), [weight, time]), ('times first', ' ', large, None, [time], ()),
        ('dates', ',', large, None, (), [date]), ('years first', ',', people, None, [year], ()),
        ('years first, header', ',', large, 'year,source,target', [year], ()),
        ('weights first, header', ',', people, 'weight,from,to', [weight], ()),
        ('times with a blank', ',', numbers(1), None, (), [lambda rng, i: date(rng, i) + ' 10:00:00']),
        ('words', '\t', people, None, (), [word]), ('words, numbers', ' ', numbers(1), None, (), [word]),
        ('decimal commas', ';', people, None, (), [decimal_comma]),
        ('decimal commas, header', ';', numbers(1), 'from;to;weight', (), [decimal_comma]),
        ('decimal commas, tab', '\t', numbers(1), None, (), [decimal_comma]),
        ('attributes of NetworkX', ' ', numbers(0), None, (), [attributes]),
        ('attributes of NetworkX, comma', ',', people, None, (), [attributes]),
        ('no attributes of NetworkX', ' ', people, None, (), [lambda rng, i: '{}'])):
    edges('columns: ' + name, sep, labels, head=head, before=before, behind=behind)

for name, head, sep, labels, kind, has, behind in (
        ('n m', '{n} {m}', ' ', numbers(1), 'u', 'loops', ()), ('n m, from 0', '{n} {m}', ' ', numbers(0), 'u', '', ()),
        ('n m, lone vertices', '{n} {m}', ' ', numbers(1), 'u', 'lone', ()), ('n', '{n}', ' ', numbers(0), 'u', '', ()),
        ('n m, weights', '{n} {m}', ' ', numbers(1), 'u', '', [weight]), ('m', '{m}', ' ', large, 'u', 'loops', ()),
        ('n n m', '{n} {n} {m}', ' ', numbers(1), '?', '', ()), ('n, m', '{n},{m}', ',', numbers(1), 'u', '', ()),
        ('n n m, floats', '{n} {n} {m}', ' ', numbers(1), '?', 'loops', [real]),
        ('n and m on two lines', '{n}\n{m}', ' ', numbers(1), 'u', 'loops', ())):
    edges('size line ' + name, sep, labels, kind, head, behind=behind, has=has)

for mark in '#', '%', '//', ';', '--', '!', '*':
    edges(mark + ' without a statement', head=mark + ' written by a program', endings=TEXT)
    for text, sep, labels in ('{d} unweighted', ' ', numbers(1)), ('{d}', ' ', people), ('type: {d}', '\t', numbers(1)):
        edges('%s %s' % (mark, text), sep, labels, 'b', mark + ' ' + text, endings=TEXT)
for head, kind in ('# {D} graph', 'b'), ('# directed: true', 'd'), ('# directed=False', 'u'), \
        ('# {n} vertices, {m} edges', 'u'), ('# This graph is not directed.', 'u'):
    edges(head, kind=kind, head=head, endings=TEXT)
edges('comment # behind', stop=' # seen', endings=TEXT)
edges('KONECT', kind='b', head='% {a} unweighted\n% {m} {n} {n}', endings='out. .txt -')
edges('KONECT, weights and times', kind='b', head='% {a} positive', behind=[weight, time], endings='out. .txt -')
for name, kind, head in ('SNAP', 'd', '# Directed graph (each unordered pair of nodes is saved once): x.txt \n'), \
        ('SNAP, undirected', 'u', '# Undirected graph: x.txt\n'):
    edges(name, '\t', large, kind, head + '# A graph\n# Nodes: {n} Edges: {m}\n# FromNodeId\tToNodeId', endings=TEXT)
edges('BioGRID', '\t', genes, head='#Symbol A\tSymbol B\tSystem\tScore', behind=[lambda rng, i: 'Two-hybrid', real])
for mark in 'CR', 'CRLF', 'BOM':
    edges(mark, labels=large, has='loops ' + mark)
    edges(mark + ', header', ',', people, head='source,target', has='loops ' + mark)
for name, sep, labels, stop, behind in (
        ('(0, 1)', ', ', numbers(0), ')', ()), ("('a', 'b')", ', ', quoted(people, "'"), ')', ()),
        ('(1,2),', ',', numbers(1), '),', ()), ('(1, 2, 3)', ', ', numbers(1), ')', [weight])):
    edges('tuples ' + name, sep, labels, behind=behind, start='(', stop=stop, endings=TEXT, refusal='[Pp]ython|tuple')
for arrow, kind in ('->', 'd'), (' -> ', 'd'), (' => ', 'd'), (' -- ', 'u'), ('--', 'u'), (' - ', 'u'), ('-', 'u'), \
        (' <-> ', 'u'), (' to ', '?'), (',->,', 'd'):
    edges('arrow 1%s2' % arrow, arrow, numbers(1), kind, endings=TEXT, refusal='DOT|[Aa]rrow')
    edges('arrow Ann%sBen' % arrow, arrow, people, kind, endings=TEXT, refusal='DOT|[Aa]rrow')
edges('NCOL', labels=people, behind=[weight], endings='.ncol', has='')


def matrix(name, sep=' ', entry=str, labels=None, head=None, side=None, start='', stop='', endings=MATRIX, first=''):
    """head is what stands before the labels in the first line, side whether the first column has them"""
    def write(g):
        entries, names = set(g.both()), labels(g.rng, g.n) if labels else []
        weights = {}
        for u, v in sorted(entries):
            weights[u, v] = 1 if entry is str else weights.get((v, u)) or g.rng.randint(2, 9)
        lines = [first.format(**g.words())] if first else []
        if head is not None:
            lines.append(head + sep.join(names))
        for u in range(g.n):
            row = [entry(weights.get((u, v), 0)) for v in range(g.n)]
            lines.append(start + sep.join(([names[u]] if side else []) + row) + stop)
        return '\n'.join(lines) + '\n'
    by_name = {'no separator': 'without separators', 'MATLAB': 'semicolons', 'C': 'brackets'}.get(name)
    SPELLINGS.append(('matrix: ' + name, 'b', endings, 'loops lone', by_name, write))


whole, tenths, eighths = '{:d}'.format, '{:.1f}'.format, lambda x: '%g' % (x / 8)
for row in (
        ('blank',), ('comma', ','), ('tab', '\t'), ('semicolon', ';'), ('R: table', ' ', str, quoted(people), '', True),
        ('pipe', '|'), ('no separator', ''), ('weights', ' ', whole), ('labels, large ids', ',', str, large, ',', True),
        ('weights, comma', ',', whole), ('floats', ' ', tenths), ('pandas, no index, 0 1 2', ',', str, numbers(0), ''),
        ('floats, comma', ',', eighths), ('NumPy savetxt', ' ', '{:.18e}'.format),
        ('decimal commas', ';', lambda x: ('%.2f' % x).replace('.', ',')), ('pandas, no index', ',', str, people, ''),
        ('pandas, people', ',', str, people, ',', True), ('pandas, n1', ',', str, prefixed('n'), ',', True),
        ('pandas, node1', ',', str, prefixed('node'), ',', True), ('pandas, 1 2 3', ',', whole, numbers(1), ',', True),
        ('pandas, tab', '\t', str, genes, '\t', True), ('pandas, 0 1 2', ',', str, numbers(0), ',', True),
        ('pandas, user1, floats', ',', tenths, prefixed('user'), ',', True),
        ('labels, semicolon', ';', str, cities, ';', True), ('labels, pipe', '|', str, people, '|', True),
        ('a word in the corner', ',', str, people, 'name,', True), ('R: printed', ' ', str, people, '    ', True),
        ('labels in the first column', ',', str, people, None, True),
        ('labels in the first column, blank', ' ', str, people, None, True),
        ('R: csv', ',', str, quoted(prefixed('V')), '"",', True),
        ('R: csv, people', ',', str, quoted(people), '"",', True), ('R: V1', ' ', str, quoted(prefixed('V')), '')):
    matrix(*row)
for name, sep, start, stop, first in (
        ('aligned', '  ', '  ', '', ''), ('trailing blank', ' ', '', ' ', ''), ('trailing comma', ',', '', ',', ''),
        ('size line n', ' ', '', '', '{n}'), ('size line n n', ' ', '', '', '{n} {n}'),
        ('MATLAB', ' ', '', ';', ''), ('C', ', ', '{', '},', ''), ('comment', ' ', '', '', '# adjacency matrix')):
    matrix(name, sep, start=start, stop=stop, first=first, endings=TEXT)


def lists(name, sep=' ', colon=None, labels=numbers(0), once=True, first='', endings=TEXT, has='loops lone', kind='u',
          stop=''):
    def write(g):
        names = g.named(labels(g.rng, g.n))
        lines = [first.format(**g.words())] if first else []
        for v in range(g.n):
            near = [names[w] for w in (g.later(v) if once else g.after(v))]
            lines.append((sep.join([names[v]] + near) if colon is None else names[v] + colon + sep.join(near)) + stop)
        return '\n'.join(line.rstrip(' ') for line in lines) + '\n'
    SPELLINGS.append(('lists: ' + name, kind, endings, has, 'brackets' if name == 'brackets' else None, write))


NX = '#x.py\n# GMT Tue Mar  3 10:00:00 2026\n#'
for row in (
        ('NetworkX', ' ', None, numbers(0), True, NX, '.adjlist .txt -'), ('both ways', ' ', None, numbers(0), False),
        ('numbers',), ('people', ' ', None, people), ('NetworkX, people', ' ', None, people, True, NX),
        ('.adjlist', ' ', None, numbers(0), True, '', '.adjlist'), ('colon, both ways', ' ', ': ', numbers(1), False),
        ('both ways, people', ' ', None, people, False), ('comma, people', ',', None, people, True, '', '.csv .txt'),
        ('both ways, from 1, no lone vertices', ' ', None, numbers(1), False, '', TEXT, ''), ('colon', ' ', ': '),
        ('tab, genes', '\t', None, genes), ('comma, both ways', ',', None, numbers(0), False, '', '.csv .txt'),
        ('colon, commas', ', ', ': ', people), ('colon, no blanks', ',', ':', numbers(1), False),
        ('arrow', ' ', ' -> ', people, False, '', TEXT, '', 'd'),
        ('comment with {d}', ' ', None, people, False, '# {d}', TEXT, 'loops lone', 'b'),
        ('brackets', ', ', ': [', numbers(0), False, '', TEXT, 'loops lone', 'u', ']')):
    lists(*row)


# Pieces of formats: lines after a head, neighbours, pairs of ends, rows of a matrix, lines after both sizes
block = lambda head, lines, tail='': '\n'.join([head] * bool(head) + list(lines) + [tail] * bool(tail)) + '\n'
near = lambda g, text='%d', before='': [before + ' '.join(text % (w + 1) for w in g.after(v)) for v in range(g.n)]
ends = lambda g, text, base=1, arcs=None: [text % (u + base, v + base) for u, v in (g.arcs if arcs is None else arcs)]
entries = lambda g, u, sep: sep.join('%d' % ((u, v) in g.both()) for v in range(g.n))
rows = lambda g, sep=' ', text='%s': [text % entries(g, u, sep) for u in range(g.n)]
sizes = lambda text, lines, before='': lambda g: block(before + text % (g.n, len(g.arcs)), lines(g))
# A symmetric matrix has its entries on and below the diagonal
market = lambda head, text: lambda g: block(
    '%%%%MatrixMarket matrix coordinate %s\n%%\n%d %d %d' % (head, g.n, g.n, len(g.arcs)),
    ends(g, text, 1, g.arcs if g.directed else [(max(arc), min(arc)) for arc in g.arcs]))
pajek = lambda g, title, lines: block('*Vertices %d' % g.n, [
    '%d "%s"' % (v, name) for v, name in enumerate(g.rng.choice([people, cities])(g.rng, g.n), 1)] + [title] + lines)
json_graph = lambda g, links: json.dumps({'directed': g.directed, 'nodes': [{'id': v} for v in range(g.n)], links: [
    {'source': u, 'target': v} for u, v in g.arcs]}, indent=g.rng.choice([None, 2]))
LONE, METIS, PRINTED = 'loops lone', '.graph .metis .txt -', 'SciPy|MATLAB|[Pp]ython'
SPELLINGS += [
    ('edges: both directions', 'u', PLAIN, 'loops', None, lambda g: block('', ends(g, '%d %d', 1, g.both()))),
    ('lists: multi-line', 'u', '.adjlist .txt -', LONE, None, lambda g: block(g.rng.choice(['', NX]), (
        '\n'.join(['v%d %d' % (v, len(g.later(v)))] + ['v%d {}' % w for w in g.later(v)]) for v in range(g.n)))),
    ('METIS', 'u', METIS, 'lone', None, sizes('%d %d', near)),
    ('METIS, comment', 'u', METIS, 'lone', None, sizes('%d %d', near, '% by hand\n')),
    ('METIS, weights of edges', 'u', METIS, 'lone', None, sizes('%d %d 001', lambda g: near(g, '%d 3'))),
    ('METIS, weights of vertices', 'u', METIS, 'lone', None, sizes('%d %d 10', lambda g: near(g, '%d', '5 '))),
    ('DIMACS sp', 'd', '.gr .txt -', LONE, None, sizes('p sp %d %d', lambda g: ends(g, 'a %d %d 7'), 'c roads\n')),
    ('DIMACS edge', 'u', '.col .txt -', LONE, None, sizes('p edge %d %d', lambda g: ends(g, 'e %d %d'), 'c a\n')),
    ('lines e U V', 'u', TEXT, 'loops', 'DIMACS', lambda g: block('', ends(g, 'e %d %d'))),
    ('Matrix Market, pattern general', 'd', '.mtx .txt', LONE, None, market('pattern general', '%d %d')),
    ('Matrix Market, pattern symmetric', 'u', '.mtx .txt', LONE, None, market('pattern symmetric', '%d %d')),
    ('SciPy printed', 'b', TEXT, 'loops', PRINTED, lambda g: block('', ends(g, '  (%d, %d)\t1', 0, g.both()))),
    ('SciPy printed, with a head', 'b', TEXT, 'loops', PRINTED, lambda g: block(
        "<Compressed Sparse Row sparse matrix of dtype 'int64'\n\twith %d stored elements and shape (%d, %d)>\n"
        "  Coords\tValues" % (len(g.both()), g.n, g.n), ends(g, '  (%d, %d)\t1', 0, g.both()))),
    ('MATLAB printed', 'b', TEXT, 'loops', PRINTED, lambda g: block(
        g.rng.choice(['', 'A =\n']), ends(g, '   (%d,%d)        1', 1, sorted(g.both(), key=lambda arc: arc[::-1])))),
    ('Python tuples', 'u', TEXT, 'loops', '[Pp]ython|JSON', lambda g: '[%s]\n' % ', '.join(ends(g, '(%d, %d)'))),
    ('NumPy printed', 'b', TEXT, LONE, 'brackets', lambda g: '[%s]\n' % '\n '.join(rows(g, ' ', '[%s]'))),
    ('Python list of rows', 'b', TEXT, LONE, '[Pp]ython|JSON|brackets', lambda g: block('', rows(g, ', ', '[%s],'))),
    ('SIF', 'u', '.sif .txt', 'loops', None, lambda g: block('', ends(g, 'p%d pp p%d'))),
    ('SIF, tabs', 'u', '.sif .txt .tsv', 'loops', None, lambda g: block('', ends(g, 'p%d\tpp\tp%d'))),
    ('TGF', '?', '.tgf .txt', LONE, 'TGF', lambda g: block('', [
        '%d v%d' % (v + 1, v) for v in range(g.n)] + ['#'] + ends(g, '%d %d'))),
    ('LGL', 'u', '.lgl', '', None, lambda g: block('', (
        '\n'.join(['# v%d' % v] + ['v%d' % w for w in g.later(v)]) for v in range(g.n) if g.later(v)))),
    ('Pajek, edges', 'u', '.net .txt', LONE, None, lambda g: pajek(g, '*Edges', ends(g, '%d %d'))),
    ('Pajek, arcs', 'd', '.net .txt', LONE, None, lambda g: pajek(g, '*Arcs', ends(g, '%d %d 1'))),
    ('Pajek, matrix', 'd', '.net .txt', LONE, 'Pajek', lambda g: pajek(g, '*Matrix', rows(g))),
    ('Pajek, lists of edges', 'u', '.net .txt', LONE, 'Pajek', lambda g: pajek(g, '*Edgeslist', [
        ' '.join(str(w + 1) for w in [v] + g.later(v)) for v in range(g.n) if g.later(v)])),
    ('GML', 'b', '.gml .txt', LONE, None, lambda g: block('graph [\n  directed %d' % g.directed, [
        '  node [ id %d label "v" ]' % v for v in range(g.n)] + ends(g, '  edge [ source %d target %d ]', 0), ']')),
    ('GraphML', 'b', '.graphml .xml .txt', LONE, None, lambda g: block(
        '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
        '<graph id="G" edgedefault="%(d)s">' % g.words(), ['<node id="n%d"/>' % v for v in range(g.n)]
        + ends(g, '<edge source="n%d" target="n%d"/>', 0), '</graph>\n</graphml>')),
    ('JSON, links', 'b', '.json .txt', LONE, 'JSON', lambda g: json_graph(g, 'links')),
    ('JSON, edges', 'b', '.json .txt', LONE, 'JSON', lambda g: json_graph(g, 'edges')),
    ('JSON pairs', 'u', '.json .txt', 'loops', 'JSON', lambda g: json.dumps(g.arcs) + '\n'),
    ('JSON pairs, a line each', 'u', '.json .txt', 'loops', 'JSON', lambda g: '[%s]' % ',\n'.join(ends(g, '[%d, %d]'))),
    ('JSON lines', 'u', '.jsonl .txt', 'loops', 'JSON', lambda g: block('', ends(g, '{"source": %d, "target": %d}'))),
    ('JSON neighbours', 'u', '.json .txt', LONE, 'JSON', lambda g: json.dumps({
        'v%d' % v: ['v%d' % w for w in g.after(v)] for v in range(g.n)})),
    ('DL, list of edges', '?', '.dl .txt', 'lone', 'DL|dl', lambda g: block(
        'dl n=%d\nformat = edgelist1\ndata:' % g.n, ends(g, '%d %d'))),
    ('DL, full matrix', 'd', '.dl .txt', LONE, 'DL|dl', lambda g: block(
        'dl n=%d\nformat = fullmatrix\ndata:' % g.n, rows(g)))]


def finished(g, text, has):
    """The text as a system or an editor leaves it"""
    chance = g.rng.random()
    if 'CR' in has.split() or 'CRLF' in has.split() or chance < 0.05:
        text = text.replace('\n', '\r' if 'CR' in has.split() else '\r\n')
    elif chance < 0.15:
        text = text[:-1]
    return ('\ufeff' if 'BOM' in has.split() else '') + text


def advice(message):
    """The options that the message advises, first those in parentheses together, then each one alone"""
    option = r'--(?:format|columns|separator|vertices)[ =]\S+|--(?:no-)?header|--(?:un)?directed'
    groups = [re.findall(option, group) for group in re.findall(r'\((--[^()]*)\)', message)]
    for group in groups + [[found] for found in re.findall(option, message)]:
        kept = [found if 'separator' in found else found.rstrip('.,:?)') for found in group]
        yield [word.strip('\'"') for found in kept for word in found.split()], group in groups


def read(command, path, options):
    """Returns the exit status, the graph as walks() has it but with labels before the walks, and the messages"""
    run = subprocess.run(['timeout', '20', command, path, *options, '-k', '3', '--sums'], stdin=subprocess.DEVNULL,
                         capture_output=True, encoding='utf-8', errors='replace')
    line = re.search(r'^[^:]*: [^:]*, ([a-z]*)[^:\n]*: (\d+) vert\w*[^,\n]*?(?:\([^)]*\))*, (\d+) ', run.stderr, re.M)
    rows = [row.rsplit('\t', 2) for row in run.stdout.split('\n')[1:] if row.count('\t') >= 2]
    sums = [(re.sub(r'\.0$', '', label), int(start), int(end)) for label, start, end in rows]
    return run.returncode, line and (line[1], int(line[2]), int(line[3]), sums), run.stderr.strip()


def judge(command, path, g, refusal):
    """Returns the verdict, and the graph or the message for a person"""
    status, graph, message = read(command, path, [])
    if status == 69 and 'igraph' in message:
        return 'skipped', message
    if status == 0:
        return 'right' if g.is_read(graph) else 'WRONG', 'read as %s\n%s' % (graph, message)
    if status != 65:
        return 'WRONG', 'exit status %d\n%s' % (status, message)
    tried = [(read(command, path, options), listed) for options, listed in advice(message)]
    if any(g.is_read(answer[1]) for answer, _ in tried):
        return 'broken' if any(answer[0] != 0 for answer, listed in tried if listed) else 'asked', message
    return 'refused' if refusal and re.search(refusal, message.replace(os.path.basename(path), '')) else 'LOST', message


def one_file(task):
    command, folder, seed, number, which = task
    name, kind, endings, has, refusal, write = SPELLINGS[which]
    rng = random.Random('%d %d' % (seed, number))
    g = Graph(rng, kind, has)
    text, end = finished(g, write(g), has), rng.choice(endings.split())
    path = os.path.join(folder, end + 'g%d' % number if end.endswith('.') else 'g%d' % number + end.replace('-', ''))
    with open(path, 'w', encoding='utf-8', newline='') as file:
        file.write(text)
    verdict, seen = judge(command, path, g, refusal)
    return name, verdict, '%s\n%s\nwritten: %s' % (seen.replace(folder + '/', ''), text, g.truths)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('command')
    parser.add_argument('files', type=int, nargs='?', default=5000)
    parser.add_argument('seed', type=int, nargs='?', default=1)
    parser.add_argument('--only', default='')
    arguments = parser.parse_args()
    chosen = [i for i, row in enumerate(SPELLINGS) if arguments.only in row[0]]
    verdicts, examples = collections.defaultdict(collections.Counter), {}
    with tempfile.TemporaryDirectory() as folder, multiprocessing.Pool(2) as pool:
        tasks = [(os.path.abspath(arguments.command), folder, arguments.seed, number, chosen[number % len(chosen)])
                 for number in range(arguments.files)]
        for name, verdict, seen in pool.imap(one_file, tasks, 20):
            verdicts[name][verdict] += 1
            if verdict in ('WRONG', 'LOST'):
                examples.setdefault((name, verdict), seen)
    for (name, verdict), seen in examples.items():
        print('%s: %s\n    %s' % (verdict, name, seen.replace('\r', '\\r').replace('\n', '\n    ')))
    columns = 'right asked broken refused WRONG LOST skipped'.split()
    print('%-56s' % 'spelling' + ''.join('%8s' % column for column in columns))
    verdicts['%d spellings' % len(chosen)] = counter = sum(verdicts.values(), collections.Counter())
    for name, counter in verdicts.items():
        print('%-56s' % name + ''.join('%8s' % (counter[column] or '.') for column in columns))
    passed, failed = (sum(counter[c] for c in columns[i:i + n]) for i, n in ((0, 4), (4, 2)))
    print('%d passed, %d failed, %d skipped' % (passed, failed, counter['skipped']))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
