"""Many candidates in one process: what that needs is loaded only where it is asked for, and may begin before the test runner
is loaded (millwright_first)."""
import sys

from millwright_report import RUNTIME, Paths, take_request
from millwright_standard import standard_first

_begun = None


def begin():
    global _begun
    request = take_request()
    if request is not None:
        _begun = request, make_batch(request, Paths(request["root"]))
    # For the plug-in, which the runner loads by its name.
    sys.path.append(RUNTIME)


def take():
    """The request, and the batch where it has begun."""
    global _begun
    if _begun is None:
        return take_request(), None
    begun, _begun = _begun, None
    sys.path[:] = [entry for entry in sys.path if entry != RUNTIME]
    return begun


def make_batch(request, paths):
    """What is to be done with many candidates; None where there is only the repository as it stands: its tests are not to find
    modules loaded that they do not load themselves, and each start would be half as long again.
    """
    if "batch" not in request:
        return None
    sys.path.insert(0, RUNTIME)
    try:
        with standard_first():
            if request["batch"].get("compare"):
                from millwright_compare import Comparison as Made
            else:
                from millwright_batch import Batch as Made
    finally:
        sys.path.remove(RUNTIME)
    return Made(request, paths)
