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
import argparse, collections, json, multiprocessing, os, random, re, shlex, subprocess, sys, tempfile

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


def spelling(name, kind, endings, has='loops', refusal=None):
    def decorator(write):
        add(name, kind, endings, write, has, refusal)
        return write
    return decorator


def numbers(base):
    return lambda rng, n: [str(base + v) for v in range(n)]


def prefixed(prefix, base=1):
    return lambda rng, n: [prefix + str(base + v) for v in range(n)]


def of(words):
    return lambda rng, n: rng.sample(words, n)


def quoted(labels, quote='"'):
    return lambda rng, n: [quote + label + quote for label in labels(rng, n)]


def large(rng, n):
    return [str(label) for label in rng.sample(range(10**3, 10**rng.choice([4, 6, 9, 12])), n)]


def addresses(rng, n):
    return ['10.%d.%d.%d' % (rng.randrange(99), rng.randrange(99), v) for v in range(n)]


# Columns beside the ends of an edge: functions of the generator and of the number of the line
def count(base):
    return lambda rng, i: str(base + i)


def weight(rng, i):
    return str(rng.randint(1, 9))


def real(rng, i):
    return '%.*f' % (rng.randint(1, 4), rng.uniform(0.1, 9))


def decimal_comma(rng, i):
    return real(rng, i).replace('.', ',')


def time(rng, i):
    return str(1082040961 + 86000 * i + rng.randrange(86000))


def date(rng, i):
    return '%d-%02d-%02d' % (rng.randint(1990, 2024), rng.randint(1, 12), rng.randint(1, 28))


def year(rng, i):
    return str(rng.randint(1990, 2024))


def word(rng, i):
    return rng.choice(['friend', 'colleague', 'family'])


def attributes(rng, i):
    return "{'weight': %s}" % weight(rng, i)


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


people, cities, genes = of(PEOPLE), of(CITIES), of(GENES)
edges('blank, from 0', labels=numbers(0))
edges('blank, from 1')
edges('tab, from 0', '\t', numbers(0))
edges('tab', '\t')
edges('comma, from 0', ',', numbers(0))
edges('comma', ',')
edges('comma and blank', ', ')
edges('semicolon', ';')
edges('pipe', '|')
edges('pipe and blanks', ' | ')
edges('several blanks', '    ', large)
edges('leading blanks', '   ', start='   ', endings=TEXT)
edges('blanks, large ids', labels=large)
edges('comma, large ids', ',', large)
edges('tab, large ids', '\t', large)
edges('blank, people', labels=people)
edges('comma, people', ',', people)
edges('blank, n1', labels=prefixed('n'))
edges('comma, v_1', ',', prefixed('v_'))
edges('blank, letters', labels=of('ABCDEFGHI'))
edges('tab, genes', '\t', genes)
edges('blank, 001', labels=prefixed('00'))
edges('blank, addresses', labels=addresses)
edges('comma, quoted names with blanks', ',', quoted(cities))
edges('comma, quoted names with commas', ',', quoted(of(COMMAS)))
edges('blank, quoted names with blanks', ' ', quoted(cities))
edges('tab, names with blanks', '\t', cities)
edges('comma, names with blanks', ',', cities)
edges('semicolon, names with blanks', ';', cities)
edges('comma, quoted numbers', ',', quoted(numbers(1)))
edges('pandas, floats as ids', ',', lambda rng, n: ['%d.0' % (v + 1) for v in range(n)], head='source,target')
edges('trailing comma', ',', stop=',')
edges('trailing semicolon', ';', stop=';')
edges('trailing blank', stop=' ')
edges('trailing tab', '\t', stop='\t')

