"""The declarations of _abi.py are those of the headers: sizes and offsets by a compiler, prototypes by reading them."""

import ctypes
import re
import shutil
import subprocess

import pytest
from conftest import ROOT

from pathcount import _abi, _version, graphs

SUBJECTS = ("", "_chain", "_stream", "_reduction", "_recurrence", "_spc", "_sample", "_labelled", "_match", "_time")
HEADERS = [ROOT / "src" / f"pathcount{subject}.h" for subject in SUBJECTS]
STRUCTURES = sorted(
    (
        value
        for value in vars(_abi).values()
        if isinstance(value, type) and issubclass(value, ctypes.Structure) and value.__name__.startswith("pc_")
    ),
    key=lambda structure: structure.__name__,
)


def compiled(source, folder):
    """What a C program prints."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    program = folder / "program"
    (folder / "program.c").write_text(source)
    subprocess.run([compiler, f"-I{ROOT / 'src'}", "-o", program, folder / "program.c"], check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout


HEAD = "".join(f'#include "{header.name}"\n' for header in HEADERS) + "#include <stdio.h>\nint main(void)\n{\n"


def test_structures(tmp_path):
    lines, expected = [], []
    for structure in STRUCTURES:
        name = structure.__name__
        lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
        expected.append(f"{name} {ctypes.sizeof(structure)}")
        for field, _ in structure._fields_:
            place = f"offsetof({name}, {field}), sizeof((({name} *)0)->{field})"
            lines.append(f'printf("{name}.{field} %zu %zu\\n", {place});')
            descriptor = getattr(structure, field)
            expected.append(f"{name}.{field} {descriptor.offset} {descriptor.size}")
    assert len(STRUCTURES) > 10
    assert compiled(HEAD + "\n".join(lines) + "\nreturn 0; }\n", tmp_path).splitlines() == expected


def test_structures_have_every_field():
    """A field that the header has at the end, and the declaration lacks, changes the size; one within changes offsets."""
    text = plain_text()
    for structure in STRUCTURES:
        body = re.search(rf"typedef struct {structure.__name__} {{(.*?)}} {structure.__name__};", text, re.DOTALL)
        names = re.findall(r"\*?(\w+)(?:\[\w+\])?\s*[,;]", body[1])
        assert names == [field for field, _ in structure._fields_], structure.__name__


def test_enumerations(tmp_path):
    names = [name for name, value in vars(_abi).items() if name.startswith("PC_") and isinstance(value, int)]
    assert len(names) > 30
    source = HEAD + "".join(f'printf("%d\\n", (int){name});' for name in names) + "return 0; }\n"
    assert compiled(source, tmp_path).split() == [str(getattr(_abi, name)) for name in names]


def plain_text():
    text = "".join(header.read_text() for header in HEADERS)
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    return re.sub(r"^#.*$", "", text, flags=re.MULTILINE)


OF_TYPE = {
    "pc_status": ctypes.c_int,
    "int": ctypes.c_int,
    "double": ctypes.c_double,
    "uint32_t": ctypes.c_uint32,
    "uint64_t": ctypes.c_uint64,
    "size_t": ctypes.c_size_t,
    "pc_recurrence_part": ctypes.c_int,
    "pc_search_paths": ctypes.c_int,
    "pc_main_path_search": ctypes.c_int,
    "pc_centrality_kind": ctypes.c_int,
    "pc_chain_measure": ctypes.c_int,
    "pc_format": ctypes.c_int,
    "pc_progress_fn": _abi.progress_fn,
    "pc_rows_fn": _abi.rows_fn,
    "pc_answer_fn": _abi.answer_fn,
    "pc_sample_fn": _abi.sample_fn,
    "void": None,
}
POINTERS = (ctypes.c_void_p, ctypes.c_char_p)


def is_of(declared, text):
    """Whether a type of ctypes is that of the declaration text, its name left out."""
    if "*" in text:
        return declared in POINTERS
    return declared is OF_TYPE[text.replace("const", "").split()[0]]


def test_prototypes():
    text = " ".join(plain_text().split())
    for name, (result, *arguments) in _abi.FUNCTIONS.items():
        found = re.search(rf"([\w ]+[ *]){name}\(([^)]*)\);", text)
        assert found, f"the headers have no {name}"
        wanted = found[2].split(",") if found[2] != "void" else []
        assert len(arguments) == len(wanted), name
        assert is_of(result, found[1].strip()), name
        for declared, given in zip(arguments, wanted):
            assert is_of(declared, given.strip()), f"{name}: {given}"


def test_version():
    stated = re.search(r'#define PC_VERSION "(.*)"', HEADERS[0].read_text())[1]
    assert stated == _version.VERSION == _abi.lib.pc_version().decode()


def test_names_of_formats():
    enumerated = re.search(r"typedef enum pc_format {(.*?)} pc_format;", (ROOT / "src/pathcount.h").read_text(), re.DOTALL)[1]
    place = {name: i for i, name in enumerate(re.findall(r"^ *(PC_FORMAT_\w+)", enumerated, re.MULTILINE))}
    table = (ROOT / "graphs/file_format.c").read_text()
    rows = re.findall(r'^ *{"[^"]*", "([^"]*)", .format = (PC_FORMAT_\w+)', table, re.MULTILINE)
    assert {name: place[kind] for name, kind in rows} | {"auto": 0} == graphs._FORMATS
