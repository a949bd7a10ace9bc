import type { StrategyContext } from "../../agent/strategy.ts";
import type { TestFailure } from "../../domain/test-outcome.ts";
import type { TestRegions } from "../../judging/test-regions.ts";
import { languageOf } from "../../languages/source-files.ts";
import type { RankedStatement } from "../../localize/rank-statements.ts";
import type { Proposal } from "../../repair/proposal.ts";
import { streamProposals } from "../../repair/proposal-stream.ts";
import { type FileProposals, openProposals } from "../../repair/propose-repairs.ts";
import { listStrongDoubts } from "../../repair/rank-plausible.ts";
import { highestPrior, weighBySymptoms } from "../../repair/symptoms.ts";
import { templates } from "../../repair/templates/index.generated.ts";
import { readTestWords, type TestWords } from "../../repair/test-words.ts";

/** Limits: examined statements and created candidates. No run ever validates so many. */
const mostStatements = 150;
const mostCandidates = 4000;

/** A proposal together with the whole current text of its file (`base`). */
export interface PreparedProposal extends Proposal {
  readonly base: string;
}

/** Returns the whole text of the proposal's file after the change. */
export function changedText({ base, start, end, replacement }: PreparedProposal): string {
  return base.slice(0, start) + replacement + base.slice(end);
}

/** A proposal with its position in the order of trials, counted from 0. */
export interface Ranked {
  readonly proposal: PreparedProposal;
  readonly rank: number;
}

export interface ProposalQueue {
  /** The number of proposals taken so far. */
  readonly taken: number;
  /**
   * Takes the next `count` proposals; fewer at the end, or at the time limit. Also prepares the following `count`
   * proposals.
   */
  take(count: number): Promise<Ranked[]>;
  /** Returns the number of proposals left, at most `count`, without taking any. */
  peek(count: number): Promise<number>;
  close(): Promise<void>;
}

export interface QueueInput {
  readonly ranked: readonly RankedStatement[];
  readonly failures: readonly TestFailure[];
  readonly regions: TestRegions;
  readonly testTexts: readonly string[];
}

/**
 * Opens a queue of at most 4,000 proposals for the 150 likeliest statements, in the order in which the search tries
 * them.
 */
export function openProposalQueue(
  context: Pick<StrategyContext, "workspace" | "signal"> & {
    readonly limits: Pick<StrategyContext["limits"], "remainingMs">;
  },
  { ranked, failures, regions, testTexts }: QueueInput,
): ProposalQueue {
  const { workspace, signal, limits } = context;
  const texts = new Map<string, string>();
  let isClosed = false;
  const weigh = weighBySymptoms(failures);
  const words = readTestWords(testTexts, failures);
  const stream = streamProposals({
    suspects: ranked.slice(0, mostStatements),
    open: (file) => openFile(workspace, { regions, words }, file, texts),
    weigh: (proposal) => weighForm(weigh(proposal), texts.get(proposal.file) ?? ""),
    mostPrior: highestPrior(templates, failures),
    isOver: () => isClosed || signal.aborted || limits.remainingMs() === 0,
  });
  const ready: PreparedProposal[] = [];
  let taken = 0;
  let isDrained = false;
  let failure: { readonly error: unknown } | undefined;
  const fill = async (count: number): Promise<void> => {
    while (!isDrained && ready.length < count && taken + ready.length < mostCandidates) {
      const { done, value } = await stream.next().catch((error: unknown) => {
        failure = { error };
        return { done: true, value: undefined } as const;
      });
      if (done === true) isDrained = true;
      else ready.push({ ...value, base: texts.get(value.file) ?? "" });
    }
    signal.throwIfAborted();
    if (failure !== undefined) throw failure.error;
  };
  // One at a time, so that a proposal's rank does not depend on who asks first.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => {}); // the caller has the error
    return result;
  };
  return {
    get taken() {
      return taken;
    },
    async take(count) {
      const chunk = await inTurn(async () => {
        await fill(count);
        const first = taken;
        const proposals = ready.splice(0, count);
        taken += proposals.length;
        return proposals.map((proposal, at) => ({ proposal, rank: first + at }));
      });
      inTurn(() => fill(count)).catch(() => {}); // the next caller has the error
      return chunk;
    },
    peek: (count) =>
      inTurn(async () => {
        await fill(count);
        return Math.min(count, ready.length);
      }),
    async close() {
      isClosed = true;
      await last;
      await stream.return();
    },
  };
}

/** The factor for deleting or neutralising code: an easy way to pass the tests, and seldom correct. */
const lastResortFactor = 0.5;

function weighForm(proposal: Proposal, text: string): Proposal {
  if (listStrongDoubts(text, proposal).length === 0) return proposal;
  return { ...proposal, prior: lastResortFactor * proposal.prior };
}

/**
 * Opens a file for proposals, which never touch test code. Undefined for a missing file, or for one without a language.
 */
async function openFile(
  { trees, base }: StrategyContext["workspace"],
  { regions, words }: { readonly regions: TestRegions; readonly words: TestWords },
  file: string,
  texts: Map<string, string>,
): Promise<FileProposals | undefined> {
  const language = languageOf(file);
  const text = (await trees.read(base, file))?.toString("utf8");
  if (language === undefined || text === undefined) return undefined;
  texts.set(file, text);
  const spans = await regions.spansIn(file, text);
  const proposals = await openProposals({ file, text, language, words, atEqualPlaces: true });
  return (
    proposals && {
      ...proposals,
      propose: (suspect) =>
        proposals
          .propose(suspect)
          .filter(({ start, end }) => !spans.some((span) => span.start < end && start < span.end)),
    }
  );
}
