"""Begins the trace of this process: which functions are asked for, and by which means their calls are noticed."""
import os
import sys

from millwright_trace_calls import Calls
from millwright_trace_functions import Functions
from millwright_trace_lines import Lines


def begin():
    plan = os.environ.get("MILLWRIGHT_TRACE_PYTHON")
    folder = os.environ["MILLWRIGHT_TRACE_DIR"]
    if not plan:
        return
    try:
        os.close(os.open(os.path.join(folder, "python.loaded"), os.O_WRONLY | os.O_CREAT, 0o644))
    except OSError:
        pass
    functions = Functions(plan)
    lines = Lines(folder, _number("BYTES", 64 << 20))
    limits = _number("DEPTH", 200), _number("RECORDS", 100000), _number("VALUE", 1000)
    calls = Calls(lines, functions.shown, functions.depth, limits)
    os.register_at_fork(after_in_child=calls.begin_again)
    if hasattr(sys, "monitoring"):
        from millwright_trace_monitoring import start
    else:
        from millwright_trace_settrace import start
    if start(functions, calls):
        import atexit

        atexit.register(calls.end)


def _number(name, otherwise):
    text = os.environ.get("MILLWRIGHT_TRACE_" + name, "")
    return int(text) if text.isdigit() else otherwise
