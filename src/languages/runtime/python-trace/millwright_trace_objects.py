"""What an object holds, read without running a line of its code."""
_qualified_name_of = type.__dict__["__qualname__"].__get__
_ancestors_of = type.__dict__["__mro__"].__get__


class NotPlain(Exception):
    """A value that is no plain data."""


def type_name(kind):
    try:
        name = _qualified_name_of(kind)
        module = kind.__dict__.get("__module__") if type(kind) is type else None
        return name if not isinstance(module, str) or module == "builtins" else "%s.%s" % (module, name)
    except Exception:
        return "object"


def record_fields(value, kind):
    """Names and values of a dataclass, an attrs class or a named tuple. Throws NotPlain for everything else."""
    names = kind.__dict__.get("__dataclass_fields__")
    if names is None and "__attrs_attrs__" in kind.__dict__:
        names = [one.name for one in kind.__dict__["__attrs_attrs__"]]
    if names is not None:
        own = attributes(value, kind)
        return [(name, own[name]) for name in list(names) if name in own]
    names = kind.__dict__.get("_fields")
    if isinstance(value, tuple) and type(names) is tuple and len(names) == tuple.__len__(value):
        return list(zip(names, tuple.__iter__(value)))
    raise NotPlain


def attributes(value, kind):
    """An object's own attributes by name, read without running its code."""
    found = {}
    for base in reversed(_ancestors_of(kind)):
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else tuple(slots) if isinstance(slots, (list, tuple)) else ():
            member = base.__dict__.get(name)
            if type(member).__name__ == "member_descriptor":
                try:
                    found[name] = member.__get__(value)
                except AttributeError:
                    pass
    try:
        own = object.__getattribute__(value, "__dict__")
    except Exception:
        return found
    if isinstance(own, dict):
        found.update((name, one) for name, one in list(dict.items(own)) if type(name) is str)
    return found
