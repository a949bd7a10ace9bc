import { expect, test } from "vitest";
import { partOf } from "../../../../tests/part-of.ts";
import type { TestOutcome } from "../../../domain/test-outcome.ts";
import { compareTexts } from "../../code/change.ts";
import { emptyState } from "../../state/task-state.ts";
import type { ReviewContext } from "../contract.ts";
import { nearTests } from "./near-tests.ts";

const passed = (target: string): TestOutcome => ({
  key: { package: "", target, name: "a test" },
  status: "passed",
  durationMs: 10,
});

test("tests that import the package's index and name a changed function are near its change", async () => {
  const texts: Record<string, string> = {
    "test/base.test.ts": 'import { withBase } from "../src";\ntest("a", () => withBase("/a"));\n',
    "test/query.test.ts": 'import { withQuery } from "../src";\ntest("a", () => withQuery("/a"));\n',
  };
  const before =
    "export function withBase(input: string) {\n  return input;\n}\n\nexport function withQuery() {\n  return 1;\n}\n";
  const after = before.replace("return input;", "return input + 1;");
  const context = partOf<ReviewContext>({
    suite: { outcomes: Object.keys(texts).map(passed) },
    executor: { project: { read: (path) => texts[path] } },
    change: {
      files: [
        compareTexts("dist/all.ts", before, before.replace("return 1;", "return 2;"), false),
        compareTexts("src/helpers.ts", before, after, false),
      ],
    },
  });
  const near = await nearTests(context, emptyState);
  expect(near.map(({ target }) => target)).toEqual(["test/base.test.ts"]);
});