for name, sep, labels in ('source,target', ',', numbers(0)), ('from,to', ',', people), ('person_a,person_b', ',', numbers(1)), \
        ('person_a,person_b', ',', people), ('user;friend', ';', people), ('actor partner', ' ', people), \
        ('FromNodeId\tToNodeId', '\t', numbers(0)), ('u v', ' ', numbers(1)), ('node1\tnode2', '\t', genes), \
        ('Protein A,Protein B', ',', genes), ('"from","to"', ',', quoted(people)), ('id_1,id_2', ',', large), \
        (':START_ID,:END_ID', ',', large), ('Quelle;Ziel', ';', cities), ('# source target', ' ', numbers(1)), \
        ('#source,target', ',', people), ('% from to', ' ', numbers(1)):
    edges('header %s over %s' % (name.replace('\t', '  '), ' or '.join(labels(random.Random(1), 5)[:2])), sep, labels, head=name)
edges('header 0,1 of pandas over numbers', ',', numbers(0), head='0,1', endings='.csv .txt')
edges('header 0,1 of pandas over people', ',', people, head='0,1', endings='.csv .txt')
edges('header 0,1,2 of pandas over people and weights', ',', people, head='0,1,2', behind=[weight], endings='.csv .txt')
edges('header and index ,0,1 of pandas', ',', numbers(0), head=',0,1', before=[count(0)], endings='.csv .txt')
edges('header and index ,0,1 of pandas over people', ',', people, head=',0,1', before=[count(0)], endings='.csv .txt')
edges('header and index ,source,target', ',', numbers(0), head=',source,target', before=[count(0)], endings='.csv .txt')
edges('header and index, weights of pandas', ',', numbers(0), head=',source,target,weight', before=[count(0)], behind=[real],
      endings='.csv .txt')
edges('header and index, unknown words', ',', people, head=',person,friend', before=[count(0)], endings='.csv .txt')
edges('header and index, Unnamed: 0', ',', numbers(0), head='Unnamed: 0,a,b', before=[count(0)], endings='.csv .txt')
edges('index from 0, no header', ',', numbers(0), before=[count(0)])
edges('index from 1, no header', '\t', numbers(1), before=[count(1)])
edges('index from 0, no header, people', ',', people, before=[count(0)])
edges('id,source,target', ',', large, head='id,source,target', before=[count(1)])
edges('R: row names, V1, V2', ',', quoted(people), head='"","V1","V2"', before=[lambda rng, i: '"%d"' % (i + 1)], endings='.csv .txt')
edges('R: row names, V1, V2, numbers', ',', numbers(1), head='"","V1","V2"', before=[lambda rng, i: '"%d"' % (i + 1)],
      endings='.csv .txt')
edges('R: write.table, V1 V2', ' ', quoted(people), head='"V1" "V2"', before=[lambda rng, i: '"%d"' % (i + 1)], endings=TEXT)
edges('R: write.table, no quotes', ' ', numbers(1), head='V1 V2', before=[count(1)], endings=TEXT)
edges('R: printed data frame', '    ', people, head='  from to', before=[count(1)], endings=TEXT)
edges('Gephi', ',', numbers(0), 'b', 'Source,Target,Id,Type,Label,timeset,Weight', behind=[count(0)], stop=',{D},,,1.0',
      endings='.csv .txt')

edges('Source;Target;Weight', ';', numbers(1), head='Source;Target;Weight', behind=[weight])
edges('weights', behind=[weight])
edges('weights, from 0', ',', numbers(0), behind=[weight])
edges('weights, people', '\t', people, behind=[weight])
edges('floats', '\t', behind=[real])
edges('floats, comma', ',', people, behind=[real])
edges('small floats', ' ', numbers(0), behind=[lambda rng, i: '%.3e' % rng.random()])
edges('signs', '\t', behind=[lambda rng, i: rng.choice(['1', '-1'])])
edges('times', behind=[time])
edges('weights and times', behind=[weight, time])
edges('times first', labels=large, before=[time])
edges('years first', ',', people, before=[year])
edges('years first, header', ',', large, head='year,source,target', before=[year])
edges('weights first, header', ',', people, head='weight,from,to', before=[weight])
edges('dates', ',', large, behind=[date])
edges('dates, header', ',', people, head='a,b,since', behind=[date])
edges('times with a blank', ',', numbers(1), behind=[lambda rng, i: date(rng, i) + ' 10:00:00'])
edges('words', '\t', people, behind=[word])
edges('words, numbers', ' ', numbers(1), behind=[word])
edges('decimal commas', ';', people, behind=[decimal_comma])
edges('decimal commas, header', ';', numbers(1), head='from;to;weight', behind=[decimal_comma])
edges('decimal commas, tab', '\t', numbers(1), behind=[decimal_comma])
edges('NetworkX attributes', labels=numbers(0), behind=[attributes])
edges('NetworkX, empty attributes', labels=people, behind=[lambda rng, i: '{}'])
edges('NetworkX, comma, attributes', ',', people, behind=[attributes])

