"""Notices what changes the test framework in memory: functions of its modules and classes that are no longer those that were
loaded, plug-ins that nobody declared, built-in functions that assertions rest on.

A project may do that in its own set-up: so this only tells, and the host compares with a run without the patch. Code that changes
the framework between two looks, or changes what is used here, is not noticed. Python 3.7 and later.
"""
import builtins
import importlib
import os
import re
import sys
from types import BuiltinFunctionType, FunctionType

from millwright_standard import standard_first

# Of these a program may have its own, and no assertion rests on them.
FREE_BUILTINS = {"print", "input", "open", "help", "exit", "quit", "copyright", "credits", "license"}
# Frameworks and programs replace functions of these in the usual course.
FREE_MODULES = {"sys", "builtins", "warnings", "signal", "__future__"}
IMPORTS = re.compile(r"^[ \t]*(?:import[ \t]+([^\n#]+)|from[ \t]+(\w[\w.]*)[ \t]+import\b)", re.M)
# Tests that are looked at one by one: a suite of thousands is not to pay for thousands of looks.
MOST_LOOKS = 30


class Guard(object):
    """`packages`: names of the framework's modules, with those below them; `extra`: our own; `library`: modules of the language
    that tests use. `name_of` names a file in the report."""

    def __init__(self, packages, extra, library, name_of, tell):
        self.packages, self.name_of, self.tell = frozenset(packages), name_of, tell
        files = [getattr(sys.modules.get(package), "__file__", None) or "" for package in packages]
        # What comes from these folders is the framework's own, or ours.
        packaged = [file for file in files if os.path.basename(file) == "__init__.py"]
        self.folders = tuple(os.path.dirname(file) + os.sep for file in packaged + [os.path.abspath(__file__)])
        self.told = set()
        self.looks = 0
        # The place's contents, its name, the attribute's name, its value and what the value is made of.
        self.kept = []
        # The place's contents, its name, the names in it, and whether it is a class.
        self.places = []
        seen = set()
        for name, module in list(sys.modules.items()):
            if module is not None and (name in extra or name.partition(".")[0] in self.packages):
                self._keep_module(name, module, seen)
        self.builtins = len(self.kept)
        for name, value in vars(builtins).items():
            if callable(value) and name not in FREE_BUILTINS:
                self.kept.append((vars(builtins), "builtins", name, value, None))
        for name in sorted(library):
            self._keep_library(name, sys.modules[name], seen)

    def _keep_library(self, name, module, seen):
        space = vars(module)
        for key, value in list(space.items()):
            if key.startswith("_") or not isinstance(value, (FunctionType, BuiltinFunctionType, type)):
                continue
            self.kept.append((space, name, key, value, _parts(value)))
            home = (getattr(value, "__module__", None) or "").partition(".")[0]
            if isinstance(value, type) and home == name.partition(".")[0] and value not in seen:
                seen.add(value)
                self._keep_class(value)

    def _keep_module(self, name, module, seen):
        space = vars(module)
        self.kept.append((sys.modules, "sys.modules", name, module, None))
        self.places.append((space, name, frozenset(space), False))
        for key, value in list(space.items()):
            if isinstance(value, (FunctionType, type)) and self._is_own(value, module):
                self.kept.append((space, name, key, value, _parts(value)))
                if isinstance(value, type) and value not in seen:
                    seen.add(value)
                    self._keep_class(value)

    def _is_own(self, value, module):
        home = getattr(value, "__module__", None) or ""
        return home == module.__name__ or home.partition(".")[0] in self.packages

    def _keep_class(self, kind):
        space = vars(kind)
        name = "%s.%s" % (kind.__module__, kind.__qualname__)
        self.places.append((space, name, frozenset(space), True))
        for key, value in list(space.items()):
            if callable(value) or hasattr(value, "__get__"):
                self.kept.append((space, name, key, value, _parts(value)))

    def look(self, *instances, when="before"):
        """Tells what has changed since the beginning, and methods that objects of the framework have of their own. `after` a test's
        body: what it put in the place of built-in functions is taken back later. `always`: however many looks there were.
        """
        self.looks += 1
        if self.looks > MOST_LOOKS and when != "always":
            return
        self._say_found(lambda: self._find(self.kept[:self.builtins] if when == "after" else self.kept, instances))

    def _say_found(self, find):
        try:
            found = find()
        except Exception as error:  # of an object that does not let itself be looked at
            found = ["the framework cannot be looked at: %s" % type(error).__name__]
        new = sorted(set(found) - self.told)
        if new:
            self.told.update(new)
            self.tell(new)

    def _find(self, kept, instances):
        found = [
            "%s.%s is %s" % (place, key, self._source(space.get(key)))
            for space, place, key, value, parts in kept
            if space.get(key) is not value or (parts is not None and _parts(value) != parts)
        ]
        for space, place, names, is_class in self.places:
            if len(space) != len(names) or not names.issuperset(space):
                for key in set(space).difference(names):
                    if hasattr(builtins, key) or (is_class and callable(space.get(key))):
                        found.append("%s.%s is %s" % (place, key, self._source(space.get(key))))
        for instance in instances:
            for key, value in list(getattr(instance, "__dict__", {}).items()):
                if callable(value) and callable(getattr(type(instance), key, None)):
                    found.append("%s of a %s is %s" % (key, type(instance).__name__, self._source(value)))
        for name, hook in (("settrace", sys.gettrace()), ("setprofile", sys.getprofile())):
            if hook is not None and not self._is_framework(hook):
                found.append("sys.%s has %s" % (name, self._source(hook)))
        return found

    def look_at_hooks(self, manager):
        """Whose functions answer the framework's questions: of pytest's plug-in manager."""
        self._say_found(lambda: self._find_hooks(manager))

    def _find_hooks(self, manager):
        found = []
        for name, caller in list(vars(manager.hook).items()):
            for each in caller.get_hookimpls() if hasattr(caller, "get_hookimpls") else []:
                if not self._is_framework(each.function):
                    found.append("a plug-in is %s" % self._source(each.function).rpartition(":")[0])
            found += self._look_at_call(getattr(caller, "_hookexec", None))
        found += self._look_at_call(getattr(manager, "_inner_hookexec", None))
        return found

    def _look_at_call(self, call):
        return [] if call is None or self._is_framework(call) else ["pluggy asks %s" % self._source(call)]

    def _is_framework(self, function):
        code = getattr(_plain(function), "__code__", None)
        return code is not None and code.co_filename.startswith(self.folders)

    def _source(self, value):
        """Where a function is from, in words that are the same in each run."""
        code = getattr(_plain(value), "__code__", None)
        if code is None:
            kind = value if isinstance(value, type) else type(value)
            return "%s:%s" % (kind.__module__, kind.__qualname__)
        return "%s:%s" % (self.name_of(code.co_filename), code.co_name)


