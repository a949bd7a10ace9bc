"""Loaded by every interpreter that the command starts, through PYTHONPATH: starts the trace, then does what would have been
done without it, namely import the `sitecustomize` that stands behind this folder, if there is one."""
import sys


def _begin():
    import os

    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != folder]
    if not os.environ.get("MILLWRIGHT_TRACE_DIR") or sys.version_info < (3, 7):
        return
    keeps_no_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.insert(0, folder)
    try:
        import millwright_trace

        millwright_trace.begin()
    except Exception:
        pass  # a trace that cannot begin must not keep the program from running
    finally:
        sys.dont_write_bytecode = keeps_no_bytecode
        sys.path[:] = [entry for entry in sys.path if entry != folder]


_begin()
_own = sys.modules.pop("sitecustomize", None)
try:
    import sitecustomize  # noqa: F401  the one behind this folder
except ImportError as _error:
    if _own is not None:
        # There is none. The import of this one expects to find it.
        sys.modules["sitecustomize"] = _own
    if getattr(_error, "name", "sitecustomize") != "sitecustomize":
        raise
