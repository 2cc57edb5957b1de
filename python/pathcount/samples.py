"""Random walks, drawn uniformly."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, SupportsIndex

from . import _abi, _call, _settings
from ._abi import lib
from .graphs import as_graph

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._settings import Settings


def sample(
    graph: Any,
    length: SupportsIndex,
    number: SupportsIndex,
    *,
    source: Any = None,
    target: Any = None,
    simple: bool = False,
    seed: SupportsIndex = 0,
    **settings: Unpack[Settings],
) -> list[tuple[Any, ...]]:
    """Random walks of that many edges, as tuples of labels: drawn independently, each walk with the same probability.

    source and target are where all start and end; None: anywhere. Weights are numbers of parallel edges. With simple=True
    walks visit no vertex twice; RangeError (an OverflowError) when these are so few that it may take more than an
    hour. DataError when there is no such walk. The same seed gives the same walks, whatever the number of threads.

    >>> sample([("a", "b"), ("b", "c")], 2, 1, source="a", target="c")
    [('a', 'b', 'c')]
    """
    graph = as_graph(graph)
    _settings.only(settings, "a sample")
    labels = graph.vertices
    n_columns = _settings.whole("length", length, 0, 2**63 - 1) + 1
    options = _abi.pc_sample_options(n_columns - 1, _settings.whole("number", number, 0, 2**63 - 1))
    options.simple, options.seed = bool(simple), _settings.whole("seed", seed, 0, 2**64 - 1)
    ends = {name: label for name, label in (("from", source), ("to", target)) if label is not None}
    places = [ctypes.c_uint64(labels.position(label)) for label in ends.values()]
    for name, place in zip(ends, places):
        setattr(options, name, ctypes.addressof(place))
    walks: list[tuple[Any, ...]] = []

    def take(_user: int, n_walks: int, address: int) -> int:
        try:
            vertices = (ctypes.c_uint32 * (n_walks * n_columns)).from_address(address)
            walks.extend(zip(*[map(labels.__getitem__, vertices)] * n_columns))
        except BaseException:
            return _abi.PC_ERR_CANCELLED
        return _abi.PC_OK

    callback = _abi.sample_fn(take)

    def job(context: _call.Context) -> list[tuple[Any, ...]]:
        given = context.address, graph._handle.address, ctypes.addressof(options)
        context.check(lib.pc_sample(*given, callback, None))
        return walks

    # A thread of its own makes every call with a callback.
    return _call.run(job, _call.SHORT_WORK, settings)
