/**
 * Renders the first message to a reviewer: the statement, the change with its context, test results, and the checks'
 * findings.
 */
import type { Candidate } from "../../../domain/candidate.ts";
import { formatTestKey, type TestKey } from "../../../domain/test-outcome.ts";
import type { ActionContext } from "../../action.ts";
import { tellPrograms } from "../../candidates/run-programs.ts";
import { readChange } from "../../code/change.ts";
import { tellLeftOut } from "../../code/collected-tests.ts";
import { renderExistingTests } from "../../code/existing-tests.ts";
import { foldStandardFrames } from "../../code/stack-frames.ts";
import type { ProgramContext } from "../../measure/run-program.ts";
import { shorten } from "../../record/shorten.ts";
import { renderFailures, renderRequirement, renderRow } from "../../state/render-state.ts";
import { describeSaysWrong } from "../../state/says-wrong.ts";
import { type Review, rowOf, type TaskState } from "../../state/task-state.ts";
import { listTests } from "../../state/test-titles.ts";
import { showTwin, type Twin } from "../twins/unchanged-twins.ts";
import { showRemovedCalls } from "./removed-calls.ts";
import { showChange } from "./show-change.ts";

const longestChange = 16_000;
const longestTests = 8_000;

export interface Measured {
  readonly review: Review;
  readonly twins?: readonly Twin[];
  readonly parts?: readonly string[];
  readonly droppable: readonly TestKey[];
}

export async function openReview(
  context: ProgramContext &
    Pick<ActionContext, "suite" | "regions" | "view" | "task" | "workspace" | "frameworks">,
  state: TaskState,
  candidate: Candidate,
  { review, droppable, twins = [], parts = [] }: Measured,
): Promise<string> {
  const { regions, workspace } = context;
  const { trees, base } = workspace;
  const change = await readChange(trees, regions, base, candidate.tree);
  const changed = change.files.map(showChange).join("\n\n");
  const called = await showRemovedCalls(context, change);
  const reproductions = state.candidates.filter(({ kind }) => kind === "reproduction");
  const written = await Promise.all(
    reproductions.map(async ({ tree }) =>
      (await readChange(trees, regions, base, tree)).files.map(showChange),
    ),
  );
  const row = rowOf(state, candidate.id);
  const present = (await trees.list(base)).map(({ path }) => path);
  const leftOut = tellLeftOut(context.suite, present);
  const code = change.files.filter(({ isTest }) => !isTest);
  const spans = code.flatMap(({ path, hunks }) =>
    hunks.map(({ afterStart, afterEnd }) => ({ file: path, startLine: afterStart, endLine: afterEnd })),
  );
  const existing = await renderExistingTests(context, spans);
  const required = state.requirements.map((each) => `- ${renderRequirement(each)}`);
  const findings = review.findings.filter(({ isForPeople }) => isForPeople !== true);
  const found = findings.map(({ check, weight, text }) => `- ${weight} (${check}): ${text}`);
  return [
    `# The statement\n\n${foldStandardFrames(context.task.statement)}`,
    ...(required.length === 0
      ? []
      : [`# The requirements, derived from the statement\n\n${required.join("\n")}`]),
    `# The patch ${candidate.id}: ${candidate.origin}\n\nThe files with the patch: lines with \`+\` are new, those with \`-\` are gone.\n\n${shorten(changed, longestChange)}`,
    ...describeRefusal(state, candidate),
    ...describeEarlier(state, candidate),
    ...(twins.length === 0 ? [] : [await describeTwins(workspace, candidate, twins)]),
    ...(parts.length === 0 ? [] : [describeParts(state, parts)]),
    ...(called.length === 0 ? [] : [`# Functions that the patch no longer calls\n\n${called.join("\n\n")}`]),
    ...(written.length === 0
      ? []
      : [
          `# The written tests\n\n${[...describeHeldBack(state), shorten(written.flat().join("\n\n"), longestTests)].join("\n\n")}`,
        ]),
    ...(existing === "" ? [] : [`# Existing tests of the changed code\n\n${existing}`]),
    `# Test results\n\n${row === undefined ? "The tests did not run with the patch." : [`${renderRow(row, state.fault)}.`, ...renderFailures(row.targets), leftOut].filter((text) => text !== "").join("\n\n")}`,
    ...(await describePrograms(context, state, candidate)),
    `# Measurements\n\n${found.length === 0 ? "No result counts against the patch." : found.join("\n")}`,
    ...(droppable.length === 0 ? [] : [describeDroppable(droppable)]),
    ...describeSaysWrong(state),
  ].join("\n\n");
}

