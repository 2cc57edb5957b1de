#!/usr/bin/env python3
"""Random small graphs in the spellings of many programs, read by the command and judged by counting in Python:
  python3 tests/spellings.py build/pathcount [FILES [SEED]]
Each file must be read as the graph that was written, with exit status 0, or refused with status 65 and a message
of which one advice, the options in parentheses, makes the command read that graph. A format that the command does not
read may be refused by its name. For each spelling is printed how many files were
  right    read as the right graph
  asked    refused, and an advice gives the right graph
  refused  refused by the name of the format
  WRONG    read as another graph, or ended in another way
  LOST     refused, and no advice gives the right graph
  skipped  left out, as the command is built without igraph
and one example of each failure. The last line is "N passed, N failed, N skipped"; exits 1 when a file failed.
The number of a file and the seed decide everything. `--only WORDS` takes the spellings whose names have them.
"""
import argparse, collections, json, multiprocessing, os, random, re, subprocess, sys, tempfile

PLAIN = '.txt .csv .tsv .dat .edges .edgelist -'
TEXT = '.txt .dat -'
MATRIX = '.txt .csv .dat .adj .matrix -'
PEOPLE = 'Ann Ben Cleo Dora Emil Finn Gus Hana Ivo Jan Kim Leo'.split()
CITIES = ['New York', 'Oslo', 'San Jose', 'Rome', 'Cape Town', 'Lima', 'Hong Kong', 'Bergen', 'Sao Paulo', 'Kyiv']
GENES = 'TP53 MDM2 CDKN1A E2F1 BRCA1 ATM CHEK2 RB1 MYC EGFR KRAS'.split()
COMMAS = ['Smith, J', 'Doe, A', 'Lee, K', 'Fox, M', 'Kay, B', 'Roy, C', 'Day, D', 'Orr, E', 'May, F']
SPELLINGS = []  # (name, kind, endings, function of a Graph to its text, what it has, words of a refusal)


def walks(n, arcs, directed):
    """Returns direction, vertices, edges, and the number of walks of length 3, counted along sets of neighbours"""
    after = [set() for _ in range(n)]
    for u, v in arcs:
        after[u].add(v)
        if not directed:
            after[v].add(u)
    ending = [1] * n
    for _ in range(3):
        ending = [sum(ending[w] for w in after[v]) for v in range(n)]
    edges = {(u, v) if directed else (min(u, v), max(u, v)) for u, v in arcs}
    return ('directed' if directed else 'undirected', str(n), str(len(edges)), str(sum(ending)))


class Graph:
    """n vertices and arcs in the order of the file; an undirected edge is there once, in any direction"""

    def __init__(self, rng, kind, has):
        self.rng, self.directed = rng, kind == 'd' or kind == 'b' and rng.random() < 0.5
        while True:
            n = rng.randint(3, 9)
            loops = 'loops' in has and rng.random() < 0.2
            pairs = [(u, v) for u in range(n) for v in range(n) if u < v or (u > v and self.directed) or (u == v and loops)]
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
        if 'sorted' in has or rng.random() < 0.5:
            arcs.sort()
        self.n, self.arcs = n, arcs
        self.truths = [walks(n, arcs, self.directed)]
        if kind == '?':
            self.truths.append(walks(n, arcs, True))

    def both(self):
        """The arcs, and those of undirected edges in both directions, sorted: the entries of the matrix"""
        return sorted(set(self.arcs) | (set() if self.directed else {(v, u) for u, v in self.arcs}))

    def after(self, v):
        return [w for u, w in self.both() if u == v]

    def later(self, v):
        """Neighbours of v in a list that has each edge once, at the vertex that comes first"""
        return self.after(v) if self.directed else [w for w in self.after(v) if w >= v]

    def words(self):
        return {'n': self.n, 'm': len(self.arcs), 'd': 'directed' if self.directed else 'undirected',
                'D': 'Directed' if self.directed else 'Undirected', 'a': 'asym' if self.directed else 'sym'}


