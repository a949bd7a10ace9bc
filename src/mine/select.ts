/** Chooses repositories to mine by figures from their hosts, before anyone clones them. */
import { join } from "node:path";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { countOf } from "../base/count.ts";
import { MillwrightError } from "../base/errors.ts";
import { hashData } from "../base/hash.ts";
import { makeFolders } from "../base/make-folders.ts";
import { sampleIds } from "../bench/sample.ts";
import { addressOnHost, type HostAddress, repositoryOf } from "../forge-hosts/address.ts";
import type { Forge, ForgeAddress, RepositoryFacts } from "../forge-hosts/contract.ts";
import { withForge } from "../forge-hosts/open-forge.ts";
import { isOwnSource, isSourceFile, isTestFile } from "../languages/source-files.ts";
import { drop, keep, type Outcome, verdictLine } from "./contract.ts";
import { type LedgerLine, openLedger } from "./ledger.ts";
import { reportStep, type StepReport } from "./step-report.ts";

/** The criteria for repositories. A limit of 0 or "" excludes nothing. */
export interface Criteria {
  /** The main language in the host's spelling. Upper and lower case do not differ. */
  readonly language: string;
  readonly leastStars: number;
  /** A date such as `2024-01-31`: the earliest last activity, and the earliest merged request that counts. */
  readonly activeSince: string;
  readonly leastMerged: number;
  /** Minimum number of test files. */
  readonly leastTests: number;
  /** Minimum mean number of comments on an issue. */
  readonly leastComments: number;
}

