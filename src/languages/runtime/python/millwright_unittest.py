"""`python -m millwright_unittest ...` is `python -m unittest ...` that selects tests, limits their time, traces them and
writes our report.
"""
import importlib.util
import os
import re
import sys
import unittest
import unittest.suite
import unittest.util

from millwright_standard import standard_first

with standard_first():
    from millwright_guard import guard_of
    from millwright_report import key_of, leave, now, plain_failure, share_of, take_request
    from millwright_unittest_loading import (
        Loader,
        begin,
        in_order,
        is_load_failure,
        keep_load_errors,
        keep_tests,
        tests_of,
    )

# Steps of TestCase.run around the test's own body, as they are named in tracebacks.
AROUND = {"_callSetUp", "_callTearDown", "_callCleanup", "doCleanups"}
USERS_AROUND = {"setUp", "tearDown", "asyncSetUp", "asyncTearDown"}


class Result(unittest.TextTestResult):
    def __init__(self, *arguments, **named):
        super(Result, self).__init__(*arguments, **named)
        self.begun = 0.0
        self.outcome = None
        self.running = None

    # A test's own events. The first that says no decides; what comes later is its consequence.

    def startTest(self, test):
        super(Result, self).startTest(test)
        if is_load_failure(test):
            return
        self.outcome = None
        self.running = test
        _look(self)
        _state.report.write({"event": "test-started", "test": _state.key(test)})
        if _state.tracer:
            _state.tracer.renew()
        self.begun = now()
        _state.limit.take()
        _state.limit.arm(_state.key(test)["target"])

    def stopTest(self, test):
        _state.limit.disarm()
        _look(self)
        seconds = now() - self.begun
        if self.running is not None:
            late = _state.limit.take()
            if late is not None and self.outcome is None:
                self._set("failed", plain_failure("TimeoutError", late))
                self.failures.append((test, late))
            status, failure = self.outcome or ("passed", None)
            _state.report.cover(_state.key(test), _state.take())
            _end(test, status, seconds, failure)
        self.running = None
        super(Result, self).stopTest(test)
        if _state.candidate is not None and _state.limit.struck:
            self.stop()

    def _exc_info_to_string(self, error, test):
        # Nobody reads the text of a candidate's failure, which takes most of the time to make.
        return "" if _state.candidate is not None else super(Result, self)._exc_info_to_string(error, test)

    def _set(self, status, failure=None):
        if self.outcome is None or self.outcome[0] not in ("failed", "errored"):
            self.outcome = (status, failure)

    def addFailure(self, test, error):
        self._fail(test, error)
        super(Result, self).addFailure(test, error)

    def addError(self, test, error):
        if isinstance(test, unittest.suite._ErrorHolder):
            _end_group(test, "errored", _state.failure(error))
        elif is_load_failure(test):
            pass  # reported before the run
        else:
            self._fail(test, error)
        super(Result, self).addError(test, error)

    def _fail(self, test, error):
        _state.limit.disarm()
        self._set("errored" if _is_around(test, error[2]) else "failed", _state.failure(error))
        if self.running is not None:
            _state.limit.arm(_state.key(test)["target"])  # for the tear-down

    def addSubTest(self, test, subtest, error):
        if error is not None:
            failure = _state.failure(error)
            failure["message"] = "%s %s" % (subtest._subDescription(), failure["message"])
            self._set("failed", failure)
        super(Result, self).addSubTest(test, subtest, error)

    def addSkip(self, test, reason):
        super(Result, self).addSkip(test, reason)
        if isinstance(test, unittest.suite._ErrorHolder):
            _end_group(test, "skipped", None)
        elif self.running is not None:
            if not hasattr(test, "test_case"):  # a sub-test that is skipped does not skip its test
                self._set("skipped")
        else:
            _end(test, "skipped", 0)

    def addExpectedFailure(self, test, error):
        super(Result, self).addExpectedFailure(test, error)
        self._set("expected-failure")

    def addUnexpectedSuccess(self, test):
        super(Result, self).addUnexpectedSuccess(test)
        self._set("failed", plain_failure("UnexpectedSuccess", "the test was expected to fail and passed"))


def _look(*instances):
    if _guard is not None:
        _guard.look(_state.report, _state.report.output, *instances)


_ended = set()


def _end(test, status, seconds, failure=None):
    key = _state.key(test)
    if key["target"] is not None and (key["target"], key["name"]) not in _ended:
        _ended.add((key["target"], key["name"]))
        _state.report.end_test(key, status, seconds, failure)


