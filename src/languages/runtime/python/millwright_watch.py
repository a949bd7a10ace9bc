"""Notices what makes a test's outcome in a forked child different from a run of its own: other programs read the files of
the base, and children that run side by side share the repository's folder and its ports.

Installed in the child, for good: an audit hook cannot be taken away.
"""
import os
import sys

# Programs that do not run the code under test.
HARMLESS_PROGRAMS = {"uname", "git", "lsb_release", "ldconfig", "gcc", "cc", "ld", "file", "locale", "hostname", "id", "stty", "tput"}
# Folders of the repository that tools keep for themselves.
OWN_FOLDERS = ("__pycache__", ".hypothesis", ".pytest_cache")
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
MOVES = {"os.mkdir": 1, "os.remove": 1, "os.rmdir": 1, "os.truncate": 1, "os.rename": 2, "os.link": 2, "os.symlink": 2}


def watch(root, changed, notice, hidden=()):
    """Calls `notice` with a reason, at each occasion; `changed` are the paths of files that are not to be loaded, `hidden` those
    that are not to be read.
    """
    inside = os.path.realpath(root) + os.sep
    realpath, join, getcwd = os.path.realpath, os.path.join, os.getcwd
    busy = []

    def is_inside(path):
        if not isinstance(path, (str, bytes)):
            return False
        full = realpath(join(getcwd(), os.fsdecode(path)))
        return full.startswith(inside) and not any(part in OWN_FOLDERS for part in full[len(inside):].split(os.sep))

    def is_for_traceback():
        frame = sys._getframe(2)
        for _ in range(8):
            if frame is None or frame.f_globals.get("__name__") == "linecache":
                return frame is not None
            frame = frame.f_back
        return False

    def look(event, arguments):
        if event == "open":
            path, mode, flags = arguments
            writes = isinstance(flags, int) and flags & WRITES
            if writes and is_inside(path):
                notice("a test writes into the repository")
            elif hidden and isinstance(path, str) and realpath(join(getcwd(), path)) in hidden and not is_for_traceback():
                notice("a test reads the changed file")
        elif event == "exec":
            if getattr(arguments[0], "co_filename", None) in changed:
                notice("a test loads the changed file again")
        elif event in MOVES:
            if any(is_inside(path) for path in arguments[:MOVES[event]]):
                notice("a test writes into the repository")
        elif event == "socket.bind":
            address = arguments[1]
            if isinstance(address, tuple) and len(address) > 1 and address[1] != 0:
                notice("a test takes a port for itself")
        elif event in ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.spawn", "os.system"):
            program = arguments[1] if event == "os.spawn" else arguments[0]
            if event == "os.system" or os.path.basename(os.fsdecode(program or b"")) not in HARMLESS_PROGRAMS:
                notice("a test starts another program")
        elif event == "import" and arguments[0] in ("multiprocessing.popen_spawn_posix", "multiprocessing.popen_forkserver"):
            notice("a test starts another interpreter")

    def hook(event, arguments):
        if busy or event == "object.__getattr__":
            return
        busy.append(1)
        try:
            look(event, arguments)
        except Exception:
            notice("what a test does could not be watched")
        finally:
            busy.pop()

    sys.addaudithook(hook)
