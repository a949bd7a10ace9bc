/** The contract of derived tasks: tasks of other kinds, from a mined dataset or from the newest commit's functions. */
import type { EnvironmentRules } from "../../bench/rules.ts";
import type { Outcome } from "../contract.ts";
import type { HistoryTrees } from "../history-trees.ts";
import type { MineRequest } from "../settings.ts";

/** A row in the dataset's format, and the setup, because the format has no field for it. */
export interface DerivedTask {
  readonly row: Readonly<Record<string, unknown>>;
  readonly rules: EnvironmentRules;
}

/** A task that Millwright could derive. */
export interface Derivable {
  readonly id: string;
  readonly commit: string;
  readonly language: string;
  derive(): Promise<Outcome<DerivedTask>>;
}

export interface DeriveRequest extends Omit<MineRequest, "onVerdict"> {
  readonly trees: HistoryTrees;
  /** A file of predictions for the mined tasks. Unresolved predictions become failed attempts (SWETRY). */
  readonly attempts: string | undefined;
}

/** Yields possible tasks one by one, in a seeded order. The caller stops when it has enough tasks. */
export type DeriveSource = (request: DeriveRequest) => AsyncGenerator<Derivable>;

export function setupRules(id: string, setup: string | undefined): EnvironmentRules {
  return setup === undefined ? [] : [{ tasks: id, repository: "**", setup }];
}
