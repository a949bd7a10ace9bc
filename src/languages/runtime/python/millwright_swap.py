"""Puts the changed functions of a file in the place of the loaded ones, without loading the file again.

Whatever would not come to the same as loading the changed file is refused (`Unfit`): a change of what runs while a file is
loaded (a module's or class's body, default arguments, decorators, functions that were called by then), and a change of
functions that cannot be found or whose closure is another. Python 3.8 and later.
"""
import ast
import gc
import importlib.util
import os
import sys
import threading
import types

LINES = "co_linetable" if sys.version_info >= (3, 10) else "co_lnotab"
PARTS = (
    "co_name", "co_qualname", "co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_flags", "co_code", "co_names",
    "co_varnames", "co_freevars", "co_cellvars", "co_exceptiontable",
)


class Unfit(Exception):
    """Why a candidate has to be tested by a start of its own."""


class Executed(object):
    """The code that ran since `start`, at nearly no cost: what ran before the candidates' time is not to be changed."""

    def __init__(self):
        self.codes = {}
        self.tool = None
        self.early = set()

    def start(self):
        self.early = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
        codes = self.codes
        if hasattr(sys, "monitoring"):
            monitoring = sys.monitoring
            self.tool = next((tool for tool in (4, 3, 5, 2, 1, 0) if monitoring.get_tool(tool) is None), None)
            if self.tool is None:
                raise Unfit("no tool of sys.monitoring is free")

            def on_start(code, offset):
                codes[id(code)] = code
                return monitoring.DISABLE

            monitoring.use_tool_id(self.tool, "millwright")
            monitoring.register_callback(self.tool, monitoring.events.PY_START, on_start)
            monitoring.set_events(self.tool, monitoring.events.PY_START)
        else:

            def on_call(frame, event, argument):
                codes[id(frame.f_code)] = frame.f_code

            self.trace = on_call
            threading.settrace(on_call)
            sys.settrace(on_call)

    def stop(self):
        """Raises Unfit when something else took our place meanwhile."""
        if self.tool is not None:
            sys.monitoring.set_events(self.tool, 0)
            sys.monitoring.free_tool_id(self.tool)
        else:
            lost = sys.gettrace() is not self.trace
            threading.settrace(None)
            sys.settrace(None)
            if lost:
                raise Unfit("the code under test traces while it is loaded")


class Loaded(object):
    """The repository's functions as they are loaded, and which of them ran. Made once, before the candidates."""

    def __init__(self, paths, executed):
        self.root = paths.root
        self.early = {paths.own(str(file)) for file in executed.early if file}
        self.ran = set()
        for code in executed.codes.values():
            name = paths.own(code.co_filename)
            if name is not None:
                self.ran.add((name, code.co_firstlineno, code.co_name))
        self.functions = {}
        self.files = {}
        for found in gc.get_objects():
            if type(found) is types.FunctionType:
                code = found.__code__
                name = paths.own(code.co_filename)
                if name is not None:
                    self.files[name] = code.co_filename
                    place = name, code.co_firstlineno, code.co_name
                    self.functions.setdefault(place, []).append(found)
        self.bases = {}

    def base(self, name):
        known = self.bases.get(name)
        if known is None:
            known = self.bases[name] = _Base(os.path.join(self.root, *name.split("/")))
        return known

    def spellings(self, names):
        """The paths under which the files may be loaded again."""
        return {spell(self.files[name]) for name in names for spell in (str, os.path.abspath, os.path.realpath)}

    def plan(self, name, text):
        """The functions that are to get other code, when the file `name` gets this text."""
        if name in self.early or name not in self.files:
            raise Unfit("%s was not loaded by the tests" % name)
        return _Plan(self, name).make(self.base(name), text)


def read_source(path):
    with open(path, "rb") as file:
        return importlib.util.decode_source(file.read())


