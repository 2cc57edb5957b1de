"""Builds the wheel: pure Python, and libpathcount with what make and the system give it."""

import os
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

ROOT = Path(__file__).resolve().parent
LIBRARY = "libpathcount.so.1"


def built_library():
    """PATHCOUNT_LIBRARY where it is set (make wheel does), else what make builds, without igraph, cairo and CUDA."""
    chosen = os.environ.get("PATHCOUNT_LIBRARY")
    if chosen:
        return Path(chosen)
    build = ROOT / "build" / "wheel-library"
    command = [
        "make",
        "-C",
        str(ROOT),
        f"-j{os.cpu_count()}",
        "IGRAPH=",
        "CAIRO=",
        "NVCC=",
        f"BUILD={build}",
        str(build / LIBRARY),
    ]
    subprocess.run(command, check=True)
    return build / LIBRARY


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        folder = Path(self.build_lib) / "pathcount" / "_lib"
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / LIBRARY
        shutil.copyfile(built_library(), target)
        if shutil.which("strip"):
            subprocess.run(["strip", "--strip-unneeded", str(target)], check=True)


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


class AnyPython(bdist_wheel):
    """One wheel for every Python, and for one kind of machine."""

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


setup(distclass=WithLibrary, cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": AnyPython})
