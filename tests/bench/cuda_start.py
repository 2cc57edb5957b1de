"""What the CUDA driver takes before any program can use a GPU, in a process that does nothing else:

    python3 tests/bench/cuda_start.py      prints seconds of cuInit and of the first GPU's context
"""
import ctypes
import json
import time


def call(function, *arguments):
    status = function(*arguments)
    assert status == 0, (function.__name__, status)
    return time.time()


driver = ctypes.CDLL("libcuda.so.1")
device, context = ctypes.c_int(), ctypes.c_void_p()
start = time.time()
initialised = call(driver.cuInit, 0)
call(driver.cuDeviceGet, ctypes.byref(device), 0)
done = call(driver.cuDevicePrimaryCtxRetain, ctypes.byref(context), device)
call(driver.cuDevicePrimaryCtxRelease_v2, device)
released = time.time()
print(json.dumps({"init": initialised - start, "context": done - initialised,
                  "release": released - done}))
