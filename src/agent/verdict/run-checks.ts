/** Runs the project's own compilers and type checkers without and with a patch, in the sandbox. */
import { posix } from "node:path";
import { z } from "zod";
import { hashText } from "../../base/hash.ts";
import type { Checkout } from "../../workspace/contract.ts";
import { runShell } from "../../workspace/run-shell.ts";
import type { ActionContext } from "../action.ts";
import { cutSchema, limitedStep } from "../record/limited-step.ts";
import {
  type CheckResult,
  type CheckRun,
  compareRuns,
  type ProjectCheck,
  whyEmpty,
} from "./project-checks.ts";

export type CheckContext = Pick<ActionContext, "workspace" | "recorder" | "limits" | "signal">;

const resultSchema = z.object({ unavailable: z.string().optional(), errors: z.array(z.string()) });
const ranSchema = z.object({ results: z.array(resultSchema), ...cutSchema });
type Ran = z.infer<typeof ranSchema>;

/** Milliseconds for all checks, without and with the patch. */
const usualMs = 180_000;
const outputBytes = 256 * 1024;

/** Returns a result for each check. */
export async function runChecks(
  context: CheckContext,
  checks: readonly ProjectCheck[],
  tree: string,
): Promise<CheckResult[]> {
  const { workspace, signal } = context;
  const commands = checks.map(({ directory, command }) => [directory, command]);
  const options = {
    key: `check:${hashText(JSON.stringify([commands, workspace.base, tree]))}`,
    title: `run ${[...new Set(checks.map(({ tool }) => tool))].join(", ")} without and with the patch`,
    schema: ranSchema,
    usualMs,
  };
  const { results } = await limitedStep<Ran>(context, options, async (timeMs) => {
    const deadline = performance.now() + timeMs;
    const checkout = await workspace.openCheckout();
    const run = (of: string, check: ProjectCheck): Promise<CheckRun> =>
      runOn(checkout, of, check, deadline - performance.now(), signal);
    try {
      const results: Ran["results"] = [];
      for (const check of checks) {
        const { directory, configuration } = check;
        const path = configuration === undefined ? undefined : posix.join(directory, configuration);
        const text = path === undefined ? undefined : await workspace.trees.read(tree, path);
        const empty = whyEmpty(check, text?.toString("utf8"));
        results.push(empty === undefined ? await compare(check, run, workspace.base, tree) : unjudged(empty));
      }
      return { result: { results }, isCut: performance.now() >= deadline };
    } finally {
      await checkout.close();
    }
  });
  return results;
}

const unjudged = (unavailable: string): Ran["results"][number] => ({ unavailable, errors: [] });

async function compare(
  check: ProjectCheck,
  run: (of: string, check: ProjectCheck) => Promise<CheckRun>,
  from: string,
  tree: string,
): Promise<Ran["results"][number]> {
  const base = await run(from, check);
  const { errors, unavailable } = compareRuns(
    check,
    base,
    base.end === "exited" ? await run(tree, check) : base,
  );
  return { errors: [...errors], ...(unavailable === undefined ? {} : { unavailable }) };
}

async function runOn(
  checkout: Checkout,
  tree: string,
  { directory, command }: ProjectCheck,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<CheckRun> {
  if (timeoutMs < 1) return { end: "timed-out", exitCode: null, output: "" };
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
