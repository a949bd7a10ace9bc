/**
 * Standalone programs of a run that reproduce the fault. They are evidence for the work, but not for the verdict. An
 * exit code does not show that a program reached its end, and the program's author chooses the error.
 */
/** The folder in which authors write programs. No test framework runs its files, and no patch contains them. */
export const programFolder = ".millwright/programs";

/** The end of a program. `cutMs`: the run's time limit ended the program, so there is no result. */
export interface ProgramRun {
  readonly end: string;
  readonly exitCode: number | null;
  /** The last characters of both streams. */
  readonly output: string;
  /** The last exception in the output; "" without one. */
  readonly exception: string;
  readonly cutMs?: number | undefined;
}

export interface StandaloneProgram {
  /** The program's file, relative to the repository's root. */
  readonly file: string;
  /** A plain command line that runs the file in the repository's root. */
  readonly command: string;
  /** All files of this folder belong to the program. */
  readonly folder: string;
  /** A tree that contains the program's files. */
  readonly tree: string;
  /** The program's text, for the report. */
  readonly text: string;
  /** The result on the base: a failure, because other programs show nothing. */
  readonly base: ProgramRun;
  /** True if the command builds the repository's code from scratch. */
  readonly builds?: boolean;
  /** The reason why the program does not count any more. */
  readonly aside?: string;
}

export function isProgramFile(path: string): boolean {
  return path.startsWith(`${programFolder}/`);
}

const longestCommand = 500;

/** Tells an author why Millwright does not run this program; undefined if it does. */
export function refuseProgram({
  file,
  command,
}: Pick<StandaloneProgram, "file" | "command">): string | undefined {
  const isPlainFile = /^[\w./-]+$/.test(file) && !file.split("/").includes("..");
  if (!isProgramFile(file) || !isPlainFile)
    return `Write a program into a file below ${programFolder}/. Its path may contain only letters, digits and the signs . _ - /`;
  if (command.length > longestCommand)
    return `The command line of ${file} has more than ${longestCommand} characters. Put its work into the program.`;
  if (/\p{Cc}/u.test(command)) return `The command line of ${file} contains a control character.`;
  if (/[;|&$`<>()#]/.test(command))
    return `The command line of ${file} contains a shell operator (one of ; | & $ \` < > ( ) #). Give a plain command line, or write the steps into a shell script and run it with sh.`;
  if (!command.split(/\s+/).some((word) => word === file || word === `./${file}`))
    return `The command line of ${file} does not run this file. Example: python3 ${file}`;
  return undefined;
}

/** True if a limit ended the program. Millwright's limits are not the code's failures. */
export function hasNoResult({ end, cutMs }: Pick<ProgramRun, "end" | "cutMs">): boolean {
  return cutMs !== undefined || end === "timed-out" || end === "out-of-memory";
}

/** True if the program ended by itself with a failure: it shows a fault, or shows that the fault remains. */
export function showsFault(run: ProgramRun): boolean {
  return !hasNoResult(run) && run.exitCode !== 0;
}

/** True if the shell did not find the program, or could not execute it. */
export function isNotRunnable({ exitCode }: Pick<ProgramRun, "exitCode">): boolean {
  return exitCode === 126 || exitCode === 127;
}

/** Describes the end in one clause: `ends with exit code 1 (ValueError: no)`. */
export function tellProgramRun({ end, exitCode, exception, cutMs }: ProgramRun): string {
  if (cutMs !== undefined) return "has no result, because the run's time limit ended it";
  if (end === "timed-out") return "has no result, because Millwright's time limit for one program ended it";
  if (end === "out-of-memory") return "has no result, because it used too much memory";
  const code = exitCode === null ? "is killed by a signal" : `ends with exit code ${exitCode}`;
  return exception === "" ? code : `${code} (${exception})`;
}

/** Describes the end with the end of the output, for models. */
export function tellProgramOutput(run: ProgramRun, most: number): string {
  const end = run.output.length > most ? `…${run.output.slice(-most)}` : run.output;
  return end === "" ? tellProgramRun(run) : `${tellProgramRun(run)}:\n${end}`;
}

/** Returns the programs that count. */
export function countedPrograms({
  programs = [],
}: {
  readonly programs?: readonly StandaloneProgram[];
}): readonly StandaloneProgram[] {
  return programs.filter(({ aside }) => aside === undefined);
}

/** Adds programs. A program replaces an earlier one with the same command. */
export function addPrograms(
  known: readonly StandaloneProgram[] | undefined,
  more: readonly StandaloneProgram[],
): readonly StandaloneProgram[] {
  const commands = new Set(more.map(({ command }) => command));
  return [...(known ?? []).filter(({ command }) => !commands.has(command)), ...more];
}
