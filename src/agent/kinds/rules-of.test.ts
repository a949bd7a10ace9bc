import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { emptyState } from "../state/task-state.ts";
import { completeBase } from "./rules-of.ts";

test("without time for all tests, the base's results of changed test files are known first", async () => {
  const asked: string[][] = [];
  const paths = [
    "src/fee.py",
    "tests/test_zone.py",
    ...[1, 2, 3, 4, 5].map((at) => `tests/test_fee_${at}.py`),
  ];
  const context = partOf<Parameters<typeof completeBase>[0]>({
    baseSuite: {
      whole: async () => {},
      know: async (files) => {
        asked.push([...files]);
      },
    },
    suite: {
      outcomes: [],
      part: { files: [], of: 6, why: "time" },
      command: { framework: "pytest", directory: "", command: "pytest" },
    },
    workspace: {
      base: "base",
      trees: {
        list: async () => paths.map((path) => ({ path })),
        stat: async () => [{ path: "src/fee.py" }, { path: "tests/test_zone.py" }],
      },
    },
  });
  await completeBase(context, emptyState, { id: "c1", tree: "t", kind: "code", origin: "" });
  expect(asked[0]?.[0]).toBe("tests/test_zone.py");
  expect(asked[0]).toHaveLength(5);
});