edges('size line n m', head='{n} {m}')
edges('size line n m, from 0', labels=numbers(0), head='{n} {m}', has='')
edges('size line n m, lone vertices', head='{n} {m}', has='lone')
edges('size line n m, weights', head='{n} {m}', behind=[weight])
edges('size line n n m', kind='?', head='{n} {n} {m}')
edges('size line n n m, weights', kind='?', head='{n} {n} {m}', behind=[real])
edges('size line n', head='{n}', labels=numbers(0))
edges('size line m', head='{m}', labels=large)
edges('size lines n and m', head='{n}\n{m}')
edges('size line, comma', ',', head='{n},{m}')

for mark in '#', '%', '//', ';', '--', '!', '*':
    edges('comment %s without a statement' % mark, head=mark + ' written by a program', endings=TEXT)
    edges('comment %s with {d} unweighted' % mark, kind='b', head=mark + ' {d} unweighted', endings=TEXT)
    edges('comment %s with {d}' % mark, labels=people, kind='b', head=mark + ' {d}', endings=TEXT)
    edges('comment %s with type: {d}' % mark, '\t', kind='b', head=mark + ' type: {d}', endings=TEXT)
edges('comment # with {D} graph', kind='b', head='# {D} graph', endings=TEXT)
edges('comment # with directed: true', kind='d', head='# directed: true', endings=TEXT)
edges('comment # with directed=False', head='# directed=False', endings=TEXT)
edges('comment # with not directed', head='# This graph is not directed.', endings=TEXT)
edges('comment # behind', stop=' # seen', endings=TEXT)
edges('comment # with sizes', head='# {n} vertices\n# {m} edges', endings=TEXT)
edges('KONECT', kind='b', head='% {a} unweighted\n% {m} {n} {n}', endings='out. .txt -')
edges('KONECT, weights and times', kind='b', head='% {a} positive', behind=[weight, time], endings='out. .txt -')
edges('SNAP', '\t', large, 'd', '# Directed graph (each unordered pair of nodes is saved once): x.txt \n# A graph\n'
      '# Nodes: {n} Edges: {m}\n# FromNodeId\tToNodeId', endings=TEXT)
edges('SNAP, undirected', '\t', numbers(0), 'u', '# Undirected graph: x.txt\n# A graph\n# Nodes: {n} Edges: {m}\n'
      '# FromNodeId\tToNodeId', endings=TEXT)
