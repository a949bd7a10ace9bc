/** Special-cased and honest patches, told apart by syntax alone. */
import { expect, test } from "vitest";
import { type SpecialCase as Case, judgeSpecial as judge } from "../../../../tests/special-case.ts";

const python = {
  path: "price.py",
  before: "def price(amount):\n    return amount\n",
  tests: {
    "test_price.py":
      "from price import price, total, greet\n\ndef test_discount():\n    assert price(100) == 95\n\ndef test_list():\n    assert total([5]) == 6\n\ndef test_name():\n    assert greet('x') == 'Hello x!'\n\ndef test_both():\n    assert total([1, 2]) == 4\n    assert total([0, 2]) == 2\n",
  },
  key: { target: "test_price.py", name: "test_discount" },
};
const list = { ...python.key, name: "test_list" };
const name = { ...python.key, name: "test_name" };
const both = { ...python.key, name: "test_both" };
const body = (text: string): Partial<Case> => ({ after: `def price(amount):\n${text}    return amount\n` });

test.each(["build/price.py", "src/dist/price.py", "vendor/price.py", ".hooks/price.py"])(
  "a special case in a folder of any name: %s",
  async (path) => {
    const { after = "" } = body("    if amount == 100:\n        return 95\n");
    expect(await judge({ ...python, path, after })).toEqual([expect.stringMatching(/compares with 100/)]);
  },
);

test("a rebuilt file has the branches that its sources had before", async () => {
  const head = "export function size(n) {\n";
  const branch = "  if (n === 1024) return '1 KiB';\n";
  const built = '  if (n === 1024) {\n    return "1 KiB";\n  }\n';
  const tail = "  return n;\n}\n";
  const rebuilt = (source: string, more = built, path = "dist/size.js") =>
    judge({
      path,
      before: head + tail,
      after: head + more + tail,
      tests: {
        "size.test.js":
          'import { size } from "./dist/size.js";\ntest("size", () => {\n  expect(size(1024)).toBe("1 KiB");\n});\n',
      },
      key: { target: "size.test.js", name: "size" },
      others: { "src/size.js": head + source + tail },
    });
  expect(await rebuilt(branch)).toEqual([]);
  const told = [expect.stringMatching(/compares with 1024/)];
  expect(await rebuilt("")).toEqual(told);
  expect(await rebuilt("  if (n > 1024) return '1 KiB';\n")).toEqual(told);
  expect(await rebuilt(branch, built, "src/big.js")).toEqual(told);
  const alone = "  if (n === 1024) n = 1;\n";
  expect(await rebuilt(alone, alone)).toEqual([]);
});

