/**
 * Detects stuck work by pure functions over the state, the history, and the lines that patches change. It then offers
 * up to three ways back, and blocks everything else except an honest end (`finish` without a verdict). Unlike the
 * agents of the published papers, Millwright can go back to an earlier candidate. Rules decide when, not the model.
 */
import { fieldOf, textOf } from "../../base/fields.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Action } from "../action.ts";
import { descendsFrom, findGiven } from "../candidates/given-attempt.ts";
import { formatSpan, overlap, type Span } from "../code/diff-spans.ts";
import { findCandidate, type Refutation, type TaskState, type Way } from "../state/task-state.ts";
import { type Done, findStuck, findVainEdits, type Spans, type Stuck, type VainEdits } from "./stuck-work.ts";

export interface Watched {
  readonly state: TaskState;
  readonly history: readonly Done[];
  readonly spans: Spans;
  /** The sign of a stuck thinking loop, until the next `backtrack`. */
  readonly hopeless: string | undefined;
}

export function lookForStuck({ state, history, spans, hopeless }: Watched): Stuck | undefined {
  const stuck = findStuck(state, history, spans);
  if (stuck !== undefined || hopeless === undefined) return stuck;
  return { sign: hopeless, vain: findVainEdits(state, spans) };
}

/** Returns the reason why an action is blocked now, with the alternatives; undefined if it is not blocked. */
export function refuse(watched: Watched, { name }: Pick<Action, "name">, input: unknown): string | undefined {
  // An honest end is allowed at any time.
  if (name === "finish" && isHonest(input)) return undefined;
  const stuck = lookForStuck(watched);
  if (stuck !== undefined && name !== "backtrack")
    return `Not done: the work is stuck. ${describeOffers(watched.state, stuck)}`;
  const [from, candidate] = [textOf(input, "from"), textOf(input, "candidate")];
  if (name === "finish" && candidate !== undefined) return refuseProposal(watched.state, candidate);
  if (name !== "edit-code" || from === undefined) return undefined;
  return refuseStart(watched.state, from);
}

function isHonest(input: unknown): boolean {
  return ["unverifiable", "nothingToChange"].some((name) => (fieldOf(input, name) ?? "") !== "");
}

export function describeOffers(state: TaskState, { sign, vain }: Stuck): string {
  const offers = offersOf(state, vain).map(
    (way) =>
      `- ${way}: ${ways[way]}${way === "fork" ? `; from one of ${forks(state, vain).join(", ")}` : ""}`,
  );
  const honest =
    state.fault === undefined && forks(state, vain).length > 0
      ? ["Or end the work: `finish` with `unverifiable`, if no test of this repository can show the change."]
      : [];
  return [`Evidence: ${sign}.`, "Choose `backtrack`, in one of these ways:", ...offers, ...honest].join("\n");
}

const ways: Readonly<Record<Way, string>> = {
  fork: "continue from an earlier candidate",
  elsewhere: "look for another place; edits may no longer begin in lines that you changed without success",
  hypothesis:
    "try another idea of the cause: start from the base or an earlier candidate, and edit any lines that no earlier `elsewhere` excludes",
};

/**
 * Lists the ways out of stuck work. Offers another idea for the same lines once. After that, offers only other lines or
 * an earlier candidate.
 */
export function offersOf(state: TaskState, vain: VainEdits): Way[] {
  const hadAnother = state.refuted.some(
    ({ way, places }) =>
      way === "hypothesis" && places.some((one) => vain.places.some((each) => overlap(one, each))),
  );
  return [
    ...(forks(state, vain).length === 0 ? [] : (["fork"] as const)),
    ...(vain.places.length === 0 ? [] : (["elsewhere"] as const)),
    ...(hadAnother ? [] : (["hypothesis"] as const)),
  ];
}

/**
 * Lists the ids of candidates from which the work may continue: all candidates that have not failed, except
 * reproductions.
 */
export function forks(state: TaskState, vain: VainEdits): string[] {
  return state.candidates
    .filter(({ id, kind }) => kind !== "reproduction" && !vain.candidates.includes(id))
    .map(({ id }) => id);
}

/**
 * Lists places where an edit of a candidate must not begin. `own`: the candidate's own changes, which an edit may
 * continue.
 */
export function tabuPlaces({ refuted }: TaskState, own: readonly Span[]): Refutation["places"] {
  return refuted
    .filter(({ way }) => way === "elsewhere")
    .flatMap(({ places }) => places)
    .filter((place) => !own.some((span) => overlap(span, place)));
}

/** Returns a refusal of an edit that begins in a forbidden place, as a sentence; undefined if no edit does. */
export function refuseSpans(tabu: readonly Span[], made: readonly Span[]): string | undefined {
  const hit = made.find(({ file, startLine }) =>
    tabu.some((place) => overlap(place, { file, startLine, endLine: startLine })),
  );
  if (hit === undefined) return undefined;
  return `Refused and undone: the change at ${formatSpan(hit)} begins in lines where earlier patches failed (see Refuted). Find another place.`;
}

function refuseStart(state: TaskState, from: string): string | undefined {
  const taken = state.refuted.findLastIndex((each) => each.way === "fork" && each.from === from);
  const refuted = state.refuted.findLastIndex(({ candidates }) => candidates.includes(from));
  if (refuted > taken)
    return `Not done: ${from} is refuted. Begin with \`from: base\`, or with another candidate.`;
  const given = findGiven(state);
  if (given === undefined || !descendsFrom(state, findCandidate(state, from), given.id)) return undefined;
  const isBuiltUpon = state.candidates.some(({ id, kind }) => kind === given.kind && id !== given.id);
  return isBuiltUpon && !hasOwnPatch(state, given)
    ? `Not done: you have already used the given attempt once. ${ownPatchFirst}`
    : undefined;
}

/** Refuses to deliver a candidate that builds on the given attempt until the run has written an independent patch. */
function refuseProposal(state: TaskState, candidate: string): string | undefined {
  const given = findGiven(state);
  if (given === undefined || !descendsFrom(state, findCandidate(state, candidate), given.id))
    return undefined;
  return hasOwnPatch(state, given)
    ? undefined
    : `Not done yet: ${candidate} builds on the given attempt. ${ownPatchFirst} If both patches are equally good, Millwright prefers the patch without the attempt. If the patch without the attempt is worse, propose ${candidate} again.`;
}

const ownPatchFirst = "First write a patch without the attempt: `from: base`.";

function hasOwnPatch(state: TaskState, given: Candidate): boolean {
  return state.candidates.some((each) => each.kind === given.kind && !descendsFrom(state, each, given.id));
}
