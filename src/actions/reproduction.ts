import { z } from "zod";
import { type ActionContext, type ActionEnd, defineAction } from "../agent/action.ts";
import { toolsOver } from "../agent/code-tools.ts";
import { keepCandidate } from "../agent/keep-candidate.ts";
import { renderFailures, renderState } from "../agent/render-state.ts";
import { runOn } from "../agent/run-candidate.ts";
import { matchSignature } from "../agent/statement-signature.ts";
import type { TaskState } from "../agent/task-state.ts";
import { type ThinkTool, think } from "../agent/think.ts";
import { findStatus, formatTestKey, isFailing, type TestOutcome } from "../domain/test-outcome.ts";
import { isTestFile } from "../languages/source-files.ts";

const shown = z.object({
  files: z.array(z.string()).min(1).describe("the files of tests that were written or changed"),
});

/** What a reproduction is once it has been seen to fail. */
interface Reproduced {
  readonly tree: string;
  readonly failing: readonly TestOutcome[];
  readonly evidence: string;
}

const system = `You write tests that show the fault that a statement reports, in a repository whose code still has it. You change no source code.
Read how the repository's own tests are written, and write yours the same way: a new file of tests beside the others (where tests stand inside of the sources, one of the folder for tests), named as they are, with two or three small tests that check what the statement says should happen, with inputs of the statement and with others that follow from it. They must fail now, for the reason that the statement gives, and would pass once the fault is mended; a test that passes today may stand beside them as a guard.
Then call \`show\` with the files: they are run, and you are told what happened.`;

export default defineAction({
  name: "reproduction",
  description:
    "Writes tests that fail because of the fault that the statement reports, and runs them on the base. Take it when no test shows the fault yet.",
  input: z.object({ intent: z.string().min(1).describe("the behaviour that is to be shown") }),
  kinds: ["repair", "partial-fix"],
  reads: ["codePlaces", "testPlaces", "fault"],
  writes: ["candidates", "fault"],
  async run(context, state, { intent }) {
    await context.view.lay(context.workspace.base);
    const ended = await think(context, {
      role: "reproduction",
      system,
      opening: `# The statement\n\n${context.task.statement}\n\n# What is known\n\n${renderState(state)}\n\n# Show\n\n${intent}`,
      tools: [...toolsOver(context.view, "edit"), showTool(context)],
      maxSteps: 25,
    });
    if (ended.kind === "stopped")
      return { state, text: `The fault was not shown: ${ended.message}.`, isError: true };
    return keep(context, state, ended.value);
  },
});

function showTool(context: ActionContext): ThinkTool<Reproduced> {
  return {
    name: "show",
    description:
      "Runs the tests that were written on the code as it is. Ends the work where they fail for the stated reason.",
    input: shown,
    async run(input) {
      const { files } = shown.parse(input);
      const { workspace, suite, signature, view } = context;
      const changed = (await workspace.trees.stat(workspace.base, view.tree())).map(({ path }) => path);
      const sources = changed.filter((path) => !isTestFile(path));
      if (sources.length > 0)
        return {
          text: `These are no files of tests, take the changes back: ${sources.join(", ")}`,
          isError: true,
        };
      const { outcomes, invalid } = await runOn(context, view.tree(), { kind: "files", files });
      if (invalid !== undefined) return { text: `The run cannot be trusted: ${invalid}`, isError: true };
      const before = new Map(suite.outcomes.map(({ key, status }) => [formatTestKey(key), status]));
      const isNew = ({ key }: TestOutcome): boolean => !isFailing(before.get(formatTestKey(key)) ?? "passed");
      const failing = outcomes.filter((outcome) => isFailing(outcome.status) && isNew(outcome));
      if (failing.length === 0)
        return {
          text: `${outcomes.length} tests ran and none of yours fails: they do not show the fault.`,
          isError: true,
        };
      const match = failing
        .map((outcome) => matchSignature(signature, outcome))
        .find(({ matches }) => matches);
      if (match === undefined)
        return {
          text: [
            "They fail, but nothing of their failure is in the statement:",
            ...renderFailures(failing),
          ].join("\n\n"),
          isError: true,
        };
      return { text: "Shown.", end: { tree: view.tree(), failing, evidence: match.evidence } };
    },
  };
}

async function keep(
  context: ActionContext,
  state: TaskState,
  { tree, failing, evidence }: Reproduced,
): Promise<ActionEnd> {
  const all = failing.map(({ key }) => key);
  const second = await runOn(context, tree, { kind: "tests", tests: all }, 2);
  const targets = all.filter((key) => isFailing(findStatus(second.outcomes, key)));
  if (targets.length === 0)
    return { state, text: "The tests that failed passed when they were run again: flaky.", isError: true };
  const origin = `${targets.length} tests that show the fault`;
  const kept = keepCandidate(context, state, { tree, kind: "reproduction", origin });
  const known = state.fault;
  const fault = {
    targets: [...(known?.targets ?? []), ...targets],
    heldBack: known?.heldBack ?? [],
    baseRuns: [
      [...(known?.baseRuns[0] ?? []), ...failing],
      [...(known?.baseRuns[1] ?? []), ...second.outcomes],
    ],
    reason: {
      holds: true,
      evidence: `${targets.length} tests were written that fail without a patch: ${evidence}`,
    },
  };
  return {
    state: { ...kept.state, fault },
    text: [
      `Reproduction ${kept.candidate.id} shows the fault (${evidence}).`,
      ...renderFailures(failing),
    ].join("\n\n"),
  };
}
