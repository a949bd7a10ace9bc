"""A time limit for one test, without threads that a test could see.

A signal raises TimeoutError in the main thread. It is no Exception, so that `except Exception` in the code under test does
not swallow it. It comes again until the limit is lifted, in case something else did: every second time as a SystemExit,
which asyncio hands on, while it swallows all other errors of a callback or a task. A test that swallows both fails once it
ends. A call into C that never comes back cannot be interrupted so: some seconds later the interpreter's own watchdog
writes the stack into `watchdog.txt` in the report folder and ends the process.

Once a test ran into the limit, the others of its target get less, and after three such targets all others: where one test
loops for ever, ten of them would cost ten times the limit. Less is well above what tests of the target were seen to need.
"""
import faulthandler
import os
import signal
import time

AGAIN_SECONDS = 0.5
# A process in the background may be paused. The watchdog would count the pause, and end the process when it goes on.
WATCHDOG_SECONDS = 600.0 if os.environ.pop("MILLWRIGHT_PAUSABLE", "") == "1" else 5.0
SECONDS_AFTER_A_TIMEOUT = 2.0
TARGETS_UNTIL_ALL = 3


class _Raised(BaseException):
    """Raised where a test takes too long."""


class _RaisedAsException(Exception):
    """The same, where the framework would not survive what is no Exception."""


class _RaisedAsExit(SystemExit):
    """The same, where the event loop swallows what is not SystemExit."""


_Raised.__name__ = _Raised.__qualname__ = "TimeoutError"
_RaisedAsException.__name__ = _RaisedAsException.__qualname__ = "TimeoutError"
_RaisedAsExit.__name__ = _RaisedAsExit.__qualname__ = "TimeoutError"


class TimeLimit(object):
    def __init__(self, milliseconds, folder, slowdown=1, processor=None, clock=time.perf_counter):
        """`slowdown`: how many times as long a test may take for being traced; `processor`: seconds of processor time that a test may take besides, where somebody else watches this process.
        """
        self.clock = clock
        self.full = milliseconds * slowdown / 1000.0
        self.seconds = self.full
        self.began = 0.0
        self.longest = {}
        self.target = None
        self.exceeded = set()
        self.over = False
        self.raised = None
        # The limit's last message, until `take` returns it.
        self.said = None
        self.times = 0
        self.previous = None
        self.usable = hasattr(signal, "setitimer") and self.full > 0
        self.setitimer = getattr(signal, "setitimer", None)
        self.signal, self.getsignal = signal.signal, signal.getsignal
        self.processor = processor
        self.later, self.cancel = faulthandler.dump_traceback_later, faulthandler.cancel_dump_traceback_later
        # Bound once: each access of a method makes a new object, and `disarm` has to know its own handler.
        self.handler = self._on_alarm
        self.struck = False
        self.watchdog = None
        try:
            if processor is None:
                path = os.path.join(folder, "watchdog.txt")
                self.watchdog = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError:
            pass

    def arm(self, target=None, as_exception=False):
        """Begins the limit; `target` is named for a test's body alone, since a set-up may serve many tests."""
        if not self.usable:
            return
        self.target = target
        self.seconds = self.full
        least = max(SECONDS_AFTER_A_TIMEOUT, 3 * self.longest.get(target, 0.0))
        if target in self.exceeded:
            self.seconds = min(self.full, least)
        elif target is not None and len(self.exceeded) >= TARGETS_UNTIL_ALL:
            self.seconds = min(self.full, max(least, self.full / 4))
        try:
            self.previous = self.signal(signal.SIGALRM, self.handler)
        except ValueError:  # not the main thread
            return
        self.raised = _RaisedAsException if as_exception else _Raised
        if self.processor is not None:
            self.signal(signal.SIGPROF, self.handler)
            self.setitimer(signal.ITIMER_PROF, self.processor, AGAIN_SECONDS)
        self.began = self.clock()
        self.over = False
        self.times = 0
        self.setitimer(signal.ITIMER_REAL, self.seconds, AGAIN_SECONDS)
        if self.watchdog is not None:
            try:
                self.later(self.seconds + WATCHDOG_SECONDS, exit=True, file=self.watchdog)
            except (OSError, ValueError, RuntimeError):
                self.watchdog = None

    def disarm(self):
        if self.raised is None:
            return
        self.raised = None
        self.setitimer(signal.ITIMER_REAL, 0)
        if self.processor is not None:
            self.setitimer(signal.ITIMER_PROF, 0)
        if not self.over:
            took = self.clock() - self.began
            self.longest[self.target] = max(self.longest.get(self.target, 0.0), took)
        if self.watchdog is not None:
            self.cancel()
        if self.getsignal(signal.SIGALRM) is self.handler:
            self.signal(signal.SIGALRM, signal.SIG_DFL if self.previous is None else self.previous)

    def take(self):
        """What the limit said since the last call, or None: a test that passes all the same swallowed it."""
        said, self.said = self.said, None
        return said

    def _on_alarm(self, number, frame):
        # pytest leaves this frame out of the test's traceback.
        __tracebackhide__ = True
        if self.raised is not None:
            self.over = self.struck = True
            if self.target is not None:
                self.exceeded.add(self.target)
            seconds = self.seconds if number == signal.SIGALRM else self.processor
            self.times += 1
            is_exit = self.raised is _Raised and self.times % 2 == 0
            self.said = "the test took longer than %g s" % seconds
            raise (_RaisedAsExit if is_exit else self.raised)(self.said)
