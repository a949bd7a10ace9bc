/** Continues a run in its folder, from its current state to its report. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type RunDescription, readRun } from "../agent/run/run-store.ts";
import { runTask } from "../agent/run/run-task.ts";
import type { StrategyContext } from "../agent/strategy.ts";
import { MillwrightError } from "../base/errors.ts";
import type { Redactor } from "../base/redact.ts";
import type { RunEvent } from "../domain/run-event.ts";
import type { SolveReport } from "../domain/solve-report.ts";
import { testFrameworks } from "../languages/index.generated.ts";
import type { ModelClient, ModelFailure } from "../llm/contract.ts";
import { recordingOf } from "../llm/model-name.ts";
import { type SelectedSandbox, selectSandbox } from "../sandbox/index.ts";
import { strategies } from "../strategies/index.generated.ts";
import { applyToUserTree } from "../workspace/apply-to-user-tree.ts";
import type { Workspace } from "../workspace/contract.ts";
import { addRecording } from "./add-recording.ts";
import { strategyNamed } from "./choose-strategy.ts";
import { codeSourcesOf } from "./code-sources.ts";
import type { Host } from "./host.ts";
import { openModelSession, redactorOver } from "./model-session.ts";
import { openSessionWorkspace, sandboxOf } from "./open-workspace.ts";
import type { ModelSettings } from "./settings.ts";
import { placeOf } from "./surroundings.ts";
import { sweepDeadRuns } from "./sweep-runs.ts";

export interface RunOptions {
  readonly host: Host;
  /** The run's folder, which contains its description. */
  readonly directory: string;
  readonly onEvent: (event: RunEvent) => void;
  readonly signal: AbortSignal;
  /** Asks the user; absent if nobody can answer. */
  readonly ask?: StrategyContext["ask"];
  /**
   * The run's sandbox, if the caller just probed it. Without this value, the session probes again, which opens
   * sandboxes.
   */
  readonly sandbox?: SelectedSandbox;
  /**
   * Receives each failure for which the agent is not responsible (`providerFailures`). Default: the strategy ends by
   * itself.
   */
  readonly onOutage?: (failure: ModelFailure) => void;
  /**
   * Replaces the shared-limits file of the run's description, because a worker serves the limits at another place each
   * time.
   */
  readonly batchBudget?: string | undefined;
}

/**
 * Begins or continues the run. Throws MillwrightError("interrupted") if the signal stops the run; a caller can then
 * resume it.
 */
export async function performRun(options: RunOptions): Promise<SolveReport> {
  const { host, directory, onEvent, signal, ask } = options;
  const description = await readRun(directory);
  const { run, task } = description;
  const repository = placeOf(description);
  const strategy = strategyNamed(description.strategy);
  const chosen = options.sandbox ?? (await selectSandbox(description.sandbox));
  await sweepDeadRuns(dirname(directory));
  const redactor = redactorOver(host, repository);
  const models = await openRunModels(options, description, redactor);
  const sandbox = sandboxOf(chosen, description, run);
  const report = await runTask({
    directory,
    description,
    ...(models === undefined ? {} : { models }),
    replayed: description.model === null ? undefined : recordingOf(description.model),
    strategy,
    strategies,
    redactor,
    code: codeSourcesOf(host, description),
    ...(ask === undefined ? {} : { ask }),
    frameworks: testFrameworks,
    openWorkspace: (folder, base) =>
      openSessionWorkspace({
        ...{ host, repository, shownRoot: task.repository, directory: folder, base, signal, sandbox },
        withoutSecrets: description.model === null ? undefined : { shared: description.share ?? [] },
      }),
    apply,
    onEvent,
    signal,
  });
  await copyCalls(directory, description.recordTo);
  if (report !== undefined) return report;
  throw new MillwrightError("interrupted", `The run ${run} was stopped`, {
    hint: `Continue it with \`millwright resume ${run}\`.`,
  });
}

async function apply(workspace: Workspace, tree: string): Promise<string> {
  const applied = await applyToUserTree(workspace, tree);
  return applied.ok
    ? `Millwright applied the patch to ${workspace.repository}.`
    : `Not applied: ${applied.message}`;
}

async function copyCalls(directory: string, recordTo: string | undefined): Promise<void> {
  const calls = join(directory, "calls");
  if (recordTo === undefined || !existsSync(calls)) return;
  try {
    await addRecording(calls, recordTo);
  } catch (error) {
    throw new MillwrightError(
      "disk",
      `Millwright could not copy the recorded model calls to ${recordTo}: ${String(error)}`,
      {
        cause: error,
        hint: `The recorded calls are in ${calls}. Copy them yourself.`,
      },
    );
  }
}

/** Opens the run's models. Records every call in the run's folder, so that a resumed run sends nothing twice. */
async function openRunModels(
  { host, directory, onOutage, batchBudget }: RunOptions,
  { model, modelSettings, limits: { maxUsd, maxTokens } }: RunDescription,
  redactor: Redactor,
): Promise<ModelClient | undefined> {
  if (model === null) return undefined;
  const given = batchBudget === undefined ? {} : { batchBudget };
  const settings = { ...modelSettings, model, ...given } as ModelSettings;
  const { client } = await openModelSession(settings, {
    ...host,
    recording: join(directory, "calls"),
    redactor,
    onOutage,
    limits: {
      ...(maxUsd === undefined ? {} : { usd: maxUsd }),
      ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
    },
  });
  return client;
}
