/** Runs the program with a scripted model: answers by role, in order. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type SolveReport, solveReportSchema } from "../../src/domain/solve-report.ts";
import type { Playground, ProgramEnd } from "./millwright.ts";

export interface Scripted {
  readonly role: string;
  /** In the last message. */
  readonly contains?: string | readonly string[];
  /** In the instructions: tells roles of several strategies apart. */
  readonly system?: string;
  readonly name?: string;
  readonly input?: object;
  readonly text?: string;
  readonly times?: number | "always";
}

export interface ScriptedRun {
  readonly strategy: string;
  readonly statement: string;
  readonly repository: string;
  readonly answers: readonly Scripted[];
  readonly args?: readonly string[];
}

export function solveScripted(playground: Playground, run: ScriptedRun): Promise<ProgramEnd> {
  const { strategy, statement, repository, answers, args = [] } = run;
  const script = join(playground.folder, "script.json");
  const told = answers.map(({ role, contains, system, name, input, text = "", times = 1 }) => ({
    when: {
      role,
      ...(contains === undefined ? {} : { contains }),
      ...(system === undefined ? {} : { system }),
    },
    text,
    times,
    ...(name === undefined ? {} : { calls: [{ name, input: input ?? {} }] }),
  }));
  writeFileSync(script, JSON.stringify({ answers: told }));
  const task = [statement, "--repo", repository, "--strategy", strategy, "--model", `scripted:${script}`];
  return playground.start(["solve", ...task, "--output", "json", ...args]).ended;
}

export function readReport(end: ProgramEnd): SolveReport {
  if (end.stdout === "") throw new Error(end.stderr);
  return solveReportSchema.parse(JSON.parse(end.stdout));
}

/** Answers of a model that are recorded in the only run of a folder. */
export function countAnswers(runs: string): number {
  const [run] = existsSync(runs) ? readdirSync(runs) : [];
  const calls = join(runs, run ?? "", "calls");
  return existsSync(calls) ? readdirSync(calls).filter((name) => name.endsWith(".answer.json")).length : 0;
}