edges('BioGRID', '\t', genes, head='#Symbol A\tSymbol B\tSystem\tScore', behind=[lambda rng, i: 'Two-hybrid', real])
edges('CR', labels=numbers(0), has='loops CR')
edges('CR, header', ',', people, head='source,target', has='loops CR')
edges('CRLF', labels=large, has='loops CRLF')
edges('CRLF, comma, header', ',', people, head='from,to', has='loops CRLF')
edges('BOM', labels=people, has='loops BOM')
edges('BOM, header', ';', large, head='source;target', has='loops BOM')
edges('tuples', ', ', numbers(0), start='(', stop=')', endings=TEXT, refusal='[Pp]ython|tuple')
edges('tuples of texts', ', ', quoted(people, "'"), start='(', stop=')', endings=TEXT, refusal='[Pp]ython|tuple')
edges('tuples with weights', ', ', numbers(1), start='(', stop=')', behind=[weight], endings=TEXT, refusal='[Pp]ython|tuple')
edges('tuples without blanks', ',', numbers(1), start='(', stop='),', endings=TEXT, refusal='[Pp]ython|tuple')
for arrow, kind in ('->', 'd'), (' -> ', 'd'), (' => ', 'd'), (' -- ', 'u'), ('--', 'u'), (' - ', 'u'), ('-', 'u'), \
        (' <-> ', 'u'), (' to ', '?'), (',->,', 'd'):
    edges('arrow "%s"' % arrow, arrow, numbers(1), kind, endings=TEXT, refusal='DOT|[Aa]rrow')
    edges('arrow "%s", people' % arrow, arrow, people, kind, endings=TEXT, refusal='DOT|[Aa]rrow')
edges('NCOL', labels=people, endings='.ncol', has='')
edges('NCOL, weights', labels=people, behind=[weight], endings='.ncol', has='')


def matrix(name, sep=' ', entry=str, labels=None, head=None, side=None, start='', stop='', endings=MATRIX, first='', last=''):
    """head, side: whether the first line and the first column have the labels; head is what stands before them"""
    def write(g):
        entries, names = set(g.both()), labels(g.rng, g.n) if labels else []
        weights = {}
        for u, v in sorted(entries):
            weights[u, v] = weights.get((v, u)) or g.rng.randint(2, 9)
        lines = [first.format(**g.words())] if first else []
        if head is not None:
            lines.append(head + sep.join(names))
        for u in range(g.n):
            row = [entry(weights[u, v] if entry is not str else 1) if (u, v) in entries else entry(0) for v in range(g.n)]
            lines.append(start + sep.join(([names[u]] if side else []) + row) + stop)
        return '\n'.join(lines + [last] * bool(last)) + '\n'
    add('matrix: ' + name, 'b', endings, write, 'loops lone', None)


def zeros_and_floats(x):
    return '%.1f' % x


both = {'head': ',', 'side': True}
matrix('blank')
matrix('comma', ',')
matrix('tab', '\t')
matrix('semicolon', ';')
matrix('pipe', '|')
matrix('blanks, aligned', '  ', start='  ')
matrix('no separator', '')
matrix('trailing blank', stop=' ')
matrix('trailing comma', ',', stop=',')
matrix('weights', ' ', lambda x: '%d' % x)
matrix('weights, comma', ',', lambda x: '%d' % x)
matrix('floats', ' ', zeros_and_floats)
matrix('floats, comma', ',', lambda x: '%g' % (x / 8))
matrix('NumPy savetxt', ' ', lambda x: '%.18e' % x)
matrix('decimal commas', ';', lambda x: ('%.2f' % x).replace('.', ','))
matrix('size line', first='{n}')
matrix('size line n n', first='{n} {n}')
matrix('pandas, people', ',', str, people, **both)
matrix('pandas, n1', ',', str, prefixed('n'), **both)
matrix('pandas, node1', ',', str, prefixed('node'), **both)
matrix('pandas, user1, floats', ',', zeros_and_floats, prefixed('user'), **both)
matrix('pandas, 0 1 2', ',', str, numbers(0), **both)
matrix('pandas, 1 2 3, weights', ',', lambda x: '%d' % x, numbers(1), **both)
matrix('pandas without index', ',', str, people, '')
matrix('pandas without index, 0 1 2', ',', str, numbers(0), '')
matrix('pandas, tab', '\t', str, genes, '\t', True)
matrix('labels, large ids', ',', str, large, **both)
matrix('labels in the first column', ',', str, people, side=True)
matrix('labels in the first column, blank', ' ', str, people, side=True)
matrix('labels, semicolon', ';', str, cities, ';', True)
matrix('labels, pipe', '|', str, people, '|', True)
matrix('labels, blanks, corner', ' ', str, people, '  ', True, endings=TEXT)
matrix('labels with a word in the corner', ',', str, people, 'name,', True)
matrix('R: write.csv', ',', str, quoted(prefixed('V')), '"",', True)
matrix('R: write.csv, people', ',', str, quoted(people), '"",', True)
matrix('R: write.table', ' ', str, quoted(people), '', True)
matrix('R: write.table, V1', ' ', str, quoted(prefixed('V')), '')
matrix('NumPy printed', ' ', start=' [', stop=']', endings=TEXT)
matrix('MATLAB, rows', ' ', stop=';', endings=TEXT)
matrix('C braces', ', ', start='{', stop='},', endings=TEXT)
matrix('comment', first='# adjacency matrix, {n} vertices', endings=TEXT)


