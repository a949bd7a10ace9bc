/**
 * Measures how well Millwright applies badly written edits. Takes hunks of real commits, corrupts their text in ten
 * ways and as a unified diff with wrong numbers, and applies them. An edit is right if the result equals the commit's
 * text byte for byte, and wrong otherwise; a refused edit changes nothing. Run with `npm run bench:edit -- DIR…`; each
 * DIR is a git repository, bare or not.
 *
 * --most N        hunks for each repository (300)
 * --seed N        another draw (1)
 * --aider DIR     a folder with aider's Python package `aider`; aider then applies the same replies
 * --python PATH   the interpreter for aider (python3)
 * --only TEXT     only kinds that contain the text
 * --details FILE  one JSON line for each edit that was not applied right
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { succeed } from "../src/base/result.ts";
import { applyEdits } from "../src/edit/apply-edits.ts";
import { checkSyntax, findSyntaxErrors } from "../src/edit/check-syntax.ts";
import { parseEdits } from "../src/edit/parse-edits.ts";
import { askAider } from "./edit-aider.ts";
import { type Corruption, clean, corruptions } from "./edit-corruptions.ts";
import { applyPlainly } from "./edit-exact.ts";
import { type HunkCase, mineHunks, readOthers, widenUntilUnique } from "./edit-hunks.ts";
import { randomFrom } from "./edit-random.ts";
import { type Answer, type EditTrial, renderTable, type Verdict, verdictOf } from "./edit-table.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    most: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    aider: { type: "string" },
    python: { type: "string", default: "python3" },
    only: { type: "string", default: "" },
    details: { type: "string" },
  },
});
if (positionals.length === 0) {
  process.stderr.write("Give the folders of git repositories: npm run bench:edit -- DIR…\n");
  process.exit(2);
}
const seed = Number(values.seed);
const errors = new Map<string, readonly number[]>();
const mined = positionals.flatMap((folder) => mineHunks(folder, { seed, most: Number(values.most) }));
// One hunk of several can leave a text that does not parse: nobody should accept such an edit.
const whole = await Promise.all(
  mined.map(({ path, before, expected }) => checkSyntax([{ path, before, after: expected }], findErrorsOnce)),
);
const short = mined.filter((_, index) => whole[index]?.length === 0);
const hunks = short.map(widenUntilUnique);
const references: Readonly<Record<string, Corruption>> = {
  "three lines around": clean,
  "as they are": clean,
};
const kinds = Object.entries({ ...references, ...corruptions }).filter(([kind]) =>
  kind.includes(values.only),
);
const trials = kinds.flatMap(([kind, corrupt]) =>
  (kind === "three lines around" ? short : hunks)
    .map((hunk) => makeTrial(kind, corrupt, hunk))
    .filter((trial) => trial !== undefined),
);
const started = performance.now();
const ours: Answer[] = [];
for (const trial of trials) ours.push(await askOurs(trial));
const seconds = (performance.now() - started) / 1000;
const columns: Record<string, readonly Answer[]> = {
  millwright: ours,
  "exact search": trials.map(applyPlainly),
};
if (values.aider !== undefined)
  columns["aider"] = askAider(trials, { folder: values.aider, python: values.python });

process.stdout.write(renderTable(trials, columns, Object.keys(references)));
const each = ((seconds * 1000) / Math.max(1, trials.length)).toFixed(1);
process.stdout.write(
  `${hunks.length} hunks (without ${mined.length - short.length} that break the syntax themselves), ${trials.length} edits; millwright took ${each} ms per edit\n`,
);
if (values.details !== undefined) {
  const rows = trials.flatMap((trial, index) => describe(trial, ours[index]));
  writeFileSync(values.details, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

/** The same texts come again with each kind. */
async function findErrorsOnce(path: string, text: string): Promise<readonly number[] | undefined> {
  const key = `${path}\0${text}`;
  const known = errors.get(key) ?? (await findSyntaxErrors(path, text)) ?? [];
  errors.set(key, known);
  return known;
}

function makeTrial(kind: string, corrupt: Corruption, hunk: HunkCase): EditTrial | undefined {
  const random = randomFrom(`${seed} ${kind} ${hunk.id}`);
  const made = corrupt(hunk, random);
  if (made === undefined) return undefined;
  const others = kind === "no path" ? readOthers(hunk, random) : {};
  const { id, language, path } = hunk;
  return { kind, id, language, path, ...made, files: { [path]: made.before, ...others } };
}

async function askOurs(trial: EditTrial): Promise<Answer> {
  const { edits, problems } = parseEdits(trial.reply);
  if (problems.length > 0) return { why: problems.map(({ message }) => message).join(" ") };
  const outcome = await applyEdits(
    {
      read: async (path) => succeed(trial.files[path]),
      list: async () => Object.keys(trial.files),
    },
    edits,
    { findErrors: findErrorsOnce },
  );
  if (!outcome.ok)
    return { why: outcome.problems.map(({ kind, message }) => `${kind}: ${message}`).join(" ") };
  const files: Record<string, string> = {};
  for (const { path, after = "" } of outcome.changes) files[path] = after;
  return { files };
}

function describe(trial: EditTrial, answer: Answer | undefined): object[] {
  const verdict: Verdict = answer === undefined ? "refused" : verdictOf(trial, answer);
  if (verdict === "right") return [];
  const { kind, id, language, reply, before, expected } = trial;
  return [
    {
      kind,
      verdict,
      id,
      language,
      why: answer?.why,
      reply,
      got: answer?.files?.[trial.path],
      expected,
      before,
    },
  ];
}
