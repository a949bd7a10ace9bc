"""A pytest plug-in (3.10 and later) that selects tests, limits their time, traces them and writes our report.

Loaded by `-p millwright_pytest`; without a request in the environment it does nothing.
"""
import importlib
import os
import sys

import pytest

from millwright_limit import TimeLimit
from millwright_report import (
    Namer,
    Paths,
    Report,
    Selection,
    failure_of,
    key_of,
    now,
    plain_failure,
    shorten,
    take_request,
    text_of,
    TEXT_LENGTH,
)
from millwright_tracer import make_tracer


class _Test(object):
    """What is known of a test while it runs."""

    def __init__(self, item, key):
        self.item = item
        self.key = key
        self.begin_attempt()

    def begin_attempt(self):
        self.status = None
        self.failure = None
        self.errors = {}

    def fail(self, status, failure):
        if self.status not in ("failed", "errored"):
            self.status, self.failure = status, failure


class _Run(object):
    def __init__(self, request):
        self.request = request
        self.root = request["root"]
        self.paths = Paths(request["root"])
        self.selection = Selection(request["selection"])
        self.report = Report(request["report"], "pytest")
        self.tracer = make_tracer(self.paths) if request["coverage"] else None
        # A test is not to fail for being watched.
        slowdown = self.tracer.slowdown if self.tracer else 1
        self.limit = TimeLimit(request["testTimeoutMs"], request["report"], slowdown)
        self.namer = Namer()
        self.keys = {}
        self.test = None
        self.collect_errors = {}
        self.failed_targets = {}
        self.collected = set()
        modules = [sys.modules.get(name) for name in ("pytest", "_pytest", "pluggy")]
        modules.append(importlib)
        files = [getattr(module, "__file__", None) for module in modules]
        self.framework = [os.path.dirname(file) + os.sep for file in files if file and file.endswith("__init__.py")]
        if self.tracer:
            self.tracer.start()

    def describe(self, excinfo, text=None):
        first = (getattr(excinfo.value, "failures", None) or [excinfo.value])[0]
        if hasattr(first, "example") and hasattr(first, "test"):
            return self.describe_doctest(first, text)
        return failure_of(excinfo.value, excinfo.tb, self.paths, text, self.framework)

    def describe_doctest(self, error, text):
        """The example that failed is where it stands in the docstring, which no traceback says."""
        info = getattr(error, "exc_info", None)
        if info is not None:
            failure = failure_of(info[1], info[2], self.paths, text, self.framework)
        else:
            message = "expected %s, got %s" % (error.example.want.strip(), error.got.strip())
            failure = plain_failure(type(error).__name__, message)
            failure["text"] = shorten(text or message, TEXT_LENGTH)
        line = (error.test.lineno or 0) + error.example.lineno + 1
        if error.test.filename:
            place = {"file": self.paths.name(error.test.filename), "line": line}
            frames = [frame for frame in failure["frames"] if not frame["file"].startswith("<")]
            failure["frames"] = [place] + [frame for frame in frames if not frame["file"].startswith("/")]
        return failure

    def key(self, item):
        known = self.keys.get(id(item))
        if known is None:
            file = _file_node(item)
            name = item.nodeid
            if file is not None and name.startswith(file.nodeid + "::"):
                name = name[len(file.nodeid) + 2:]
            target = self.target(file if file is not None else item)
            # Kept with the item, so that the id is not used again.
            known = self.namer.key(target, name.replace("::()::", "::").replace("()::", "")), item
            self.keys[id(item)] = known
        return known[0]

    def target(self, node):
        return self.paths.name(_path_of(node))

    def target_of(self, item):
        return self.key(item)["target"]

    def cover_load(self, target):
        if self.tracer:
            self.report.cover(None, self.tracer.take(), target)

    def fail_target(self, target, failure):
        if target not in self.failed_targets:
            self.failed_targets[target] = failure
            self.report.fail_target(target, failure)


def _path_of(node):
    return str(getattr(node, "path", None) or getattr(node, "fspath", ""))


def _file_node(node):
    while node is not None and not (isinstance(node, pytest.File) and not _is_package(node)):
        node = node.parent
    return node


def _is_package(node):
    return isinstance(node, getattr(pytest, "Package", ()))


def _long_text(report):
    return text_of(getattr(report, "longreprtext", None) or report.longrepr, "report")


_request = take_request()
_run = None if _request is None else _Run(_request)

