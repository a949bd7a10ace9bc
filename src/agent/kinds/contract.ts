/** What a kind of task asks of a patch: a record for each, and the one place where kinds differ. */
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
  /** Of which candidates the patch is chosen. The code of a `feature` has its own tests with it, in the same candidate. */
  readonly delivers: "code" | "test";
  /** What can be written for it; the first is what is delivered. */
  readonly parts: readonly [Part, ...Part[]];
  /** Whether the statement becomes a list of requirements before anything is written. */
  readonly isSpecified: boolean;
  /** For a model: what the gate asks for. */
  readonly goal: string;
  /** … and how such a task goes well. */
  readonly way: readonly Step[];
  /** For people, where the gate holds. */
  readonly verified: string;
  /** Runs tests on a candidate. `targets`: those that tell most, alone. Effects go through recorded steps. */
  measure(
    context: JudgeContext,
    state: TaskState,
    candidate: Candidate,
    scope: "targets" | "all",
  ): Promise<Result<MatrixRow, "conflict">>;
  /** The gate, by runs of tests. */
  judge(context: JudgeContext, state: TaskState, candidate: Candidate): Promise<Judgement>;
  /** What is run once more before a candidate whose gate holds is called verified; undefined where no test tells anything. */
  claim(
    context: JudgeContext,
    state: TaskState,
    candidate: Candidate,
    row: MatrixRow | undefined,
  ): Promise<Claim | undefined>;
}

/** What tests say of two trees, to be confirmed. */
export interface Claim {
  readonly tests: readonly TestKey[];
  /** A tree without the patch, where they fail; absent where they pass without it too. */
  readonly without?: string;
  /** `some`: of tests that were written with the patch one at least, and the same each time. */
  readonly failing: "all" | "some";
  /** A tree with the patch, where they pass; absent where nothing is there to pass them. */
  readonly patched?: string;
}

export interface Step {
  /** That does it; where it is turned off, nothing is said of the step. */
  readonly action?: string;
  readonly text: string;
}

export interface Part {
  readonly name: PartName;
  readonly kind: "code" | "test";
  /** Which files may be changed for it. */
  readonly files: "code" | "tests" | "both";
  /** For the model that writes it: what it is to do, and what makes it good. */
  readonly guidance: string;
}

export const partNames = ["patch", "test", "fix"] as const;
export type PartName = (typeof partNames)[number];

export interface Judgement {
  readonly gate: readonly Predicate[];
  /** Undefined where the candidate cannot be laid beside the reproductions. */
  readonly row: MatrixRow | undefined;
  /** Predicates that do not hold and that nothing which the run can still write makes hold: nobody is sent back for them. */
  readonly open?: readonly string[];
  /** Tests that do not count, for they assert what the statement calls wrong. */
  readonly wrong?: readonly WrongTest[];
  /** Of a last judgement that came so far. */
  readonly strength?: Strength;
}