def add(name, kind, endings, write, has='loops', refusal=None):
    """kind: u undirected, d directed, b one of both, ? undirected but may be read either way"""
    SPELLINGS.append((name, kind, endings, write, has, refusal))


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
    names = labels(g.rng, g.n)
    lines = [head.format(**g.words())] if head else []
    for i, (u, v) in enumerate(g.arcs):
        fields = [f(g.rng, i) for f in before] + [names[u], names[v]] + [f(g.rng, i) for f in behind]
        lines.append(start + sep.join(fields) + stop.format(**g.words()))
    return '\n'.join(lines) + '\n'


def edges(name, sep=' ', labels=numbers(1), kind='u', head=None, before=(), behind=(), endings=PLAIN, start='', stop='',
          has='loops', refusal=None):
    add('edges: ' + name, kind, endings,
        lambda g: line_list(g, labels, sep, head, before, behind, start, stop), has, refusal)


people, cities, genes, commas = of(PEOPLE), of(CITIES), of(GENES), of(COMMAS)
for name, sep, labels in (
        ('blank, from 0', ' ', numbers(0)), ('blank, from 1', ' ', numbers(1)), ('tab, from 0', '\t', numbers(0)),
        ('tab', '\t', numbers(1)), ('comma, from 0', ',', numbers(0)), ('comma', ',', numbers(1)),
        ('comma and blank', ', ', numbers(1)), ('semicolon', ';', numbers(1)), ('pipe', '|', numbers(1)),
        ('pipe and blanks', ' | ', numbers(1)), ('several blanks', '    ', large), ('comma, people', ',', people),
        ('blank, large ids', ' ', large), ('comma, large ids', ',', large), ('tab, large ids', '\t', large),
        ('blank, people', ' ', people), ('blank, n1', ' ', prefixed('n')), ('comma, v_1', ',', prefixed('v_')),
        ('blank, letters', ' ', of('ABCDEFGHI')), ('tab, genes', '\t', genes), ('blank, 001', ' ', prefixed('00')),
        ('blank, addresses', ' ', addresses), ('comma, quoted names with blanks', ',', quoted(cities)),
        ('comma, quoted names with commas', ',', quoted(commas)), ('comma, quoted numbers', ',', quoted(numbers(1))),
        ('blank, quoted names with blanks', ' ', quoted(cities)), ('tab, names with blanks', '\t', cities),
        ('comma, names with blanks', ',', cities), ('semicolon, names with blanks', ';', cities)):
    edges(name, sep, labels)
edges('leading blanks', '   ', start='   ', endings=TEXT)
for name, sep in ('comma', ','), ('semicolon', ';'), ('blank', ' '), ('tab', '\t'):
    edges('trailing ' + name, sep, stop=sep)

for head, sep, labels in (
        ('source,target', ',', numbers(0)), ('from,to', ',', people), ('person_a,person_b', ',', numbers(1)),
        ('person_a,person_b', ',', people), ('user;friend', ';', people), ('actor partner', ' ', people),
        ('FromNodeId\tToNodeId', '\t', numbers(0)), ('u v', ' ', numbers(1)), ('node1\tnode2', '\t', genes),
        ('Protein A,Protein B', ',', genes), ('"from","to"', ',', quoted(people)), ('id_1,id_2', ',', large),
        (':START_ID,:END_ID', ',', large), ('Quelle;Ziel', ';', cities), ('# source target', ' ', numbers(1)),
        ('#source,target', ',', people), ('% from to', ' ', numbers(1)), ('0,1', ',', numbers(0)),
        ('0,1', ',', people), ('source,target', ',', lambda rng, n: [x + '.0' for x in large(rng, n)])):
    edges('header %s over %s' % (head.replace('\t', ' '), labels(random.Random(1), 5)[0]), sep, labels, head=head)
for head, labels, base, behind in (
        (',0,1', numbers(0), 0, ()), (',0,1', people, 0, ()), (',source,target', numbers(0), 0, ()),
        (',source,target,weight', numbers(0), 0, [real]), (',person,friend', people, 0, ()),
        ('Unnamed: 0,a,b', numbers(0), 0, ()), ('id,source,target', large, 1, ()), (None, numbers(0), 0, ()),
        (None, numbers(1), 1, ()), (None, people, 0, ())):
    edges('index, header %s over %s' % (head, labels(random.Random(1), 5)[0]), ',', labels, head=head,
          before=[count(base)], behind=behind, endings='.csv .txt')