def lists(name, kind='u', sep=' ', colon=None, labels=numbers(0), once=True, first='', endings=TEXT, has='loops lone', stop=''):
    def write(g):
        names = labels(g.rng, g.n)
        lines = [first.format(**g.words())] if first else []
        for v in range(g.n):
            near = [names[w] for w in (g.later(v) if once else g.after(v))]
            lines.append((sep.join([names[v]] + near) if colon is None else names[v] + colon + sep.join(near)) + stop)
        return '\n'.join(line.rstrip(' ') for line in lines) + '\n'
    add('lists: ' + name, kind, endings, write, has, None)


NX = '#x.py\n# GMT Tue Mar  3 10:00:00 2026\n#'
lists('NetworkX', first=NX, endings='.adjlist .txt .dat -')
lists('NetworkX, people', labels=people, first=NX, endings='.adjlist .txt .dat -')
lists('NetworkX without comments, .adjlist', endings='.adjlist')
lists('without comments')
lists('without comments, people', labels=people)
lists('without comments, both ways', once=False)
lists('both ways, people', once=False, labels=people)
lists('both ways, from 1, no lone vertices', once=False, labels=numbers(1), has='')
lists('comma', sep=',', labels=people, endings='.csv .txt')
lists('comma, numbers, both ways', sep=',', once=False, endings='.csv .txt')
lists('tab, genes', sep='\t', labels=genes)
lists('colon', colon=': ')
lists('colon, both ways', colon=': ', once=False, labels=numbers(1))
lists('colon, commas', sep=', ', colon=': ', labels=people)
lists('colon, no blanks', sep=',', colon=':', once=False, labels=numbers(1))
lists('arrow', 'd', colon=' -> ', labels=people, has='', once=False)
lists('directed by a comment', 'b', once=False, labels=people, first='# {d}')
lists('brackets', sep=', ', colon=': [', once=False, stop=']')


@spelling('lists: multi-line', 'u', '.adjlist .txt -', 'loops lone')
def multi_line(g):
    names = g.rng.choice([people, numbers(0)])(g.rng, g.n)
    lines = [NX] if g.rng.random() < 0.5 else []
    for v in range(g.n):
        lines += ['%s %d' % (names[v], len(g.later(v)))] + [names[w] + ' {}' for w in g.later(v)]
    return '\n'.join(lines) + '\n'


def near(g, v, text='%d'):
    return ' '.join(text % (w + 1) for w in g.after(v))


def block(head, lines, tail=''):
    return '\n'.join([head] * bool(head) + list(lines) + [tail] * bool(tail)) + '\n'


def ends(g, text, base=1, arcs=None):
    return [text % (u + base, v + base) for u, v in (g.arcs if arcs is None else arcs)]


def form(name, kind, endings, write, has='loops lone', refusal=None):
    """A format of its own: write has the generator of the graph, and all that is not drawn from it is fixed"""
    add(name, kind, endings, write, has, refusal)


