import { expect, test } from "vitest";
import { type Files, judge } from "../../../../tests/own-test-cases.ts";

const fee = "def fee(weight):\n    return weight * 2\n";
const wish = {
  kind: "feature" as const,
  statement: "Add `total(weights)` to fee.py: the sum of all fees; `total([3, 7])` must return 20",
  base: { "fee.py": fee },
  patch: { "fee.py": `${fee}\n\ndef total(weights):\n    return sum(map(fee, weights))\n` },
};
const asks = (body: string): Files => ({
  "tests/test_it.py": `import fee\nfrom fee import total\n\n\ndef test_it():\n${body}`,
});

test.each([
  "    assert total([3, 7]) == 20\n",
  "    assert fee.total([3, 7]) == 20\n    assert total([]) == 0\n",
  "    for weights, wanted in [([3, 7], 20), ([], 0)]:\n        assert total(weights) == wanted\n",
  "    order = fee.Order()\n    order.RATES = [3]\n    assert total([3, 7]) == 20\n",
])("a test of a feature shows the stated result: %s", async (body) => {
  expect(await judge({ ...wish, tests: asks(body) })).toBe("");
});

const withSetting = {
  "fee.py": `RATES = None\n${fee}\n\ndef total(weights, cost=None):\n    return sum(map(cost or RATES, weights))\n`,
};
test.each([
  ["    total([3, 7])\n", "must return 20, but no new test compares"],
  ["    assert total([1]) == 2\n", "must return 20, but no new test compares"],
  ["    assert total([3, 7]) > 0\n", "must return 20, but no new test compares"],
  ["    assert total([3, 7], fee.fee) == 20\n    assert total([]) == 0\n", "passes arguments to"],
  ["    fee.RATES = fee.fee\n    assert total([3, 7]) == 20\n", "sets `RATES`, which the patch adds"],
])("a test of a feature asks for less: %s", async (body, said) => {
  expect(await judge({ ...wish, patch: withSetting, tests: asks(body) })).toContain(said);
});

test("a setting that the statement names is set by its tests", async () => {
  const statement = `${wish.statement} by \`RATES\``;
  const tests = asks("    fee.RATES = fee.fee\n    assert total([3, 7]) == 20\n");
  expect(await judge({ ...wish, statement, patch: withSetting, tests })).toBe("");
});

const go = (test: string, patch = "package fee\n\nfunc total(weights []int) int {\n\treturn 20\n}\n") => ({
  ...wish,
  statement: wish.statement.replace("fee.py", "fee.go").replace("all fees", "all, whatever"),
  base: { "fee.go": "package fee\n" },
  patch: { "fee.go": patch },
  tests: { "fee_test.go": `package fee\n\nimport "testing"\n\nfunc TestIt(t *testing.T) {\n${test}}\n` },
  name: "TestIt",
});
test("a result that Go's test only logs is not compared", async () => {
  const shown = (says: string) =>
    go(`\tif got := total([]int{3, 7}); got != 20 {\n\t\tt.${says}("got %d", got)\n\t}\n`);
  expect(await judge(shown("Logf"))).toContain("no new test compares");
  expect(await judge(shown("Errorf"))).toBe("");
});

test("a list of the statement is the same in each language", async () => {
  const compared = go("\tif got := total([]int{3, 7}); got != 10 {\n\t\tt.Fatal(got)\n\t}\n");
  expect(await judge(compared)).toContain("expects 10 from `total([3, 7])`");
  const java = {
    ...wish,
    statement: wish.statement.replace("fee.py", "Fee.java"),
    base: { "Fee.java": "class Fee {\n}\n" },
    patch: {
      "Fee.java":
        "class Fee {\n    static int total(int[] weights) {\n        return java.util.Arrays.stream(weights).sum();\n    }\n}\n",
    },
    name: "adds",
    tests: {
      "FeeTest.java":
        "class FeeTest {\n    @Test\n    void adds() {\n        assertEquals(10, Fee.total(new int[] {3, 7}));\n    }\n}\n",
    },
  };
  expect(await judge(java)).toContain("expects 10 from `total([3, 7])`");
});

test("an error that a feature of Ruby and PHP throws is asked for", async () => {
  const ruby = {
    ...wish,
    statement: "Add `total(weights)` to fee.rb: a negative weight is refused with `ArgumentError`",
    base: { "fee.rb": "def fee(weight)\n  weight * 2\nend\n" },
    name: "test_it",
    tests: {
      "test/fee_test.rb":
        'require "fee"\n\nclass FeeTest < Minitest::Test\n  def test_it\n    assert_equal 20, total([3, 7])\n  end\nend\n',
    },
  };
  const code = `${ruby.base["fee.rb"]}\ndef total(weights)\n  weights.sum { |weight| fee(weight) }\nend\n`;
  expect(await judge({ ...ruby, patch: { "fee.rb": code } })).toContain("asks for ArgumentError");
  const refusing = code.replace(
    "  weights.sum",
    "  raise ArgumentError if weights.any?(&:negative?)\n  weights.sum",
  );
  expect(await judge({ ...ruby, patch: { "fee.rb": refusing } })).toBe("");
});

test("a result that the statement of a feature shows is required", async () => {
  const statement = "Add `total(weights)` to fee.py: the sum of all fees. `total([3, 7])` returns 20.";
  expect(await judge({ ...wish, statement, tests: asks("    assert total([1]) == 2\n") })).toContain(
    "must return 20",
  );
  expect(await judge({ ...wish, statement, tests: asks("    assert total([3, 7]) == 20\n") })).toBe("");
});
