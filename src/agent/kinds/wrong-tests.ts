/**
 * Excludes existing tests that are wrong. No correct patch passes a test or example whose asserted result the statement
 * calls wrong. Existing tests run again, with their text on the base, on the patch's code. The judgement omits a
 * failing test only in two cases. By rule, its text asserts the fault (`state/asserts-fault.ts`), or the patch's author
 * gives a reason and the review agrees. All other failing tests count as broken, even if the patch rewrote them.
 */

import { countOf } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import {
  formatTestKey,
  isFailing,
  passedKeys,
  statusFinder,
  type TestKey,
  type TestOutcome,
} from "../../domain/test-outcome.ts";
import { findOutside } from "../../workspace/ask-broken.ts";
import type { FileChange } from "../../workspace/contract.ts";
import type { ActionContext, JudgeContext, RunContext } from "../action.ts";
import { changedFiles } from "../code/changed-files.ts";
import { type AssertedText, readAsserted } from "../measure/asserted-text.ts";
import { isRustExample, pairMoved } from "../measure/moved-examples.ts";
import { isNumbered, pairRenumbered } from "../measure/renumbered.ts";
import { composeTree, runOn } from "../measure/run-candidate.ts";
import { testsOf } from "../measure/text-of-tests.ts";
import { readCode } from "../state/assertion-text.ts";
import { assertsFault } from "../state/asserts-fault.ts";
import { findNamed } from "../state/named-test.ts";
import { findClaim } from "../state/says-wrong.ts";
import { findOtherInputs } from "../state/stated-inputs.ts";
import { matchSignature, type TestCode } from "../state/statement-signature.ts";
import type { MatrixRow, TaskState } from "../state/task-state.ts";
import { treeOfWritten } from "../state/tree-of-written.ts";
import type { AskedAgain, WrongTest } from "./asked-again.ts";
import { withTestsOfBase } from "./base-tests.ts";
import { openRewordings } from "./rewordings.ts";
import { applyRenames, type Renames, readRenames, takeRenamed } from "./stated-renames.ts";
import { askFor, findTouched } from "./touched-tests.ts";

/**
 * Runs changed or removed tests in the base's version on the patch. `row`: the results of all tests. Runs nothing
 * unless test files changed, a claim calls a broken test wrong, or a numbered case or Rust example is missing.
 */
export async function askAsTheyWere(
  context: JudgeContext,
  state: TaskState,
  candidate: Candidate,
  row: MatrixRow,
): Promise<AskedAgain> {
  const existing = await keepTests(context, state, candidate);
  const asked = await askTouched(context, state, { candidate, row, existing });
  const { renumbered, moved } = await findUnderOtherNames(context, row, existing, asked.outcomes);
  const pairs = new Map([...renumbered, ...moved]);
  if (pairs.size === 0) return asked;
  const others = asked.outcomes.filter(({ key }) => !pairs.has(formatTestKey(key)));
  const ids = [...pairs.keys()];
  const counted = asked.notes.filter((note) => !ids.some((id) => note.startsWith(noteOf(id))));
  const notes = [
    ...(renumbered.size === 0
      ? []
      : [
          `the names of test cases come from the product's data, and the patch changes the numbers in ${countOf(renumbered.size, "name")}, such as ${[...renumbered.keys()][0]}`,
        ]),
    ...(moved.size === 0
      ? []
      : [
          `${countOf(moved.size, "documentation example")} moved to another item, such as ${[...moved.keys()][0]}`,
        ]),
  ];
  return { ...asked, outcomes: [...others, ...pairs.values()], notes: [...counted, ...notes] };
}

interface ExistingTests {
  /** The patch's code with the existing tests. */
  readonly kept: string;
  /** Maps the tests' old names to the new names that they now use, because the statement asks for the rename. */
  readonly renames: Renames;
}

