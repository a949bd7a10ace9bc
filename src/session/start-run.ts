/** A task as a user asks for it, and the run that is made of it: described in its folder, not yet begun. */
import { checkTarget } from "../agent/kinds/target.ts";
import { createRun } from "../agent/run/run-store.ts";
import { defaultSwitches, type Switches } from "../agent/switches.ts";
import type { Task } from "../domain/task.ts";
import type { SelectedSandbox } from "../sandbox/index.ts";
import { checkSwitches, chooseStrategy } from "./choose-strategy.ts";
import { describeRun, describeTask } from "./describe-run.ts";
import type { Host } from "./host.ts";
import { openModelSession, redactorOver, refuseUnpriced } from "./model-session.ts";
import { chooseSandbox } from "./open-workspace.ts";
import { readerOf } from "./repository.ts";
import { runsDirectoryOf, type Settings } from "./settings.ts";

export interface AskedRun {
  readonly host: Host;
  /** Its repository by its real path. */
  readonly task: Omit<Task, "id" | "baseCommit">;
  readonly settings: Settings;
  /** Its id; by default a new one of the time and the repository's name. */
  readonly run?: string;
  readonly switches?: Switches;
  /** Whether a verified patch is laid on the repository at the end; "partial": also one that repairs only some of the failing tests. */
  readonly apply?: boolean | "partial";
  /** A folder of the user's that gets a copy of the models' calls at the end. */
  readonly recordTo?: string | undefined;
}

export interface StartedRun {
  /** The run's folder. */
  readonly directory: string;
  readonly sandbox: SelectedSandbox;
}

/** Throws MillwrightError, before there is a run, for all that is missing: a strategy, a model's key, a sandbox, the target. */
export async function startRun(asked: AskedRun): Promise<StartedRun> {
  const { host, settings, switches = defaultSwitches, apply = false, recordTo } = asked;
  const { repository, kind } = asked.task;
  const strategy = chooseStrategy(settings, kind);
  checkSwitches(switches, strategy);
  if (strategy.needsModel) refuseUnpriced(await openModelSession(settings, host), settings.maxCost);
  const sandbox = await chooseSandbox(settings.sandbox, host);
  const statement = redactorOver(host, repository).known(asked.task.statement);
  const task = await describeTask({ ...asked.task, statement });
  await checkTarget(task, readerOf(repository));
  const described = { host, task, strategy, settings, switches, apply, recordTo, run: asked.run };
  const description = describeRun({ ...described, sandbox: sandbox.provider.name });
  return { directory: await createRun(runsDirectoryOf(settings, host.environment), description), sandbox };
}
