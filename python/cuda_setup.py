"""Builds the wheel pathcount-cuda: the CUDA engine, which lies beside the libpathcount of the wheel pathcount.

Run by python/wheel.sh. PATHCOUNT_ENGINE is the path of libpathcount_cuda.so, PATHCOUNT_VERSION the version of both
wheels, which must be of one build.
"""

import os
import shutil
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel


class WithEngine(build_py):
    def run(self):
        folder = Path(self.build_lib) / "pathcount" / "_lib"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(os.environ["PATHCOUNT_ENGINE"], folder / "libpathcount_cuda.so")


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


class AnyPython(bdist_wheel):
    """One wheel for every Python, and for one kind of machine."""

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


version = os.environ["PATHCOUNT_VERSION"]
setup(
    name="pathcount-cuda",
    version=version,
    description="The CUDA engine of pathcount, for NVIDIA GPUs",
    long_description="Install it beside pathcount: `pip install pathcount pathcount-cuda`. It needs the NVIDIA driver only.",
    license="MIT",
    python_requires=">=3.9",
    install_requires=[f"pathcount=={version}"],
    packages=["pathcount"],
    package_dir={"pathcount": "."},
    distclass=WithLibrary,
    cmdclass={"build_py": WithEngine, "bdist_wheel": AnyPython},
)
