/**
 * Measures a run's time to its first request and to its verdict, with a model that answers at once: an HTTP server on
 * loopback. Each case is a public repository in which the benchmark breaks one line. The model writes a test, repairs
 * the line, and submits. `npm run bench:start -- --repositories DIR [NAME...]`: DIR has a clone of each case under its
 * name, with the requirements of its tests installed. Goals: the first request within 60 s, and the verdict within the
 * time of all tests, the confirming run, and a minute.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { RunEvent } from "../src/domain/run-event.ts";
import { solveReportSchema } from "../src/domain/solve-report.ts";
import { openChatServer, type ScriptedCall } from "../tests/chat-server.ts";

interface Case {
  readonly name: string;
  readonly path: string;
  readonly right: string;
  readonly wrong: string;
  readonly statement: string;
  readonly test: { readonly path: string; readonly text: string };
}

const cases: readonly Case[] = [
  {
    name: "pytest",
    path: "src/_pytest/_io/saferepr.py",
    right: "    if len(s) > maxsize:\n",
    wrong: "    if len(s) > maxsize - 4:\n",
    statement:
      '`_ellipsize` shortens texts that fit: saferepr("x" * 20, maxsize=24) has an ellipsis "..." and is not the whole text',
    test: {
      path: "testing/io/test_saferepr_fits.py",
      text: 'from _pytest._io.saferepr import saferepr\n\n\ndef test_text_that_fits_is_whole():\n    assert "..." not in saferepr("x" * 20, maxsize=24)\n',
    },
  },
  {
    name: "boltons",
    path: "boltons/strutils.py",
    right: "    if count == 1:\n        return unit_noun\n",
    wrong: "    if count <= 1:\n        return unit_noun\n",
    statement:
      "`cardinalize` leaves a noun in the singular for a count of zero: cardinalize('vowel', 0) is 'vowel'",
    test: {
      path: "tests/test_cardinalize_zero.py",
      text: "from boltons.strutils import cardinalize\n\n\ndef test_zero_is_plural():\n    assert cardinalize('vowel', 0) == 'vowels'\n",
    },
  },
  {
    name: "go-humanize",
    path: "ordinals.go",
    right: "if x%100 != 13 {",
    wrong: "if x%100 != 14 {",
    statement: "`Ordinal` says 13rd: Ordinal(13) returns 13rd and not 13th",
    test: {
      path: "ordinal_teens_test.go",
      text: 'package humanize\n\nimport "testing"\n\nfunc TestOrdinalOfThirteen(t *testing.T) {\n\tif got := Ordinal(13); got != "13th" {\n\t\tt.Errorf("Ordinal(13) is %s", got)\n\t}\n}\n',
    },
  },
  {
    name: "textwrap",
    path: "src/indentation.rs",
    right: "if line.trim().is_empty() {\n            result.push_str(trimmed_prefix);",
    wrong: "if line.is_empty() {\n            result.push_str(trimmed_prefix);",
    statement:
      "`indent` gives a line of blanks the whole prefix, with the blank at its end: it should be trimmed there",
    test: {
      path: "tests/indent_blank.rs",
      text: 'use textwrap::indent;\n\n#[test]\nfn indent_trims_the_prefix_of_blanks() {\n    assert_eq!(indent("  \\n", "-> "), "->  \\n");\n}\n',
    },
  },
  {
    name: "clap",
    path: "clap_lex/src/ext.rs",
    right: "(0..=self.len().checked_sub(needle.len())?)",
    wrong: "(0..self.len().checked_sub(needle.len())?)",
    statement:
      "`contains` of an `OsStr` does not find a needle that is the end of the text, such as the whole of it",
    test: {
      path: "clap_lex/tests/whole.rs",
      text: 'use clap_lex::OsStrExt as _;\n\n#[test]\nfn contains_finds_the_whole() {\n    assert!(std::ffi::OsStr::new("ab").contains("ab"));\n}\n',
    },
  },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { repositories: { type: "string" }, sandbox: { type: "string", default: "auto" } },
});
const { repositories, sandbox } = values;
if (repositories === undefined) throw new Error("--repositories DIR is missing");
const program = join(import.meta.dirname, "..", "bin", "millwright");

interface Row {
  readonly name: string;
  readonly questionS: number;
  readonly verdictS: number;
  readonly suiteS: number | undefined;
  /** Seconds of the confirming run. */
  readonly confirmS: number;
  readonly outcome: string;
}

