import { expect, test } from "vitest";
import { type TaskKind, taskKindSchema } from "../../domain/task.ts";
import { attemptIn } from "./attempt-in-statement.ts";
import { type AskedTask, tellKind } from "./tell-kind.ts";
import { withKind } from "./with-kind.ts";

const files: Readonly<Record<string, string>> = {
  "src/cart.py":
    'def total(rows):\n    """The sum."""\n    raise NotImplementedError\n\n\ndef first(rows):\n    return rows[0]\n',
};
const read = async (path: string): Promise<string | undefined> => files[path];
const all = taskKindSchema.options;

const tell = (task: Partial<AskedTask>, kinds: readonly TaskKind[] = all) =>
  tellKind({ statement: "", ...task }, kinds, read);

test("what is given beside the statement decides first", async () => {
  const rows: readonly (readonly [Partial<AskedTask>, TaskKind])[] = [
    [{}, "repair"],
    [{ statement: "It is refused", partialPatch: "--- a/x\n" }, "partial-fix"],
    [{ statement: "Write tests", failingTests: ["test_a"] }, "repair"],
    [{ statement: "Write it", target: "src/cart.py:total" }, "code-generation"],
    [{ statement: "Write tests that cover it", target: "src/cart.py:first" }, "test-generation"],
  ];
  for (const [task, kind] of rows)
    expect(await tell(task)).toMatchObject({ kind, by: "flags", isSure: true });
});

test.each<[TaskKind, string]>([
  ["repair", "`first` raises IndexError for an empty list."],
  ["repair", "Fix off-by-one in trailing assertion diff skipping"],
  ["repair", "`first` fails when rows is a Proc\n\nWe see NoMethodError in Rails integration tests."],
  ["repair", "BytesWritten() returns twice the actual value with a Tee."],
  ["repair", "Typo in docs\n\nThe docs write `maxcolwidth`; the argument is called `maxcolwidths`."],
  ["regression-test", "Write a regression test for this issue. Do not fix it.\n\n`first` raises IndexError."],
  ["code-generation", "Write the body of src/cart.py:total."],
  ["test-generation", "Add tests for the function `first` in src/cart.py, so that every line is covered."],
  ["feature", "Implement the function `last` in src/cart.py and write tests for it."],
])("%s is told by rule: %s", async (kind, statement) => {
  expect(await tell({ statement })).toMatchObject({ kind, by: "rule", isSure: true });
});

test.each([
  "Add --min-depth option. We have `--max-depth`, and no counterpart.",
  "`first` raises IndexError.\n\nPlease add a test for it as well.",
  "Only tests may be changed: reproduce with a unit test that `first` raises IndexError.",
  "`first` fails.\n\nShow this in some integration tests.",
  "Send only one Host header in chunked request\nAdd test for default chunked Host header",
])("is left to the model: %s", async (statement) => {
  expect(await tell({ statement })).toMatchObject({ isSure: false });
});

test("words that ask for what the strategy does not do are a repair; what a target decides is not argued with", async () => {
  const some: readonly TaskKind[] = ["repair", "partial-fix"];
  const wish = { statement: "Implement `last` in src/cart.py and write tests for it." };
  expect(await tell(wish, some)).toMatchObject({ kind: "repair", isSure: true });
  expect(await tell({ statement: "Add an option" }, some)).toMatchObject({ kind: "repair", isSure: true });
  const target = { statement: "write it", target: "src/cart.py:total" };
  expect(await tell(target, some)).toMatchObject({ kind: "code-generation", by: "flags" });
  const attempt = { statement: "", partialPatch: "--- a/x\n" };
  expect(await tell(attempt, ["repair"])).toMatchObject({ kind: "repair", by: "flags" });
});

const diff = `diff --git a/src/cart.py b/src/cart.py
--- a/src/cart.py
+++ b/src/cart.py
@@ -6,2 +6,2 @@ def total(rows):
 def first(rows):
-    return rows[0]
+    return rows[1]
`;

test("a failed attempt in the statement is taken out of it; a patch that somebody proposes is none", async () => {
  const issue = "`first` raises IndexError for an empty list.";
  const statement = `${issue}\n\nThis patch was tried, and does not resolve it:\n\n\`\`\`diff\n${diff}\`\`\`\n\nSay why.`;
  const task = { id: "t", repository: "/r", kind: "repair", statement } as const;
  const told = await tell({ statement });
  expect(told).toMatchObject({ kind: "partial-fix", isSure: true });
  expect(withKind(task, told)).toMatchObject({
    kind: "partial-fix",
    statement: `${issue}\n\nThis patch was tried, and does not resolve it:\n\n\n\nSay why.`,
    partialPatch: diff,
  });
  expect(attemptIn(`${issue} A patch that would help me:\n\n${diff}`)).toBeUndefined();
});

test("an attempt keeps its blank lines, and takes no line of the statement behind it", () => {
  const [first, second] = ["@@ -6,2 +6,2 @@", "@@ -20,4 +20,4 @@"];
  const lines = [" def first(rows):", "-    return rows[0]", "+    return rows[1]", second, " a", ""];
  const names = ["--- a/src/cart.py", "+++ b/src/cart.py"];
  const attempt = [...names, first, ...lines, "-b", "+c", " "].join("\n");
  const statement = `It was tried, and fails:\n\n${attempt}\n\n- an item\n\n${attempt}`;
  expect(attemptIn(statement)).toEqual({
    patch: `${attempt}\n`,
    statement: `It was tried, and fails:\n\n\n- an item\n\n${attempt}`.trim(),
  });
  const two = `${attempt}\n\n${attempt}`;
  expect(attemptIn(`It was tried, and fails:\n${two}\n`)?.patch).toBe(`${two}\n`);
  // Numbers that are too small or too large.
  for (const header of ["@@ -6,1 +6,1 @@", "@@ -6,9 +6,9 @@"]) {
    const counted = attempt.replace(first, header);
    expect(attemptIn(`It was tried, and fails:\n${counted}\n\nWhy?`)?.patch.trim()).toBe(counted.trim());
  }
});

test("a long line without words and many empty lines cost no more than their length", async () => {
  const long = 200_000;
  for (const part of ["a", "a/", "a.", "-", "`", "\n"]) {
    const statement = `Write tests for \`total\`.\n${part.repeat(long / part.length)}\nThe end.`;
    expect((await tell({ statement })).kind).toBe("regression-test");
  }
});
