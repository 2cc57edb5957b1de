"""What all tests share: where the library is, and how many examples hypothesis makes.

PATHCOUNT_TEST_LONG=1 runs the long forms: 2,000 random graphs of each kind of object, more calls, larger matrices.
"""

import os
import signal
from pathlib import Path

from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / "build" / "libpathcount.so.1"
if BUILT.exists():
    os.environ.setdefault("PATHCOUNT_LIBRARY", str(BUILT))

# Who starts the tests in the background may have Ctrl-C ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

LONG = bool(os.environ.get("PATHCOUNT_TEST_LONG"))

quiet = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("short", max_examples=60, deadline=None, derandomize=True, suppress_health_check=quiet)
settings.register_profile("long", max_examples=2000, deadline=None, suppress_health_check=quiet)
settings.load_profile("long" if LONG else "short")
