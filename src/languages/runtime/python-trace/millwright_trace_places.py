"""What an exception says, and where it began."""
import sys

from millwright_trace_objects import type_name
from millwright_trace_texts import Writing

LONGEST_CHAIN = 20000
# How the code of the tracer is named (`sitecustomize.py`).
OWN = "<millwright trace"


def message_of(error, limit):
    """`ValueError: no such thing`. Its `__str__` is asked, as everybody does who reports it; where that fails, its arguments."""
    kind = type(error)
    name = type_name(kind)
    try:
        text = str(error)
        text = str.__str__(text)
    except BaseException:
        try:
            return Writing(limit).text(error, 0) or name
        except Exception:
            return name
    if len(text) > limit:
        text = text[:limit] + "…"
    return "%s: %s" % (name, text) if text else name


def place_of(trace, shown):
    """`path:line` of the innermost frame that an exception with this traceback went through, of the program's own."""
    found = None
    try:
        for _ in range(LONGEST_CHAIN):
            if trace is None:
                break
            if not trace.tb_frame.f_code.co_filename.startswith(OWN):
                found = trace
            trace = trace.tb_next
        return None if found is None else "%s:%d" % (shown(found.tb_frame.f_code.co_filename), found.tb_lineno)
    except Exception:
        return None


def is_own(error):
    """Raised by the tracer's own code: to be kept from the program. A signal's handler may run, and raise, in the midst of it."""
    if isinstance(error, RecursionError) and sys.version_info < (3, 10):
        # Such an interpreter aborts where one is caught and the recursion goes on.
        return False
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_code.co_filename.startswith(OWN)
