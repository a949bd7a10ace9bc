"""Calls of this process: which one is made from which, and their lines. The means by which they are noticed call `enter`, `leave`,
`fail`, `pause`, `go_on` with a frame's id; frames themselves are never kept, for they keep what their functions hold alive."""
import itertools
from _thread import _local as ThreadLocal

from millwright_trace_lines import quoted
from millwright_trace_places import message_of, place_of
from millwright_trace_tests import Tests
from millwright_trace_values import value_text
from millwright_trace_workers import Workers

# A function's calls: all of them up to this, and afterwards some of each test and one of so many.
FULL_CALLS = 1000
CALLS_IN_A_TEST = 20
ONE_OF = 1000
# Of one call; a generator may yield a million times.
MOST_WAITS = 50


class Call(object):
    __slots__ = ("number", "function", "frame", "distance", "depth", "task", "waits", "failure", "open")

    def __init__(self, number, function, frame, distance, depth, task):
        self.number, self.function, self.frame = number, function, frame
        self.distance, self.depth, self.task = distance, depth, task
        self.waits = 0
        # Kind, message and place of the last exception in it; `open`: no line has run since.
        self.failure, self.open = None, False


class Thread(object):
    __slots__ = ("number", "stack")

    def __init__(self, number):
        self.number, self.stack = number, []


