"""Walks in time, against an enumeration."""

from __future__ import annotations

import math
from datetime import datetime, timedelta, timezone
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathcount

np = pytest.importorskip("numpy")
pandas = pytest.importorskip("pandas")

EVENTS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([1, 2, 2.5, 4, 7])), max_size=9)


def walks(events, length, wait, directed):
    """The ends of each walk of that length, or of any."""
    distinct = {(*((u, v) if directed else sorted((u, v))), t) for u, v, t in events}
    ways = distinct | (set() if directed else {(v, u, t) for u, v, t in distinct})
    found = []

    def go(walk):
        if walk and length in (None, len(walk)):
            found.append((walk[0][0], walk[-1][1]))
        for event in ways:
            waited = Fraction(event[2]) - Fraction(walk[-1][2]) if walk else 1
            follows = not walk or (event[0] == walk[-1][1] and waited > 0 and waited <= wait)
            if len(walk) != length and follows:
                go([*walk, event])

    go([])
    return found


@given(EVENTS, st.sampled_from([None, 1, 2, 3]), st.sampled_from([math.inf, 0, 1.5, 3]), st.booleans(), st.data())
def test_enumeration(events, length, wait, directed, data):
    found = walks(events, length, wait, directed)
    how = {"length": length, "wait": wait, "directed": directed}
    assert pathcount.time_respecting_walks(events, **how) == len(found)
    assert pathcount.time_respecting_walks(events, mod=7, **how) == len(found) % 7
    if events:
        u, v, _ = data.draw(st.sampled_from(events))
        table = pandas.DataFrame({"t": [str(t) for *_, t in events], "u": [e[0] for e in events], "v": [e[1] for e in events]})
        by_target = pathcount.time_respecting_walks(table, source=u, time="t", **how)
        assert all(by_target[w] == found.count((u, w)) for w in by_target)
        by_source = pathcount.time_respecting_walks(np.array(events), target=v, **how)
        assert all(by_source[w] == found.count((w, v)) for w in by_source)
        assert pathcount.time_respecting_walks(events, source=u, target=v, **how) == found.count((u, v))


def weigh(events, kind, wait):
    """The walks along each directed event, and those with the largest sum of weights."""
    ways, found = sorted(set(events)), []
    follows = {e: [f for f in ways if f[0] == e[1] and 0 < Fraction(f[2]) - Fraction(e[2]) <= wait] for e in ways}
    follow = {f for after in follows.values() for f in after}

    def go(walk):
        if kind == "spnp" or not follows[walk[-1]]:
            found.append(walk)
        for event in follows[walk[-1]]:
            go([*walk, event])

    for event in ways:
        if kind != "spc" or event not in follow:
            go([event])
    return {event: sum(event in walk for walk in found) for event in ways}, found


@given(EVENTS, st.sampled_from(["spc", "splc", "spnp"]), st.sampled_from([math.inf, 0, 1.5, 3]))
def test_search_paths(events, kind, wait):
    graph = pathcount.Graph(events, directed=True, label=True)
    weights, found = weigh(events, kind, wait)
    assert pathcount.spc(graph, kind, wait=wait) == weights
    path = pathcount.main_path(graph, kind, wait=wait)
    assert all(weights[event[:3]] == event[3] for event in path)
    if kind == "spc" and events:
        assert [event[:3] for event in path] in found
        assert sum(event[3] for event in path) == max(sum(map(weights.get, walk)) for walk in found)
    local = pathcount.main_path(graph, kind, "local", wait=wait)
    assert len(local) == 0 or local[0][3] == max(weights[walk[0]] for walk in weigh(events, "spc", wait)[1])


