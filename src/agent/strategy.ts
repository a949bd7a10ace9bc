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

/** Where answers about code come from, beside the code graph of the run's own. */
export interface CodeSources {
  /** The servers of a checkout, in its sandbox; nothing is started before one is asked. */
  readonly openServers?: (checkout: Checkout) => LanguageServers;
  /** The folder of the user's index of the repository: what it read is not read again. */
  readonly knownIndex?: string;
}

/** All that a strategy may touch. Effects go through `workspace`, and each one that costs time through `recorder.step`. */
export interface StrategyContext {
  readonly task: Task;
  /** How its kind was found; absent where the user gave it. */
  readonly kindChoice?: KindChoice;
  readonly workspace: Workspace;
  readonly frameworks: readonly TestFramework[];
  /** Absent in a run without a model. */
  readonly models: ModelClient | undefined;
  /** `--test-command`: taken instead of what would be found. */
  readonly testCommand: string | undefined;
  /** `--remember`: with which an earlier run ran the tests; tried where nothing likelier is found. */
  readonly rememberedCommand?: string | undefined;
  /** `--test-timeout`: the most milliseconds for one test; absent: 10 s on the base, then what its tests need. */
  readonly testTimeoutMs?: number | undefined;
  readonly recorder: Recorder;
  readonly limits: Limits;
  /** What is turned off, for ablations. */
  readonly switches: Switches;
  /** The strategy's own. */
  readonly decoding: ModelSettings;
  /** `--samples`: how many samples a strategy that samples takes; undefined: as many as it has by itself. */
  readonly samples: number | undefined;
  /** `--arms`: what a strategy of several strategies runs, in this order; undefined: what it has by itself. */
  readonly arms?: readonly string[];
  /** All strategies, for one that runs others. */
  readonly strategies?: readonly Strategy[];
  /** `--agent-command`: of a strategy that is another program. */
  readonly agentCommand?: string | undefined;
  /** `--agent-folder`: a folder of that program, shown at its own path. */
  readonly agentFolder?: string | undefined;
  /** `--max-cost`: what the run may spend on models, in US dollars. */
  readonly maxUsd?: number;
  /** What the machine has beside the repository's files; absent where it has nothing that may be asked. */
  readonly code?: CodeSources;
  /** What earlier runs noted, for the state's facts; none unless the user allows it. */
  readonly notes?: readonly Fact[];
  /** Asks the user; absent where nobody is there to answer. Undefined: they would not say. */
  readonly ask?: (question: UserQuestion) => Promise<string | undefined>;
  /** False in one of several strategies of a run: the chosen candidate alone is confirmed, by who chooses it. */
  readonly confirms?: false;
  /** How many checkouts may work at the same time. */
  readonly parallel: number;
  /** Fires when the user interrupts the run; a limit does not fire it. */
  readonly signal: AbortSignal;
}

/** How a strategy ended. A limit is an end like the others: the best candidate is still chosen. */
export interface StrategyEnd {
  readonly outcome: Outcome;
  /** A sentence for people: what was reached, or why not. */
  readonly reason: string;
  /** True when a limit ended it before anything was verified. */
  readonly limited: boolean;
  /** The chosen candidate; absent when there is none. */
  readonly candidate?: Candidate;
  readonly testCommand?: TestCommand;
  readonly gate: readonly Predicate[];
  /** Of the evidence for the candidate; absent where its gate did not come so far. */
  readonly strength?: Strength;
  /** True for an unverified candidate that repairs some of the failing tests, and of whose gate nothing else is open. */
  readonly repairsSome?: boolean;
  /** Why what the strategy runs broke, where it did: in a benchmark an error of the agent, whatever it left. */
  readonly failed?: string;
  /** How many candidates were validated. */
  readonly candidates: number;
  readonly findings: Findings;
  /** What was known at the end, where the strategy works on a task state: for a strategy that ran it among others. */
  readonly state?: TaskState;
}

export interface Strategy {
  readonly name: string;
  readonly description: string;
  readonly kinds: readonly TaskKind[];
  /** False for a strategy that works without a model; "optional": it takes one where it is given. */
  readonly needsModel: boolean | "optional";
  /** Names of its own stages, which `--without` can turn off as it can actions. */
  readonly stages?: readonly string[];
  /** Whether, as one of several in a run, it is told what those before it measured. A published one is not: it would be another. */
  readonly takesFacts?: boolean;
  /** How its calls are decoded, where a call does not say otherwise: a part of the strategy. Temperature 0 by default. */
  readonly decoding?: ModelSettings;
  /** … and what it asks for more than once, but for the first of such answers where that is decoded as above. */
  readonly sampling?: ModelSettings;
  run(context: StrategyContext): Promise<StrategyEnd>;
}

/** Identity, for inference. */
export function defineStrategy<const T extends Strategy>(strategy: T): T {
  return strategy;
}