form('METIS', 'u', '.graph .metis .txt -', lambda g: block('%d %d' % (g.n, len(g.arcs)), (near(g, v) for v in range(g.n))), 'lone')
form('METIS, comment', 'u', '.graph .metis .txt -',
     lambda g: block('%% by hand\n%d %d' % (g.n, len(g.arcs)), (near(g, v) for v in range(g.n))), 'lone')
form('METIS, weights of edges', 'u', '.graph .metis .txt',
     lambda g: block('%d %d 001' % (g.n, len(g.arcs)), (near(g, v, '%d 3') for v in range(g.n))), 'lone')
form('METIS, weights of vertices', 'u', '.graph .metis .txt',
     lambda g: block('%d %d 010' % (g.n, len(g.arcs)), ('5 ' + near(g, v) for v in range(g.n))), 'lone')
form('DIMACS sp', 'd', '.gr .dimacs .txt -', lambda g: block('c roads\np sp %d %d' % (g.n, len(g.arcs)), ends(g, 'a %d %d 7')))
form('DIMACS edge', 'u', '.col .clq .txt -', lambda g: block('c by hand\np edge %d %d' % (g.n, len(g.arcs)), ends(g, 'e %d %d')))
form('DIMACS col', 'u', '.col .clq .txt', lambda g: block('p col %d %d' % (g.n, len(g.arcs)), ends(g, 'e %d %d')))
form('DIMACS max', 'd', '.max .txt', lambda g: block('p max %d %d\nn 1 s\nn %d t' % (g.n, len(g.arcs), g.n), ends(g, 'a %d %d 4')))
form('PACE', 'u', '.gr .txt', lambda g: block('p tw %d %d' % (g.n, len(g.arcs)), ends(g, '%d %d')), 'lone')
form('lines e U V', 'u', '.txt -', lambda g: block('', ends(g, 'e %d %d')), 'loops')
form('lines a U V W', 'd', '.txt -', lambda g: block('', ends(g, 'a %d %d 5')), 'loops', 'DIMACS')
for name, head, text, symmetric in ('pattern general', 'coordinate pattern general', '%d %d', False), \
        ('integer general', 'coordinate integer general', '%d %d 3', False), \
        ('real general', 'coordinate real general', '%d %d 2.5e-01', False), \
        ('pattern symmetric', 'coordinate pattern symmetric', '%d %d', True), \
        ('real symmetric', 'coordinate real symmetric', '%d %d 0.75', True):
    def market(g, head=head, text=text, symmetric=symmetric):
        entries = [(max(arc), min(arc)) for arc in g.arcs] if symmetric else g.both()
        return block('%%%%MatrixMarket matrix %s\n%%\n%d %d %d' % (head, g.n, g.n, len(entries)), ends(g, text, 1, entries))
    form('Matrix Market, ' + name, 'u' if symmetric else 'b', '.mtx .mtx .txt', market)
form('Matrix Market, array', 'b', '.mtx .txt', lambda g: block(
    '%%%%MatrixMarket matrix array integer general\n%d %d' % (g.n, g.n),
    ['%d' % ((u, v) in g.both()) for v in range(g.n) for u in range(g.n)]))
form('SciPy printed', 'b', TEXT, lambda g: block('', ends(g, '  (%d, %d)\t1', 0, g.both())), 'loops', 'SciPy|[Pp]ython')
form('SciPy printed, with a head', 'b', TEXT, lambda g: block(
    "<Compressed Sparse Row sparse matrix of dtype 'int64'\n\twith %d stored elements and shape (%d, %d)>\n  Coords\tValues"
    % (len(g.both()), g.n, g.n), ends(g, '  (%d, %d)\t1', 0, g.both())), 'loops', 'SciPy|[Pp]ython')
form('MATLAB printed', 'b', TEXT, lambda g: block('', ends(g, '   (%d,%d)        1', 1, sorted(g.both(), key=lambda a: a[::-1]))),
     'loops', 'MATLAB|SciPy|[Pp]ython')