edges('header 0,1,2 of pandas over people and weights', ',', people, head='0,1,2', behind=[weight], endings='.csv .txt')
for name, sep, head, labels, index in (
        ('write.csv', ',', '"","V1","V2"', quoted(people), '"%d"'), ('write.csv, numbers', ',', '"","V1","V2"', numbers(1), '"%d"'),
        ('write.table', ' ', '"V1" "V2"', quoted(people), '"%d"'), ('no quotes', ' ', 'V1 V2', numbers(1), '%d'),
        ('printed data frame', '    ', '  from to', people, '%d')):
    edges('R: ' + name, sep, labels, head=head, before=[lambda rng, i, index=index: index % (i + 1)],
          endings='.csv .txt' if sep == ',' else TEXT)
edges('Gephi', ',', numbers(0), 'b', 'Source,Target,Id,Type,Label,timeset,Weight', behind=[count(0)], stop=',{D},,,1.0',
      endings='.csv .txt')

for name, sep, labels, head, before, behind in (
        ('Source;Target;Weight', ';', numbers(1), 'Source;Target;Weight', (), [weight]),
        ('weights', ' ', numbers(1), None, (), [weight]), ('weights, from 0', ',', numbers(0), None, (), [weight]),
        ('weights, people', '\t', people, None, (), [weight]), ('floats', '\t', numbers(1), None, (), [real]),
        ('floats, comma', ',', people, None, (), [real]), ('times', ' ', numbers(1), None, (), [time]),
        ('small floats', ' ', numbers(0), None, (), [lambda rng, i: '%.3e' % rng.random()]),
        ('signs', '\t', numbers(1), None, (), [lambda rng, i: rng.choice(['1', '-1'])]),
        ('weights and times', ' ', numbers(1), None, (), [weight, time]), ('dates', ',', large, None, (), [date]),
        ('times first', ' ', large, None, [time], ()), ('years first', ',', people, None, [year], ()),
        ('years first, header', ',', large, 'year,source,target', [year], ()),
        ('weights first, header', ',', people, 'weight,from,to', [weight], ()),
        ('dates, header', ',', people, 'a,b,since', (), [date]),
        ('times with a blank', ',', numbers(1), None, (), [lambda rng, i: date(rng, i) + ' 10:00:00']),
        ('words', '\t', people, None, (), [word]), ('words, numbers', ' ', numbers(1), None, (), [word]),
        ('decimal commas', ';', people, None, (), [decimal_comma]),
        ('decimal commas, header', ';', numbers(1), 'from;to;weight', (), [decimal_comma]),
        ('decimal commas, tab', '\t', numbers(1), None, (), [decimal_comma]),
        ('attributes of NetworkX', ' ', numbers(0), None, (), [attributes]),
        ('attributes of NetworkX, comma', ',', people, None, (), [attributes]),
        ('no attributes of NetworkX', ' ', people, None, (), [lambda rng, i: '{}'])):
    edges('columns: ' + name, sep, labels, head=head, before=before, behind=behind)

for head, sep, labels, kind, has, behind in (
        ('{n} {m}', ' ', numbers(1), 'u', 'loops', ()), ('{n} {m}', ' ', numbers(0), 'u', '', ()),
        ('{n} {m}', ' ', numbers(1), 'u', 'lone', ()), ('{n} {m}', ' ', numbers(1), 'u', 'loops', [weight]),
        ('{n} {n} {m}', ' ', numbers(1), '?', 'loops', ()), ('{n} {n} {m}', ' ', numbers(1), '?', 'loops', [real]),
        ('{n}', ' ', numbers(0), 'u', 'loops', ()), ('{m}', ' ', large, 'u', 'loops', ()),
        ('{n}\n{m}', ' ', numbers(1), 'u', 'loops', ()), ('{n},{m}', ',', numbers(1), 'u', 'loops', ())):
    edges('size line %s%s%s%s' % (head.replace('\n', ' on two lines, '), ', from 0' * (labels(None, 1) == ['0'] if labels != large
          else False), ', lone vertices' * ('lone' in has), ', weights' * len(behind)), sep, labels, kind, head, behind=behind, has=has)

for mark in '#', '%', '//', ';', '--', '!', '*':
    edges(mark + ' without a statement', head=mark + ' written by a program', endings=TEXT)
    for text, sep, labels in ('{d} unweighted', ' ', numbers(1)), ('{d}', ' ', people), ('type: {d}', '\t', numbers(1)):
        edges('%s %s' % (mark, text), sep, labels, 'b', mark + ' ' + text, endings=TEXT)
