/** Whole runs of a strategy with a scripted model. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunEvent } from "../../src/domain/run-event.ts";
import { type SolveReport, solveReportSchema } from "../../src/domain/solve-report.ts";
import type { Playground, ProgramEnd } from "./millwright.ts";
import { checkRecord } from "./whole-record.ts";

/** An answer of the script: to a request of the role, with the text in its instructions. */
export interface ScriptedAnswer {
  readonly role: string;
  /** A part of the instructions. */
  readonly system?: string;
  /** Parts of the last message. */
  readonly contains?: string | readonly string[];
  /** Of several answers to one request; they are asked for at the same time. */
  readonly sample?: number;
  readonly text?: string;
  /** Answers with this JSON. */
  readonly json?: unknown;
  readonly calls?: readonly { readonly name: string; readonly input: object }[];
  readonly times?: number | "always";
  readonly usage?: { readonly input: number; readonly output: number; readonly usd: number };
}

export interface ScriptedRun {
  readonly repository: string;
  readonly statement: string;
  readonly strategy: string;
  readonly answers: readonly ScriptedAnswer[];
  /** Without a kind among them it is a repair: to find the kind is a question to the model. */
  readonly args?: readonly string[];
}

export interface ScriptedEnd {
  readonly exitCode: number | null;
  readonly report: SolveReport;
  readonly events: readonly RunEvent[];
  /** Names of the actions and stages, in their order. */
  readonly actions: readonly string[];
  readonly stderr: string;
}

/** Its record is held against its folder. */
export async function solveScripted(playground: Playground, run: ScriptedRun): Promise<ScriptedEnd> {
  const script = join(playground.folder, "script.json");
  writeFileSync(script, scriptFile(run.answers));
  const { repository, strategy, statement, args = [] } = run;
  const flags = ["--repo", repository, "--strategy", strategy, "--model", `scripted:${script}`];
  const end = await playground.start(["solve", statement, ...flags, "--output", "json", ...withKind(args)])
    .ended;
  const { exitCode, stderr } = end;
  const report = readReport(end);
  const events = checkRecord(report.runDirectory);
  const actions = events.flatMap((event) => (event.event === "action-started" ? [event.action] : []));
  return { exitCode, report, events, actions, stderr };
}

function withKind(args: readonly string[]): readonly string[] {
  return args.includes("--kind") ? args : ["--kind", "repair", ...args];
}

/** The text of a file for `scripted:FILE`. */
export function scriptFile(answers: readonly ScriptedAnswer[]): string {
  return JSON.stringify({ answers: answers.map(answerOf) });
}

function answerOf(answer: ScriptedAnswer) {
  const { text = "", json, calls, times = 1, usage, ...when } = answer;
  return {
    when,
    text: json === undefined ? text : JSON.stringify(json),
    times,
    ...(calls === undefined ? {} : { calls }),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** A block that replaces lines of a file; an empty `before` makes the file. */
export function editBlock(path: string, before: string, after: string): string {
  const original = before === "" ? "" : `${before}\n`;
  return `${path}\n<<<<<<< ORIGINAL\n${original}=======\n${after}\n>>>>>>> UPDATED\n`;
}

/** The flags of a partial-fix whose given attempt makes this change. */
export function attemptFlags(repository: string, path: string, before: string, after: string): string[] {
  const file = join(repository, path);
  const text = readFileSync(file, "utf8");
  writeFileSync(
    file,
    text.replace(before, () => after),
  );
  const attempt = `${repository}-attempt.diff`;
  writeFileSync(attempt, execFileSync("git", ["diff"], { cwd: repository }));
  writeFileSync(file, text);
  return ["--kind", "partial-fix", "--partial-patch", attempt];
}

/** Replays the run, kills it once so many answers are there, and lets it be resumed: its record has each call once. */
export async function killAndResume(
  playground: Playground,
  whole: SolveReport,
  run: Omit<ScriptedRun, "answers">,
  answers: number,
): Promise<{ readonly report: SolveReport; readonly answers: number }> {
  const runs = join(playground.folder, "killed");
  const model = `replay:${join(whole.runDirectory, "calls")}`;
  const { repository, statement, strategy, args = [] } = run;
  const flags = ["--repo", repository, "--strategy", strategy, "--model", model, "--runs-dir", runs];
  const program = playground.start(["solve", statement, ...flags, "--output", "json", ...withKind(args)]);
  let early: ProgramEnd | undefined;
  void program.ended.then((end) => (early = end));
  while (early === undefined && countAnswers(runs) < answers) await sleep(5);
  if (early !== undefined) throw new Error(`it ended before it was killed: ${describeEnd(early)}`);
  program.kill("SIGKILL");
  await program.ended;
  const resumed = await playground.start(["resume", "last", "--runs-dir", runs, "--output", "json"]).ended;
  const report = readReport(resumed);
  checkRecord(report.runDirectory);
  return { report, answers: countAnswers(runs) };
}

/** The report that a whole run prints; where there is none, what was said instead is the error. */
export function readReport(end: ProgramEnd): SolveReport {
  if (!end.stdout.includes('"millwright.solve/1"')) throw new Error(`no report: ${describeEnd(end)}`);
  return solveReportSchema.parse(JSON.parse(end.stdout));
}

function describeEnd({ exitCode, stdout, stderr }: ProgramEnd): string {
  return `exit code ${exitCode}\n${stdout}\n${stderr}`;
}

function countAnswers(runs: string): number {
  const [run] = existsSync(runs) ? readdirSync(runs) : [];
  const calls = join(runs, run ?? "", "calls");
  return existsSync(calls) ? readdirSync(calls).filter((name) => name.endsWith(".answer.json")).length : 0;
}

/** A request of a run to its model. */
export interface Asked {
  readonly role: string;
  readonly system: string;
  readonly messages: readonly { readonly role: string; readonly text?: string }[];
  readonly tools?: readonly { readonly name: string }[];
  readonly settings: { readonly temperature?: number };
}

/** The requests of a run, in their order. */
export function requestsOf({ report, events }: ScriptedEnd): Asked[] {
  const calls = join(report.runDirectory, "calls");
  return events.flatMap((event) =>
    event.event === "call-ended"
      ? [JSON.parse(readFileSync(join(calls, `${event.handle}.request.json`), "utf8")).request]
      : [],
  );
}
