"""How values of a type are shown, found once for each type: a category and what belongs to it.

`flat`: a function that gives the text; `string`: the base type; `dict`, `list`, `tuple`, `set`: the base type; `object`: a function
that gives names and values; `named`: one that gives values; `type`: nothing but its type is known."""
import sys
from itertools import islice
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType, WrapperDescriptorType

from millwright_trace_objects import _ancestors_of, attributes, fields_of, slots_of, type_name

LONGEST_INTEGER_BITS = 4096
MADE_IN_PYTHON = 1 << 9
# Python code of the standard library whose `__repr__` looks at its own object only.
PLAIN_MODULES = frozenset((
    "datetime", "_pydatetime", "_pydecimal", "fractions", "ipaddress", "pathlib", "pathlib._local", "uuid", "zoneinfo",
    "logging",
))
# C code, likewise.
PLAIN_TYPES = frozenset((
    "NoneType", "bool", "complex", "range", "ellipsis", "memoryview", "NotImplementedType", "datetime.datetime",
    "datetime.date", "datetime.time", "datetime.timedelta", "datetime.timezone", "decimal.Decimal", "re.Pattern", "re.Match",
    "_thread.lock", "_thread.RLock", "zoneinfo.ZoneInfo",
))
CONTAINERS = {"dict": ("{", "}"), "list": ("[", "]"), "tuple": ("(", ")"), "set": ("{", "}")}
BASES = (("dict", dict), ("list", list), ("tuple", tuple), ("set", set), ("set", frozenset))
VIEWS = tuple(type(view) for view in ({}.keys(), {}.values(), {}.items()))


def classify(kind):
    ancestors = _ancestors_of(kind)
    if type in ancestors:
        return "flat", lambda value: "<class %s>" % type_name(value)
    if any(base.__module__ == "enum" and base.__name__ == "Enum" for base in ancestors):
        return "flat", enum_member
    name = type_name(kind)
    if name in PLAIN_TYPES or kind.__module__ in PLAIN_MODULES and kind.__flags__ & MADE_IN_PYTHON:
        return "flat", repr
    if int in ancestors:
        return "flat", integer
    if float in ancestors:
        return "flat", float.__repr__
    for base in (str, bytes, bytearray):
        if base in ancestors:
            return "string", base
    if kind in NAMED or ModuleType in ancestors:
        return "flat", NAMED.get(kind, module_name)
    return classify_parts(kind, ancestors)


def classify_parts(kind, ancestors):
    fields = fields_of(kind)
    if fields is not None:
        return "object", fields
    for category, base in BASES:
        if base in ancestors:
            return category, base
    if kind in VIEWS:
        return "named", lambda value: list(islice(iter(value), 1000))
    if BaseException in ancestors:
        return "named", lambda value: BaseException.args.__get__(value)
    module = kind.__module__
    if isinstance(module, str) and module.split(".")[0] == "numpy":
        return "flat", array_text
    slots = slots_of(kind)
    if slots or is_made_in_python(kind, ancestors):
        return "object", lambda value: list(attributes(value, slots).items())
    return "type", None


def is_made_in_python(kind, ancestors):
    return bool(kind.__flags__ & MADE_IN_PYTHON) and not any(
        type(base.__dict__.get("__repr__")) is WrapperDescriptorType and base is not object for base in ancestors
    )


def integer(value):
    bits = int.bit_length(value)
    return int.__repr__(value) if bits <= LONGEST_INTEGER_BITS else "<integer of %d bits>" % bits


def enum_member(value):
    """`Colour.RED`, without a look at its `__str__`."""
    own = object.__getattribute__(value, "__dict__")
    name, kind = own.get("_name_"), type(value).__name__
    return "%s.%s" % (kind, name) if isinstance(name, str) else "%s(%r)" % (kind, own.get("_value_"))


def method_name(value):
    function = value.__func__
    return "<method %s>" % (function.__qualname__ if type(function) is FunctionType else type(function).__name__)


def module_name(value):
    name = ModuleType.__getattribute__(value, "__dict__").get("__name__")
    return "<module %s>" % name if isinstance(name, str) else "<module>"


def array_text(value):
    size = getattr(value, "size", 1)
    return repr(value) if isinstance(size, int) and size <= 1000 else "<%s of %s>" % (type_name(type(value)), size)


NAMED = {
    FunctionType: lambda value: "<function %s>" % value.__qualname__,
    MethodType: method_name,
    BuiltinFunctionType: lambda value: "<built-in %s>" % value.__name__,
    CodeType: lambda value: "<code %s>" % value.co_name,
    type(i for i in ()): lambda value: "<generator %s>" % value.__qualname__,
}
if sys.version_info >= (3, 5):
    from types import CoroutineType

    NAMED[CoroutineType] = lambda value: "<coroutine %s>" % value.__qualname__