async function describePrograms(
  context: ProgramContext,
  state: TaskState,
  candidate: Candidate,
): Promise<string[]> {
  const { text } = await tellPrograms(context, state, candidate);
  return text === "" ? [] : [`# Standalone programs that fail without the patch\n\n${text}`];
}

async function describeTwins(
  workspace: ActionContext["workspace"],
  { tree }: Candidate,
  twins: readonly Twin[],
): Promise<string> {
  const shown = await Promise.all(twins.map((twin) => showTwin(workspace, tree, twin)));
  return `# Places that equal the replaced code\n\nThe patch leaves them unchanged. A fault is often copied with its code. Read each place. Say in \`twins\` whether the place needs the same change, and why. If it does, do not approve the patch, and request this change in the advice.\n\n${shown.join("\n\n")}`;
}

function describeParts({ fault }: TaskState, parts: readonly string[]): string {
  const listed = parts.map((part, at) => `${at + 1}. ${part}`).join("\n");
  const tests = (fault?.targets ?? []).map((key) => `- ${formatTestKey(key)}`).join("\n");
  return `# Stated cases that no test visibly checks\n\n${listed}\n\nFor each case, name in \`parts\` the test that fails without the patch because of this case. Leave \`test\` empty if there is none. If the task does not ask for the case, set \`isCase\` to false and say why in \`because\`. Check also that the patch repairs each case. These tests show the fault:\n${tests}`;
}

/** Describes an earlier refusal of this patch. The refusal stands until the reviewer withdraws it. */
function describeRefusal({ reviews }: TaskState, { id }: Candidate): string[] {
  const own = reviews.findLast(({ candidate }) => candidate === id);
  if (own?.isApproved !== false) return [];
  const said = `${own.verdict}. ${own.advice ?? ""}`.trimEnd();
  return [
    `# An earlier review refused this patch\n\n${said}\n\nThe patch is the same. Approve it only if that refusal was wrong: check it with a test.`,
  ];
}

/** Describes the reviews of other candidates, so that the reviewer checks their requests. */
function describeEarlier({ reviews }: TaskState, { id: own }: Candidate): string[] {
  const told = reviews.flatMap(({ candidate, verdict, advice = "" }) =>
    candidate === own || verdict === undefined ? [] : [`- ${candidate}: ${verdict}. ${advice}`.trimEnd()],
  );
  return told.length === 0 ? [] : [`# Reviews of other candidates\n\n${told.join("\n")}`];
}

function describeHeldBack({ fault }: TaskState): string[] {
  const { heldBack = [] } = fault ?? {};
  return heldBack.length === 0
    ? []
    : [`Held-back tests, which the author of the patch did not see: ${listTests(heldBack)}.`];
}

function describeDroppable(droppable: readonly TestKey[]): string {
  const names = droppable.map((key) => `- ${formatTestKey(key)}`).join("\n");
  return `# Tests that may be wrong themselves\n\nThis run wrote the tests below. No candidate passes them, but the patch passes another test of the fault, and breaks no test of the repository. Drop a test only if its expectation contradicts the statement, or if its setup is so broken that no code can pass the test. Give the reason for each dropped test. The tests:\n${names}`;
}
