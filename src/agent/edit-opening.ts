/** What an editor is told at the beginning. */
import type { Candidate } from "../domain/candidate.ts";
import type { ActionContext } from "./action.ts";
import type { Part } from "./kinds/contract.ts";
import { findTarget } from "./kinds/target.ts";
import { describeTarget } from "./kinds/target-text.ts";
import { renderPlaceTexts } from "./place-texts.ts";
import { renderFailures, renderState } from "./render-state.ts";
import { type MatrixRow, type Place, rowOf, type TaskState, withoutHeldBack } from "./task-state.ts";

const mostMissing = 40;

export interface EditAsked {
  readonly part: Part;
  readonly parent: Candidate | undefined;
  readonly intent: string;
}

export async function openingOfEdit(
  context: ActionContext,
  state: TaskState,
  { part, parent, intent }: EditAsked,
): Promise<string> {
  const { task } = context;
  const row = parent === undefined ? undefined : rowOf(state, parent.id);
  const begin =
    parent === undefined
      ? "the code as it is"
      : `candidate ${parent.id}, whose change is in place: ${parent.origin}`;
  const sections: readonly (readonly [string, string])[] = [
    ["The statement", task.statement],
    ["The target as it is now", await describeTarget(context)],
    ["What is known", renderState(state)],
    ["What fails now", renderFailing(context, state, row)],
    ["What is missing", listMissing(row)],
    ["What was found", answersOf(state)],
    ["The places as they are now", await placesOf(context, state, part)],
    ["Change", `You begin with ${begin}.\n\n${part.guidance}\n\n${intent}`],
  ];
  return sections
    .filter(([, text]) => text !== "")
    .map(([title, text]) => `# ${title}\n\n${text}`)
    .join("\n\n");
}

function renderFailing(
  { recorder }: ActionContext,
  { fault }: TaskState,
  row: MatrixRow | undefined,
): string {
  const outcomes = withoutHeldBack(fault, row?.outcomes ?? fault?.baseRuns[0] ?? []);
  return renderFailures(outcomes, recorder.outputs).join("\n\n");
}

function listMissing(row: MatrixRow | undefined): string {
  const missing = row?.missing ?? [];
  const more = missing.length > mostMissing ? [`… and ${missing.length - mostMissing} more`] : [];
  return [...missing.slice(0, mostMissing), ...more].map((item) => `- ${item}`).join("\n");
}

function answersOf({ answers }: TaskState): string {
  return [answers.code, answers.tests].filter((answer) => answer !== undefined).join("\n\n");
}

/** Of code for code, of both where tests are written. */
async function placesOf(
  { task, view, workspace: { trees, base } }: ActionContext,
  { codePlaces, testPlaces }: TaskState,
  { files }: Part,
): Promise<string> {
  const places = files === "code" ? codePlaces : [...codePlaces, ...testPlaces];
  const read = (tree: string) => async (file: string) => (await trees.read(tree, file))?.toString("utf8");
  const target = await findTarget(task.target, read(base));
  // It stands in the opening already.
  const isShown = ({ file, startLine, endLine }: Place): boolean =>
    target.ok &&
    file === target.value.file &&
    target.value.spans.some((span) => span.startLine <= startLine && endLine <= span.endLine);
  const rest = places.filter((place) => !isShown(place));
  return renderPlaceTexts(rest, { now: read(view.tree()), base: read(base) });
}
