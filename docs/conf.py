"""Settings of Sphinx for the site. docs/build.sh sets PATHCOUNT_MAN, the manual of the command as make made it."""

import os
import sys
from pathlib import Path

from sphinx.ext.napoleon import GoogleDocstring

import pathcount

sys.path.insert(0, str(Path(__file__).parent))
from man import markdown

project = "pathcount"
version = release = pathcount.__version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx_design", "sphinx_copybutton"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
smartquotes = False
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!pathcount\.).*|pathcount\.(_.*|errors\.Error)")]

nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_output_stderr = "remove-warn"
nb_merge_streams = True

autodoc_member_order = "bysource"
python_maximum_signature_line_length = 88
add_module_names = False

html_theme = "furo"
html_title = f"pathcount {version}"
html_static_path = ["static"]
html_css_files = ["pathcount.css"]
html_show_sphinx = False
html_show_copyright = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True


def setup(app):
    def manual(_app, _name, source):
        source[0] = source[0].replace("@MANUAL@", markdown(Path(os.environ["PATHCOUNT_MAN"]).read_text()))

    def sections(_app, what, _name, _object, _options, lines):
        """Sections Args and Raises of classes. (Of an attribute it would take the words before a colon for the type.)"""
        if what == "class":
            lines[:] = GoogleDocstring(lines).lines()

    app.connect("source-read", manual)
    app.connect("autodoc-process-docstring", sections)
