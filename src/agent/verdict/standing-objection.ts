/**
 * Finds objections to a candidate that hold whatever its tests show: an unanswered refusal, signs of an attack,
 * careless code, and special cases.
 */
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import type { TaskKind } from "../../domain/task.ts";
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import type { ActionContext } from "../action.ts";
import { type ChangedFile, readChange } from "../code/change.ts";
import { judgeAttack } from "../review/attack-findings.ts";
import { baseFiles } from "../review/base-files.ts";
import { judgeBlamed } from "../review/blamed-function.ts";
import { judgeCareless } from "../review/careless.ts";
import type { Finding } from "../review/contract.ts";
import { judgeOwnTests } from "../review/judge-own-tests.ts";
import { judgeMovedGoals } from "../review/moved-goals.ts";
import { readOwnTests } from "../review/own-tests.ts";
import { judgePlainCases, readTestFiles } from "../review/plain-special-cases.ts";
import { readShownKeys, treesOfTests } from "../review/shown-literals.ts";
import { judgeSpecialCases } from "../review/special-cases.ts";
import { judgeTestData } from "../review/test-data.ts";
import { judgeSize } from "../review/too-large.ts";
import { listUnshownParts } from "../review/unshown-parts.ts";
import { askedOf, type Review, rowOf, type TaskState } from "../state/task-state.ts";
import { formOfPatch } from "./patch-form.ts";
import { reviewOf } from "./review-of.ts";
import { judgeParts } from "./stated-parts.ts";
import { judgeTwins } from "./twins.ts";

export const noStandingObjection = "no-standing-objection";

/**
 * Turns the standing objections to the candidate into a predicate. `tests`: the tests that decide whether the candidate
 * is right.
 */
export async function judgeObjections(
  context: ObjectionContext,
  candidate: Candidate,
  tests: readonly TestKey[],
  state?: TaskState,
): Promise<Predicate> {
  const { workspace, regions } = context;
  const { trees, base } = workspace;
  const { files } = await readChange(trees, regions, base, candidate.tree);
  const { statement } = context.task;
  const ofBase = baseFiles(workspace);
  const review = state && (await reviewOf(workspace, candidate, state));
  const refusals = review === undefined || state === undefined ? [] : listRefusals(review, candidate, state);
  const unread = judgeSize(files).map(({ text }) => text);
  if (unread.length > 0)
    return {
      predicate: noStandingObjection,
      holds: false,
      evidence: [...new Set([...unread, ...refusals])].join(" "),
    };
  const attacks = [
    ...(await judgeAttack(files, ofBase, statement)),
    ...(await judgeCareless(files, ofBase, statement)),
  ];
  const special = await findSpecialCases(context, files, tests, { candidate, state });
  const shared = await findTestData(context, files);
  const own = await findOwnTests(context, files, tests, { candidate, state });
  const isNarrow = review?.findings.some((finding) => finding.isNarrow) === true;
  const computed = [
    ...[...attacks, ...shared, ...own].filter(({ weight }) => weight === "objection"),
    // Doubts from the text remain even if the candidate was measured.
    ...special.filter(({ weight }) => weight === "objection" || isNarrow),
  ];
  // Without a model nobody can answer: there a twin only weakens the evidence.
  const twins = state === undefined ? [] : (await judgeTwins(context, candidate, review)).open;
  const parts = await openParts(context, candidate, tests, state, review);
  // A check of the review may have found the same.
  const objections = [...new Set([...computed.map(({ text }) => text), ...refusals, ...twins, ...parts])];
  const clean = "no sign of an attack or of a special case was found";
  const evidence =
    objections.length > 0
      ? objections.join(" ")
      : `${review === undefined ? "nobody reviewed it" : "no objection of the review is open"}, and ${clean}`;
  return { predicate: noStandingObjection, holds: objections.length === 0, evidence };
}

/** As for twins, nobody can answer without a model. */
async function openParts(
  context: ObjectionContext,
  candidate: Candidate,
  tests: readonly TestKey[],
  state: TaskState | undefined,
  review: Review | undefined,
): Promise<readonly string[]> {
  if (state === undefined) return [];
  return judgeParts(await listUnshownParts(context, state, candidate, tests), tests, review).open;
}

interface Judged {
  readonly candidate: Candidate;
  readonly state: TaskState | undefined;
}

type ObjectionContext = Pick<ActionContext, "workspace" | "regions" | "task">;

/** Kinds in which code must pass tests that its author did not write. */
const fitted: ReadonlySet<TaskKind> = new Set(["repair", "partial-fix", "code-generation"]);

