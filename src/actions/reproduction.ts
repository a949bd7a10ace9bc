import { z } from "zod";
import { type ActionContext, type ActionEnd, defineAction } from "../agent/action.ts";
import { toolsOver } from "../agent/code-tools.ts";
import { changedFiles } from "../agent/kinds/changed-files.ts";
import { renderFailures, renderState } from "../agent/render-state.ts";
import { findPlaceForTests } from "../agent/review/test-place.ts";
import type { TaskState } from "../agent/task-state.ts";
import { type ThinkTool, think } from "../agent/think.ts";
import { countOf, keepWritten, runWritten, type WrittenTests } from "../agent/written-tests.ts";
import { formatTestKey } from "../domain/test-outcome.ts";
import { isTestFile } from "../languages/source-files.ts";

const outlook = z.object({
  reproducible: z.boolean().describe("false where no automated test of this repository could show it"),
  why: z.string().min(1),
  failure: z.string().default("").describe("what a test sees today: the error, or the wrong value"),
  inputs: z
    .array(z.string())
    .max(8)
    .default([])
    .describe("inputs that show it: those of the statement, and others that follow from it, boundaries too"),
});
type Outlook = z.infer<typeof outlook>;

const question = `Somebody wants to write tests that show what a statement reports or asks for. Before anything is looked at: can a test of the repository show it at all, what would it see today, and with which inputs? Answer with \`outlook\`.`;

const shown = z.object({
  files: z.array(z.string()).min(1).describe("the files of tests that were written"),
});

const system = `You write tests that show what a statement reports, in a repository whose code does not do it yet. You change no source code.
Read how the repository's own tests are written, and write yours the same way, in new files beside them and named as they are: files that exist are left as they are. Write three to five small tests, each with one input and independent of the others: inputs of the statement, others that follow from it, and the boundaries. Assert what the statement says should happen, no more: a test with a wrong expectation fails for ever. They must fail now, for the reason that the statement gives; one or two tests of what works today may stand beside them as guards.
Some of the tests will be held back from who writes the patch. Then call \`show\` with the files: they are run, and you are told what happened.`;

export default defineAction({
  name: "reproduction",
  description:
    "Writes tests that fail because of the fault that the statement reports (or because what it asks for is not there), and runs them on the base. Take it when no test shows it yet, or when the tests that do are weak.",
  input: z.object({ intent: z.string().min(1).describe("the behaviour that is to be shown") }),
  kinds: ["repair", "partial-fix", "code-generation"],
  reads: ["codePlaces", "testPlaces", "fault"],
  writes: ["candidates", "fault"],
  async run(context, state, { intent }) {
    const expected = await askOutlook(context, intent);
    if (expected?.reproducible === false)
      return { state, text: `No test can show it, it was said: ${expected.why}`, isError: true };
    await context.view.lay(context.workspace.base);
    const ended = await think(context, {
      role: "reproduction",
      system,
      opening: await openingOf(context, state, intent, expected),
      tools: [...toolsOver(context, "reproduction"), showTool(context)],
      maxSteps: 25,
    });
    if (ended.kind === "stopped")
      return { state, text: `The fault was not shown: ${ended.message}.`, isError: true };
    return keep(context, state, ended.value);
  },
});

/** From the statement alone; undefined where there was no answer, which keeps nobody from trying. */
async function askOutlook(context: ActionContext, intent: string): Promise<Outlook | undefined> {
  const answer: ThinkTool<Outlook> = {
    name: "outlook",
    description: "Says whether, and how, a test can show it.",
    input: outlook,
    run: async (input) => ({ text: "Noted.", end: outlook.parse(input) }),
  };
  const ended = await think(context, {
    role: "reproduction",
    system: question,
    opening: `# The statement\n\n${context.task.statement}\n\n# To be shown\n\n${intent}`,
    tools: [answer],
    maxSteps: 2,
  });
  return ended.kind === "ended" ? ended.value : undefined;
}

