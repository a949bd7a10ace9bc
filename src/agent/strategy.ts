import type { Candidate } from "../domain/candidate.ts";
import type { Findings } from "../domain/finding.ts";
import type { Predicate } from "../domain/gate.ts";
import type { Outcome, Strength } from "../domain/solve-report.ts";
import type { KindChoice, Task, TaskKind } from "../domain/task.ts";
import type { TestOutcome } from "../domain/test-outcome.ts";
import type { UserQuestion } from "../domain/user-question.ts";
import type { TestCommand, TestFramework } from "../languages/contract.ts";
import type { ModelClient, ModelSettings } from "../llm/contract.ts";
import type { LanguageServers } from "../lsp/language-servers.ts";
import type { Checkout, Workspace } from "../workspace/contract.ts";
import type { Limits } from "./record/limits.ts";
import type { Recorder } from "./record/recorder.ts";
import type { Fact, TaskState } from "./state/task-state.ts";
import type { Switches } from "./switches.ts";

/** Sources of answers about code, in addition to the run's own code graph. */
export interface CodeSources {
  /** Opens the language servers of a checkout, in its sandbox. Each server starts at its first question. */
  readonly openServers?: (checkout: Checkout) => LanguageServers;
  /** The folder of the user's index of the repository. The run does not parse indexed files again. */
  readonly knownIndex?: string;
}

/**
 * Everything that a strategy may use. A strategy has effects only through `workspace`, and does expensive work within
 * `recorder.step`.
 */
export interface StrategyContext {
  readonly task: Task;
  /** How Millwright determined the task's kind; absent if the user gave it. */
  readonly kindChoice?: KindChoice;
  readonly workspace: Workspace;
  readonly frameworks: readonly TestFramework[];
  /** The models; absent in a run without a model. */
  readonly models: ModelClient | undefined;
  /** The user's test command. It replaces the search for a test command. */
  readonly testCommand: string | undefined;
  /** The test command of an earlier run. Millwright tries it if it finds no likelier command. */
  readonly rememberedCommand?: string | undefined;
  /** The milliseconds of each test file in earlier runs. */
  readonly rememberedTimes?: ReadonlyMap<string, number>;
  /** True if one process must run all tests: in an earlier run, a test failed only beside other processes. */
  readonly rememberedWhole?: boolean | undefined;
  /** Maximum milliseconds for one test; absent: 10,000 on the base, then a value derived from its tests. */
  readonly testTimeoutMs?: number | undefined;
  readonly recorder: Recorder;
  readonly limits: Limits;
  /** Disabled features, for ablations. */
  readonly switches: Switches;
  /** The strategy's own settings. */
  readonly decoding: ModelSettings;
  /** Number of samples, for strategies that sample; undefined: the strategy's default. */
  readonly samples: number | undefined;
  /** The arms of a strategy that runs other strategies, in this order; undefined: the strategy's default. */
  readonly arms?: readonly string[];
  /** All strategies, for a strategy that runs others. */
  readonly strategies?: readonly Strategy[];
  /** The command of an external agent. */
  readonly agentCommand?: string | undefined;
  /** The external agent's folder, mounted at its own path. */
  readonly agentFolder?: string | undefined;
  /** Maximum US dollars that the run may spend on models. */
  readonly maxUsd?: number;
  /** The machine's sources of answers about code, besides the repository's files; absent if none. */
  readonly code?: CodeSources;
  /** Notes of earlier runs, for the state's facts; empty unless the user allows it. */
  readonly notes?: readonly Fact[];
  /** Asks the user; absent if nobody can answer. Returns undefined if the user gives no answer. */
  readonly ask?: (question: UserQuestion) => Promise<string | undefined>;
  /**
   * False in an arm of a run. The strategy that chooses among the arms' candidates then confirms the chosen candidate.
   */
  readonly confirms?: false;
  /** Maximum number of candidates to test at the same time. */
  readonly parallel: number;
  /** Fires when the user interrupts the run; a limit does not fire it. */
  readonly signal: AbortSignal;
}

/** The end of a strategy. A limit is a normal end: the strategy still chooses its best candidate. */
export interface StrategyEnd {
  readonly outcome: Outcome;
  /** A sentence for people: the result, or the reason for its absence. */
  readonly reason: string;
  /** True if a limit ended the strategy before it had a verified candidate. */
  readonly limited: boolean;
  /** The chosen candidate; absent if there is none. */
  readonly candidate?: Candidate;
  readonly testCommand?: TestCommand;
  /** The tests' results on the base, for the notes about the repository. */
  readonly baseOutcomes?: readonly TestOutcome[];
  /** True if several processes can run all tests, false if they cannot; absent if nobody tried. */
  readonly isDivided?: boolean | undefined;
  readonly gate: readonly Predicate[];
  /** The strength of the evidence; absent if Millwright did not compute this part of the gate. */
  readonly strength?: Strength;
  /**
   * True for an unverified candidate that repairs some of the failing tests and meets every other condition of its
   * gate.
   */
  readonly repairsSome?: boolean;
  /**
   * The reason why the strategy's external program failed; absent if it did not fail. A benchmark counts the failure as
   * an agent error, whatever the program changed.
   */
  readonly failed?: string;
  /** Number of validated candidates. */
  readonly candidates: number;
  readonly findings: Findings;
  /** The final task state, if the strategy has a state. Strategies that run several arms read it. */
  readonly state?: TaskState;
}

export interface Strategy {
  readonly name: string;
  readonly description: string;
  readonly kinds: readonly TaskKind[];
  /** False for a strategy that works without a model. "optional": the strategy uses a model if the user gives one. */
  readonly needsModel: boolean | "optional";
  /** Names of the strategy's own stages. Users can disable them like actions (`without`). */
  readonly stages?: readonly string[];
  /**
   * True if the strategy gets the measurements of earlier arms in the run. False for published strategies, because
   * these facts would change them.
   */
  readonly takesFacts?: boolean;
  /**
   * The strategy's decoding settings for model calls, which replace the user's. Without a temperature, the user's
   * temperature applies, or else 0.
   */
  readonly decoding?: ModelSettings;
  /** The strategy's decoding settings for samples. The first sample may use `decoding` instead. */
  readonly sampling?: ModelSettings;
  run(context: StrategyContext): Promise<StrategyEnd>;
}

/** Returns the decoding settings for the record. `decoding`: those of the requests, without the user's. */
export function describeDecoding(
  { sampling }: Pick<Strategy, "sampling">,
  decoding: ModelSettings = {},
): Record<string, unknown> {
  return { temperature: 0, ...decoding, ...(sampling !== undefined && { sampled: { ...sampling } }) };
}

/** Defines a strategy: returns the record unchanged, with its inferred type. */
export function defineStrategy<const T extends Strategy>(strategy: T): T {
  return strategy;
}
