/**
 * A shell and an editor: one model, and one loop without a gate inside (ReAct, Yao et al., ICLR 2023; SWE-agent, Yang
 * et al., NeurIPS 2024; mini-swe-agent and OpenHands CodeAct are the same idea). The working tree at `submit`, or at a
 * limit, is the patch. The gate judges the patch afterwards, as for every strategy. The limit is 250 steps, as in
 * mini-swe-agent. To limit the cost to its 3 US dollars, use `--max-cost`. If the model answers without a call, the
 * strategy asks for one up to three times, as in SWE-agent. Then the answer counts as `submit`.
 *
 * Departures: the editor changes the tree and runs no linter. `submit` reports the gate's findings, and a second
 * submission of the same work ends the work. Each command has its own shell and keeps only the working folder.
 * Millwright separates written tests from the code, and they show the fault if no other test does. Statements about
 * tests in `submit` count only if a separate review agrees.
 */

import { openReview } from "../../actions/open-review.ts";
import { attemptSection } from "../../agent/candidates/given-attempt.ts";
import { openShellDesk } from "../../agent/code/shell-desk.ts";
import { endWithout } from "../../agent/control/conclude.ts";
import { judgeWork, tellWork } from "../../agent/control/judge-work.ts";
import { openSession } from "../../agent/control/open-session.ts";
import { withoutPrograms } from "../../agent/measure/run-program.ts";
import { defineStrategy, type StrategyContext, type StrategyEnd } from "../../agent/strategy.ts";
import { runAsPublished } from "./as-published.ts";
import { letWork } from "./let-work.ts";
import { type SaidOfWork, submitTool } from "./submit.ts";
import { describeBase, openingOf, tellGrown, workPrompt } from "./work.prompt.ts";

/** Maximum number of submissions. Millwright judges each by all tests. */
const mostSubmits = 6;

export default defineStrategy({
  name: "react",
  description: "gives a model only a shell and an editor: the baseline",
  kinds: ["repair", "partial-fix", "regression-test", "code-generation", "test-generation", "feature"],
  needsModel: true,
  run: runReact,
});

async function runReact(context: StrategyContext): Promise<StrategyEnd> {
  if (context.switches.asPublished) return runAsPublished(context);
  const session = await openSession(context);
  if (!session.ok) return endWithout(session.message);
  const { actionContext, state, close } = session.value;
  const desk = await openShellDesk(context);
  try {
    context.recorder.append({ event: "phase-started", phase: "repair", title: "let the model work" });
    let summary = "";
    const origin = (): string => summary || "the final state of the working tree";
    const submitted: string[] = [];
    let shownBase = describeBase(actionContext.suite);
    let said: SaidOfWork = { aside: [], because: "", saysWrong: [], programs: [], leftOpen: undefined };
    let saidOf = "";
    const work = () => ({ tree: desk.tree(), origin: origin(), ...said });
    const review = openReview(context);
    const submit = submitTool(
      (text) => {
        summary = text;
      },
      async (now) => {
        const { tree } = work();
        // Parts that stay open with these files.
        const open = now.leftOpen ?? (tree === saidOf ? said.leftOpen : undefined);
        said = { ...addSaid(said, now), leftOpen: open };
        saidOf = tree;
        const handedIn = JSON.stringify([tree, said]);
        if (submitted.at(-1) === handedIn || submitted.length >= mostSubmits) return undefined;
        submitted.push(handedIn);
        if (actionContext.limits.exhausted() !== undefined) return undefined;
        // All tests may run now.
        const begin = (phase: "verify" | "repair", title: string): void =>
          context.recorder.append({ event: "phase-started", phase, title });
        begin("verify", "judge the submitted work");
        const against = await tellWork(actionContext, state, work(), review);
        if (against !== undefined) begin("repair", "let the model continue");
        const grown = tellGrown(shownBase, actionContext.suite);
        shownBase = describeBase(actionContext.suite);
        return against === undefined || grown === "" ? against : `${against}\n\n${grown}\n`;
      },
    );
    const attempt = await attemptSection(actionContext, state);
    const ended = await letWork(actionContext, desk, {
      system: workPrompt,
      opening: [openingOf(actionContext, desk.root), ...attempt].join("\n\n"),
      submit,
      onWords(text) {
        summary = text;
      },
    });
    context.recorder.append({ event: "phase-started", phase: "verify", title: "judge the work" });
    const tree = await withoutPrograms(context.workspace, desk.tree());
    // For an unchanged repository, these words are the result.
    const isUnchanged =
      submitted.length > 0 && ended.kind === "ended" && tree === context.workspace.base && summary !== "";
    const ending = { form: "nothing-to-change", evidence: summary } as const;
    const reached = isUnchanged ? { ...state, ending } : state;
    return await judgeWork(actionContext, reached, work(), ended, review);
  } finally {
    await desk.close();
    await close();
  }
}

/** Adds the agent's new claims. Earlier claims about tests stay, and the latest reason counts. */
function addSaid(known: SaidOfWork, now: SaidOfWork): SaidOfWork {
  const add = <T extends { readonly test: string }>(old: readonly T[], more: readonly T[]): T[] => [
    ...old,
    ...more.filter(({ test }) => !old.some((each) => each.test === test)),
  ];
  return {
    aside: add(known.aside, now.aside),
    because: now.because === "" ? known.because : now.because,
    saysWrong: add(known.saysWrong, now.saysWrong),
    programs: now.programs.length > 0 ? now.programs : known.programs,
    leftOpen: now.leftOpen,
  };
}