form('MATLAB printed, with a head', 'b', TEXT, lambda g: block(
    'A =\n', ends(g, '   (%d,%d)        1', 1, sorted(g.both(), key=lambda a: a[::-1]))), 'loops', 'MATLAB|SciPy|[Pp]ython')
form('Python list of tuples', 'u', TEXT, lambda g: '[' + ', '.join(ends(g, '(%d, %d)')) + ']\n', 'loops', '[Pp]ython|JSON|tuple')
form('Python list of rows', 'b', TEXT, lambda g: block('', ['[%s],' % ', '.join(
    '%d' % ((u, v) in g.both()) for v in range(g.n)) for u in range(g.n)]), 'loops lone', '[Pp]ython|JSON')
form('Python dictionary', 'u', TEXT, lambda g: '{' + ', '.join(
    '%d: [%s]' % (v, ', '.join(map(str, g.after(v)))) for v in range(g.n)) + '}\n', 'loops lone', '[Pp]ython|JSON')
form('SIF', 'u', '.sif .txt', lambda g: block('', ends(g, 'p%d pp p%d')), 'loops')
form('SIF, tabs', 'u', '.sif .txt .tsv', lambda g: block('', ends(g, 'p%d\tpp\tp%d')), 'loops')
form('SIF, kinds', 'u', '.sif .txt', lambda g: block('', (
    'p%d %s p%d' % (u, g.rng.choice(['pp', 'pd']), v) for u, v in g.arcs)), 'loops')
form('SIF, several targets', 'u', '.sif', lambda g: block('', (
    'p%d pp ' % v + ' '.join('p%d' % w for w in g.later(v)) if g.later(v) else 'p%d' % v for v in range(g.n))))
form('TGF', '?', '.tgf .txt', lambda g: block('', ['%d v%d' % (v + 1, v) for v in range(g.n)] + ['#'] + ends(g, '%d %d')),
     'loops lone', 'TGF|Trivial')
form('LGL', 'u', '.lgl', lambda g: block('', (
    '# v%d\n' % v + '\n'.join('v%d' % w for w in g.later(v) if w != v) for v in range(g.n) if g.later(v))), '')
VERTICES = '*Vertices %d\n'


def pajek(g, title, lines):
    names = g.rng.choice([people, cities])(g.rng, g.n)
    return block('*Vertices %d' % g.n, ['%d "%s"' % (v + 1, names[v]) for v in range(g.n)] + [title] + lines)


form('Pajek, edges', 'u', '.net .txt', lambda g: pajek(g, '*Edges', ends(g, '%d %d')))
form('Pajek, arcs', 'd', '.net .txt', lambda g: pajek(g, '*Arcs', ends(g, '%d %d 1')))
form('Pajek, matrix', 'b', '.net .txt', lambda g: pajek(g, '*Matrix', [' '.join(
    '%d' % ((u, v) in g.both()) for v in range(g.n)) for u in range(g.n)]), 'loops lone', 'Pajek')
form('Pajek, lists of edges', 'u', '.net .txt', lambda g: pajek(g, '*Edgeslist', [
    '%d ' % (v + 1) + ' '.join(str(w + 1) for w in g.later(v)) for v in range(g.n) if g.later(v)]), 'loops lone', 'Pajek')
form('GML', 'b', '.gml .txt', lambda g: block('graph [\n  directed %d' % g.directed, [
    '  node [ id %d label "v%d" ]' % (v, v) for v in range(g.n)] + ends(g, '  edge [ source %d target %d ]', 0), ']'))
form('GML, on several lines', 'b', '.gml', lambda g: block('graph\n[\n  directed %d' % g.directed, [
    '  node\n  [\n    id %d\n  ]' % v for v in range(g.n)] + ends(g, '  edge\n  [\n    source %d\n    target %d\n  ]', 0), ']'))
form('GraphML', 'b', '.graphml .xml .txt', lambda g: block(
    '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    '<graph id="G" edgedefault="%(d)s">' % g.words(), ['<node id="n%d"/>' % v for v in range(g.n)]
    + ends(g, '<edge source="n%d" target="n%d"/>'.replace('%d', '%d'), 0), '</graph>\n</graphml>'))