/** Lays the base's tests on the patch's code, with the renames that the statement asks for. */
async function keepTests(
  context: Pick<ActionContext, "regions" | "task" | "workspace">,
  state: TaskState,
  candidate: Candidate,
): Promise<ExistingTests> {
  const { regions, task, workspace } = context;
  const { trees, base } = workspace;
  const { code } = await changedFiles(trees, regions, base, candidate.tree);
  const renames = await readRenames(trees, task.statement, { paths: code, from: base, to: candidate.tree });
  const composed = renames.size === 0 ? undefined : await composeTree(context, state, candidate);
  if (composed?.ok !== true)
    return { kept: await withTestsOfBase(trees, regions, base, candidate.tree), renames: new Map() };
  const { tests, inside } = await changedFiles(trees, regions, base, composed.value);
  const changes: FileChange[] = [];
  for (const path of [...tests, ...inside]) {
    const [before, after] = [await trees.read(base, path), await trees.read(composed.value, path)];
    if (before === undefined || after === undefined) continue;
    changes.push({ path, content: takeRenamed(before.toString("utf8"), after.toString("utf8"), renames) });
  }
  const reworded = changes.length === 0 ? base : await trees.write(base, changes);
  return { kept: await withTestsOfBase(trees, regions, reworded, candidate.tree), renames };
}

/** Finds base tests that exist under other names: with other numbers, or as examples of another item. */
async function findUnderOtherNames(
  context: RunContext & Pick<ActionContext, "regions">,
  { invalid }: MatrixRow,
  { kept, renames }: ExistingTests,
  outcomes: readonly TestOutcome[],
): Promise<Record<"renumbered" | "moved", ReadonlyMap<string, TestOutcome>>> {
  const none: ReadonlyMap<string, TestOutcome> = new Map();
  const { suite, workspace } = context;
  const statusOf = statusFinder(outcomes);
  const gone = suite.outcomes
    .filter(({ key, status }) => status === "passed" && statusOf(key) === "not-run")
    .map(({ key }) => key)
    .filter((key) => isNumbered(key) || isRustExample(key));
  if (gone.length === 0 || invalid !== undefined) return { renumbered: none, moved: none };
  const files = [...new Set(gone.map(({ target }) => target))];
  const ran = await runOn(context, kept, { kind: "files", files });
  if (ran.invalid !== undefined) return { renumbered: none, moved: none };
  const known = suite.outcomes.map(({ key }) => key);
  const found = { known, outcomes: ran.outcomes };
  return {
    renumbered: pairRenumbered(gone, known, ran.outcomes),
    moved: await pairMoved(context, gone, { base: workspace.base, kept }, found, (program) =>
      applyRenames(program, renames),
    ),
  };
}

async function askTouched(
  context: JudgeContext,
  state: TaskState,
  { candidate, row, existing }: Pick<Asked, "row" | "existing"> & { readonly candidate: Candidate },
): Promise<AskedAgain> {
  const { suite } = context;
  const { kept } = existing;
  const nothing: AskedAgain = { outcomes: row.outcomes, wrong: [], notes: [] };
  const composed = await composeTree(context, state, candidate);
  if (!composed.ok || row.invalid !== undefined) return nothing;
  const broken = new Set(row.broken ?? []);
  const passed = passedKeys(suite.outcomes);
  const touched = new Set((await findTouched(context, composed.value, row.outcomes)).map(formatTestKey));
  const claimed = (state.saysWrong ?? []).flatMap(({ test }) => findNamed([...broken], test));
  if (touched.size === 0 && claimed.length === 0) return nothing;
  const asked = passed.filter((key) => broken.has(formatTestKey(key)) || touched.has(formatTestKey(key)));
  if (asked.length === 0) return nothing;
  const { outcomes, invalid } = await runOn(context, kept, askFor(asked, suite));
  if (invalid !== undefined) {
    const ids = new Set(asked.map(formatTestKey));
    const heard = row.outcomes.filter(({ key }) => !ids.has(formatTestKey(key)));
    return {
      ...nothing,
      outcomes: [...heard, ...asked.map((key) => ({ key, status: "not-run" as const, durationMs: 0 }))],
      notes: [`existing tests could not run in the base's version: ${invalid}`],
    };
  }
  return decide(context, state, { row, existing, worded: composed.value, asked, outcomes });
}

interface Asked {
  readonly row: MatrixRow;
  readonly existing: ExistingTests;
  /** The tree with the author's wording. */
  readonly worded: string;
  readonly asked: readonly TestKey[];
  readonly outcomes: readonly TestOutcome[];
}

