import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { findTestSpans } from "../../judging/test-spans.ts";
import { typesAround } from "../code/test-bodies.ts";
import { readSignature } from "../state/statement-signature.ts";
import { matchReason } from "./stated-reason.ts";
import { parametersIn, startOfStatement, testsOf, textOfTests } from "./text-of-tests.ts";

const lines = `it("merges", () => {
  const own = { a: [1] };
  expect(
    merge(own, {
      b: 2,
    }),
  ).toEqual({
    a: [1],
  });
  expect(merge(own))
    .not.toEqual(own);
});`.split("\n");

test.each([
  ["the line of a matcher behind a call of several lines", 6, 2],
  ["a matcher on a line of its own", 10, 9],
  ["a line that begins a statement", 1, 1],
  ["the end of the test, which is one statement", 11, 0],
])("a statement begins above: %s", (_, at, start) => {
  expect(startOfStatement(lines, at)).toBe(start);
});

test("a later session of a workspace asks its own graph", async () => {
  const workspace = partOf<Parameters<typeof testsOf>[0]["workspace"]>({});
  const readIn = (name: string) => {
    const view = partOf<Parameters<typeof testsOf>[0]["view"]>({
      context: {
        graph: async () => ({ files: () => [{ path: "fee.py" }], outline: () => [{ name, signature: "" }] }),
      },
    });
    return testsOf({ regions: partOf({ isWhole: () => false }), view, workspace }, "tree").product();
  };
  expect([...(await readIn("first")), ...(await readIn("second"))]).toEqual(["first", "second"]);
});

test("the names of parameters, without types and defaults", () => {
  expect(parametersIn("def split(src, sep=None, *, maxsplit: int = 0, **rest)")).toEqual([
    "src",
    "sep",
    "maxsplit",
    "rest",
  ]);
});

test.each([
  [
    "a method in a class",
    "bank.py",
    "class Account:\n    def pay(self):\n        raise ValueError\n",
    3,
    ["Account"],
  ],
  ["a function outside of classes", "bank.py", "def pay():\n    raise ValueError\n", 2, []],
  [
    "a method in an `impl` block",
    "bank.rs",
    "struct Account;\nimpl Account {\n  fn pay() { panic!() }\n}\n",
    3,
    ["Account"],
  ],
  [
    "a method with a receiver",
    "bank.go",
    "package bank\ntype Account struct{}\nfunc (a Account) Pay() {\n\tpanic(1)\n}\n",
    4,
    ["Account"],
  ],
])("the types around a line: %s", async (_, path, text, line, expected) => {
  expect(await typesAround(path, text, line)).toEqual(expected);
});

test("a Rust documentation example is read as a test, without its marks", async () => {
  const text = `/// Writes bytes.
///
/// \`\`\`
/// # use tally::human;
/// assert_eq!(human(12), "12 B");
/// let text = human(
///     1024,
/// );
/// assert_eq!(text, "1.0 KiB");
/// \`\`\`
pub fn human(bytes: u64) -> String {
    format!("{} B", bytes)
}
`;
  const file = "src/human.rs";
  const trees = { list: async () => [], read: async () => Buffer.from(text) };
  const spansIn = (path: string, of: string) => findTestSpans(path, of, { items: true, examples: true });
  const regions = partOf<Parameters<typeof textOfTests>[0]["regions"]>({ isWhole: () => false, spansIn });
  const read = textOfTests({ workspace: { trees }, regions }, "tree", {
    product: async () => new Set(["human"]),
    parameters: async () => new Set(["bytes"]),
    tests: async () => [],
    callers: async () => new Set(),
  });
  const key = { package: "", target: "doc:src/lib.rs", name: "src/human.rs - human::human" };
  expect(await read.line(file, 5)).toContain('assert_eq!(human(12), "12 B");');
  expect((await read.body(key)).split("\n")[0]).toBe("use tally::human;");
  const message = 'assertion `left == right` failed\n  left: "1024 B"\n right: "1.0 KiB"';
  const failure = { type: "AssertionError", message, text: message, frames: [{ file, line: 9 }] };
  const outcome = { key, status: "failed", durationMs: 0, failure } as const;
  const matched = async (statement: string) =>
    (await matchReason(readSignature(statement), outcome, read)).matches;
  expect(await matched("`human` writes 1 KiB in bytes")).toBe(true);
  expect(await matched("human(1024) is `1024 B`, not `1.0 KiB`")).toBe(true);
  expect(await matched("`read` refuses an empty text")).toBe(false);
});
