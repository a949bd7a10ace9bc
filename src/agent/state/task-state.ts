/**
 * Defines the state of a run, S = (L_c, L_t, R_exec, DS) of USEagent (section 3): locations, the execution matrix, and
 * the diff store.
 */
import type { Candidate } from "../../domain/candidate.ts";
import type { TaskKind } from "../../domain/task.ts";
import { formatTestKey, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import type { StandaloneProgram } from "./standalone-program.ts";

export interface Place {
  readonly file: string;
  /** The first line, from 1. Both ends are inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly why: string;
}

/** Places for a task, ranked by rule before any model reads code, best first. */
export interface LikelyPlaces {
  readonly places: readonly Place[];
  readonly tests: readonly Place[];
}

/** A row of the execution matrix: one candidate's test results, filled only from parsed reports. */
export interface MatrixRow {
  /** `base`, or a candidate's id. */
  readonly candidate: string;
  /** All tests that ran. */
  readonly outcomes: readonly TestOutcome[];
  /** The results of the tests that show the fault. */
  readonly targets: readonly TestOutcome[];
  /** Ids of tests that passed on the base and fail now; undefined if only the targets ran. */
  readonly broken: readonly string[] | undefined;
  /** The number of tests compared with the base to find the broken ones. Absent in runs of older versions. */
  readonly compared?: number;
  /** The reason why the report cannot be trusted. Absent if it can. */
  readonly invalid: string | undefined;
  /** True if a time limit ended the run. */
  readonly isCut?: boolean;
  /** The candidate's score, compared figure by figure from the first. Higher is better. */
  readonly score: readonly number[];
  /** Chosen tests or a command. Such a row informs the planner, and judges no candidate. */
  readonly ran?: string;
  /** True if `ran` is a standalone program that fails. */
  readonly isFailing?: true;
  /** A summary line in the kind's words. Absent if the results of the fault's tests are enough. */
  readonly told?: string;
  /** Missing items for the next author: lists, such as the lines that no test executes. */
  readonly missing?: readonly string[];
}

/** The fault, as shown by tests that fail without a patch. The tests are in the repository or in a reproduction. */
export interface ShownFault {
  readonly targets: readonly TestKey[];
  /** The tests that authors of patches do not see. They run and count like the others. */
  readonly heldBack: readonly TestKey[];
  /**
   * Guards, with their results on the base: tests that an author wrote with the targets, and that pass on the base. A
   * guard counts as broken if it fails with a candidate.
   */
  readonly guards?: readonly TestOutcome[];
  /** The results of each run of these tests on the base. */
  readonly baseRuns: readonly (readonly TestOutcome[])[];
  /** Says whether the tests fail for the stated reason. A rule decides, or with `ifAgreed` a review. */
  readonly reason: StatedReason;
}

export interface StatedReason {
  readonly holds: boolean;
  readonly evidence: string;
  /** The reason why the match is uncertain, as a clause. The evidence is then at most moderate. */
  readonly doubt?: string;
  /** The evidence if a review agrees. Until then, the match is only the author's opinion. */
  readonly ifAgreed?: string;
}

/** A sentence of the specification that a test can check. */
export interface Requirement {
  /** `1`, `2` …: the requirement's name in texts. */
  readonly id: string;
  readonly text: string;
  /** Ids of tests that check the requirement, and `FILE:LINE` of changes that meet it. */
  readonly tests: readonly string[];
  readonly changes: readonly string[];
  /** True if an author says that the unchanged code already meets the requirement. */
  readonly kept?: boolean;
}

/** A review's findings about a candidate. */
export interface Review {
  readonly candidate: string;
  /**
   * The reviewer's line: approval or refusal, with the main reason. Absent without a verdict, and for a refuted patch.
   */
  readonly verdict?: string;
  /** True if the reviewer approves the candidate; absent without a verdict. */
  readonly isApproved?: boolean;
  /** True if, in the reviewer's opinion, the tests check the stated behaviour. Absent without a verdict. */
  readonly approvesTests?: boolean;
  /** The reviewer's advice for continuing: the reason, and the necessary change. */
  readonly advice?: string;
  readonly findings: readonly ReviewFinding[];
  /** The tests of the fault at the time of the review. A test added later may refute the review's opinion. */
  readonly asked?: readonly string[];
  /**
   * For each stated case that no deciding test visibly covers: the test that covers it in the reviewer's opinion, or
   * "". `isCase` is false if, in the reviewer's opinion, the task does not ask for the case.
   */
  readonly parts?: readonly {
    readonly part: string;
    readonly test: string;
    readonly isCase?: boolean;
    readonly because: string;
  }[];
  /** Answers for the places whose code equals the replaced code. */
  readonly twins?: readonly {
    readonly place: string;
    readonly needsChange: boolean;
    readonly because: string;
  }[];
}

export interface ReviewFinding {
  /** The check's name in kebab-case. */
  readonly check: string;
  /**
   * `refuted`: a measurement shows that the patch is wrong. `objection`: prevents verification. `doubt`: a reader
   * should check it. `note`: information only.
   */
  readonly weight: "refuted" | "objection" | "doubt" | "note";
  readonly text: string;
  /** True if the finding is only for people, because a reviewer cannot use it. */
  readonly isForPeople?: true;
  /** True if an observation shows that the patch changes only the failing tests' own inputs. */
  readonly isNarrow?: true;
  /** The id of the written test that the finding is about. If a review drops this test, the finding no longer counts. */
  readonly test?: string;
  /** For the mutation check: the number of mutants that ran, and the number that tests noticed. */
  readonly mutants?: { readonly tried: number; readonly noticed: number };
}

/** The ways out of stuck work: continue from an earlier candidate, at another place, or with another idea. */
export type Way = "fork" | "elsewhere" | "hypothesis";

/** A failed attempt that must not be repeated. */
export interface Refutation {
  readonly way: Way;
  /** The start of the next attempt: a candidate, or `base`. */
  readonly from: string;
  /** Failed candidates. No attempt may start from them until a fork returns to them. */
  readonly candidates: readonly string[];
  /** The places on the base that the failed candidates changed. After `elsewhere`, no edit may begin there. */
  readonly places: readonly Place[];
  /** The failed attempt's assumption and test results, in at most 300 tokens. */
  readonly note: string;
}

/**
 * A model's claim that a test of the repository asserts the behaviour which the statement calls wrong. The model wrote
 * the patch, or ends the run.
 */
export interface SaidWrong {
  /** The test's id, its name, or a part of it. */
  readonly test: string;
  readonly because: string;
  /** True if the review agrees. */
  readonly isAgreed?: boolean;
  /** The ids of the tests that the review judged. Absent if the name fitted no broken test then. */
  readonly ids?: readonly string[];
}

/** A piece of the run's knowledge that is not a location, a test or a candidate. */
export interface Fact {
  /**
   * `project`: about the project and its environment (working commands, layout, versions). `trace`: calls of one tree.
   * `flaky`: tests that failed once. They depend on the machine's speed, so only later runs use them, and no model sees
   * them. `vain`: tried and refuted.
   */
  readonly kind: "project" | "flaky" | "trace" | "vain";
  readonly text: string;
  /** For a trace: `base`, or the traced candidate. */
  readonly of?: string;
  /** The other strategy of this run that measured or received the fact. */
  readonly arm?: string;
  /** True if an earlier run noted this fact. */
  readonly isNoted?: true;
}

/**
 * An ending without a passed gate. Examples: no test can decide the task, or the time is over. Such an ending is never
 * "verified".
 */
export type Ending =
  | { readonly form: "unverifiable"; readonly candidate: string; readonly reason: string }
  /** A review approved the candidate, but time limits ended the remaining measurements. */
  | { readonly form: "out-of-time"; readonly candidate: string }
  /** The gate fails only because of parts of the statement that, according to the agent, are not done. */
  | { readonly form: "left-open"; readonly candidate: string }
  | { readonly form: "nothing-to-change"; readonly evidence: string };

export interface LeftOpen {
  /** The candidate with the undone parts; absent if they belong to no single candidate. */
  readonly candidate?: string;
  readonly parts: readonly string[];
}

export interface TaskState {
  /** The task's kind, for the wording of texts. Absent: the words for a repair. */
  readonly kind?: TaskKind;
  readonly codePlaces: readonly Place[];
  readonly testPlaces: readonly Place[];
  /** The latest answers of searches for code and tests, and observations of the tests' author. */
  readonly answers: { readonly code?: string; readonly tests?: string; readonly seen?: string };
  /** Patches and reproductions, in the order of their creation. */
  readonly candidates: readonly Candidate[];
  /** The tests that show the fault; undefined until there is one. */
  readonly fault: ShownFault | undefined;
  readonly rows: readonly MatrixRow[];
  readonly requirements: readonly Requirement[];
  readonly reviews: readonly Review[];
  readonly refuted: readonly Refutation[];
  readonly facts: readonly Fact[];
  /** Assumptions about ambiguous statements, for the report. */
  readonly assumptions: readonly string[];
  /** Tests claimed to fail with every correct patch. The gate decides (`kinds/wrong-tests.ts`). */
  readonly saysWrong?: readonly SaidWrong[];
  /** Parts of the statement that are undone, according to the author. */
  readonly leftOpen?: readonly LeftOpen[];
  /** Standalone programs that reproduce the fault. No gate uses them as tests. */
  readonly programs?: readonly StandaloneProgram[];
  /** The ending that the agent chose; absent if the gate or a limit ends the run. */
  readonly ending?: Ending;
}

export const emptyState: TaskState = {
  codePlaces: [],
  testPlaces: [],
  answers: {},
  candidates: [],
  fault: undefined,
  rows: [],
  requirements: [],
  reviews: [],
  refuted: [],
  facts: [],
  assumptions: [],
};

export function findCandidate(state: TaskState, id: string): Candidate | undefined {
  return state.candidates.find((candidate) => candidate.id === id);
}

/** True if the state has a patch or tests to deliver: any candidate except reproductions. */
export function hasPatch({ candidates }: TaskState): boolean {
  return candidates.some(({ kind }) => kind !== "reproduction");
}

const letters: Readonly<Record<Candidate["kind"], string>> = { code: "c", test: "t", reproduction: "r" };

/**
 * Returns the next id: patches are `c1`, `c2` …, tests `t1` …, reproductions `r1` …. A resumed run gives the same ids.
 */
export function nextId(state: TaskState, kind: Candidate["kind"]): string {
  const letter = letters[kind];
  return `${letter}${state.candidates.filter((candidate) => candidate.kind === kind).length + 1}`;
}

/** Returns the newest row that judges a candidate; undefined if it has none. */
export function rowOf(state: Pick<TaskState, "rows">, candidate: string): MatrixRow | undefined {
  return state.rows.findLast((row) => row.candidate === candidate && row.ran === undefined);
}

/**
 * Returns the candidate of a kind with the best row; among equal rows, the newest. Undefined without a candidate of
 * this kind. For the candidate that a run delivers, use `chooseFinal`.
 */
export function bestCandidate(state: TaskState, kind: Candidate["kind"]): Candidate | undefined {
  const scoreOf = ({ id }: Candidate): readonly number[] => {
    const row = rowOf(state, id);
    return row === undefined || row.invalid !== undefined ? [] : row.score;
  };
  return state.candidates
    .filter((candidate) => candidate.kind === kind)
    .reduce<Candidate | undefined>(
      (best, next) => (best === undefined || compareScores(scoreOf(next), scoreOf(best)) >= 0 ? next : best),
      undefined,
    );
}

/** Compares two scores: below 0 if the first is lower. An empty score is the lowest. */
export function compareScores(one: readonly number[], other: readonly number[]): number {
  const length = Math.max(one.length, other.length);
  for (let index = 0; index < length; index += 1) {
    const difference = (one[index] ?? Number.NEGATIVE_INFINITY) - (other[index] ?? Number.NEGATIVE_INFINITY);
    if (difference !== 0 && !Number.isNaN(difference)) return difference;
  }
  return 0;
}

/** Marks the end of an assumption that the user confirmed. With this mark, the run does not ask the user again. */
export const byUser = "(the user's answer)";

/** Adds those facts of `more` that are new. */
export function withFacts(known: readonly Fact[], more: readonly Fact[]): readonly Fact[] {
  const texts = new Set(known.map(({ text }) => text));
  return [...known, ...more.filter(({ text }) => !texts.has(text))];
}

/** True for a fact that helps other runs: this run found it about the repository or its environment. */
export function isLasting({ kind, arm, isNoted }: Fact): boolean {
  return (kind === "project" || kind === "flaky") && arm === undefined && isNoted === undefined;
}

/** Returns the outcomes without held-back tests, because a patch's author must not see them. */
export function withoutHeldBack(
  fault: Pick<ShownFault, "heldBack"> | undefined,
  outcomes: readonly TestOutcome[],
): TestOutcome[] {
  const hidden = new Set((fault?.heldBack ?? []).map(formatTestKey));
  return outcomes.filter(({ key }) => !hidden.has(formatTestKey(key)));
}

/** Returns the ids of the tests that show the fault, and of the guards written with these tests. */
export function askedOf(fault: ShownFault | undefined): string[] {
  return [...(fault?.targets ?? []), ...(fault?.guards ?? []).map(({ key }) => key)].map(formatTestKey);
}
