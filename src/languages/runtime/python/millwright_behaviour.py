"""What a call did, as a short text that is the same for the same behaviour: its result, or its exception, and its arguments
as it left them. Without addresses, and whatever the order of sets.
"""
import asyncio
import hashlib
import inspect
import itertools
import math
import pickle
import random
import types

MOST_ITEMS = 500
DEEPEST = 12
ITERATORS = (types.GeneratorType, map, filter, zip, enumerate, reversed, itertools.chain, itertools.islice)


def observe(function, code, data):
    """`v…` for a value and `e…` for an exception, with a digest; a plain number follows as it is. `code` names the arguments."""
    arguments = pickle.loads(data)
    random.seed(0)
    try:
        result = _call(function, code, arguments)
        if inspect.iscoroutine(result):
            result = asyncio.new_event_loop().run_until_complete(result)
        text = "v" + _render(result, 0, {})
    except Exception as error:
        text = "e" + type(error).__name__
    digest = hashlib.sha1((text + _render(arguments, 0, {})).encode("utf-8", "replace")).hexdigest()[:12]
    is_plain = text[0] == "v" and type(result) in (int, float) and len(text) < 16
    return text[0] + digest + ("=" + text[1:] if is_plain else "")


def _call(function, code, arguments):
    names = code.co_varnames
    positional = [arguments[name] for name in names[:code.co_argcount]]
    at = code.co_argcount + code.co_kwonlyargcount
    named = {name: arguments[name] for name in names[code.co_argcount:at]}
    if code.co_flags & inspect.CO_VARARGS:
        positional.extend(arguments[names[at]])
        at += 1
    if code.co_flags & inspect.CO_VARKEYWORDS:
        named.update(arguments[names[at]])
    return function(*positional, **named)


def _render(value, depth, seen):
    kind = type(value)
    if value is None or kind in (bool, int, str, bytes, complex):
        return repr(value)
    if kind is float:
        # The last bits depend on the order of additions.
        return repr(value) if math.isinf(value) or math.isnan(value) else "%.9g" % value
    if depth > DEEPEST:
        return "..."
    if id(value) in seen:
        return "<%d>" % seen[id(value)]
    seen[id(value)] = len(seen)
    inner = depth + 1
    if isinstance(value, ITERATORS):
        items = list(itertools.islice(value, MOST_ITEMS))
        return "iterator" + _items(items, inner, seen)
    if isinstance(value, (list, tuple)):
        return kind.__name__ + _items(value, inner, seen)
    if isinstance(value, (set, frozenset)):
        return "{%s}" % ",".join(sorted(_render(each, inner, dict(seen)) for each in itertools.islice(value, MOST_ITEMS)))
    if isinstance(value, dict):
        pairs = itertools.islice(value.items(), MOST_ITEMS)
        return kind.__name__ + "{%s}" % ",".join(_render(key, inner, seen) + ":" + _render(each, inner, seen) for key, each in pairs)
    if isinstance(value, (type, types.FunctionType, types.ModuleType)):
        return getattr(value, "__qualname__", None) or value.__name__
    if kind.__repr__ is not object.__repr__ and kind.__module__ in ("datetime", "decimal", "fractions", "pathlib", "uuid"):
        return repr(value)
    fields = dict(getattr(value, "__dict__", {}))
    for name in getattr(kind, "__slots__", ()):
        if isinstance(name, str) and hasattr(value, name):
            fields[name] = getattr(value, name)
    return kind.__name__ + "(%s)" % ",".join("%s=%s" % (name, _render(fields[name], inner, seen)) for name in sorted(fields))


def _items(items, depth, seen):
    return "[%s]" % ",".join(_render(each, depth, seen) for each in itertools.islice(items, MOST_ITEMS))
