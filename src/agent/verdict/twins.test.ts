import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { JudgeContext } from "../action.ts";
import type { Review } from "../state/task-state.ts";
import { judgeTwins, tellTwins } from "./twins.ts";

const body = (sign: string): string =>
  `(rows, rate) {\n  let sum = 0;\n  for (const row of rows) {\n    if (row.paid && row.count ${sign} 0) sum += Math.round(row.price * rate);\n  }\n  return sum;\n}\n`;
const trees: Readonly<Record<string, string>> = {
  base: `function due${body(">")}\nfunction owed${body(">")}`,
  half: `function due${body(">=")}\nfunction owed${body(">")}`,
  whole: `function due${body(">=")}\nfunction owed${body(">=")}`,
};
const file = "lib/sums.js";
const contextOf = (kind: "repair" | "feature") =>
  partOf<JudgeContext>({
    task: { kind },
    regions: { isWhole: () => false, inside: () => ({ items: false, examples: false }) },
    workspace: {
      base: "base",
      trees: {
        list: async () => [{ path: file, mode: "100644", id: "" }],
        stat: async () => [{ path: file, added: 1, removed: 1 }],
        read: async (tree: string, path: string) =>
          path === file ? Buffer.from(trees[tree] ?? "") : undefined,
      },
    },
  });
const candidate = (tree: string) => ({ id: "c1", tree, kind: "code" as const, origin: "" });
const place = `${file}:12`;
const review = (needsChange: boolean): Review => ({
  candidate: "c1",
  findings: [],
  twins: [{ place, needsChange, because: "debts of nothing are listed on purpose." }],
});

test("a half fix leaves an objection until a review answers, and then limits the evidence", async () => {
  const context = contextOf("repair");
  const twin = `${place} equals the code that the patch changes at ${file}:4, but stays unchanged`;
  expect(await judgeTwins(context, candidate("half"), undefined)).toEqual({
    open: [`${twin}: change it too, or have a review say why it needs no change.`],
    answered: [],
  });
  expect((await judgeTwins(context, candidate("half"), review(true))).open).toEqual([
    `${twin}, and the review says that it needs the same change: debts of nothing are listed on purpose.`,
  ]);
  expect(await judgeTwins(context, candidate("half"), review(false))).toEqual({
    open: [],
    answered: [`${twin} (the review: debts of nothing are listed on purpose)`],
  });
  expect(await tellTwins(context, candidate("half"))).toEqual([twin]);
});

test("a whole fix leaves none, and neither does a kind of task that repairs nothing", async () => {
  const nothing = { open: [], answered: [] };
  expect(await judgeTwins(contextOf("repair"), candidate("whole"), undefined)).toEqual(nothing);
  expect(await judgeTwins(contextOf("feature"), candidate("half"), undefined)).toEqual(nothing);
});