async function openingOf(
  { task, workspace, suite }: ActionContext,
  state: TaskState,
  intent: string,
  expected: Outlook | undefined,
): Promise<string> {
  const files = (await workspace.trees.list(workspace.base)).map(({ path }) => path);
  const place = findPlaceForTests(suite.command.framework, files);
  const inputs = (expected?.inputs ?? []).map((input) => `- ${input}`);
  return [
    `# The statement\n\n${task.statement}`,
    `# What is known\n\n${renderState(state)}`,
    ...(expected === undefined || expected.failure === ""
      ? []
      : [
          ["# What a test is expected to see today", expected.failure, inputs.join("\n")].join("\n\n").trim(),
        ]),
    ...(place === undefined ? [] : [`# Where tests can stand\n\n${place}`]),
    `# Show\n\n${intent}`,
  ].join("\n\n");
}

function showTool(context: ActionContext): ThinkTool<WrittenTests> {
  return {
    name: "show",
    description:
      "Runs the tests that were written on the code as it is. Ends the work where some fail for the stated reason.",
    input: shown,
    async run(input) {
      const { files } = shown.parse(input);
      const problem = await findProblem(context);
      if (problem !== undefined) return { text: problem, isError: true };
      const ran = await runWritten(context, context.view.tree(), files);
      if (!ran.ok) return { text: `The run cannot be trusted: ${ran.message}`, isError: true };
      const { failing, strangers, guards } = ran.value;
      if (failing.length > 0) return { text: "Shown.", end: ran.value };
      if (strangers.length === 0)
        return {
          text: `${countOf(guards.length, "test")} ran and none of yours fails: they do not show the fault.`,
          isError: true,
        };
      const said = [
        "They fail, but nothing of their failure is in the statement:",
        ...renderFailures(strangers),
      ];
      return { text: said.join("\n\n"), isError: true };
    },
  };
}

/** Tests stand in new files, or in a source file that has tests in it: the code stays as it is, and so do the tests that there are. */
async function findProblem({ workspace: { trees, base }, view }: ActionContext): Promise<string | undefined> {
  const { code, tests } = await changedFiles(trees, base, view.tree());
  if (code.length > 0) return `These are no files of tests, take the changes back: ${code.join(", ")}`;
  const touched = tests.filter(isTestFile);
  const known = new Set((await trees.list(base)).map(({ path }) => path));
  const edited = touched.filter((path) => known.has(path));
  if (edited.length > 0)
    return `These files were there before: take the changes back, and write a new file: ${edited.join(", ")}`;
  return undefined;
}

async function keep(context: ActionContext, state: TaskState, written: WrittenTests): Promise<ActionEnd> {
  const kept = await keepWritten(context, state, written, "third");
  if (!kept.ok) return { state, text: kept.message, isError: true };
  const { id, targets, heldBack, flaky } = kept.value;
  const { failing, strangers, guards, evidence } = written;
  const all = failing.length + strangers.length + guards.length;
  const counts = [
    `${targets.length} ${targets.length === 1 ? "fails" : "fail"} for the stated reason (${evidence})`,
    ...(strangers.length === 0 ? [] : [`${strangers.length} for another reason, and are left out`]),
    ...(flaky.length === 0 ? [] : [`${flaky.length} passed when run again, and are left out as flaky`]),
    ...(guards.length === 0
      ? []
      : [`${countOf(guards.length, "test passes", "tests pass")} today: kept as guards`]),
    ...(heldBack.length === 0 ? [] : [`${heldBack.length} held back from who writes the patch`]),
  ];
  const hidden = new Set(heldBack.map(formatTestKey));
  const visible = failing.filter(({ key }) => !hidden.has(formatTestKey(key)) && targets.includes(key));
  return {
    state: kept.value.state,
    text: [`Reproduction ${id}: ${all} written; ${counts.join("; ")}.`, ...renderFailures(visible)].join(
      "\n\n",
    ),
  };
}
