"""A batch that began before the test runner was loaded (millwright_first): nothing unless it did."""
import sys

from millwright_report import RUNTIME, Paths, take_request

_begun = None


def begin():
    from millwright_compare import make_batch

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
