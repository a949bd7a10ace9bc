/** What a run knows, S = (L_c, L_t, R_exec, DS) of USEagent (section 3): locations, the execution matrix, and the diff store. */
import type { Candidate } from "../../domain/candidate.ts";
import type { TaskKind } from "../../domain/task.ts";
import { formatTestKey, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";

export interface Place {
  readonly file: string;
  /** From 1, both ends included. */
  readonly startLine: number;
  readonly endLine: number;
  readonly why: string;
}

/** Where the rules' retrieval sees a task before anybody has read: best first. */
export interface LikelyPlaces {
  readonly places: readonly Place[];
  readonly tests: readonly Place[];
}

/** A row of the execution matrix: what the tests said of one candidate, filled by report parsers and nobody else. */
export interface MatrixRow {
  /** `base`, or a candidate's id. */
  readonly candidate: string;
  /** All that was run. */
  readonly outcomes: readonly TestOutcome[];
  /** Of them, the tests that show the fault. */
  readonly targets: readonly TestOutcome[];
  /** Ids of tests that passed on the base and do not now; undefined where only the targets were run. */
  readonly broken: readonly string[] | undefined;
  /** Why the report cannot be trusted, if so. */
  readonly invalid: string | undefined;
  /** What it is worth, compared figure by figure, the first first; more is better. */
  readonly score: readonly number[];
  /** In a line, in the kind's own words; absent where the tests that show the fault say it. */
  readonly told?: string;
  /** What is missing, for whoever goes on with it: lists, such as the lines that no test executes. */
  readonly missing?: readonly string[];
}

/** Tests that fail without a patch, in the repository or in a reproduction. */
export interface ShownFault {
  readonly targets: readonly TestKey[];
  /** Of them, those that no author of a patch is shown: they are run, and count like the others. */
  readonly heldBack: readonly TestKey[];
  /** Tests that were written beside them and pass on the base, as they ended there: a candidate that fails one breaks it. */
  readonly guards?: readonly TestOutcome[];
  /** Each run of them on the base. */
  readonly baseRuns: readonly (readonly TestOutcome[])[];
  /** Whether they fail for the reason that the statement gives: computed. */
  readonly reason: StatedReason;
}

export interface StatedReason {
  readonly holds: boolean;
  readonly evidence: string;
  /** What makes it less than certain, a sentence's part: the evidence is moderate at most. */
  readonly doubt?: string;
  /** Only its author says so, and it holds once a review agrees: the evidence then. */
  readonly ifAgreed?: string;
}

/** A sentence of the specification that can be checked. */
export interface Requirement {
  /** `1`, `2` …, as it is spoken of. */
  readonly id: string;
  readonly text: string;
  /** Ids of tests, and `FILE:LINE` of a change, that answer to it; empty where nothing does yet. */
  readonly tests: readonly string[];
  readonly changes: readonly string[];
}

/** What review found in a candidate. */
export interface Review {
  readonly candidate: string;
  /** Of who read the patch, in a line: whether it is approved, and what decides. Absent where nobody judged, or it was refuted. */
  readonly verdict?: string;
  /** What the verdict comes to; absent with it. */
  readonly isApproved?: boolean;
  /** The tests ask what the statement says, in the reviewer's opinion. Absent where nobody judged. */
  readonly approvesTests?: boolean;
  /** Of who would have it go on from here: why, and what to change. */
  readonly advice?: string;
  readonly findings: readonly ReviewFinding[];
  /** Tests that spoke of the fault when it was judged: one that was written since may refute an opinion. */
  readonly asked?: readonly string[];
}

export interface ReviewFinding {
  /** What was looked at: kebab-case. */
  readonly check: string;
  /**
   * `refuted`: it was measured to be wrong. `objection`: it keeps a candidate from being verified. `doubt`: someone should look.
   * `note`: nothing to do.
   */
  readonly weight: "refuted" | "objection" | "doubt" | "note";
  readonly text: string;
  /** The patch was seen to change nothing but the failing tests' own inputs. */
  readonly isNarrow?: true;
  /** Of the check with mutants: small faults that could be tried, and how many of them tests noticed. */
  readonly mutants?: { readonly tried: number; readonly noticed: number };
}

/** How the work goes on after it was stuck: from an earlier candidate, at another place, or with another idea. */
export type Way = "fork" | "elsewhere" | "hypothesis";

/** What was tried and is not to be tried again. */
export interface Refutation {
  readonly way: Way;
  /** What is gone on from: a candidate, or `base`. */
  readonly from: string;
  /** Those that were in vain: nothing is to be made from them, until a fork goes back to them. */
  readonly candidates: readonly string[];
  /** Their changes' places on the base: after `elsewhere` no edit is to begin there again. */
  readonly places: readonly Place[];
  /** At most 300 tokens: what was supposed, and what the tests said. */
  readonly note: string;
}

/** Who wrote a patch says that a test of the repository asserts what the statement calls wrong. */
export interface SaidWrong {
  /** Its id, its name, or a part of it. */
  readonly test: string;
  readonly because: string;
  /** The review says so too. */
  readonly isAgreed?: boolean;
}

/** What is known beside locations, tests and candidates. */
export interface Fact {
  /**
   * `project`: of the project and its environment (commands that work, layout, versions). `trace`: calls of one tree. `vain`: what was
   * tried and refuted.
   */
  readonly kind: "project" | "trace" | "vain";
  readonly text: string;
  /** Of a trace: `base`, or the candidate that was traced. */
  readonly of?: string;
  /** The strategy of this run that measured it or was told it, where that is another one. */
  readonly arm?: string;
  /** An earlier run noted it. */
  readonly isNoted?: true;
}

/** What an agent said of its end, where no test can speak: honest, and never "verified". */
export type Ending =
  | { readonly form: "unverifiable"; readonly candidate: string; readonly reason: string }
  | { readonly form: "nothing-to-change"; readonly evidence: string };

export interface TaskState {
  /** In whose words it is told; absent: those of a repair. */
  readonly kind?: TaskKind;
  readonly codePlaces: readonly Place[];
  readonly testPlaces: readonly Place[];
  /** What was answered last when code, or tests, were looked for; and what who wrote tests saw happen. */
  readonly answers: { readonly code?: string; readonly tests?: string; readonly seen?: string };
  /** Patches and reproductions, in the order in which they were made. */
  readonly candidates: readonly Candidate[];
  /** What shows the fault; undefined until a test does. */
  readonly fault: ShownFault | undefined;
  readonly rows: readonly MatrixRow[];
  readonly requirements: readonly Requirement[];
  readonly reviews: readonly Review[];
  readonly refuted: readonly Refutation[];
  readonly facts: readonly Fact[];
  /** Where the statement says two things: what was taken, for the report. */
  readonly assumptions: readonly string[];
  /** Tests that no right patch passes, as it was said. The gate decides (`kinds/wrong-tests.ts`). */
  readonly saysWrong?: readonly SaidWrong[];
  /** Absent where the run ends by the gate's word or at a limit. */
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

/** Something was written that could be handed over. */
export function hasPatch({ candidates }: TaskState): boolean {
  return candidates.some(({ kind }) => kind !== "reproduction");
}

const letters: Readonly<Record<Candidate["kind"], string>> = { code: "c", test: "t", reproduction: "r" };

/** Of patches `c1`, `c2` …, of tests `t1` …, of reproductions `r1` …; the same in a resumed run. */
export function nextId(state: TaskState, kind: Candidate["kind"]): string {
  const letter = letters[kind];
  return `${letter}${state.candidates.filter((candidate) => candidate.kind === kind).length + 1}`;
}

/** The newest row of a candidate. */
export function rowOf(state: Pick<TaskState, "rows">, candidate: string): MatrixRow | undefined {
  return state.rows.findLast((row) => row.candidate === candidate);
}

/** Of candidates of a kind, the one that the matrix speaks for most; of equals the newest. */
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

/** Less than 0 where the first is worth less; no score is worth least. */
export function compareScores(one: readonly number[], other: readonly number[]): number {
  const length = Math.max(one.length, other.length);
  for (let index = 0; index < length; index += 1) {
    const difference = (one[index] ?? Number.NEGATIVE_INFINITY) - (other[index] ?? Number.NEGATIVE_INFINITY);
    if (difference !== 0 && !Number.isNaN(difference)) return difference;
  }
  return 0;
}

/** How an assumption ends that the user made. One question is enough for a run. */
export const byUser = "(the user's answer)";

/** Adds what is not known yet. */
export function withFacts(known: readonly Fact[], more: readonly Fact[]): readonly Fact[] {
  const texts = new Set(known.map(({ text }) => text));
  return [...known, ...more.filter(({ text }) => !texts.has(text))];
}

/** Worth knowing in another run, and first known in this one: it speaks of the repository and its environment, not of this task. */
export function isLasting({ kind, arm, isNoted }: Fact): boolean {
  return kind === "project" && arm === undefined && isNoted === undefined;
}

/** Of tests, those that an author of a patch may see. */
export function withoutHeldBack(
  fault: Pick<ShownFault, "heldBack"> | undefined,
  outcomes: readonly TestOutcome[],
): TestOutcome[] {
  const hidden = new Set((fault?.heldBack ?? []).map(formatTestKey));
  return outcomes.filter(({ key }) => !hidden.has(formatTestKey(key)));
}

/** Tests that speak of the fault, and those that were written beside them. */
export function askedOf(fault: ShownFault | undefined): string[] {
  return [...(fault?.targets ?? []), ...(fault?.guards ?? []).map(({ key }) => key)].map(formatTestKey);
}
