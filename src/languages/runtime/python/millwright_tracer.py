"""Which lines of the repository ran, with nothing installed: sys.monitoring where there is one (3.12), else sys.settrace.

A tracer has `start()`, `take()`, which returns the lines since the last call by file and begins again, and `renew()`, which
puts back what a test that traces by itself took away. `lines` are those since the last `take`, as file -> set of numbers.
"""
import sys
import threading

from millwright_report import ranges


def make_tracer(paths):
    return _Monitoring(paths) if hasattr(sys, "monitoring") else _Settrace(paths)


def _render(lines):
    """As ranges; an empty module reports line 0."""
    rendered = {name: ranges(number for number in numbers if number) for name, numbers in lines.items() if numbers}
    return {name: text for name, text in rendered.items() if text}


class Phases(object):
    """The lines of some parts of a test only: a runner that belongs to the repository runs more of itself for a test that
    fails, to report it, and that is not what the test tests."""

    def __init__(self, tracer):
        self.tracer = tracer
        self.lines = {}
        self.before = None

    def begin(self):
        self.before = {name: set(numbers) for name, numbers in self.tracer.lines.items()}

    def end(self):
        if self.before is None:
            return
        for name, numbers in list(self.tracer.lines.items()):
            self.lines.setdefault(name, set()).update(numbers - self.before.get(name, set()))
        self.before = None

    def take(self):
        lines, self.lines = self.lines, {}
        self.tracer.take()
        return self.tracer.render(lines)


class _Monitoring(object):
    """Each line reports once and is then switched off until the next `take`, so that loops cost nothing."""

    slowdown = 1.5

    def __init__(self, paths):
        self.own = paths.own
        self.lines = {}
        self.monitoring = sys.monitoring
        self.tool = None

    def start(self):
        monitoring = self.monitoring
        events = monitoring.events
        free = [tool for tool in (4, 3, 5, 2, 1, 0) if monitoring.get_tool(tool) is None]
        if not free:
            return
        self.tool = tool = free[0]
        monitoring.use_tool_id(tool, "millwright")
        own, disable, line_event = self.own, monitoring.DISABLE, events.LINE
        get_local_events, set_local_events = monitoring.get_local_events, monitoring.set_local_events

        def on_start(code, offset):
            if own(code.co_filename) is not None and not get_local_events(tool, code):
                set_local_events(tool, code, line_event)
            return disable

        def on_line(code, line):
            name = code.co_filename
            try:
                self.lines[name].add(line)
            except KeyError:
                self.lines[name] = {line}
            return disable

        monitoring.register_callback(tool, events.PY_START, on_start)
        monitoring.register_callback(tool, events.LINE, on_line)
        monitoring.set_events(tool, events.PY_START)

    def take(self):
        lines, self.lines = self.lines, {}
        if self.tool is not None:
            self.monitoring.restart_events()
        return self.render(lines)

    def render(self, lines):
        own = self.own
        return _render({own(name): numbers for name, numbers in lines.items() if own(name) is not None})

    def renew(self):
        pass


class _Settrace(object):
    """Frames of other files are left at their call; a function whose every line has run is left until the next `take`."""

    # How many times as long a test may take; a loop that does nothing else takes four times as long.
    slowdown = 3

    def __init__(self, paths):
        self.own = paths.own
        self.lines = {}
        # id of a code object -> (its local trace function, its lines that have not run, all its lines, itself).
        # By id, for a code object's hash reads all of it; kept alive by this, no id is used again.
        self.codes = {}
        self.touched = set()
        self.settrace, self.gettrace = sys.settrace, sys.gettrace
        self.trace = self._make()

    def start(self):
        threading.settrace(self.trace)
        self.settrace(self.trace)

    def renew(self):
        if self.gettrace() is not self.trace:
            self.settrace(self.trace)

    def render(self, lines):
        return _render(lines)

    def take(self):
        taken = _render(self.lines)
        # In place: frames that are still running hold these objects.
        for lines in self.lines.values():
            lines.clear()
        while self.touched:
            _, left, every, _ = self.codes[self.touched.pop()]
            left.update(every)
        return taken

    def _make(self):
        own, lines, codes, touched = self.own, self.lines, self.codes, self.touched
        outside = set()

        def enter(frame, event, argument):
            code = frame.f_code
            filename = code.co_filename
            if filename in outside:
                return None
            known = codes.get(id(code))
            if known is None:
                name = own(filename)
                if name is None:
                    outside.add(filename)
                    return None
                ran = lines.get(name)
                if ran is None:
                    ran = lines[name] = set()
                every = _lines_of(code)
                left = set(every)
                known = codes[id(code)] = (follow(code, left, ran), left, every, code)
            return known[0] if known[1] else None

        def leave(frame):
            """No more lines of a call in which every one has run; before 3.7 no other event either."""
            if hasattr(frame, "f_trace_lines"):
                frame.f_trace_lines = False
                return frame.f_trace
            frame.f_trace = None
            return None

        def follow(code, left, ran):
            number, first = id(code), code.co_firstlineno

            def local(frame, event, argument):
                line = frame.f_lineno
                if line in left:
                    left.discard(line)
                    ran.add(line)
                    touched.add(number)
                    if not left:
                        return leave(frame)
                elif line == first and event == "line":
                    ran.add(line)
                return local

            return local

        return enter


def _lines_of(code):
    """The lines that will report in a call that runs all of them."""
    if hasattr(code, "co_lines"):
        found = {line for _, _, line in code.co_lines() if line}
    else:
        import dis

        found = {line for _, line in dis.findlinestarts(code)}
    if len(found) > 1:
        # A function's `def`, which reports to the code around it; where code stands there it runs before all else.
        found.discard(code.co_firstlineno)
    return frozenset(found)