def _end_group(holder, status, failure):
    """What went wrong around a class or a module is the outcome of each of its tests that did not come to run."""
    match = re.match(r"(setUp|tearDown)(Class|Module) \((.*)\)$", holder.description)
    if match is None:
        return
    step, kind, name = match.groups()
    members = [test for test in _planned if name == (_class_of(test) if kind == "Class" else type(test).__module__)]
    if step == "setUp":
        lines = _state.take()
        for test in members:
            if (_state.key(test)["target"], _state.key(test)["name"]) not in _ended:
                _state.report.cover(_state.key(test), lines)
            _end(test, status, 0, failure)
    elif members and status == "errored":
        _state.report.fail_target(_state.key(members[0])["target"], failure)


def _class_of(test):
    return unittest.util.strclass(type(test))


def _is_around(test, tb):
    """True where the error was raised in a set-up, tear-down or clean-up and not in the test's body."""
    while tb is not None:
        code = tb.tb_frame.f_code
        if "__unittest" in tb.tb_frame.f_globals or os.sep + "unittest" + os.sep in code.co_filename:
            if code.co_name in AROUND:
                return True
            if code.co_name == "_callTestMethod":
                return False
        elif code.co_name in USERS_AROUND:
            return True
        elif code.co_name == getattr(test, "_testMethodName", None):
            return False
        tb = tb.tb_next
    return False


_planned = []


class Runner(unittest.TextTestRunner):
    resultclass = Result

    def __init__(self, *arguments, **named):
        super(Runner, self).__init__(*arguments, **named)
        self.failfast = _state.request["stopAtFirstFailure"]

    def run(self, suite):
        wanted = set()
        found = []
        share = _state.request.get("share")
        tests = [_state.key(test) for test in tests_of(suite) if not is_load_failure(test)]
        selected = _state.selection.among(tests)
        chosen = {id(key) for key in share_of(selected, share)}
        for test in tests_of(suite):
            if is_load_failure(test):
                if self._report_load_failure(test):
                    wanted.add(id(test))
                continue
            key = _state.key(test)
            if id(key) in chosen:
                wanted.add(id(test))
                _planned.append(test)
                found.append(key)
        keep_tests(suite, lambda test: id(test) in wanted)
        names = {(key["target"], key["name"]) for key in found}
        planned = list(found)
        # In a share, another process may run the others.
        if share is None:
            found += [key for key in _state.selection.wanted() if (key["target"], key["name"]) not in names]
        _state.report.find_tests(found, len(selected) if share is not None else None)
        loaded = {key["target"] for key in found}
        for target in _state.selection.wanted_targets():
            if target in loaded:
                _state.report.end_test(key_of(target, ""), "passed", 0)
        _state.report.cover(None, _state.take(), "")
        if _state.batch:
            return self._run_batch(suite, planned)
        if _state.request.get("varied"):
            places = {id(test): -place for place, test in enumerate(tests_of(suite))}
            suite = in_order(suite, lambda test: places[id(test)])
        return super(Runner, self).run(suite)

    def _run_batch(self, suite, found):
        candidate = _state.batch.run(found)
        if candidate is None:
            leave(0)
        if _state.candidate is None:
            _state.begin_candidate(candidate)
        result = super(Runner, self).run(in_order(suite, lambda test: _state.batch.place(_state.key(test))))
        _state.report.end()
        leave(0 if result.wasSuccessful() else 1)

    def _report_load_failure(self, test):
        name = test._testMethodName
        error = _state.load_errors.get(name)
        if error is None:
            exception = getattr(test, "_exception", None)
            error = (type(exception), exception, getattr(exception, "__traceback__", None))
        target = _state.target_of_module(name)
        if not (_state.selection.all or target in _state.selection.files):
            return False
        _state.report.fail_target(target, _state.failure(error))
        return True


def main():
    # A process started by multiprocessing imports the main module by its name, and does not have our folder.
    sys.modules["__main__"].__spec__ = importlib.util.find_spec("unittest.__main__")
    argv = ["python -m unittest"] + sys.argv[1:]
    sys.argv[0] = argv[0]
    result = None
    try:
        program = unittest.main(module=None, argv=argv, testRunner=Runner, testLoader=Loader(), exit=False)
        result = program.result
    except KeyboardInterrupt:
        pass
    if _guard is not None:
        _guard.look(when="always")
    _state.report.end()
    sys.exit(0 if result is not None and result.wasSuccessful() else 1)


if __name__ == "__main__":
    _request = take_request()
    if _request is None:
        sys.exit("millwright_unittest is started by Millwright, with a request in the environment")
    _state = begin(_request)
    keep_load_errors()
    _guard = guard_of(_state, {"unittest"}, {"__main__"})
    main()
