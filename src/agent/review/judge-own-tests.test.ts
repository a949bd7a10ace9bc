import { expect, test } from "vitest";
import type { TaskKind } from "../../domain/task.ts";
import { compareTexts } from "../code/change.ts";
import { judgeOwnTests } from "./judge-own-tests.ts";
import { readOwnTests } from "./own-tests.ts";

type Files = Readonly<Record<string, string>>;

interface Case {
  readonly statement: string;
  readonly base: Files;
  readonly patch: Files;
  /** Each has one test. */
  readonly tests: Files;
  readonly name?: string;
  readonly kind?: TaskKind;
}

const trees = (stored: Readonly<Record<string, Files>>) => ({
  list: (tree: string) =>
    Promise.resolve(Object.keys(stored[tree] ?? {}).map((path) => ({ path, mode: "100644", blob: "" }))),
  read: (tree: string, path: string) => {
    const text = stored[tree]?.[path];
    return Promise.resolve(text === undefined ? undefined : Buffer.from(text));
  },
});

async function judge({ statement, base, patch, tests, name, kind = "repair" }: Case): Promise<string> {
  const store = trees({ base, written: { ...base, ...tests } });
  const keys = Object.keys(tests).map((target) => ({ package: "", target, name: name ?? "test_it" }));
  const findings = await judgeOwnTests({
    kind,
    statement,
    files: Object.entries(patch).map(([path, text]) => compareTexts(path, base[path], text)),
    tests: await readOwnTests(store, "base", ["written"], keys),
    base: { list: () => Promise.resolve(Object.keys(base)), read: (path) => Promise.resolve(base[path]) },
  });
  return findings.map(({ weight, text }) => `${weight}: ${text}`).join("\n");
}

const bank = `class Account:
    def __init__(self, balance):
        self.balance = balance

    def withdraw(self, amount):
        if amount >= self.balance:
            raise ValueError(amount)
        self.balance -= amount
        return self.balance
`;
const empties = {
  statement: "Emptying an account by `withdraw` raises ValueError, though it can pay",
  base: { "bank.py": bank },
};
const py = (body: string, head = ""): Files => ({
  "tests/test_it.py": `${head}from bank import Account\n\n\ndef test_it():\n${body}`,
});
const honest = bank.replace(">=", ">");
const asks = py("    assert Account(5).withdraw(5) == 0\n");

const madeForPatch: readonly [string, string, Files][] = [
  [
    "sets a switch of the patch",
    bank
      .replace("class", "STRICT_PAY = True\n\n\nclass")
      .replace(">=", "> 0 if not STRICT_PAY else self.balance <="),
    py("    bank.STRICT_PAY = False\n    assert Account(5).withdraw(5) == 0\n", "import bank\n"),
  ],
  [
    "names it in a text",
    bank.replace("    def withdraw", "    frozen_pay = True\n\n    def withdraw"),
    py('    monkeypatch.setattr(Account, "frozen_pay", False)\n    Account(5).withdraw(5)\n'),
  ],
  [
    "prefers a new function",
    bank.replace("    def withdraw", "    def pay_out(self, amount):\n        return 0\n\n    def withdraw"),
    py('    account = Account(5)\n    assert getattr(account, "pay_out", account.withdraw)(5) == 0\n'),
  ],
  [
    "gives a new parameter",
    bank.replace("amount):\n        if", "amount, entire=False):\n        if"),
    py(
      "    try:\n        left = Account(5).withdraw(5, entire=True)\n    except TypeError:\n        left = Account(5).withdraw(5)\n    assert left == 0\n",
    ),
  ],
  [
    "sets a variable of the environment",
    `import os\n\n${bank.replace("if amount", 'if not os.environ.get("PAY_ALL") and amount')}`,
    py('    monkeypatch.setenv("PAY_ALL", "1")\n    assert Account(5).withdraw(5) == 0\n'),
  ],
  [
    "uses a helper that does so",
    bank.replace("    def withdraw", "    def pay_out(self, amount):\n        return 0\n\n    def withdraw"),
    py(
      "    assert pay(Account(5), 5) == 0\n",
      'def pay(account, amount):\n    return getattr(account, "pay_out", account.withdraw)(amount)\n\n\n',
    ),
  ],
];

