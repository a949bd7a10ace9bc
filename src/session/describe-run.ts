/** Builds a run's description for `run.json` from its task and the settings. */
import { basename, resolve } from "node:path";
import { newRunId, type RunDescription } from "../agent/run/run-store.ts";
import type { Strategy } from "../agent/strategy.ts";
import type { Switches } from "../agent/switches.ts";
import { hashText } from "../base/hash.ts";
import type { KindByRule, Task } from "../domain/task.ts";
import { headCommitOf } from "../workspace/repository-files.ts";
import { modelFor } from "./choose-strategy.ts";
import type { Host } from "./host.ts";
import { imageOf } from "./open-workspace.ts";
import { limitsOf } from "./setting-limits.ts";
import { modelSettingNames, notesFileOf, type Settings } from "./settings.ts";
import { version } from "./version.ts";

/** Makes a task from a request. Adds the repository's current commit, if any, and an id derived from request and commit. */
export async function describeTask(asked: Omit<Task, "id" | "baseCommit">): Promise<Task> {
  const { repository, kind, statement, failingTests = [] } = asked;
  const commit = await headCommitOf(repository);
  const hash = hashText([kind, statement, commit ?? "", ...failingTests].join("\n")).slice(0, 8);
  return {
    id: `${basename(repository)}-${hash}`,
    ...asked,
    ...(commit === undefined ? {} : { baseCommit: commit }),
  };
}

export interface DescribedRun {
  readonly host: Host;
  /** The run's id; undefined if the caller names none. */
  readonly run: string | undefined;
  readonly task: Task;
  /** Set if Millwright determines the task's kind. */
  readonly kindByRule: KindByRule | undefined;
  readonly strategy: Strategy;
  readonly settings: Settings;
  readonly switches: Switches;
  /** The name of the chosen sandbox. */
  readonly sandbox: string;
  readonly apply: RunDescription["apply"];
  /** The user's folder for a copy of the recorded model calls. The run writes it at the end. */
  readonly recordTo: string | undefined;
}

export function describeRun(run: DescribedRun): RunDescription {
  const { host, task, strategy, settings, switches, sandbox, apply, recordTo } = run;
  const now = new Date();
  return {
    schema: "millwright.run/1",
    run: run.run ?? newRunId(basename(task.repository), now),
    version,
    startedAt: now.toISOString(),
    task,
    ...(run.kindByRule === undefined ? {} : { kindByRule: run.kindByRule }),
    strategy: strategy.name,
    model: modelFor(strategy, settings.model),
    modelSettings: Object.fromEntries(modelSettingNames.map((name) => [name, settings[name]])),
    sandbox,
    ...(settings.image === undefined ? {} : { image: imageOf(settings) }),
    network: settings.network,
    ...(settings.share === undefined ? {} : { share: settings.share }),
    codeServers: settings.codeServers,
    ...(settings.testCommand === undefined ? {} : { testCommand: settings.testCommand }),
    ...(settings.testTimeout === undefined ? {} : { testTimeoutMs: settings.testTimeout }),
    parallel: settings.parallel,
    ...(settings.samples === undefined ? {} : { samples: settings.samples }),
    ...(settings.arms === undefined ? {} : { arms: settings.arms }),
    ...(settings.agentCommand === undefined ? {} : { agentCommand: settings.agentCommand }),
    ...(settings.agentFolder === undefined ? {} : { agentFolder: settings.agentFolder }),
    limits: limitsOf(settings),
    ...(settings.remember ? { notesFile: notesFileOf(task.repository, host.environment) } : {}),
    apply,
    switches,
    ...(recordTo === undefined ? {} : { recordTo: resolve(recordTo) }),
  };
}
