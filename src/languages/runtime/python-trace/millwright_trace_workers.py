"""Threads and asyncio's tasks: their numbers and names, and which call began them."""
import sys
from _thread import get_ident
from _weakref import ref

MOST_WAITING = 10000


class Workers(object):
    def __init__(self):
        # By the id of a thread that is being started, of a coroutine that became a task: the call that did it.
        self.starts = {}
        self.coroutines = {}
        self.tasks = {}
        self.count = 0

    def start_thread(self, thread, call):
        keep(self.starts, id(thread), call)

    def start_task(self, coroutine, call):
        keep(self.coroutines, id(coroutine), call)

    def describe_thread(self):
        """Name and spawner of the thread that asks."""
        threading = sys.modules.get("threading")
        thread = getattr(threading, "_active", {}).get(get_ident())
        if thread is None:
            main = threading is None or get_ident() == threading.main_thread().ident
            return "MainThread" if main else "thread %d" % get_ident(), None
        name = getattr(thread, "_name", None)
        return name if isinstance(name, str) else "thread", self.starts.pop(id(thread), None)

    def task(self, top):
        """The number of the task that runs here, and of the call that began it where this is its first one."""
        task = self.find_task()
        if task is None:
            return None, None
        known = self.tasks.get(id(task))
        if known is not None and known[0]() is task:
            return known[1], known[2] if top is None or top.task != known[1] else None
        self.count += 1
        number = self.count
        try:
            coroutine = task.get_coro() if hasattr(task, "get_coro") else task._coro
            spawner = self.coroutines.pop(id(coroutine), None)
        except Exception:
            spawner = None
        self.tasks[id(task)] = ref(task), number, spawner
        return number, spawner

    def find_task(self):
        """The asyncio task that runs in this thread, or None."""
        module = sys.modules.get("_asyncio")
        if module is None:
            return None
        try:
            loop = module._get_running_loop()
            if loop is None:
                return None
            ask = getattr(module, "current_task", None)
            if ask is not None:
                return ask(loop)
            return sys.modules["asyncio.tasks"]._current_tasks.get(loop)
        except Exception:
            return None


def keep(table, key, call):
    if call is None:
        table.pop(key, None)
        return
    if len(table) > MOST_WAITING:
        table.clear()
    table[key] = call