if _run is not None:
    # Before pytest's own parsing and after it: what other plug-ins were told to do that is not ours to want.

    @pytest.hookimpl(hookwrapper=True)
    def pytest_load_initial_conftests(early_config):
        options = early_config.known_args_namespace
        _switch_off_coverage(options)
        outcome = yield
        if outcome.excinfo is not None:
            _fail_conftest(outcome.excinfo[1], outcome.excinfo[2])
            _run.report.end()

    def _switch_off_coverage(options):
        if hasattr(options, "cov_source"):
            options.no_cov = True
            options.cov_source = None
            options.cov_fail_under = None

    def _fail_conftest(error, tb, everything=True):
        """A conftest.py that does not load fails all that was asked for, or what lies below it."""
        path = getattr(error, "path", None) or (error.args[0] if error.args else None)
        inner = getattr(error, "cause", None) or error.__cause__
        known = getattr(error, "excinfo", None)
        if isinstance(known, tuple):
            inner, tb = known[1], known[2]
        elif inner is not None:
            tb = inner.__traceback__
        failure = failure_of(inner or error, tb, _run.paths, None, _run.framework)
        _run.report.write({"event": "tests-found", "tests": _run.selection.wanted()})
        conftest = _run.paths.name(path) if path else "conftest.py"
        for target in sorted(_run.selection.files):
            if everything or target.startswith(conftest.rpartition("/")[0] + "/"):
                _run.fail_target(target, failure)
        if not _run.failed_targets:
            _run.fail_target(conftest, failure)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_cmdline_main(config):
        option = config.option
        _switch_off_coverage(option)
        settings = {
            # xdist: one process, or the lines and limits would be the workers'
            "numprocesses": None, "dist": "no", "tx": [], "distload": False, "looponfail": False,
            # the cache plug-ins: neither order nor choice by an earlier run
            "lf": False, "failedfirst": False, "newfirst": False, "stepwise": False,
            # random orders
            "randomly_reorganize": False, "random_order_bucket": "none", "random_order_global": False,
            "usepdb": False, "maxfail": 1 if _run.request["stopAtFirstFailure"] else 0,
            "continue_on_collection_errors": True,
        }
        for name, value in settings.items():
            if hasattr(option, name):
                setattr(option, name, value)
        if getattr(option, "randomly_seed", None) == "default":
            option.randomly_seed = 0
        yield

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(config):
        selection = _run.selection
        if selection.all:
            return
        paths = [os.path.join(_run.root, *target.split("/")) for target in sorted(selection.files)]
        # A bracket in an argument is read as the beginning of a parameter: then all is collected, and the rest left out.
        if not any("[" in path or "::" in path for path in paths):
            config.args = [path for path in paths if os.path.exists(path)]

    @pytest.hookimpl(trylast=True, hookwrapper=True)
    def pytest_sessionstart(session):
        yield
        for name in ("lfplugin", "nfplugin", "stepwiseplugin"):
            plugin = session.config.pluginmanager.getplugin(name)
            if plugin is not None:
                session.config.pluginmanager.unregister(plugin)
        _run.cover_load("")

    # Collection

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_make_collect_report(collector):
        file = _file_node(collector)
        if file is not None:
            _run.cover_load("")
        yield
        if file is not None:
            target = _run.target(file)
            _run.collected.add(target)
            _run.cover_load(target)

    @pytest.hookimpl(tryfirst=True)
    def pytest_exception_interact(node, call):
        if isinstance(node, pytest.Collector):
            _run.collect_errors[node.nodeid] = (call.excinfo.value, call.excinfo.tb, node)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(report):
        if not report.failed:
            return
        error, tb, node = _run.collect_errors.pop(report.nodeid, (None, None, None))
        if type(error).__name__ == "ConftestImportFailure":
            _fail_conftest(error, tb, everything=False)
            return
        text = _long_text(report)
        if error is None:
            failure = plain_failure("CollectError", text)
        else:
            inner = error.__cause__ or error.__context__
            if isinstance(error, pytest.Collector.CollectError) and inner is not None:
                error, tb = inner, inner.__traceback__
            failure = failure_of(error, tb, _run.paths, text, _run.framework)
        _run.fail_target(_run.target(node) if node is not None else report.nodeid.split("::")[0], failure)

    @pytest.hookimpl(trylast=True, hookwrapper=True)
    def pytest_collection_modifyitems(config, items):
        # Keys of all items before others choose among them, so that `#2` means the same in every run.
        for item in items:
            _run.key(item)
        yield
        if _run.selection.all:
            return
        kept, left_out = [], []
        for item in items:
            key = _run.key(item)
            (kept if _run.selection.holds(key["target"], key["name"]) else left_out).append(item)
        if left_out:
            items[:] = kept
            config.hook.pytest_deselected(items=left_out)

    def pytest_collection_finish(session):
        found = [_run.key(item) for item in session.items]
        names = {(key["target"], key["name"]) for key in found}
        found += [key for key in _run.selection.wanted() if (key["target"], key["name"]) not in names]
        _run.report.write({"event": "tests-found", "tests": found})
        for target in sorted(_run.selection.files - _run.collected):
            for folder, failure in list(_run.failed_targets.items()):
                # A package that does not load takes its files with it.
                if target.startswith(folder.rsplit("/__init__.py", 1)[0] + "/"):
                    _run.fail_target(target, failure)
        for target in _run.selection.wanted_targets():
            if target in _run.collected and target not in _run.failed_targets:
                _run.report.end_test(key_of(target, ""), "passed", 0)

    # A test

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(item):
        test = _run.test = _Test(item, _run.key(item))
        _run.report.write({"event": "test-started", "test": test.key})
        if _run.tracer:
            _run.tracer.take()
            _run.tracer.renew()
        begin = now()
        outcome = yield
        seconds = now() - begin
        _run.limit.disarm()
        if outcome.excinfo is not None:  # KeyboardInterrupt, pytest.exit(): the session ends
            test.fail("failed", failure_of(outcome.excinfo[1], outcome.excinfo[2], _run.paths, None, _run.framework))
        if _run.tracer:
            _run.report.cover(test.key, _run.tracer.take())
        _run.report.end_test(test.key, test.status or "errored", seconds, test.failure)
        _run.test = None

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_setup(item):
        if _run.test is not None:
            _run.test.begin_attempt()
        _run.limit.arm(_run.target_of(item))
        yield
        _run.limit.disarm()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(item):
        _run.limit.arm(_run.target_of(item))
        yield
        _run.limit.disarm()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_teardown(item):
        _run.limit.arm(_run.target_of(item))
        yield
        _run.limit.disarm()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(item, call):
        yield
        if _run.test is not None and call.excinfo is not None:
            _run.test.errors[call.when] = call.excinfo

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(report):
        test = _run.test
        if test is None:
            return
        expected = hasattr(report, "wasxfail")
        if report.failed:
            excinfo = None if hasattr(report, "context") else test.errors.get(report.when)
            if excinfo is not None and not _is_outcome(excinfo):
                failure = _run.describe(excinfo, _long_text(report))
            else:
                failure = _failure_without_error(report)
            if not failure["frames"] and report.location[1] is not None:
                file = _run.target(test.item)
                failure["frames"] = [{"file": file, "line": max(1, report.location[1] + 1)}]
            test.fail("failed" if report.when == "call" else "errored", failure)
        elif report.skipped and test.status is None:
            test.status = "expected-failure" if expected else "skipped"
            if not expected:
                test.failure = None
        elif report.when == "call" and report.passed and test.status is None:
            test.status = "passed"

    def _is_outcome(excinfo):
        """An xfail or skip that a later hook turned into a failure, as strict markers do."""
        return excinfo.typename in ("XFailed", "Skipped")

    def _failure_without_error(report):
        text = _long_text(report)
        crash = getattr(getattr(report, "longrepr", None), "reprcrash", None)
        if crash is not None:
            kind, _, message = text_of(crash.message).partition(": ")
            frame = {"file": _run.paths.name(crash.path), "line": max(1, int(crash.lineno))}
            return {"type": kind if message else "AssertionError", "message": message or kind, "frames": [frame],
                    "text": shorten(text, TEXT_LENGTH)}
        kind = "UnexpectedSuccess" if "XPASS" in text or "Unexpected success" in text else "Failed"
        return plain_failure(kind, text)

    # The end

    @pytest.hookimpl(tryfirst=True)
    def pytest_internalerror(excinfo):
        if type(excinfo.value).__name__ == "ConftestImportFailure":
            _fail_conftest(excinfo.value, excinfo.tb)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_sessionfinish(session):
        yield
        _run.report.end()
