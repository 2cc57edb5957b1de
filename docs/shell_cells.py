"""Makes %%bash print all that a cell prints at once: IPython's own passes it on in pieces, and the site would break lines there."""

import subprocess

from IPython.core.magic import register_cell_magic


@register_cell_magic
def bash(_line, cell):
    done = subprocess.run(["bash", "-e", "-c", cell], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout, end="")
    done.check_returncode()