async function measure(
  { name, path, right, wrong, statement, test }: Case,
  repository: string,
): Promise<Row> {
  const call = (tool: string, input: object): ScriptedCall => ({
    name: tool,
    arguments: JSON.stringify(input),
  });
  const calls = [
    call("create", test),
    call("str_replace", { path, old: wrong.trimEnd(), new: right.trimEnd() }),
    call("submit", { summary: "the broken line is mended" }),
  ];
  const file = join(repository, path);
  const text = readFileSync(file, "utf8");
  if (!text.includes(right)) throw new Error(`${file} has no ${JSON.stringify(right)}`);
  const runs = mkdtempSync(join(tmpdir(), "millwright-start-"));
  let askedAt = 0;
  const server = await openChatServer((_, count) => {
    if (count === 0) askedAt = performance.now();
    return { calls: calls.slice(count, count + 1) };
  });
  try {
    writeFileSync(
      file,
      text.replace(right, () => wrong),
    );
    const startedAt = performance.now();
    const model = ["--model", "openai-compatible/scripted"];
    const flags = ["--repo", repository, "--kind", "repair", "--strategy", "react", ...model];
    const stdout = await run([
      ...["solve", statement, ...flags, "--model-url", server.address, "--runs-dir", runs],
      ...["--sandbox", sandbox, "--output", "json"],
    ]);
    const endedAt = performance.now();
    const report = solveReportSchema.parse(JSON.parse(stdout));
    return {
      name,
      questionS: (askedAt - startedAt) / 1000,
      verdictS: (endedAt - startedAt) / 1000,
      suiteS: suiteSeconds(report.runDirectory),
      confirmS: confirmSeconds(report.runDirectory),
      outcome: `${report.outcome}${report.outcome === "verified" ? "" : `: ${report.reason}`}`,
    };
  } finally {
    writeFileSync(file, text);
    await server.close();
    rmSync(runs, { recursive: true, force: true });
  }
}

function run(args: readonly string[]): Promise<string> {
  const child = spawn(program, args, {
    env: { ...process.env, MILLWRIGHT_CODE_SERVERS: "off" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let stdout = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  return new Promise((resolve) => child.on("close", () => resolve(stdout)));
}

function readEvents(directory: string): RunEvent[] {
  const lines = readFileSync(join(directory, "events.jsonl"), "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as RunEvent);
}

/** Reads from the record how many seconds the confirming run took; 0 without one. */
function confirmSeconds(directory: string): number {
  const times = readEvents(directory).flatMap((event) =>
    "step" in event && event.step.startsWith("confirm:") ? [event.at] : [],
  );
  return times.length < 2 ? 0 : (Math.max(...times) - Math.min(...times)) / 1000;
}

/** Reads from the record how many seconds all tests took on the base. */
function suiteSeconds(directory: string): number | undefined {
  const events = readEvents(directory);
  const result = (step: string): { durationMs?: number; part?: object } | undefined => {
    const ended = events.find((event) => event.event === "step-finished" && event.step === step);
    const stored = ended?.event === "step-finished" ? (ended.result as { artifact?: string }) : undefined;
    if (stored?.artifact === undefined) return undefined;
    return JSON.parse(readFileSync(join(directory, "artifacts", `${stored.artifact}.json`), "utf8"));
  };
  const ms = (result("whole-suite") ?? result("baseline"))?.durationMs;
  return ms === undefined ? undefined : ms / 1000;
}

const load = `load ${loadavg()[0]?.toFixed(1)}`;
console.log(
  `| repository | first request | verdict | all tests on the base | outcome |\n|---|---|---|---|---|`,
);
const rows: Row[] = [];
for (const each of cases) {
  const repository = join(repositories, each.name);
  if (positionals.length > 0 && !positionals.includes(each.name)) continue;
  if (!existsSync(repository)) {
    console.log(`| ${each.name} | not cloned | | | |`);
    continue;
  }
  const row = await measure(each, repository);
  rows.push(row);
  const suite = row.suiteS === undefined ? "none" : `${row.suiteS.toFixed(0)} s`;
  console.log(
    `| ${row.name} | ${row.questionS.toFixed(0)} s | ${row.verdictS.toFixed(0)} s | ${suite} | ${row.outcome} |`,
  );
}
const late = rows.filter(({ questionS }) => questionS >= 60);
console.log(
  late.length === 0
    ? `Every first request came within 60 s (${load}).`
    : `More than 60 s before the first request: ${late.map(({ name, questionS }) => `${name} (${(questionS - 60).toFixed(0)} s)`).join(", ")} (${load}).`,
);
/** Seconds beyond the goal: the time of all tests, of the confirming run, and a minute. */
const beyond = ({ verdictS, suiteS = 0, confirmS }: Row): number => verdictS - suiteS - confirmS - 60;
const slow = rows.filter((row) => beyond(row) > 0);
console.log(
  slow.length === 0
    ? "Every verdict came within the time of all tests, the confirming run, and a minute."
    : `Later than the time of all tests, the confirming run, and a minute: ${slow.map((row) => `${row.name} (${beyond(row).toFixed(0)} s)`).join(", ")}.`,
);