class Calls(object):
    def __init__(self, lines, path_of, reach, limits):
        """`reach`: how many calls away from one that is asked for callees are recorded. `limits`: depth, records, value."""
        self.lines, self.path_of, self.reach = lines, path_of, reach
        self.depth, self.most_records, self.value = limits
        self.functions = []
        self.begin_again()

    def begin_again(self):
        """Also in a forked child, whose calls in flight belong to its parent's file."""
        self.lines.begin_again()
        self.threads = ThreadLocal()
        self.numbers, self.thread_numbers = itertools.count(1), itertools.count(1)
        self.records = self.most_records
        self.suspended = {}
        self.tests = Tests()
        self.workers = Workers()
        for function in self.functions:
            function.renew()

    def thread(self):
        try:
            return self.threads.own
        except AttributeError:
            self.threads.own = thread = Thread(next(self.thread_numbers))
            name, spawner = self.workers.describe_thread()
            link = "" if spawner is None else ',"from":%d' % spawner
            self.lines.write('{"k":"thread","n":%d,"name":%s%s}' % (thread.number, quoted(name), link))
            return thread

    def current(self):
        """The number of the innermost recorded call of this thread, or None."""
        own = getattr(self.threads, "own", None)
        return own.stack[-1].number if own is not None and own.stack else None

    def enter(self, function, frame):
        """True where the call is recorded. `frame`: itself, at its first instruction."""
        if self.suspended:
            self.forget(id(frame))
        thread = self.thread()
        top = thread.stack[-1] if thread.stack else None
        if not self.is_near(function, top):
            return False
        task, spawner = self.workers.task(top)
        why = self.refuse(function, top)
        if why is not None:
            self.count_cut(function, why)
            return False
        call = self.call(function, id(frame), top, task)
        self.tell_entry(call, thread, top, spawner, ',"args":[%s]' % self.arguments(function, frame))
        thread.stack.append(call)
        return True

    def forget(self, frame):
        """A generator that was closed where no code of it had to run is told by nothing but another frame in its place."""
        stale = self.suspended.pop(frame, None)
        if stale is not None:
            self.lines.write('{"k":"out","c":%d,"at":%d,"how":"drop"}' % (stale.number, self.lines.at()))

    def is_near(self, function, top):
        return function.asked or top is not None and top.distance < self.reach

    def call(self, function, frame, top, task):
        distance = 0 if function.asked else top.distance + 1
        return Call(next(self.numbers), function, frame, distance, 1 if top is None else top.depth + 1, task)

    def tell_entry(self, call, thread, top, spawner, arguments):
        parent = spawner if spawner is not None else top.number if top is not None else None
        self.lines.write('{"k":"in","c":%d,"f":%d%s,"th":%d%s%s,"at":%d%s}' % (
            call.number,
            call.function.number,
            "" if parent is None else ',"p":%d' % parent,
            thread.number,
            "" if call.task is None else ',"task":%d' % call.task,
            self.tests.field,
            self.lines.at(),
            arguments,
        ))

    def arguments(self, function, frame):
        names = frame.f_locals
        limit = self.value
        texts = ["[%s,%s]" % (quoted(name), value_text(names[name], limit)) for name in function.signature if name in names]
        if type(names) is dict and function.operations is None:
            # Before 3.13 this copy would live as long as the call, and keep alive what the program lets go. (Where the
            # function's `operations` are read, the interpreter takes the variables back out of it.)
            names.clear()
        return ",".join(texts)

    def refuse(self, function, top):
        """Why a call is not recorded, or None."""
        if function.count == 0:
            self.functions.append(function)
        function.count += 1
        test = self.tests.look()
        if function.serial != test:
            function.serial, function.in_test = test, 0
        function.in_test += 1
        if self.lines.full:
            return "bytes"
        if self.records <= 0:
            return "records"
        if top is not None and top.depth >= self.depth:
            return "depth"
        if function.count > FULL_CALLS and function.in_test > CALLS_IN_A_TEST and function.count % ONE_OF:
            return "sampled"
        self.records -= 1
        return None

    def count_cut(self, function, why):
        function.cut[why] = count = function.cut.get(why, 0) + 1
        if count & (count - 1) == 0:
            self.tell_cut(function, why, count)

    def tell_cut(self, function, why, count):
        self.lines.write('{"k":"cut","f":%d,"why":"%s","count":%d}' % (function.number, why, count))

    def top(self, frame):
        """The innermost recorded call of this thread, where it is that frame's."""
        own = getattr(self.threads, "own", None)
        call = own.stack[-1] if own is not None and own.stack else None
        return call if call is not None and call.frame == frame else None

    def take(self, frame):
        """The recorded call of the frame that is left, or None. What stands above it was left unnoticed."""
        own = getattr(self.threads, "own", None)
        if own is None or not own.stack:
            return None
        stack = own.stack
        if stack[-1].frame == frame:
            return stack.pop()
        for index in range(len(stack) - 1, -1, -1):
            if stack[index].frame == frame:
                call = stack[index]
                del stack[index:]
                return call
        return None

    def leave(self, frame, value):
        call = self.take(frame)
        if call is not None:
            at = self.lines.at()
            text = "" if self.lines.full else ',"value":%s' % value_text(value, self.value)
            self.lines.write('{"k":"out","c":%d,"at":%d,"how":"return"%s}' % (call.number, at, text))

    def fail(self, frame, error, function):
        call = self.take(frame)
        if call is not None:
            self.tell_failure(call, type(error), message_of(error, self.value), place_of(error.__traceback__, self.path_of))
        elif self.is_only_counted(function) and not is_within_itself(error.__traceback__):
            place = place_of(error.__traceback__, self.path_of)
            self.fail_late(function, type(error), message_of(error, self.value), place)

    def is_only_counted(self, function):
        """Whether a call of it that is not recorded may be, now that it fails: such are few."""
        is_sampled = function.cut.get("sampled", 0) > 0 and function.failures < FULL_CALLS
        return is_sampled and not self.lines.full and self.records > 0

    def fail_late(self, function, kind, message, place):
        """Both ends of a call that is known only now; its arguments may be others by now."""
        thread = self.thread()
        top = thread.stack[-1] if thread.stack else None
        if kind is GeneratorExit or not self.is_near(function, top) or top is not None and top.depth >= self.depth:
            return
        function.failures += 1
        function.cut["sampled"] -= 1
        self.records -= 1
        task, spawner = self.workers.task(top)
        call = self.call(function, None, top, task)
        self.tell_entry(call, thread, top, spawner, "")
        self.tell_failure(call, kind, message, place)

    def tell_failure(self, call, kind, message, place):
        at = self.lines.at()
        # A coroutine or generator that is closed before its end.
        how = "drop" if kind is GeneratorExit else "throw"
        text = "" if message is None else ',"message":%s' % quoted(message)
        where = "" if place is None else ',"place":%s' % quoted(place)
        self.lines.write('{"k":"out","c":%d,"at":%d,"how":"%s"%s%s}' % (call.number, at, how, text, where))

    def pause(self, frame):
        call = self.take(frame)
        if call is not None:
            self.suspended[frame] = call
            call.waits += 1
            self.tell_wait("wait", call)

    def go_on(self, frame):
        call = self.suspended.pop(frame, None)
        if call is not None:
            self.thread().stack.append(call)
            self.tell_wait("wake", call)

    def tell_wait(self, what, call):
        if call.waits <= MOST_WAITS and not self.lines.full:
            self.lines.write('{"k":"%s","c":%d,"at":%d}' % (what, call.number, self.lines.at()))

    def end(self):
        """The process ends in order."""
        if not self.lines.path:
            return
        for call in list(self.suspended.values()):
            self.lines.write('{"k":"out","c":%d,"at":%d,"how":"drop"}' % (call.number, self.lines.at()))
        for function in self.functions:
            for why, count in sorted(function.cut.items()):
                self.tell_cut(function, why, count)
        self.lines.write('{"k":"end","at":%d}' % self.lines.at())


def is_within_itself(trace):
    """Of a recursion that one error leaves, the innermost call is enough."""
    below = trace and trace.tb_next
    return below is not None and below.tb_frame.f_code is trace.tb_frame.f_code
