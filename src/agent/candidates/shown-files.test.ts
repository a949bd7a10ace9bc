import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import type { ActionContext } from "../action.ts";
import { chooseShown, filesThatCount, type ShownFiles } from "./shown-files.ts";

const of = (target: string): TestOutcome => ({
  key: { package: "", target, name: "test_it" },
  status: "failed",
  durationMs: 1,
});

test("a file that was refused and is shown no more is taken back, one whose tests counted stays, and a deleted one is not asked for", async () => {
  const base: Record<string, string> = { "src/lib.rs": "code" };
  let tree: Record<string, string> = { "src/lib.rs": "code, tests", "tests/a.rs": "a", "tests/b.rs": "b" };
  const context = partOf<ActionContext>({
    view: { tree: () => "now", lay: async () => {} },
    workspace: {
      base: "base",
      trees: {
        list: async () => Object.keys(tree).map((path) => ({ path })),
        read: async (_, path) => {
          const text = base[path];
          return text === undefined ? undefined : Buffer.from(text);
        },
        write: async (_, changes) => {
          for (const { path, content } of changes) tree = { ...tree, [path]: content?.toString() ?? "" };
          tree = Object.fromEntries(Object.entries(tree).filter(([, text]) => text !== ""));
          return "next";
        },
      },
    },
  });
  const known: ShownFiles = { shown: [], counted: [] };
  expect(await chooseShown(context, known, ["tests/a.rs", "src/lib.rs"])).toEqual([
    "tests/a.rs",
    "src/lib.rs",
  ]);
  known.counted = ["tests/a.rs"];
  expect(await chooseShown(context, known, ["tests/b.rs"])).toEqual(["tests/a.rs", "tests/b.rs"]);
  expect(tree).toEqual({ "src/lib.rs": "code", "tests/a.rs": "a", "tests/b.rs": "b" });
  tree = { "src/lib.rs": "code", "tests/b.rs": "b" };
  expect(await chooseShown(context, known, ["tests/b.rs"])).toEqual(["tests/b.rs"]);
});

test("files count by their tests, and all where a report does not name files", () => {
  const shown = ["tests/a.rs", "tests/b.rs"];
  const none = { failing: [], guards: [], strangers: [] };
  expect(filesThatCount(shown, none)).toEqual([]);
  expect(
    filesThatCount(shown, { ...none, guards: [of("tests/a.rs")], strangers: [of("tests/b.rs")] }),
  ).toEqual(["tests/a.rs"]);
  expect(filesThatCount(shown, { ...none, failing: [of("com.shop.CartTest")] })).toEqual(shown);
});
