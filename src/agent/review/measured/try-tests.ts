/**
 * Runs a reviewer's own tests without and with the patch. Keeps tests that show the fault. Also keeps tests that pass
 * without the patch, as guards.
 */
import { z } from "zod";
import { countOf } from "../../../base/count.ts";
import {
  findStatus,
  formatTestKey,
  isFailing,
  type TestKey,
  type TestOutcome,
} from "../../../domain/test-outcome.ts";
import type { ActionContext, JudgeContext, RunContext } from "../../action.ts";
import { tellIfNoTests } from "../../candidates/tests-from-answer.ts";
import { keepWritten, runWritten, type WrittenTests } from "../../candidates/written-tests.ts";
import { tellUnbuilt } from "../../code/built-tests.ts";
import { readChange } from "../../code/change.ts";
import { composeTree, type Ran, runOn } from "../../measure/run-candidate.ts";
import { renderFailures } from "../../state/render-state.ts";
import type { ThinkTool } from "../../think/think.ts";
import type { ReviewWork } from "../reviewer/verdict.ts";
import { measureAgain } from "./measure-reviewed.ts";
import { nameMutant, retryMutants, survivorsOf, tryMutants } from "./tried-mutants.ts";

const input = z.object({
  path: z
    .string()
    .min(1)
    .describe("a new test file, with a name and folder like those of the repository's test files"),
  content: z.string().min(1).describe("the whole file"),
  keep: z
    .boolean()
    .default(true)
    .describe(
      "false: only show the results. Every later patch must pass kept tests, so keep only tests that follow from the statement",
    ),
});

/** Maximum number of test files in one review. */
const mostFiles = 3;

export function tryTestsTool(
  context: JudgeContext & Pick<ActionContext, "switches">,
  work: ReviewWork,
): ThinkTool<never> {
  let files = 0;
  return {
    name: "try-tests",
    description:
      "Runs a new test file without and with the patch. A test that fails without the patch for the stated reason is kept as a test of the fault. Authors of patches do not see such tests, if they see another test of the fault. A test that passes without the patch is kept as a guard. A guard that fails with the patch refutes the patch. Other tests are reported, but not kept.",
    input,
    async run(asked) {
      const said = input.parse(asked);
      files += 1;
      if (files > mostFiles)
        return { text: "You have reached the limit of test files: give the verdict.", isError: true };
      return tryTests(context, work, said);
    },
  };
}

async function tryTests(
  context: JudgeContext & Pick<ActionContext, "switches">,
  work: ReviewWork,
  { path, content, keep: isKept }: z.infer<typeof input>,
) {
  const { trees, base } = context.workspace;
  const problem = await findProblem(context, work, path);
  if (problem !== undefined) return { text: problem, isError: true };
  const tree = await trees.write(base, [{ path, content }]);
  const onBase = await runWritten(context, tree, [path]);
  if (!onBase.ok) return { text: `Without the patch: ${onBase.message}`, isError: true };
  const { failing, strangers, guards } = onBase.value;
  if (failing.length + strangers.length + guards.length === 0) {
    // A reviewer gives one file, so no line can be added to another.
    const unbuilt = await tellUnbuilt(context, tree, [path], await present(context));
    return {
      text: [
        `The run reported no test in ${path}: the test command does not run this file, or finds no test in it.`,
        ...unbuilt,
      ].join(" "),
      isError: true,
    };
  }
  const composed = await composeTree(context, work.state, work.candidate);
  if (!composed.ok) return { text: composed.message, isError: true };
  const patched = await trees.write(composed.value, [{ path, content }]);
  const withPatch = await runOn(context, patched, { kind: "files", files: [path] });
  if (withPatch.invalid !== undefined)
    return { text: `The run with the patch cannot be trusted: ${withPatch.invalid}`, isError: true };
  const { outcomes } = withPatch;
  const { broken, unsteady } = await findBroken(context, guards, { tree, patched, outcomes });
  const steady = { ...onBase.value, guards: guards.filter(({ key }) => !unsteady.includes(key)) };
  const tried: Tried = { written: steady, broken, outcomes };
  const told = [
    [`${path}, without the patch → with it:`, ...describeEach(tried)].join("\n"),
    ...(unsteady.length === 0
      ? []
      : [`Results differ between two runs, so these tests are excluded as flaky: ${namesOf(unsteady)}.`]),
    isKept ? await keep(context, work, tried) : "No test is kept.",
    ...renderFailures(outcomes.filter(({ status }) => isFailing(status))),
    ...tellOthers(tried),
  ];
  return { text: told.filter((text) => text !== "").join("\n\n") };
}

