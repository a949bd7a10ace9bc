/** What `run.json` says of a run, from its task and the settings. */
import { execFileSync } from "node:child_process";
import { basename } from "node:path";
import { newRunId, type RunDescription } from "../agent/run/run-store.ts";
import type { Switches } from "../agent/switches.ts";
import { hashText } from "../base/hash.ts";
import type { Task } from "../domain/task.ts";
import { limitsOf } from "./setting-limits.ts";
import { modelSettingNames, notesFileOf, type Settings } from "./settings.ts";
import { version } from "./version.ts";

/** With an id that follows from what is asked of which commit. */
export function describeTask(asked: Omit<Task, "id" | "baseCommit">): Task {
  const { repository, kind, statement, failingTests = [] } = asked;
  const commit = headCommit(repository);
  const hash = hashText([kind, statement, commit ?? "", ...failingTests].join("\n")).slice(0, 8);
  return {
    id: `${basename(repository)}-${hash}`,
    ...asked,
    ...(commit === undefined ? {} : { baseCommit: commit }),
  };
}

export interface DescribedRun {
  readonly task: Task;
  readonly strategy: string;
  readonly settings: Settings;
  readonly switches: Switches;
  /** The one that was chosen. */
  readonly sandbox: string;
  readonly apply: boolean;
}

export function describeRun(run: DescribedRun): RunDescription {
  const { task, strategy, settings, switches, sandbox, apply } = run;
  const now = new Date();
  return {
    schema: "millwright.run/1",
    run: newRunId(basename(task.repository), now),
    version,
    startedAt: now.toISOString(),
    task,
    strategy,
    model: settings.model === "none" ? null : settings.model,
    modelSettings: Object.fromEntries(modelSettingNames.map((name) => [name, settings[name]])),
    sandbox,
    ...(settings.image === undefined ? {} : { image: settings.image }),
    network: settings.network,
    codeServers: settings.codeServers,
    ...(settings.testCommand === undefined ? {} : { testCommand: settings.testCommand }),
    parallel: settings.parallel,
    ...(settings.samples === undefined ? {} : { samples: settings.samples }),
    ...(settings.arms === undefined ? {} : { arms: settings.arms }),
    limits: limitsOf(settings),
    ...(settings.remember ? { notesFile: notesFileOf(task.repository, process.env) } : {}),
    apply,
    switches,
  };
}

/** The commit of HEAD; undefined outside of git or before the first commit. Reads only. */
function headCommit(repository: string): string | undefined {
  try {
    const text = execFileSync(
      "git",
      [
        "-C",
        repository,
        "-c",
        "core.fsmonitor=false",
        "-c",
        "safe.directory=*",
        "rev-parse",
        "--verify",
        "HEAD",
      ],
      {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
        env: { PATH: process.env.PATH ?? "", GIT_OPTIONAL_LOCKS: "0" },
      },
    );
    return text.trim();
  } catch {
    return undefined;
  }
}
