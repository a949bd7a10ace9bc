/**
 * Counts wrong verdicts of both kinds: a scripted model writes patches through `react` that are known to be right or wrong.
 * `npm run bench:gold-verdicts -- --out FILE.jsonl FOLDER…`: clones named `OWNER__NAME`, to which the benchmark does not write.
 *
 * | row | the model writes | expected |
 * | --- | --- | --- |
 * | `honest` | a fix of the project with its tests | verified |
 * | `untested` | the fix without a test | unverified |
 * | `other` | the fix with its tests, for the statement of another fix | unverified |
 * | `part` | the fix with a fault, and those of its tests that pass | unverified, unless the tests show a part of the fault |
 * | `source` | the fix with a fault, and a test that searches the source for the new line | unverified |
 *
 * `--tasks FILE.jsonl`: tasks in SWE-bench's fields with `gold_commit` and perhaps `test_cmd` (repeatable); `--only TEXT`:
 * only tasks whose name contains the text. Without `--tasks`, draws fixes like `bench:unseen` (`--seed`, `--repositories`,
 * `--each`, `--since`), with the commit's message as the statement. `--fit N` (2): the number of fixes that can run, per
 * repository.
 * `--rows KIND,…`; `--work FOLDER`; `--program FOLDER`; `--max-time` (4m); `--table`: prints the stored results.
 *
 * `--opinions`: in each row, the author says that its tests show the fault, and that the tests which the project reworded
 * assert it. The review agrees. So one model writes the wrong rows and lies in both roles.
 *
 * `--near`: the runs use the task's `test_cmd` as their test command. A large suite then needs no time, but the verdict
 * knows only the tests that the fix changes, and those of the same files.
 *
 * Results in the file are not computed again.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { solveReportSchema } from "../src/domain/solve-report.ts";
import { drawGold, type GoldFix, readTasks } from "./gold-fixes.ts";
import { type GoldRow, type Prepared, prepareRows, rewordedTests } from "./gold-rows.ts";
import { drawOptions, readDraw } from "./unseen-draw.ts";
import { completeProject, layCommit, setUpProject, type Texts } from "./unseen-project.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...drawOptions,
    tasks: { type: "string", multiple: true, default: [] },
    only: { type: "string", default: "" },
    fit: { type: "string", default: "2" },
    rows: { type: "string", default: "honest,untested,other,part,source" },
    out: { type: "string", default: "gold-verdicts.jsonl" },
    work: { type: "string", default: join(tmpdir(), "bench-gold-verdicts") },
    program: { type: "string", default: join(import.meta.dirname, "..") },
    "max-time": { type: "string", default: "4m" },
    opinions: { type: "boolean", default: false },
    near: { type: "boolean", default: false },
    table: { type: "boolean", default: false },
  },
});

interface Result extends Pick<GoldRow, "kind" | "expected" | "note"> {
  readonly name: string;
  readonly language: string;
  readonly outcome: string;
  readonly strength: string | null;
  readonly reason: string;
  /** The predicates that do not hold, with what they say. */
  readonly denied: readonly (readonly [string, string])[];
  readonly seconds: number;
}

