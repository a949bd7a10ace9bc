"""Tests many candidates in one start: everything is loaded once, and each candidate gets a forked child, in which its changed
functions take the place of the loaded ones (millwright_swap).

Besides the children's reports (`c7-….jsonl`), `batch.txt` has a line for each thing that is known of a candidate:
{"candidate", "refused": reason}: it has to be tested by a start of its own; {"candidate", "exitCode"}: its child ended, null
when it was killed; {"refused": reason}, without a candidate: none can be tested so.
"""
import gc
import json
import os
import sys
import threading

from millwright_channel import FileOutput
from millwright_children import Children
from millwright_cold import ColdStart, Overlay
from millwright_limit import TimeLimit
from millwright_report import Report
from millwright_swap import Executed, Loaded, Unfit, read_source, swap
from millwright_watch import watch

# A child that reported nothing for this time beyond the limit of a test is stuck.
STALL_SECONDS = 10.0
# What the machine does beside makes a test slow, and must not make a good candidate a bad one: where a limit of processor time
# ends loops, the other may be so many times as long.
PATIENCE = 3
# A test's processor time, which other processes do not lengthen, as a part of its limit: a third of the candidates of some
# loops never end, and nothing else costs as much.
PROCESSOR_SHARE = 0.3


class Batch(object):
    """Made before anything of the repository is loaded."""

    # Of a batch of comparisons it is False: a test that is gone is no reason to give up, and no candidate is loaded.
    is_complete = True

    def __init__(self, request, paths):
        self.request = request
        batch = request["batch"]
        self.candidates = batch["candidates"]
        self.parallel = max(1, batch["parallel"])
        self.paths = paths
        self.order = {(target, name): at for at, (target, name) in enumerate(request["selection"]["tests"])}
        self.children = Children(STALL_SECONDS + PATIENCE * request["testTimeoutMs"] / 1000.0)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        self.file = os.open(os.path.join(request["report"], "batch.txt"), flags, 0o644)
        self.problem = None
        self.executed = self.cold = None
        # In a child that loads everything itself: the candidate.
        self.candidate = None
        if not hasattr(sys, "addaudithook") or not hasattr(os, "fork"):
            self.problem = "it needs Python 3.8 or later, on a system that forks"
            return
        if self.is_complete:
            self.cold = ColdStart()
            self.candidate = self.cold.wait_for_candidates(self)
            if self.candidate is not None:
                self._lay_over(self.candidate)
                return
        self.executed = Executed()
        try:
            self.executed.start()
        except Unfit as unfit:
            self.problem = str(unfit)

    def place(self, key):
        """Where a test stands in the order that was asked for."""
        return self.order.get((key["target"], key["name"]), len(self.order))

    def run(self, keys):
        """Returns the candidate in each child; in the parent None, when all of them are through."""
        if self.candidate is not None:
            self.overlay.check()
            return self.candidate
        cold = []
        try:
            loaded = self.prepare(keys)
        except Unfit as unfit:
            self.write({"refused": str(unfit)})
        else:
            self.cold.loaded()
            for candidate in self.candidates:
                try:
                    changes = self.read(candidate)
                    plans = self.plan(loaded, changes)
                except Unfit:
                    cold.append(candidate)
                    continue
                except (OSError, SyntaxError, UnicodeError) as problem:
                    self._refuse(candidate, str(problem))
                    continue
                while len(self.children.running) >= self.parallel:
                    self.wait()
                if self.fork(candidate):
                    swap(plans)
                    watch(self.paths.root, loaded.spellings(name for name, _ in changes), self._notice(candidate))
                    return candidate
            while self.children.running:
                self.wait()
        if self.cold is not None:
            self.cold.test(cold)
        return None

    def begin(self, candidate, framework):
        """The report and the limit of a test, in the child."""
        milliseconds, folder = self.request["testTimeoutMs"], self.request["report"]
        limit = TimeLimit(PATIENCE * milliseconds, folder, processor=self.processor_seconds())
        return Report(self.output(candidate), framework), limit

    def output(self, candidate):
        return FileOutput(os.path.join(self.request["report"], _prefix(candidate) + "python-%d.jsonl" % os.getpid()))

    def processor_seconds(self):
        return PROCESSOR_SHARE * self.request["testTimeoutMs"] / 1000.0

    def prepare(self, keys):
        if self.problem is None:
            self.executed.stop()
        found = {(key["target"], key["name"]) for key in keys}
        missing = [name for name in self.order if name not in found and self.is_complete]
        if self.problem is not None:
            raise Unfit(self.problem)
        if missing:
            raise Unfit("%s::%s was not found" % missing[0])
        if threading.active_count() > 1:
            raise Unfit("threads run once the tests are loaded")
        # A process that is started by `multiprocessing` in another way than by a fork is noticed when these are loaded.
        if any(name in sys.modules for name in ("multiprocessing.popen_spawn_posix", "multiprocessing.popen_forkserver")):
            raise Unfit("the tests start other interpreters")
        gc.collect()
        selectors = getattr(sys.modules.get("selectors"), "EpollSelector", None)
        if selectors is not None and any(isinstance(found, selectors) for found in gc.get_objects()):
            raise Unfit("an event loop is open once the tests are loaded")
        return Loaded(self.paths, self.executed)

    def write(self, line):
        os.write(self.file, (json.dumps(line) + "\n").encode("ascii"))

    def fork(self, candidate):
        """True in the child."""
        name = os.path.join(self.request["report"], _prefix(candidate) + "python-%d.jsonl")
        return self.children.fork(candidate["id"], lambda process: name % process)

    def wait(self):
        candidate, code = self.children.wait()
        self.write({"candidate": candidate, "exitCode": code})

    def read(self, candidate):
        """The candidate's files as (name, text)."""
        changes = []
        for folder, _, files in os.walk(candidate["folder"]):
            for file in files:
                path = os.path.join(folder, file)
                name = os.path.relpath(path, candidate["folder"]).replace(os.sep, "/")
                if not name.endswith(".py"):
                    raise UnicodeError("%s is no module" % name)
                changes.append((name, read_source(path)))
        return changes

    def plan(self, loaded, changes):
        return [each for name, text in changes for each in loaded.plan(name, text)]

    def _lay_over(self, candidate):
        try:
            self.overlay = Overlay(self.paths.root, self.read(candidate), self._notice(candidate))
        except (OSError, SyntaxError, UnicodeError) as problem:
            self._refuse(candidate, str(problem))
            os._exit(0)
        self.overlay.install()

    def _notice(self, candidate):
        said = set()

        def notice(reason):
            if reason not in said:
                said.add(reason)
                self._refuse(candidate, reason)

        return notice

    def _refuse(self, candidate, reason):
        self.write({"candidate": candidate["id"], "refused": reason})


def _prefix(candidate):
    return "c%d-" % candidate["id"]