async function decide(
  context: Pick<ActionContext, "regions" | "signature" | "suite" | "view" | "task" | "workspace">,
  state: TaskState,
  { row, existing: { kept, renames }, worded, asked, outcomes }: Asked,
): Promise<AskedAgain> {
  const judge = await openRules(context, state, row, { kept, worded });
  const wrong: WrongTest[] = [];
  const names = [...renames].map(([before, after]) => `${before} to ${after}`).join(", ");
  const notes =
    names === "" ? [] : [`the statement asks to rename ${names}: existing tests run with the new names`];
  const outside = findOutside(context.suite.outcomes, outcomes);
  const replaced = new Map(outside.map((outcome) => [formatTestKey(outcome.key), outcome]));
  const byId = new Map(outcomes.map((outcome) => [formatTestKey(outcome.key), outcome]));
  const [statusOf, before] = [statusFinder(outcomes), statusFinder(row.outcomes)];
  const failing = asked.filter((key) => statusOf(key) !== "passed").map(formatTestKey);
  const awaiting: WrongTest[] = [];
  for (const key of asked) {
    const id = formatTestKey(key);
    const found = byId.get(id);
    const status = statusOf(key);
    if (status === "passed") {
      // The run with the author's wording shows nothing about this test.
      if (found !== undefined && before(key) === "not-run") replaced.set(id, found);
      continue;
    }
    // A test that the tree lacks or has in another wording was changed by the patch's author; one that fails in both
    // versions was not.
    const isTouched = !isFailing(before(key));
    const claim = findClaim(state.saysWrong ?? [], failing, id);
    replaced.set(id, found ?? { key, status, durationMs: 0 });
    if (found === undefined || !(isTouched || claim !== undefined)) continue;
    const judged = await judge(found, claim, before(key) === "passed");
    const { holds, evidence: why, isAwaiting = false, ...more } = judged;
    const told = { key, why, ...more };
    if (holds) wrong.push(told);
    else notes.push(`${noteOf(id)}: ${why}`);
    if (isAwaiting) awaiting.push(told);
  }
  const isOther = ({ key }: TestOutcome): boolean => !replaced.has(formatTestKey(key));
  return { outcomes: [...row.outcomes.filter(isOther), ...replaced.values()], wrong, notes, awaiting };
}

function noteOf(id: string): string {
  return `The base's version of ${id} counts`;
}

interface Judged extends Pick<WrongTest, "example" | "rewording"> {
  readonly holds: boolean;
  readonly evidence: string;
  /** True if only a review's agreement is missing. */
  readonly isAwaiting?: boolean;
}

type Claim = NonNullable<TaskState["saysWrong"]>[number];

