/** Renders the first message to the model that writes a change: code, tests or both. */

import { countOf } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import { formatTestKey, isFailing, type TestOutcome } from "../../domain/test-outcome.ts";
import type { ActionContext } from "../action.ts";
import { describeCalls } from "../code/calls-around.ts";
import { describeCollected } from "../code/collected-tests.ts";
import { spansAfter } from "../code/diff-spans.ts";
import { choosePlaces, type EditPlaces } from "../code/edit-places.ts";
import { exampleOf, renderExistingTests } from "../code/existing-tests.ts";
import { definitionsOf } from "../code/likely-places.ts";
import { renderPlaceTexts, type TextPlace } from "../code/place-texts.ts";
import { foldStandardFrames } from "../code/stack-frames.ts";
import type { Part } from "../kinds/contract.ts";
import { firstSentence } from "../record/shorten.ts";
import { tellLeftOpen } from "../state/left-open.ts";
import { linesOf, nothingShown, renderFailures, renderFault } from "../state/render-state.ts";
import { type MatrixRow, rowOf, type TaskState, withoutHeldBack } from "../state/task-state.ts";
import { joinSections } from "../think/parts.prompt.ts";
import { describeTarget, type TargetText } from "./target-text.ts";

const mostMissing = 40;
/** Token budget for code that only rules have ranked and no model has read. */
const unreadTokens = 2_000;
/** Maximum lines of a function to show it whole, if a model has read it. */
const readWhole = 100;

export interface EditAsked {
  readonly part: Part;
  readonly parent: Candidate | undefined;
  readonly intent: string;
}

export async function openingOfEdit(
  context: Pick<
    ActionContext,
    "suite" | "view" | "likely" | "advise" | "task" | "workspace" | "recorder" | "frameworks"
  >,
  state: TaskState,
  { part, parent, intent }: EditAsked,
): Promise<string> {
  const { task } = context;
  const row = parent === undefined ? undefined : rowOf(state, parent.id);
  const begin =
    parent === undefined
      ? ""
      : `You begin with candidate ${parent.id}, whose change is in place: ${firstSentence(parent.origin)}.${askLeftOpen(state, parent)}\n\n`;
  const target = await describeTarget(context, true);
  const { places, areNamed, areRead, absent } = await placesOf(
    context,
    state,
    { part, parent, intent },
    target,
  );
  const existing = areRead ? await renderExistingTests(context, places) : "";
  const lacksExample = part.files !== "code" && existing === "";
  const known = [...target.spans.map((span) => ({ file: target.file, ...span, why: "" })), ...places];
  const example = lacksExample ? await exampleOf(context, { ...state, codePlaces: known }) : "";
  const sections: readonly (readonly [string, string])[] = [
    ["The statement", foldStandardFrames(task.statement)],
    ["The target's current text", target.text],
    [`The review of ${parent?.id ?? ""}`, reviewOf(state, parent)],
    ["Known so far", renderKnown(state, parent)],
    ["Failing tests", renderFailing(context, state, row)],
    ["What is missing", listMissing(row)],
    ["The tests", part.files === "code" ? "" : await collected(context)],
    ["Existing tests of these places", existing],
    ["Example of a test in this repository", example],
    ["Findings", answersOf(state, part, areNamed && context.advise !== false)],
    ["Current text of the places", await textsOf(context, places, areRead)],
    [
      "Change",
      [`${begin}${part.guidance}`, intent, ...absent.map((file) => `There is no file ${file} here.`)]
        .filter((text) => text !== "")
        .join("\n\n"),
    ],
  ];
  return joinSections(sections);
}

function askLeftOpen(state: TaskState, { id }: Candidate): string {
  const told = tellLeftOpen(state, id);
  return told === ""
    ? ""
    : ` ${told}. If your change completes these parts, set \`leftOpen\` to an empty list.`;
}

async function collected({
  suite,
  workspace: { trees, base },
}: Pick<ActionContext, "suite" | "workspace">): Promise<string> {
  return describeCollected(
    suite,
    (await trees.list(base)).map(({ path }) => path),
  );
}

/**
 * Renders the failures in `row`, or without a row those on the base. Only counts other failures that also occur without
 * a patch.
 */
function renderFailing(
  { recorder, suite, task }: Pick<ActionContext, "suite" | "task" | "recorder">,
  { fault }: TaskState,
  row: MatrixRow | undefined,
): string {
  // Before the code is written, all failures have the same message.
  if (task.kind === "code-generation" && row === undefined)
    return fault === undefined ? "" : renderFault(fault, task.kind);
  const outcomes = withoutHeldBack(fault, row?.outcomes ?? fault?.baseRuns[0] ?? []);
  const targets = new Set((fault?.targets ?? []).map(formatTestKey));
  const before = new Set(
    suite.outcomes.filter(({ status }) => isFailing(status)).map(({ key }) => formatTestKey(key)),
  );
  const isOld = ({ key, status }: TestOutcome): boolean =>
    isFailing(status) && before.has(formatTestKey(key)) && !targets.has(formatTestKey(key));
  const old = outcomes.filter(isOld).length;
  const said = renderFailures(
    outcomes.filter((outcome) => !isOld(outcome)),
    recorder.outputs,
  );
  const others =
    old === 0 ? [] : [`${countOf(old, "other test fails", "other tests fail")}, as without any patch.`];
  return [...said, ...others].join("\n\n");
}

