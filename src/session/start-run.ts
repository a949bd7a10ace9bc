/** Turns a user's request into a run: creates the run's folder with its description, but does not begin the work. */
import { statSync } from "node:fs";
import { checkTarget } from "../agent/kinds/target.ts";
import { tellKind } from "../agent/kinds/tell-kind.ts";
import { createRun } from "../agent/run/run-store.ts";
import { defaultSwitches, type Switches } from "../agent/switches.ts";
import { MillwrightError } from "../base/errors.ts";
import { withoutRepeatedTitle } from "../domain/statement.ts";
import type { Task, TaskKind } from "../domain/task.ts";
import type { SelectedSandbox } from "../sandbox/index.ts";
import { checkSwitches, chooseStrategy, kindsFor, modelFor } from "./choose-strategy.ts";
import { describeRun, describeTask } from "./describe-run.ts";
import type { Host } from "./host.ts";
import { openModelSession, redactorOver, refuseUnpriced } from "./model-session.ts";
import { chooseSandbox } from "./open-workspace.ts";
import { readerOf } from "./repository.ts";
import { runsDirectoryOf, type Settings } from "./settings.ts";

export interface AskedRun {
  readonly host: Host;
  /** The task, with the real path of its repository. For the kind `auto`, Millwright determines the kind. */
  readonly task: Omit<Task, "id" | "baseCommit" | "kind"> & { readonly kind: TaskKind | "auto" };
  readonly settings: Settings;
  /** The run's id; default: a new one from the time and the repository's name. */
  readonly run?: string;
  readonly switches?: Switches;
  /**
   * True: applies a verified patch to the repository at the end. "partial": also applies a patch that repairs only some
   * of the failing tests.
   */
  readonly apply?: boolean | "partial";
  /** The user's folder for a copy of the recorded model calls. The run writes it at the end. */
  readonly recordTo?: string | undefined;
}

export interface StartedRun {
  /** The run's folder. */
  readonly directory: string;
  readonly sandbox: SelectedSandbox;
}

/**
 * Starts a run. Throws MillwrightError before the run exists if a setting is wrong, or if a strategy, a model's key, a
 * sandbox or the target is missing.
 */
export async function startRun(asked: AskedRun): Promise<StartedRun> {
  const { host, settings, switches = defaultSwitches, apply = false, recordTo } = asked;
  const { repository } = asked.task;
  const read = readerOf(repository);
  const kindByRule =
    asked.task.kind === "auto" ? await tellKind(asked.task, kindsFor(settings), read) : undefined;
  const kind = asked.task.kind === "auto" ? (kindByRule?.kind ?? "repair") : asked.task.kind;
  const strategy = chooseStrategy(settings, kind);
  checkSwitches(switches, strategy);
  const { agentFolder } = settings;
  if (agentFolder !== undefined && statSync(agentFolder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new MillwrightError("usage", `The agent's folder ${agentFolder} is not a folder`);
  if (modelFor(strategy, settings.model) !== null)
    refuseUnpriced(await openModelSession(settings, host), settings.maxCost);
  const sandbox = await chooseSandbox(settings.sandbox, host);
  const statement = redactorOver(host, repository).known(withoutRepeatedTitle(asked.task.statement));
  const task = await describeTask({ ...asked.task, kind, statement });
  await checkTarget({ ...task, target: kindByRule?.target ?? task.target }, read);
  const described = { host, task, kindByRule, strategy, settings, switches, apply, recordTo, run: asked.run };
  const description = describeRun({ ...described, sandbox: sandbox.provider.name });
  return { directory: await createRun(runsDirectoryOf(settings, host.environment), description), sandbox };
}
