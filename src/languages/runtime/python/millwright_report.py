"""What our Python reporters share: the request, paths relative to the repository, failures, and the report's lines.

The lines are those of src/languages/report-lines.ts. This code runs in the same process as tests that nobody has read:
they replace modules' functions, close file descriptors and change the working folder. So what is needed later is bound
early, as default arguments and attributes, where patching a module does not reach it. Python 3.7 and later.
"""
import base64
import itertools
import json
import os
import re
import sys
import time
import traceback
import zlib

RUNTIME = os.path.dirname(os.path.abspath(__file__))
REQUEST = "MILLWRIGHT_REQUEST_"

# Longest message and text of a failure, in characters; most frames.
MESSAGE_LENGTH = 2000
TEXT_LENGTH = 4000
FRAME_COUNT = 100

# Folders inside a repository that hold other people's code.
FOREIGN = {"site-packages", "dist-packages", "node_modules", ".tox", ".nox", ".eggs", ".git"}


def take_request():
    """Reads what the run was asked for from the environment, and leaves the environment as the tests' own; None without."""
    parts = []
    while REQUEST + str(len(parts)) in os.environ:
        parts.append(os.environ.pop(REQUEST + str(len(parts))))
    own = {RUNTIME, os.path.realpath(RUNTIME)}
    sys.path[:] = [entry for entry in sys.path if entry not in own]
    kept = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry and entry not in own]
    if kept:
        os.environ["PYTHONPATH"] = os.pathsep.join(kept)
    else:
        os.environ.pop("PYTHONPATH", None)
    if not parts:
        return None
    return json.loads(zlib.decompress(base64.b64decode("".join(parts))).decode("utf-8"))


class Paths(object):
    """Names of files as the report has them: relative to the repository with `/`, or absolute outside of it."""

    def __init__(self, root):
        self.start = os.getcwd()
        self.root = os.path.abspath(root)
        self.roots = sorted({self.root + os.sep, os.path.realpath(root) + os.sep})
        self.environments = set()
        for prefix in {sys.prefix, sys.exec_prefix}:
            relative = self._inside(os.path.abspath(prefix))
            if relative:
                self.environments.add(relative + "/")
        self._names = {}
        self._own = {}

    def _inside(self, path):
        for root in self.roots:
            if path.startswith(root):
                return path[len(root):].replace(os.sep, "/")
        return None

    def name(self, path, join=os.path.join, normpath=os.path.normpath, realpath=os.path.realpath):
        path = str(path)
        known = self._names.get(path)
        if known is None:
            absolute = normpath(join(self.start, path))
            known = self._inside(absolute) or self._inside(realpath(absolute)) or absolute.replace(os.sep, "/")
            self._names[path] = known
        return known

    def own(self, path):
        """The relative name of a file that belongs to the repository itself, else None."""
        try:
            return self._own[path]
        except KeyError:
            pass
        found = None
        if path and path[0] != "<" and not path.startswith(RUNTIME):
            name = self.name(path)
            if not name.startswith("/") and name[1:2] != ":" and not self._foreign(name):
                found = name
        self._own[path] = found
        return found

    def _foreign(self, name, isfile=os.path.isfile, join=os.path.join):
        if any(name.startswith(environment) for environment in self.environments):
            return True
        folders = name.split("/")[:-1]
        if not FOREIGN.isdisjoint(folders):
            return True
        above = itertools.accumulate(folders, lambda a, b: a + "/" + b)
        return any(isfile(join(self.root, folder, "pyvenv.cfg")) for folder in above)


def ranges(lines):
    """Line numbers as `3-9,12`."""
    parts = []
    first = last = None
    for line in sorted(lines):
        if last is not None and line == last + 1:
            last = line
            continue
        if first is not None:
            parts.append(str(first) if first == last else "%d-%d" % (first, last))
        first = last = line
    if first is not None:
        parts.append(str(first) if first == last else "%d-%d" % (first, last))
    return ",".join(parts)


def shorten(text, length):
    """The text's beginning and end; the end is longer, for that is where tracebacks say what happened."""
    if len(text) <= length:
        return text
    head = length // 3
    return text[:head] + "\n[... %d characters left out ...]\n" % (len(text) - length) + text[head - length:]


def text_of(value, name=None):
    """str(value), whatever its class does."""
    try:
        return str(value)
    except BaseException as error:  # noqa: B902 - the code under test may raise anything
        return "<%s whose text could not be made: %s>" % (name or type(value).__name__, type(error).__name__)