function readResults(): Result[] {
  if (!existsSync(values.out)) return [];
  const lines = readFileSync(values.out, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

async function runAll(): Promise<void> {
  const drawn =
    values.tasks.length > 0
      ? values.tasks.flatMap((file) => readTasks(file, positionals))
      : drawGold(positionals, readDraw(values));
  const fixes = drawn.filter(({ name }) => name.includes(values.only));
  const fit = new Map<string, number>();
  // One of each repository before the second of any.
  const order = fixes.map((fix, at) => ({
    fix,
    round: fixes.slice(0, at).filter(({ repository }) => repository === fix.repository).length,
  }));
  for (const { fix } of order.toSorted((a, b) => a.round - b.round)) {
    const count = fit.get(fix.repository) ?? 0;
    if (count >= Number(values.fit)) continue;
    if (await runFix(fix, drawn)) fit.set(fix.repository, count + 1);
  }
}

/** False where the fix cannot be run here. */
async function runFix(fix: GoldFix, all: readonly GoldFix[]): Promise<boolean> {
  const own = all.filter(({ repository }) => repository === fix.repository);
  const other = own[(own.indexOf(fix) + 1) % own.length];
  const folder = join(values.work, fix.repository, "project");
  const kept = join(values.work, fix.repository, `${fix.name.replaceAll(/\W/g, "-")}.json`);
  const lay = (): void => {
    layCommit(fix.folder, fix.base, folder, {});
    completeProject(folder, fix.language);
  };
  if (!existsSync(kept)) {
    lay();
    const because = setUpOnce(folder, fix.language);
    const prepared: Prepared =
      because === undefined
        ? await prepareRows(fix, folder, other === fix ? undefined : other)
        : { unfit: `set-up: ${because}`, rows: [] };
    writeFileSync(kept, JSON.stringify(prepared));
  }
  const { unfit, rows } = JSON.parse(readFileSync(kept, "utf8")) as Prepared;
  if (unfit !== undefined) {
    console.error(`${fix.name}: not run: ${unfit.replaceAll(/\s+/g, " ").slice(0, 200)}`);
    return false;
  }
  const known = new Set(readResults().map(({ name, kind }) => `${name} ${kind}`));
  for (const row of rows.filter(({ kind }) => values.rows.split(",").includes(kind))) {
    if (known.has(`${fix.name} ${row.kind}`)) continue;
    lay();
    const result = solve(fix, row, folder, values.opinions ? await saidOf(fix) : undefined);
    appendFileSync(values.out, `${JSON.stringify(result)}\n`);
    console.error(sayResult(result));
  }
  return true;
}

/** An older base of the same repository keeps what was installed, and is unfit where that does not do. */
function setUpOnce(folder: string, language: string): string | undefined {
  const mark = `${folder}.installed`;
  if (existsSync(mark)) return undefined;
  const because = setUpProject(folder, language);
  if (because === undefined) writeFileSync(mark, "");
  return because;
}

interface Said {
  readonly because: string;
  readonly saysWrong: readonly { readonly test: string; readonly because: string }[];
}

async function saidOf(fix: GoldFix): Promise<Said> {
  const because = "as the statement says, that is what goes wrong without the patch";
  const names = await rewordedTests(fix);
  return { because, saysWrong: names.map((test) => ({ test, because })) };
}

function solve(fix: GoldFix, row: GoldRow, folder: string, said: Said | undefined): Result {
  const { kind, expected, note, statement, texts } = row;
  const own = join(values.work, fix.repository, `${fix.name.replaceAll(/\W/g, "-")}-${kind}`);
  mkdirSync(own, { recursive: true });
  const [script, issue] = [join(own, "script.json"), join(own, "issue.md")];
  writeFileSync(script, JSON.stringify({ answers: answersOf(texts, said) }));
  writeFileSync(issue, statement);
  const began = performance.now();
  const ended = spawnSync(
    join(resolve(values.program), "bin/millwright"),
    [
      ...["solve", "--repo", folder, "--issue", issue, "--kind", "repair", "--strategy", "react"],
      ...["--model", `scripted:${script}`, "--max-time", values["max-time"]],
      ...["--runs-dir", join(own, "runs"), "--output", "json"],
      ...(values.near && fix.testCommand !== undefined ? ["--test-command", fix.testCommand] : []),
    ],
    { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] },
  );
  const seconds = Math.round((performance.now() - began) / 1000);
  const known = { name: fix.name, language: fix.language, kind, expected, ...(note && { note }), seconds };
  if (!ended.stdout.includes("millwright.solve/1"))
    return { ...known, outcome: "error", strength: null, reason: ended.stderr.slice(-500), denied: [] };
  const { outcome, strength, reason, gate } = solveReportSchema.parse(JSON.parse(ended.stdout));
  const denied = gate.flatMap(({ predicate, holds, evidence }) =>
    holds ? [] : [[predicate, evidence] as const],
  );
  return { ...known, outcome, strength: strength ?? null, reason, denied };
}

/** A command takes so many characters of a text at once: a system's arguments have a limit. */
const pieceLength = 60_000;

function answersOf(texts: Texts, said: Said | undefined): object[] {
  const commands = Object.entries(texts).flatMap(([path, text]) => {
    if (text === undefined) return [`rm -f '${path}'`];
    const encoded = Buffer.from(text).toString("base64");
    const pieces = encoded.match(new RegExp(`.{1,${pieceLength}}`, "g")) ?? [""];
    return [
      `mkdir -p '${dirname(path)}' && : > '${path}'`,
      ...pieces.map((piece) => `echo ${piece} | base64 -d >> '${path}'`),
    ];
  });
  const call = (name: string, input: object, times: number | "always" = 1): object => ({
    ...{ when: { role: "editing" }, text: "", times },
    calls: [{ name, input }],
  });
  return [
    ...commands.map((command) => call("bash", { command })),
    call("submit", { summary: "done", ...said }, "always"),
    ...(said === undefined ? [] : [agreeing(said)]),
  ];
}

/** A review that agrees with everything. */
function agreeing({ because, saysWrong }: Said): object {
  const side = { approved: true, analysis: because, advice: "" };
  const agreed = saysWrong.map(({ test }) => ({ test, agreed: true, because }));
  const input = { patch: side, tests: side, saysWrong: agreed };
  return { when: { role: "review" }, text: "", times: "always", calls: [{ name: "verdict", input }] };
}

function isWrong({ expected, outcome }: Result): boolean {
  return expected !== "any" && (expected === "verified") !== (outcome === "verified");
}

function sayResult(result: Result): string {
  const { name, kind, outcome, strength, expected, denied, reason, seconds } = result;
  const why = denied.map(([predicate]) => predicate).join(", ") || reason;
  const said = outcome === "verified" ? `verified, ${strength}` : `${outcome}: ${why}`;
  const word = isWrong(result) ? "WRONG" : expected === "any" ? "any" : "";
  return [name, kind, said.replaceAll(/\s+/g, " ").slice(0, 160), seconds, word].join(" | ");
}

function renderTable(results: readonly Result[]): string {
  const kinds = [...new Set(results.map(({ kind, expected }) => `${kind}, ${expected}`))];
  const counts = kinds.map((title) => {
    const of = results.filter(({ kind, expected }) => `${kind}, ${expected}` === title);
    const verified = of.filter(({ outcome }) => outcome === "verified").length;
    return [title, of.length, verified, of.filter(isWrong).length].join(" | ");
  });
  return [
    ...results.map(sayResult),
    "",
    "row, expected | runs | verified | wrong",
    ...counts,
    `false denials: ${results.filter((each) => isWrong(each) && each.expected === "verified").length}`,
    `false verified: ${results.filter((each) => isWrong(each) && each.expected === "unverified").length}`,
  ].join("\n");
}

if (!values.table) await runAll();
console.log(renderTable(readResults()));