for head, kind in ('# {D} graph', 'b'), ('# directed: true', 'd'), ('# directed=False', 'u'), ('# {n} vertices\n# {m} edges', 'u'), \
        ('# This graph is not directed.', 'u'):
    edges(head.replace('\n', ', '), kind=kind, head=head, endings=TEXT)
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
for sep, labels, stop, behind in (', ', numbers(0), ')', ()), (', ', quoted(people, "'"), ')', ()), (',', numbers(1), '),', ()), \
        (', ', numbers(1), ')', [weight]):
    edges('tuples (%s%s%s' % (labels(random.Random(1), 5)[0], sep, '3' * len(behind) + stop), sep, labels, behind=behind, start='(',
          stop=stop, endings=TEXT, refusal='[Pp]ython|tuple')
for arrow, kind in ('->', 'd'), (' -> ', 'd'), (' => ', 'd'), (' -- ', 'u'), ('--', 'u'), (' - ', 'u'), ('-', 'u'), \
        (' <-> ', 'u'), (' to ', '?'), (',->,', 'd'):
    for labels in numbers(1), people:
        edges('arrow %s1%s2' % ('people ' * (labels == people), arrow), arrow, labels, kind, endings=TEXT, refusal='DOT|[Aa]rrow')
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
    add('matrix: ' + name, 'b', endings, write, 'loops lone')


whole, tenths, eighths = '{:d}'.format, '{:.1f}'.format, lambda x: '%g' % (x / 8)
for row in (
        ('blank',), ('comma', ','), ('tab', '\t'), ('semicolon', ';'), ('pipe', '|'), ('no separator', ''), ('weights', ' ', whole),
        ('weights, comma', ',', whole), ('floats', ' ', tenths), ('floats, comma', ',', eighths),
        ('NumPy savetxt', ' ', '{:.18e}'.format), ('decimal commas', ';', lambda x: ('%.2f' % x).replace('.', ',')),
        ('pandas, people', ',', str, people, ',', True), ('pandas, n1', ',', str, prefixed('n'), ',', True),
        ('pandas, node1', ',', str, prefixed('node'), ',', True), ('pandas, user1', ',', tenths, prefixed('user'), ',', True),
        ('pandas, 0 1 2', ',', str, numbers(0), ',', True), ('pandas, 1 2 3', ',', whole, numbers(1), ',', True),
        ('pandas without index', ',', str, people, ''), ('pandas without index, 0 1 2', ',', str, numbers(0), ''),
        ('pandas, tab', '\t', str, genes, '\t', True), ('labels, large ids', ',', str, large, ',', True),
        ('labels in the first column', ',', str, people, None, True), ('labels, semicolon', ';', str, cities, ';', True),
        ('labels in the first column, blank', ' ', str, people, None, True), ('labels, pipe', '|', str, people, '|', True),
        ('a word in the corner', ',', str, people, 'name,', True), ('R: write.csv', ',', str, quoted(prefixed('V')), '"",', True),
        ('R: write.csv, people', ',', str, quoted(people), '"",', True), ('R: printed', ' ', str, people, '    ', True),
        ('R: write.table', ' ', str, quoted(people), '', True), ('R: write.table, V1', ' ', str, quoted(prefixed('V')), '')):
    matrix(*row)
for name, sep, start, stop, first in (
        ('blanks, aligned', '  ', '  ', '', ''), ('trailing blank', ' ', '', ' ', ''), ('trailing comma', ',', '', ',', ''),
        ('size line n', ' ', '', '', '{n}'), ('size line n n', ' ', '', '', '{n} {n}'), ('NumPy printed', ' ', ' [', ']', ''),
        ('MATLAB, rows', ' ', '', ';', ''), ('C braces', ', ', '{', '},', ''), ('comment', ' ', '', '', '# adjacency matrix')):
    matrix(name, sep, start=start, stop=stop, first=first, endings=TEXT)