async function findSpecialCases(
  { workspace, regions, task }: ObjectionContext,
  files: readonly ChangedFile[],
  tests: readonly TestKey[],
  { candidate, state }: Judged,
): Promise<Finding[]> {
  const isFeature = task.kind === "feature";
  if (!fitted.has(task.kind) && !isFeature) return [];
  const own = treesOfTests(workspace, state?.candidates ?? []);
  const trees = isFeature ? [...own, candidate.tree] : own;
  const shown = await readShownKeys(workspace.trees, trees, tests);
  const { statement } = task;
  const input = { files, shown, statement, base: baseFiles(workspace), regions };
  if (isFeature) return judgeSpecialCases({ ...input, isFeature });
  const plain = await readTestFiles(workspace.trees, trees, tests, files);
  return [...(await judgeSpecialCases(input)), ...judgePlainCases(files, plain, statement)];
}

/** For tests that the run wrote, next to its patch or in it. */
async function findOwnTests(
  { workspace, task: { kind, statement } }: ObjectionContext,
  files: readonly ChangedFile[],
  tests: readonly TestKey[],
  { candidate, state }: Judged,
): Promise<Finding[]> {
  const { trees, base } = workspace;
  const [, ...written] = treesOfTests(workspace, state?.candidates ?? []);
  const own = await readOwnTests(trees, base, [candidate.tree, ...written], tests);
  const moved = fitted.has(kind) ? judgeMovedGoals(files, own, statement) : [];
  const blamed =
    kind === "repair" && formOfPatch(files) === "deletes" ? await judgeBlamed(files, statement) : [];
  if (blamed.length > 0) return blamed;
  if (state === undefined || moved.length > 0) return moved;
  return judgeOwnTests({ kind, files, tests: own, statement, base: baseFiles(workspace) });
}

async function findTestData(
  { workspace, regions, task }: ObjectionContext,
  files: readonly ChangedFile[],
): Promise<Finding[]> {
  if (!fitted.has(task.kind)) return [];
  const isTest = (path: string): boolean => regions.isWhole(path);
  return judgeTestData({ files, base: baseFiles(workspace), isTest, statement: task.statement });
}

/**
 * Lists the review's refusals that still count. A measurement counts until the next review. An opinion counts until all
 * tests that were added after the review pass. A check's objection counts only for the reviewed candidate: even a
 * change of comments may remove its cause. Pure.
 */
export function listRefusals(
  { candidate, verdict = "", isApproved, findings, asked }: Review,
  { id }: Pick<Candidate, "id">,
  state: Pick<TaskState, "fault" | "rows">,
): string[] {
  const measured = findings
    .filter(({ weight }) => weight === "refuted" || (weight === "objection" && candidate === id))
    .map(({ text }) => text);
  const opinions = [
    ...(isApproved === false
      ? [`The review did not approve the patch: ${verdict.replace(/^not approved: /, "")}.`]
      : []),
    ...findings
      .filter(({ check, weight }) => check === "reviewer-of-patch" && weight === "doubt")
      .map(({ text }) => `The review did not approve the patch: ${text}`),
  ];
  return [...measured, ...(opinions.length > 0 && isRefutedByTest(asked, id, state) ? [] : opinions)];
}

function isRefutedByTest(
  asked: Review["asked"],
  id: string,
  { fault, rows }: Pick<TaskState, "fault" | "rows">,
): boolean {
  const row = rowOf({ rows }, id);
  if (asked === undefined || row === undefined || row.invalid !== undefined) return false;
  const before = new Set(asked);
  const since = askedOf(fault).filter((test) => !before.has(test));
  const passing = new Set(
    row.outcomes.filter(({ status }) => status === "passed").map(({ key }) => formatTestKey(key)),
  );
  return since.length > 0 && since.every((test) => passing.has(test));
}

/**
 * Tells people why a candidate is not verified. The first reason is the objection, if there is one, in its own words.
 */
export function tellUnmet(gate: readonly Predicate[], told: readonly string[]): string {
  const unmet = gate.filter(({ holds }) => !holds);
  const objection = unmet.find(({ predicate }) => predicate === noStandingObjection);
  const rest = unmet
    .filter((each) => each !== objection)
    .map(({ predicate, evidence }) => (told.includes(predicate) ? `${predicate} (${evidence})` : predicate));
  return [
    ...(objection === undefined ? [] : [`an objection stands: ${objection.evidence.replace(/\.$/, "")}`]),
    ...rest,
  ].join("; ");
}