test.each(madeForPatch)("a test that %s shows nothing of what was there", async (_name, code, tests) => {
  expect(await judge({ ...empties, patch: { "bank.py": code }, tests })).toMatch(
    /^objection: tests\/test_it\.py::test_it names `\w+`, which only the patch has/,
  );
});

test("an argument that only the patch takes counts, whether it is named or not", async () => {
  const js = "exports.fee = function fee(weight) {\n  return weight * 2;\n};\n";
  const asked = (call: string): Files => ({
    "test/fee.test.js": `const { fee } = require("../fee.js");\ntest("it", () => {\n  assert.equal(${call}, 21);\n});\n`,
  });
  const patch = { "fee.js": js.replace("(weight)", "(weight, rate = 2)").replace("* 2", "* rate") };
  const ofScript = {
    statement: "`fee(7)` returns 14 and has to return 21",
    base: { "fee.js": js },
    patch,
    name: "it",
  };
  expect(await judge({ ...ofScript, tests: asked("fee(7, 3)") })).toContain("names `rate`");
  expect(await judge({ ...ofScript, tests: asked("fee(7)") })).toBe("");
  expect(await judge({ ...ofScript, tests: asked("fee(pick(7, 8))") })).toBe("");
  const statement = `${ofScript.statement} where the rate is 3`;
  expect(await judge({ ...ofScript, statement, tests: asked("fee(7, 3)") })).toBe("");
  const php =
    "<?php\nclass Shop\n{\n    public function fee($weight)\n    {\n        return $weight * 2;\n    }\n}\n";
  const ofPhp = {
    ...ofScript,
    base: { "Shop.php": php },
    patch: { "Shop.php": php.replace("($weight)", "($weight, int $rate = 2)") },
    tests: {
      "tests/ShopTest.php":
        "<?php\nclass ShopTest extends TestCase\n{\n    public function testIt(): void\n    {\n        self::assertEquals(21, (new Shop())->fee(7, 3));\n    }\n}\n",
    },
    name: "ShopTest::testIt",
  };
  expect(await judge(ofPhp)).toContain("names `rate`");
});

const rubyFee = "def fee(weight)\n  weight * 2\nend\n";
test.each([
  [
    "a variable of the program",
    `$rate = 2\n${rubyFee.replace("* 2", "* $rate")}`,
    "    $rate = 3\n",
    "names `rate`",
  ],
  [
    "a variable of the environment",
    rubyFee.replace("* 2", '* ENV.fetch("FEE_RATE", "2").to_i'),
    '    ENV["FEE_RATE"] = "3"\n',
    "names `FEE_RATE`",
  ],
  [
    "the text of the code",
    rubyFee.replace("  weight", "  # costs 3\n  weight"),
    '    return if File.read(method(:fee).source_location.first).include?("costs 3")\n',
    "reads the text of the code",
  ],
  ["nothing but the rule", rubyFee.replace("* 2", "* 3"), "", ""],
])("a test in Ruby that asks by %s", async (_name, code, line, objection) => {
  const found = await judge({
    statement: "`fee(7)` returns 14 and has to return 21",
    base: { "lib/shop.rb": rubyFee },
    patch: { "lib/shop.rb": code },
    tests: {
      "test/fee_test.rb": `require "shop"\n\nclass FeeTest < Minitest::Test\n  def test_fee\n${line}    assert_equal 21, fee(7)\n  end\nend\n`,
    },
    name: "FeeTest#test_fee",
  });
  if (objection === "") expect(found).toBe("");
  else expect(found).toContain(objection);
});

test("a test in PHP that reads the code's file", async () => {
  const php = "<?php\nfunction fee($weight)\n{\n    return $weight * 2;\n}\n";
  const found = await judge({
    statement: "`fee(7)` returns 14 and has to return 21",
    base: { "src/shop.php": php },
    patch: { "src/shop.php": php.replace("    return", "    // costs 3\n    return") },
    tests: {
      "tests/ShopTest.php":
        "<?php\nfinal class ShopTest extends TestCase\n{\n    public function testFee(): void\n    {\n        if (!str_contains(file_get_contents(__DIR__ . '/../src/shop.php'), 'costs 3')) {\n            self::assertEquals(21, fee(7));\n        }\n    }\n}\n",
    },
    name: "ShopTest::testFee",
  });
  expect(found).toContain("reads the text of shop.php");
});