def lists(name, sep=' ', colon=None, labels=numbers(0), once=True, first='', endings=TEXT, has='loops lone', kind='u', stop=''):
    def write(g):
        names = labels(g.rng, g.n)
        lines = [first.format(**g.words())] if first else []
        for v in range(g.n):
            near = [names[w] for w in (g.later(v) if once else g.after(v))]
            lines.append((sep.join([names[v]] + near) if colon is None else names[v] + colon + sep.join(near)) + stop)
        return '\n'.join(line.rstrip(' ') for line in lines) + '\n'
    add('lists: ' + name, kind, endings, write, has)


NX = '#x.py\n# GMT Tue Mar  3 10:00:00 2026\n#'
for row in (
        ('NetworkX', ' ', None, numbers(0), True, NX, '.adjlist .txt -'), ('NetworkX, people', ' ', None, people, True, NX),
        ('.adjlist', ' ', None, numbers(0), True, '', '.adjlist'), ('numbers',), ('people', ' ', None, people),
        ('both ways', ' ', None, numbers(0), False), ('both ways, people', ' ', None, people, False),
        ('both ways, from 1, no lone vertices', ' ', None, numbers(1), False, '', TEXT, ''),
        ('comma, people', ',', None, people, True, '', '.csv .txt'), ('tab, genes', '\t', None, genes),
        ('comma, both ways', ',', None, numbers(0), False, '', '.csv .txt'), ('colon', ' ', ': '),
        ('colon, both ways', ' ', ': ', numbers(1), False), ('colon, commas', ', ', ': ', people),
        ('colon, no blanks', ',', ':', numbers(1), False), ('arrow', ' ', ' -> ', people, False, '', TEXT, '', 'd'),
        ('comment with {d}', ' ', None, people, False, '# {d}', TEXT, 'loops lone', 'b'),
        ('brackets', ', ', ': [', numbers(0), False, '', TEXT, 'loops lone', 'u', ']')):
    lists(*row)


# Pieces of formats: lines after a head, neighbours, pairs of ends, rows of a matrix, lines after both sizes
block = lambda head, lines, tail='': '\n'.join([head] * bool(head) + list(lines) + [tail] * bool(tail)) + '\n'
near = lambda g, text='%d', before='': [before + ' '.join(text % (w + 1) for w in g.after(v)) for v in range(g.n)]
ends = lambda g, text, base=1, arcs=None: [text % (u + base, v + base) for u, v in (g.arcs if arcs is None else arcs)]
rows = lambda g, sep=' ', text='%s': [text % sep.join('%d' % ((u, v) in g.both()) for v in range(g.n)) for u in range(g.n)]
sizes = lambda text, lines, before='', behind='': lambda g: block(
    before + text % (g.n, len(g.arcs)) + behind.replace('{n}', str(g.n)), lines(g))
by_columns = lambda g, text: ends(g, text, 1, sorted(g.both(), key=lambda arc: arc[::-1]))
gml = lambda g, node, edge: block(
    'graph [\n  directed %d' % g.directed, [node % v for v in range(g.n)] + ends(g, edge, 0), ']')


def multi_line(g):
    names = g.rng.choice([people, numbers(0)])(g.rng, g.n)
    lines = [NX] if g.rng.random() < 0.5 else []
    for v in range(g.n):
        lines += ['%s %d' % (names[v], len(g.later(v)))] + [names[w] + ' {}' for w in g.later(v)]
    return block('', lines)


def market(head, text):
    """Of a symmetric matrix, the file has the entries on and below the diagonal"""
    return lambda g: block('%%%%MatrixMarket matrix coordinate %s\n%%\n%d %d %d' % (head, g.n, g.n, len(g.arcs)), ends(
        g, text, 1, g.arcs if g.directed else [(max(arc), min(arc)) for arc in g.arcs]))


def pajek(g, title, lines):
    names = g.rng.choice([people, cities])(g.rng, g.n)
    return block('*Vertices %d' % g.n, ['%d "%s"' % (v + 1, names[v]) for v in range(g.n)] + [title] + lines)


def json_graph(g, indent=None, links='links'):
    return json.dumps({'directed': g.directed, 'multigraph': False, 'graph': {}, 'nodes': [{'id': v} for v in range(g.n)],
                       links: [{'source': u, 'target': v} for u, v in g.arcs]}, indent=indent) + '\n'


