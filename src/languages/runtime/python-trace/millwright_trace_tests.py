"""Which test runs: pytest tells it in the environment, unittest by the `TestCase` that runs."""
import os

from millwright_trace_lines import quoted
from millwright_trace_objects import type_name

PYTEST = "PYTEST_CURRENT_TEST"


class Tests(object):
    def __init__(self):
        """`field`: the text for a call's line; `serial` grows with each new test."""
        environment = os.environ
        self.data = getattr(environment, "_data", environment)
        encode = getattr(environment, "encodekey", None)
        self.key = encode(PYTEST) if encode else PYTEST
        self.decode = getattr(environment, "decodevalue", str)
        self.known = None
        self.case = None
        self.field = ""
        self.serial = 1

    def look(self):
        """The number of the test that runs."""
        told = self.data.get(self.key)
        if told is not self.known:
            self.known = told
            name = None
            if told is not None:
                name = self.decode(told).rpartition(" (")[0]
            self.name(name or self.case)
        return self.serial

    def name(self, name):
        field = "" if name is None else ',"test":%s' % quoted(name)
        if field != self.field:
            self.field = field
            self.serial += 1

    def begin_case(self, case):
        """A `unittest.TestCase` runs."""
        try:
            method = object.__getattribute__(case, "__dict__").get("_testMethodName")
            self.case = "%s.%s" % (type_name(type(case)), method)
        except Exception:
            self.case = None
        if self.known is None:
            self.name(self.case)

    def end_case(self):
        self.case = None
        if self.known is None:
            self.name(None)
