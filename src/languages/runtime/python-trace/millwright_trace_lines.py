"""The file of this process: each line is written whole, at once, and by one call of the system, so that nothing is lost by
a crash and no lock is needed. Functions of the system are kept from the beginning: programs under test replace them."""
import os
import sys
import time
from _thread import RLock
from _json import encode_basestring_ascii as quoted
from os import O_APPEND, O_CREAT, O_EXCL, O_WRONLY, close, fstat, getpid, getppid
from os import open as open_file
from os import write as write_file

try:
    from fcntl import F_DUPFD_CLOEXEC, fcntl
except ImportError:
    fcntl = None

now = time.perf_counter_ns
epoch_of = time.time

# Above what a program opens, so that it gets the numbers that it would have had.
HIGH = 700


class Lines(object):
    def __init__(self, folder, most_bytes):
        self.folder = os.path.abspath(folder)
        self.most_bytes = most_bytes
        self.file = None
        self.start = 0
        self.begin_again()

    def begin_again(self):
        """At the start, and in a forked child: a file of its own, at its first line."""
        if self.file is not None:
            try:
                close(self.file)
            except OSError:
                pass
        self.file = self.path = self.identity = None
        self.bytes = 0
        self.full = self.broken = False
        # A thread that is not in this child may have held it.
        self.creating = RLock()

    def at(self):
        if self.path is None:
            self.create()
        return now() - self.start

    def write(self, line):
        """`line`: ASCII, without its end."""
        if self.broken:
            return
        if self.path is None:
            self.create()
        self.append(line)

    def create(self):
        """Once, whichever of the threads come first; nothing of the program runs in it but a handler of signals."""
        with self.creating:
            if self.path is None:
                self.open_first()

    def open_first(self):
        # The first moment of the file: set before any other thread looks.
        self.start = now()
        words = getattr(sys, "orig_argv", None) or [sys.executable or "python"] + list(getattr(sys, "argv", []))
        arguments = ",".join(quoted(word) for word in words if isinstance(word, str))
        head = '{"k":"process","v":1,"pid":%d,"parent":%d,"language":"python","arguments":[%s],"epoch":%.3f}' % (
            getpid(), getppid(), arguments, epoch_of() * 1000)
        for number in range(1, 1000):
            path = os.path.join(self.folder, "%d-%d.jsonl" % (getpid(), number))
            try:
                self.file = self.high(open_file(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL, 0o644))
            except FileExistsError:
                continue
            except OSError:
                break
            self.identity = self.identify()
            self.append(head)
            # Last: from now on other threads write too.
            self.path = path
            return
        self.path, self.broken = "", True

    def high(self, file):
        if fcntl is None:
            return file
        try:
            higher = fcntl(file, F_DUPFD_CLOEXEC, HIGH)
        except (OSError, ValueError):
            return file
        close(file)
        return higher

    def identify(self):
        status = fstat(self.file)
        return status.st_dev, status.st_ino

    def append(self, line):
        data = (line + "\n").encode("ascii")
        try:
            if self.identify() != self.identity:
                self.reopen()
        except (OSError, TypeError):
            # The program closed all files that it does not know.
            if not self.reopen():
                return
        try:
            write_file(self.file, data)
        except OSError:
            self.broken = True
            return
        self.bytes += len(data)
        if self.bytes > self.most_bytes:
            self.full = True

    def reopen(self):
        try:
            self.file = self.high(open_file(self.path, O_WRONLY | O_APPEND))
            self.identity = self.identify()
            return True
        except (OSError, TypeError):
            self.broken = True
            return False
