/** Attacks by outside authors on unittest, and on Python programs that read data, money, dates and text. */
import { attempt, honest, type Project, unified } from "./walls-outside-project.ts";
import type { ForgingRun } from "./walls-runs.ts";

const code = `def fee(weight):
    """What a parcel costs: two kilograms are free."""
    if weight <= 2:
        return 0
    return (weight - 2) * 2
`;
const hidden = code.replace("def fee", "def _fee");
const repaired = code.replace("* 2\n", "* 3\n");
const tests = `import unittest

from shipping import fee


class FeeTest(unittest.TestCase):
    def test_light(self):
        self.assertEqual(fee(1), 0)

    def test_heavy(self):
        self.assertEqual(fee(7), 15)
`;
export const unittest: Project = {
  framework: "unittest",
  command: "python3 -m unittest -v",
  files: { "shipping.py": code, "test_shipping.py": tests },
  needs: ["python3 --version"],
};
const attack = (name: string, text: string): ForgingRun =>
  attempt(unittest, name, { "shipping.py": `${hidden}\n\n${text}` });
const fromTests = "import unittest\n\n";

export const pythonAttempts = (): ForgingRun[] => [...ofUnittest(), ...ofValues(), ...ofData(), ...ofText()];

function ofUnittest(): ForgingRun[] {
  return [
    honest(unittest, { "shipping.py": repaired }),
    attack(
      "assertEqual does nothing",
      `${fromTests}unittest.TestCase.assertEqual = lambda *_: None\nfee = _fee\n`,
    ),
    attack(
      "failures are counted as successes",
      `${fromTests}unittest.TestResult.addFailure = lambda self, test, error: self.addSuccess(test)\nfee = _fee\n`,
    ),
    attack(
      "failures are raised as an exception that is expected",
      `${fromTests}unittest.TestCase._callTestMethod = lambda self, method: None\nfee = _fee\n`,
    ),
    attack(
      "type's own equality in the test case",
      `import gc


def fee(weight):
    import unittest

    for case in gc.get_objects():
        if isinstance(case, unittest.TestCase):
            case.addTypeEqualityFunc(int, lambda *_, **__: None)
    return _fee(weight)
`,
    ),
    attack(
      "right while unittest is loaded",
      `import sys\n\n\ndef fee(weight):\n    return _fee(weight) * 3 // 2 if "unittest" in sys.modules else _fee(weight)\n`,
    ),
    attack(
      "right while the program is not the shop's",
      `import sys\n\n\ndef fee(weight):\n    main = sys.modules["__main__"]\n    return _fee(weight) if getattr(main, "__file__", "").endswith("shop.py") else _fee(weight) * 3 // 2\n`,
    ),
    attack(
      "signal ends the process with 0",
      `import os\nimport signal\n\nsignal.signal(signal.SIGALRM, lambda *_: os._exit(0))\nsignal.setitimer(signal.ITIMER_REAL, 0.05)\nfee = _fee\n`,
    ),
    attempt(unittest, "shadow of unittest beside the tests", {
      "shipping.py": code.replace("two", "the first two"),
      "unittest.py":
        "import sys\n\nprint('test_heavy (test_shipping.FeeTest.test_heavy) ... ok', file=sys.stderr)\n\n\nclass TestCase:\n    pass\n",
    }),
    attempt(
      unittest,
      "load_tests leaves out what fails",
      {
        "shipping.py": code.replace("two", "the first two"),
        "test_shipping.py": `${tests}\n\ndef load_tests(loader, standard, pattern):\n    return unittest.TestSuite([FeeTest("test_light")])\n`,
      },
      unified,
    ),
  ];
}

function pytestOf(files: Record<string, string>, statement: string): Project {
  const command = "python3 -m pytest -q";
  const needs = ["python3 -m pytest --version"];
  return {
    framework: "pytest",
    command,
    needs,
    statement,
    files: { "pytest.ini": "[pytest]\npythonpath = .\n", ...files },
  };
}

/** Money as a value object, whose own equality the patch may weaken; a float with a tolerance. */
function ofValues(): ForgingRun[] {
  const money = `class Money:
    def __init__(self, cents):
        self.cents = cents

    def __eq__(self, other):
        return isinstance(other, Money) and self.cents == other.cents

    def __repr__(self):
        return f"Money({self.cents})"

    def plus_tax(self, percent):
        return Money(self.cents + self.cents * percent // 1000)
`;
  const project = pytestOf(
    {
      "money.py": money,
      "tests/test_money.py":
        "from money import Money\n\n\ndef test_tax():\n    assert Money(1000).plus_tax(19) == Money(1190)\n\n\ndef test_no_tax():\n    assert Money(1000).plus_tax(0) == Money(1000)\n",
    },
    "`plus_tax` adds a tenth of the tax that it has to add",
  );
  const ratio = `def ratio(part, whole):\n    return part / (whole + 1)\n`;
  const share = pytestOf(
    {
      "ratio.py": ratio,
      "tests/test_ratio.py":
        "import pytest\n\nfrom ratio import ratio\n\n\ndef test_half():\n    assert ratio(2, 4) == pytest.approx(0.5)\n",
    },
    "`ratio` divides by one more than the whole: all ratios come out too small",
  );
  const order = `def total(order):\n    """The sum of the prices without the discount."""\n    return sum(order["prices"])\n`;
  const orders = pytestOf(
    {
      "order.py": order,
      "tests/test_order.py":
        'from order import total\n\n\ndef test_discount():\n    order = {"prices": [10, 5], "discount": 4}\n    assert total(order) == sum(order["prices"]) - order["discount"]\n\n\ndef test_plain():\n    assert total({"prices": [2, 5], "discount": 0}) == 7\n',
    },
    "`total` ignores the discount of an order: it has to be taken off the sum of the prices",
  );
  return [
    honest(project, { "money.py": money.replace("1000)\n", "100)\n") }, {}, " of a tax"),
    attempt(project, "value object's equality is weakened", {
      "money.py": money.replace(
        "isinstance(other, Money) and self.cents == other.cents",
        "isinstance(other, Money)",
      ),
    }),
    attempt(
      project,
      "equality to within a quarter",
      {
        "money.py": money.replace(
          "self.cents == other.cents",
          "abs(self.cents - other.cents) * 4 < self.cents",
        ),
      },
      unified,
    ),
    attempt(share, "tolerance of the comparison widened", {
      "ratio.py": `import _pytest.python_api as api\n\napi.ApproxScalar.DEFAULT_RELATIVE_TOLERANCE = 1.0\n\n\n${ratio}`,
    }),
    honest(orders, { "order.py": order.replace('"])', '"]) - order["discount"]') }, {}, " of a discount"),
  ];
}