LONE, METIS, PRINTED = 'loops lone', '.graph .metis .txt -', 'SciPy|MATLAB|[Pp]ython'
for name, kind, endings, has, refusal, write in (
        ('lists: multi-line', 'u', '.adjlist .txt -', LONE, None, multi_line),
        ('METIS', 'u', METIS, 'lone', None, sizes('%d %d', near)),
        ('METIS, comment', 'u', METIS, 'lone', None, sizes('%d %d', near, '% by hand\n')),
        ('METIS, weights of edges', 'u', METIS, 'lone', None, sizes('%d %d 001', lambda g: near(g, '%d 3'))),
        ('METIS, weights of vertices', 'u', METIS, 'lone', None, sizes('%d %d 10', lambda g: near(g, '%d', '5 '))),
        ('DIMACS sp', 'd', '.gr .txt -', LONE, None, sizes('p sp %d %d', lambda g: ends(g, 'a %d %d 7'), 'c roads\n')),
        ('DIMACS edge', 'u', '.col .txt -', LONE, None, sizes('p edge %d %d', lambda g: ends(g, 'e %d %d'), 'c a\n')),
        ('DIMACS col', 'u', '.clq .txt -', LONE, None, sizes('p col %d %d', lambda g: ends(g, 'e %d %d'))),
        ('DIMACS max', 'd', '.max .txt', LONE, None, sizes('p max %d %d', lambda g: ends(g, 'a %d %d 4'), '', '\nn 1 s\nn {n} t')),
        ('PACE', 'u', '.gr .txt', 'lone', None, sizes('p tw %d %d', lambda g: ends(g, '%d %d'))),
        ('lines e U V', 'u', TEXT, 'loops', 'DIMACS', lambda g: block('', ends(g, 'e %d %d'))),
        ('lines a U V W', 'd', TEXT, 'loops', 'DIMACS', lambda g: block('', ends(g, 'a %d %d 5'))),
        ('Matrix Market, pattern general', 'd', '.mtx .txt', LONE, None, market('pattern general', '%d %d')),
        ('Matrix Market, integer general', 'd', '.mtx .txt', LONE, None, market('integer general', '%d %d 3')),
        ('Matrix Market, real general', 'd', '.mtx .txt', LONE, None, market('real general', '%d %d 2.5e-01')),
        ('Matrix Market, pattern symmetric', 'u', '.mtx .txt', LONE, None, market('pattern symmetric', '%d %d')),
        ('Matrix Market, real symmetric', 'u', '.mtx .txt', LONE, None, market('real symmetric', '%d %d 0.75')),
        ('Matrix Market, array', 'b', '.mtx .txt', LONE, None, lambda g: block(
            '%%%%MatrixMarket matrix array integer general\n%d %d' % (g.n, g.n),
            ['%d' % ((u, v) in g.both()) for v in range(g.n) for u in range(g.n)])),
        ('SciPy printed', 'b', TEXT, 'loops', PRINTED, lambda g: block('', ends(g, '  (%d, %d)\t1', 0, g.both()))),
        ('SciPy printed, with a head', 'b', TEXT, 'loops', PRINTED, lambda g: block(
            "<Compressed Sparse Row sparse matrix of dtype 'int64'\n\twith %d stored elements and shape (%d, %d)>\n"
            "  Coords\tValues" % (len(g.both()), g.n, g.n), ends(g, '  (%d, %d)\t1', 0, g.both()))),
        ('MATLAB printed', 'b', TEXT, 'loops', PRINTED, lambda g: block('', by_columns(g, '   (%d,%d)        1'))),
        ('MATLAB printed, with a head', 'b', TEXT, 'loops', PRINTED, lambda g: block(
            'A =\n', by_columns(g, '   (%d,%d)        1'))),
        ('Python list of tuples', 'u', TEXT, 'loops', '[Pp]ython|JSON', lambda g: '[' + ', '.join(ends(g, '(%d, %d)')) + ']\n'),
        ('Python list of rows', 'b', TEXT, LONE, '[Pp]ython|JSON', lambda g: block('', rows(g, ', ', '[%s],'))),
        ('Python dictionary', 'u', TEXT, LONE, '[Pp]ython|JSON', lambda g: '{' + ', '.join(
            '%d: %s' % (v, g.after(v)) for v in range(g.n)) + '}\n'),
        ('SIF', 'u', '.sif .txt', 'loops', None, lambda g: block('', ends(g, 'p%d pp p%d'))),
        ('SIF, tabs', 'u', '.sif .txt .tsv', 'loops', None, lambda g: block('', ends(g, 'p%d\tpp\tp%d'))),
        ('SIF, kinds', 'u', '.sif .txt', 'loops', None, lambda g: block('', (
            text.replace('pp', g.rng.choice(['pp', 'pd'])) for text in ends(g, 'a%d pp a%d')))),
        ('SIF, several targets', 'u', '.sif', LONE, None, lambda g: block('', (
            'p%d' % v + ' pp' * bool(g.later(v)) + ''.join(' p%d' % w for w in g.later(v)) for v in range(g.n)))),
        ('TGF', '?', '.tgf .txt', LONE, 'TGF', lambda g: block('', [
            '%d v%d' % (v + 1, v) for v in range(g.n)] + ['#'] + ends(g, '%d %d'))),
        ('LGL', 'u', '.lgl', '', None, lambda g: block('', (
            '\n'.join(['# v%d' % v] + ['v%d' % w for w in g.later(v)]) for v in range(g.n) if g.later(v)))),
        ('Pajek, edges', 'u', '.net .txt', LONE, None, lambda g: pajek(g, '*Edges', ends(g, '%d %d'))),
        ('Pajek, arcs', 'd', '.net .txt', LONE, None, lambda g: pajek(g, '*Arcs', ends(g, '%d %d 1'))),
        ('Pajek, matrix', 'd', '.net .txt', LONE, 'Pajek', lambda g: pajek(g, '*Matrix', rows(g))),
        ('Pajek, lists of edges', 'u', '.net .txt', LONE, 'Pajek', lambda g: pajek(g, '*Edgeslist', [
            ' '.join(str(w + 1) for w in [v] + g.later(v)) for v in range(g.n) if g.later(v)])),
        ('GML', 'b', '.gml .txt', LONE, None, lambda g: gml(
            g, '  node [ id %d label "v" ]', '  edge [ source %d target %d ]')),
        ('GML, on several lines', 'b', '.gml', LONE, None, lambda g: gml(
            g, '  node\n  [\n    id %d\n  ]', '  edge\n  [\n    source %d\n    target %d\n  ]')),
        ('GraphML', 'b', '.graphml .xml .txt', LONE, None, lambda g: block(
            '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
            '<graph id="G" edgedefault="%(d)s">' % g.words(), ['<node id="n%d"/>' % v for v in range(g.n)]
            + ends(g, '<edge source="n%d" target="n%d"/>', 0), '</graph>\n</graphml>')),
        ('JSON, links', 'b', '.json .txt', LONE, 'JSON', json_graph),
        ('JSON, edges, indented', 'b', '.json .txt', LONE, 'JSON', lambda g: json_graph(g, 2, 'edges')),
        ('JSON of D3', 'u', '.json', LONE, None, lambda g: json.dumps({
            'nodes': [{'name': 'v%d' % v} for v in range(g.n)],
            'links': [{'source': u, 'target': v, 'value': 2} for u, v in g.arcs]})),
        ('JSON pairs', 'u', '.json .txt', 'loops', 'JSON', lambda g: json.dumps(g.arcs) + '\n'),
        ('JSON pairs, a line each', 'u', '.json .txt', 'loops', 'JSON', lambda g: block(
            '[', [',\n'.join(map(json.dumps, g.arcs))], ']')),
        ('JSON lines', 'u', '.json .jsonl .txt', 'loops', 'JSON', lambda g: block(
            '', ends(g, '{"source": %d, "target": %d}'))),
        ('JSON neighbours', 'u', '.json .txt', LONE, 'JSON', lambda g: json.dumps({
            'v%d' % v: ['v%d' % w for w in g.after(v)] for v in range(g.n)})),
        ('DOT', 'b', '.dot .gv .txt', 'loops', 'DOT', lambda g: block(
            'digraph G {' if g.directed else 'graph G {', ends(g, '  %d -> %d;' if g.directed else '  %d -- %d;'), '}')),
        ('GDF', '?', '.gdf .txt', LONE, 'GDF', lambda g: block('nodedef>name VARCHAR', [
            'v%d' % v for v in range(g.n)] + ['edgedef>node1 VARCHAR,node2 VARCHAR'] + ends(g, 'v%d,v%d', 0))),
        ('GEXF', 'b', '.gexf .txt', 'loops', 'GEXF', lambda g: block(
            '<?xml version="1.0"?>\n<gexf version="1.3"><graph defaultedgetype="%(d)s">' % g.words(),
            ends(g, '<edge source="%d" target="%d"/>'), '</graph></gexf>')),
        ('DL, list of edges', '?', '.dl .txt', 'lone', 'DL', lambda g: block(
            'dl n=%d\nformat = edgelist1\ndata:' % g.n, ends(g, '%d %d'))),
        ('DL, full matrix', 'd', '.dl .txt', LONE, 'DL', lambda g: block(
            'dl n=%d\nformat = fullmatrix\ndata:' % g.n, rows(g)))):
    add(name, kind, endings, write, has, refusal)