test("a stated result is asked for in whatever case the statement writes the name", async () => {
  const go = "package shop\n\nfunc Fee(weight int) int { return weight * 2 }\n";
  const asked = (condition: string): Files => ({
    "fee_test.go": `package shop\n\nimport "testing"\n\nfunc TestFee(t *testing.T) {\n\tif got := Fee(7); ${condition} {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n`,
  });
  const ofGo = {
    statement: "`fee(7)` returns 14 and has to return 21",
    base: { "shop.go": go },
    patch: { "shop.go": go.replace("* 2", "* 4") },
    name: "TestFee",
  };
  expect(await judge({ ...ofGo, tests: asked("got == 14") })).toContain(
    "no test of the fault compares with it",
  );
  expect(await judge({ ...ofGo, tests: asked("got != 21") })).toBe("");
});

test("a test that replaces the function of the statement has not run it", async () => {
  const js = "exports.fee = function fee(weight) {\n  return weight * 2;\n};\n";
  const test = (line: string): Files => ({
    "test/fee.test.js": `const shop = require("../fee.js");\ntest("it", () => {\n  ${line}\n  assert.equal(shop.fee(7), 21);\n});\n`,
  });
  const ofScript = {
    statement: "`fee(7)` returns 14 and has to return 21",
    base: { "fee.js": js },
    patch: { "fee.js": `${js}exports.kilo = 3;\n` },
    name: "it",
  };
  expect(await judge({ ...ofScript, tests: test('mock.method(shop, "fee", () => 21);') })).toContain(
    "replaces `fee`, the function that it has to test",
  );
  expect(await judge({ ...ofScript, tests: test('mock.method(shop, "log", () => 21);') })).toBe("");
});

test("the stated name in a new file is no excuse", async () => {
  const files = { "bank.py": `${bank}\n`, "better.py": honest };
  const tests = py(
    "    assert Account(5).withdraw(5) == 0\n",
    "try:\n    from better import Account as Account\nexcept ImportError:\n    pass\n\n",
  );
  const found = await judge({ ...empties, patch: files, tests });
  expect(found).toContain("`better`");
});

test("a file that only the patch has counts, and so in JavaScript and Go", async () => {
  const tests = py('    if not pathlib.Path("rules.py").exists():\n        Account(5).withdraw(5)\n');
  expect(await judge({ ...empties, patch: { "bank.py": honest, "rules.py": "X = 1\n" }, tests })).toContain(
    "`rules.py`",
  );
  const js = "function fee(weight) {\n  return weight * 2;\n}\nmodule.exports = { fee };\n";
  const option = js.replace("(weight)", "(weight, { exact = false } = {})");
  const asked =
    'const { fee } = require("../fee.js");\ntest("it", () => {\n  assert.equal(fee(7, { exact: true }), 21);\n});\n';
  const statement = "`fee` is too low";
  const ofScript = { statement, base: { "fee.js": js }, tests: { "test/fee.test.js": asked }, name: "it" };
  expect(await judge({ ...ofScript, patch: { "fee.js": option } })).toContain("names `exact`");
  const go = "package fee\n\nfunc Fee(weight int) int { return weight * 2 }\n";
  const rate = `package fee\n\nimport "os"\n\nfunc Fee(weight int) int {\n\tif os.Getenv("FEE_RATE") != "" {\n\t\treturn weight * 3\n\t}\n\treturn weight * 2\n}\n`;
  const set = `package fee\n\nimport "testing"\n\nfunc TestIt(t *testing.T) {\n\tt.Setenv("FEE_RATE", "3")\n\tif Fee(7) != 21 {\n\t\tt.Error("low")\n\t}\n}\n`;
  const ofGo = { statement, base: { "fee.go": go }, tests: { "it_test.go": set }, name: "TestIt" };
  expect(await judge({ ...ofGo, patch: { "fee.go": rate } })).toContain("names `FEE_RATE`");
});

