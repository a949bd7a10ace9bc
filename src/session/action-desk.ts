/**
 * Performs actions for the command line and MCP, on a private copy of the repository. For each task, a desk keeps the
 * results of the actions.
 */
import { join } from "node:path";
import type { Action } from "../agent/action.ts";
import { type ActedAlone, actAlone, type Desk } from "../agent/control/act-alone.ts";
import { createLimits } from "../agent/record/limits.ts";
import { openRecorder, type Recorder } from "../agent/record/recorder.ts";
import type { StrategyContext } from "../agent/strategy.ts";
import { defaultSwitches } from "../agent/switches.ts";
import { absentModels } from "../agent/think/absent-models.ts";
import { MillwrightError } from "../base/errors.ts";
import { hashData } from "../base/hash.ts";
import type { RunEvent } from "../domain/run-event.ts";
import type { Task } from "../domain/task.ts";
import { testFrameworks } from "../languages/index.generated.ts";
import type { ModelClient } from "../llm/contract.ts";
import { describeTask } from "./describe-run.ts";
import type { Host } from "./host.ts";
import { openModelSession, redactorOver } from "./model-session.ts";
import { modelLimitsOf } from "./setting-limits.ts";
import type { Settings } from "./settings.ts";
import { withTemporaryWorkspace } from "./temporary-workspace.ts";

export type AskedTask = Omit<Task, "id" | "baseCommit" | "repository">;

export interface ActionRequest {
  readonly action: Action;
  /** The caller's input. The desk validates it against the action's schema. */
  readonly input: unknown;
  readonly task: AskedTask;
  /** Patches as unified diffs. */
  readonly patches: readonly string[];
  /** Asks the person who sent this request; default: the desk's own function. */
  readonly ask?: StrategyContext["ask"] | undefined;
}

export interface ActionDesk {
  /**
   * Performs an action for a task. Later actions for the same task see its results. Throws MillwrightError("usage") for
   * invalid requests.
   */
  act(request: ActionRequest): Promise<ActedAlone>;
}

export interface ActionDeskOptions {
  readonly host: Host;
  readonly repository: string;
  readonly settings: Settings;
  /** The user's folder for recorded model calls. Actions reuse its answers. */
  readonly recording: string | undefined;
  readonly ask?: StrategyContext["ask"] | undefined;
  readonly onEvent: (event: RunEvent) => void;
  readonly signal: AbortSignal;
}

export async function withActionDesk<T>(
  options: ActionDeskOptions,
  work: (desk: ActionDesk) => Promise<T>,
): Promise<T> {
  const { host, repository, settings, signal, onEvent, ask } = options;
  const models = await openDeskModels(options);
  const redactor = redactorOver(host, repository);
  return withTemporaryWorkspace({ host, repository, settings, signal }, async ({ workspace }) => {
    const desks = new Map<string, { readonly desk: Desk; readonly recorder: Recorder }>();
    const open = async (asked: AskedTask) => {
      const key = hashData(asked).slice(0, 12);
      const known = desks.get(key);
      if (known !== undefined) return known;
      const recorder = await openRecorder(join(workspace.directory, "desks", key), onEvent, redactor);
      const desk = actAlone({
        task: await describeTask({ ...asked, repository }),
        workspace,
        frameworks: testFrameworks,
        models,
        testCommand: settings.testCommand,
        testTimeoutMs: settings.testTimeout,
        recorder,
        ...(ask === undefined ? {} : { ask }),
        limits: createLimits({ maxMs: settings.maxTime, maxSteps: settings.maxSteps, usedMs: 0 }),
        switches: defaultSwitches,
        decoding: {},
        samples: settings.samples,
        parallel: settings.parallel,
        signal,
      });
      const opened = { desk, recorder };
      desks.set(key, opened);
      return opened;
    };
    try {
      return await work({
        async act({ action, input, task, patches, ask: asker }) {
          if (!action.kinds.includes(task.kind))
            throw new MillwrightError(
              "usage",
              `The action ${action.name} is not available for tasks of the kind ${task.kind}`,
              {
                hint: `Choose one of these kinds: ${action.kinds.join(", ")}.`,
              },
            );
          const given = readInput(action, input);
          return (await open(task)).desk.act(action, given, patches, asker);
        },
      });
    } finally {
      for (const { desk, recorder } of desks.values()) {
        await desk.close();
        recorder.close();
      }
    }
  });
}

async function openDeskModels({ host, settings, recording }: ActionDeskOptions): Promise<ModelClient> {
  if (settings.model === "none") return absentModels;
  const { client } = await openModelSession(settings, {
    ...host,
    ...(recording === undefined ? {} : { recording }),
    limits: modelLimitsOf(settings),
  });
  return client;
}

function readInput({ name, input }: Action, given: unknown): unknown {
  const parsed = input.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new MillwrightError("usage", `${name}: ${issue?.path.join(".")}: ${issue?.message}`, {
    hint: `The inputs of ${name}: ${Object.keys(input.shape).join(", ")}.`,
  });
}