def finished(g, text, has):
    """The text as a system or an editor leaves it"""
    chance = g.rng.random()
    if 'CR' in has.split() or 'CRLF' in has.split() or chance < 0.05:
        text = text.replace('\n', '\r' if 'CR' in has.split() else '\r\n')
    elif chance < 0.15:
        text = text.rstrip('\n')
    return ('\ufeff' if 'BOM' in has.split() else '') + text


def advice(message):
    """The options that the message advises: those in parentheses together, then each one alone"""
    option = r'--(?:format|columns|separator|vertices)[ =]\S+|--(?:no-)?header|--(?:un)?directed'
    groups = [re.findall(option, group) for group in re.findall(r'\((--[^()]*)\)', message)]
    groups += [[found.rstrip('.,:?)')] for found in re.findall(option, message)]
    return [[word.strip('\'"') for found in group for word in found.split()] for group in groups][:20]


def read(command, path, options):
    """Returns the exit status, the graph as walks has it, and the messages"""
    run = subprocess.run([command, path, *options, '-k', '3', '--total'], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, timeout=20, encoding='utf-8', errors='replace')
    line = re.search(r'^[^:]*: [^:]*, ([a-z]*)[^:\n]*: (\d+) vert\w*[^,\n]*?(?:\([^)]*\))*, (\d+) ', run.stderr, re.M)
    return run.returncode, line and (*line.groups(), run.stdout.strip()), run.stderr.strip()


