"""The version, which is PC_VERSION of src/pathcount.h: tests/test_abi.py compares them."""

VERSION = "0.2.0"
