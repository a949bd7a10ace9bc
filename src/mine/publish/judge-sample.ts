/** Lets a person judge the sample of a dataset, task by task, in a terminal or from lines of text. */
import { join } from "node:path";
import { MillwrightError } from "../../base/errors.ts";
import { openJsonlWriter } from "../../base/jsonl.ts";
import { readPublished } from "./published.ts";
import { type Judgement, judgeSample, type ReviewedSample, readJudgements } from "./reviewers.ts";
import { renderTask } from "./sheet.ts";

export interface Judging {
  /** The dataset's folder. */
  readonly folder: string;
  /** The person's name in `reviews.jsonl`. */
  readonly reviewer: string;
  /** The ids of the sample's tasks. */
  readonly ids: readonly string[];
  show(text: string): void;
  /** Returns the person's next line; undefined at the end of the input. */
  ask(question: string): Promise<string | undefined>;
}

const question = "good or bad, then the reason (s: skip, q: quit)> ";

/**
 * Shows each task that this person has not judged, and appends each judgement to `reviews.jsonl` at once. Returns the
 * figures of all judgements. Throws MillwrightError for a folder without a dataset.
 */
export async function judgeTasks({ folder, reviewer, ids, show, ask }: Judging): Promise<ReviewedSample> {
  const path = join(folder, "reviews.jsonl");
  const { candidates } = await readPublished(folder);
  const known = readJudgements(path);
  const left = candidates.filter(
    ({ change }) =>
      ids.includes(change.id) && !known.some((each) => each.id === change.id && each.reviewer === reviewer),
  );
  const made: Judgement[] = [];
  const writer = openJsonlWriter(path);
  try {
    for (const [at, task] of left.entries()) {
      show(`${renderTask(task, false)}\n\nTask ${at + 1} of ${left.length}\n`);
      const answer = await askVerdict(ask);
      if (answer === "quit") break;
      if (answer === "skip") continue;
      const judgement = { id: task.change.id, reviewer, ...answer };
      writer.append(judgement, true);
      made.push(judgement);
    }
  } finally {
    writer.close();
  }
  return judgeSample(ids, [...known, ...made]);
}

type Answer = Pick<Judgement, "verdict" | "reason"> | "skip" | "quit";

async function askVerdict(ask: Judging["ask"]): Promise<Answer> {
  for (;;) {
    const line = await ask(question);
    if (line === undefined || /^q(?:uit)?$/i.test(line.trim())) return "quit";
    if (/^s(?:kip)?$/i.test(line.trim())) return "skip";
    const [, word, reason = ""] = /^(g(?:ood)?|b(?:ad)?)(?:\s+(.*))?$/i.exec(line.trim()) ?? [];
    if (word === undefined) continue;
    const verdict = /^g/i.test(word) ? "good" : "bad";
    if (verdict === "bad" && reason.trim() === "") continue; // a bad task needs a reason
    return { verdict, reason: reason.trim() };
  }
}

/** Returns the name. Throws MillwrightError("usage") for a name that a line of a review could not show. */
export function checkReviewer(name: string): string {
  if (/^[\w.@+ -]{1,80}$/.test(name)) return name;
  throw new MillwrightError("usage", `--reviewer ${name} is not a name`, {
    hint: "Use at most 80 letters, digits, spaces and . @ + - _.",
  });
}