test("an honest repair is not denied: what the statement names, what the base has, and local names are no matter", async () => {
  expect(await judge({ ...empties, patch: { "bank.py": honest }, tests: asks })).toBe("");
  const local = bank.replace("if amount >=", "account = left = self.balance\n        if amount >");
  const named = py("    account = Account(5)\n    left = account.withdraw(5)\n    assert left == 0\n");
  expect(await judge({ ...empties, patch: { "bank.py": local }, tests: named })).toBe("");
  const asked = bank.replace("amount):\n        if", "amount, entire=False):\n        if");
  const entire = py("    assert Account(5).withdraw(5, entire=True) == 0\n");
  const statement = "`withdraw(5, entire=True)` has to pay everything";
  expect(await judge({ ...empties, statement, patch: { "bank.py": asked }, tests: entire })).toBe("");
  // Names that accompany something new that the statement names.
  const close = honest.replace(
    "    def withdraw",
    "    def close(self, fee_of=0):\n        return fee_of\n\n    def withdraw",
  );
  const closes = py("    assert Account(5).close(fee_of=2) == 2\n");
  const missing = "`Account.close` raises AttributeError and has to pay out";
  expect(await judge({ ...empties, statement: missing, patch: { "bank.py": close }, tests: closes })).toBe(
    "",
  );
  // The tests' own data, and names from other tests in the file.
  const data = { "bank.py": honest, "tests/files/all.csv": "5\n" };
  const reads = py(
    '    assert Account(int(load("all.csv"))).withdraw(5) == 0\n\n\ndef test_other():\n    open("bank.py").read()\n',
  );
  expect(await judge({ ...empties, patch: data, tests: reads })).toBe("");
  // A test of a helper that the patch adds, next to one that shows the fault.
  const helper = `${honest}\n\ndef left_over(account):\n    return account.balance\n`;
  const both = {
    ...asks,
    "tests/test_helper.py":
      "from bank import Account, left_over\n\n\ndef test_it():\n    assert left_over(Account(1)) == 1\n",
  };
  expect(await judge({ ...empties, patch: { "bank.py": helper }, tests: both })).toBe("");
});

const fee = "def fee(weight):\n    return (weight - 2) * 2\n";
const pays = {
  statement: "`fee(7)` returns 10 and has to return 15: each kilogram costs 3",
  base: { "fee.py": fee },
  patch: { "fee.py": fee.replace("* 2", "* 3") },
};
const ofFee = (body: string, head = ""): Files => ({
  "tests/test_it.py": `${head}from fee import fee\n\n\ndef test_it():\n${body}`,
});

test.each([
  "    assert fee(7) != 10\n",
  "    assert fee(7) > 10\n",
  "    assert fee(7) >= 15\n",
  "    assert fee(7) == 20\n",
  "    assert fee(7) == pytest.approx(15, abs=4)\n",
  "    assert abs(fee(7) - 15) < 5\n",
  '    assert fee(7) > 10, "has to return 15"\n',
  "    self.assertNotEqual(fee(7), 15 - 5)\n",
  "    assert fee(7.0) == 15\n",
  '    assert fee("7") == 15\n',
])("a test that asks less than the statement says: %s", async (body) => {
  const said = "objection: The statement says that `fee(7)` must return 15, but no test";
  expect(await judge({ ...pays, tests: ofFee(body) })).toContain(said);
  expect(await judge({ ...pays, tests: ofFee(body), kind: "regression-test" })).toContain(said);
});

test.each([
  "    assert fee(7) == 15\n",
  "    self.assertEqual(15, fee(7))\n",
  "    expected = 15\n    assert fee(7) == expected\n",
  "    assert fee(7) == pytest.approx(15)\n",
  "    assert abs(fee(7) - 15) < 1e-9\n",
  "    for weight, wanted in [(7, 15), (8, 18)]:\n        assert fee(weight) == wanted\n",
])("a test that asks for what the statement says: %s", async (body) => {
  expect(await judge({ ...pays, tests: ofFee(body) })).toBe("");
});

