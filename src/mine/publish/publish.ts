/**
 * The last step of mining: writes the dataset's files. Each file is complete or absent, and the same candidates give
 * the same bytes.
 */
import { join } from "node:path";
import { writeFileAtomically } from "../../base/atomic-file.ts";
import { hashData, hashText } from "../../base/hash.ts";
import { sampleIds } from "../../bench/sample.ts";
import type { Candidate, Change } from "../contract.ts";
import type { HistoryTrees } from "../history-trees.ts";
import { readVersion } from "../project-at.ts";
import { challengeOf } from "../review/challenge.ts";
import type { MineSettings } from "../settings.ts";
import type { StepReport } from "../step-report.ts";
import { type Card, makeCard, type PublishedTask, renderCard } from "./card.ts";
import { writePublished } from "./published.ts";
import { judgeSample, readJudgements } from "./reviewers.ts";
import { renderSheet } from "./sheet.ts";
import { nextVersion, type Retired, readVersions, retiredIn, writeVersions } from "./versions.ts";

export interface PublishRequest {
  readonly settings: MineSettings;
  readonly folder: string;
  readonly trees: HistoryTrees;
  readonly candidates: readonly Candidate[];
  /** Changes that a later refresh decides. */
  readonly unfinished: readonly Change[];
  readonly reports: readonly StepReport[];
  /** The newest commit that Millwright read. */
  readonly head: string;
  /** Tasks that a new check rejects. */
  readonly retired?: readonly Retired[];
}

/**
 * Writes the dataset's files, with a new version if the tasks changed, and returns the card. Throws
 * MillwrightError("disk") if the folder is not writable.
 */
export async function publish(request: PublishRequest): Promise<Card> {
  const { settings, folder, trees, head, unfinished } = request;
  const versions = await readVersions(folder);
  const retired = new Map(
    [...retiredIn(versions), ...(request.retired ?? [])].map((each) => [each.id, each] as const),
  );
  const candidates = request.candidates
    .filter(({ change }) => !retired.has(change.id))
    .sort((a, b) => (a.change.id < b.change.id ? -1 : 1));
  const tasks: PublishedTask[] = [];
  for (const candidate of candidates) {
    const files = await trees.store.list(await trees.treeOf(candidate.change.base));
    tasks.push({ ...candidate, files: files.length });
  }
  const canary = canaryOf(candidates);
  const ids = candidates.map(({ change }) => change.id);
  const sample = sampleIds(ids, settings.sampleSize, settings.seed);
  const split = splitByDate(candidates, settings.splitDate);
  const newest = candidates.toSorted((a, b) => (a.change.date < b.change.date ? 1 : -1))[0]?.change.commit;
  const licence = await readLicence(trees, newest);
  const version = (base: string): Promise<string> => readVersion(settings.gitDirectory, base);
  const rows = await Promise.all(
    candidates.map(async (each) => rowsOf(each, canary, await version(each.change.base))),
  );
  const lines = (values: readonly unknown[]): string =>
    values.map((each) => `${JSON.stringify(each)}\n`).join("");
  const [open, hidden] = [lines(rows.map(({ task }) => task)), lines(rows.map(({ hidden }) => hidden))];
  const made = nextVersion(versions, { ids, head, sha256: hashData([open, hidden]) }, [...retired.values()]);
  const all = made === undefined ? versions : [...versions, made];
  const card = makeCard(tasks, settings.cutoffs, {
    name: settings.repository,
    canary,
    steps: request.reports,
    review: judgeSample(sample, readJudgements(join(folder, "reviews.jsonl"))),
    split: { date: split.date, before: split.before.length, after: split.after.length },
    version: all.at(-1)?.version ?? 1,
    retired: retired.size,
    licence: licence === undefined ? null : { file: licence.file, title: licence.title },
  });
  const files: Record<string, string> = {
    "tasks.jsonl": open,
    "tasks.hidden.jsonl": hidden,
    "provenance.jsonl": lines(rows.map(({ provenance }) => provenance)),
    "sample.jsonl": lines(sample.map((id) => ({ id }))),
    "sample.md": renderSheet(
      candidates.filter(({ change }) => sample.includes(change.id)).map(wholeOf),
      canary,
    ),
    "splits.json": `${JSON.stringify({ schema: "millwright.mine-splits/1", ...split }, null, 2)}\n`,
    "card.json": `${JSON.stringify(card, null, 2)}\n`,
    "card.md": renderCard(card),
    ...(licence === undefined ? {} : { [`SOURCE-${licence.file}`]: licence.text }),
  };
  // The versions come first: if a later write fails, the next call still knows the retired tasks.
  await writeVersions(folder, all);
  for (const [name, text] of Object.entries(files))
    await writeFileAtomically(join(folder, name), text, 0o666);
  const sums = Object.entries(files).map(([name, text]) => `${hashText(text)}  ${name}\n`);
  await writeFileAtomically(join(folder, "SHA256SUMS"), sums.sort().join(""), 0o666);
  await writePublished(folder, settings, {
    head,
    candidates: candidates.map(wholeOf),
    unfinished: [...unfinished],
    reports: [...request.reports],
  });
  return card;
}