async function present({
  workspace: { trees, base },
}: Pick<ActionContext, "workspace">): Promise<ReadonlySet<string>> {
  return new Set((await trees.list(base)).map((entry) => entry.path));
}

async function findProblem(
  context: Pick<ActionContext, "suite" | "regions" | "workspace">,
  { state }: ReviewWork,
  path: string,
): Promise<string | undefined> {
  if (path.startsWith("/") || path.split("/").some((part) => part === "" || part === "." || part === ".."))
    return `${path} is not a path inside the repository. Give one such as tests/test_x.py.`;
  const { workspace } = context;
  const problem = tellIfNoTests(context, [...(await present(context))], path);
  if (problem !== undefined) return problem;
  const reproductions = state.candidates
    .filter(({ kind }) => kind === "reproduction")
    .map(({ tree }) => tree);
  for (const tree of [workspace.base, ...reproductions])
    if ((await workspace.trees.read(tree, path)) !== undefined)
      return `The file ${path} already exists: choose another name.`;
  return undefined;
}

interface Runs {
  readonly tree: string;
  readonly patched: string;
  /** Outcomes with the patch. */
  readonly outcomes: readonly TestOutcome[];
}

/**
 * Runs the guards that fail with the patch again on both trees, because a broken guard refutes the patch. A guard
 * without an answer, for example because a time limit ended the run, stays a guard and refutes nothing.
 */
export async function findBroken(
  context: RunContext,
  guards: readonly TestOutcome[],
  { tree, patched, outcomes }: Runs,
): Promise<{ readonly broken: readonly TestKey[]; readonly unsteady: readonly TestKey[] }> {
  const tests = guards.map(({ key }) => key).filter((key) => findStatus(outcomes, key) !== "passed");
  if (tests.length === 0) return { broken: [], unsteady: [] };
  const without = await runOn(context, tree, { kind: "tests", tests }, 2);
  const withIt = await runOn(context, patched, { kind: "tests", tests }, 2);
  const isOpen = ({ outcomes, invalid, cutMs }: Ran, key: TestKey): boolean =>
    invalid !== undefined || (cutMs !== undefined && findStatus(outcomes, key) === "not-run");
  const decided = tests.filter((key) => ![without, withIt].some((ran) => isOpen(ran, key)));
  const broken = decided.filter(
    (key) => findStatus(without.outcomes, key) === "passed" && findStatus(withIt.outcomes, key) !== "passed",
  );
  return { broken, unsteady: decided.filter((key) => !broken.includes(key)) };
}

/**
 * Lists failures without the patch, for tests that pass with it but do not show the fault. Their author may have meant
 * another fault.
 */
export function tellOthers({
  written: { strangers, doubts },
  outcomes,
}: {
  readonly written: Pick<WrittenTests, "strangers" | "doubts">;
  readonly outcomes: readonly TestOutcome[];
}): string[] {
  const others = strangers.filter(({ key }) => findStatus(outcomes, key) === "passed");
  if (others.length === 0) return [];
  const why = doubts.filter((doubt) => others.some(({ key }) => doubt.startsWith(`- ${key.name}: `)));
  return [
    "These tests fail without the patch, but nothing shows that they fail for the stated reason:",
    ...(why.length === 0 ? [] : [why.join("\n")]),
    ...renderFailures(others),
  ];
}

interface Tried {
  readonly written: WrittenTests;
  /** The guards that the patch breaks. */
  readonly broken: readonly TestKey[];
  /** Outcomes with the patch. */
  readonly outcomes: readonly TestOutcome[];
}