function listMissing(row: MatrixRow | undefined): string {
  const missing = row?.missing ?? [];
  const more = missing.length > mostMissing ? [`… and ${missing.length - mostMissing} more`] : [];
  return [...missing.slice(0, mostMissing), ...more].map((item) => `- ${item}`).join("\n");
}

/**
 * Renders the newest review of `parent`: its verdict, its advice, and its findings without notes. A verdict replaces
 * the reviewer's own findings.
 */
function reviewOf({ reviews }: TaskState, parent: Candidate | undefined): string {
  const review = reviews.findLast(({ candidate }) => candidate === parent?.id);
  const found = (review?.findings ?? []).filter(
    ({ check, weight }) => weight !== "note" && (check !== "reviewer" || review?.verdict === undefined),
  );
  return [
    review?.verdict ?? [],
    review?.advice ?? [],
    found.map(({ weight, text }) => `- ${weight}: ${text}`),
  ]
    .flat()
    .join("\n");
}

/** The facts that the other sections of the opening omit. The review of `parent` has its own section. */
function renderKnown(state: TaskState, parent: Candidate | undefined): string {
  const candidates = state.candidates.filter(({ kind }) => kind !== "reproduction");
  const reviews = state.reviews.filter(({ candidate }) => candidate !== parent?.id);
  const rest = { ...state, codePlaces: [], testPlaces: [], candidates, reviews, fault: undefined };
  const text = linesOf(rest).filter((line) => !nothingShown(state).includes(line));
  const held = state.fault?.heldBack.length ?? 0;
  const hidden = held === 0 ? [] : [`${held} of the tests ${held === 1 ? "is" : "are"} held back.`];
  return [...text, ...hidden].join("\n");
}

/**
 * Shows the search's answers. Only authors of tests see the answer about tests. Omits the answer about code if the
 * intent names the place.
 */
function answersOf({ answers }: TaskState, { files }: Part, isNamed: boolean): string {
  const code = isNamed ? undefined : answers.code;
  const tests = files === "code" ? undefined : answers.tests;
  return [answers.seen, code, tests].filter((answer) => answer !== undefined).join("\n\n");
}

/** Authors of code get places in code, authors of tests also places in tests. Both get the changes of `parent`. */
async function placesOf(
  { likely, workspace: { trees, base } }: Pick<ActionContext, "likely" | "workspace">,
  { codePlaces, testPlaces }: TaskState,
  { part: { files }, parent, intent }: EditAsked,
  target: TargetText,
): Promise<EditPlaces & { readonly places: readonly TextPlace[]; readonly areRead: boolean }> {
  const known = files === "code" ? codePlaces : [...codePlaces, ...testPlaces];
  // Includes a candidate's own new files.
  const listed = new Set((await trees.list(parent?.tree ?? base)).map(({ path }) => path));
  // If the work continues from a candidate, its changed lines are the places.
  const isGuessed = known.length === 0 && files !== "tests" && parent === undefined;
  const found = isGuessed ? (likely?.places ?? []) : known;
  const chosen = choosePlaces(intent, found, listed);
  const changed = parent === undefined ? [] : spansAfter(await trees.diff(base, parent.tree));
  const own = changed.map((span) => ({ ...span, why: `changed by ${parent?.id}`, isNow: true as const }));
  // Line numbers refer to the candidate that the work continues from.
  const named = chosen.places.map((place) =>
    parent === undefined || found.includes(place) ? place : { ...place, isNow: true as const },
  );
  const areRead = known.length > 0 || chosen.areNamed;
  return { ...chosen, areRead, places: [...named, ...own].flatMap((place) => withoutShown(place, target)) };
}

/** Minimum lines of a place's remainder after a cut; shorter remainders are useless alone. */
const fewestLeft = 4;

/** Cuts the target's lines out of a place, because the first message already shows them. Drops short remainders. */
export function withoutShown(place: TextPlace, { file, spans }: TargetText): TextPlace[] {
  if (place.file !== file) return [place];
  return spans.reduce<TextPlace[]>(
    (left, { startLine, endLine }) =>
      left.flatMap((each) =>
        endLine < each.startLine || each.endLine < startLine
          ? [each]
          : [
              { ...each, endLine: startLine - 1 },
              { ...each, startLine: endLine + 1 },
            ].filter((part) => part.endLine - part.startLine + 1 >= fewestLeft),
      ),
    [place],
  );
}

/**
 * Renders the code of the places. If a model has read them, shows longer functions whole, and names callers and
 * callees.
 */
async function textsOf(
  { view, workspace: { trees, base } }: Pick<ActionContext, "view" | "workspace">,
  places: readonly TextPlace[],
  areRead: boolean,
): Promise<string> {
  const read = (tree: string) => async (file: string) => (await trees.read(tree, file))?.toString("utf8");
  const definitions = async (file: string) => definitionsOf(view, file);
  const texts = { now: read(view.tree()), base: read(base), definitions };
  if (!areRead) return renderPlaceTexts(places, texts, unreadTokens);
  const shown = await renderPlaceTexts(places, { ...texts, wholeLines: readWhole });
  return [shown, ...describeCalls(await view.context.graph(), places)]
    .filter((text) => text !== "")
    .join("\n\n");
}
