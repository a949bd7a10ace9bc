/**
 * Keeps notes of earlier runs on a repository, if the user allows them. The notes are in a file of the user outside the
 * repository. Millwright computes or measures each note in a run, and shows it with the run's name. If a note repeats a
 * text of the repository, the text is data, not an instruction.
 */
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../../base/atomic-file.ts";
import { isSystemError } from "../../base/errors.ts";
import { makeFolders } from "../../base/make-folders.ts";
import type { SolveReport } from "../../domain/solve-report.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { timesOfFiles } from "../measure/divide.ts";
import { type Fact, isLasting } from "../state/task-state.ts";
import type { StrategyEnd } from "../strategy.ts";
import { describeLayout, layoutFact } from "./layout.ts";

const noteSchema = z.object({
  run: z.string(),
  date: z.string(),
  facts: z.array(z.string()),
  /** The command that ran the tests, in the form for `--test-command`. */
  testCommand: z.string().optional(),
  /** The milliseconds that the tests of a file took, for the slowest files. */
  testMs: z.record(z.string(), z.number().nonnegative()).optional(),
  /** True if several processes could run all tests, false if they could not. */
  isDivided: z.boolean().optional(),
});
export const notesSchema = z.array(noteSchema);
export type Note = z.infer<typeof noteSchema>;

const fileSchema = z.object({
  schema: z.literal("millwright.notes/1"),
  repository: z.string(),
  notes: notesSchema,
});

const most = { runs: 8, facts: 12, shown: 12, length: 240, files: 400 };
/** Faster files need no note: their time does not change a choice. */
const leastMs = 100;

/** Reads the notes, oldest first. Returns an empty list if the file is missing or damaged. */
export async function readNotes(path: string): Promise<Note[]> {
  try {
    const parsed = fileSchema.safeParse(JSON.parse(await readFile(path, "utf8")));
    return parsed.success ? parsed.data.notes : [];
  } catch (error) {
    if (isSystemError(error) || error instanceof SyntaxError) return [];
    throw error;
  }
}

export async function addNote(path: string, repository: string, note: Note): Promise<void> {
  const earlier = (await readNotes(path)).filter(({ run }) => run !== note.run);
  const notes = [...earlier, note].slice(-most.runs);
  await makeFolders(dirname(path));
  await writeFileAtomically(
    path,
    `${JSON.stringify({ schema: "millwright.notes/1", repository, notes }, null, 1)}\n`,
  );
}

/** Returns the newest test command in the notes; undefined without one. */
export function commandIn(notes: readonly Note[]): string | undefined {
  return notes.findLast(({ testCommand }) => testCommand !== undefined)?.testCommand;
}

/** Returns the newest noted milliseconds of each test file. */
export function testTimesIn(notes: readonly Note[]): ReadonlyMap<string, number> {
  return new Map(notes.flatMap(({ testMs = {} }) => Object.entries(testMs)));
}

/** True if, in the newest run that tried, several processes could not run all tests. */
export function isWholeIn(notes: readonly Note[]): boolean {
  return notes.findLast(({ isDivided }) => isDivided !== undefined)?.isDivided === false;
}

/** Sums the milliseconds of each file's tests, and keeps the slowest files. */
export function testTimesOf(outcomes: readonly TestOutcome[]): Record<string, number> {
  const slow = [...timesOfFiles(outcomes)]
    .filter(([, ms]) => ms >= leastMs)
    .toSorted(([, one], [, other]) => other - one);
  return Object.fromEntries(slow.slice(0, most.files).map(([file, ms]) => [file, Math.round(ms)]));
}

/**
 * Converts earlier notes to facts of the state, newest first. Merges equal notes of several runs. Keeps only the newest
 * note about the layout, and at most `most.shown` facts.
 */
export function recall(notes: readonly Note[]): Fact[] {
  const seen = new Set<string>();
  const shown: Fact[] = [];
  for (const { run, date, facts } of [...notes].reverse())
    for (const fact of facts) {
      const what = fact.startsWith(layoutFact) ? layoutFact : fact;
      if (seen.has(what)) continue;
      seen.add(what);
      shown.push({ kind: "project", isNoted: true, text: `${fact} (noted by run ${run} on ${date})` });
    }
  return shown.slice(0, most.shown);
}

interface NotedRun {
  readonly startedAt: string;
  /** Paths of the files of the run's base. */
  readonly files: readonly string[];
}

type NotedEnd = Pick<StrategyEnd, "testCommand" | "state" | "baseOutcomes" | "isDivided">;

/**
 * Writes a run's note for later runs. It contains the test command, the tests' times, whether several processes could
 * run all tests, the folders' contents, the files of a verified patch, and findings about the environment.
 */
export function noteOf(
  { testCommand, state, baseOutcomes = [], isDivided }: NotedEnd,
  report: Pick<SolveReport, "run" | "outcome" | "files">,
  { startedAt, files }: NotedRun,
): Note {
  const layout = describeLayout(files);
  const place = testCommand?.directory ? ` in ${testCommand.directory}` : "";
  const known = (state?.facts ?? []).filter(isLasting).map(({ text }) => text);
  const facts = [
    ...(testCommand === undefined ? [] : [`The command \`${testCommand.command}\` runs the tests${place}.`]),
    ...(layout === "" ? [] : [layout]),
    ...(report.outcome === "verified"
      ? [`A verified patch changed ${report.files.map(({ path }) => path).join(", ")}.`]
      : []),
    ...known,
  ];
  const short = facts.map((fact) => fact.replaceAll(/\s+/g, " ").slice(0, most.length));
  const { command, directory } = testCommand ?? { command: "", directory: "" };
  const testMs = testTimesOf(baseOutcomes);
  return {
    run: report.run,
    date: startedAt.slice(0, 10),
    facts: [...new Set(short)].slice(0, most.facts),
    ...(command === "" ? {} : { testCommand: directory === "" ? command : `cd ${directory} && ${command}` }),
    ...(Object.keys(testMs).length === 0 ? {} : { testMs }),
    ...(isDivided === undefined ? {} : { isDivided }),
  };
}
