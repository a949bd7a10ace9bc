"""Values as texts for people, of which no more is walked than is shown."""
from _weakref import ref

from millwright_trace_kinds import CONTAINERS, classify

DEEPEST = 3


class Writing(object):
    """One value: `room` is how many characters are left, `more` about how many the whole would have had if it was shortened."""

    __slots__ = ("room", "more", "around")

    def __init__(self, room):
        self.room = room
        self.more = 0
        self.around = []

    def text(self, value, depth):
        """None where nothing but its type is known."""
        kind = type(value)
        known = kinds.get(id(kind))
        if known is None or known[0]() is not kind:
            kinds[id(kind)] = known = (ref(kind),) + classify(kind)
        _, category, detail = known
        if category == "flat":
            text = detail(value)
        elif category == "string":
            text = self.string(value, detail)
        elif category == "type":
            return None
        else:
            return self.nested(value, kind, category, detail, depth)
        self.room -= len(text)
        return text

    def string(self, value, base):
        length = base.__len__(value)
        room = self.room if self.room > 10 else 10
        if length <= room:
            return base.__repr__(base.__getitem__(value, slice(None)))
        self.more += length
        return base.__repr__(base.__getitem__(value, slice(room))) + "…"

    def nested(self, value, kind, category, detail, depth):
        self.room -= len(kind.__name__) + 2
        if depth >= DEEPEST and category not in CONTAINERS or depth > 2 * DEEPEST or id(value) in self.around or self.room <= 0:
            return "%s(…)" % kind.__name__
        self.around.append(id(value))
        try:
            if category == "object":
                own = detail(value)
                inner = self.joined((name + "=" + self.part(one, depth + 1) for name, one in own), len(own))
                return "%s(%s)" % (kind.__name__, inner)
            if category == "named":
                own = detail(value)
                return "%s(%s)" % (kind.__name__, self.items(iter(own), len(own), depth))
            return self.container(value, kind, category, detail, depth)
        finally:
            self.around.pop()

    def container(self, value, kind, category, base, depth):
        opening, closing = CONTAINERS[category]
        length = base.__len__(value)
        if category == "dict":
            inner = self.joined(
                (self.part(name, depth + 1) + ": " + self.part(one, depth + 1) for name, one in dict.items(value)), length)
        else:
            inner = self.items(base.__iter__(value), length, depth)
            if category == "tuple" and length == 1:
                inner += ","
        if length == 0 and category == "set":
            return "%s()" % kind.__name__
        plain = opening + inner + closing
        return plain if kind is base and kind is not frozenset else "%s(%s)" % (kind.__name__, plain)

    def part(self, value, depth):
        text = self.text(value, depth)
        if text is None:
            text = "<%s>" % type(value).__name__
            self.room -= len(text)
        return text

    def items(self, values, length, depth):
        return self.joined((self.part(one, depth + 1) for one in values), length)

    def joined(self, texts, length):
        shown = []
        written = 0
        for text in texts:
            shown.append(text)
            written += len(text) + 2
            self.room -= 2
            if self.room <= 0 and len(shown) < length:
                self.more += written * length // len(shown)
                shown.append("… %d more" % (length - len(shown)))
                break
        return ", ".join(shown)


# By the id of a type, for its hash may be the program's own; the reference tells whether the id is still that type's.
kinds = {}