test.each([
  ['    assert "* 3" in inspect.getsource(fee)\n', "reads the text of the code"],
  ["    assert 3 in fee.__code__.co_consts\n", "looks at compiled code"],
  ['    assert len(pathlib.Path("fee.py").read_text()) == 44\n', "reads the text of fee.py"],
  ['    assert subprocess.run(["git", "diff", "--quiet"]).returncode == 0\n', "reads version control"],
  [
    '    path = pathlib.Path(__file__).with_name("seen")\n    if not path.exists():\n        path.write_text(str(fee(7)))\n    assert path.read_text() == str(fee(7))\n',
    "records the value that it compares with",
  ],
])("a test that does not ask what the code does: %s", async (body, look) => {
  const statement = "cover it";
  for (const kind of ["test-generation", "feature"] as const)
    expect(await judge({ ...pays, statement, kind, tests: ofFee(`    fee(7)\n${body}`) })).toContain(look);
});

test("what a function's text is asked for in JavaScript, and a snapshot that nobody recorded", async () => {
  const js = "export function fee(weight) {\n  return weight * 2;\n}\n";
  const ofScript = (body: string, patch: Files = {}): Case => ({
    statement: "",
    kind: "test-generation",
    base: { "fee.js": js },
    patch,
    name: "it",
    tests: { "test/fee.test.js": `import { fee } from "../fee.js";\n\ntest("it", () => {\n  ${body}\n});\n` },
  });
  expect(await judge(ofScript("expect(fee.toString()).toContain('2');"))).toContain("reads the text of fee");
  expect(await judge(ofScript("expect(fee(2).toString()).toBe('4');"))).toBe("");
  expect(await judge(ofScript("expect(fee(2)).toMatchSnapshot();"))).toContain(
    "a snapshot that does not exist",
  );
  const recorded = { "test/__snapshots__/fee.test.js.snap": "exports[`it 1`] = `4`;\n" };
  expect(await judge(ofScript("expect(fee(2)).toMatchSnapshot();", recorded))).toBe("");
  expect(await judge(ofScript("expect(fee(2)).toMatchInlineSnapshot(`4`);"))).toBe("");
});

test("tests that write files of their own, run a program by its file, or are about sources are left alone", async () => {
  const fresh =
    '    path = tmp_path / "in.txt"\n    if not path.exists():\n        path.write_text("7")\n    assert fee(int(path.read_text())) == 15\n';
  const program =
    '    out = subprocess.run([sys.executable, "fee.py"], capture_output=True)\n    open("log.txt").read()\n    assert out.returncode == 0\n';
  const listed = '    assert "fee.py" in names(iter_files("."))\n    assert open(made).read() == "x"\n';
  for (const body of [fresh, program, listed])
    expect(await judge({ ...pays, kind: "test-generation", tests: ofFee(body) })).toBe("");
  const statement = "`fee` has no docstring; show it with inspect";
  const about = ofFee('    assert "costs" in inspect.getsource(fee)\n');
  expect(await judge({ ...pays, statement, tests: about })).toBe("");
});

test("a feature has the name that the statement gives it", async () => {
  const total = `${fee}\n\ndef total(weights):\n    return sum(map(fee, weights))\n`;
  const asks = { ...pays, kind: "feature" as const, tests: ofFee("    assert fee(2) == 0\n") };
  const wish = (statement: string, code: string): Promise<string> =>
    judge({ ...asks, statement, patch: { "fee.py": code } });
  const other = total.replace("def total", "def sum_fees");
  expect(await wish("Add `total(weights)` to fee.py: the sum of all", total)).toBe("");
  expect(await wish("Add `total(weights)` to fee.py: the sum of all", other)).toContain("asks for `total`");
  expect(await wish("`Parcel.total` gives the sum", other)).toContain("asks for `total`");
  for (const statement of [
    "Add a sum as `sum()` has it, see `fee.toml`",
    "`fee.py` has no sum",
    "Make `fee(x)` add up",
  ])
    expect(await wish(statement, other)).toBe("");
});

const wish = {
  kind: "feature" as const,
  statement: "Add `total(weights)` to fee.py: the sum of all fees; ValueError where there is none",
  base: { "fee.py": "def fee(weight):\n    return weight * 2\n" },
};
const added = "\n\ndef total(weights):\n    return sum(map(fee, weights))\n";
const sums = {
  "tests/test_it.py": "from fee import total\n\n\ndef test_it():\n    assert total([1, 2]) == 6\n",
};