function canaryOf(candidates: readonly Candidate[]): string {
  const hash = hashData(candidates.map(({ change, split }) => [change.id, change.commit, split?.goldPatch]));
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    hash.slice(12, 16),
    hash.slice(16, 20),
    hash.slice(20, 32),
  ];
  return `millwright-mined-tasks canary ${parts.join("-")}`;
}

/** Splits the candidates by a date: the user's, or else the first date of the newer half. Returns the date, the ids of earlier candidates, and the other ids. */
function splitByDate(candidates: readonly Candidate[], given: string | undefined) {
  const dates = candidates.map(({ change }) => change.date.slice(0, 10)).sort();
  const date = given ?? dates[Math.floor(dates.length / 2)] ?? "";
  const ids = (isWanted: (day: string) => boolean): string[] =>
    candidates.filter(({ change }) => isWanted(change.date.slice(0, 10))).map(({ change }) => change.id);
  return { date, before: ids((day) => day < date), after: ids((day) => day >= date) };
}

const licenceFile = /^(?:LICEN[CS]E|COPYING)(?:[.-][\w.-]+)?$/i;

async function readLicence({ store, treeOf }: HistoryTrees, newest: string | undefined) {
  if (newest === undefined) return undefined;
  const tree = await treeOf(newest);
  const file = (await store.list(tree)).map(({ path }) => path).find((path) => licenceFile.test(path));
  const content = file === undefined ? undefined : await store.read(tree, file);
  if (file === undefined || content === undefined) return undefined;
  const text = content.toString("utf8");
  const title = text.split("\n").find((line) => line.trim() !== "") ?? "";
  return { file, text, title: title.trim().slice(0, 100) };
}

function wholeOf({ change, split, validation, review }: Candidate) {
  if (split === undefined || validation === undefined || review === undefined)
    throw new Error(`${change.id} was not reviewed`);
  return { change, split, validation, review };
}

function rowsOf(candidate: Candidate, canary: string, version: string) {
  const { change, split, validation, review } = wholeOf(candidate);
  const { id, statement, repository, base, commit, date, foundBy, number, issues, statementFrom, language } =
    change;
  const { request } = change;
  const { setup, testCommand, runFiles, lists, failures, attempts, repeats, notes, seconds } = validation;
  return {
    task: {
      ...{
        schema: "millwright.task/1",
        id,
        kind: "repair",
        statement,
        repository,
        baseCommit: base,
        version,
      },
      ...(setup === undefined ? {} : { setup }),
    },
    hidden: {
      ...{ schema: "millwright.hidden/1", id, goldPatch: split.goldPatch, testPatch: split.testPatch },
      ...{ testCommand, testFiles: runFiles, lists, canary },
      ...(split.basePatch === undefined ? {} : { basePatch: split.basePatch }),
      ...(change.discussion === undefined ? {} : { discussion: change.discussion }),
    },
    provenance: {
      ...{ schema: "millwright.mined/1", id, commit, date, language, foundBy, number, issues, statementFrom },
      ...(request === undefined ? {} : { request }),
      ...{ type: review.type, challenge: challengeOf(change, split) },
      ...{ score: review.score, findings: review.findings },
      ...{ codeFiles: split.codeFiles, testFiles: split.testFiles, mixedFiles: split.mixedFiles },
      ...{ failures, attempts, repeats, notes, seconds, canary },
    },
  };
}
