/** What a run knows, S = (L_c, L_t, R_exec, DS) of USEagent (section 3): locations, the execution matrix, and the diff store. */
import type { Candidate } from "../domain/candidate.ts";
import type { TestKey, TestOutcome } from "../domain/test-outcome.ts";

export interface Place {
  readonly file: string;
  /** From 1, both ends included. */
  readonly startLine: number;
  readonly endLine: number;
  readonly why: string;
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
}

/** Tests that fail without a patch, in the repository or in a reproduction. */
export interface ShownFault {
  readonly targets: readonly TestKey[];
  /** Each run of them on the base. */
  readonly baseRuns: readonly (readonly TestOutcome[])[];
  /** Whether they fail for the reason that the statement gives: computed. */
  readonly reason: { readonly holds: boolean; readonly evidence: string };
}

export interface TaskState {
  readonly codePlaces: readonly Place[];
  readonly testPlaces: readonly Place[];
  /** Patches and reproductions, in the order in which they were made. */
  readonly candidates: readonly Candidate[];
  /** What shows the fault; undefined until a test does. */
  readonly fault: ShownFault | undefined;
  readonly rows: readonly MatrixRow[];
}

export const emptyState: TaskState = {
  codePlaces: [],
  testPlaces: [],
  candidates: [],
  fault: undefined,
  rows: [],
};

export function findCandidate(state: TaskState, id: string): Candidate | undefined {
  return state.candidates.find((candidate) => candidate.id === id);
}

/** A candidate that changes code. */
export function findPatch(state: TaskState, id: string): Candidate | undefined {
  const candidate = findCandidate(state, id);
  return candidate?.kind === "code" ? candidate : undefined;
}

/** Of patches `c1`, `c2` …, of reproductions `r1` …; the same in a resumed run. */
export function nextId(state: TaskState, kind: Candidate["kind"]): string {
  const letter = kind === "reproduction" ? "r" : "c";
  return `${letter}${state.candidates.filter(({ id }) => id.startsWith(letter)).length + 1}`;
}

/** The newest row of a candidate. */
export function rowOf(state: TaskState, candidate: string): MatrixRow | undefined {
  return state.rows.findLast((row) => row.candidate === candidate);
}

/** Of patches, the one that the matrix speaks for most: targets that pass, then fewest broken tests, then the newest. */
export function bestCandidate(state: TaskState): Candidate | undefined {
  const patches = state.candidates.filter(({ kind }) => kind === "code");
  const score = ({ id }: Candidate): readonly [number, number] => {
    const row = rowOf(state, id);
    if (row === undefined || row.invalid !== undefined) return [-1, 0];
    const passing = row.targets.filter(({ status }) => status === "passed").length;
    return [passing, -(row.broken?.length ?? Number.MAX_SAFE_INTEGER)];
  };
  let best: { readonly candidate: Candidate; readonly score: readonly [number, number] } | undefined;
  for (const candidate of patches) {
    const own = score(candidate);
    const isBetter =
      best === undefined || own[0] > best.score[0] || (own[0] === best.score[0] && own[1] >= best.score[1]);
    if (isBetter) best = { candidate, score: own };
  }
  return best?.candidate;
}
