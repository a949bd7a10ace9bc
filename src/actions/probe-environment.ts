import { z } from "zod";
import { type ActionContext, defineAction, type JudgeContext } from "../agent/action.ts";
import { adoptCommand, describeAdopted } from "../agent/candidates/adopt-command.ts";
import { toolsOver } from "../agent/code/code-tools.ts";
import { openShellDesk, type ShellDesk } from "../agent/code/shell-desk.ts";
import { shellTool } from "../agent/code/shell-tools.ts";
import { environmentFacts } from "../agent/measure/environment-facts.ts";
import { type Fact, type TaskState, withFacts } from "../agent/state/task-state.ts";
import { type ThinkTool, think } from "../agent/think/think.ts";
import { taskKindSchema } from "../domain/task.ts";
import { environmentPrompt, whichCommand } from "./probe-environment.prompt.ts";

const found = z.object({
  facts: z
    .array(z.string().min(1).max(300))
    .min(1)
    .max(5)
    .describe("observations: one sentence each, which names the command or file that shows the observation"),
});

const withCommand = found.extend({
  testCommand: z
    .object({
      command: z.string().min(1).describe("the command, as typed in the repository's root"),
      shownBy: z
        .string()
        .min(1)
        .max(200)
        .describe("the file or output that proves that this command runs the tests"),
    })
    .optional()
    .describe(
      "a command that ran the tests when you tried it. Millwright tries it too, and uses it from then on if a test passes, or fails as the statement reports",
    ),
});
type Found = z.infer<typeof withCommand>;

/** Maximum number of facts in the state. The action drops the newest facts from questions first. */
const mostFacts = 24;

export default defineAction({
  name: "probe-environment",
  description:
    "Lists toolchains with versions, files that pin dependencies, the test command, and programs that cannot run. Rules compute this list. If you give a question, or if no test command is known, a model also searches for the answer with commands in the sandbox.",
  input: z.object({
    question: z.string().min(1).optional().describe("a question that the computed facts do not answer"),
  }),
  example: { question: "Which command runs only the tests of the parser?" },
  kinds: taskKindSchema.options,
  effect: "runs",
  reads: ["facts", "fault"],
  writes: ["facts", "fault"],
  async run(context, given, { question: asked }) {
    const question = asked ?? (context.suite.lacks === undefined ? undefined : whichCommand);
    const desk = await openShellDesk(context);
    try {
      const answer = question === undefined ? undefined : await answerOf(context, desk, given, question);
      const computed = await environmentFacts(context, desk);
      const state = typeof answer === "object" ? answer.state : given;
      const seen = typeof answer === "object" ? answer.facts : [];
      const fresh = [...computed, ...seen].map((text): Fact => ({ kind: "project", text }));
      const facts = withFacts(state.facts, fresh).slice(0, mostFacts);
      const adopted = typeof answer === "object" && answer.isAdopted ? [describeAdopted(context.suite)] : [];
      const text = [...adopted, ...(typeof answer === "string" ? [answer] : seen), ...computed].join("\n");
      return { state: { ...state, facts }, text, isError: asked !== undefined && typeof answer === "string" };
    } finally {
      await desk.close();
    }
  },
});

interface Answer {
  readonly facts: readonly string[];
  /** The state with the new test command, and with the fault that its tests show. */
  readonly state: TaskState;
  readonly isAdopted: boolean;
}

/** Renders the observations. If the model reported nothing, says so. */
async function answerOf(
  context: JudgeContext &
    Pick<
      ActionContext,
      "models" | "advise" | "testCommand" | "rememberedCommand" | "testTimeoutMs" | "decoding"
    >,
  desk: ShellDesk,
  state: TaskState,
  question: string,
): Promise<Answer | string> {
  await context.view.lay(context.workspace.base);
  const isOpen = context.suite.lacks !== undefined;
  const input = isOpen ? withCommand : found;
  const report: ThinkTool<Answer> = {
    name: "report",
    description: "Ends the search with a report.",
    input,
    async run(asked) {
      const { facts, testCommand }: Found = input.parse(asked);
      if (testCommand === undefined) return { text: "Reported.", end: { facts, state, isAdopted: false } };
      const adopted = await adoptCommand(context, state, testCommand);
      if (!adopted.ok)
        return {
          text: `${adopted.message} Look for another command, or report without a command.`,
          isError: true,
        };
      return { text: "Reported.", end: { facts, state: adopted.value, isAdopted: true } };
    },
  };
  const ended = await think(context, {
    role: "retrieval",
    system: environmentPrompt,
    opening: `# The statement of the task\n\n${context.task.statement}\n\n# The question\n\n${question}`,
    tools: [...toolsOver(context, "probing"), shellTool(desk), report],
    maxSteps: 12,
  });
  return ended.kind === "ended" ? ended.value : `The model did not answer the question: ${ended.message}.`;
}
