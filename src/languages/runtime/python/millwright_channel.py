"""Where a report's lines go: through the run's channel, in the frames of src/languages/report-frames.ts, or, for a candidate of a
batch, into a file.

Tests close and replace descriptors: so each write makes sure that ours is still ours, and opens it again by its name otherwise.
"""
import os

LONGEST_FRAME = 4096
LONGEST_HEADER = 128


def take_key(channel, open=os.open, read=os.read, close=os.close):
    """The run's secret, which its first reader gets: to be called before anything of the repository is loaded. `-` without."""
    try:
        pipe = open(os.path.join(channel, "key"), os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return b"-"
    try:
        return read(pipe, 32) or b"-"
    except OSError:
        return b"-"  # somebody has it already
    finally:
        close(pipe)


class _Output(object):
    def __init__(self, path, flags):
        self.write_bytes, self.fstat, self.open, self.close = os.write, os.fstat, os.open, os.close
        self.path, self.flags = path, flags | os.O_WRONLY | getattr(os, "O_CLOEXEC", 0)
        self.file = self._open_high()
        self.identity = self._identify()

    def _open_high(self):
        """A descriptor out of the way of tests that count or close the lowest ones."""
        low = self.open(self.path, self.flags, 0o644)
        try:
            import fcntl

            high = fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, 200)
        except (ImportError, OSError, AttributeError):
            return low
        self.close(low)
        return high

    def _identify(self):
        try:
            status = self.fstat(self.file)
        except OSError:
            return None
        return (status.st_dev, status.st_ino)

    def claim(self):
        """A test may have closed our descriptor, and the number may be another file's by now."""
        if self._identify() != self.identity:
            self.file = self.open(self.path, self.flags, 0o644)
            self.identity = self._identify()


class FileOutput(_Output):
    def __init__(self, path):
        super(FileOutput, self).__init__(path, os.O_CREAT | os.O_APPEND)

    def write(self, data):
        self.claim()
        while data:
            data = data[self.write_bytes(self.file, data):]


class Channel(_Output):
    def __init__(self, folder):
        self.key = take_key(folder)
        self.stream = b"python-%d" % os.getpid()
        self.number = 0
        super(Channel, self).__init__(os.path.join(os.path.abspath(folder), "lines"), 0)

    def write(self, data):
        self.claim()
        room = LONGEST_FRAME - LONGEST_HEADER
        for at in range(0, len(data), room):
            part = data[at:at + room]
            header = b"%s %s %d %d\n" % (self.key, self.stream, self.number, len(part))
            self.write_bytes(self.file, header + part)
            self.number += 1
