"""Values as JSON texts of the trace's lines. Nothing of the program is run for it: an object is shown by its class and its
attributes, not by its `__repr__`, which may query a database, take a lock that is held, or walk a million elements."""
from _json import encode_basestring_ascii as quoted

from millwright_trace_objects import NotPlain, record_fields, type_name
from millwright_trace_places import is_own
from millwright_trace_texts import Writing

SAFE_INTEGER = 1 << 53
DEEPEST = 10
NUMBERS = frozenset((int, float, bool, type(None)))


class Full(Exception):
    pass


def value_text(value, limit):
    """`value` as JSON `{"j": …}`, `{"d": …}` or `{"t": …}`, never longer than some multiple of `limit` characters."""
    kind = type(value)
    try:
        if kind in NUMBERS:
            if kind is not int and kind is not float:
                return '{"j":true}' if value is True else '{"j":false}' if value is False else '{"j":null}'
        elif isinstance(value, str) and kind is str:
            if len(value) <= limit:
                return '{"j":%s}' % quoted(value)
            return '{"j":%s,"cut":%d}' % (quoted(value[:limit]), len(value))
        room = [limit]
        try:
            return '{"j":%s}' % _plain(value, room, 0)
        except (NotPlain, Full):
            pass
        room = [limit]
        writing = Writing(room)
        text = writing.text(value, 0)
        if text is None:
            return '{"t":%s}' % quoted(type_name(kind))
        if len(text) > limit + 1 and not writing.more:
            writing.more = len(text)
            text = text[:limit]
        if writing.more:
            return '{"d":%s,"cut":%d}' % (quoted(text), max(writing.more, len(text) + 1))
        return '{"d":%s}' % quoted(text)
    except Exception as error:
        if not is_own(error):
            raise
        return '{"t":%s}' % quoted(type_name(kind))


def _plain(value, room, depth):
    """JSON, where it is data and no more than there is room for."""
    kind = type(value)
    if value is None:
        text = "null"
    elif kind is bool:
        text = "true" if value else "false"
    elif kind is int:
        if not -SAFE_INTEGER <= value <= SAFE_INTEGER:
            raise NotPlain
        text = int.__repr__(value)
    elif kind is float:
        if value != value or value in (float("inf"), float("-inf")):
            raise NotPlain
        text = float.__repr__(value)
    elif kind is str:
        if len(value) > room[0]:
            raise Full
        text = quoted(value)
    else:
        return _plain_parts(value, kind, room, depth)
    room[0] -= len(text) + 1
    if room[0] < 0:
        raise Full
    return text


def _plain_parts(value, kind, room, depth):
    if depth > DEEPEST:
        raise Full
    room[0] -= 2
    if kind is list or kind is tuple:
        if len(value) > room[0]:
            raise Full
        return "[%s]" % ",".join([_plain(one, room, depth + 1) for one in list(value)])
    if kind is dict:
        if len(value) > room[0]:
            raise Full
        pairs = list(value.items())
    else:
        pairs = record_fields(value, kind)
    texts = []
    for name, one in pairs:
        if type(name) is not str:
            raise NotPlain
        texts.append("%s:%s" % (_plain(name, room, depth + 1), _plain(one, room, depth + 1)))
    return "{%s}" % ",".join(texts)
