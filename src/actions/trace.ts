import { z } from "zod";
import { defineAction } from "../agent/action.ts";
import { traceInput } from "../agent/code/trace-tools.ts";
import { composeTree } from "../agent/measure/run-candidate.ts";
import { type Fact, withFacts } from "../agent/state/task-state.ts";
import { taskKindSchema } from "../domain/task.ts";

/** Characters of the note for later work on the task. */
const longestFact = 300;

export default defineAction({
  name: "trace",
  description:
    "Runs a command and records the calls of chosen functions: arguments, results, errors, callers. Shows the path to the failure first. Use it if tests fail, and the code alone does not show the faulty function or its values.",
  input: z.object({
    instrument: z
      .array(z.string().min(1))
      .default([])
      .describe(traceInput.shape.instrument.description ?? ""),
    command: z
      .string()
      .min(1)
      .optional()
      .describe(
        "the command, for a shell in the repository's root; preferably, it runs one failing test; default: the test command",
      ),
    on: z
      .string()
      .default("base")
      .describe("the candidate to run; without one, the base. Both include the reproductions"),
    depth: traceInput.shape.depth,
    show: z
      .string()
      .optional()
      .describe(
        "shows the last trace instead of a new run: `#1.27` shows this call, a function's name shows all its calls",
      ),
  }),
  example: {
    instrument: ["src/cart.py:Cart.total"],
    command: "python3 -m pytest tests/test_cart.py -k total",
    on: "c1",
  },
  kinds: taskKindSchema.options,
  effect: "runs",
  reads: ["candidates", "fault"],
  writes: ["facts"],
  async run(context, state, { instrument, command, on, depth, show }) {
    const { workspace, suite, traces } = context;
    if (show !== undefined) return { state, ...(await traces.show(show)) };
    if (instrument.length === 0) return { state, text: "Name the functions in `instrument`.", isError: true };
    const candidate =
      on === "base"
        ? { id: "base", tree: workspace.base, kind: "code" as const, origin: "" }
        : state.candidates.find(({ id }) => id === on);
    if (candidate === undefined) return { state, text: `There is no candidate ${on}.`, isError: true };
    const composed = await composeTree(context, state, candidate);
    if (!composed.ok) return { state, text: composed.message, isError: true };
    const { directory } = suite.command;
    const usual = directory === "" ? suite.command.command : `cd ${directory} && ${suite.command.command}`;
    const run = command ?? usual;
    const { text, isError, failurePath } = await traces.trace({
      tree: composed.value,
      instrument,
      command: run,
      depth,
      seconds,
    });
    const gist = failurePath?.join(" > ") ?? text.split("\n", 1)[0];
    const fact: Fact = {
      ...{ kind: "trace", of: on },
      text: `Traced on ${on}: ${gist}`.slice(0, longestFact),
    };
    const facts = isError ? state.facts : withFacts(state.facts, [fact]);
    return { state: { ...state, facts }, text, isError };
  },
});

const seconds = 600;