class _Base(object):
    """A file as it was loaded: its lines, and where the statements of its top level stand."""

    def __init__(self, path):
        text = read_source(path)
        self.lines = text.split("\n")
        self.blocks = []
        self.imports = set()
        for statement in ast.parse(text).body:
            starts = [statement.lineno] + [each.lineno for each in getattr(statement, "decorator_list", ())]
            block = min(starts) - 1, statement.end_lineno
            self.blocks.append(block)
            own = not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            if own and any(isinstance(each, (ast.Import, ast.ImportFrom)) for each in ast.walk(statement)):
                self.imports.update(range(*block))

    def cut(self, text):
        """The old and the new text with nothing but the statements that hold all of the change, each on its line: the rest of
        the file is the same, and to compile it takes most of the time. The imports stay, for calls of what they name are
        compiled in another way (since 3.11), and for what they take from the future.
        """
        old, new = self.lines, text.split("\n")
        shorter = min(len(old), len(new))
        head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
        tail = next((at for at in range(shorter - head) if old[-1 - at] != new[-1 - at]), shorter - head)
        last = len(old) - tail
        touched = [(a, b) for a, b in self.blocks if a < max(last, head + 1) and b > head or b == head == last]
        if not touched or touched[0][0] > head or touched[-1][1] < last:
            raise Unfit("the change is in none of the file's functions")
        start, end = touched[0][0], touched[-1][1]
        before, after = self._imports(0, start), self._imports(end, len(old))
        middles = old[start:end], new[start:end + len(new) - len(old)]
        return ["\n".join(before + middle + after) + "\n" for middle in middles]

    def _imports(self, start, end):
        return [self.lines[at] if at in self.imports else "" for at in range(start, end)]


class _Plan(object):
    def __init__(self, loaded, name):
        self.loaded = loaded
        self.name = name
        self.swaps = []

    def make(self, base, text):
        compiled = [self._compile(part) for part in base.cut(text)]
        if not _same_itself(*compiled):
            raise Unfit("the change is outside of functions")
        self.places = {}
        self._count(compiled[0])
        for pair in zip(_inner(compiled[0]), _inner(compiled[1])):
            self._visit(*pair)
        return self.swaps

    def _compile(self, part):
        try:
            return compile(part, self.loaded.files[self.name], "exec", 0, True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise Unfit("it does not compile: %s" % error)

    def _count(self, code):
        for inner in _inner(code):
            place = self._place(inner)
            self.places[place] = self.places.get(place, 0) + 1
            self._count(inner)

    def _place(self, code):
        return self.name, code.co_firstlineno, code.co_name, getattr(code, LINES)

    def _visit(self, old, new):
        """`old` belongs to code that ran, so functions of it may be alive."""
        if _same(old, new):
            return
        place = self.name, old.co_firstlineno, old.co_name
        ran = place in self.loaded.ran
        if ran and not _same_itself(old, new):
            raise Unfit("`%s` ran while the tests were loaded" % old.co_name)
        if self.places[self._place(old)] > 1:
            raise Unfit("functions on line %d look the same" % old.co_firstlineno)
        alive = [found for found in self.loaded.functions.get(place, ()) if _is(found.__code__, old)]
        if not alive and not ran:
            raise Unfit("`%s` is not where it was defined" % old.co_name)
        if alive and old.co_freevars != new.co_freevars:
            raise Unfit("`%s` uses other variables of the code around it" % old.co_name)
        self.swaps.extend((found, new) for found in alive)
        if ran:
            for pair in zip(_inner(old), _inner(new)):
                self._visit(*pair)


def swap(plan):
    for function, code in plan:
        function.__code__ = code


def _inner(code):
    return [each for each in code.co_consts if isinstance(each, types.CodeType)]


def _same_itself(old, new):
    """True when the two do the same, but for the code inside them."""
    return all(getattr(old, part, None) == getattr(new, part, None) for part in PARTS) and [
        _render(each) for each in old.co_consts
    ] == [_render(each) for each in new.co_consts]


def _same(old, new):
    return _same_itself(old, new) and all(_same(*pair) for pair in zip(_inner(old), _inner(new)))


def _is(live, old):
    return getattr(live, LINES) == getattr(old, LINES) and _same(live, old)


def _render(constant):
    """Tells 1 from True and 1.0, and 0.0 from -0.0."""
    if isinstance(constant, types.CodeType):
        return "code " + constant.co_name
    if isinstance(constant, tuple):
        return "(%s)" % ", ".join(map(_render, constant))
    if isinstance(constant, frozenset):
        return "{%s}" % ", ".join(sorted(map(_render, constant)))
    return "%s %r" % (type(constant).__name__, constant)
