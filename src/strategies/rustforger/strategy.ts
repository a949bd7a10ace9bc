/**
 * RustForger (Rust-SWE-bench, ICSE '26, section 5): one model with a shell, an editor, a tracer, and an isolated
 * project. In this project, a reproduction builds at the first attempt. The tracer records the reproduction's code. The
 * defaults are 60 turns, 4 US dollars and temperature 0. Its two ablations are `--without workspace` and
 * `--without trace`.
 *
 * Departures: works in every language with a tracer or an isolated project, not only in Rust. Calls are the provider's,
 * not fenced text, and all calls of an answer run. The patch is the final tree, not the files that the model lists.
 * Millwright creates the reproduction project for the model, in the working copy. The gate judges the patch by tests of
 * the repository, so the model must leave such a test. The reproduction project is a standalone program of the run:
 * `submit` reports once that it still fails, and the report shows its results. A review decides about places that
 * equal the replaced code.
 */
import { openReview } from "../../actions/open-review.ts";
import type { ActionContext, RunContext } from "../../agent/action.ts";
import { attemptSection } from "../../agent/candidates/given-attempt.ts";
import { editorTools } from "../../agent/code/editor-tools.ts";
import { layReproductionProject, withoutReproductionProject } from "../../agent/code/reproduction-project.ts";
import { openShellDesk, type ShellDesk } from "../../agent/code/shell-desk.ts";
import { shellTool } from "../../agent/code/shell-tools.ts";
import { traceTools } from "../../agent/code/trace-tools.ts";
import { endWithout } from "../../agent/control/conclude.ts";
import { judgeWork } from "../../agent/control/judge-work.ts";
import { openSession } from "../../agent/control/open-session.ts";
import type { TaskState } from "../../agent/state/task-state.ts";
import { defineStrategy, type StrategyContext, type StrategyEnd } from "../../agent/strategy.ts";
import { type ThinkEnd, type ThinkTool, think } from "../../agent/think/think.ts";
import type { ForgedProject } from "../../forge/contract.ts";
import type { ModelClient } from "../../llm/contract.ts";
import { submitTool } from "../react/submit.ts";
import { openingOf } from "../react/work.prompt.ts";
import { withTrimmedHistory } from "./history.ts";
import { takeReproduction, withReproduction } from "./reproduced.ts";
import { describeForge, stagesPrompt } from "./stages.prompt.ts";

const turns = 60;
const usd = 4;
/** Number of turns before the end at which the model is warned. */
const warnedTurns = 5;

export default defineStrategy({
  name: "rustforger",
  description:
    "reproduces the fault in a separate project, traces the reproduction, then repairs with a shell and an editor (RustForger)",
  kinds: ["repair", "partial-fix"],
  needsModel: true,
  stages: ["workspace", "trace"],
  run: runRustForger,
});

async function runRustForger(given: StrategyContext): Promise<StrategyEnd> {
  const { maxUsd, models } = given;
  // A cost limit cannot be enforced for a model with an unknown price: its calls would be refused.
  const isLimited = maxUsd === undefined && models?.modelOf("editing").priced === true;
  const context = isLimited ? { ...given, models: models.within({ usd }) } : given;
  const session = await openSession(context);
  if (!session.ok) return endWithout(session.message);
  const { actionContext, state, close } = session.value;
  const desk = await openShellDesk(context);
  try {
    context.recorder.append({ event: "phase-started", phase: "repair", title: "reproduce, trace, repair" });
    const work = await letWork(actionContext, state, desk);
    context.recorder.append({ event: "phase-started", phase: "verify", title: "judge the work" });
    const tree = await withoutReproductionProject(context.workspace.trees, desk.tree());
    const origin = work.summary || "the final state of the working tree";
    const { forged, wrongReproduction } = work;
    const program = forged && (await takeReproduction(actionContext, forged, desk.tree()));
    const programs = program === undefined ? [] : [{ ...program, ...wrongReproduction }];
    const reached = programs.length === 0 ? state : { ...state, programs };
    return await judgeWork(actionContext, reached, { tree, origin }, work.ended, openReview(context));
  } finally {
    await desk.close();
    await close();
  }
}

interface SaidOfWork {
  summary: string;
  /** The model's reason why its reproduction is wrong. */
  wrongReproduction: { readonly aside?: string };
}

interface Work extends Readonly<SaidOfWork> {
  readonly ended: ThinkEnd<true>;
  /** The reproduction project, if Millwright created one. */
  readonly forged: ForgedProject | undefined;
}

async function letWork(
  context: RunContext &
    Pick<ActionContext, "models" | "traces" | "advise" | "task" | "switches" | "decoding">,
  state: TaskState,
  desk: ShellDesk,
): Promise<Work> {
  const { switches } = context;
  const has = {
    workspace: !switches.without.includes("workspace"),
    trace: !switches.without.includes("trace"),
  };
  const forged = has.workspace ? await layReproductionProject(context, desk) : undefined;
  const project = forged === undefined ? [] : [`# The reproduction project\n\n${describeForge(forged)}`];
  const made = forged?.ok === true ? forged.forged : undefined;
  const said: SaidOfWork = { summary: "", wrongReproduction: {} };
  const submit = openSubmit(context, desk, made, said);
  const tracing = has.trace ? traceTools(context.traces, desk.tree) : [];
  const tools = [shellTool(desk), ...editorTools(context.workspace.trees, desk), ...tracing, submit];
  let left = turns;
  const models = withTrimmedHistory(context.models);
  const counting: ModelClient = {
    ...models,
    generate(request) {
      left -= 1;
      return models.generate(request);
    },
  };
  const attempt = await attemptSection(context, state);
  const ended = await think<true>(
    { ...context, models: counting },
    {
      role: "editing",
      system: stagesPrompt(has),
      opening: [openingOf(context, desk.root), ...attempt, ...project].join("\n\n"),
      tools: warned(context, tools, () => left),
      maxSteps: turns,
      advise: false,
    },
  );
  return { ended, ...said, forged: made };
}

function openSubmit(
  context: RunContext,
  desk: ShellDesk,
  made: ForgedProject | undefined,
  said: SaidOfWork,
): ThinkTool<true> {
  const plain = submitTool((summary) => {
    said.summary = summary;
  });
  if (made === undefined) return plain;
  return withReproduction(plain, context, {
    take: () => takeReproduction(context, made, desk.tree()),
    tree: desk.tree,
    onWrong(aside) {
      said.wrongReproduction = { aside };
    },
  });
}

/** Counts each call as a step of the run's limit. Warns the model when few turns are left. */
function warned(
  { limits }: Pick<ActionContext, "limits">,
  tools: readonly ThinkTool<true>[],
  left: () => number,
): ThinkTool<true>[] {
  return tools.map((tool) => ({
    ...tool,
    async run(input) {
      limits.spendStep();
      const reply = await tool.run(input);
      if (left() > warnedTurns) return reply;
      return {
        ...reply,
        text: `${reply.text}\n\n(Turns left: ${left()}. After them, Millwright submits the tree as it is.)`,
      };
    },
  }));
}