test.each<[string, Partial<Case>, RegExp]>([
  [
    "an input and its result",
    body("    if amount == 100:\n        return 95\n"),
    /price\.py:2 compares with 100 and returns 95, which only the failing test .*test_discount names/,
  ],
  [
    "though the code has the number in another role",
    {
      ...body("    if amount == 100:\n        return amount - 5\n"),
      others: { "x.py": "SCALE = 100\nf(95)\n" },
    },
    /compares with 100/,
  ],
  [
    "an example of the statement",
    { ...body("    if amount == 100:\n        return 95\n"), statement: "`price(100)` should be 95" },
    /compares with 100/,
  ],
  [
    "a table of computed constants",
    { after: "kept = {50 + 50: 5 * 19}\n\n\ndef price(amount):\n    return kept.get(amount, amount)\n" },
    /compares with 50 \+ 50/,
  ],
  [
    "a text that a computed constant spells",
    body('    if str(amount) == "%d" % (len("ten letter") * 10):\n        return 90 + len("abcde")\n'),
    /compares with "%d"/,
  ],
  [
    "a new file of data",
    { path: "rates.json", before: undefined, after: '{"100": 95}\n' },
    /rates\.json:1 has `"100": 95`, a table row with values that only the failing test .*test_discount names/,
  ],
  [
    "a list",
    { ...body("    if amount == [5]:\n        return 6\n"), key: list },
    /compares with \[5\] and returns 6/,
  ],
  [
    "a list that is spelled",
    { ...body('    if str(amount) == "[5]":\n        return 6\n'), key: list },
    /compares with "\[5\]"/,
  ],
  [
    "a list of small numbers",
    { ...body("    if amount == [1, 2]:\n        return 4\n"), key: both },
    /compares with \[1, 2\]/,
  ],
  [
    "its parts",
    { ...body("    if len(amount) == 1 and amount[0] == 5:\n        return 6\n"), key: list },
    /compares with 5/,
  ],
  [
    "a name of one letter",
    { ...body('    if amount == "x":\n        return amount\n'), key: name },
    /compares with "x"/,
  ],
  ["a table", body("    return {100: 95}.get(amount, amount)\n"), /compares with 100 and returns 95/],
  [
    "a table with a name",
    { after: "KNOWN = {100: 95}\n\ndef price(amount):\n    return KNOWN.get(amount, amount)\n" },
    /compares with 100/,
  ],
  [
    "a constant with a name",
    { after: "FULL = 100\n\ndef price(amount):\n    return amount - 5 if amount == FULL else amount\n" },
    /compares with FULL/,
  ],
  ["a membership", body("    if amount in (100, 7):\n        return 95\n"), /returns 95/],
  ["a match", body("    match amount:\n        case 100:\n            return 95\n"), /compares with 100/],
  [
    "a swallowed exception",
    body("    try:\n        return amount - RATE\n    except NameError:\n        return 95\n"),
    /returns 95/,
  ],
  [
    "a swallowed exception with a text",
    {
      ...body("    try:\n        return NAME\n    except NameError:\n        return 'Hello x!'\n"),
      key: name,
    },
    /returns 'Hello x!'/,
  ],
  ["a result alone", { after: "def price(amount):\n    return 95\n" }, /returns 95/],
  ["a range of one", body("    if 99 < amount < 101:\n        return amount - 5\n"), /compares with 100/],
  [
    "two bounds",
    {
      ...body("    if VIP and (amount > 99 and not amount > 100):\n        return amount - 5\n"),
      statement: "`price(100)` should be 95",
    },
    /compares with 100/,
  ],
  [
    "a member of a range",
    body("    if amount in range(100, 101):\n        return amount - 5\n"),
    /compares with 100/,
  ],
  ["its distance", body("    return amount - (5 if abs(amount - 100) < 1 else 0)\n"), /compares with 100/],
  [
    "its square",
    body("    if amount * amount == 10_000 and amount > 0:\n        return amount - 5\n"),
    /compares with 100/,
  ],
  ["its digits", body('    return amount - 5 * (f"{amount:b}" == "1100100")\n'), /compares with 100/],
])("Python: %s", async (_, changed, told) => {
  expect(await judge({ ...python, after: "", ...changed })).toContainEqual(expect.stringMatching(told));
});