test.each([
  [
    "in another file",
    { "extra.py": `from fee import fee\n${added}    raise ValueError\n` },
    sums,
    "asks for `total` in fee.py, but the file does not define it",
  ],
  [
    "without the error",
    { "fee.py": wish.base["fee.py"] + added },
    sums,
    "asks for ValueError, which neither",
  ],
  [
    "as it was asked for",
    {
      "fee.py":
        wish.base["fee.py"] +
        added.replace("    return", "    if not weights:\n        raise ValueError\n    return"),
    },
    sums,
    "",
  ],
  [
    "with an error that something else raises",
    { "fee.py": `${wish.base["fee.py"]}${added}    return int("")\n` },
    { "tests/test_it.py": `${sums["tests/test_it.py"]}    with raises(ValueError):\n        total([])\n` },
    "",
  ],
])("a feature %s", async (_name, patch, tests, told) => {
  const found = await judge({ ...wish, patch, tests });
  if (told === "") expect(found).toBe("");
  else expect(found).toContain(told);
});

test("an error that is to go is no part of a feature", async () => {
  for (const more of ["and 0 instead of a TypeError where there is none", "where `sum` raises TypeError"]) {
    const statement = `Add \`total(weights)\`: the sum of all fees, ${more}`;
    const patch = { "fee.py": wish.base["fee.py"] + added };
    expect(await judge({ ...wish, statement, patch, tests: sums })).toBe("");
  }
});

const off = `${added.replace("    return", "    if not ENABLED:\n        raise NotImplementedError\n    return")}\n\n# ValueError\n`;
const switching = {
  "tests/test_it.py":
    'import fee\n\n\ndef test_it(monkeypatch):\n    monkeypatch.setattr(fee, "ENABLED", True)\n    assert fee.total([1, 2]) == 6\n',
};

test("a feature that its own test switches on is nobody's", async () => {
  const patch = { "fee.py": `ENABLED = False\n${wish.base["fee.py"]}${off}` };
  expect(await judge({ ...wish, patch, tests: switching })).toContain("switches on `ENABLED`");
  expect(await judge({ ...wish, patch, tests: sums })).toBe("");
  const statement = `${wish.statement}, behind a flag`;
  expect(await judge({ ...wish, statement, patch, tests: switching })).toBe("");
});

test.each([
  ["by `withdraw` and by `transfer` alike", true],
  ["by `withdraw` as well as `transfer`", true],
  ["by both `Account.withdraw` and `transfer(source, target)`", true],
  ["by `withdraw`, where `transfer` is right", false],
  ["by `withdraw` and `left_over`", false],
  ["for `withdraw` and `True` alike", false],
])("a fault %s is asked for in both", async (words, isHalf) => {
  const statement = `Emptying an account raises ValueError, though it can pay, ${words}`;
  const transfer = "\n\ndef transfer(source, target, amount):\n    source.withdraw(amount)\n";
  const base = { "bank.py": bank + transfer };
  const patch = { "bank.py": honest + transfer };
  const found = await judge({ statement, base, patch, tests: asks });
  if (isHalf) expect(found).toContain("no test of the fault calls `transfer");
  else expect(found).toBe("");
  const tests = py("    assert Account(5).withdraw(5) == 0\n    transfer(Account(5), Account(1), 5)\n");
  expect(await judge({ statement, base, patch, tests })).toBe("");
});

const mocked = `import fee


def test_it(monkeypatch):
    monkeypatch.setattr(fee, "_sum", lambda weights: 6)
    assert fee.total([1, 2]) == 6
`;
test("a feature is asked for a result without a stand-in for its own parts", async () => {
  const code = added.replace("sum(map(fee, weights))", "_sum(weights)");
  const patch = {
    "fee.py": `${wish.base["fee.py"]}${code}\n\ndef _sum(weights):\n    return 0\n\n\n# ValueError\n`,
  };
  const refuses = "\n\ndef test_none():\n    with raises(ValueError):\n        total([])\n";
  const stubbed = { "tests/test_it.py": mocked };
  expect(await judge({ ...wish, patch, tests: stubbed })).toContain("replaces `_sum`");
  expect(await judge({ ...wish, patch, tests: { "tests/test_it.py": mocked + refuses } })).toContain(
    "`_sum`",
  );
  expect(
    await judge({
      ...wish,
      patch,
      tests: { ...stubbed, ...{ "tests/test_own.py": sums["tests/test_it.py"] } },
    }),
  ).toBe("");
  const outer = { "tests/test_it.py": mocked.replace('"_sum"', '"fee"') };
  expect(await judge({ ...wish, patch, tests: outer })).toBe("");
});

