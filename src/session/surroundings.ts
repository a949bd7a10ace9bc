/**
 * The environment in which a run continues or is repeated: its own sandbox and repository, unless the user names
 * others.
 */
import { existsSync } from "node:fs";
import type { RunDescription } from "../agent/run/run-store.ts";
import { MillwrightError } from "../base/errors.ts";
import { type SelectedSandbox, selectSandbox } from "../sandbox/index.ts";
import { findRepository } from "./repository.ts";

export interface Surroundings {
  readonly sandbox?: string | undefined;
  /** The repository's current path. */
  readonly repository?: string | undefined;
}

export interface ChosenSurroundings {
  readonly sandbox: SelectedSandbox;
  /** The run's description with the user's choices. Another sandbox drops the run's image. */
  readonly description: RunDescription;
}

/** Returns the current path of a run's repository, even if the repository has moved since the run began. */
export function placeOf({ task, repositoryAt }: Pick<RunDescription, "task" | "repositoryAt">): string {
  return repositoryAt ?? task.repository;
}

/**
 * Chooses the sandbox and the repository to continue or replay a run. `asked` overrides the run's own choices. Throws
 * MillwrightError if the repository does not exist, or if the sandbox does not work on this machine.
 */
export async function chooseSurroundings(
  run: RunDescription,
  asked: Surroundings,
): Promise<ChosenSurroundings> {
  const { sandbox, task, image, repositoryAt: _, ...rest } = run;
  const place = asked.repository === undefined ? placeOf(run) : findRepository(asked.repository);
  if (!existsSync(place))
    throw new MillwrightError("usage", `The run's repository ${place} does not exist`, {
      hint: "Give the repository's current path.",
    });
  const selected = await selectSandbox(asked.sandbox ?? sandbox).catch((error: unknown) => {
    if (asked.sandbox !== undefined || !(error instanceof MillwrightError)) throw error;
    throw new MillwrightError(error.code, error.message, {
      cause: error,
      hint: `${error.hint ?? ""} Or choose another sandbox.`.trim(),
    });
  });
  const { name } = selected.provider;
  const description = {
    ...{ ...rest, task, sandbox: name },
    ...(image === undefined || name !== sandbox ? {} : { image }),
    ...(place === task.repository ? {} : { repositoryAt: place }),
  };
  return { sandbox: selected, description };
}
