/**
 * Names the standalone programs that reproduce a fault. A program is a test whose result is the program's exit code. The
 * key's `target` is the program's file, and its `name` is the command line. Frameworks never see these files.
 */
import type { TestKey } from "../domain/test-outcome.ts";
import type { Selection } from "./contract.ts";

/** The folder of programs in a tree. No patch may contain files of this folder. */
export const programFolder = ".millwright/programs";

export function isProgramFile(path: string): boolean {
  return path.startsWith(`${programFolder}/`);
}

export function isProgram({ target }: Pick<TestKey, "target">): boolean {
  return isProgramFile(target);
}

export function programKey(file: string, command: string): TestKey {
  return { package: "", target: file, name: command };
}

export interface SplitSelection {
  readonly programs: readonly TestKey[];
  /** The framework's part; undefined if the selection contains only programs. */
  readonly others: Selection | undefined;
}

/** Separates programs from the tests of a framework. Only a selection of tests runs programs. */
export function splitPrograms(selection: Selection): SplitSelection {
  if (selection.kind === "all") return { programs: [], others: selection };
  if (selection.kind === "files") {
    const files = selection.files.filter((path) => !isProgramFile(path));
    const isOnlyPrograms = files.length === 0 && selection.files.length > 0;
    return { programs: [], others: isOnlyPrograms ? undefined : { kind: "files", files } };
  }
  const tests = selection.tests.filter((key) => !isProgram(key));
  const programs = selection.tests.filter(isProgram);
  return {
    programs,
    others: tests.length === 0 && programs.length > 0 ? undefined : { kind: "tests", tests },
  };
}
