/** A kind of task, as a record of the conditions that a patch must meet. Kinds differ only in these records. */
import type { Result } from "../../base/result.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import type { Strength } from "../../domain/solve-report.ts";
import type { TaskKind } from "../../domain/task.ts";
import type { TestKey } from "../../domain/test-outcome.ts";
import type { JudgeContext } from "../action.ts";
import type { MatrixRow, TaskState } from "../state/task-state.ts";
import type { WrongTest } from "./asked-again.ts";

export interface KindRules {
  readonly kinds: readonly TaskKind[];
  /** The type of candidate that is delivered. The code of a `feature` has its own tests in the same candidate. */
  readonly delivers: "code" | "test";
  /** The parts that can be written for it; the first is delivered. */
  readonly parts: readonly [Part, ...Part[]];
  /** True if the statement becomes a list of requirements before anything is written. */
  readonly isSpecified: boolean;
  /** For a model: the conditions of the gate. */
  readonly goal: string;
  /** For a model: the recommended order of work. */
  readonly way: readonly Step[];
  /** For people: the result if the gate holds. */
  readonly verified: string;
  /** Runs tests on a candidate. `targets`: only the most informative ones. Effects go through recorded steps. */
  measure(
    context: JudgeContext,
    state: TaskState,
    candidate: Candidate,
    scope: "targets" | "all",
  ): Promise<Result<MatrixRow, "conflict">>;
  /** The gate, computed from test runs. */
  judge(context: JudgeContext, state: TaskState, candidate: Candidate): Promise<Judgement>;
  /** The runs to repeat before a candidate whose gate holds is called verified; undefined if no test gives evidence. */
  claim(
    context: JudgeContext,
    state: TaskState,
    candidate: Candidate,
    row: MatrixRow | undefined,
  ): Promise<Claim | undefined>;
}

/** Test results on two trees, without and with the patch. The verdict has to confirm them. */
export interface Claim {
  readonly tests: readonly TestKey[];
  /** A tree without the patch, where they fail; absent if they also pass without it. */
  readonly without?: string;
  /** `some`: at least one of the tests written with the patch, and the same one each time. */
  readonly failing: "all" | "some";
  /** A tree with the patch, where they pass; absent if no code is delivered. */
  readonly patched?: string;
}

export interface Step {
  /** The action for the step; if it is disabled, the step is left out. */
  readonly action?: string;
  readonly text: string;
}

export interface Part {
  readonly name: PartName;
  readonly kind: "code" | "test";
  /** The files that may change for it. */
  readonly files: "code" | "tests" | "both";
  /** Instructions for the model that writes it: the task, and criteria for quality. */
  readonly guidance: string;
}

export const partNames = ["patch", "test", "fix"] as const;
export type PartName = (typeof partNames)[number];

export interface Judgement {
  readonly gate: readonly Predicate[];
  /** Undefined if the candidate cannot be combined with the reproductions. */
  readonly row: MatrixRow | undefined;
  /** Predicates that do not hold, and that no work of the run can change: Millwright asks no model to fix them. */
  readonly open?: readonly string[];
  /** Tests that do not count, because they assert results that the statement calls wrong. */
  readonly wrong?: readonly WrongTest[];
  /** The mutants that the gate itself tried. */
  readonly mutants?: TriedMutants;
  /** Why mutants show which lines the tests execute, if no measurement does. */
  readonly inferred?: string;
  /** Set by a complete final judgement. */
  readonly strength?: Strength;
}

/** Numbers of mutants (small faults injected into lines): those that were tried, and those that tests noticed. */
export interface TriedMutants {
  readonly tried: number;
  readonly noticed: number;
}
