/** Makes the page from which people review the sample: each task's statement, fix, tests and findings. */
import { fence } from "../../base/fence.ts";
import type { Published } from "./published.ts";

type Reviewed = Published["candidates"][number];

const mostTests = 10;

/**
 * Renders the page for reviewers. `canary`: the dataset's canary, because the page contains hidden parts of the tasks.
 */
export function renderSheet(tasks: readonly Reviewed[], canary: string): string {
  const head = [
    "# Tasks to review",
    `This page shows the fixes and the hidden tests, so no agent may read it. ${canary}`,
    "Add a line for each task to `reviews.jsonl`, and publish again. A second person uses another `reviewer`.",
    "A task is bad if a right solution can fail its tests, or a wrong solution can pass them. It is also bad if the statement is unclear, or gives the fix away.",
  ];
  return `${[...head, ...tasks.map((task) => renderTask(task))].join("\n\n")}\n`;
}

/**
 * Renders a task for reviewers. `showsRules`: false to hide the review's findings and the line for `reviews.jsonl`, so
 * that a person judges without them. Default: true.
 */
export function renderTask({ change, split, validation, review }: Reviewed, showsRules = true): string {
  const { failToPass } = validation.lists;
  const left = failToPass.length - mostTests;
  const row = { id: change.id, reviewer: "…", verdict: "good", reason: "" };
  return [
    `## ${change.id}`,
    ...(showsRules ? [fence("json", JSON.stringify(row))] : []),
    "**Statement**",
    fence("text", change.statement.trimEnd()),
    "**Fix**",
    fence("diff", split.goldPatch.trimEnd()),
    "**Hidden tests**",
    fence("diff", split.testPatch.trimEnd()),
    "**Fail-to-pass tests**",
    [
      ...failToPass.slice(0, mostTests).map((id) => `- \`${id}\``),
      ...(left > 0 ? [`- ${left} more`] : []),
    ].join("\n"),
    ...(showsRules ? ["**Findings of the rules**", listFindings(review)] : []),
  ].join("\n\n");
}

function listFindings({ findings }: Reviewed["review"]): string {
  return findings.map(({ check, score, reason }) => `- ${check} (${round(score)}): ${reason}`).join("\n");
}

function round(score: number): string {
  return String(Math.round(100 * score) / 100);
}