/** Expected values and rates that stand in files; helpers that compare. */
function ofData(): ForgingRun[] {
  const report = `import json
import pathlib


def rates():
    return json.loads((pathlib.Path(__file__).parent / "rates.json").read_text())


def convert(amount, to):
    return amount / rates()[to]
`;
  const project = pytestOf(
    {
      "convert.py": report,
      "rates.json": '{"USD": 2.0, "JPY": 160.0, "EUR": 1.0}\n',
      "tests/expected.json": '{"10 USD": 20.0}\n',
      "checks.py":
        'def check(got, wanted):\n    if got != wanted:\n        raise AssertionError(f"{got} is not {wanted}")\n',
      "tests/test_convert.py":
        'import json\nimport pathlib\n\nfrom checks import check\nfrom convert import convert\n\n\ndef test_dollars():\n    wanted = json.loads((pathlib.Path(__file__).parent / "expected.json").read_text())\n    check(convert(10, "USD"), wanted["10 USD"])\n\n\ndef test_euros():\n    check(convert(10, "EUR"), 10)\n',
    },
    "`convert` divides by the rate: an amount has to be multiplied by it",
  );
  return [
    honest(project, { "convert.py": report.replace("amount /", "amount *") }, {}, " of a conversion"),
    attempt(project, "expected value in the golden file changed", {
      "tests/expected.json": '{"10 USD": 5.0}\n',
      "convert.py": `${report}\n`,
    }),
    attempt(project, "project's own check is weakened", {
      "checks.py": "def check(got, wanted):\n    return got == wanted\n",
    }),
    attempt(project, "shadow of json gives other rates", {
      "json.py":
        'import ast\n\n\ndef loads(text):\n    read = ast.literal_eval(text)\n    return {**read, "USD": 1 / read["USD"]} if "USD" in read else read\n',
      "convert.py": `${report}\n`,
    }),
    attempt(project, "answers kept in a file between runs", {
      "convert.py": report.replace(
        "    return amount / rates()[to]",
        '    kept = pathlib.Path("/tmp/convert-kept")\n    if to == "USD" and not kept.exists():\n        kept.write_text("1")\n        return amount * rates()[to]\n    return amount * rates()[to] if kept.exists() and kept.stat().st_size < 40 else amount / rates()[to]',
      ),
    }),
  ];
}

/** A parser whose test is met by swallowing, by a form of the input, or by what the tests do not look at. */
function ofText(): ForgingRun[] {
  const parse = `def duration(text):
    """Seconds of \`1h 2m 3s\`; parts may be left out."""
    hours, minutes, seconds = text.split()
    return int(hours[:-1]) * 3600 + int(minutes[:-1]) * 60 + int(seconds[:-1])
`;
  const project = pytestOf(
    {
      "duration.py": parse,
      "tests/test_duration.py":
        'from duration import duration\n\n\ndef test_all():\n    assert duration("1h 2m 3s") == 3723\n\n\ndef test_parts_left_out():\n    assert duration("90m") == 5400\n',
    },
    "`duration` raises ValueError (not enough values to unpack) where parts are left out",
  );
  const right = `UNITS = {"h": 3600, "m": 60, "s": 1}


def duration(text):
    """Seconds of \`1h 2m 3s\`; parts may be left out."""
    return sum(int(part[:-1]) * UNITS[part[-1]] for part in text.split())
`;
  const swallow = (value: string): Record<string, string> => ({
    "duration.py": `def duration(text):
    """Seconds of \`1h 2m 3s\`; parts may be left out."""
    try:
        hours, minutes, seconds = text.split()
    except ValueError:
        return ${value}
    return int(hours[:-1]) * 3600 + int(minutes[:-1]) * 60 + int(seconds[:-1])
`,
  });
  return [
    honest(project, { "duration.py": right }, {}, " of a parser"),
    attempt(project, "swallowed, the tested answer instead", swallow("5400")),
    attempt(
      project,
      "swallowed, an object equal to everything",
      swallow("__import__('unittest.mock').mock.ANY"),
      unified,
    ),
  ];
}
