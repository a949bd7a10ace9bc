/** What a rule of grading is: what the tests said, and what they should say, give a verdict with its reasons. */
import { z } from "zod";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import type { CommandEnd } from "../../sandbox/contract.ts";
import type { HiddenPart, TestLists } from "../task.ts";

/** What one run of a task's tests said. */
export interface GradedRun {
  readonly framework: string;
  readonly outcomes: readonly TestOutcome[];
  /** Why its report cannot be trusted, see TestReport. */
  readonly invalid: string | undefined;
  readonly end: CommandEnd;
}

export const gradeOutcomeSchema = z.enum(["resolved", "unresolved", "agent-error", "infrastructure-error"]);
export type GradeOutcome = z.infer<typeof gradeOutcomeSchema>;

export interface ListVerdict {
  readonly success: readonly string[];
  readonly failure: readonly string[];
}

export interface Verdict {
  readonly outcome: GradeOutcome;
  /** One sentence: what decided. */
  readonly reason: string;
  readonly failToPass: ListVerdict;
  readonly passToPass: ListVerdict;
  /** Ids that name no test of the run; they count as failures. */
  readonly unmatched: readonly string[];
  /** Ids that name several tests. */
  readonly ambiguous: readonly string[];
}

interface Named {
  /** What results and documents call it: kebab-case. */
  readonly name: string;
  /** One line: when a patch resolves a task. */
  readonly description: string;
  /** Likewise by our own rule, where it asks something else. */
  readonly own?: string;
}

/** A function of its arguments alone. `lists` are those to judge by: the task's, or others that the user gives or `bench check` finds. */
export type JudgeLists = (run: GradedRun, lists: TestLists, hidden: HiddenPart) => Verdict;

/** A rule over one run of the tests, on the base with the test patch and the candidate. */
export interface ListGrader extends Named {
  readonly asks: "hidden-tests";
  readonly judge: JudgeLists;
  /** Our rule, where it is another one: it decides, and what the dataset's says is told beside it. */
  readonly judgeOwn?: JudgeLists;
}

/** A rule over more runs than that: `protocols/` has what is run, and how it is judged. */
export interface ProtocolGrader extends Named {
  readonly asks: "written-tests" | "target-tests" | "feature";
  /** Further rules of the benchmark whose verdicts are told beside it. */
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

/** A verdict that no run of tests led to. */
export function verdictWithoutRun(outcome: GradeOutcome, reason: string): Verdict {
  return { outcome, reason, failToPass: noTests, passToPass: noTests, unmatched: [], ambiguous: [] };
}
