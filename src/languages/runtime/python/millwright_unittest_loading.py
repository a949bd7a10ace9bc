"""How our unittest runner loads and chooses tests, and what it knows of a run."""
import os
import sys
import unittest
import unittest.loader

from millwright_channel import Channel
from millwright_early import make_batch
from millwright_limit import TimeLimit
from millwright_report import Namer, Paths, Report, Selection, brief_failure, failure_of
from millwright_tracer import make_tracer

# The State of this process, once `begin` was called.
current = None


def begin(request):
    global current
    current = State(request)
    return current


class State(object):
    def __init__(self, request):
        self.request = request
        self.paths = Paths(request["root"])
        self.selection = Selection(request["selection"])
        self.report = Report(Channel(request["channel"]), "unittest")
        self.tracer = make_tracer(self.paths) if request["coverage"] else None
        # A test is not to fail for being watched.
        slowdown = self.tracer.slowdown if self.tracer else 1
        self.limit = TimeLimit(request["testTimeoutMs"], request["report"], slowdown)
        self.batch = make_batch(request, self.paths)
        self.candidate = None
        if self.batch is not None and self.batch.candidate is not None:
            self.begin_candidate(self.batch.candidate)
        self.namer = Namer()
        self.keys = {}
        # name of a module that did not load -> (error, traceback), for the loader keeps only a text.
        self.load_errors = {}
        self.loading = None
        if self.tracer:
            self.tracer.start()

    def begin_candidate(self, candidate):
        """In the child in which the candidate is tested."""
        self.candidate = candidate
        self.report, self.limit = self.batch.begin(candidate, "unittest")

    def take(self):
        return self.tracer.take() if self.tracer else {}

    def failure(self, error_info):
        if self.candidate is not None:
            return brief_failure(error_info[1])
        return failure_of(error_info[1], error_info[2], self.paths)

    def key(self, test):
        known = self.keys.get(id(test))
        if known is None:
            known = self.namer.key(*self.place(test)), test
            self.keys[id(test)] = known
        return known[0]

    def place(self, test):
        """Target and name of a test."""
        doctest = getattr(test, "_dt_test", None)
        if doctest is not None:
            return self.paths.name(doctest.filename or "<doctest>"), doctest.name
        kind = type(test)
        file = getattr(sys.modules.get(kind.__module__), "__file__", None)
        target = self.paths.name(file) if file else kind.__module__
        prefix = kind.__module__ + "."
        name = test.id()
        return target, name[len(prefix):] if name.startswith(prefix) else name

    def target_of_module(self, name):
        """The file of a module that may not have loaded."""
        module = sys.modules.get(name)
        if getattr(module, "__file__", None):
            return self.paths.name(module.__file__)
        parts = name.split(".")
        for folder in [self.loading or "", ""] + sys.path:
            for end in (".py", os.sep + "__init__.py"):
                file = os.path.join(self.paths.start, folder, *parts) + end
                if os.path.isfile(file):
                    return self.paths.name(file)
        return name.replace(".", "/") + ".py"


class Suite(unittest.TestSuite):
    """Limits the time of what runs around classes and modules; these steps survive nothing but an Exception."""

    def _handleClassSetUp(self, test, result):
        with _Limited():
            super(Suite, self)._handleClassSetUp(test, result)

    def _handleModuleFixture(self, test, result):
        with _Limited():
            super(Suite, self)._handleModuleFixture(test, result)

    def _tearDownPreviousClass(self, test, result):
        with _Limited():
            super(Suite, self)._tearDownPreviousClass(test, result)
        if type(test) is not getattr(result, "_previousTestClass", None):
            current.take()


class _Limited(object):
    def __enter__(self):
        current.limit.arm(as_exception=True)

    def __exit__(self, *error):
        current.limit.disarm()


class Loader(unittest.TestLoader):
    suiteClass = Suite

    def discover(self, start_dir, pattern="test*.py", top_level_dir=None):
        current.loading = top_level_dir or start_dir
        return super(Loader, self).discover(start_dir, pattern, top_level_dir)

    def _match_path(self, path, full_path, pattern):
        if not super(Loader, self)._match_path(path, full_path, pattern):
            return False
        selection = current.selection
        if selection.all or current.paths.name(full_path) in selection.files:
            return True
        finds_all = all(super(Loader, self)._match_path(os.path.basename(file), file, pattern) for file in selection.files)
        return not finds_all and gathers_tests(full_path)

    def _get_module_from_name(self, name):
        current.report.cover(None, current.take(), "")
        try:
            return super(Loader, self)._get_module_from_name(name)
        finally:
            current.report.cover(None, current.take(), current.target_of_module(name))

    def loadTestsFromName(self, name, module=None):
        current.report.cover(None, current.take(), "")
        suite = super(Loader, self).loadTestsFromName(name, module)
        lines = current.take()
        targets = {current.place(test)[0] for test in tests_of(suite) if not is_load_failure(test)}
        current.report.cover(None, lines, sorted(targets)[0] if targets else "")
        return suite


def gathers_tests(path):
    """True for a module that may load tests of files that discovery does not: documentation tests of the sources."""
    with open(path, "rb") as file:
        return b"load_tests" in file.read()


def keep_load_errors():
    """The loader turns an exception into a text; the exception itself has the frames."""
    original = getattr(unittest.loader, "_make_failed_import_test", None)
    if original is None:
        return

    def make_failed_import_test(name, suite_class):
        current.load_errors[name] = sys.exc_info()
        return original(name, suite_class)

    unittest.loader._make_failed_import_test = make_failed_import_test


def is_load_failure(test):
    return type(test).__module__ == "unittest.loader" and type(test).__name__ == "_FailedTest"


def tests_of(suite):
    if not hasattr(suite, "__iter__"):
        return [suite]
    return [test for child in suite if child is not None for test in tests_of(child)]


def keep_tests(suite, wanted):
    """Leaves out the tests that are not wanted, in place: a `load_tests` may have made a suite of its own class."""
    if hasattr(suite, "_tests"):
        suite._tests = [child for child in suite._tests if hasattr(child, "__iter__") or wanted(child)]
        for child in suite._tests:
            if hasattr(child, "__iter__"):
                keep_tests(child, wanted)


def in_order(suite, place):
    """The tests sorted, one after the other; as they are where a suite of the tests' own class stands around some."""
    def is_plain(part):
        return not hasattr(part, "__iter__") or (type(part) in (Suite, unittest.TestSuite) and all(map(is_plain, part)))

    return Suite(sorted(tests_of(suite), key=place)) if is_plain(suite) else suite
