import type { Command } from "commander";
import type { Surroundings } from "../session/surroundings.ts";

export interface SurroundingsFlags {
  readonly sandbox?: string;
  readonly repo?: string;
}

export function addSurroundingsFlags(command: Command): Command {
  return command
    .option("--sandbox <name>", "another sandbox than the run's: auto, docker, bubblewrap or local")
    .option("--repo <dir>", "where the repository is now, if not where the run found it");
}

export function surroundingsOf({ sandbox, repo }: SurroundingsFlags): Surroundings {
  return { sandbox, repository: repo };
}
