"""A pytest plug-in (3.10 and later) that selects tests, limits their time, traces them and writes our report.

Loaded by `-p millwright_pytest`; without a request in the environment it does nothing.
"""
import os

import pytest

from millwright_standard import standard_first

with standard_first():
    import millwright_early
    from millwright_guard import guard_of
    from millwright_pytest_run import Run, Test, failure_without_error, file_node, long_text
    from millwright_report import failure_of, key_of, leave, now, plain_failure, share_of

_request, _batch = millwright_early.take()
_run = None if _request is None else Run(_request, _batch)

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
        if _run.selection.names and not _run.selection.wanted_targets():
            # The tests that are named take the place of the command's own choice among all.
            option.keyword = option.markexpr = ""
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
        file = file_node(collector)
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
        text = long_text(report)
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
        share = _run.request.get("share")
        if _run.selection.all and share is None:
            return
        selected = _run.selection.among([_run.key(item) for item in items])
        if share is not None:
            _run.whole = len(selected)
        chosen = {id(key) for key in share_of(selected, share)}
        kept, left_out = [], []
        for item in items:
            (kept if id(_run.key(item)) in chosen else left_out).append(item)
        if left_out:
            items[:] = kept
            config.hook.pytest_deselected(items=left_out)
        if _run.request.get("varied"):
            items.reverse()

    def pytest_collection_finish(session):
        found = [_run.key(item) for item in session.items]
        names = {(key["target"], key["name"]) for key in found}
        # In a share, another process may run the others.
        if _run.whole is None:
            found += [key for key in _run.selection.wanted() if (key["target"], key["name"]) not in names]
        _run.report.find_tests(found, _run.whole)
        for target in sorted(_run.selection.files - _run.collected):
            for folder, failure in list(_run.failed_targets.items()):
                # A package that does not load takes its files with it.
                if target.startswith(folder.rsplit("/__init__.py", 1)[0] + "/"):
                    _run.fail_target(target, failure)
        _look(session, when="always")
        if _guard is not None:
            _guard.look_at_hooks(session.config.pluginmanager)
        for target in _run.selection.wanted_targets():
            if target in _run.collected and target not in _run.failed_targets:
                _run.report.end_test(key_of(target, ""), "passed", 0)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(session):
        if _run.batch is None:
            return
        session.items.sort(key=lambda item: _run.batch.place(_run.key(item)))
        capture = session.config.pluginmanager.getplugin("capturemanager")
        shared = _run.candidate is None and capture is not None
        if shared:
            # The files that output is captured in would be shared by the children.
            capture.stop_global_capturing()
        candidate = _run.batch.run([_run.key(item) for item in session.items])
        if candidate is None:
            leave(0)
        if shared:
            capture.start_global_capturing()
            capture.suspend_global_capture()
            _run.begin_candidate(candidate)
        for item in session.items:
            item.repr_failure = _say_nothing

    def _say_nothing(excinfo, style=None):
        """Of a candidate's failure, whose text nobody reads and takes most of the time to make."""
        return "failed"

    # A test

    def _look(*instances, when="before"):
        if _guard is not None:
            _guard.look(_run.report, _run.report.output, *instances, when=when)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(item):
        _look(item, item.session)
        test = _run.test = Test(item, _run.key(item))
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
        late = _run.limit.take()
        if late is not None and test.status == "passed":
            test.fail("failed", plain_failure("TimeoutError", late))
            item.session.testsfailed += 1
        if _run.tracer:
            _run.report.cover(test.key, (_run.phases or _run.tracer).take())
        _run.report.end_test(test.key, test.status or "errored", seconds, test.failure)
        _run.test = None
        if _run.candidate is not None and _run.limit.struck:
            item.session.shouldfail = "a test of the candidate took too long"

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_setup(item):
        if _run.test is not None:
            _run.test.begin_attempt()
        _run.limit.take()
        _run.limit.arm()
        if _run.phases:
            _run.phases.begin()
        yield
        if _run.phases:
            _run.phases.end()
        _run.limit.disarm()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(item):
        _run.limit.arm(_run.target_of(item))
        if _run.phases:
            _run.phases.begin()
        yield
        if _run.phases:
            _run.phases.end()
        _run.limit.disarm()
        _look(item, when="after")

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_teardown(item):
        _run.limit.arm()
        if _run.phases:
            _run.phases.begin()
        yield
        if _run.phases:
            _run.phases.end()
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
                failure = _run.describe(excinfo, long_text(report))
            else:
                failure = failure_without_error(report, _run.paths)
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

    # The end

    @pytest.hookimpl(tryfirst=True)
    def pytest_internalerror(excinfo):
        if type(excinfo.value).__name__ == "ConftestImportFailure":
            _fail_conftest(excinfo.value, excinfo.tb)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_sessionfinish(session):
        yield
        _look(session, when="always")
        if _guard is not None:
            _guard.look_at_hooks(session.config.pluginmanager)
        _run.report.end()
        if _run.candidate is not None:
            leave(int(session.exitstatus))

    # The last line of this module: what it defines is watched too.
    _guard = guard_of(_run, {"_pytest", "pytest", "pluggy", "unittest"})
