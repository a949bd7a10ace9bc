/**
 * Makes proposals on demand, best first. Examines a statement only once its best possible proposal could be the next.
 */
import { setImmediate } from "node:timers/promises";
import type { Proposal } from "./proposal.ts";
import type { FileProposals, Suspect } from "./propose-repairs.ts";

export interface StreamInput {
  readonly suspects: readonly Suspect[];
  /**
   * Opens a file's proposals. Called once for each file; undefined for a file without proposals. The stream frees the
   * result.
   */
  readonly open: (file: string) => Promise<FileProposals | undefined>;
  /** Returns the proposal with another prior, at most 1. */
  readonly weigh?: (proposal: Proposal) => Proposal;
  /** The highest prior of all proposals; default 1. With a lower value, the stream first examines fewer statements. */
  readonly mostPrior?: number;
  /** Returns true to end the stream. */
  readonly isOver?: () => boolean;
}

interface Scored {
  readonly proposal: Proposal;
  /** Suspiciousness × prior × likeness × the statement's share. */
  readonly score: number;
}

/**
 * The number of proposals of a statement after which the next one counts half: the 13th counts half as much as the
 * first.
 */
const patience = 12;
/** Milliseconds of work before other tasks of the process get a turn. */
const sliceMs = 20;

/**
 * Streams proposals, best first by suspiciousness × template prior × likeness. Each further proposal of a statement
 * counts less, so that other suspicious statements get their turn. The order depends only on the arguments, not on the
 * time of requests.
 */
export async function* streamProposals(input: StreamInput): AsyncGenerator<Proposal, void, void> {
  const { isOver = () => false, mostPrior = 1 } = input;
  const places = listPlaces(input.suspects);
  const files = new Map<string, FileProposals | undefined>();
  const waiting = createHeap(compareScored);
  const pause = createPause();
  try {
    let next = 0;
    while (!isOver()) {
      await pause();
      const place = places[next];
      if (place !== undefined && place.score * mostPrior >= (waiting.first()?.score ?? 0)) {
        next += 1;
        for (const scored of await lookAt(input, files, place)) waiting.add(scored);
        continue;
      }
      const best = waiting.take();
      if (best === undefined) return;
      if (files.get(best.proposal.file)?.accepts(best.proposal) === true) yield best.proposal;
    }
  } finally {
    for (const file of files.values()) file?.free();
  }
}

/** Suspects that begin on one line of a file. */
interface Place {
  readonly file: string;
  readonly suspects: readonly Suspect[];
  /** An upper bound for scores, if multiplied by the highest prior, because likeness does not exceed 1. */
  readonly score: number;
  readonly scoreOfLine: (line: number) => number;
}

function listPlaces(suspects: readonly Suspect[]): Place[] {
  const scores = new Map<string, number>();
  for (const { file, startLine, endLine, score } of suspects)
    for (let line = startLine; line <= endLine; line++)
      scores.set(`${file}:${line}`, Math.max(scores.get(`${file}:${line}`) ?? 0, score));
  const groups = Map.groupBy(suspects, ({ file, startLine }) => `${file}:${startLine}`);
  return [...groups.values()]
    .flatMap((group): Place[] => {
      const [first] = group;
      if (first === undefined) return [];
      const scoreOfLine = (line: number): number => scores.get(`${first.file}:${line}`) ?? 0;
      return [{ file: first.file, suspects: group, score: scoreOfLine(first.startLine), scoreOfLine }];
    })
    .sort((a, b) => b.score - a.score);
}

async function lookAt(
  { open, weigh = (proposal) => proposal }: StreamInput,
  files: Map<string, FileProposals | undefined>,
  { file, suspects, scoreOfLine }: Place,
): Promise<Scored[]> {
  if (!files.has(file)) files.set(file, await open(file));
  const proposals = suspects.flatMap((suspect) => files.get(file)?.propose(suspect) ?? []).map(weigh);
  const scored = proposals.map((proposal) => ({
    proposal,
    score: scoreOfLine(proposal.statementLine) * proposal.prior * proposal.likeness,
  }));
  const groups = Map.groupBy(scored, ({ proposal }) => proposal.statementLine);
  return [...groups.values()].flatMap((group) =>
    group
      .sort(compareScored)
      .map(({ proposal, score }, index) => ({ proposal, score: (score * patience) / (patience + index) })),
  );
}

interface Heap<T> {
  readonly first: () => T | undefined;
  readonly take: () => T | undefined;
  readonly add: (item: T) => void;
}

/**
 * A binary heap with the first item by `compare` on top. To sort an array of tens of thousands of items would cost more
 * than to make the proposals.
 */
function createHeap<T>(compare: (a: T, b: T) => number): Heap<T> {
  const items: T[] = [];
  const isBefore = (a: number, b: number): boolean => {
    const [one, other] = [items[a], items[b]];
    return one !== undefined && other !== undefined && compare(one, other) < 0;
  };
  const swap = (a: number, b: number): void => {
    const [one, other] = [items[a], items[b]];
    if (one === undefined || other === undefined) return;
    items[a] = other;
    items[b] = one;
  };
  return {
    first: () => items[0],
    add(item) {
      items.push(item);
      for (let at = items.length - 1; at > 0 && isBefore(at, (at - 1) >> 1); at = (at - 1) >> 1)
        swap(at, (at - 1) >> 1);
    },
    take() {
      swap(0, items.length - 1);
      const taken = items.pop();
      for (let at = 0; ; ) {
        const [left, right] = [2 * at + 1, 2 * at + 2];
        const child = isBefore(right, left) ? right : left;
        if (!isBefore(child, at)) return taken;
        swap(child, at);
        at = child;
      }
    },
  };
}

function compareScored(a: Scored, b: Scored): number {
  return b.score - a.score || compareByPlace(a.proposal, b.proposal);
}

function compareByPlace(a: Proposal, b: Proposal): number {
  return (
    compareText(a.file, b.file) ||
    a.start - b.start ||
    a.end - b.end ||
    compareText(a.replacement, b.replacement)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function createPause(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceMs) return;
    await setImmediate();
    since = performance.now();
  };
}
