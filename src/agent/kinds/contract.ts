/**
 * A kind of task as a record: the conditions of a patch, and the steps and parts for models. Kinds differ only in these
 * records.
 */
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
  /** The type of candidate that the run delivers. The code of a `feature` has its own tests in the same candidate. */
  readonly delivers: "code" | "test";
  /** The parts that models write for this kind. The run delivers the first part. */
  readonly parts: readonly [Part, ...Part[]];
  /** True if Millwright converts the statement to a list of requirements before the first edit. */
  readonly isSpecified: boolean;
  /** The gate's conditions, as text for models. */
  readonly goal: string;
  /** The recommended order of work, as text for models. */
  readonly way: readonly Step[];
  /** The result if the gate holds, as text for people. */
  readonly verified: string;
  /** Runs tests on a candidate. `targets`: runs only the most informative tests. Effects go through recorded steps. */
  measure(
    context: JudgeContext,
    state: TaskState,
    candidate: Candidate,
    scope: "targets" | "all",
  ): Promise<Result<MatrixRow, "conflict">>;
  /** Computes the gate from test runs. */
  judge(context: JudgeContext, state: TaskState, candidate: Candidate): Promise<Judgement>;
  /** Returns the runs to repeat before Millwright calls a candidate verified; undefined if no test gives evidence. */
  claim(
    context: JudgeContext,
    state: TaskState,
    candidate: Candidate,
    row: MatrixRow | undefined,
  ): Promise<Claim | undefined>;
}

/** Test results on two trees, without and with the patch. The verdict must confirm them. */
export interface Claim {
  readonly tests: readonly TestKey[];
  /** A tree without the patch, on which the tests fail; absent if they also pass without the patch. */
  readonly without?: string;
  /** `some`: at least one of the tests written with the patch must fail, the same test in each run. */
  readonly failing: "all" | "some";
  /** A tree with the patch, on which the tests pass; absent if the run delivers no code. */
  readonly patched?: string;
}

export interface Step {
  /** The step's action. Millwright omits the step if the action is disabled. */
  readonly action?: string;
  readonly text: string;
}

export interface Part {
  readonly name: PartName;
  readonly kind: "code" | "test";
  /** The files that may change in this part. */
  readonly files: "code" | "tests" | "both";
  /** Instructions for the model that writes the part: the task, and criteria for quality. */
  readonly guidance: string;
}

export const partNames = ["patch", "test", "fix"] as const;
export type PartName = (typeof partNames)[number];

export interface Judgement {
  readonly gate: readonly Predicate[];
  /** The matrix row; undefined if the candidate conflicts with the reproductions. */
  readonly row: MatrixRow | undefined;
  /** Unmet predicates that no further work of the run can change. Millwright asks no model to meet them. */
  readonly open?: readonly string[];
  /** Tests that do not count, because they assert results which the statement calls wrong. */
  readonly wrong?: readonly WrongTest[];
  /** Ids of the broken tests that count, also if the patch rewrote them. Absent for kinds without claims. */
  readonly broken?: readonly string[];
  /** Broken tests that do not count if a review agrees with the author's claim or change. */
  readonly awaiting?: readonly WrongTest[];
  /** True if the conditions of every gate, such as unchanged tests, hold without these tests. */
  readonly isIntactIfAgreed?: boolean;
  /** The counts of mutants that the gate itself tried. */
  readonly mutants?: TriedMutants;
  /** The reason why only mutants show the executed lines, without a measurement. */
  readonly inferred?: string;
  /** The strength of the evidence. Only a complete final judgement sets it. */
  readonly strength?: Strength;
}

/** Numbers of tried and noticed mutants (small faults injected into lines). */
export interface TriedMutants {
  readonly tried: number;
  readonly noticed: number;
}
