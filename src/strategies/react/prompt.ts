import { z } from "zod";
import type { ActionContext } from "../../agent/action.ts";
import type { Aside } from "../../agent/candidates/put-aside.ts";
import { tellPart } from "../../agent/code/collected-tests.ts";
import type { KindRules } from "../../agent/kinds/contract.ts";
import { rulesOf } from "../../agent/kinds/rules-of.ts";
import { type SaysWrong, saysWrongSchema } from "../../agent/state/says-wrong.ts";
import type { Suite } from "../../agent/suite.ts";
import type { ThinkTool } from "../../agent/think/think.ts";
import type { Task } from "../../domain/task.ts";
import { formatTestKey, isFailing, type TestOutcome } from "../../domain/test-outcome.ts";

export const system = `You work on a task in a repository, with a shell and an editor. Nobody reads along and nobody answers: do what is needed with the tools, one step after another, and look at what each one says before the next.
It goes well in this order: find and read the code that matters; see the problem happen, by a test or a command; change the code; see that the problem is gone, and that other tests still pass; leave new tests where the repository has its tests, each a case of its own: they are run without and with your change, and besides those that show it by failing without it, others may guard what must stay; take back what you wrote only to try things out; submit.
Several calls in one answer are done in their order, also after one that failed or was refused: submit when you have seen what the last check said. Once there are many, of old outputs you see only that they were there: note what you need of them.`;

/** Of the bare baseline: nothing of how it is judged. */
export const bareSystem = `You work on a task in a repository, with a shell and an editor. Nobody reads along and nobody answers: do what is needed with the tools, one step after another, and look at what each one says before the next.
Several calls in one answer are done in their order, also after one that failed or was refused. Older outputs are dropped as the conversation grows: note what you need of them. When the task is done, submit.`;

/** What the task's kind asks for, and the tests' own command: every strategy is told the same. */
export function openingOf(
  { task, suite, frameworks }: Pick<ActionContext, "suite" | "task" | "frameworks">,
  root: string,
): string {
  const { command, directory } = suite.command;
  if (suite.lacks !== undefined)
    return [
      `# The task\n\n${stated(task)}`,
      `# How it is judged\n\n${askedBy(rulesOf(task.kind))}`,
      `# The repository\n\nIt is in ${root}, where commands start. No command that runs its tests is known: ${suite.lacks}.`,
    ].join("\n\n");
  const { inShell } = frameworks.find(({ name }) => name === suite.command.framework) ?? {};
  const hint = inShell === undefined ? "" : ` ${inShell}`;
  const place = directory === "" ? "" : ` (in ${directory})`;
  return [
    `# The task\n\n${stated(task)}`,
    `# How it is judged\n\n${askedBy(rulesOf(task.kind))}`,
    `# The repository\n\nIt is in ${root}, where commands start. Its tests run with \`${command}\`${place}.${hint} ${describeBase(suite)}`,
  ].join("\n\n");
}

function stated({ statement }: Task): string {
  return statement.trim() === "" ? "No statement is given: tests fail, and they are the task." : statement;
}

/** Names of failing tests that are told. */
const mostNamed = 10;

/** What the tests say before anything is changed. */
function describeBase({ outcomes, part }: Suite): string {
  const failing = outcomes.filter(({ status }) => isFailing(status)).map(nameOf);
  const passed = outcomes.filter(({ status }) => status === "passed").length;
  const skipped = outcomes.filter(({ status }) => status === "skipped").length;
  const of = part === undefined ? "" : `${tellPart(part)}. `;
  if (part !== undefined && outcomes.length === 0) return of.trim();
  const told = `${of}Before any change ${passed} of ${outcomes.length} pass${skipped === 0 ? "" : `, ${skipped} ${skipped === 1 ? "is" : "are"} skipped`}`;
  if (failing.length === 0) return `${told}, and none fails.`;
  const more = failing.length > mostNamed ? `\n- and ${failing.length - mostNamed} more` : "";
  const named = failing.slice(0, mostNamed).map((name) => `\n- ${name}`);
  return `${told}, ${failing.length} ${failing.length === 1 ? "fails" : "fail"}:${named.join("")}${more}`;
}

/** One that was cut off may pass elsewhere. */
function nameOf({ key, status, failure }: TestOutcome): string {
  return `${formatTestKey(key)}${status === "timed-out" ? ` (timed-out: ${failure?.message})` : ""}`;
}

/** The goal without the order in which actions are taken: there are none here. */
function askedBy({ goal }: Pick<KindRules, "goal">): string {
  return goal.replace(/ It goes well in this order[\s\S]*$/, "");
}

const aside = z
  .array(z.object({ test: z.string(), reason: z.string().min(20) }))
  .default([])
  .describe(
    "failing tests that were there before, were taken for the fault and fail for another reason, where tests of yours show it: they are put aside, and the report says so",
  );

const because = z
  .string()
  .default("")
  .describe(
    "only where neither a name nor a word of your new tests stands in the statement: how their failures without the change are what it reports. An opinion: a review has to agree",
  );

/** Beside the summary, what is said of tests. */
export interface SaidOfTests {
  readonly aside: readonly Aside[];
  readonly because: string;
  readonly saysWrong: SaysWrong;
}

/**
 * `onSummary` hears what is said of the work. `ask`: what still speaks against it; the work ends where it says nothing, and where the
 * same is submitted again.
 */
export function submitTool(
  onSummary: (summary: string) => void,
  ask?: (said: SaidOfTests) => Promise<string | undefined>,
): ThinkTool<true> {
  const plain = z.object({
    summary: z
      .string()
      .default("")
      .describe(
        "what was changed and why, in a sentence, for the report; where nothing has to be changed, what shows it",
      ),
  });
  const whole = plain.extend({ notTheFault: aside, because, saysWrong: saysWrongSchema });
  const input = ask === undefined ? plain : whole;
  const asks =
    ask === undefined
      ? ""
      : " The gate answers first: where it finds something, you hear it, and choose to go on or to submit again as it is.";
  return {
    name: "submit",
    description: `Ends the work: what is in the repository's files now is handed in.${asks}`,
    input,
    async run(asked) {
      const said = whole.parse(asked);
      onSummary(said.summary.trim());
      const against = await ask?.({ ...said, aside: said.notTheFault });
      if (against === undefined) return { text: "Submitted.", end: true };
      return {
        text: `Not handed in yet. The gate finds:\n${against}\nGo on with it; or call \`submit\` again, and it is handed in as it is.`,
        isError: true,
      };
    },
  };
}