def json_graph(g, indent=None, links='links', of_node=lambda v: {'id': v}):
    return json.dumps({'directed': g.directed, 'multigraph': False, 'graph': {}, 'nodes': [of_node(v) for v in range(g.n)],
                       links: [{'source': u, 'target': v} for u, v in g.arcs]}, indent=indent) + '\n'


form('JSON, links', 'b', '.json .txt', json_graph, refusal='JSON')
form('JSON, edges, indented', 'b', '.json .txt', lambda g: json_graph(g, 2, 'edges'), refusal='JSON')
form('JSON of D3', 'u', '.json', lambda g: json.dumps({'nodes': [{'name': 'v%d' % v} for v in range(g.n)], 'links': [
    {'source': u, 'target': v, 'value': 2} for u, v in g.arcs]}) + '\n')
form('JSON pairs', 'u', '.json .txt', lambda g: json.dumps(g.arcs) + '\n', 'loops', 'JSON')
form('JSON pairs, a line each', 'u', '.json .txt', lambda g: '[\n' + ',\n'.join(map(json.dumps, g.arcs)) + '\n]\n', 'loops', 'JSON')
form('JSON lines', 'u', '.json .jsonl .txt', lambda g: block('', (
    json.dumps({'source': u, 'target': v}) for u, v in g.arcs)), 'loops', 'JSON')
form('JSON neighbours', 'u', '.json .txt', lambda g: json.dumps({'v%d' % v: ['v%d' % w for w in g.after(v)] for v in range(g.n)})
     + '\n', 'loops lone', 'JSON')
form('DOT', 'b', '.dot .gv .txt', lambda g: block('digraph G {' if g.directed else 'graph G {', (
    '  %d %s %d;' % (u, '->' if g.directed else '--', v) for u, v in g.arcs), '}'), 'loops', 'DOT')
form('GDF', '?', '.gdf .txt', lambda g: block('nodedef>name VARCHAR', ['v%d' % v for v in range(g.n)] + [
    'edgedef>node1 VARCHAR,node2 VARCHAR'] + ends(g, 'v%d,v%d', 0)), 'loops lone', 'GDF')
form('GEXF', 'b', '.gexf .txt', lambda g: block(
    '<?xml version="1.0"?>\n<gexf version="1.3"><graph defaultedgetype="%(d)s">' % g.words(), ends(
        g, '<edge source="%d" target="%d"/>'), '</graph></gexf>'), 'loops', 'GEXF')
form('DL, edge list', '?', '.dl .txt', lambda g: block('dl n=%d\nformat = edgelist1\ndata:' % g.n, ends(g, '%d %d')),
     'lone', 'DL|UCINET')
form('DL, full matrix', 'b', '.dl .txt', lambda g: block('dl n=%d\nformat = fullmatrix\ndata:' % g.n, [' '.join(
    '%d' % ((u, v) in g.both()) for v in range(g.n)) for u in range(g.n)]), 'loops lone', 'DL|UCINET')


def finished(g, text, has):
    """The text as a system or an editor leaves it"""
    chance = g.rng.random()
    if 'CR' in has.split() or 'CRLF' in has.split() or chance < 0.05:
        text = text.replace('\n', '\r' if 'CR' in has.split() else '\r\n')
    elif chance < 0.15:
        text = text.rstrip('\n')
    return ('\ufeff' if 'BOM' in has.split() else '') + text


def advice(message):
    """The options in parentheses, or without any, those that the message has anywhere"""
    found = re.findall(r'\((--[^()]*)\)', message)
    if not found:
        found = [bare.rstrip('.,:?)') for bare in re.findall(
            r'--(?:format|columns|separator)[ =]\S+|--(?:no-)?header|--(?:un)?directed', message)]
    return [shlex.split(options) for options in dict.fromkeys(found)][:10]


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
