"""Compares what candidates do: records the arguments that tests give to the functions that the candidates change, makes further
ones of them, and calls the functions with all of them, on the base and on each candidate, each in a forked child.

`inputs.txt` says of each input where it comes from: `passing`, `failing` (a test on the base), `derived`. `v7.txt` has a line
for each input: what candidate 7 did (millwright_behaviour), or `hang`; it is shorter where the process ended. `v0.txt` is of
the base, and `again.txt` of the base once more, to know what differs by itself.
"""
import os
import pickle
import signal
import sys
import threading

from millwright_batch import Batch
from millwright_behaviour import observe
from millwright_inputs import Call, derive, freeze
from millwright_limit import TimeLimit
from millwright_report import Report, leave
from millwright_swap import Unfit, swap

MOST_FUNCTIONS = 4
MOST_RECORDED = 60
# Of one test: a loop may call a function a million times.
MOST_OF_ONE_TEST = 12
MOST_DERIVED = 140
# Processor time of a call, and all its time, for what sleeps.
CALL_SECONDS = 0.1
CALL_SECONDS_AT_ALL = 2.0
MOST_HANGS = 8


class Comparison(Batch):
    is_complete = False

    def run(self, keys):
        """Returns in the child in which the tests are run on the base, to be listened to; in the parent None, at the end."""
        try:
            plans, functions = self._plan(self.prepare(keys))
        except Unfit as unfit:
            self.write({"refused": str(unfit)})
            return None
        recorder = {"id": 0}
        self.recording = _Recording(functions, self._path("calls"))
        if self.fork(recorder):
            self.recording.start()
            return recorder
        self.children.wait()
        self._do("inputs.txt", self._make_inputs)
        self._do("again.txt", lambda file: self._observe(file, [], functions))
        for number, plan in [(0, [])] + sorted(plans.items()):
            code = self._do("v%d.txt" % number, lambda file: self._observe(file, plan, functions))
            self.write({"candidate": number, "exitCode": code})
        return None

    def begin(self, candidate, framework):
        limit = TimeLimit(self.request["testTimeoutMs"], self.request["report"], processor=self.processor_seconds())
        return _Listener(self.output(candidate), framework, self.recording), limit

    def _path(self, name):
        return os.path.join(self.request["report"], name)

    def _do(self, name, work):
        """In a child of its own, which is told the file to write; returns its exit code."""
        path = self._path(name)
        if not self.children.fork(name, lambda process: path):
            return self.children.wait()[1]
        code = 1
        try:
            with open(path, "wb", 0) as file:
                work(file)
            code = 0
        finally:
            leave(code)

    def _plan(self, loaded):
        """What each candidate swaps, and the functions that are swapped by most."""
        plans, counts = {}, {}
        for candidate in self.candidates:
            try:
                plan = self.plan(loaded, self.read(candidate))
            except (Unfit, OSError, SyntaxError, UnicodeError) as problem:
                self.write({"candidate": candidate["id"], "refused": str(problem)})
                continue
            plans[candidate["id"]] = plan
            for code, function in {function.__code__: function for function, _ in reversed(plan)}.items():
                counts.setdefault(code, [0, function])[0] += 1
        ordered = sorted(counts.items(), key=lambda item: (-item[1][0], item[0].co_filename, item[0].co_firstlineno))
        return plans, [(code, function) for code, (_, function) in ordered[:MOST_FUNCTIONS]]

    def _make_inputs(self, file):
        with open(self._path("calls"), "rb") as calls_file:
            recorded = []
            while True:
                try:
                    recorded.append(Call(*pickle.load(calls_file)))
                except EOFError:
                    break
        # A call is of a passing test where any test made it that passes.
        known = {}
        for call in sorted(recorded, key=lambda call: not call.passing):
            known.setdefault((call.function, call.arguments), call)
        calls = list(known.values())
        step = max(1, len(calls) // MOST_RECORDED)
        calls = calls[::step][:MOST_RECORDED]
        calls += derive(calls, MOST_DERIVED)
        with open(self._path("inputs"), "wb") as inputs:
            pickle.dump([(call.function, call.arguments) for call in calls], inputs)
        for call in calls:
            file.write({True: b"passing\n", False: b"failing\n", None: b"derived\n"}[call.passing])

    def _observe(self, file, plan, functions):
        with open(self._path("inputs"), "rb") as inputs:
            calls = pickle.load(inputs)
        swap(plan)
        hangs = 0
        for number, data in calls:
            code, function = functions[number]
            seen = _in_time(lambda: observe(function, code, data)) if hangs < MOST_HANGS else "hang"
            hangs += seen == "hang"
            file.write(seen.encode("ascii") + b"\n")


def _in_time(work):
    def strike(number, frame):
        raise _Hang()

    signal.signal(signal.SIGPROF, strike)
    signal.signal(signal.SIGALRM, strike)
    try:
        # Again and again, for what swallows it.
        signal.setitimer(signal.ITIMER_REAL, CALL_SECONDS_AT_ALL, CALL_SECONDS)
        signal.setitimer(signal.ITIMER_PROF, CALL_SECONDS, CALL_SECONDS)
        try:
            return work()
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _Hang:
        return "hang"
    except BaseException as error:
        return "e" + type(error).__name__


class _Hang(BaseException):
    pass


class _Recording(object):
    """The arguments of the calls of some functions, by test."""

    def __init__(self, functions, path):
        self.numbers = {code: number for number, (code, _) in enumerate(functions)}
        self.path = path
        self.calls = []
        self.file = None

    def start(self):
        self.file = open(self.path, "ab", 0)
        threading.settrace(self._trace)
        sys.settrace(self._trace)

    def _trace(self, frame, event, argument):
        code = frame.f_code
        number = self.numbers.get(code)
        if number is not None and event == "call" and len(self.calls) < MOST_OF_ONE_TEST:
            count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
            present = frame.f_locals
            data = freeze({name: present[name] for name in code.co_varnames[:count] if name in present})
            if data is not None:
                self.calls.append((number, data))

    def end_test(self, passing):
        for number, data in self.calls:
            self.file.write(pickle.dumps((number, data, passing)))
        self.calls = []


class _Listener(Report):
    def __init__(self, output, framework, recording):
        super(_Listener, self).__init__(output, framework)
        self.recording = recording

    def end_test(self, key, status, seconds, failure=None):
        self.recording.end_test(status == "passed")
        super(_Listener, self).end_test(key, status, seconds, failure)