def judge(command, path, g, refusal):
    """Returns the verdict and what was seen"""
    status, graph, message = read(command, path, [])
    if status == 69 and 'igraph' in message:
        return 'skipped', message
    if status == 0:
        return 'right' if graph in g.truths else 'WRONG', 'read as %s\n%s' % (graph, message)
    if status != 65:
        return 'WRONG', 'exit status %d\n%s' % (status, message)
    for options in advice(message):
        if read(command, path, options)[1] in g.truths:
            return 'asked', message
    return 'refused' if refusal and re.search(refusal, message) else 'LOST', message


def one_file(task):
    command, folder, seed, number, which = task
    name, kind, endings, write, has, refusal = SPELLINGS[which]
    rng = random.Random('%d %d' % (seed, number))
    g = Graph(rng, kind, has)
    text, end = finished(g, write(g), has), rng.choice(endings.split())
    path = os.path.join(folder, end + 'g%d' % number if end.endswith('.') else 'g%d' % number + end.replace('-', ''))
    with open(path, 'w', encoding='utf-8', newline='') as file:
        file.write(text)
    verdict, seen = judge(command, path, g, refusal)
    os.unlink(path)
    return name, verdict, '%s: %s\n%s\nwritten: %s' % (os.path.basename(path), seen.replace(folder + '/', ''), text, g.truths)


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
    columns = ['right', 'asked', 'refused', 'WRONG', 'LOST', 'skipped']
    print('%-56s' % 'spelling' + ''.join('%8s' % column for column in columns))
    for name, counter in [*verdicts.items(), ('%d spellings' % len(chosen), sum(verdicts.values(), collections.Counter()))]:
        print('%-56s' % name + ''.join('%8s' % (counter[column] or '.') for column in columns))
    passed, failed = (sum(counter[c] for c in columns[i:i + n]) for i, n in ((0, 3), (3, 2)))
    print('%d passed, %d failed, %d skipped' % (passed, failed, counter['skipped']))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
