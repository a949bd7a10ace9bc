import { z } from "zod";
import { type ActionContext, type ActionEnd, defineAction, type JudgeContext } from "../agent/action.ts";
import { openingOfEdit } from "../agent/candidates/edit-opening.ts";
import { checkFiles, refuseFiles, withoutRefused } from "../agent/candidates/edited-files.ts";
import { measureEdit, measureSince } from "../agent/candidates/measure-edit.ts";
import {
  type Links,
  linkRequirements,
  linksSchema,
  refuseLinks,
  specify,
  withoutChange,
} from "../agent/candidates/requirements.ts";
import { tellPrograms } from "../agent/candidates/run-programs.ts";
import { tellRow } from "../agent/candidates/tell-row.ts";
import { toolsOver } from "../agent/code/code-tools.ts";
import { withEnding } from "../agent/code/ending-edit.ts";
import { guardEdits } from "../agent/code/guard-edits.ts";
import { guardTabu } from "../agent/control/tabu.ts";
import { type Part, type PartName, partNames } from "../agent/kinds/contract.ts";
import { rulesOf } from "../agent/kinds/rules-of.ts";
import { handlePrefix } from "../agent/record/outputs.ts";
import { keepCandidate } from "../agent/state/keep-candidate.ts";
import { leftOpenSchema, withLeftOpen } from "../agent/state/left-open.ts";
import { type SaysWrong, saysWrongSchema, withSaysWrong } from "../agent/state/says-wrong.ts";
import { findCandidate, type Requirement, type TaskState } from "../agent/state/task-state.ts";
import { type ThinkTool, think } from "../agent/think/think.ts";
import type { Candidate } from "../domain/candidate.ts";
import { taskKindSchema } from "../domain/task.ts";
import { editorPrompt } from "./edit-code.prompt.ts";

const done = z.object({
  summary: z.string().min(1).describe("the change and its effect, in one or two sentences"),
  cannot: z
    .boolean()
    .optional()
    .describe("true if no change is needed or possible; give the reason in the summary"),
  leftOpen: leftOpenSchema,
});
/** The field for claims about existing tests, in a repair. */
const repairing = { saysWrong: saysWrongSchema };
const links = {
  requirements: linksSchema
    .default([])
    .describe(
      "one entry for each requirement, with the tests and changes that meet it; required to end the work",
    ),
};
/** The field for an edit that continues a candidate, in which every requirement already has an entry. */
const relinks = {
  requirements: linksSchema
    .default([])
    .describe(
      "an entry for each requirement whose tests or changes differ from the state; empty if none differ",
    ),
};

interface Done {
  readonly summary: string;
  readonly cannot?: boolean | undefined;
  readonly requirements?: Links;
  readonly saysWrong?: SaysWrong;
  readonly leftOpen?: readonly string[] | undefined;
}

const input = z.object({
  intent: z
    .string()
    .default("")
    .describe(
      "the change, its place and the reason; for a place FILE:START-END, the editor also sees the code; absent: the statement's change, at the known places",
    ),
  from: z
    .string()
    .default("base")
    .describe("the candidate to continue from, such as c1; base: start again from the original code"),
  part: z
    .enum(partNames)
    .optional()
    .describe(
      "test (usual): write tests; fix: repair the code, to check that the new tests pass with the repair",
    ),
});

