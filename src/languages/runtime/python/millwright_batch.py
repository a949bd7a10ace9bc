"""Tests many candidates in one start: everything is loaded once, and each candidate gets a forked child, in which its changed
functions take the place of the loaded ones (millwright_swap).

Besides the children's reports (`c7-….jsonl`), `batch.txt` has a line for each thing that is known of a candidate:
{"candidate", "refused": reason}: it has to be tested by a start of its own; {"candidate", "exitCode"}: its child ended, null
when it was killed; {"refused": reason}, without a candidate: none can be tested so.
"""
import gc
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
import warnings

from millwright_limit import TimeLimit
from millwright_report import Report
from millwright_swap import Executed, Loaded, Unfit, read_source, swap
from millwright_watch import watch

POLL_SECONDS = 0.002
# A child that reported nothing for this time beyond the limit of a test is in a call that no signal ends.
STALL_SECONDS = 5.0
STALL_CHECK_SECONDS = 0.2
# A test's processor time, which other processes do not lengthen, as a part of its limit: a third of the candidates of some
# loops never end, and nothing else costs as much.
PROCESSOR_SHARE = 0.3


class Batch(object):
    """Made before anything of the repository is loaded."""

    def __init__(self, request, paths):
        self.request = request
        batch = request["batch"]
        self.candidates = batch["candidates"]
        self.parallel = max(1, batch["parallel"])
        self.paths = paths
        self.order = {(target, name): at for at, (target, name) in enumerate(request["selection"]["tests"])}
        self.stall_seconds = STALL_SECONDS + request["testTimeoutMs"] / 1000.0
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        self.file = os.open(os.path.join(request["report"], "batch.txt"), flags, 0o644)
        self.problem = None
        self.running = {}
        self.executed = None
        if not hasattr(sys, "addaudithook") or not hasattr(os, "fork"):
            self.problem = "it needs Python 3.8 or later, on a system that forks"
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
        try:
            loaded = self._prepare(keys)
        except Unfit as unfit:
            self._write({"refused": str(unfit)})
            return None
        for candidate in self.candidates:
            while len(self.running) >= self.parallel:
                self._wait()
            if self._start(candidate, loaded):
                return candidate
        while self.running:
            self._wait()
        return None

    def begin(self, candidate, framework):
        """The report and the limit of a test, in the child."""
        milliseconds, folder = self.request["testTimeoutMs"], self.request["report"]
        limit = TimeLimit(milliseconds, folder, processor=PROCESSOR_SHARE * milliseconds / 1000.0)
        return Report(folder, framework, _prefix(candidate)), limit

    def _prepare(self, keys):
        if self.problem is None:
            self.executed.stop()
        found = {(key["target"], key["name"]) for key in keys}
        missing = [name for name in self.order if name not in found]
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

    def _write(self, line):
        os.write(self.file, (json.dumps(line) + "\n").encode("ascii"))

    def _start(self, candidate, loaded):
        """True in the child."""
        try:
            changes = self._read(candidate, loaded)
        except (Unfit, OSError, SyntaxError, UnicodeError) as problem:
            self._write({"candidate": candidate["id"], "refused": str(problem)})
            return False
        folder = tempfile.mkdtemp(prefix="mw")
        for stream in (sys.__stdout__, sys.__stderr__):
            if stream is not None:
                stream.flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            child = os.fork()
        if child == 0:
            self._enter(candidate, loaded, changes, folder)
            return True
        try:
            os.setpgid(child, child)
        except OSError:
            pass  # the child did it, or is gone
        report = os.path.join(self.request["report"], "%spython-%d.jsonl" % (_prefix(candidate), child))
        self.running[child] = _Child(child, candidate, folder, report)
        return False

    def _read(self, candidate, loaded):
        """The candidate's files as (name, text), with what is to be known of the base worked out for all children."""
        changes = []
        for folder, _, files in os.walk(candidate["folder"]):
            for file in files:
                path = os.path.join(folder, file)
                name = os.path.relpath(path, candidate["folder"]).replace(os.sep, "/")
                if not name.endswith(".py"):
                    raise Unfit("%s is no module" % name)
                loaded.base(name)
                changes.append((name, read_source(path)))
        return changes

    def _enter(self, candidate, loaded, changes, folder):
        os.setpgid(0, 0)
        _offer_to_the_kernel()
        # Temporary folders of children must not meet, and go with the child.
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        void = os.open(os.devnull, os.O_WRONLY)
        for standard in (1, 2):
            os.dup2(void, standard)
        os.close(void)
        try:
            plans = [loaded.plan(name, text) for name, text in changes]
        except Unfit as unfit:
            self._refuse(candidate, str(unfit))
            os._exit(0)
        for plan in plans:
            swap(plan)
        changed = {spelling(loaded.files[name]) for name, _ in changes for spelling in (str, os.path.abspath, os.path.realpath)}
        said = set()

        def notice(reason):
            if reason not in said:
                said.add(reason)
                self._refuse(candidate, reason)

        watch(self.paths.root, changed, notice)

    def _refuse(self, candidate, reason):
        self._write({"candidate": candidate["id"], "refused": reason})

    def _wait(self):
        """Until a child ended, by itself or for being stuck."""
        while True:
            for child in list(self.running.values()):
                ended, status = os.waitpid(child.process, os.WNOHANG)
                stuck = ended == 0 and child.is_quiet_for(self.stall_seconds)
                if ended == 0 and not stuck:
                    continue
                try:
                    os.killpg(child.process, signal.SIGKILL)
                except OSError:
                    pass
                if stuck:
                    _, status = os.waitpid(child.process, 0)
                del self.running[child.process]
                code = None if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
                self._write({"candidate": child.candidate["id"], "exitCode": code})
                shutil.rmtree(child.folder, ignore_errors=True)
                return
            time.sleep(POLL_SECONDS)


class _Child(object):
    def __init__(self, process, candidate, folder, report):
        self.process, self.candidate, self.folder, self.report = process, candidate, folder, report
        self.size = -1
        self.looked = self.grown = time.monotonic()

    def is_quiet_for(self, seconds):
        now = time.monotonic()
        if now - self.looked < STALL_CHECK_SECONDS:
            return False
        self.looked = now
        try:
            size = os.stat(self.report).st_size
        except OSError:
            size = -1
        if size != self.size:
            self.size, self.grown = size, now
        return now - self.grown > seconds


def _prefix(candidate):
    return "c%d-" % candidate["id"]


def _offer_to_the_kernel():
    """Where memory runs out, this process is to be killed and not the one that tests the others."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:
        pass


def leave(code):
    """Ends the process without what else was to be done at its end: for the child of a candidate, and after the last."""
    for stream in (sys.__stdout__, sys.__stderr__):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            pass
    os._exit(code)
