"""Calls noticed by sys.monitoring (3.12): a function that nobody asks for reports once, and costs nothing afterwards."""
import sys

from millwright_trace_places import is_own
from millwright_trace_watch import watch

NAME = "millwright trace"


def start(functions, calls):
    """False where every tool's place is taken."""
    monitoring, events = sys.monitoring, sys.monitoring.events
    tool = next((number for number in (4, 3, 5, 2, 1, 0) if monitoring.get_tool(number) is None), None)
    if tool is None:
        return False
    monitoring.use_tool_id(tool, NAME)
    local = events.PY_START | events.PY_RESUME | events.PY_RETURN | events.PY_YIELD
    for event, callback in callbacks(functions, calls, tool, local).items():
        monitoring.register_callback(tool, event, callback)
    # An exception's ways cannot be watched for some functions only.
    monitoring.set_events(tool, events.PY_START | events.PY_UNWIND | events.PY_THROW)
    return True


def callbacks(functions, calls, tool, local):
    monitoring, events = sys.monitoring, sys.monitoring.events
    disable, set_local_events = monitoring.DISABLE, monitoring.set_local_events
    known, look, frame_of = {}, functions.look, sys._getframe

    def on_start(code, offset):
        function = known.get(id(code))
        if function is None:
            function = look(code)
            if function is None:
                return disable
            known[id(code)] = function
            set_local_events(tool, code, local)
        try:
            frame = frame_of(1)
            if function.watch is None:
                calls.enter(function, frame)
            else:
                watch(function.watch, frame.f_locals, calls)
        except Exception as error:
            if not is_own(error):
                raise

    def on_return(code, offset, value):
        function = known.get(id(code))
        try:
            if function is None:
                return disable
            if function.watch is None:
                calls.leave(id(frame_of(1)), value)
            elif function.watch == "test":
                calls.tests.end_case()
        except Exception as error:
            if not is_own(error):
                raise

    def on_unwind(code, offset, raised):
        function = known.get(id(code))
        if function is None:
            return
        try:
            if function.watch is None:
                calls.fail(id(frame_of(1)), raised, function)
            elif function.watch == "test":
                calls.tests.end_case()
        except Exception as error:
            if not is_own(error):
                raise

    def on_yield(code, offset, value):
        try:
            calls.pause(id(frame_of(1)))
        except Exception as error:
            if not is_own(error):
                raise

    def on_resume(code, offset):
        try:
            calls.go_on(id(frame_of(1)))
        except Exception as error:
            if not is_own(error):
                raise

    def on_throw(code, offset, raised):
        if id(code) in known:
            on_resume_of(id(frame_of(1)))

    def on_resume_of(frame):
        try:
            calls.go_on(frame)
        except Exception as error:
            if not is_own(error):
                raise

    return {
        events.PY_START: on_start,
        events.PY_RETURN: on_return,
        events.PY_UNWIND: on_unwind,
        events.PY_YIELD: on_yield,
        events.PY_RESUME: on_resume,
        events.PY_THROW: on_throw,
    }
