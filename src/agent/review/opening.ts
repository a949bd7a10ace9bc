/** What a reviewer reads at first: the statement, the change with what stands around it, what tests said, and the battery's findings. */
import type { Candidate } from "../../domain/candidate.ts";
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import type { ActionContext } from "../action.ts";
import { renderFailures, renderRow } from "../render-state.ts";
import { shorten } from "../shorten.ts";
import { type Review, rowOf, type TaskState } from "../task-state.ts";
import { addedLines, type ChangedFile, linesOf, readChange } from "./change.ts";

const longestDiff = 16_000;
const longestAround = 8_000;
const longestTests = 8_000;
/** Lines before and after a change. */
const around = 10;

export interface Measured {
  readonly review: Review;
  readonly droppable: readonly TestKey[];
}

export async function openReview(
  { task, workspace }: ActionContext,
  state: TaskState,
  candidate: Candidate,
  { review, droppable }: Measured,
): Promise<string> {
  const { trees, base } = workspace;
  const change = await readChange(trees, base, candidate.tree);
  const surroundings = change.files
    .filter(({ before, isTest }) => before !== undefined && !isTest)
    .map(showAround);
  const reproductions = state.candidates.filter(({ kind }) => kind === "reproduction");
  const written = await Promise.all(reproductions.map(({ tree }) => trees.diff(base, tree)));
  const row = rowOf(state, candidate.id);
  const found = review.findings.map(({ check, weight, text }) => `- ${weight} (${check}): ${text}`);
  return [
    `# The statement\n\n${task.statement}`,
    `# The patch ${candidate.id}: ${candidate.origin}\n\n${shorten(await trees.diff(base, candidate.tree), longestDiff)}`,
    ...(surroundings.length === 0
      ? []
      : [`# Its surroundings, with the patch\n\n${shorten(surroundings.join("\n\n"), longestAround)}`]),
    ...(written.length === 0
      ? []
      : [`# The tests that were written\n\n${shorten(written.join("\n"), longestTests)}`]),
    `# What the tests say\n\n${row === undefined ? "They were not run." : [`${renderRow(row, state.fault)}.`, ...renderFailures(row.targets)].join("\n\n")}`,
    `# What was measured\n\n${found.length === 0 ? "Nothing speaks against it." : found.join("\n")}`,
    ...(droppable.length === 0 ? [] : [describeDroppable(droppable)]),
  ].join("\n\n");
}

function describeDroppable(droppable: readonly TestKey[]): string {
  const names = droppable.map((key) => `- ${formatTestKey(key)}`).join("\n");
  return `# Tests that may be wrong themselves\n\nThe patch passes all other tests, and no candidate passes these, which were written in this run. Drop one only if its expectation is against the statement, and say why:\n${names}`;
}

function showAround(file: ChangedFile): string {
  const lines = linesOf(file.after);
  const changed = addedLines(file);
  const anchors = [...changed, ...file.hunks.map(({ afterStart }) => afterStart)];
  const shown = lines.flatMap((line, index) => {
    const number = index + 1;
    if (!anchors.some((anchor) => Math.abs(anchor - number) <= around)) return [];
    return [`${number}${changed.includes(number) ? "+" : ""}\t${line}`];
  });
  return [file.path, ...shown].join("\n");
}
