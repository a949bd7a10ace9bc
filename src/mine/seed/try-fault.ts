/** Decides whether faults make a task: runs the whole suite with them, and hides the tests that notice them. */
import { z } from "zod";
import type { Mutant } from "../../agent/mutants/list-mutants.ts";
import { countOf, wordFor } from "../../base/count.ts";
import { withCheckout } from "../../bench/open-task.ts";
import type { TestPlan } from "../../bench/task-tests.ts";
import {
  formatTestKey,
  type TestFailure,
  type TestKey,
  type TestOutcome,
} from "../../domain/test-outcome.ts";
import type { FileChange } from "../../workspace/contract.ts";
import { drop, keep, type Outcome, outcomeOf, validationSchema } from "../contract.ts";
import { judgeStates } from "../judge-states.ts";
import { describeFailures } from "./describe-failure.ts";
import { insertFaults } from "./group-faults.ts";
import { hideTests } from "./hide-tests.ts";
import type { Suite } from "./open-suite.ts";

const seededSchema = z.object({
  statement: z.string(),
  basePatch: z.string(),
  goldPatch: z.string(),
  testPatch: z.string(),
  testFiles: z.array(z.string()),
  validation: validationSchema,
});
export type Seeded = z.infer<typeof seededSchema>;

export const seededOutcome = outcomeOf(seededSchema);

/**
 * Maximum share of tests that detect a fault. A fault that more tests detect breaks the program, and is easily found.
 */
const mostShare = 0.3;

/**
 * A fault of a task. `failToPass`: the keys of the tests that fail with this fault alone; undefined for the only fault.
 */
export interface Part {
  readonly fault: Mutant;
  readonly failToPass: ReadonlySet<string> | undefined;
}

/**
 * Makes a task from all faults together, or drops them with a reason. Runs the whole suite with the faults to determine
 * the task's lists of tests. `noticed`: the number of tests that are known to fail.
 */
export async function tryFaults(
  { open, plan, run, recipe }: Suite,
  parts: readonly Part[],
  noticed: number,
): Promise<Outcome<Seeded>> {
  const started = performance.now();
  const { trees } = open.workspace;
  const clean = open.trees.base;
  const most = Math.max(5, mostShare * run.outcomes.length);
  const faults = parts.map(({ fault }) => fault);
  const tellMost = (count: number) =>
    drop(
      "breaks-most",
      `${countOf(count, "test fails", "tests fail")} with the ${wordFor(faults.length, "fault", "faults")}`,
    );
  if (noticed > most) return tellMost(noticed);
  const faulty = await trees.write(clean, insertFaults(faults));
  const limitMs = Math.max(30_000, run.seconds * 5000);
  const withFault = await withCheckout(open, (checkout) => open.run(checkout, faulty, plan));
  if (withFault.seconds * 1000 > limitMs)
    return drop("hangs", "the tests take more than five times as long with the fault");
  const judged = judgeStates({ base: [run], tests: [withFault], gold: [run] }, () => false);
  if (judged.verdict !== "kept") return judged;
  const { lists, failures } = judged.value;
  if (lists.failToPass.length > most) return tellMost(lists.failToPass.length);
  if (Object.values(failures).every((kind) => kind === "does-not-build"))
    return drop("does-not-build", "the tests do not load or build with the fault");
  const caught = new Set(lists.failToPass);
  const outcomes = withFault.outcomes.filter(({ key }) => caught.has(formatTestKey(key)));
  if (outcomes.every(({ failure }) => failure !== undefined && isUndefinedName(failure)))
    return drop("undefined-name", "the tests that detect the fault only report an undefined name");
  const shown = parts.map(({ failToPass }) => {
    const isOwn = ({ key }: TestOutcome) => failToPass?.has(formatTestKey(key)) ?? true;
    return outcomes.filter(isOwn);
  });
  if (shown.some((own) => own.length === 0))
    return drop("masked", "the tests that detect one of the faults alone pass with all faults");
  const described = await Promise.all(shown.map((own) => describeFailures(trees, clean, own)));
  if (described.includes(undefined))
    return drop("says-nothing", "for at least one fault, no failure shows the expected result");
  const statement = described.join("\n\nA further failure:\n\n");
  if (faults.some((fault) => tellsPlace(statement, fault)))
    return drop("tells-place", "the task's statement names the fault's file");
  const keys: TestKey[] = outcomes.map(({ key }) => key);
  const hidden = await hideTests(trees, clean, keys);
  if (hidden === undefined)
    return drop("not-hidden", "Millwright cannot remove the tests that detect the fault");
  const base = await trees.write(faulty, hidden);
  const fixed = await trees.write(clean, hidden);
  const left = await withCheckout(open, (checkout) => open.run(checkout, base, planLeft(plan, hidden)));
  if (left.invalid !== undefined && left.outcomes.some(({ key }) => key.name === ""))
    return drop("not-hidden", `the suite does not load without the task's tests: ${left.invalid}`);
  return keep({
    statement,
    basePatch: await trees.diff(clean, base),
    goldPatch: await trees.diff(base, fixed),
    testPatch: await trees.diff(base, faulty),
    testFiles: hidden.map(({ path }) => path),
    validation: {
      ...(recipe.setup === undefined ? {} : { setup: recipe.setup }),
      testCommand: recipe.testCommand ?? plan.command.command,
      framework: plan.framework.name,
      ...{ runFiles: [], lists, failures: { ...failures }, attempts: [], repeats: ["plain"], notes: [] },
      seconds: (performance.now() - started) / 1000,
    },
  });
}

/**
 * Returns the plan for the files that lost tests. If a file is gone that other files may load, returns the plan for all
 * files.
 */
function planLeft(plan: TestPlan, hidden: readonly FileChange[]): TestPlan {
  if (hidden.some(({ content }) => content === null)) return plan;
  return { ...plan, selection: { kind: "files", files: hidden.map(({ path }) => path) } };
}

/** True for the error of an undefined name. Nobody commits such a fault, because the first run of its code shows it. */
function isUndefinedName({ type, message }: TestFailure): boolean {
  return (
    /^(?:NameError|ReferenceError|UnboundLocalError)\b/.test(type) ||
    /<NameError>|undefined local variable|uninitialized constant/.test(`${type}\n${message}`)
  );
}

function tellsPlace(statement: string, { file }: Mutant): boolean {
  const name = file.slice(file.lastIndexOf("/") + 1);
  return statement.includes(name);
}
