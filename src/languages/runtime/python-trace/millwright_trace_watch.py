"""What is watched of the standard library and of coverage: who begins a thread, a task or a test, who takes the tracer's place."""
import os

WATCHED = {
    "start": ("threading.py", "thread"),
    "create_task": (os.path.join("asyncio", "base_events.py"), "task"),
    "run": (os.path.join("unittest", "case.py"), "test"),
    "_start_tracer": (os.path.join("coverage", "collector.py"), "tracer"),
}
FILES = tuple(file for file, _ in WATCHED.values())


def watch(what, names, calls):
    """One of them is called, with these variables."""
    if what == "test":
        calls.tests.begin_case(names.get("self"))
    elif what == "thread":
        calls.workers.start_thread(names.get("self"), calls.current())
    elif what == "task":
        calls.workers.start_task(names.get("coro"), calls.current())
