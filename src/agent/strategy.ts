import type { Candidate } from "../domain/candidate.ts";
import type { Findings } from "../domain/finding.ts";
import type { Predicate } from "../domain/gate.ts";
import type { Outcome, Strength } from "../domain/solve-report.ts";
import type { KindChoice, Task, TaskKind } from "../domain/task.ts";
import type { UserQuestion } from "../domain/user-question.ts";
import type { TestCommand, TestFramework } from "../languages/contract.ts";
import type { ModelClient, ModelSettings } from "../llm/contract.ts";
import type { LanguageServers } from "../lsp/language-servers.ts";
import type { Checkout, Workspace } from "../workspace/contract.ts";
import type { Limits } from "./record/limits.ts";
import type { Recorder } from "./record/recorder.ts";
import type { Fact, TaskState } from "./state/task-state.ts";
import type { Switches } from "./switches.ts";

/** The sources that answer questions about code, in addition to the run's own code graph. */
export interface CodeSources {
  /** The servers of a checkout, in its sandbox; none starts before it is asked. */
  readonly openServers?: (checkout: Checkout) => LanguageServers;
  /** The folder of the user's index of the repository: files in it are not read again. */
  readonly knownIndex?: string;
}

/**
 * Everything that a strategy may use. Effects go through `workspace`, and each expensive effect through
 * `recorder.step`.
 */
export interface StrategyContext {
  readonly task: Task;
  /** How its kind was found; absent if the user gave it. */
  readonly kindChoice?: KindChoice;
  readonly workspace: Workspace;
  readonly frameworks: readonly TestFramework[];
  /** Absent in a run without a model. */
  readonly models: ModelClient | undefined;
  /** `--test-command`: replaces the search for one. */
  readonly testCommand: string | undefined;
  /** `--remember`: the command of an earlier run; tried if nothing likelier is found. */
  readonly rememberedCommand?: string | undefined;
  /** `--test-timeout`: maximum milliseconds for one test; absent: 10 s on the base, then derived from its tests. */
  readonly testTimeoutMs?: number | undefined;
  readonly recorder: Recorder;
  readonly limits: Limits;
  /** Disabled features, for ablations. */
  readonly switches: Switches;
  /** The strategy's own settings. */
  readonly decoding: ModelSettings;
  /** `--samples`: number of samples for a strategy that samples; undefined: its own number. */
  readonly samples: number | undefined;
  /** `--arms`: the strategies that a strategy of several runs, in this order; undefined: its own list. */
  readonly arms?: readonly string[];
  /** All strategies, for one that runs others. */
  readonly strategies?: readonly Strategy[];
  /** `--agent-command`: for a strategy that is another program. */
  readonly agentCommand?: string | undefined;
  /** `--agent-folder`: a folder of that program, shown at its own path. */
  readonly agentFolder?: string | undefined;
  /** `--max-cost`: maximum US dollars that the run may spend on models. */
  readonly maxUsd?: number;
  /** Sources of the machine besides the repository's files; absent if there are none. */
  readonly code?: CodeSources;
  /** Notes of earlier runs, for the state's facts; empty unless the user allows it. */
  readonly notes?: readonly Fact[];
  /** Asks the user; absent if nobody can answer. Undefined: they gave no answer. */
  readonly ask?: (question: UserQuestion) => Promise<string | undefined>;
  /**
   * False in one of several strategies of a run: the strategy that chooses among their candidates confirms the chosen
   * one.
   */
  readonly confirms?: false;
  /** Maximum number of simultaneously working checkouts. */
  readonly parallel: number;
  /** Fires when the user interrupts the run; a limit does not fire it. */
  readonly signal: AbortSignal;
}

/** How a strategy ended. A limit is a normal end: the best candidate is still chosen. */
export interface StrategyEnd {
  readonly outcome: Outcome;
  /** A sentence for people: the result, or why there is none. */
  readonly reason: string;
  /** True if a limit ended it before anything was verified. */
  readonly limited: boolean;
  /** The chosen candidate; absent if there is none. */
  readonly candidate?: Candidate;
  readonly testCommand?: TestCommand;
  readonly gate: readonly Predicate[];
  /** The strength of the evidence; absent if the gate was not computed that far. */
  readonly strength?: Strength;
  /**
   * True for an unverified candidate that repairs some of the failing tests and meets every other condition of its
   * gate.
   */
  readonly repairsSome?: boolean;
  /** Why the strategy's own program failed, if it did: in a benchmark an agent error, whatever it left. */
  readonly failed?: string;
  /** Number of validated candidates. */
  readonly candidates: number;
  readonly findings: Findings;
  /** The final task state, if the strategy has one: for a strategy that ran it among others. */
  readonly state?: TaskState;
}

export interface Strategy {
  readonly name: string;
  readonly description: string;
  readonly kinds: readonly TaskKind[];
  /** False for a strategy that works without a model; "optional": it uses one if given. */
  readonly needsModel: boolean | "optional";
  /** Names of its own stages, which `--without` can disable like actions. */
  readonly stages?: readonly string[];
  /**
   * True if it gets the measurements of earlier strategies in the run. A published strategy does not: it would become
   * another one.
   */
  readonly takesFacts?: boolean;
  /** The default decoding of its calls: part of the strategy. Temperature 0 by default. */
  readonly decoding?: ModelSettings;
  /** The default decoding of repeated requests, except the first answer if that uses `decoding`. */
  readonly sampling?: ModelSettings;
  run(context: StrategyContext): Promise<StrategyEnd>;
}

/** Returns the record unchanged, with its inferred type. */
export function defineStrategy<const T extends Strategy>(strategy: T): T {
  return strategy;
}