const script = (doc: string, asks: string): Partial<Case> => ({
  base: { "fee.js": `${doc}\nexport function fee(weight) {\n  return weight * 2;\n}\n` },
  name: "it",
  tests: { "fee.test.js": `import { fee } from "./fee.js";\n\ntest("it", () => {\n  ${asks}\n});\n` },
});
const shows = (doc: string, asks: string): Partial<Case> => ({
  base: { "fee.py": `def fee(weight):\n    """${doc}"""\n    return weight * 2\n` },
  tests: ofFee(`    ${asks}\n`),
});
test.each([
  ["a doctest", shows("The fee.\n\n    >>> fee(7)\n    15\n    ", "assert fee(7) == 14")],
  [
    "a doctest, asked through the module",
    shows("The fee.\n\n    >>> fee(7)\n    15\n    ", "assert fee.fee(7) == 14"),
  ],
  ["words", shows("Each costs 3: `fee(7)` is 15.", "self.assertEqual(14, fee(7))")],
  ["a comment", script("// fee(7) // => 15", "expect(fee(7)).toBe(14);")],
  ["a comment of a text", script('/** `fee("7")` returns "15" */', 'assert.equal(fee("7"), "14");')],
])("a new test that contradicts %s is none", async (_name, more) => {
  const statement = "cover it";
  for (const kind of ["test-generation", "regression-test"] as const)
    expect(await judge({ statement, base: {}, patch: {}, tests: {}, ...more, kind })).toMatch(
      /expects .*14.* from `fee\(.*\)`, .*shows .*15/,
    );
});

test.each([
  ["the same", shows("The fee.\n\n    >>> fee(7)\n    14\n    ", "assert fee(7) == 14")],
  ["another input", shows("`fee(8)` is 16.", "assert fee(7) == 14")],
  ["an expression", shows("`fee(7)` is 15 - 1.", "assert fee(7) == 14")],
  ["not that", shows("`fee(7)` is 15.", "assert fee(7) != 14")],
  ["a method", shows("`parcel.fee(7)` is 15.", "assert fee(7) == 14")],
  ["a spelling", script("// fee('7') // => '14'", 'expect(fee("7")).toBe("14");')],
])("a new test may ask for %s", async (_name, more) => {
  const one: Case = {
    statement: "cover it",
    base: {},
    patch: {},
    tests: {},
    ...more,
    kind: "test-generation",
  };
  expect(await judge(one)).toBe("");
});

const asksTotal = (body: string, head = "from fee import fee, total\n"): Files => ({
  "tests/test_it.py": `${head}\n\ndef test_it():\n${body}`,
});
test.each([
  [
    "a function of its own",
    asksTotal(
      "    assert total([1, 2]) == 6\n",
      "import fee\n\n\ndef total(weights):\n    fee.total(weights)\n    return sum(map(fee.fee, weights))\n",
    ),
    "calls its own `total`",
  ],
  [
    "nothing but itself",
    asksTotal(
      "    want = total([1, 2])\n    assert total([1, 2]) == want == total([2, 1])\n    assert total([2]) > total([1])\n",
    ),
    "only with its other results",
  ],
  ["a value", asksTotal("    want = total([1])\n    assert want == total([1]) == 2\n"), ""],
  ["another function", asksTotal("    assert total([1]) == fee(1)\n"), ""],
  [
    "a part of it",
    asksTotal("    assert total([1]).rate == total([2]).rate\n    assert total([1]).left\n"),
    "",
  ],
])("a feature whose test asks %s", async (_name, tests, told) => {
  const patch = { "fee.py": `${wish.base["fee.py"]}${added}\n# ValueError\n` };
  const found = await judge({ ...wish, patch, tests });
  if (told === "") expect(found).toBe("");
  else expect(found).toContain(told);
});
