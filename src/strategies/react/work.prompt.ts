/** The work on a task with a shell and an editor. */

import type { ActionContext } from "../../agent/action.ts";
import { tellPart } from "../../agent/code/collected-tests.ts";
import { rulesOf } from "../../agent/kinds/rules-of.ts";
import { shownOutcomes } from "../../agent/measure/shown-outcomes.ts";
import { tellOthers } from "../../agent/state/other-results.ts";
import { programFolder } from "../../agent/state/standalone-program.ts";
import type { Suite } from "../../agent/suite.ts";
import { stepByStep } from "../../agent/think/parts.prompt.ts";
import { countOf, wordFor } from "../../base/count.ts";
import type { Task, TaskKind } from "../../domain/task.ts";
import { formatTestKey, isFailing, type TestOutcome } from "../../domain/test-outcome.ts";

export const workPrompt = `Complete a task in a repository, with a shell and an editor. ${stepByStep}
Work in this order:
1. Find and read the relevant code.
2. If the task reports a problem, reproduce it with new tests, in the repository's own test files or in new files next to them. Make each a separate test case. Some of them must fail now. Others may guard behaviour that must stay. If no test can show the problem, write a standalone program below ${programFolder}/, and name it when you submit.
3. Change what the task asks you to change.
4. Check that the new tests pass, and that other tests still pass.
5. Remove files that you wrote only for experiments.
6. Submit. Millwright, the program that asks you, then runs the new tests without and with your change.

Several calls in one answer run in order. A failed or refused call does not stop the later calls. Never submit in the same answer as a check: read the result of the check first. Millwright drops older outputs as the conversation grows, so write down the facts that you need.`;

/** The prompt of `react` as published. It does not mention tests. */
export const barePrompt = `Complete a task in a repository, with a shell and an editor. ${stepByStep}
Several calls in one answer run in order. A failed or refused call does not stop the later calls. Millwright drops older outputs as the conversation grows, so write down the facts that you need. When the task is done, submit.`;

/** Renders the first message: the task, its conditions, and the test command if Millwright found one. */
export function openingOf(
  { task, suite, frameworks }: Pick<ActionContext, "suite" | "task" | "frameworks">,
  root: string,
): string {
  const { command, directory } = suite.command;
  if (suite.lacks !== undefined)
    return [
      `# The task\n\n${stated(task)}`,
      `# The conditions\n\n${conditionsOf(task.kind)}`,
      `# The repository\n\nThe repository is in ${root}. Commands start there. Millwright cannot run the repository's tests. The reason: ${suite.lacks}.`,
    ].join("\n\n");
  const { inShell } = frameworks.find(({ name }) => name === suite.command.framework) ?? {};
  const hint = inShell === undefined ? "" : ` ${inShell}`;
  const place = directory === "" ? "" : ` (in ${directory})`;
  return [
    `# The task\n\n${stated(task)}`,
    `# The conditions\n\n${conditionsOf(task.kind)}`,
    `# The repository\n\nThe repository is in ${root}. Commands start there. The repository's tests run with \`${command}\`${place}.${hint} ${describeBase(suite)}`,
  ].join("\n\n");
}

export function conditionsOf(kind: TaskKind): string {
  const { goal, parts } = rulesOf(kind);
  const hasFix = parts.some(({ name }) => name === "fix");
  return hasFix
    ? `${goal} Leave your fix of the code in the repository when you submit. Millwright does not deliver the fix. It uses the fix to check that the tests pass without the fault.`
    : goal;
}

function stated({ statement }: Task): string {
  return statement.trim() === "" ? "The task has no statement: meet the conditions below." : statement;
}

/** Maximum number of failing tests to name. */
const mostNamed = 10;

/**
 * Describes the base's test results if the last description (`before`) lacks them; "" if nothing is new. Call it
 * only after the gate, which waits for the whole suite: then a replay gives the same text.
 */
export function tellGrown(before: string, suite: Suite): string {
  const now = describeBase(suite);
  return now === before ? "" : `Millwright has now run more tests on the unchanged repository. ${now}`;
}

/** Returns the test results before any change. */
export function describeBase(suite: Suite): string {
  const { part } = suite;
  const outcomes = shownOutcomes(suite);
  const failing = outcomes.filter(({ status }) => isFailing(status)).map(nameOf);
  const passed = outcomes.filter(({ status }) => status === "passed").length;
  const of = part === undefined ? "" : `${tellPart({ part, outcomes })}. `;
  if (part !== undefined && outcomes.length === 0) return of.trim();
  const told = `${of}Before any change, ${passed} of ${countOf(outcomes.length, "test")} ${wordFor(passed, "passes", "pass")}${tellOthers(
    outcomes,
  )
    .map((other) => `, ${other}`)
    .join("")}`;
  if (failing.length === 0) return `${told}, and no test fails unexpectedly.`;
  const more = failing.length > mostNamed ? `\n- and ${failing.length - mostNamed} more` : "";
  const named = failing.slice(0, mostNamed).map((name) => `\n- ${name}`);
  return `${told}, and ${failing.length} ${failing.length === 1 ? "fails" : "fail"}:${named.join("")}${more}`;
}

/** Maximum number of characters of a message. */
const longestMessage = 160;

/** Returns the test's id. Adds the failure's message if the test ran out of time, or if the file does not load: the cause may be this machine. */
function nameOf({ key, status, failure }: TestOutcome): string {
  if (status === "timed-out") return `${formatTestKey(key)} (timed-out: ${failure?.message})`;
  const [message = ""] = key.name === "" ? (failure?.message ?? "").trim().split("\n") : [];
  return message === ""
    ? formatTestKey(key)
    : `${formatTestKey(key)} (does not load: ${message.slice(0, longestMessage)})`;
}