async function openRules(
  context: Pick<ActionContext, "regions" | "signature" | "view" | "task" | "workspace">,
  state: TaskState,
  row: MatrixRow,
  { kept, worded }: Pick<ExistingTests, "kept"> & Pick<Asked, "worded">,
) {
  const { task, signature, workspace } = context;
  const { fault } = state;
  const targets = row.targets;
  const isShown =
    fault?.reason.holds === true && targets.length > 0 && targets.every(({ status }) => status === "passed");
  const read = testsOf(context, kept);
  const written = await treeOfWritten(workspace, state);
  const product = await read.product();
  const tests = await read.tests();
  const showing = await Promise.all(
    (fault?.baseRuns[0] ?? [])
      .filter(({ key }) => (fault?.targets ?? []).some((each) => formatTestKey(each) === formatTestKey(key)))
      .map((outcome) => readAsserted(context, written, outcome)),
  );
  // Only a fault shown by rule counts, because one opinion cannot support another.
  const byRule = fault?.reason.ifAgreed === undefined ? (fault?.targets ?? []) : [];
  const shown = new Set(byRule.map(formatTestKey));
  const isProduct = (name: string): boolean => product.size === 0 || product.has(name);
  const readChange = openRewordings(context, { kept, worded });
  return async (outcome: TestOutcome, claim: Claim | undefined, isRewritten: boolean): Promise<Judged> => {
    const no = (evidence: string): Judged => ({ holds: false, evidence });
    if (task.statement.trim() === "")
      return no("the task has no statement, so nothing says that a result is wrong");
    if (!isShown) return no("no test shows the fault, or not every test that shows it passes with the patch");
    const { failure, status } = outcome;
    if (status === "timed-out" || failure === undefined || mistakes.test(failure.type))
      return no("the test does not fail at its assertion");
    const asserting = await readAsserted(context, kept, outcome);
    if (asserting.line === "") return no("the report does not give the test's failing line");
    const example = asserting.example === undefined ? {} : { example: asserting.example };
    const ruled = assertsFault(task.statement, asserting, showing, isProduct);
    const { path, lines } = asserting.beside;
    // No line that uses the failed call's result can run.
    const made = ruled.isByError === true ? assigned.exec(asserting.line)?.[1] : undefined;
    const reached = lines.filter((line) => made === undefined || !readCode(line).plain.includes(made));
    const lost = ruled.holds ? await findLost(context, worded, { path, lines: reached }) : undefined;
    if (ruled.holds && lost === undefined) return { holds: true, evidence: ruled.evidence, ...example };
    const against =
      lost === undefined ? ruled.evidence : `the patch also removes another assertion of the test: ${lost}`;
    const { called, values } = readCode(`${asserting.line}\n${asserting.behind}`);
    const code = { called: called.filter(isProduct), values, product, tests };
    // The test's name counts, because the patch's author did not choose it. The author's version of the same test may
    // also show the fault.
    const isLinked =
      matchSignature(signature, outcome, code).matches || shown.has(formatTestKey(outcome.key));
    const unlinked = isLinked
      ? findUnstated(task.statement, code)
      : "the statement does not mention the failing assertion";
    if (claim === undefined) {
      const unclaimed = no(`${against}; no author claims in \`saysWrong\` that the test is wrong`);
      const isKept =
        isRewritten &&
        unlinked === undefined &&
        (await findLost(context, worded, { path, lines })) === undefined;
      const rewording = isKept ? await readChange(outcome.key) : undefined;
      return rewording === undefined ? unclaimed : { ...unclaimed, isAwaiting: true, rewording, ...example };
    }
    if (unlinked !== undefined) return no(unlinked);
    return { ...judgeClaim(claim, against), ...example };
  };
}

/** Judges a claim that only a review must confirm. `against`: the reason why the rule does not confirm it. */
function judgeClaim({ because, isAgreed }: Claim, against: string): Judged {
  if (isAgreed === true)
    return { holds: true, evidence: `in the opinion of the patch's author and of the review: ${because}` };
  return isAgreed === false
    ? { holds: false, evidence: `${against}; the review did not agree that the test is wrong` }
    : {
        holds: false,
        evidence: `${against}; no review has agreed yet that the test is wrong`,
        isAwaiting: true,
      };
}

/** Finds a call with inputs that the statement does not mention. */
function findUnstated(
  statement: string,
  { called, values }: Pick<TestCode, "called" | "values">,
): string | undefined {
  const other = findOtherInputs(statement, called, values);
  return other === undefined
    ? undefined
    : `the test calls \`${other}\` with inputs that the statement does not mention, so an opinion is not enough`;
}

/** The variable of `a = f()`, `const a = f()`, `A a = f()`. */
const assigned = /^\s*(?:[\w<>[\].]+\s+)?([A-Za-z_$][\w$]*)\s*:?=(?!=)/;

/** Errors of a test that does not reach its assertion. */
const mistakes =
  /^(?:\w+\.)*(?:NameError|UnboundLocalError|ImportError|ModuleNotFoundError|SyntaxError|IndentationError|ReferenceError|CompileError|BuildError|FixtureLookupError|Crash)$/;

/**
 * Finds an assertion that the author's version lacks. Only the test's first assertion is known to fail, so the others
 * must remain.
 */
async function findLost(
  { workspace: { trees } }: Pick<ActionContext, "workspace">,
  worded: string,
  { path, lines }: AssertedText["beside"],
): Promise<string | undefined> {
  const text = (await trees.read(worded, path))?.toString("utf8") ?? "";
  const left = new Set(text.split("\n").map((line) => line.trim()));
  return lines.map((line) => line.trim()).find((line) => !left.has(line));
}