def frames_of(tb, paths, framework=()):
    """Frames of a traceback, outermost first, from the first that is the repository's own, without those of the framework
    (folders); all of them where nothing would be left.
    """
    found = []
    entered = False
    while tb is not None:
        code = tb.tb_frame.f_code
        hidden = "__unittest" in tb.tb_frame.f_globals or code.co_filename.startswith((RUNTIME, "<frozen "))
        foreign = any(code.co_filename.startswith(folder) for folder in framework)
        frame = {"file": paths.name(code.co_filename), "line": max(1, tb.tb_lineno or 1), "function": code.co_name}
        own = paths.own(code.co_filename) is not None
        entered = entered or own
        found.append((frame, not entered or hidden or (foreign and not own)))
        tb = tb.tb_next
    frames = [frame for frame, left_out in found if not left_out] or [frame for frame, _ in found]
    if len(frames) > FRAME_COUNT:
        frames = frames[: FRAME_COUNT // 4] + frames[FRAME_COUNT // 4 - FRAME_COUNT:]
    return frames


def failure_of(error, tb, paths, text=None, framework=()):
    """A failure of an exception; `text` is the framework's rendering, default the traceback."""
    name = type(error).__name__
    frames = frames_of(tb, paths, framework)
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        frames = [frame for frame in frames if not frame["file"].startswith("<")]
        frames.append({"file": paths.name(error.filename), "line": max(1, error.lineno)})
    if text is None:
        try:
            text = "".join(traceback.format_exception(type(error), error, tb))
        except BaseException:
            text = name
    return {
        "type": name,
        "message": shorten(text_of(error), MESSAGE_LENGTH),
        "frames": frames,
        "text": shorten(text, TEXT_LENGTH),
    }


def brief_failure(error):
    """All that is asked of a candidate's failure."""
    return plain_failure(type(error).__name__, text_of(error))


def plain_failure(kind, message):
    return {"type": kind, "message": shorten(message, MESSAGE_LENGTH), "frames": [], "text": shorten(message, TEXT_LENGTH)}


def now(clock=time.perf_counter):
    """Seconds, of a clock that tests which freeze the time do not reach."""
    return clock()


class Report(object):
    """The lines of this process. Forked children write nothing."""

    def __init__(self, output, framework):
        self.getpid, self.output = os.getpid, output
        self.encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
        self.pid = os.getpid()
        self.counts = {}
        self.ended = False
        self.write({"event": "run-started", "framework": framework})

    def write(self, event):
        if not self.ended and self.getpid() == self.pid:
            self.output.write((self.encode(event) + "\n").encode("ascii"))

    def find_tests(self, keys, whole=None):
        """`whole`: the number of all collected tests, if this process runs a share."""
        event = {"event": "tests-found", "tests": keys}
        if whole is not None:
            event["of"] = whole
        self.write(event)

    def end_test(self, key, status, seconds, failure=None):
        event = {"event": "test-ended", "test": key, "status": status, "durationMs": round(max(0.0, seconds) * 1000, 3)}
        if failure is not None:
            event["failure"] = failure
        self.counts[status] = self.counts.get(status, 0) + 1
        self.write(event)

    def cover(self, key, lines, target=None):
        """Lines by file, of a test or, without a key, of the load of a target ("": before any)."""
        if lines:
            event = {"event": "coverage", "test": key, "lines": lines}
            if key is None:
                event["target"] = target or ""
            self.write(event)

    def fail_target(self, target, failure):
        self.write({"event": "target-failed", "package": "", "target": target, "failure": failure})

    def tell_changes(self, changes):
        """What was changed of the framework in memory."""
        self.write({"event": "framework-changed", "changes": [shorten(change, 300) for change in changes[:200]]})

    def end(self):
        self.write({"event": "run-ended", "counts": self.counts})
        self.ended = True


class Selection(object):
    """Which tests were asked for."""

    def __init__(self, request):
        self.all = request["kind"] == "all"
        self.whole = set(request.get("files", []))
        self.names = {}
        for target, name in request.get("tests", []):
            # The empty name stands for the target itself.
            self.names.setdefault(target, set()).add(name)
        self.files = self.whole | set(self.names)

    def holds(self, target, name):
        if self.all or target in self.whole:
            return True
        names = self.names.get(target, ())
        return name in names or "" in names

    def among(self, keys):
        return [key for key in keys if self.holds(key["target"], key["name"])]

    def wanted(self):
        """The keys that were asked for by name, without those that stand for a target."""
        return [key_of(target, name) for target, names in self.names.items() for name in sorted(names) if name]

    def wanted_targets(self):
        return [target for target, names in self.names.items() if "" in names]


def share_of(keys, share):
    """The tests of one process, where several run the selected tests: a part of the files in their order, about as long as the others.

    Without a share all tests. Each process must find the same parts.
    """
    if not share:
        return keys
    times = share.get("times") or {}
    weights = {}
    for key in keys:
        target = key["target"]
        weights[target] = weights.get(target, times.get(target, 0)) + 1
    whole, before, taken = sum(weights.values()), 0, set()
    for target, weight in weights.items():
        if int((before + weight / 2.0) * share["of"] / whole) == share["index"]:
            taken.add(target)
        before += weight
    return [key for key in keys if key["target"] in taken]


def key_of(target, name):
    return {"package": "", "target": target, "name": name}


# Of an object that has no text of its own: another in each run.
ADDRESS = re.compile(r"(?<= at )0x[0-9a-fA-F]+(?=>)")


class Namer(object):
    """Keeps names unique, and the same in each run: the second test of one name is `name #2`, an address of memory is left out."""

    def __init__(self):
        self.seen = {}

    def key(self, target, name, stable=ADDRESS.sub):
        name = stable("0x", name)
        count = self.seen[target, name] = self.seen.get((target, name), 0) + 1
        return key_of(target, name if count == 1 else "%s #%d" % (name, count))


def leave(code):
    """Ends the process without what else was to be done at its end: for the child of a candidate, and after the last."""
    for stream in (sys.__stdout__, sys.__stderr__):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            pass
    os._exit(code)
