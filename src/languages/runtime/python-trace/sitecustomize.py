"""Loaded by every interpreter that the command starts, through PYTHONPATH: starts the trace, then does what would have been
done without it, namely import the `sitecustomize` that stands behind this folder, if there is one."""
import sys

# Each after those that it imports.
_PARTS = ("objects", "kinds", "texts", "places", "values", "lines", "watch", "functions", "tests", "workers", "calls")


def _begin():
    import os

    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != folder]
    if not os.environ.get("MILLWRIGHT_TRACE_DIR") or sys.version_info < (3, 7):
        return
    means = "monitoring" if hasattr(sys, "monitoring") else "settrace"
    try:
        for part in _PARTS + (means,):
            _load(folder, "millwright_trace_" + part)
        _load(folder, "millwright_trace").begin()
    except Exception:
        pass  # a trace that cannot begin must not keep the program from running


def _load(folder, name):
    """Under a name that is no file's, so that coverage and the like take no interest in it; and no bytecode is written."""
    module = type(sys)(name)
    with open(folder + "/" + name + ".py", "rb") as file:
        code = compile(file.read(), "<millwright trace: %s>" % name, "exec")
    sys.modules[name] = module
    exec(code, module.__dict__)
    return module


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
