"""Values as JSON texts of the trace's lines. Nothing of the program is run for it: an object is shown by its class and its
attributes, not by its `__repr__`, which may query a database, take a lock that is held, or walk a million elements."""
from _json import encode_basestring_ascii as quoted

from millwright_trace_objects import fields_of, type_name
from millwright_trace_places import is_own
from millwright_trace_texts import Writing

SAFE_INTEGER = 1 << 53
DEEPEST = 10
INFINITE = (float("inf"), float("-inf"))


class NotPlain(Exception):
    """It is no plain data, or too long."""


def value_text(value, limit):
    """`value` as JSON `{"j": …}`, `{"d": …}` or `{"t": …}`, never longer than some multiple of `limit` characters."""
    kind = type(value)
    if value is None:
        return '{"j":null}'
    if kind is bool:
        return '{"j":true}' if value else '{"j":false}'
    if kind is str:
        if len(value) <= limit:
            return '{"j":%s}' % quoted(value)
        return '{"j":%s,"cut":%d}' % (quoted(value[:limit]), len(value))
    try:
        try:
            return '{"j":%s}' % Plain(limit).text(value, 0)
        except NotPlain:
            pass
        writing = Writing(limit)
        text = writing.text(value, 0)
        if text is None:
            return '{"t":%s}' % quoted(type_name(kind))
        if len(text) > 2 * limit and not writing.more:
            writing.more = len(text)
            text = text[:limit]
        if writing.more:
            return '{"d":%s,"cut":%d}' % (quoted(text), max(writing.more, len(text) + 1))
        return '{"d":%s}' % quoted(text)
    except Exception as error:
        if not is_own(error):
            raise
        return '{"t":%s}' % quoted(type_name(kind))


class Plain(object):
    """JSON of plain data with so much room."""

    __slots__ = ("room",)

    def __init__(self, room):
        self.room = room

    def text(self, value, depth):
        kind = type(value)
        if kind is str:
            if len(value) > self.room:
                raise NotPlain
            text = quoted(value)
        elif kind is int:
            if not -SAFE_INTEGER <= value <= SAFE_INTEGER:
                raise NotPlain
            text = int.__repr__(value)
        elif value is None:
            text = "null"
        elif kind is bool:
            text = "true" if value else "false"
        elif kind is float:
            if value != value or value in INFINITE:
                raise NotPlain
            text = float.__repr__(value)
        else:
            return self.parts(value, kind, depth)
        self.room -= len(text) + 1
        if self.room < 0:
            raise NotPlain
        return text

    def parts(self, value, kind, depth):
        if depth > DEEPEST:
            raise NotPlain
        if kind is list or kind is tuple:
            if len(value) > self.room:
                raise NotPlain
            return "[%s]" % ",".join([self.text(one, depth + 1) for one in list(value)])
        if kind is dict:
            if len(value) > self.room:
                raise NotPlain
            pairs = list(value.items())
        else:
            fields = fields_of(kind)
            if fields is None:
                raise NotPlain
            pairs = fields(value)
        texts = []
        for name, one in pairs:
            if type(name) is not str:
                raise NotPlain
            texts.append("%s:%s" % (self.text(name, depth + 1), self.text(one, depth + 1)))
        return "{%s}" % ",".join(texts)
