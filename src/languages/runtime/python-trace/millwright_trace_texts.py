"""Values as texts for people, of which no more is walked than is shown."""
from itertools import islice
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType, WrapperDescriptorType

from millwright_trace_objects import NotPlain, _ancestors_of, attributes, record_fields, type_name

DEEPEST = 4
LONGEST_INTEGER_BITS = 4096
# Python code of the standard library whose `__repr__` looks at its own object only.
PLAIN_MODULES = frozenset((
    "datetime", "_pydatetime", "_pydecimal", "fractions", "ipaddress", "pathlib", "pathlib._local", "uuid", "zoneinfo",
    "logging",
))
# C code, likewise.
PLAIN_TYPES = frozenset((
    "complex", "range", "ellipsis", "memoryview", "NotImplementedType", "datetime.datetime", "datetime.date", "datetime.time",
    "datetime.timedelta", "datetime.timezone", "decimal.Decimal", "re.Pattern", "re.Match", "_thread.lock", "_thread.RLock",
    "zoneinfo.ZoneInfo",
))
CONTAINERS = ((dict, "{", "}"), (list, "[", "]"), (tuple, "(", ")"), (set, "{", "}"), (frozenset, "{", "}"))
VIEWS = tuple(type(view) for view in ({}.keys(), {}.values(), {}.items()))
INTERNAL = tuple(type(view) for view in (BaseException().__traceback__, BaseException().__cause__))


class Writing(object):
    """One value: `room` is how many characters are left, `more` about how many the whole would have had if it was shortened."""

    def __init__(self, room):
        self.room = room
        self.more = 0
        self.around = []

    def text(self, value, depth):
        """None where nothing but its type is known."""
        kind = type(value)
        plain = self.scalar(value, kind)
        if plain is not None:
            self.room[0] -= len(plain)
            return plain
        if depth >= DEEPEST or id(value) in self.around or self.room[0] <= 0:
            self.room[0] -= 4
            name = kind.__name__ if isinstance(kind.__name__, str) else "object"
            return "%s(…)" % name
        self.around.append(id(value))
        try:
            return self.parts(value, kind, depth)
        finally:
            self.around.pop()

    def scalar(self, value, kind):
        if value is None or kind is bool:
            return repr(value)
        if isinstance(value, type):
            return "<class %s>" % type_name(value)
        member = enum_member(value, kind)
        if member is not None:
            return member
        if isinstance(value, int):
            bits = int.bit_length(value)
            return int.__repr__(value) if bits <= LONGEST_INTEGER_BITS else "<integer of %d bits>" % bits
        if isinstance(value, float):
            return float.__repr__(value)
        for base in (str, bytes, bytearray):
            if isinstance(value, base):
                return self.string(value, base)
        named = callable_name(value, kind)
        if named is not None:
            return named
        return library_text(value, kind)

    def string(self, value, base):
        length = base.__len__(value)
        room = max(self.room[0], 10)
        if length <= room:
            return base.__repr__(base.__getitem__(value, slice(None)))
        self.more += length
        return base.__repr__(base.__getitem__(value, slice(room))) + "…"

    def parts(self, value, kind, depth):
        try:
            return "%s(%s)" % (kind.__name__, self.pairs(record_fields(value, kind), depth, "=", name_text))
        except NotPlain:
            pass
        for base, opening, closing in CONTAINERS:
            if isinstance(value, base):
                return self.container(value, kind, base, opening, closing, depth)
        if kind in VIEWS:
            return "%s([%s])" % (kind.__name__, self.items(iter(value), len(value), depth))
        if isinstance(value, BaseException):
            arguments = BaseException.args.__get__(value)
            return "%s(%s)" % (kind.__name__, self.items(iter(arguments), len(arguments), depth))
        own = attributes(value, kind)
        if own or is_made_in_python(kind):
            return "%s(%s)" % (kind.__name__, self.pairs(list(own.items()), depth, "=", name_text))
        if depth > 0:
            self.room[0] -= len(kind.__name__) + 2
            return "<%s>" % kind.__name__
        return None

    def container(self, value, kind, base, opening, closing, depth):
        length = base.__len__(value)
        if base is dict:
            inner = self.pairs(islice(iter(dict.items(value)), length), depth, ": ", self.key_text, length)
        else:
            inner = self.items(base.__iter__(value), length, depth)
            if base is tuple and length == 1:
                inner += ","
        if length == 0 and base in (set, frozenset):
            return "%s()" % kind.__name__
        plain = opening + inner + closing
        return plain if kind is base and base is not frozenset else "%s(%s)" % (kind.__name__, plain)

    def key_text(self, key, depth):
        return self.text(key, depth)

    def items(self, values, length, depth):
        return self.joined((self.text(one, depth + 1) for one in values), length)

    def pairs(self, pairs, depth, between, text_of_name, length=None):
        texts = (text_of_name(name, depth + 1) + between + self.text(one, depth + 1) for name, one in pairs)
        return self.joined(texts, len(pairs) if length is None else length)

    def joined(self, texts, length):
        shown = []
        written = 0
        for text in texts:
            shown.append(text)
            written += len(text) + 2
            self.room[0] -= 2
            if self.room[0] <= 0 and len(shown) < length:
                self.more += written * length // len(shown)
                shown.append("… %d more" % (length - len(shown)))
                break
        return ", ".join(shown)


def name_text(name, depth):
    return name


def enum_member(value, kind):
    """`Colour.RED`, without a look at its `__str__`."""
    if not any(base.__module__ == "enum" and base.__name__ == "Enum" for base in _ancestors_of(kind)):
        return None
    own = object.__getattribute__(value, "__dict__")
    name = own.get("_name_")
    return "%s.%s" % (kind.__name__, name) if isinstance(name, str) else "%s(%r)" % (kind.__name__, own.get("_value_"))


def callable_name(value, kind):
    if kind is FunctionType:
        return "<function %s>" % value.__qualname__
    if kind is MethodType:
        function = value.__func__
        return "<method %s>" % (function.__qualname__ if type(function) is FunctionType else type(function).__name__)
    if kind is BuiltinFunctionType:
        return "<built-in %s>" % value.__name__
    if isinstance(value, ModuleType):
        name = ModuleType.__getattribute__(value, "__dict__").get("__name__")
        return "<module %s>" % name if isinstance(name, str) else "<module>"
    if kind is CodeType:
        return "<code %s>" % value.co_name
    return None


def library_text(value, kind):
    """The `repr` of what is known to look at nothing but itself."""
    name = type_name(kind)
    if name in PLAIN_TYPES or kind.__module__ in PLAIN_MODULES and kind.__flags__ & (1 << 9):
        return repr(value)
    if isinstance(kind.__module__, str) and kind.__module__.split(".")[0] == "numpy":
        size = getattr(value, "size", 1)
        return repr(value) if isinstance(size, int) and size <= 1000 else None
    return None


def is_made_in_python(kind):
    return bool(kind.__flags__ & (1 << 9)) and not any(
        type(base.__dict__.get("__repr__")) is WrapperDescriptorType and base is not object for base in _ancestors_of(kind)
    )
