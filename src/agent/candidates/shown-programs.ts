/** Runs standalone programs on the base for the author of a reproduction, and tells the author their results. */
import { z } from "zod";
import type { TaskKind } from "../../domain/task.ts";
import { type ProgramContext, runProgram } from "../measure/run-program.ts";
import {
  addPrograms,
  hasNoResult,
  isNotRunnable,
  isProgramFile,
  programFolder,
  refuseProgram,
  type StandaloneProgram,
  showsFault,
  tellProgramOutput,
  tellProgramRun,
} from "../state/standalone-program.ts";

const example = `${programFolder}/show.py`;

/** The schema of programs that an author shows. */
export const programsSchema = z
  .array(z.object({ file: z.string(), command: z.string() }))
  .max(5)
  .default([])
  .describe(
    `standalone programs that you wrote below ${programFolder}/, each with a plain command line that runs it in the repository's root. Example: {"file": "${example}", "command": "env PYTHONPATH=. python3 ${example}"}`,
  );
export type AskedProgram = z.infer<typeof programsSchema>[number];

export interface ShownPrograms {
  /** The shown programs that fail on the base. */
  readonly programs: readonly StandaloneProgram[];
  /** For each program: its failure on the base, or the reason why it shows nothing. */
  readonly text: string;
  /** The reasons why the other programs show nothing. */
  readonly refused: readonly string[];
}

/** True for kinds whose statement reports a fault. */
export function takesPrograms(kind: TaskKind): boolean {
  return kind === "repair" || kind === "partial-fix";
}

/** Runs the programs of `tree` on the base. A program that ends with 0 there shows nothing. */
export async function showPrograms(
  context: ProgramContext,
  tree: string,
  asked: readonly AskedProgram[],
): Promise<ShownPrograms> {
  const { trees, base } = context.workspace;
  const programs: StandaloneProgram[] = [];
  const refused: string[] = [];
  for (const { file, command } of asked) {
    const text = (await trees.read(tree, file).catch(() => undefined))?.toString("utf8");
    const refusal = refuseProgram({ file, command });
    if (refusal !== undefined || text === undefined) {
      refused.push(refusal ?? `There is no file ${file}. Write the program into this file first.`);
      continue;
    }
    const program = { file, command, folder: programFolder, tree, text };
    const made = await showOne(context, program, base);
    if (typeof made === "string") refused.push(made);
    else programs.push(made);
  }
  const told = programs.map((each) => `${each.file} fails on the unchanged code: it ${tellBase(each)}`);
  return { programs, refused, text: [...told, ...refused].join("\n\n") };
}

/** Returns the program with its result on the base, or the reason why it shows nothing. */
export async function showOne(
  context: ProgramContext,
  program: Omit<StandaloneProgram, "base">,
  base: string,
): Promise<StandaloneProgram | string> {
  const { file } = program;
  const run = await runProgram(context, program, base);
  if (hasNoResult(run))
    return `On the unchanged code, ${file} ${tellProgramRun(run)}. A program that shows a hang must end itself with an error, for example by a timer.`;
  if (isNotRunnable(run))
    return `The shell could not run ${file}: the command line ${tellProgramOutput(run, mostShown)}`;
  if (!showsFault(run))
    return `${file} ends with exit code 0 on the unchanged code, so it does not show the problem. It must end with an error now.`;
  return { ...program, base: run };
}

/** Characters of a program's output in one message. */
const mostShown = 4_000;

function tellBase({ base }: StandaloneProgram): string {
  return tellProgramOutput(base, mostShown);
}

export interface ProgramWork {
  /** The programs whose results the author has seen. */
  seen: readonly StandaloneProgram[];
  /** The programs that the author showed again after their results: they fail because of the reported problem. */
  kept: readonly StandaloneProgram[];
}

/** Shows programs. `isKept`: the author has seen the results of all of them, and keeps the programs. */
export async function takePrograms(
  context: ProgramContext,
  work: ProgramWork,
  tree: string,
  asked: readonly AskedProgram[],
): Promise<ShownPrograms & { readonly isKept: boolean }> {
  const shown = await showPrograms(context, tree, asked);
  const seen = new Set(work.seen.map(nameOf));
  const known = shown.programs.filter((each) => seen.has(nameOf(each)));
  work.kept = addPrograms(work.kept, known);
  work.seen = addPrograms(work.seen, shown.programs);
  return { ...shown, isKept: known.length === asked.length };
}

function nameOf({ command, text }: StandaloneProgram): string {
  return JSON.stringify([command, text]);
}

/** Returns the files that are no programs. */
export function withoutProgramFiles(paths: readonly string[]): string[] {
  return paths.filter((path) => !isProgramFile(path));
}

/** Says that programs fail on the base, for the planner. */
export function tellKept(programs: readonly StandaloneProgram[]): string {
  return programs
    .map(
      (program) =>
        `The standalone program ${program.file} (\`${program.command}\`) fails on the base: it ${tellBase(program)}\nMillwright runs it with each candidate. Alone, it verifies no patch.`,
    )
    .join("\n\n");
}
