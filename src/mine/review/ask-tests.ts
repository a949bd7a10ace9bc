/** Checks the tests by execution: do they pass wrong variants of the fix, or reject right ones? */

import { layPatch } from "../../bench/graded-tree.ts";
import { openTask, withCheckout } from "../../bench/open-task.ts";
import type { TestPlan } from "../../bench/task-tests.ts";
import type { Finding } from "../contract.ts";
import { taskOf } from "../validate.ts";
import { judgeEnvironment } from "./leaked-environment.ts";
import { findNewNames, type NewNames } from "./new-names.ts";
import { changedLines } from "./patch-lines.ts";
import { type AskedTests, decide, failingWith, type Place } from "./place.ts";
import { type Rewrite, rewriteFix } from "./rewrite-fix.ts";
import { judgeLists, judgeSteadiness } from "./steady-tests.ts";
import { judgeWeakness } from "./weak-tests.ts";

/**
 * Judges a task by running its tests. Throws MillwrightError for an infrastructure error, and AbortError if the signal
 * stops it.
 */
export async function askTests(asked: AskedTests): Promise<Finding[]> {
  const { split, validation, options } = asked;
  const open = await openTask(taskOf(asked, validation), options);
  try {
    const laid = await layPatch(open.workspace.trees, open.trees, split.goldPatch);
    if (!laid.ok)
      throw new Error(`the fix no longer applies, although it did in the validation: ${laid.message}`);
    const gold = laid.value.tree;
    const whole = await withCheckout(open, (checkout) => open.plan(checkout, gold));
    const { runFiles } = validation;
    const plan: TestPlan =
      runFiles.length === 0 ? whole : { ...whole, selection: { kind: "files", files: runFiles } };
    const environment = await judgeEnvironment(open, split);
    if (environment.isBad) return [environment];
    const run = await withCheckout(open, (checkout) => open.run(checkout, gold, plan));
    const place = { asked, open, plan, gold, run };
    const found = [environment];
    for (const judge of [judgeLists, judgeSteadiness, judgeWeakness]) {
      found.push(await judge(place));
      if (found.at(-1)?.isBad === true) return found;
    }
    return [...found, ...(await judgeStrictness(place))];
  } finally {
    await open.close();
  }
}

async function judgeStrictness(place: Place): Promise<Finding[]> {
  const { asked, open, gold } = place;
  const trees = { store: open.workspace.trees, base: open.trees.base, gold };
  const names = await findNewNames(asked.change, asked.split, trees);
  const findings: Finding[] = [await judgeOtherFiles(place)];
  for (const question of questionsOf(names)) {
    const { codeFiles: files, goldPatch } = asked.split;
    const lines = new Set(changedLines(goldPatch, files).added);
    const rewritten = await rewriteFix(trees.store, gold, { files, lines }, question.rewrite);
    const failed = await failingWith(place, rewritten);
    const [first] = failed;
    findings.push({
      check: question.check,
      score: first === undefined ? 1 : question.isBad ? 0 : 0.5,
      isBad: question.isBad && first !== undefined,
      reason: first === undefined ? question.holds : `${question.fails}: ${first}`,
    });
  }
  return findings;
}

interface Question {
  readonly check: string;
  readonly rewrite: Rewrite;
  /** A failure makes the task unfair. */
  readonly isBad: boolean;
  readonly holds: string;
  readonly fails: string;
}

function questionsOf({ unstated, helpers, texts }: NewNames): Question[] {
  const questions: Question[] = [
    {
      check: "strict-layout",
      rewrite: { names: [], texts: [], movesLines: true },
      isBad: true,
      holds: "the tests accept the fix in another layout",
      fails: "the tests require the layout of the fix: they read its text, or line numbers",
    },
  ];
  if (helpers.length > 0)
    questions.push({
      check: "other-fixes",
      rewrite: { names: helpers, texts: [], movesLines: false },
      // Something outside of the repository may ask for the name: an interface that it implements.
      isBad: false,
      holds: "the tests accept other names for helpers",
      fails: "the tests reject the fix with other names for helpers",
    });
  const shown = (list: readonly string[]): string => list.slice(0, 4).join(", ");
  if (unstated.length > 0)
    questions.push({
      check: "strict-names",
      rewrite: { names: unstated, texts: [], movesLines: false },
      isBad: true,
      holds: `the tests accept other names for ${shown(unstated)}`,
      fails: `the tests require names that the statement does not mention (${shown(unstated)})`,
    });
  if (texts.length > 0)
    questions.push({
      check: "strict-texts",
      rewrite: { names: [], texts, movesLines: false },
      isBad: true,
      holds: "the tests accept other message texts",
      fails: `the tests require message texts that the statement does not mention (${shown(texts)})`,
    });
  return questions;
}

/** Files that describe the project or its versions, and decide no behaviour. */
const describing =
  /(?:^|\/)(?:pyproject\.toml|setup\.cfg|package\.json|Cargo\.toml|composer\.json)$|\.(?:gemspec|md|rst|txt|lock)$/i;

export function isDescribing(path: string): boolean {
  return describing.test(path);
}

/** Undoes the fix's changes of files that decide no behaviour: without them, a right fix has to pass. */
async function judgeOtherFiles(place: Place): Promise<Finding> {
  const { open, gold } = place;
  const { trees } = open.workspace;
  const changed = await trees.stat(open.trees.tests, gold);
  const paths = changed.map(({ path }) => path).filter(isDescribing);
  const undone = await Promise.all(
    paths.map(async (path) => ({ path, content: (await trees.read(open.trees.tests, path)) ?? null })),
  );
  const tree = paths.length === 0 ? gold : await trees.write(gold, undone);
  const [first] = await failingWith(place, tree);
  const against =
    first === undefined ? undefined : `the tests require changes of ${paths.join(", ")}: ${first}`;
  return decide(
    "strict-files",
    against,
    "the tests require no change of a file that only describes the project",
  );
}
