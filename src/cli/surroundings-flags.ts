import type { Command } from "commander";
import type { Surroundings } from "../session/surroundings.ts";

export interface SurroundingsFlags {
  readonly sandbox?: string;
  readonly repo?: string;
}

export function addSurroundingsFlags(command: Command): Command {
  return command
    .option("--sandbox <name>", "a sandbox other than the run's: auto, docker, bubblewrap or local")
    .option("--repo <dir>", "the repository's current path, if it has moved since the run");
}

export function surroundingsOf({ sandbox, repo }: SurroundingsFlags): Surroundings {
  return { sandbox, repository: repo };
}
