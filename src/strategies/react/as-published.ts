/**
 * The bare baseline: a shell, an editor and the statement, like mini-swe-agent and OpenHands CodeAct. Nothing is
 * measured before the model works. The model learns neither the failures nor the rules of judgement, and `submit` ends
 * the run. Then Millwright evaluates the gate, and does not show it to the model. As in every strategy, if only places
 * that equal the replaced code are an obstacle, a review decides about them.
 */
import { openReview } from "../../actions/open-review.ts";
import { openShellDesk } from "../../agent/code/shell-desk.ts";
import { endWithout } from "../../agent/control/conclude.ts";
import { judgeWork } from "../../agent/control/judge-work.ts";
import { openSession } from "../../agent/control/open-session.ts";
import { orderOf } from "../../agent/kinds/order-of.ts";
import type { StrategyContext, StrategyEnd } from "../../agent/strategy.ts";
import type { ThinkEnd } from "../../agent/think/think.ts";
import { letWork } from "./let-work.ts";
import { submitTool } from "./submit.ts";
import { barePrompt } from "./work.prompt.ts";

interface Worked {
  readonly tree: string;
  readonly summary: string;
  readonly ended: ThinkEnd<true>;
}

export async function runAsPublished(given: StrategyContext): Promise<StrategyEnd> {
  const switches = { ...given.switches, partialPatch: "statement" as const };
  const context = { ...given, switches };
  const worked = await work(context);
  if (worked === undefined) return endWithout("The strategy needs a model.");
  context.recorder.append({ event: "phase-started", phase: "verify", title: "judge the work" });
  const session = await openSession(context);
  if (!session.ok) return endWithout(session.message);
  const { actionContext, state, close } = session.value;
  const { tree, summary, ended } = worked;
  try {
    const isUnchanged = ended.kind === "ended" && tree === context.workspace.base && summary !== "";
    const ending = { form: "nothing-to-change", evidence: summary } as const;
    const left = { tree, origin: summary || "the final state of the working tree" };
    const reached = isUnchanged ? { ...state, ending } : state;
    return await judgeWork(actionContext, reached, left, ended, openReview(context));
  } finally {
    await close();
  }
}

/** Lets the model work; undefined without a model. */
async function work(context: StrategyContext): Promise<Worked | undefined> {
  const session = await openSession(context, "none");
  if (!session.ok) return undefined;
  const { actionContext, close } = session.value;
  const desk = await openShellDesk(context);
  try {
    context.recorder.append({ event: "phase-started", phase: "repair", title: "let the model work" });
    let summary = "";
    const say = (said: string): void => {
      summary = said;
    };
    const { kind, statement } = actionContext.task;
    const ended = await letWork(actionContext, desk, {
      system: barePrompt,
      opening: `# The task\n\n${orderOf(kind)}\n\n${statement}\n\n# The repository\n\nThe repository is in ${desk.root}. Commands start there.`,
      submit: submitTool(say),
      onWords: say,
    });
    return { tree: desk.tree(), summary, ended };
  } finally {
    await desk.close();
    await close();
  }
}
