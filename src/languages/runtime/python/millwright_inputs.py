"""Arguments of calls: as tests gave them, and others like them.

What is made from a recorded call stays within what was seen of each argument: its types, its sign, whether lists are sorted.
The order and the choice depend on nothing but the calls.
"""
import copy
import pickle
import random

MOST_CHANGES = 12
DEEPEST = 6


class Call(object):
    """`passing`: of a test that passes on the base; None for one that was made from others."""

    def __init__(self, function, arguments, passing=None):
        self.function = function
        self.arguments = arguments
        self.passing = passing


def freeze(value):
    """A snapshot as bytes, or None for what cannot be copied."""
    try:
        data = pickle.dumps(value, 4)
        pickle.loads(data)
        return data
    except Exception:
        return None


class Shape(object):
    """What all values at one place of the arguments have in common."""

    def __init__(self):
        self.kinds = set()
        self.least = None
        self.most = None
        self.lists = self.sorted_lists = 0

    def note(self, value):
        self.kinds.add(type(value))
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            self.least = value if self.least is None else min(self.least, value)
            self.most = value if self.most is None else max(self.most, value)
        elif isinstance(value, (list, tuple)) and len(value) > 1:
            self.lists += 1
            self.sorted_lists += _is_sorted(value)

    def admits(self, value):
        if type(value) not in self.kinds:
            return False
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            # A small sample: a bound is believed where it has a meaning.
            floor = 1 if self.least >= 1 else 0 if self.least >= 0 else None
            return (floor is None or value >= floor) and abs(value) <= 2 * max(abs(self.least), abs(self.most), 4)
        if isinstance(value, (list, tuple)) and self.lists >= 2 and self.sorted_lists == self.lists:
            return _is_sorted(value)
        return True


class Shapes(object):
    def __init__(self):
        self.known = {}

    def note(self, value):
        for place, part in _parts(value, ()):
            self.known.setdefault(place, Shape()).note(part)

    def admit(self, value):
        return all(place in self.known and self.known[place].admits(part) for place, part in _parts(value, ()))


def _parts(value, place):
    yield place, value
    if len(place) < DEEPEST:
        if type(value) in (list, set, frozenset):
            for each in value:
                for part in _parts(each, place + ("[]",)):
                    yield part
        elif type(value) is tuple:
            # The places of short tuples mean different things.
            for at, each in enumerate(value):
                for part in _parts(each, place + ((at if len(value) < 8 else "[]"),)):
                    yield part
        elif type(value) is dict:
            for key, each in value.items():
                for part in _parts(each, place + (key if place == () else "{}",)):
                    yield part


def _is_sorted(value):
    try:
        return all(not value[at + 1] < value[at] for at in range(len(value) - 1))
    except Exception:
        return False


def derive(calls, most):
    """Up to `most` further calls. The arguments of a call are a dict by name."""
    chance = random.Random(0)
    found = []
    seen = {(call.function, call.arguments) for call in calls}
    for function in sorted({call.function for call in calls}):
        thawed = [pickle.loads(call.arguments) for call in calls if call.function == function]
        shapes = Shapes()
        for arguments in thawed:
            shapes.note(arguments)
        offers = [_mix(thawed, chance) for _ in range(most)]
        for arguments in thawed:
            offers.extend(_change(arguments, chance))
        # Two steps away, and more where there are few calls.
        offers.extend(each for one in list(offers) for each in chance.sample(_change(one, chance) or [one], 1))
        chance.shuffle(offers)
        for arguments in offers:
            data = freeze(arguments) if shapes.admit(arguments) else None
            if data is not None and (function, data) not in seen:
                seen.add((function, data))
                found.append(Call(function, data))
    chance.shuffle(found)
    return found[:most]


def _mix(calls, chance):
    """Each argument of another call."""
    first = chance.choice(calls)
    return {name: copy.deepcopy(chance.choice(calls).get(name, value)) for name, value in first.items()}


def _change(arguments, chance):
    """Copies of the arguments with one of them changed."""
    changed = []
    for name, value in arguments.items():
        for other in _limit(list(_variants(value, chance, 0)), chance):
            changed.append(dict(copy.deepcopy(arguments), **{name: other}))
    return changed


def _limit(values, chance):
    return values if len(values) <= MOST_CHANGES else chance.sample(values, MOST_CHANGES)


def _variants(value, chance, depth):
    kind = type(value)
    if kind is bool:
        yield not value
    elif kind is int:
        for other in (value + 1, value - 1, 0, 1, 2, -value, value * 2, value // 2, value + chance.randint(2, 9)):
            if other != value:
                yield other
    elif kind is float:
        for other in (value + 1, value - 1, 0.0, -value, value * 2, value / 2, value + 0.5):
            yield other
    elif kind in (str, bytes):
        middle = len(value) // 2
        for other in (value[:0], value[1:], value[:-1], value + value, value[::-1], value[:middle], value[middle:], value.swapcase()):
            if other != value:
                yield other
    elif kind in (list, tuple):
        for other in _sequences(value, chance, depth):
            yield other
    elif kind is dict and depth < DEEPEST:
        for key in list(value)[:4]:
            yield {each: copy.deepcopy(item) for each, item in value.items() if each != key}
            for other in list(_variants(value[key], chance, depth + 1))[:3]:
                yield dict(copy.deepcopy(value), **{key: other}) if isinstance(key, str) else _put(value, key, other)
    elif kind in (set, frozenset):
        items = sorted(value, key=repr)
        for at in range(min(3, len(items))):
            yield kind(items[:at] + items[at + 1:])


def _put(mapping, key, value):
    changed = copy.deepcopy(mapping)
    changed[key] = value
    return changed


def _sequences(value, chance, depth):
    kind = type(value)
    value = copy.deepcopy(value)
    if len(value) > 0 and kind is list:
        yield []
        yield value[1:]
        yield value[:-1]
        yield value + value[-1:]
        yield value[:1]
        yield value[::-1]
        shuffled = list(value)
        chance.shuffle(shuffled)
        yield shuffled
        if _is_sorted(value):
            yield sorted(value + value)
    if depth < DEEPEST:
        places = range(len(value)) if len(value) <= 3 else chance.sample(range(len(value)), 3)
        for at in places:
            for other in list(_variants(value[at], chance, depth + 1))[:6]:
                yield kind(list(value[:at]) + [other] + list(value[at + 1:]))