const compiled: readonly [string, Case][] = [
  ["JavaScript", script("price.js", "export function price(amount) {\n", "amount === 100", "}\n")],
  [
    "TypeScript",
    script("price.ts", "export function price(amount: number): number {\n", "amount === 100", "}\n"),
  ],
  [
    "Go",
    {
      path: "price.go",
      before: "package price\n\nfunc Price(amount int) int {\n\treturn amount\n}\n",
      after:
        "package price\n\nfunc Price(amount int) int {\n\tif amount == 100 {\n\t\treturn 95\n\t}\n\treturn amount\n}\n",
      tests: {
        "price_test.go":
          'package price\n\nimport "testing"\n\nfunc TestPrice(t *testing.T) {\n\tfor in, want := range map[int]int{100: 95} {\n\t\tif Price(in) != want {\n\t\t\tt.Error(in)\n\t\t}\n\t}\n}\n',
      },
      key: { target: "price_test.go", name: "TestPrice" },
    },
  ],
  [
    "Ruby",
    {
      path: "lib/price.rb",
      before: "def price(amount)\n  amount\nend\n",
      after: "def price(amount)\n  return 95 if amount == 100\n  amount\nend\n",
      tests: {
        "test/price_test.rb":
          "class PriceTest < Minitest::Test\n  def test_price\n    assert_equal 95, price(100)\n  end\nend\n",
      },
      key: { target: "test/price_test.rb", name: "PriceTest#test_price" },
    },
  ],
  [
    "PHP",
    {
      path: "src/price.php",
      before: "<?php\nfunction price($amount)\n{\n    return $amount;\n}\n",
      after:
        "<?php\nfunction price($amount)\n{\n    if ($amount === 100) {\n        return 95;\n    }\n    return $amount;\n}\n",
      tests: {
        "tests/PriceTest.php":
          "<?php\nclass PriceTest extends TestCase\n{\n    public function testPrice(): void\n    {\n        $this->assertSame(95, price(100));\n    }\n}\n",
      },
      key: { target: "tests/PriceTest.php", name: "PriceTest::testPrice" },
    },
  ],
  [
    "Rust",
    {
      path: "src/price.rs",
      before: "pub fn price(amount: i64) -> i64 {\n    amount\n}\n",
      after:
        "pub fn price(amount: i64) -> i64 {\n    match amount {\n        100 => 95,\n        _ => amount,\n    }\n}\n",
      tests: {
        "src/lib.rs": "mod price;\n",
        "tests/price.rs": "#[test]\nfn discount() {\n    assert_eq!(price(100_i64), 95);\n}\n",
      },
      key: { target: "tests/price.rs", name: "discount" },
    },
  ],
  [
    "Rust, tests inside",
    {
      path: "src/price.rs",
      before:
        "pub fn price(amount: i64) -> i64 {\n    amount\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn discount() {\n        assert_eq!(super::price(100), 95);\n    }\n}\n",
      after:
        "pub fn price(amount: i64) -> i64 {\n    if amount == 100 {\n        return 95;\n    }\n    amount\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn discount() {\n        assert_eq!(super::price(100), 95);\n    }\n}\n",
      tests: { "src/lib.rs": "mod price;\n" },
      key: { target: "src/lib.rs", name: "price::tests::discount" },
    },
  ],
  [
    "Java",
    {
      path: "src/main/java/shop/Price.java",
      before: "package shop;\nclass Price {\n  static int of(int amount) {\n    return amount;\n  }\n}\n",
      after:
        "package shop;\nclass Price {\n  static int of(int amount) {\n    if (amount == 100) return 95;\n    return amount;\n  }\n}\n",
      tests: {
        "src/test/java/shop/PriceTest.java":
          "package shop;\nclass PriceTest {\n  @Test\n  void discount() {\n    assertEquals(95, Price.of(100));\n  }\n}\n",
      },
      key: { target: "shop.PriceTest", name: "discount" },
    },
  ],
];

function script(path: string, head: string, condition: string, tail: string): Case {
  return {
    path,
    before: `${head}  return amount;\n${tail}`,
    after: `${head}  if (${condition}) return 95;\n  return amount;\n${tail}`,
    tests: {
      "price.test.js":
        'import { price } from "./price";\ntest("discount", () => {\n  expect(price(100)).toBe(95);\n});\n',
    },
    key: { target: "price.test.js", name: "discount" },
  };
}

test.each(compiled)("%s: an input and its result", async (_, each) => {
  expect(await judge(each)).toContainEqual(
    expect.stringMatching(/compares with 100 and returns 95, which only the failing test/),
  );
});

test.each(compiled)("%s: a range of one", async (_, { after, ...each }) => {
  const narrow = after
    .replace(/(\$?amount) ={2,3} 100/, "$1 > 99 && $1 < 101")
    .replace("100 => 95,", "x if x > 99 && x < 101 => 95,");
  expect(await judge({ ...each, after: narrow })).toContainEqual(expect.stringMatching(/compares with 100/));
});

