"""What an object holds, read without running a line of its code."""
_qualified_name_of = type.__dict__["__qualname__"].__get__
_ancestors_of = type.__dict__["__mro__"].__get__


def type_name(kind):
    try:
        name = _qualified_name_of(kind)
        module = kind.__dict__.get("__module__") if type(kind) is type else None
        return name if not isinstance(module, str) or module == "builtins" else "%s.%s" % (module, name)
    except Exception:
        return "object"


def fields_of(kind):
    """A function that gives names and values of a dataclass, an attrs class or a named tuple; None for every other type."""
    names = kind.__dict__.get("__dataclass_fields__")
    if names is None and "__attrs_attrs__" in kind.__dict__:
        names = [one.name for one in kind.__dict__["__attrs_attrs__"]]
    if names is not None:
        names, slots = list(names), slots_of(kind)
        return lambda value: chosen(attributes(value, slots), names)
    names = kind.__dict__.get("_fields")
    if type(names) is tuple and tuple in _ancestors_of(kind):
        return lambda value: list(zip(names, tuple.__iter__(value)))
    return None


def chosen(own, names):
    return [(name, own[name]) for name in names if name in own]


def slots_of(kind):
    """Names and descriptors of what stands in slots."""
    found = []
    for base in reversed(_ancestors_of(kind)):
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else tuple(slots) if isinstance(slots, (list, tuple)) else ():
            member = base.__dict__.get(name)
            if type(member).__name__ == "member_descriptor":
                found.append((name, member))
    return found


def attributes(value, slots):
    """An object's own attributes by name."""
    found = {}
    for name, member in slots:
        try:
            found[name] = member.__get__(value)
        except AttributeError:
            pass
    try:
        own = object.__getattribute__(value, "__dict__")
    except Exception:
        return found
    if not isinstance(own, dict):
        return found
    if not found and type(own) is dict:
        return own if all(type(name) is str for name in own) else {}
    found.update((name, one) for name, one in list(dict.items(own)) if type(name) is str)
    return found
