/**
 * Turns the specification into a numbered list of checkable requirements, and lists those that a candidate does not
 * meet yet.
 */

import { z } from "zod";
import { countOf } from "../../base/count.ts";
import { formatTestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import type { ActionContext } from "../action.ts";
import { overlap, type Span } from "../code/diff-spans.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import { isNamedBy } from "../state/named-test.ts";
import type { Requirement, TaskState } from "../state/task-state.ts";
import { requirementsPrompt } from "./requirements.prompt.ts";
import { targetSection } from "./target-text.ts";

const mostRequirements = 20;

const listSchema = z.object({
  requirements: z
    .array(z.string().min(1))
    .max(mostRequirements)
    .describe("each a sentence that a test can check; the most important first"),
});

/** Lists the requirements once, for kinds with a specification. The state is unchanged if the model returns no list. */
export async function specify(
  context: Pick<ActionContext, "models" | "view" | "task" | "workspace" | "decoding" | "signal">,
  state: TaskState,
): Promise<TaskState> {
  const { task, models, signal, decoding } = context;
  if (!rulesOf(task.kind).isSpecified || state.requirements.length > 0) return state;
  const answer = await models.generate({
    role: "planning",
    system: requirementsPrompt,
    messages: [{ role: "user", text: await openingOf(context, state) }],
    output: { name: "requirements", schema: listSchema },
    settings: decoding,
    signal,
  });
  signal.throwIfAborted();
  const texts = answer.ok ? (answer.value.output?.requirements ?? []) : [];
  return {
    ...state,
    requirements: texts.map((text, index) => ({ id: String(index + 1), text, tests: [], changes: [] })),
  };
}

/** Renders the first message to the model, with code of the base. */
async function openingOf(
  context: Pick<ActionContext, "view" | "task" | "workspace">,
  { answers }: TaskState,
): Promise<string> {
  await context.view.lay(context.workspace.base);
  const found = answers.code === undefined ? [] : [`# Findings in the code\n\n${answers.code}`];
  return [`# The statement\n\n${context.task.statement}`, ...(await targetSection(context)), ...found].join(
    "\n\n",
  );
}

export const linksSchema = z.array(
  z.object({
    id: z.string().describe("the requirement's number"),
    tests: z.array(z.string()).default([]).describe("names of tests that check the requirement"),
    changes: z.array(z.string()).default([]).describe("FILE:LINE of changes that meet the requirement"),
    kept: z
      .boolean()
      .optional()
      .describe(
        "true if the unchanged code already meets the requirement, so that the requirement's tests also pass on this code",
      ),
  }),
);
export type Links = z.infer<typeof linksSchema>;

/**
 * The schema for authors of tests: for each requirement, the tests that check it. It has no `changes`, because these
 * authors change no code.
 */
export const checksSchema = z.array(linksSchema.element.omit({ changes: true, kept: true }));
export type Checks = z.infer<typeof checksSchema>;

/**
 * Says why the links are invalid: a requirement is missing, or a linked file is unchanged. Undefined if they are valid.
 */
export function refuseLinks(
  requirements: readonly Requirement[],
  links: Links,
  changed: ReadonlySet<string>,
): string | undefined {
  const named = new Set(links.map(({ id }) => id));
  const left = requirements.filter(({ id }) => !named.has(id)).map(({ id }) => id);
  if (left.length > 0)
    return `For each requirement, name the changes that meet it and the tests that check it. Empty lists are allowed. Missing: ${left.join(", ")}.`;
  const wrong = links.flatMap(({ changes }) => changes).filter((place) => !changed.has(fileOf(place)));
  return wrong.length === 0 ? undefined : `Your work changes nothing in ${wrong.join(", ")}.`;
}

function fileOf(place: string): string {
  return place.replace(/:\d+(?:-\d+)?$/, "");
}

/** Returns the requirements without a linked change. An author who continues from a candidate links only these. */
export function withoutChange(requirements: readonly Requirement[]): Requirement[] {
  return requirements.filter(({ changes }) => changes.length === 0);
}

/**
 * Adds links to the requirements. New tests join the tests linked earlier. New changes, and a new claim about unchanged
 * code, replace earlier ones.
 */
export function linkRequirements(
  requirements: readonly Requirement[],
  links: readonly Partial<Links[number]>[],
): Requirement[] {
  return requirements.map((requirement) => {
    const {
      tests = [],
      changes = [],
      kept = requirement.kept,
    } = links.find(({ id }) => id === requirement.id) ?? {};
    return {
      ...requirement,
      ...(kept === undefined ? {} : { kept }),
      tests: [...new Set([...requirement.tests, ...tests])],
      changes: changes.length > 0 ? changes : requirement.changes,
    };
  });
}

/**
 * Describes requirements without a change, or without a passing test. A linked change counts only inside the
 * candidate's `hunks`, which are lines of the new text. A linked test counts only if it ran. A requirement that a
 * passing test checks needs no linked change, because old code may meet it. If there are several requirements and no
 * link names a test, one line says so for all of them.
 */
export function openRequirements(
  { requirements }: Pick<TaskState, "requirements">,
  outcomes: readonly TestOutcome[],
  hunks: readonly Span[],
): string[] {
  const ran = outcomes.filter(({ status }) => status !== "not-run");
  const idsOf = (these: readonly TestOutcome[]): string[] => these.map(({ key }) => formatTestKey(key));
  const [all, passing] = [idsOf(ran), idsOf(ran.filter(({ status }) => status === "passed"))];
  const isIn = (ids: readonly string[], test: string): boolean => ids.some((id) => isNamedBy(id, test));
  const isUnsaid = requirements.length > 1 && requirements.every(({ tests }) => tests.length === 0);
  const unsaid = `No author named tests that check the ${countOf(requirements.length, "requirement")}.`;
  const open = requirements.flatMap(({ id, text, tests, changes }) => {
    const strange = tests.filter((test) => !isIn(all, test));
    const isTested = tests.some((test) => isIn(passing, test));
    const isMet = changes.length === 0 ? isTested : changes.some((place) => isInHunk(place, hunks));
    const isChecked = isTested || isUnsaid;
    const lacks = [
      ...(isMet
        ? []
        : [
            changes.length === 0 ? "no named change meets it" : `nothing is changed at ${changes.join(", ")}`,
          ]),
      ...(isChecked
        ? []
        : [
            tests.length > 0 && strange.length === tests.length
              ? `none of these tests ran: ${strange.join(", ")}`
              : "no named passing test checks it",
          ]),
    ];
    return lacks.length === 0 ? [] : [`Requirement ${id} (${text}): ${lacks.join(", ")}.`];
  });
  return isUnsaid ? [unsaid, ...open] : open;
}

/** True if the place (`FILE`, `FILE:LINE` or `FILE:LINE-LINE`) is in a hunk. */
function isInHunk(place: string, hunks: readonly Span[]): boolean {
  const file = fileOf(place);
  const [, first, last = first] = /:(\d+)(?:-(\d+))?$/.exec(place) ?? [];
  return hunks.some(
    (hunk) =>
      hunk.file === file &&
      (first === undefined || overlap(hunk, { file, startLine: Number(first), endLine: Number(last) })),
  );
}