export default defineAction({
  name: "edit-code",
  description:
    "Writes a candidate, based on the base or on an earlier candidate. A candidate changes either code or tests; in a feature task, it can change both. Name the change and its place. The editor's files do not include the tests of `reproduction`. To change those tests, call `reproduction`.",
  input,
  example: {
    intent: "In src/cart.py:40-52, include the last entry in the sum: the loop ends one entry too early.",
    from: "c1",
  },
  // A single choice is no choice.
  inputFor: (kind) => (rulesOf(kind).parts.length > 1 ? input : input.omit({ part: true })),
  kinds: taskKindSchema.options,
  effect: "writes",
  reads: ["codePlaces", "testPlaces", "answers", "candidates", "fault", "rows", "requirements", "refuted"],
  // And `rows`, if edits are measured.
  writes: ["candidates", "requirements", "saysWrong", "leftOpen"],
  async run(context, state, { intent, from, part: name }) {
    const begun = beginEdit(context, state, from, name);
    if (typeof begun === "string") return { state, text: begun, isError: true };
    const { part, parent } = begun;
    const next = await specify(context, state);
    const start = parent?.tree ?? context.workspace.base;
    await context.view.lay(start);
    const unlinked = parent === undefined ? next.requirements : withoutChange(next.requirements);
    const end = doneTool(context, { all: next.requirements, unlinked }, begun, start);
    const ended = await think(context, {
      role: "editing",
      system: editorPrompt,
      opening: await openingOfEdit(context, next, { part, parent, intent }),
      tools: withEnding(
        guardEdits(
          context,
          await guardTabu<Done>(context, next, start, toolsOver(context, "editing")),
          (before) => checkFiles(context, part, start, before),
        ),
        end,
        linksFor(next.requirements, unlinked),
      ),
      maxSteps: 25,
      takeWords: (text, inARow) => takeWords(end, context.view.tree() !== start, text, inARow),
    });
    if (ended.kind === "stopped") await withoutRefused(context, part, start);
    if (context.view.tree() === start) {
      const why = ended.kind === "ended" ? ended.value.summary : ended.message;
      const text = `The author's work changes no file: ${why.replace(/\.\s*$/, "")}.`;
      const isMeant = ended.kind === "ended" && parent !== undefined;
      if (!isMeant) return { state: next, text, isError: true };
      const isRelinked = (ended.value.requirements ?? []).length > 0;
      const linked = withLeftOpen(withLinks(next, ended.value), ended.value.leftOpen, parent.id);
      return leave(context, linked, parent, { said: text, isRelinked });
    }
    if (ended.kind === "ended") return keep(context, next, begun, ended.value);
    return keep(context, next, begun, { summary: `(not finished: ${ended.message}) ${intent}`.trim() });
  },
});

interface BegunEdit {
  readonly part: Part;
  readonly parent: Candidate | undefined;
}

/** Begins an edit. Returns the reason as a text if the edit cannot begin. */
function beginEdit(
  { task }: Pick<ActionContext, "task">,
  state: TaskState,
  from: string,
  name: PartName | undefined,
): BegunEdit | string {
  const { parts } = rulesOf(task.kind);
  const part = name === undefined ? parts[0] : parts.find((each) => each.name === name);
  if (part === undefined)
    return `Tasks of the kind ${task.kind} have no part ${name}. Their parts: ${parts.map((each) => each.name).join(", ")}.`;
  const parent = findCandidate(state, from);
  if (parent === undefined && from !== "base") return `There is no candidate ${from}.`;
  if (parent !== undefined && parent.kind !== part.kind)
    return `${from} does not belong to the part ${part.name}: begin from base, or from a candidate of this part.`;
  return { part, parent };
}

/**
 * Returns the field for links to requirements, which every author can correct. Returns no field without requirements.
 */
function linksFor(
  all: readonly Requirement[],
  unlinked: readonly Requirement[],
): typeof links | Record<string, never> {
  return all.length === 0 ? {} : unlinked.length === 0 ? relinks : links;
}

interface Listed {
  readonly all: readonly Requirement[];
  /** The requirements that need an entry. */
  readonly unlinked: readonly Requirement[];
}

function doneTool(
  context: Pick<ActionContext, "regions" | "view" | "workspace">,
  { all, unlinked }: Listed,
  { part, parent }: BegunEdit,
  start: string,
): ThinkTool<Done> {
  const { view, workspace } = context;
  const form = done.extend(linksFor(all, unlinked));
  const input = part.name === "patch" ? form.extend(repairing) : form;
  let saidNothing = 0;
  return {
    name: "done",
    description: "Ends the work: the change is complete, or no change is needed or possible.",
    input,
    async run(asked) {
      const said: Done = input.parse(asked);
      if (view.tree() === start) {
        saidNothing += 1;
        return saidNothing > 1 || said.cannot === true || parent !== undefined
          ? { text: "Nothing is changed.", end: said }
          : { text: unchanged, isError: true };
      }
      const changed = await workspace.trees.stat(workspace.base, view.tree());
      const links = said.requirements ?? [];
      const problem =
        (await refuseFiles(context, part, start, said.saysWrong)) ??
        refuseLinks(unlinked, links, new Set(changed.map(({ path }) => path)));
      return problem === undefined ? { text: "Kept.", end: said } : { text: problem, isError: true };
    },
  };
}

