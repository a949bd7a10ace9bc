/** Turns a `TraceDesk` into tools of a thinking loop. */

import { z } from "zod";
import type { ThinkTool } from "../think/think.ts";
import type { TraceDesk } from "../views.ts";

/** Time limits of a trace in seconds, including a build. */
const seconds = { usual: 300, most: 900 };

export const traceInput = z.object({
  instrument: z
    .array(z.string().min(1))
    .min(1)
    .describe(
      "the functions, as `PATH:NAME,NAME`: `src/usage.rs:create_usage,Usage::*`; the name `*` means all functions of the file. Write a method with its type; in Rust, write a trait's own method with the trait: `Buf::get_int`",
    ),
  command: z
    .string()
    .min(1)
    .describe("the command, for a shell in the repository's root: one test, or a reproduction"),
  depth: z
    .int()
    .min(0)
    .max(5)
    .default(0)
    .describe("also record the calls that these functions make in the repository's code, to this depth"),
  seconds: z.int().min(1).max(seconds.most).default(seconds.usual),
});

export const traceDescription =
  "Runs a command and records each call of the chosen functions: arguments, results, errors and panics, callers. Shows the path to the failure first. Changes no files. Use this tool if the faulty function or its values are unclear. Choose the few functions on the path to the failure, and run only the test that shows the failure.";

/** Makes the tools that record and show traces. `tree`: returns the tree in which the traced command runs. */
export function traceTools(desk: TraceDesk, tree: () => string): ThinkTool<never>[] {
  return [
    {
      name: "trace",
      description: traceDescription,
      input: traceInput,
      run: (asked) => desk.trace({ ...traceInput.parse(asked), tree: tree() }),
    },
    showTool(desk),
  ];
}

function showTool(desk: TraceDesk): ThinkTool<never> {
  const input = z.object({
    call: z.string().min(1).describe("the call's handle, such as `#1.27`, or a function's name"),
  });
  return {
    name: "trace_show",
    description:
      "Shows a call of the last trace, with its full values and the calls inside it. For a function's name, shows all its calls.",
    input,
    run: (asked) => desk.show(input.parse(asked).call),
  };
}
