import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import {
  type ActionContext,
  type ActionEnd,
  defineAction,
  type JudgeContext,
  type RunContext,
} from "../agent/action.ts";
import { measureSet } from "../agent/candidates/measure-set.ts";
import { type Chosen, chosenFields, isChosen, runChosen } from "../agent/candidates/run-chosen.ts";
import { tellPrograms } from "../agent/candidates/run-programs.ts";
import { tellRow } from "../agent/candidates/tell-row.ts";
import { rulesOf } from "../agent/kinds/rules-of.ts";
import { findCandidate, type MatrixRow, rowOf, type TaskState } from "../agent/state/task-state.ts";
import { taskKindSchema } from "../domain/task.ts";

const nothingNamed = "Name a candidate, sets of candidates, files, tests or a command.";

/** Maximum number of sets, because each costs a run of all tests. */
const mostSets = 6;

export default defineAction({
  name: "execute-tests",
  description:
    "Runs tests on a candidate: first the tests that show the fault, and if these pass, all tests. A patch runs together with the reproductions. The reply lists the remaining work. With `sets`, applies each set of candidates to the base, and runs all tests on it. In a slow suite, `sets` runs only each set's own tests, the tests that show the fault, and tests that a candidate broke. With `files`, `tests` or `command`, runs only these: on the candidate and on each set, or on the unchanged base if you name neither.",
  input: z
    .object({
      candidate: z.string().min(1).optional().describe("such as c1 or t1"),
      sets: z
        .array(z.array(z.string().min(1)))
        .min(1)
        .max(mostSets)
        .optional()
        .describe(
          "such as [[c1, t2], [c2, r1]]: any patches, tests and reproductions; an empty set is the base",
        ),
      ...chosenFields,
    })
    .refine((asked) => asked.candidate !== undefined || asked.sets !== undefined || isChosen(asked), {
      path: ["candidate"],
      message: nothingNamed,
    }),
  example: { candidate: "c1", tests: ["tests/test_cart.py::test_total"] },
  kinds: taskKindSchema.options,
  needsTests: true,
  effect: "runs",
  reads: ["candidates", "fault"],
  writes: ["rows"],
  async run(context, state, { candidate, sets = [], ...chosen }) {
    if (isChosen(chosen)) return runOnEach(context, state, setsOf(candidate, sets), chosen);
    const first = candidate === undefined ? undefined : await runOne(context, state, candidate);
    if (first?.isError === true || sets.length === 0)
      return first ?? { state, text: nothingNamed, isError: true };
    const rest = await runSets(context, first?.state ?? state, sets);
    return first === undefined ? rest : { ...rest, text: `${first.text}\n\n${rest.text}` };
  },
});

function setsOf(candidate: string | undefined, sets: readonly (readonly string[])[]) {
  const own = candidate === undefined ? [] : [[candidate]];
  return own.length + sets.length === 0 ? [[]] : [...own, ...sets];
}

/** Runs the chosen tests or command on each set of candidates. */
async function runOnEach(
  context: RunContext & Pick<ActionContext, "task">,
  state: TaskState,
  sets: readonly (readonly string[])[],
  chosen: Chosen,
): Promise<ActionEnd> {
  let next = state;
  const told: string[] = [];
  let isError = false;
  for (const ids of sets) {
    const ran = await runChosen(context, next, ids, chosen);
    if (ran.ok) next = { ...next, rows: [...next.rows, ...ran.value.rows] };
    told.push(ran.ok ? ran.value.text : ran.message);
    isError ||= !ran.ok;
  }
  return { state: next, text: told.join("\n\n"), isError };
}

async function runOne(
  context: JudgeContext & Pick<ActionContext, "switches">,
  state: TaskState,
  id: string,
): Promise<ActionEnd> {
  const { delivers, measure } = rulesOf(context.task.kind);
  const candidate = findCandidate(state, id);
  if (candidate?.kind !== delivers)
    return {
      state,
      text: `There is no candidate "${id}" that this task delivers. Name a patch such as c1, or tests such as t1. For other candidates, use \`sets\`.`,
      isError: true,
    };
  const hasTargets = delivers === "code" && (state.fault?.targets ?? []).length > 0;
  const first = hasTargets ? await measure(context, state, candidate, "targets") : undefined;
  if (first?.ok === false) return { state, text: first.message, isError: true };
  const passes = first?.value.targets.every(({ status }) => status === "passed") ?? true;
  const all = first !== undefined && !passes ? first : await measure(context, state, candidate, "all");
  if (!all.ok) return { state, text: all.message, isError: true };
  const row = all.value;
  const known = isSameRow(rowOf(state, id), row) ? [alreadyRun] : [];
  const next = { ...state, rows: [...state.rows, row] };
  const ran = await tellPrograms(context, next, candidate);
  const text = [...known, tellRow(context, state, row), ...(ran.text === "" ? [] : [ran.text])].join("\n\n");
  return { state: ran.state, text };
}

const alreadyRun = "The same tests ran on this candidate before. These are their results.";

/** True if `row` equals the candidate's newest row of all tests (`known`): the action only repeated recorded runs. */
export function isSameRow(known: MatrixRow | undefined, row: MatrixRow): boolean {
  return known !== undefined && known.broken !== undefined && isDeepStrictEqual(known, row);
}

async function runSets(
  context: RunContext & Pick<ActionContext, "regions" | "task" | "switches">,
  state: TaskState,
  sets: readonly (readonly string[])[],
): Promise<ActionEnd> {
  let next = state;
  const told: string[] = [];
  let rows = 0;
  for (const ids of sets) {
    const row = await measureSet(context, next, ids);
    if (!row.ok) {
      told.push(`${row.message}.`);
      continue;
    }
    rows += 1;
    next = { ...next, rows: [...next.rows, row.value] };
    told.push(tellRow(context, next, row.value));
  }
  return { state: next, text: told.join("\n\n"), isError: rows === 0 };
}
