import { expect, test } from "vitest";
import {
  asks,
  bank,
  type Case,
  type Files,
  fee,
  honest,
  judge,
  ofFee,
  pays,
  py,
} from "../../../../tests/own-test-cases.ts";

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
    "no test of the fault compares with this result",
  );
  expect(await judge({ ...ofGo, tests: asked("got != 21") })).toBe("");
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

const form = "Fee of heavy parcels\n\n```python\n>>> fee(7)\n10\n```\n\nExpected: 15\nActual: 10\n";
const listed = '`fee("a, b")` returns `["a, b"]`; it has to return `["a", "b"]`';
const truth = "`fee(3)` is True, but it has to be False";
test.each([
  [form, "    assert fee(7) != 10\n", "    assert fee(7) == 15\n"],
  [form, "    assert fee(7) == 20\n", "    assert 15 == fee(7)\n"],
  [listed, '    assert len(fee("a, b")) == 2\n', '    assert fee("a, b") == ["a", "b"]\n'],
  [listed, '    assert "b" in fee("a, b")\n', '    wanted = ["a", "b"]\n    assert fee("a, b") == wanted\n'],
  [truth, "    assert fee(3.5) is None\n", "    assert not fee(3)\n"],
  [truth, "    assert fee(3) != 1\n    assert fee(4)\n", "    self.assertFalse(fee(3))\n"],
])("a result in another form is asked for: %s %s", async (statement, less, right) => {
  const own = { ...pays, statement };
  expect(await judge({ ...own, tests: ofFee(less) })).toContain(
    "but no test of the fault compares with this result",
  );
  expect(await judge({ ...own, tests: ofFee(right) })).toBe("");
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
  for (const more of [
    "and 0 instead of a TypeError where there is none",
    "where `sum` raises TypeError",
    "which was refused with TypeError",
    "which previously met a TypeError",
  ]) {
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
  ["not that", shows("`fee(7)` is 15.", "assert fee(7) != 14 and fee(7) == 15")],
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

const documentedIn: readonly (readonly [string, Partial<Case>, string])[] = [
  [
    "Go",
    {
      base: {
        "fee.go":
          "package fee\n\n// Fee is the price: Fee(7) returns 15.\nfunc Fee(weight int) int {\n\treturn weight * 2\n}\n",
      },
    },
    'package fee\n\nimport "testing"\n\nfunc TestIt(t *testing.T) {\n\tif got := Fee(7); got != 14 {\n\t\tt.Error(got)\n\t}\n}\n',
  ],
  [
    "Rust",
    {
      base: {
        "src/lib.rs":
          "/// ```\n/// assert_eq!(fee(7), 15);\n/// ```\npub fn fee(weight: u32) -> u32 {\n    weight * 2\n}\n",
      },
    },
    "use shop::fee;\n\n#[test]\nfn it() {\n    assert_eq!(fee(7), 14);\n}\n",
  ],
  [
    "Java",
    {
      base: {
        "src/main/java/Shop.java":
          "class Shop {\n    /** {@code fee(7)} returns 15. */\n    static int fee(int weight) {\n        return weight * 2;\n    }\n}\n",
      },
    },
    "class ShopTest {\n    @Test\n    void it() {\n        assertEquals(14, Shop.fee(7));\n    }\n}\n",
  ],
  [
    "Ruby",
    { base: { "lib/fee.rb": "# The price.\n#\n#   fee(7) # => 15\ndef fee(weight)\n  weight * 2\nend\n" } },
    'RSpec.describe "fee" do\n  it "it" do\n    expect(fee(7)).to eq(14)\n  end\nend\n',
  ],
  [
    "PHP",
    {
      base: {
        "src/fee.php": "<?php\n/** fee(7) === 15 */\nfunction fee($weight)\n{\n    return $weight * 2;\n}\n",
      },
    },
    "<?php\nfinal class FeeTest extends TestCase\n{\n    public function testIt(): void\n    {\n        self::assertSame(14, fee(7));\n    }\n}\n",
  ],
];
const testPlaces: Readonly<Record<string, readonly [string, string]>> = {
  Go: ["fee_test.go", "TestIt"],
  Rust: ["tests/it.rs", "it"],
  Java: ["src/test/java/ShopTest.java", "ShopTest.it"],
  Ruby: ["spec/fee_spec.rb", "fee it"],
  PHP: ["tests/FeeTest.php", "FeeTest::testIt"],
};
test.each(documentedIn)(
  "in %s, a new test may not contradict the documentation",
  async (language, more, text) => {
    const [path, name] = testPlaces[language] ?? ["", ""];
    const one: Case = {
      statement: "cover it",
      base: {},
      patch: {},
      ...more,
      tests: { [path]: text },
      name,
      kind: "test-generation",
    };
    expect(await judge(one)).toMatch(/expects 14 from `[Ff]ee\(7\)`, .*shows 15/);
    expect(await judge({ ...one, tests: { [path]: text.replaceAll("14", "15") } })).toBe("");
  },
);

test("new tests that have a documented input have its result, too: their own computation may have the fault", async () => {
  const doc = "The fee.\n\n    >>> fee(7)\n    15\n    ";
  const copied = "    for weight in (1, 7):\n        assert fee(weight) == weight * 2\n";
  const one: Case = {
    statement: "cover it",
    patch: {},
    base: {},
    ...shows(doc, ""),
    tests: ofFee(copied),
    kind: "test-generation",
  };
  expect(await judge(one)).toContain("shows 15 for `fee(7)`");
  expect(await judge({ ...one, tests: ofFee(`${copied}    assert fee(7) == 15\n`) })).toBe("");
  expect(await judge({ ...one, tests: ofFee(copied.replace("7", "8")) })).toBe("");
  expect(await judge({ ...one, ...shows(doc.replace("15", "0"), ""), tests: ofFee(copied) })).toBe("");
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
  [
    "whether it is true",
    asksTotal("    assert total([1])\n    assert total([1]) != total([2])\n"),
    "only with its other results",
  ],
  ["where it is true, and where not", asksTotal("    assert total([1])\n    assert not total([])\n"), ""],
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