export interface SelectRequest {
  readonly addresses: readonly HostAddress[];
  readonly criteria: Criteria;
  /** Maximum number of repositories to read from a whole host, most stars first. */
  readonly most: number;
  /** Number of repositories to draw from the kept ones by the seed; undefined: all. */
  readonly draw: number | undefined;
  readonly seed: number;
  /** The folder of the report. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  onProgress(text: string): void;
}

/** Figures of a repository, from its host. */
export interface Figures {
  readonly stars: number;
  readonly language: string;
  readonly active: string;
  readonly isArchived: boolean;
  readonly isFork: boolean;
  /**
   * Number of merged requests, counted up to the limit; undefined without a limit, or if other criteria already drop
   * the repository.
   */
  readonly merged: number | undefined;
  readonly sourceFiles: number;
  readonly testFiles: number;
  readonly meanComments: number;
}

export interface Selected {
  readonly host: string;
  readonly url: string;
  readonly repository: string;
  readonly drawn: boolean;
  readonly figures: Figures;
}

export interface Selection {
  readonly kept: readonly Selected[];
  readonly report: StepReport;
}

/**
 * Reads each repository's figures, and keeps those that meet the criteria. Writes `repositories.jsonl`, the ledger and
 * the report. After an interrupt, continues with the pages on disk. Throws MillwrightError if a host or the disk fails,
 * and AbortError if the signal stops it.
 */
export async function selectRepositories(request: SelectRequest): Promise<Selection> {
  const { folder, criteria, draw, seed } = request;
  await makeFolders(join(folder, "reports"));
  const ledger = await openLedger(folder);
  const lines: Omit<LedgerLine, "step" | "key">[] = [];
  const kept: Omit<Selected, "drawn">[] = [];
  try {
    for (const address of await listAddresses(request)) {
      const repository = repositoryOf(address);
      const { outcome, figures } = await judgeRepository(request, address);
      const key = hashData(["mine-select", address, criteria, figures ?? null]);
      const line = { candidate: repository, commit: "", language: figures?.language ?? "" };
      lines.push({ ...line, ...verdictLine(outcome) });
      ledger.note({ step: "select", key, ...line, ...verdictLine(outcome) });
      if (outcome.verdict === "kept")
        kept.push({ ...{ host: address.host, url: address.url, repository }, figures: outcome.value });
    }
  } finally {
    ledger.close();
  }
  const urls = kept.map(({ url }) => url);
  const drawn = new Set(sampleIds(urls, draw ?? urls.length, seed));
  const selected = kept.map((each) => ({ ...each, drawn: drawn.has(each.url) }));
  const report = reportStep("select", lines);
  const rows = selected.map(
    (each) => `${JSON.stringify({ schema: "millwright.mine-repository/1", ...each })}\n`,
  );
  await writeFileAtomically(join(folder, "repositories.jsonl"), rows.join(""), 0o666);
  await writeFileAtomically(
    join(folder, "reports", "select.json"),
    `${JSON.stringify(report, null, 2)}\n`,
    0o666,
  );
  return { kept: selected, report };
}

async function listAddresses(request: SelectRequest): Promise<ForgeAddress[]> {
  const found = new Map<string, ForgeAddress>();
  for (const { isWholeHost, ...address } of request.addresses) {
    if (!isWholeHost) {
      found.set(address.url, address);
      continue;
    }
    const named = await ask(request, address, async (forge) => {
      const urls: string[] = [];
      for await (const page of forge.search(request.criteria)) {
        urls.push(...page.slice(0, request.most - urls.length));
        if (urls.length >= request.most) break;
      }
      return urls;
    });
    const own = named.flatMap((url) => addressOnHost(address, url) ?? []);
    for (const each of own) found.set(each.url, each);
    if (own.length < named.length)
      request.onProgress(
        `${address.url}: skipped ${countOf(named.length - own.length, "address", "addresses")} of other hosts`,
      );
  }
  return [...found.values()];
}

function ask<T>(
  { folder, environment, signal, onProgress }: SelectRequest,
  address: ForgeAddress,
  work: (forge: Forge) => Promise<T>,
): Promise<T> {
  const own = join(folder, "work", "forge", hashData(address).slice(0, 16));
  return withForge({ address, folder: own, environment, signal, onProgress }, work);
}

async function judgeRepository(
  request: SelectRequest,
  address: ForgeAddress,
): Promise<{ outcome: Outcome<Figures>; figures?: Figures }> {
  const { criteria } = request;
  try {
    const figures = await ask(request, address, async (forge) => {
      const facts = await forge.describe();
      // The requests take the most pages, so they are read only if nothing else is missing.
      const figures = figuresOf(facts, undefined);
      const isOpen = criteria.leastMerged > 0 && judgeFigures(figures, criteria).verdict === "kept";
      return isOpen ? figuresOf(facts, await countMerged(forge, criteria)) : figures;
    });
    return { outcome: judgeFigures(figures, criteria), figures };
  } catch (error) {
    request.signal.throwIfAborted();
    if (!(error instanceof MillwrightError) || error.code !== "usage") throw error;
    return { outcome: drop("unreadable", error.message) };
  }
}

/** Counts merged requests, but only up to the limit. */
async function countMerged(forge: Forge, { activeSince, leastMerged }: Criteria): Promise<number> {
  let count = 0;
  const since = new Date(activeSince === "" ? 0 : activeSince);
  for await (const page of forge.listMerged(since.toISOString())) {
    count += page.filter(({ merged }) => Date.parse(merged) >= since.getTime()).length;
    if (count >= leastMerged) break;
  }
  return count;
}

function figuresOf(facts: RepositoryFacts, merged: number | undefined): Figures {
  const { stars, language, active, isArchived, isFork, files, comments } = facts;
  const sum = comments.reduce((total, each) => total + each, 0);
  return {
    ...{ stars, language, active, isArchived, isFork, merged },
    sourceFiles: files.filter(isSourceFile).length,
    testFiles: files.filter((path) => isOwnSource(path) && isTestFile(path)).length,
    meanComments: comments.length === 0 ? 0 : sum / comments.length,
  };
}

export function judgeFigures(figures: Figures, criteria: Criteria): Outcome<Figures> {
  const { stars, language, active, isArchived, isFork, merged, sourceFiles, testFiles, meanComments } =
    figures;
  const { activeSince } = criteria;
  if (isArchived) return drop("archived", "the repository is archived");
  if (isFork) return drop("fork", "the repository is a fork of another repository");
  if (sourceFiles === 0) return drop("no-code", "the repository has no file in a known language");
  if (criteria.language !== "" && language.toLowerCase() !== criteria.language.toLowerCase())
    return drop("language", `the repository's main language is ${language || "unknown"}`);
  if (stars < criteria.leastStars) return drop("few-stars", countOf(stars, "star"));
  if (activeSince !== "" && !(Date.parse(active) >= Date.parse(activeSince)))
    return drop("not-kept-up", `the last activity was on ${active.slice(0, 10)}`);
  if (testFiles < criteria.leastTests)
    return drop("few-tests", countOf(testFiles, "file of tests", "files of tests"));
  if (meanComments < criteria.leastComments)
    return drop("little-discussion", `an issue has ${meanComments.toFixed(1)} comments on average`);
  if (merged !== undefined && merged < criteria.leastMerged)
    return drop("few-merges", countOf(merged, "merged request"));
  return keep(figures);
}
