"""Which code objects are asked for. The plan is a text: the repository's root and the depth, each on a line, then for each file an
empty line, its path, and its functions as `NUMBER FIRST-LINE ASKED NAME`; a file is read when its first code object is met."""
import os
import sys

from millwright_trace_watch import FILES, WATCHED


class Function(object):
    """A function of the plan, or of the standard library (`watch` says what for). One object for all code objects of one place."""

    __slots__ = ("number", "asked", "watch", "count", "cut", "failures", "serial", "in_test", "signature", "codes", "operations")

    def __init__(self, number, asked, watch=None):
        self.number, self.asked, self.watch = number, asked, watch
        self.signature = None
        self.operations = None
        # Kept alive: a code object is known by its id, for its hash reads all of it, and equal ones stand in several files.
        self.codes = []
        self.renew()

    def renew(self):
        self.count = self.in_test = self.serial = self.failures = 0
        self.cut = {}


class Functions(object):
    def __init__(self, plan):
        with open(plan, encoding="utf-8") as file:
            head, _, rest = file.read().partition("\n\n")
        root, depth = head.split("\n")[:2]
        self.depth = int(depth)
        self.roots = tuple({os.path.join(root, ""), os.path.join(os.path.realpath(root), "")})
        self.blocks = dict(block.partition("\n")[::2] for block in rest.split("\n\n") if block)
        self.folder = os.getcwd()
        self.files = {}
        self.paths = {}
        self.shared = {}

    def look(self, code):
        """The function that a code object belongs to, or None."""
        watched = WATCHED.get(code.co_name)
        if watched is not None and code.co_filename.endswith(watched[0]):
            function = Function(0, False, watched[1])
            function.codes.append(code)
            return function
        table = self.table(code.co_filename)
        if not table:
            return None
        function = table.get((code.co_name, code.co_firstlineno))
        if function is None:
            return None
        function.codes.append(code)
        if function.signature is None:
            function.signature = signature(code)
        return function

    def has_watched(self, filename):
        return filename.endswith(FILES)

    def table(self, filename):
        """The file's functions by name and first line; None for a file that is none of the plan."""
        try:
            return self.files[filename]
        except KeyError:
            self.files[filename] = table = self.read(self.path_of(filename))
            return table

    def read(self, path):
        block = path and self.blocks.get(path)
        if not block:
            return None
        if path not in self.shared:
            entries = (line.split(" ", 3) for line in block.split("\n") if line)
            # Of threads that read it at the same time one is first, and all count in the same functions.
            self.shared.setdefault(path, {
                (name, int(first)): Function(int(number), asked == "1") for number, first, asked, name in entries
            })
        return self.shared[path]

    def shown(self, filename):
        """As it is shown: relative to the root where it is in it."""
        return self.path_of(filename) or filename

    def path_of(self, filename):
        """Relative to the root, with `/`; None for a file elsewhere."""
        try:
            return self.paths[filename]
        except KeyError:
            self.paths[filename] = path = self.find_path(filename)
            return path

    def find_path(self, filename):
        if filename.startswith("<"):
            return None
        full = os.path.normpath(os.path.join(self.folder, filename))
        named = self.inside(full)
        # Of a file behind a link the plan knows the place where it is.
        if named in self.blocks or named is None and full.startswith((sys.prefix, sys.base_prefix)):
            return named
        return self.inside(os.path.realpath(full)) or named

    def inside(self, full):
        root = next((root for root in self.roots if full.startswith(root)), None)
        return None if root is None else full[len(root):].replace(os.sep, "/")


def signature(code):
    """The parameters' names in their order: positional, `*`, keyword-only, `**`."""
    positional, named = code.co_argcount, code.co_kwonlyargcount
    names = code.co_varnames
    rest = positional + named
    ordered = list(names[:positional])
    if code.co_flags & 0x04:
        ordered.append(names[rest])
        rest += 1
    ordered += names[positional:positional + named]
    if code.co_flags & 0x08:
        ordered.append(names[rest])
    return ordered