/** Describes the tests, one per line. */
function describeEach({ written, broken, outcomes }: Tried): string[] {
  const { failing, strangers, guards } = written;
  const after = ({ key }: TestOutcome): string => (findStatus(outcomes, key) === "passed" ? "pass" : "FAIL");
  const note = (outcome: TestOutcome): string =>
    broken.includes(outcome.key)
      ? " (broken by the patch)"
      : strangers.includes(outcome) && after(outcome) === "FAIL"
        ? " (it fails with and without the patch, so it shows nothing)"
        : "";
  const line = (outcome: TestOutcome, before: string): string =>
    `- ${outcome.key.name}: ${before} → ${after(outcome)}${note(outcome)}`;
  return [
    ...failing.map((each) => line(each, "fail (stated reason)")),
    ...strangers.map((each) => line(each, "fail (another reason)")),
    ...guards.map((each) => line(each, "pass")),
  ];
}

async function keep(
  context: JudgeContext & Pick<ActionContext, "switches">,
  work: ReviewWork,
  tried: Tried,
): Promise<string> {
  const { written, broken, outcomes } = tried;
  // A measured regression counts even if no test can be kept.
  const said = (key: TestKey): TestOutcome =>
    outcomes.find((each) => formatTestKey(each.key) === formatTestKey(key)) ?? {
      key,
      status: "not-run",
      durationMs: 0,
    };
  work.broken = [...work.broken, ...broken.map(said)];
  if (written.failing.length + written.guards.length === 0) return "No test is kept.";
  const kept = await keepWritten(context, work.state, written, "all");
  if (!kept.ok) return `No test is kept: ${kept.message}`;
  const { state: before, candidate } = work;
  const { state, id, targets, heldBack } = kept.value;
  work.state = await measureAgain(context, state, candidate, { outcomes, breaks: broken.length > 0 });
  const unmet = targets.filter((key) => findStatus(outcomes, key) !== "passed");
  work.unmet = [...work.unmet, ...unmet];
  const held =
    heldBack.length === 0 ? "" : `, ${heldBack.length} of them held back from the authors of patches`;
  const lines = [
    `Kept as ${id}:`,
    ...(targets.length === 0
      ? []
      : [
          `- ${countOf(targets.length, "test")} that ${targets.length === 1 ? "shows" : "show"} the fault${held}: ${namesOf(targets)}`,
        ]),
    ...(written.guards.length === 0
      ? []
      : [
          `- ${countOf(written.guards.length, "guard")}, which every patch has to pass: ${namesOf(written.guards.map(({ key }) => key))}`,
        ]),
    ...(unmet.length === 0
      ? []
      : [
          `${candidate.id} does not pass ${namesOf(unmet)}, which every patch has to pass from now on. If a test asks for more than the statement does, drop this test in the verdict and give the reason.`,
        ]),
    ...(broken.length === 0
      ? []
      : [
          `${candidate.id} is refuted by ${broken.map(formatTestKey).join(", ")}. If such a test is itself wrong, drop it in the verdict and give the reason.`,
        ]),
  ];
  const passing = [...targets, ...written.guards.map(({ key }) => key)].filter(
    (key) => findStatus(outcomes, key) === "passed",
  );
  return [lines.join("\n"), await askMutants(context, work, before, passing)].filter(Boolean).join("\n\n");
}

function namesOf(keys: readonly TestKey[]): string {
  return keys.map(({ name }) => name).join(", ");
}

/** Runs the survivors again; `before` is the state in which they survived. */
async function askMutants(
  context: JudgeContext,
  work: ReviewWork,
  before: ReviewWork["state"],
  tests: readonly TestKey[],
): Promise<string> {
  const { candidate } = work;
  const { trees, base } = context.workspace;
  if (candidate.kind !== "code") return "";
  const reviewed = { ...context, change: await readChange(trees, context.regions, base, candidate.tree) };
  const tried = work.mutants ?? (await tryMutants(reviewed, before, candidate));
  if (tried === undefined || typeof tried === "string" || survivorsOf(tried).length === 0) return "";
  const now = await retryMutants(reviewed, work.state, candidate, { tried, tests });
  work.mutants = now;
  const left = survivorsOf(now);
  const noticed = survivorsOf(tried).filter((mutant) => !left.includes(mutant));
  return [
    `The added tests detect ${noticed.length} of ${countOf(survivorsOf(tried).length, "mutant")} that survived${noticed.length === 0 ? "" : `: ${noticed.map(nameMutant).join("; ")}`}.`,
    ...(left.length === 0 ? [] : [`Still undetected: ${left.map(nameMutant).join("; ")}.`]),
  ].join("\n");
}
