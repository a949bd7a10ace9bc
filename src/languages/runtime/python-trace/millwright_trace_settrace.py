"""Calls noticed by sys.settrace, before 3.12: frames of other functions are left at their call, of the asked ones no line is
traced. An exception reports to each frame that it passes; whether it left the frame is told by the instruction at which it ended.
Where the place is taken, by coverage for instance, by sys.setprofile, which does not tell exceptions."""
import gc
import opcode
import sys
import threading

from millwright_trace_calls import is_within_itself
from millwright_trace_places import is_own, message_of, place_of
from millwright_trace_watch import watch

RETURNS = frozenset(opcode.opmap[name] for name in ("RETURN_VALUE", "RETURN_GENERATOR") if name in opcode.opmap)
YIELDS = frozenset(opcode.opmap[name] for name in ("YIELD_VALUE", "YIELD_FROM", "SEND") if name in opcode.opmap)
RESUME = opcode.opmap.get("RESUME")
# Before 3.11 a frame that waits for another one stands before this instruction, to do it again.
AWAITS = bytes([opcode.opmap["YIELD_FROM"]]) if "YIELD_FROM" in opcode.opmap else None


def start(functions, calls):
    trace, profile = make_tracers(functions, calls)
    threading.settrace(trace)
    threading.setprofile(profile_instead(trace, profile))
    if sys.gettrace() is None:
        sys.settrace(trace)
    else:
        sys.setprofile(profile)

    def stay(phase, details):
        """At each collection: a trace function that fails for want of stack is taken away by the interpreter."""
        current = sys.gettrace()
        if current is trace:
            return
        if current is None:
            sys.settrace(trace)
            if sys.getprofile() is profile:
                sys.setprofile(None)
        elif sys.getprofile() is None:
            sys.setprofile(profile)

    gc.callbacks.append(stay)
    return True


def is_resumed(frame):
    """A generator's frame, not for the first time. Since 3.11 a call's first instruction says that it is that."""
    at = frame.f_lasti
    if at < 0 or RESUME is None:
        return at >= 0
    operations = frame.f_code.co_code
    return operations[at] != RESUME or operations[at + 1] != 0


def profile_instead(trace, profile):
    """For new threads, which get coverage's function instead of ours once it runs."""

    def first(frame, event, argument):
        sys.setprofile(None if sys.gettrace() is trace else profile)

    return first


def make_tracers(functions, calls):
    known, outside, failures, look = {}, set(), {}, functions.look

    def find(code):
        function = known.get(id(code))
        if function is None and code.co_filename not in outside:
            function = look(code)
            if function is not None:
                known[id(code)] = function
                function.operations = code.co_code
            elif not functions.has_watched(code.co_filename) and not functions.table(code.co_filename):
                outside.add(code.co_filename)
        return function

    def begin(frame):
        """Which local trace function the frame gets."""
        function = find(frame.f_code)
        if function is None:
            return None
        if function.watch == "tracer":
            sys.setprofile(profile)
        elif function.watch is not None:
            watch(function.watch, frame.f_locals, calls)
            return leave_test if function.watch == "test" else None
        elif is_resumed(frame):
            calls.go_on(id(frame))
            return local if calls.top(id(frame)) is not None else counted if calls.is_only_counted(function) else None
        elif calls.enter(function, frame):
            return local
        elif calls.is_only_counted(function):
            return counted
        return None

    def trace(frame, event, argument):
        try:
            own = begin(frame)
            if own is not None:
                frame.f_trace_lines = False
            return own
        except Exception as error:
            if not is_own(error):
                raise
            return None

    def profile(frame, event, argument):
        try:
            if event == "call":
                begin(frame)
            elif event == "return" and id(frame.f_code) in known:
                if known[id(frame.f_code)].watch is None:
                    end(frame, argument)
                elif known[id(frame.f_code)].watch == "test":
                    calls.tests.end_case()
        except Exception as error:
            if not is_own(error):
                raise

    def local(frame, event, argument):
        try:
            if event == "return":
                end(frame, argument)
            elif event == "line":
                frame.f_trace_lines = False
                call = calls.top(id(frame))
                if call is not None:
                    call.open = False
            elif event == "exception":
                fail(frame, argument)
        except Exception as error:
            if not is_own(error):
                raise
        return local

    def fail(frame, raised):
        call = calls.top(id(frame))
        if call is None:
            return
        call.open, call.failure = True, failure_of(raised)[:-1]
        # A line that runs in it says that it was caught, for now at least.
        frame.f_trace_lines = True

    def failure_of(raised):
        """Kind, message and place, and whether it left another call of the same function before."""
        kind, error, places = raised
        if not isinstance(error, BaseException):
            error = kind() if error is None else kind(error)
        within = places is not None and is_within_itself(places)
        return kind, message_of(error, calls.value), place_of(places, functions.shown), within

    def end(frame, value):
        call = calls.top(id(frame))
        if call is None:
            return
        operations, at = call.function.operations, frame.f_lasti
        if operations[at] in RETURNS:
            calls.leave(id(frame), value)
        elif (operations[at] in YIELDS or operations[at + 2:at + 3] == AWAITS) and not (call.open and value is None):
            calls.pause(id(frame))
        else:
            calls.take(id(frame))
            calls.tell_failure(call, *(call.failure or (BaseException, None, None)))

    def counted(frame, event, argument):
        """Of a call that is not recorded, unless it fails."""
        try:
            if event == "exception":
                failures[id(frame)] = failure_of(argument)
            elif event == "return":
                failure, operation = failures.pop(id(frame), None), frame.f_code.co_code[frame.f_lasti]
                if failure is not None and argument is None and operation not in RETURNS and operation not in YIELDS:
                    function = find(frame.f_code)
                    if calls.is_only_counted(function) and not failure[-1]:
                        calls.fail_late(function, *failure[:-1])
        except Exception as error:
            if not is_own(error):
                raise
        return counted

    def leave_test(frame, event, argument):
        if event == "return":
            calls.tests.end_case()
        return leave_test

    return trace, profile
