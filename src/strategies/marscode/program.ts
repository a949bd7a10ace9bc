/**
 * Dynamic debugging. The Programmer edits, and the Tester runs the tests of the fault. Their output helps the
 * Programmer with the next edit.
 */
import { z } from "zod";
import type { ActionContext } from "../../agent/action.ts";
import { toolsOver } from "../../agent/code/code-tools.ts";
import { performStage, type StagedRun } from "../../agent/control/stages.ts";
import { rulesOf } from "../../agent/kinds/rules-of.ts";
import { keepCandidate } from "../../agent/state/keep-candidate.ts";
import { renderFailures } from "../../agent/state/render-state.ts";
import { type ThinkTool, think } from "../../agent/think/think.ts";
import type { Candidate } from "../../domain/candidate.ts";
import { describeTask } from "./plan.ts";
import { programmerPrompt } from "./roles.prompt.ts";

/** Maximum number of alternations between Programmer and Tester. The original number is not published. */
const rounds = 5;
const steps = 25;

/** The Programmer's tools besides `reset` and `done`. */
const tools = ["view", "text-search", "outline", "edit"];

const doneSchema = z.object({
  summary: z.string().min(1).describe("the change and its reason, in a sentence or two"),
});

/**
 * Edits and tests in rounds. Returns a patch that makes all tests of the fault pass. Undefined if no round finds one,
 * if a round writes no patch, or if the run stops.
 */
export async function debug(run: StagedRun): Promise<Candidate | undefined> {
  let current: Candidate | undefined;
  let told: string | undefined;
  for (let round = 1; round <= rounds && run.stop === undefined; round += 1) {
    const written = await program(run, { round, current, told });
    if (written === undefined) return undefined;
    const tested = await testPatch(run, written);
    if (tested?.solved === true) return written;
    current = written;
    told = tested?.told;
  }
  return undefined;
}

interface Turn {
  readonly round: number;
  /** The current change. */
  readonly current: Candidate | undefined;
  /** The Tester's report on it. */
  readonly told: string | undefined;
}

function program(run: StagedRun, { round, current, told }: Turn): Promise<Candidate | undefined> {
  const { context } = run;
  const { view, workspace } = context;
  return performStage(run, {
    name: "program",
    intent:
      current === undefined ? "a repair" : `continue from ${current.id}, or start anew (round ${round})`,
    run: async (state) => {
      const task = await describeTask(run, state);
      const start = current?.tree ?? workspace.base;
      await view.lay(start);
      const place = { start, wasReset: false };
      const end = await think(context, {
        role: "editing",
        system: programmerPrompt,
        opening: [task, ...(await describeTurn(context, current, told))].join("\n\n"),
        tools: [...toolsOver({ view }, tools), resetTool(context, place), doneTool(context, place)],
        maxSteps: steps,
      });
      const stopped = end.kind === "stopped" ? end : undefined;
      const problem = await problemOf(context, place);
      if (problem !== undefined) return { value: undefined, stopped };
      const origin = end.kind === "ended" ? end.value : `(not finished: ${end.message})`;
      const parent = current === undefined || place.wasReset ? {} : { parent: current.id };
      const kept = keepCandidate(context, state, { tree: view.tree(), kind: "code", origin, ...parent });
      return { value: kept.candidate, state: kept.state, stopped };
    },
  });
}

async function describeTurn(
  { workspace }: Pick<ActionContext, "workspace">,
  current: Candidate | undefined,
  told: string | undefined,
): Promise<string[]> {
  if (current === undefined) return [];
  const diff = await workspace.trees.diff(workspace.base, current.tree);
  return [
    `# The change in place (${current.origin})\n\n${diff.trimEnd()}`,
    `# Test results with it\n\n${told ?? "(nothing)"}`,
  ];
}

/** The tree at the start of the Programmer's turn, and whether the Programmer has reset all files since then. */
interface Desk {
  readonly start: string;
  wasReset: boolean;
}

function resetTool(
  { view, workspace }: Pick<ActionContext, "view" | "workspace">,
  desk: Desk,
): ThinkTool<never> {
  return {
    name: "reset",
    description: "Returns all files to their state before any change.",
    input: z.object({}),
    async run() {
      await view.lay(workspace.base);
      desk.wasReset = true;
      return { text: "All files are in their original state again." };
    },
  };
}

function doneTool(
  context: Pick<ActionContext, "regions" | "view" | "workspace">,
  desk: Desk,
): ThinkTool<string> {
  return {
    name: "done",
    description: "Submits the repair. Millwright then runs the tests that show the fault.",
    input: doneSchema,
    async run(input) {
      const problem = await problemOf(context, desk);
      if (problem !== undefined) return { text: problem, isError: true };
      return { text: "The tests run now.", end: doneSchema.parse(input).summary };
    },
  };
}

async function problemOf(
  { view, workspace, regions }: Pick<ActionContext, "regions" | "view" | "workspace">,
  { start }: Desk,
): Promise<string | undefined> {
  const tree = view.tree();
  if (tree === start || tree === workspace.base)
    return "You have changed nothing: make the change with `edit`.";
  const changed = (await workspace.trees.stat(workspace.base, tree)).map(({ path }) => path);
  const tests = changed.filter((path) => regions.isWhole(path));
  return tests.length === 0 ? undefined : `Do not change tests. Undo your changes to ${tests.join(", ")}.`;
}

interface Tested {
  readonly solved: boolean;
  readonly told: string;
}

/** The Tester: runs only the tests of the fault, on the patched code. */
function testPatch(run: StagedRun, candidate: Candidate): Promise<Tested | undefined> {
  const { context } = run;
  return performStage<Tested>(run, {
    name: "test",
    intent: `the tests that show the fault, with ${candidate.id}`,
    run: async (state) => {
      const measured = await rulesOf(context.task.kind).measure(context, state, candidate, "targets");
      if (!measured.ok) return { value: { solved: false, told: measured.message } };
      const row = measured.value;
      const solved = row.invalid === undefined && row.targets.every(({ status }) => status === "passed");
      const told = row.invalid ?? renderFailures(row.targets).join("\n\n");
      return { value: { solved, told }, state: { ...state, rows: [...state.rows, row] } };
    },
  });
}
