"""Forked children of a process that has loaded everything: one for each thing that is to be tried."""
import os
import shutil
import signal
import sys
import tempfile
import time
import warnings

POLL_SECONDS = 0.002
STALL_CHECK_SECONDS = 0.2


class Children(object):
    def __init__(self, stall_seconds):
        """A child whose report does not grow for so long is in a call that no signal ends: it is killed."""
        self.stall_seconds = stall_seconds
        self.running = {}

    def fork(self, number, report):
        """True in the child, which prints nothing and has a folder of its own for temporary files. `report`: the path of what
        the child of a process id writes.
        """
        folder = tempfile.mkdtemp(prefix="mw")
        for stream in (sys.__stdout__, sys.__stderr__):
            if stream is not None:
                stream.flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            child = os.fork()
        if child == 0:
            _enter(folder)
            return True
        try:
            os.setpgid(child, child)
        except OSError:
            pass  # the child did it, or is gone
        self.running[child] = _Child(child, number, folder, report(child))
        return False

    def wait(self):
        """Until a child ended, by itself or for being stuck: its number and exit code, None when it was killed."""
        while True:
            for child in list(self.running.values()):
                ended, status = os.waitpid(child.process, os.WNOHANG)
                stuck = ended == 0 and child.is_quiet_for(self.stall_seconds)
                if ended == 0 and not stuck:
                    continue
                try:
                    os.killpg(child.process, signal.SIGKILL)
                except OSError:
                    pass
                if stuck:
                    _, status = os.waitpid(child.process, 0)
                del self.running[child.process]
                shutil.rmtree(child.folder, ignore_errors=True)
                return child.number, None if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
            time.sleep(POLL_SECONDS)


class _Child(object):
    def __init__(self, process, number, folder, report):
        self.process, self.number, self.folder, self.report = process, number, folder, report
        self.size = -1
        self.looked = self.grown = time.monotonic()

    def is_quiet_for(self, seconds):
        now = time.monotonic()
        if now - self.looked < STALL_CHECK_SECONDS:
            return False
        self.looked = now
        try:
            size = os.stat(self.report).st_size
        except OSError:
            size = -1
        if size != self.size:
            self.size, self.grown = size, now
        return now - self.grown > seconds


def _enter(folder):
    os.setpgid(0, 0)
    _offer_to_the_kernel()
    # Temporary folders of children must not meet, and go with the child.
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    void = os.open(os.devnull, os.O_WRONLY)
    for standard in (1, 2):
        os.dup2(void, standard)
    os.close(void)


def _offer_to_the_kernel():
    """Where memory runs out, this process is to be killed and not the one that tests the others."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:
        pass
