"""Loads what our runtime needs from the standard library, though a repository has modules of the same names (`json.py`): the
repository's tests find their own afterwards, whether they were loaded before or not."""
import os
import sys

LIBRARY = os.path.dirname(os.__file__)


class standard_first(object):
    """Within it, the standard library comes before the repository's folders."""

    def __enter__(self):
        self.path = sys.path[:]
        own = [entry for entry in self.path if _is_standard(entry)]
        sys.path[:] = own + [entry for entry in self.path if entry not in own]
        # Entries that do not stand before the library hide nothing of it.
        first = self.path.index(own[0]) if own else 0
        self.before = [entry or os.getcwd() for entry in self.path[:first]]
        names = [name for name in sys.modules if self._hides(name)]
        self.aside = dict((name, sys.modules.pop(name)) for name in names if not _is_of_library(sys.modules[name]))
        self.known = set(sys.modules)
        return self

    def __exit__(self, *_):
        # What they have loaded since they keep for themselves.
        sys.path[:] = self.path
        for name in [name for name in sys.modules if name not in self.known]:
            if self._hides(name):
                del sys.modules[name]
        sys.modules.update(self.aside)

    def _hides(self, name):
        """Whether a folder before the library has a module of the name, and the library has one too."""
        top = name.partition(".")[0]
        if top in sys.builtin_module_names or top in ("os", "sys"):
            return False
        known = top in getattr(sys, "stdlib_module_names", ()) or _has(LIBRARY, top)
        return known and any(_has(entry, top) for entry in self.before)


def _is_standard(entry):
    inside = entry == LIBRARY or entry.startswith(LIBRARY + os.sep) or entry.endswith(".zip")
    return inside and "-packages" not in entry


def _is_of_library(module):
    path = getattr(module, "__file__", None) or ""
    return path.startswith(LIBRARY + os.sep) and "-packages" not in path


def _has(folder, name):
    path = os.path.join(folder, name)
    return os.path.exists(path + ".py") or os.path.exists(os.path.join(path, "__init__.py"))
