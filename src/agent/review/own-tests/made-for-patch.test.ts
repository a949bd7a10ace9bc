import { expect, test } from "vitest";
import { asks, bank, empties, type Files, honest, judge, py } from "../../../../tests/own-test-cases.ts";
import { leaveOutKnown } from "./made-for-patch.ts";

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
    /^objection: tests\/test_it\.py::test_it names `\w+`, which only the patch defines/,
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
    "replaces `fee`, the function that it must test",
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

test("a name of the base is known, however many files the repository has", async () => {
  const many = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`a${at}.py`, "pass\n"]));
  const files: Files = { ...many, "z.py": "frozen_pay = 1\n" };
  const base = { list: async () => Object.keys(files), read: async (path: string) => files[path] };
  expect([...(await leaveOutKnown(["frozen_pay", "new_pay"], base))]).toEqual(["new_pay"]);
});
