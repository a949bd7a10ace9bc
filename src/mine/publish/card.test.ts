import { expect, test } from "vitest";
import type { Change } from "../contract.ts";
import { makeCard, renderCard } from "./card.ts";

function taskOf(day: string) {
  const change: Change = {
    ...{ id: `acme__shop-${day}`, repository: "acme/shop", base: "1".repeat(40), commit: "2".repeat(40) },
    ...{ date: `${day}T12:00:00Z`, subject: "", foundBy: "squash", issues: [], statement: "" },
    ...{ statementFrom: "message", language: "go", code: 1 },
  };
  return { change, files: 3 };
}

const rest = {
  ...{ name: "acme/shop", canary: "canary", version: 1, retired: 0, steps: [], licence: null },
  review: { ids: [], reviewed: 0, bad: 0, interval: { low: 0, high: 1 } },
  split: { date: "", before: 0, after: 0 },
};

test("counts the tasks that were merged up to each model's cut-off, and later", () => {
  const tasks = ["2025-06-29", "2025-06-30", "2025-07-01"].map(taskOf);
  const card = makeCard(tasks, [{ model: "acme-1", date: "2025-06-30" }], rest);
  expect(card.contamination).toEqual([{ model: "acme-1", date: "2025-06-30", upTo: 2, after: 1 }]);
  expect(renderCard(card)).toContain("| acme-1 | 2025-06-30 | 2 | 1 |");
});

test("tells how old the issues were at the merge, and how much was discussed", () => {
  const old = taskOf("2025-06-29");
  const discussion = { opened: "2025-06-19T12:00:00Z", merged: old.change.date, comments: 4 };
  const card = renderCard(
    makeCard([{ ...old, change: { ...old.change, discussion } }, taskOf("2025-06-30")], [], rest),
  );
  expect(card).toContain("| days from issue to merge | 10 | 10 | 10 |");
  expect(card).toContain("| comments on the issue | 4 | 4 | 4 |");
});

test("says that no cut-off is known", () => {
  expect(renderCard(makeCard([taskOf("2025-06-29")], [], rest))).toContain(
    "The cut-off dates of models are unknown.",
  );
});
