import { expect, test } from "vitest";
import { chooseLiterals, type LiteralToVary, listVaried, readSides } from "./varied-literals.ts";

const none = { signs: [], separators: [], tables: [], asksWhole: false };
const spans = [{ start: 0, end: 10_000 }];

/** The literals to vary in a test, in order. */
async function listOf(
  path: string,
  text: string,
  name: string,
  wanted: { readonly keys: readonly string[]; readonly prose?: string },
) {
  const trees = {
    list: async () => [{ path, mode: "100644", blob: "" }],
    read: async () => Buffer.from(text),
  };
  const context = { workspace: { trees }, regions: { spansIn: async () => spans } } as never;
  const test = { package: "", target: path, name };
  const sidesOf = await readSides(context, { without: "base", patched: "patch" }, [test]);
  const sides = await sidesOf(test);
  const varied =
    sides === undefined
      ? []
      : listVaried(sides, test, { ...none, prose: "", statement: wanted.prose ?? "", ...wanted });
  return varied.map(({ text: written }) => written);
}

const python = `import pytest
from shop import fee

CASES = [
    (1, 0, "light"),
    (7, 15, "heavy"),
]


@pytest.mark.parametrize("weight,cost,name", CASES)
def test_fee(weight, cost, name):
    assert fee(weight) == cost, 40


def test_other():
    assert fee(7) == 99
`;

test("the rows of a table outside of the test count, the test's own row first", async () => {
  const found = await listOf("tests/test_fee.py", python, "test_fee[7-15-heavy]", { keys: ["n:7"] });
  expect(found.slice(0, 3)).toEqual(["7", "15", '"heavy"']);
  expect(found).toContain("40");
  expect(found).not.toContain("99");
  expect(found).not.toContain("1");
});

test("a test whose name ends with another test's name is read", async () => {
  const text =
    'test("a first", () => {\n  expect(fee(7)).toBe(15);\n});\ntest("first", () => {\n  expect(fee(9)).toBe(21);\n});\n';
  const wanted = { keys: ["n:7", "n:9"] };
  expect(await listOf("tests/fee.test.js", text, "a first", wanted)).toContain("7");
  expect(await listOf("tests/fee.test.js", text, "first", wanted)).toContain("9");
});

test.each([
  [
    "tests/fee.test.js",
    'it.each([\n  [1, 0],\n  [7, 15],\n])("costs of %i are %i", (weight, cost) => {\n  expect(fee(weight)).toBe(cost);\n});\n',
    "costs of 7 are 15",
  ],
  [
    "fee_test.go",
    "package a\n\nvar cases = []C{\n\t{1, 0},\n\t{7, 15},\n}\n\nfunc TestFee(t *testing.T) {\n\tfor _, c := range cases {\n\t\tt.Run(c.name, c.run)\n\t}\n}\n",
    "TestFee/7",
  ],
  [
    "tests/fee.rs",
    "#[rstest]\n#[case(1, 0)]\n#[case(7, 15)]\nfn costs(#[case] w: u32, #[case] c: u32) {\n    assert_eq!(fee(w), c);\n}\n",
    "costs::case_2",
  ],
])("a table in %s", async (path, text, name) => {
  const found = await listOf(path, text, name, { keys: ["n:7"] });
  expect(found.slice(0, 2)).toEqual(["7", "15"]);
});

test("a number in the text of a row counts", async () => {
  const text =
    'class FeeTest {\n  @ParameterizedTest\n  @CsvSource({"1, 0", "7, 15"})\n  void fee(int weight, int cost) {\n    assertEquals(cost, Fee.fee(weight));\n  }\n}\n';
  const found = await listOf("FeeTest.java", text, "fee(int, int)[2]", { keys: ["n:7"] });
  expect(found[0]).toBe("7");
});

test("a value that the statement names is left out", async () => {
  const text = "def test_fee():\n    assert fee(7) == 15\n";
  const wanted = { keys: ["n:7"], prose: "parcels of 7 kilograms are special" };
  expect(await listOf("tests/test_fee.py", text, "test_fee", wanted)).toEqual(["15"]);
  const example = { keys: ["n:7"], prose: "7 kilograms cost 10 now. Each kilogram has to cost 3." };
  expect(await listOf("tests/test_fee.py", text, "test_fee", example)).toEqual(["7", "15"]);
});

test("fractions leave room for other values", () => {
  const literal = (kind: LiteralToVary["kind"], start: number): LiteralToVary => {
    return { text: "7", start, kind, isAdded: true, isInName: false, edits: [] };
  };
  const all = (["type", "value"] as const).flatMap((kind) =>
    [1, 2, 3, 4, 5, 6].map((at) => literal(kind, at)),
  );
  const chosen = chooseLiterals(all, { literals: 5, types: 2 });
  expect(chosen.map(({ kind, start }) => `${kind} ${start}`)).toEqual([
    ...["type 1", "type 2", "value 1", "value 2", "value 3"],
  ]);
});
