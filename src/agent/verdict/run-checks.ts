/** Runs the project's own compilers and type checkers without and with a patch, in the sandbox. */
import { z } from "zod";
import { hashText } from "../../base/hash.ts";
import type { Checkout } from "../../workspace/contract.ts";
import { runShell } from "../../workspace/run-shell.ts";
import type { ActionContext } from "../action.ts";
import { cutSchema, limitedStep } from "../record/limited-step.ts";
import { type CheckResult, type CheckRun, compareRuns, type ProjectCheck } from "./project-checks.ts";

export type CheckContext = Pick<ActionContext, "workspace" | "recorder" | "limits" | "signal">;

const ranSchema = z.object({ unavailable: z.string().optional(), errors: z.array(z.string()), ...cutSchema });
type Ran = z.infer<typeof ranSchema>;

/** Milliseconds for both runs of a check. */
const usualMs = 180_000;
const outputBytes = 256 * 1024;

export function runCheck(context: CheckContext, check: ProjectCheck, tree: string): Promise<CheckResult> {
  const { workspace, signal } = context;
  const { tool, directory, command } = check;
  const options = {
    key: `check:${hashText(JSON.stringify([directory, command, workspace.base, tree]))}`,
    title: `run ${tool} without and with the patch`,
    schema: ranSchema,
    usualMs,
  };
  return limitedStep<Ran>(context, options, async (timeMs) => {
    const deadline = performance.now() + timeMs;
    const checkout = await workspace.openCheckout();
    const run = (of: string): Promise<CheckRun> =>
      runOn(checkout, of, check, Math.max(1, deadline - performance.now()), signal);
    try {
      const base = await run(workspace.base);
      const { errors, unavailable } = compareRuns(
        check,
        base,
        base.end === "exited" ? await run(tree) : base,
      );
      const result = { errors: [...errors], ...(unavailable === undefined ? {} : { unavailable }) };
      return { result, isCut: performance.now() >= deadline };
    } finally {
      await checkout.close();
    }
  });
}

async function runOn(
  checkout: Checkout,
  tree: string,
  { directory, command }: ProjectCheck,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<CheckRun> {
  await checkout.lay(tree);
  const { end, exitCode, stdout, stderr } = await runShell(checkout, {
    text: command,
    directory: directory === "." ? "" : directory,
    timeoutMs,
    outputBytes,
    signal,
  });
  return { end, exitCode, output: `${stdout}\n${stderr}` };
}
