"""Walks in time, against an enumeration."""

from __future__ import annotations

import datetime
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
            follows = not walk or (event[0] == walk[-1][1] and waited > 0 and (wait is None or waited <= wait))
            if len(walk) != length and follows:
                go([*walk, event])

    go([])
    return found


@given(EVENTS, st.sampled_from([None, 1, 2, 3]), st.sampled_from([None, 0, 1.5, 3]), st.booleans(), st.data())
def test_enumeration(events, length, wait, directed, data):
    found = walks(events, length, wait, directed)
    how = {"length": length, "wait": wait, "directed": directed}
    assert pathcount.time_respecting_walks(events, **how) == len(found)
    assert pathcount.time_respecting_walks(events, mod=7, **how) == len(found) % 7
    if events:
        u, v, _ = data.draw(st.sampled_from(events))
        table = pandas.DataFrame({"t": [t for *_, t in events], "u": [e[0] for e in events], "v": [e[1] for e in events]})
        by_target = pathcount.time_respecting_walks(table, source=u, columns=("u", "v", "t"), **how)
        assert all(by_target[w] == found.count((u, w)) for w in by_target)
        by_source = pathcount.time_respecting_walks(np.array(events), target=v, **how)
        assert all(by_source[w] == found.count((w, v)) for w in by_source)
        assert pathcount.time_respecting_walks(events, source=u, target=v, **how) == found.count((u, v))


def test_dates():
    day = datetime.datetime(2020, 1, 1)
    rows = [("a", "b", day), ("b", "c", day + datetime.timedelta(seconds=90))]
    table = pandas.DataFrame(rows, columns=["from", "to", "at"])
    for events in (rows, table, [(u, v, np.datetime64(t)) for u, v, t in rows]):
        for wait, expected in ((89, 0), (90, 1)):
            seconds = datetime.timedelta(seconds=wait)
            assert pathcount.time_respecting_walks(events, 2, wait=seconds) == expected
            assert pathcount.time_respecting_walks(events, 2, wait=np.timedelta64(wait, "s")) == expected


def test_refusals():
    for events, words in (
        ([("a", "b", "noon")], "a time is 'noon'"),
        ([("a", "b", float("nan"))], "is no time"),
        ([("a", "b", 2**64)], "64 bits"),
        ([("a", "b")], r"give \(from, to, time\)"),
    ):
        with pytest.raises(ValueError, match=words):
            pathcount.time_respecting_walks(events, 2)
    with pytest.raises(ValueError, match="wait is 'x'"):
        pathcount.time_respecting_walks([(1, 2, 3)], 2, wait="x")
    with pytest.raises(ValueError, match="the wait '-1'"):
        pathcount.time_respecting_walks([(1, 2, 3)], 2, wait=-1)
    with pytest.raises(KeyError, match="no vertex"):
        pathcount.time_respecting_walks([(1, 2, 3)], 2, source=9)
    with pytest.raises(ValueError, match="does not take it"):
        pathcount.time_respecting_walks([(1, 2, 3)], 2, approximate=True)