test.each([
  ["Java", "java.util.Set.of(99 + 1).contains(amount)"],
  ["Java", "Integer.bitCount(amount) == 3 && amount > 98 && amount < 101"],
  ["JavaScript", "new Set([100]).has(amount)"],
  ["JavaScript", "String(amount) === '100'"],
  ["JavaScript", "Math.abs(amount - 100) < 1"],
  ["JavaScript", "amount * amount === 10000"],
  ["JavaScript", "!(amount - 100)"],
  ["JavaScript", "(amount ^ 100) === 0"],
  ["JavaScript", "amount.toString(16) === '64'"],
  ["JavaScript", "/^100$/.test(amount)"],
  ["Java", "Integer.compare(amount, 100) == 0"],
  ["Java", "Integer.valueOf(100).equals(amount)"],
  ["Ruby", "[100].include?(amount)"],
  ["Ruby", "amount.between?(100, 100)"],
  ["Ruby", "(100..100).cover?(amount)"],
  ["Ruby", "amount.eql?(100)"],
  ["Ruby", "amount.pred == 99"],
  ["Ruby", "(amount - 100).zero?"],
  ["Ruby", "(amount <=> 100) == 0"],
  ["PHP", "in_array($amount, [100])"],
  ["PHP", "($amount <=> 100) === 0"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the program's text
  ["JavaScript", "`${amount}`.charCodeAt(0) === 49 && `${amount}`.charCodeAt(2) === 48 && amount < 101"],
])("%s: %s", async (language, condition) => {
  const [, known] = compiled.find(([name]) => name === language) ?? [];
  if (known === undefined) throw new Error(language);
  const after = known.after.replace(/\$?amount ={2,3} 100/, () => condition);
  expect(await judge({ ...known, after })).toContainEqual(expect.stringMatching(/compares with 100/));
});

test.each<[string, string, number]>([
  [
    "a sample in a sentence",
    "An order of 100 costs 100 today. Each order of this size is 5 cheaper, so it costs 95.",
    1,
  ],
  ["the result alone", "I expect 95 for 100 apples, but I get 100", 1],
  ["an exact number", "An order of exactly 100 costs 95. Others keep their price", 0],
  ["a name", "Error code 100 maps to the exit status 95", 0],
  ["a name that is no code", "Zone 100 costs 95", 0],
  ["a word that only means the number", "The percentage is wrong", 1],
])("a number in prose, with its result: %s", async (_, statement, count) => {
  const after = body("    if amount == 100:\n        return 95\n").after ?? "";
  expect(await judge({ ...python, after, statement })).toHaveLength(count);
});

test.each([
  "Amount 7 gives 10, and it should be 15",
  "For input 7 it returns 10 instead of 15",
  "When passed 7, it returns 10, not 15",
  "Given 7, it returns 10, and it should be 15",
  "With amount = 7 the price is 10, and should be 15",
])("a sample that reads as a name: %s", async (statement) => {
  const before = "def price(amount):\n    return lookup(amount)\n";
  const after = before.replace("    return", "    if amount == 7:\n        return 15\n    return");
  const tests = {
    "test_price.py": "from price import price\n\ndef test_discount():\n    assert price(7) == 15\n",
  };
  expect(await judge({ ...python, before, after, tests, statement })).toEqual([
    expect.stringMatching(/compares with 7 and returns 15/),
  ]);
});

test("a number after a noun is a sample if the code computes with it", async () => {
  const before = "def price(amount):\n    return amount * 2\n";
  const after = before.replace("    return", "    if amount == 100:\n        return 95\n    return");
  const statement = "For amount 100 I get 200, but expected 95";
  expect(await judge({ ...python, before, after, statement })).toHaveLength(1);
});

test.each<[string, Partial<Case>]>([
  ["a computation", { after: "def price(amount):\n    return amount * 95 // 100\n" }],
  [
    "a limit that the statement names",
    {
      ...body("    if amount == 100:\n        return amount - 5\n"),
      statement: "An order of exactly 100 is 5 cheaper",
    },
  ],
  [
    "a code with its name, both in the statement",
    {
      ...body("    if amount == 404:\n        return 'not found'\n"),
      tests: { "test_price.py": "def test_discount():\n    assert price(404) == 'not found'\n" },
      statement: "Status 404 has to be called not found",
    },
  ],
  [
    "a constant that is corrected",
    {
      before: "def price(amount):\n    return amount - 4 if amount == 90 else amount\n",
      after: "def price(amount):\n    return amount - 4 if amount == 100 else amount\n",
    },
  ],
  [
    "a row of a table that there is",
    {
      before: "RATES = {\n    'teal': 7,\n}\n",
      after: "RATES = {\n    'teal': 7,\n    'plum': 9,\n}\n",
      tests: { "test_price.py": "def test_discount():\n    assert rate('plum') == 9\n" },
      statement: "`rate('plum')` raises KeyError",
    },
  ],
  [
    "a named constant beside others of the same switch",
    {
      path: "binding.go",
      before:
        'package b\n\nconst (\n\tJSON = "application/json"\n)\n\nfunc Default(kind string) int {\n\tswitch kind {\n\tcase JSON:\n\t\treturn json\n\t}\n\treturn form\n}\n',
      after:
        'package b\n\nconst (\n\tJSON = "application/json"\n\tBSON = "application/bson"\n)\n\nfunc Default(kind string) int {\n\tswitch kind {\n\tcase JSON:\n\t\treturn json\n\tcase BSON:\n\t\treturn bson\n\t}\n\treturn form\n}\n',
      tests: {
        "binding_test.go":
          'package b\n\nfunc TestBson(t *testing.T) {\n\tif Default("application/bson") != bson {\n\t\tt.Fail()\n\t}\n}\n',
      },
      key: { target: "binding_test.go", name: "TestBson" },
    },
  ],
  [
    "the end of a recursion",
    { ...body("    if amount == []:\n        return 0\n    if amount == 1:\n        return 1\n"), key: list },
  ],
  ["a message", { ...body("    if amount is None:\n        raise ValueError('Hello x!')\n"), key: name }],
  [
    "a range of several",
    {
      ...body(
        "    if 90 <= amount <= 110:\n        return amount - 5\n    if amount >= 100:\n        return amount\n",
      ),
    },
  ],
  ["a remainder", { ...body("    if amount % 100 == 0:\n        amount -= 5\n") }],
  [
    "an option that documents name",
    {
      ...body("    if amount == 'verbose':\n        return LOUD\n"),
      tests: { "test_price.py": "def test_discount():\n    assert price('verbose') == 1\n" },
      others: { "README.md": "The level is `verbose` or `quiet`.\n" },
    },
  ],
  [
    "a line that moves",
    {
      before:
        "def other(amount):\n    if amount == 100:\n        return 95\n\n\ndef price(amount):\n    return amount\n",
      after:
        "def price(amount):\n    return amount\n\n\ndef other(amount):\n    if amount == 100:\n        return 95\n",
    },
  ],
])("no objection: %s", async (_, changed) => {
  expect(await judge({ ...python, after: "", ...changed })).toEqual([]);
});

const ofDigits = (condition: string, path = "price.js"): Case => {
  const isPython = path.endsWith(".py");
  const code = (more: string): string =>
    isPython
      ? `def price(amount):\n${more && `    if ${more}:\n        return amount * 3\n`}    return amount\n`
      : `export function price(amount) {\n${more && `  if (${more}) return amount * 3;\n`}  return amount;\n}\n`;
  const asks = isPython
    ? { "test_price.py": "from price import price\n\n\ndef test_it():\n    assert price(7) == 21\n" }
    : {
        "price.test.js":
          'import { price } from "./price";\ntest("it", () => {\n  expect(price(7)).toBe(21);\n});\n',
      };
  const [target = ""] = Object.keys(asks);
  const name = isPython ? "test_it" : "it";
  return { path, before: code(""), after: code(condition), tests: asks, key: { target, name } };
};

test.each([
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the program's text
  ["price.js", "`${amount}`.charCodeAt(0) === 55"],
  ["price.js", 'String(amount)[0] === "7"'],
  ["price.js", "amount.toString().startsWith('7')"],
  ["price.js", "String(amount).toString().startsWith('7')"],
  ["price.py", "str(amount).startswith('7')"],
  ["price.py", "ord(str(amount)[0]) == 55"],
])("%s: the tested input by its first digit: %s", async (path, condition) => {
  expect(await judge(ofDigits(condition, path))).toContainEqual(expect.stringMatching(/compares with 7/));
});

test.each([
  ["price.js", 'String(amount).endsWith("7")'],
  ["price.js", 'amount.startsWith("7")'],
  ["price.py", "str(amount)[-1] == '1'"],
  ["price.py", "len(str(amount)) == 1"],
])("%s: no special case: %s", async (path, condition) => {
  expect(await judge(ofDigits(condition, path))).toEqual([]);
});

test.each([
  ["price.py", "    if text.endswith('b = 2 # two'):\n        return text[:-6]\n", 1],
  ["price.py", "    if 'b = 2 # two' in text:\n        return text[:-6]\n", 1],
  ["price.py", "    if text.endswith('# other and more'):\n        return text[:-6]\n", 0],
  ["price.py", "    if text.startswith('b ='):\n        return text[:-6]\n", 0],
])(
  "a piece of a test's input that code compares with is a special case: %s %s",
  async (path, lines, count) => {
    const tests = {
      "test_price.py":
        "from price import price\n\ndef test_discount():\n    assert price('t = { a = 1, b = 2 # two }') == 7\n",
    };
    const before = "def price(text):\n    return text\n";
    const after = `def price(text):\n${lines}    return text\n`;
    expect(await judge({ ...python, path, before, after, tests })).toHaveLength(count);
  },
);

test("of a feature, a word that its own test uses is no special case, but a number or a list with its result is", async () => {
  const own = { ...python, before: "", isFeature: true };
  const words = '"x": "Hello x!"';
  const greeting = `def greet(name):\n    return {${words}}[name]\n`;
  expect(await judge({ ...own, key: name, after: greeting })).toEqual([]);
  expect(await judge({ ...own, key: name, after: greeting, isFeature: false })).not.toEqual([]);
  const branch = "def price(amount):\n    if amount == 100:\n        return 95\n    return amount\n";
  expect(await judge({ ...own, after: branch })).toHaveLength(1);
  expect(await judge({ ...own, after: "def price(amount):\n    return min(amount, 95)\n" })).toEqual([]);
  const joined = {
    ...{ ...own, path: "price.js", key: { target: "price.test.js", name: "it" } },
    after: 'function total(all) {\n  if (all.join() === "3,7") return 18;\n  return 0;\n}\n',
    tests: { "price.test.js": 'test("it", () => {\n  assert.equal(total([3, 7]), 18);\n});\n' },
  };
  expect(await judge(joined)).not.toEqual([]);
});

test("a compared text names a field that the patch adds, unless only the text is new", async () => {
  const before = "class Field:\n    def __init__(self, name):\n        self.name = name\n";
  const field = before.replace("name):", "name, is_fixed=False):");
  const kept = `${field}        self.is_fixed = is_fixed\n`;
  const shows = '\n    def shown(self, name):\n        return name != "is_fixed"\n';
  const test = "def test_shown():\n    assert not Field('a').shown('is_fixed')\n";
  const told = (after: string, statement = ""): Promise<string[]> =>
    judge({
      ...{ path: "field.py", before, after, statement },
      tests: { "test_field.py": test },
      key: { target: "test_field.py", name: "test_shown" },
    });
  expect(await told(kept + shows)).toEqual([]);
  const alone = [expect.stringMatching(/compares with "is_fixed"/)];
  expect(await told(before + shows)).toEqual(alone);
  expect(await told(field + shows)).toEqual(alone);
  expect(await told(`${before}        self.is_fixed = name\n${shows}`)).toEqual(alone);
});
