"""The notebook runs from its first cell to its last: it asserts what it says."""

import json
from pathlib import Path

import networkx as nx
import pytest

NOTEBOOK = Path(__file__).parents[2] / "examples" / "python" / "overflow.ipynb"


def test_the_notebook(capsys):
    if "pathcount" not in nx.utils.backends.backends:
        pytest.skip("the package is not installed: NetworkX does not find its entry point")
    notebook = json.loads(NOTEBOOK.read_text())
    names = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
    wrapped, rounded, exact = [line.split()[-1] for line in capsys.readouterr().out.splitlines()]
    assert exact == "68848319761339208022"  # as the README says
    assert len({wrapped, rounded, exact}) == 3
    assert "<svg" in names["counts"]._repr_html_()
