"""What our pytest plug-in knows of a run: its request, its report, the keys of tests, and how failures are described."""
import importlib
import os
import sys

import pytest

from millwright_channel import Channel
from millwright_early import make_batch
from millwright_limit import TimeLimit
from millwright_report import (
    TEXT_LENGTH,
    Namer,
    Paths,
    Report,
    Selection,
    brief_failure,
    failure_of,
    plain_failure,
    shorten,
    text_of,
)
from millwright_tracer import Phases, make_tracer


class Test(object):
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


class Run(object):
    def __init__(self, request, batch):
        self.request = request
        self.root = request["root"]
        self.paths = Paths(request["root"])
        self.selection = Selection(request["selection"])
        self.report = Report(Channel(request["channel"]), "pytest")
        self.tracer = make_tracer(self.paths) if request["coverage"] else None
        # A test is not to fail for being watched.
        slowdown = self.tracer.slowdown if self.tracer else 1
        self.limit = TimeLimit(request["testTimeoutMs"], request["report"], slowdown)
        self.batch = batch or make_batch(request, self.paths)
        self.candidate = None
        if self.batch is not None and self.batch.candidate is not None:
            self.begin_candidate(self.batch.candidate)
        self.namer = Namer()
        self.keys = {}
        self.test = None
        self.collect_errors = {}
        self.failed_targets = {}
        self.collected = set()
        # The number of all collected tests, if this process runs a share of them.
        self.whole = None
        modules = [sys.modules.get(name) for name in ("pytest", "_pytest", "pluggy")]
        modules.append(importlib)
        files = [getattr(module, "__file__", None) for module in modules]
        self.framework = [os.path.dirname(file) + os.sep for file in files if file and file.endswith("__init__.py")]
        is_own = any(file and self.paths.own(file) is not None for file in files)
        self.phases = Phases(self.tracer) if self.tracer and is_own else None
        if self.tracer:
            self.tracer.start()

    def begin_candidate(self, candidate):
        """In the child in which the candidate is tested."""
        self.candidate = candidate
        self.report, self.limit = self.batch.begin(candidate, "pytest")

    def describe(self, excinfo, text=None):
        if self.candidate is not None:
            return brief_failure(excinfo.value)
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
            file = file_node(item)
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


def file_node(node):
    while node is not None and not (isinstance(node, pytest.File) and not _is_package(node)):
        node = node.parent
    return node


def _is_package(node):
    return isinstance(node, getattr(pytest, "Package", ()))


def long_text(report):
    return text_of(getattr(report, "longreprtext", None) or report.longrepr, "report")


def failure_without_error(report, paths):
    """Of a failure that has no exception, or of which only a text is left."""
    text = long_text(report)
    crash = getattr(getattr(report, "longrepr", None), "reprcrash", None)
    if crash is not None:
        kind, _, message = text_of(crash.message).partition(": ")
        frame = {"file": paths.name(crash.path), "line": max(1, int(crash.lineno))}
        return {"type": kind if message else "AssertionError", "message": message or kind, "frames": [frame],
                "text": shorten(text, TEXT_LENGTH)}
    kind = "UnexpectedSuccess" if "XPASS" in text or "Unexpected success" in text else "Failed"
    return plain_failure(kind, text)