def _plain(value):
    """The function in a method, a property or a partial function."""
    for name in ("__func__", "fget", "func"):
        if not hasattr(value, "__code__") and getattr(value, name, None) is not None:
            value = getattr(value, name)
    return value


def _parts(value):
    """What a function is made of, as far as it can be replaced."""
    value = _plain(value)
    if type(value) is not FunctionType:
        return None
    return value.__code__, value.__defaults__, value.__kwdefaults__


def guard_of(run, packages, extra=()):
    """For a run's report; none where many candidates are screened, for their runs are seen again one by one."""
    if run.batch is not None:
        return None
    own = [name for name in sys.modules if name.startswith("millwright_")]
    return Guard(packages, set(own).union(extra), _library_of(run), run.paths.name, run.report.tell_changes)


def _library_of(run):
    """The modules of the language's library that the selected test files import. Loads them before the project does."""
    names = set()
    for target in run.selection.files:
        try:
            with open(os.path.join(run.paths.root, *target.split("/")), "rb") as file:
                text = file.read().decode("utf-8", "replace")
        except OSError:
            continue
        for modules, module in IMPORTS.findall(text):
            names.update(part.split()[0] for part in (modules or module).split(",") if part.strip())
    known = getattr(sys, "stdlib_module_names", ())
    names = set(name for name in names if name.partition(".")[0] in known and name not in FREE_MODULES)
    with standard_first():
        for name in names:
            try:
                importlib.import_module(name)
            except Exception:  # of a module that this machine lacks: the test itself says so
                continue
    return [name for name in names if name in sys.modules]