/**
 * Handles text without a tool call. After an edit, the text is the summary of `done`. Without an edit, the second such
 * text in a row is the reason for no change.
 */
async function takeWords(
  done: ThinkTool<Done>,
  isChanged: boolean,
  text: string,
  inARow: number,
): Promise<Done | undefined> {
  if (text === "") return undefined;
  if (isChanged) return (await done.run({ summary: text })).end;
  return inARow < 2 ? undefined : { summary: text, cannot: true };
}

const unchanged =
  "You have changed nothing yet: make the change with `edit`. If no change is needed or possible, call `done` again and give the reason.";

function withLinks(state: TaskState, { requirements: links = [] }: Done): TaskState {
  return { ...state, requirements: linkRequirements(state.requirements, links) };
}

/**
 * Keeps the original candidate, which needs no change, and measures it with later tests. `isRelinked`: measures it
 * again, because its row says which requirements lack a test.
 */
async function leave(
  context: JudgeContext & Pick<ActionContext, "measuresEdits" | "switches">,
  state: TaskState,
  parent: Candidate,
  { said, isRelinked }: { readonly said: string; readonly isRelinked: boolean },
): Promise<ActionEnd> {
  const row = await (isRelinked ? measureEdit : measureSince)(context, state, parent);
  if (row === undefined) return { state, text: said };
  const measured = { ...state, rows: [...state.rows, row] };
  return { state: measured, text: `${said}\n\n${tellRow(context, measured, row)}` };
}

async function keep(
  context: JudgeContext & Pick<ActionContext, "measuresEdits" | "switches">,
  state: TaskState,
  { part, parent }: BegunEdit,
  done: Done,
): Promise<ActionEnd> {
  const { summary, saysWrong = [], leftOpen } = done;
  const tree = context.view.tree();
  const from = parent === undefined ? {} : { parent: parent.id };
  const patch = { tree, kind: part.kind, origin: summary, ...from };
  const next = withSaysWrong(withLinks(state, done), saysWrong);
  const { state: added, candidate } = keepCandidate(context, next, patch);
  const kept = { candidate, state: withLeftOpen(added, leftOpen, candidate.id) };
  const made = `Candidate ${kept.candidate.id}: ${summary}\n\n${await describeDiff(context, tree)}`;
  const row = await measureEdit(context, kept.state, kept.candidate);
  const measured = row === undefined ? kept.state : { ...kept.state, rows: [...kept.state.rows, row] };
  const told = row === undefined ? [] : [tellRow(context, measured, row)];
  // A faithful strategy runs nothing that its model did not choose.
  const { state: ran, text } =
    context.measuresEdits === true
      ? await tellPrograms(context, measured, candidate)
      : { state: measured, text: "" };
  return { state: ran, text: [made, ...told, ...(text === "" ? [] : [text])].join("\n\n") };
}

/** Describes the changes by file, with the handle of the whole diff. The planner does not need the diff's lines. */
async function describeDiff(
  { workspace: { trees, base }, recorder }: Pick<ActionContext, "workspace" | "recorder">,
  tree: string,
): Promise<string> {
  const files = await trees.stat(base, tree);
  const diff = (await trees.diff(base, tree)).replaceAll(/^index .*\n/gm, "").trimEnd();
  const listed = files.map(({ path, added, removed }) => `${path} +${added} -${removed}`).join(", ");
  return `${listed} (${handlePrefix}${recorder.outputs.keep(diff)} has the diff)`;
}
