/**
 * The contract of a grading rule: it compares the tests' results with the expected ones, and gives a verdict with
 * reasons.
 */
import { z } from "zod";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import type { CommandEnd } from "../../sandbox/contract.ts";
import type { Ladder } from "../official-ladder.ts";
import type { HiddenPart, TestLists } from "../task.ts";

/** The results of one run of a task's tests. */
export interface GradedRun {
  readonly framework: string;
  readonly outcomes: readonly TestOutcome[];
  /** The reason why the test report is unreliable; see TestReport. */
  readonly invalid: string | undefined;
  readonly end: CommandEnd;
  /** The project's folder as the tests' names contain it. */
  readonly root?: string;
  /** True if the suite ran. A report that only names failing tests may be empty even then. */
  readonly ran?: boolean;
}

export const gradeOutcomeSchema = z.enum(["resolved", "unresolved", "agent-error", "infrastructure-error"]);
export type GradeOutcome = z.infer<typeof gradeOutcomeSchema>;

export interface ListVerdict {
  readonly success: readonly string[];
  readonly failure: readonly string[];
}

export interface Verdict {
  readonly outcome: GradeOutcome;
  /** One sentence on the deciding fact. */
  readonly reason: string;
  readonly failToPass: ListVerdict;
  readonly passToPass: ListVerdict;
  /** Ids that match no test of the run. The rule counts them as failures. */
  readonly unmatched: readonly string[];
  /** Ids that match several tests. */
  readonly ambiguous: readonly string[];
}

interface Named {
  /** The name in results and documents, in kebab-case. */
  readonly name: string;
  /** The condition under which a patch resolves a task, in one line. */
  readonly description: string;
  /** The description of Millwright's own rule, if it differs from the dataset's. */
  readonly own?: string;
}

/** Judges a run. Pure. `lists`: from the task, from the user, or computed by `bench check`. */
export type JudgeLists = (run: GradedRun, lists: TestLists, hidden: HiddenPart) => Verdict;

/** A rule that judges one run of the tests, on the base with the test patch and the candidate. */
export interface ListGrader extends Named {
  readonly asks: "hidden-tests";
  readonly judge: JudgeLists;
  /** Millwright's own rule, if it differs. It decides; reports also give the dataset's verdict. */
  readonly judgeOwn?: JudgeLists;
  /**
   * The commands of the benchmark's harness that apply a patch, by version, the current one first; see `climbLadder`. If
   * Millwright rejects a patch that they apply, reports also give the dataset's verdict. Absent: the dataset's rule also
   * rejects such a patch.
   */
  readonly ladders?: readonly Ladder[];
}

/** A rule that judges several runs. `protocols/` defines these runs and the judgement. */
export interface ProtocolGrader extends Named {
  readonly asks: "written-tests" | "target-tests" | "feature";
  /** Further rules of the benchmark. Reports also give their verdicts. */
  readonly tells?: readonly Named[];
}

export type Grader = ListGrader | ProtocolGrader;

export function defineGrader(grader: Omit<ListGrader, "asks">): ListGrader {
  return { asks: "hidden-tests", ...grader };
}

export function defineProtocolGrader(grader: ProtocolGrader): ProtocolGrader {
  return grader;
}

const noTests: ListVerdict = { success: [], failure: [] };

/** Makes a verdict without running tests. */
export function verdictWithoutRun(outcome: GradeOutcome, reason: string): Verdict {
  return { outcome, reason, failToPass: noTests, passToPass: noTests, unmatched: [], ambiguous: [] };
}
