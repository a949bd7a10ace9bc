/**
 * Stratified search. In each round the model calls the search API, until it can name the buggy locations and their
 * intended behaviour.
 */
import { z } from "zod";
import type { ActionContext } from "../../agent/action.ts";
import type { Span } from "../../agent/code/place-text.ts";
import { performStage, type StagedRun } from "../../agent/control/stages.ts";
import { renderFailures } from "../../agent/state/render-state.ts";
import { type TaskState, withoutHeldBack } from "../../agent/state/task-state.ts";
import { type ThinkTool, think } from "../../agent/think/think.ts";
import { findPlaces } from "../../graph/retrieval/find.ts";
import { pathOfPiece } from "../../graph/retrieval/search-index.ts";
import type { ModelSettings } from "../../llm/contract.ts";
import type { RankedFunction } from "../../localize/rank-functions.ts";
import { locatePrompt } from "./roles.prompt.ts";
import { searchTools } from "./search-tools.ts";
import { renderSuspicious } from "./suspicious.ts";

const rounds = 15;
/** Maximum number of substitute locations, if the model names none. */
const mostFallback = 3;

export interface BugLocation extends Span {
  /** The intended behaviour of the code at this place. */
  readonly intended: string;
}

const reportSchema = z.object({
  locations: z
    .array(
      z.object({
        file: z.string(),
        startLine: z.int().min(1),
        endLine: z.int().min(1),
        intended_behavior: z.string().describe("the intended behaviour of this code"),
      }),
    )
    .min(1)
    .max(8),
});

export interface LocateRequest {
  readonly suspicious: readonly RankedFunction[];
  readonly settings: ModelSettings;
  /** The stage's purpose, for the report. */
  readonly intent: string;
}

export async function locateBugs(run: StagedRun, request: LocateRequest): Promise<readonly BugLocation[]> {
  const { context } = run;
  const { suspicious, settings, intent } = request;
  const found = await performStage(run, {
    name: "search-code",
    intent,
    run: async (state) => {
      await context.view.lay(context.workspace.base);
      const end = await think(context, {
        role: "retrieval",
        system: locatePrompt(rounds),
        opening: openingOf(context, state, suspicious),
        tools: [...searchTools(context.view), reportTool(context)],
        maxSteps: rounds,
        advise: false,
        settings,
      });
      if (end.kind === "stopped") return { value: undefined, stopped: end };
      const codePlaces = end.value.map(({ intended, ...span }) => ({ ...span, why: intended }));
      return { value: end.value, state: { ...state, codePlaces } };
    },
  });
  return found ?? (await standIns(context, suspicious));
}

function reportTool({ view }: Pick<ActionContext, "view">): ThinkTool<readonly BugLocation[]> {
  return {
    name: "report",
    description: "Ends the search with the buggy locations.",
    input: reportSchema,
    async run(input) {
      const graph = await view.context.graph();
      const named = reportSchema.parse(input).locations;
      const unknown = named.filter(({ file }) => graph.file(file) === undefined);
      if (unknown.length > 0) {
        const files = unknown.map(({ file }) => file).join(", ");
        return {
          text: `The repository has no file ${files}. Give whole paths, relative to the repository's root.`,
          isError: true,
        };
      }
      const end = named.map(({ intended_behavior: intended, ...span }) => ({ ...span, intended }));
      return { text: "Reported.", end };
    },
  };
}

function openingOf(
  { task }: Pick<ActionContext, "task">,
  state: TaskState,
  suspicious: readonly RankedFunction[],
): string {
  const failures = renderFailures(withoutHeldBack(state.fault, state.fault?.baseRuns[0] ?? []));
  return [
    `# Statement\n\n${task.statement}`,
    ...(failures.length === 0 ? [] : [`# Tests that fail because of the fault\n\n${failures.join("\n\n")}`]),
    ...(suspicious.length === 0
      ? []
      : [
          `# Methods that these tests point to\n\nMethods that failing tests execute more often than passing ones, the most suspicious first. The fault may be in other code.\n${renderSuspicious(suspicious)}`,
        ]),
  ].join("\n\n");
}

/** Returns substitute locations: the methods that the tests suggest, or else results of retrieval. */
async function standIns(
  { view, task }: Pick<ActionContext, "view" | "task">,
  suspicious: readonly RankedFunction[],
): Promise<readonly BugLocation[]> {
  const intended = "as the statement says";
  if (suspicious.length > 0)
    return suspicious
      .slice(0, mostFallback)
      .map(({ file, startLine, endLine }) => ({ file, startLine, endLine, intended }));
  const searcher = await view.context.searcher();
  return findPlaces(searcher, task.statement)
    .pieces.slice(0, mostFallback)
    .map(({ piece }) => {
      const { startLine, endLine } = searcher.index.piece(piece);
      return { file: pathOfPiece(searcher.index, piece), startLine, endLine, intended };
    });
}