def test_questions():
    graph = pathcount.Graph([("a", "b", 1), ("b", "c", 2), ("c", "a", 3), ("b", "c", 3)], directed=True, label=True)
    assert pathcount.starts(graph, 2, wait=1).tolist() == [1, 1, 0]
    assert pathcount.walks_from(graph, ["a", "b"], 2, each=True, wait=math.inf)[1].tolist() == [[0, 0, 2], [1, 0, 0]]
    assert pathcount.count(graph, 1, wait=0).tolist() == [[0, 1, 0], [0, 0, 2], [1, 0, 0]]
    assert pathcount.time_respecting_walks(graph, 3, each=True).tolist() == [4, 3, 1]
    assert pathcount.trace(graph, 3, wait=Fraction(1)) == 1


def test_refusals():
    for events, words in (
        ([("a", "b", "noon")], "'noon' is no time"),
        ([("a", "b", 2**64)], "64 bits"),
        ([("a", "b")], r"give \(from, to, label\)"),
    ):
        with pytest.raises(ValueError, match=words):
            pathcount.time_respecting_walks(events, 2)
    graph = pathcount.Graph([(1, 2, 3)], label=True)
    for wait, words in (("x", "wait is 'x'"), (-1, "the wait '-1'")):
        with pytest.raises(ValueError, match=words):
            pathcount.total(graph, 2, wait=wait)
    with pytest.raises(ValueError, match="leave match out"):
        pathcount.total(graph, 2, wait=1, match="3")
    with pytest.raises(ValueError, match="make the Graph with label="):
        pathcount.total([(1, 2)], 2, wait=1)
    with pytest.raises(ValueError, match="make the Graph with label= of the times"):
        pathcount.spc([(1, 2)], wait=1)
    with pytest.raises(ValueError, match="a search path count does not take it"):
        pathcount.spc(graph, mod=3, wait=1)
    with pytest.raises(ValueError, match="ask for count"):
        list(pathcount.rows(graph, 2, wait=1))
    with pytest.raises(ValueError, match="a sample does not take it"):
        pathcount.sample(graph, 2, 1, wait=1)
    with pytest.raises(ValueError, match="exactly or modulo"):
        pathcount.total(graph, 2, wait=1, approximate=True)
    with pytest.raises(KeyError, match="no vertex"):
        pathcount.time_respecting_walks([(1, 2, 3)], 2, source=9)


DATES = st.datetimes(min_value=datetime(1800, 1, 1), max_value=datetime(2200, 1, 1))
ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(DATES, st.integers(1, 10**12), ZONES, ZONES)
def test_dates(first, microseconds, zone, other):
    """Python's own calendar says how long a wait is, whatever the zones."""
    begin = first.replace(tzinfo=timezone.utc)
    wait = timedelta(microseconds=microseconds)
    events = [("a", "b", begin.astimezone(zone)), ("b", "c", (begin + wait).astimezone(other))]
    less = wait - timedelta(microseconds=1)
    assert pathcount.time_respecting_walks(events, 2, wait=wait) == 1
    assert pathcount.time_respecting_walks(events, 2, wait=less) == 0
    assert pathcount.time_respecting_walks(events[::-1], 2, source="b", target="b") == 0


def test_tables_of_dates():
    days = pandas.to_datetime(["2024-02-28 23:00", "2024-02-29 01:00", "2024-03-01 01:00"])
    table = pandas.DataFrame({"who": ["a", "b", "c"], "whom": ["b", "c", "a"], "when": days})
    for wait, expected in ((7200, 1), (7199, 0), (pandas.Timedelta("1D"), 2), (np.timedelta64(2, "h"), 1), (None, 2)):
        assert pathcount.time_respecting_walks(table, 2, wait=wait) == expected
    table["note"] = "x"
    how = {"time": "when", "columns": ("who", "whom")}
    assert pathcount.time_respecting_walks(table, 3, **how) == 1
    with pytest.raises(ValueError, match="say which column"):
        pathcount.time_respecting_walks(table, 3)
    table["zoned"] = table["when"].dt.tz_localize("Asia/Tokyo")
    assert pathcount.time_respecting_walks(table, 3, **{**how, "time": "zoned"}) == 1
    table.loc[1, "when"] = None
    with pytest.raises(ValueError, match="dropna"):
        pathcount.time_respecting_walks(table, 3, **how)
