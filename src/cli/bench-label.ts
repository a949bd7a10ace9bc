/** `bench label`: draws attempts for people to label, and writes them without their arms and verdicts. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { MillwrightError } from "../base/errors.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { readBatch } from "../bench/batch-document.ts";
import { type LabelSubject, listItems, subjects } from "../bench/labels.ts";
import { loadTasks } from "../bench/load-tasks.ts";
import { readTextFile } from "../bench/rows.ts";
import { sampleIds } from "../bench/sample.ts";
import type { Replayed } from "../bench/work/replayed.ts";
import { openRunRecord, type RunRecord } from "../bench/work/run-record.ts";
import { listSaid } from "../bench/work/test-steps.ts";
import { sizeOf } from "./bench-flags.ts";

export interface LabelFlags {
  readonly of: LabelSubject;
  readonly sample: string;
  readonly sampleSeed: number;
  readonly out: string;
  readonly tasks?: string;
  readonly hidden?: string;
  readonly dataset?: string;
  readonly runsDir?: string;
}

/**
 * Draws items, and writes a file for each. Throws MillwrightError("usage") if the batches have nothing to label, or if
 * the folder of a run is missing.
 */
export async function writeItems(paths: readonly string[], flags: LabelFlags): Promise<void> {
  const subject = flags.of;
  const places = new Map<string, string>();
  const tries = paths.flatMap((path) => {
    const batch = readBatch(path);
    const runs = flags.runsDir ?? batch.runs;
    for (const { run } of batch.tries) if (runs !== undefined) places.set(run, join(runs, run));
    return batch.tries;
  });
  const all = listItems(subject, tries);
  if (all.size === 0)
    throw new MillwrightError("usage", `The batches have no ${subjects[subject].name}`, {
      hint: "Give batches of `bench run` with such attempts. Imported reports have no runs to read.",
    });
  const fixes = await readFixes(flags);
  const drawn = sampleIds([...all.keys()], sizeOf(flags.sample, all.size), flags.sampleSeed).sort();
  mkdirSync(flags.out, { recursive: true });
  for (const item of drawn) {
    const tried = all.get(item);
    const place = tried === undefined ? undefined : places.get(tried.run);
    const record = place === undefined ? undefined : await openRunRecord(place);
    if (tried === undefined || place === undefined || record === undefined)
      throw new MillwrightError("usage", `The run ${tried?.run ?? ""} is not in ${place ?? "any folder"}`, {
        hint: "Give the folder of the attempts' runs with --runs-dir.",
      });
    const parts = [
      `# ${item}\n\nTask: ${tried.id}\n\n## Statement\n\n${statementOf(record)}`,
      ...(subject === "patches"
        ? tellPatch(place, fixes?.get(tried.id))
        : tried.replayed === undefined
          ? await tellReproduction(place, record)
          : tellReplayed(place, tried.replayed)),
    ];
    await write(join(flags.out, `${item}.md`), `${parts.join("\n\n")}\n`);
  }
  await write(join(flags.out, "README.md"), tellHow(drawn.length, all.size, paths, flags));
  const rows = drawn.map((item) => JSON.stringify({ item, label: null, note: "" }));
  await write(join(flags.out, "labels.jsonl"), `${rows.join("\n")}\n`);
  process.stdout.write(
    sanitizeForTerminal(
      `${drawn.length} of ${all.size} ${subjects[subject].name} are in ${flags.out}; its README.md says how to label them\n`,
    ),
  );
}

function write(path: string, text: string): Promise<void> {
  return writeFileAtomically(path, text, 0o666);
}

async function readFixes({ tasks, hidden, dataset }: LabelFlags): Promise<Map<string, string> | undefined> {
  if (tasks === undefined) return undefined;
  const loaded = await loadTasks({ tasks, hidden, dataset });
  return new Map(loaded.map(({ task, hidden: { goldPatch } }) => [task.id, goldPatch]));
}

function statementOf({ events }: RunRecord): string {
  const [started] = events.filter(({ event }) => event === "run-started");
  return started?.event === "run-started" ? started.task.statement.trim() : "";
}

function tellPatch(place: string, fix: string | undefined): string[] {
  const file = join(place, "patch.diff");
  const patch = existsSync(file) ? readTextFile(file) : "";
  return [
    `## Patch\n\n${fence(patch, "diff")}`,
    ...(fix === undefined ? [] : [`## Known fix\n\n${fence(fix, "diff")}`]),
  ];
}

async function tellReproduction(place: string, record: RunRecord): Promise<string[]> {
  const said = await listSaid(record);
  const texts = said.filter(({ isReproduction }) => isReproduction).map(({ texts: own }) => own.join("\n"));
  const tests = join(place, "tests.diff");
  return [
    ...(existsSync(tests) ? [`## Tests of the attempt\n\n${fence(readTextFile(tests), "diff")}`] : []),
    ...(texts.length === 0
      ? ["## Output\n\nThe reproduction never ran."]
      : texts.map((text, at) => `## Output ${at + 1} of ${texts.length}\n\n${fence(text, "")}`)),
  ];
}

/**
 * Tells the output of the replay, which everybody can repeat. Omits the measured validity, which would influence the
 * labels.
 */
function tellReplayed(place: string, { outputs, reason, validity }: Replayed): string[] {
  const tests = join(place, "tests.diff");
  return [
    ...(existsSync(tests) ? [`## Tests of the attempt\n\n${fence(readTextFile(tests), "diff")}`] : []),
    ...(outputs.length === 0
      ? [
          `## Output\n\n${validity === "none" ? "The attempt wrote no reproduction." : `Millwright could not replay the reproduction: ${reason}.`}`,
        ]
      : outputs.map(({ on, text }) => `## Replayed output: ${on}\n\n${fence(text, "")}`)),
  ];
}

/** Renders a code block. Its fence is longer than any fence in the text. */
function fence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${language}\n${text.trimEnd()}\n${ticks}`;
}

function tellHow(count: number, of: number, batches: readonly string[], flags: LabelFlags): string {
  const { labels, name } = subjects[flags.of];
  const meanings = Object.entries(labels).map(([label, meaning]) => `| \`${label}\` | ${meaning} |`);
  return `# Labels for ${count} of ${of} ${name}

Sample ${flags.sample}, seed ${flags.sampleSeed}. Do not look at the batch's report before you are done.

1. Each person copies \`labels.jsonl\` to a file with their own name, such as \`ann.jsonl\`.
2. Each person reads every \`ITEM.md\` alone, and writes a label into their file, with a note if they like.
3. All people discuss the items with different labels, and write the agreed labels into \`consensus.jsonl\`.
4. \`millwright bench report ${batches.join(" ")} --labels ann.jsonl --labels bob.jsonl --consensus consensus.jsonl\` shows the result.

| label | meaning |
| --- | --- |
${meanings.join("\n")}
`;
}
