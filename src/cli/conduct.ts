import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type RunDescription, readRun } from "../agent/run/run-store.ts";
import { runTask } from "../agent/run/run-task.ts";
import { MillwrightError } from "../base/errors.ts";
import type { Redactor } from "../base/redact.ts";
import type { RunEvent } from "../domain/run-event.ts";
import type { SolveReport } from "../domain/solve-report.ts";
import { testFrameworks } from "../languages/index.generated.ts";
import type { ModelClient } from "../llm/contract.ts";
import { type SelectedSandbox, selectSandbox } from "../sandbox/index.ts";
import { strategies } from "../strategies/index.generated.ts";
import { applyToUserTree } from "../workspace/apply-to-user-tree.ts";
import type { Workspace } from "../workspace/contract.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";
import { userOf } from "./ask-user.ts";
import { codeSourcesOf } from "./code-sources.ts";
import { listenForInterrupts } from "./interrupt.ts";
import { openModelSession, redactorOver } from "./model-session.ts";
import { type OutputFormat, printEvent, printReport } from "./output.ts";
import { createProgress } from "./progress.ts";
import { runtimeDirectory } from "./runtime-directory.ts";
import type { ModelSettings } from "./settings.ts";
import { sweepDeadRuns } from "./sweep-runs.ts";
import { watchMisses } from "./watch-misses.ts";

export const interruptedExitCode = 130;

/** Goes on with (or begins) the run in `directory`, shows progress, prints its report and returns the exit code. */
export async function conductRun(
  directory: string,
  output: OutputFormat,
  sandbox?: SelectedSandbox,
): Promise<number> {
  const report = await performRun(directory, output, sandbox === undefined ? {} : { sandbox });
  if (report === undefined) return interruptedExitCode;
  printReport(output, report);
  return report.exitCode;
}

export interface RunOptions {
  /** Hears of each request that a replayed recording does not have. */
  readonly onMiss?: (message: string) => void;
  /** Where it was tried just now: trying opens sandboxes. */
  readonly sandbox?: SelectedSandbox;
}

/** The same without printing the report; undefined where the user interrupted it. */
export async function performRun(
  directory: string,
  output: OutputFormat,
  { onMiss = () => {}, sandbox }: RunOptions = {},
): Promise<SolveReport | undefined> {
  const description = await readRun(directory);
  const strategy = strategies.find((each) => each.name === description.strategy);
  if (strategy === undefined) throw unknownStrategy(description.strategy);
  const interrupts = listenForInterrupts();
  const progress = await createProgress(process.stderr);
  try {
    const { provider, availability } = sandbox ?? (await selectSandbox(description.sandbox));
    await sweepDeadRuns(dirname(directory));
    const redactor = redactorOver(process.env, [process.cwd(), description.task.repository]);
    const models = await openRunModels(directory, description, redactor);
    const { stdin: input, stderr: shown } = process;
    const ask = userOf({ input, output: shown, signal: interrupts.signal, hold: progress.hold }, output);
    const report = await runTask({
      directory,
      description,
      ...(models === undefined ? {} : { models: watchMisses(models, onMiss) }),
      strategy,
      strategies,
      redactor,
      code: codeSourcesOf(description),
      ...(ask === undefined ? {} : { ask }),
      frameworks: testFrameworks,
      openWorkspace: (folder, base) =>
        openWorkspace({
          repository: description.task.repository,
          directory: folder,
          runtimeDirectory,
          base,
          signal: interrupts.signal,
          sandbox: {
            provider,
            mounts: availability.mounts,
            owner: description.run,
            network: description.network,
            limits: description.limits,
            ...(description.image === undefined ? {} : { image: description.image }),
          },
        }),
      apply,
      onEvent: (event: RunEvent) => {
        progress.show(event);
        printEvent(output, event);
      },
      signal: interrupts.signal,
    });
    progress.close();
    if (report === undefined)
      process.stderr.write(`stopped; \`millwright resume ${description.run}\` goes on\n`);
    await copyCalls(directory, description.recordTo);
    return report;
  } finally {
    progress.close();
    interrupts.stop();
  }
}

async function apply(workspace: Workspace, tree: string): Promise<string> {
  const applied = await applyToUserTree(workspace, tree);
  return applied.ok ? `The patch was applied to ${workspace.repository}.` : `Not applied: ${applied.message}`;
}

/** With what was there: each call has names of its own. */
async function copyCalls(directory: string, recordTo: string | undefined): Promise<void> {
  const calls = join(directory, "calls");
  if (recordTo === undefined || !existsSync(calls)) return;
  try {
    await cp(calls, recordTo, { recursive: true });
  } catch (error) {
    throw new MillwrightError("disk", `The calls could not be copied to ${recordTo}: ${String(error)}`, {
      cause: error,
      hint: `They are in ${calls}.`,
    });
  }
}

/** Every call is recorded in the run's folder: a resumed run asks nothing twice. */
async function openRunModels(
  directory: string,
  { model, modelSettings, limits: { maxUsd, maxTokens } }: RunDescription,
  redactor: Redactor,
): Promise<ModelClient | undefined> {
  if (model === null) return undefined;
  const settings = { ...modelSettings, model } as ModelSettings;
  const { client } = await openModelSession(settings, {
    environment: process.env,
    folder: process.cwd(),
    recording: join(directory, "calls"),
    redactor,
    limits: {
      ...(maxUsd === undefined ? {} : { usd: maxUsd }),
      ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
    },
  });
  return client;
}

export function unknownStrategy(name: string): MillwrightError {
  const known = strategies.map((each) => each.name).join(", ");
  return new MillwrightError("usage", `There is no strategy ${name}`, {
    hint: `Known strategies: ${known}.`,
  });
}
