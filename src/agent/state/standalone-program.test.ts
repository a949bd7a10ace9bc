import { expect, test } from "vitest";
import {
  addPrograms,
  isNotRunnable,
  type ProgramRun,
  programFolder,
  refuseProgram,
  showsFault,
  tellProgramRun,
} from "./standalone-program.ts";

const file = `${programFolder}/show.py`;

test.each([[`python3 ${file}`], [`env PYTHONPATH=. python3 ./${file} "two words" --total=3`]])(
  "runs a plain command line: %s",
  (command) => {
    expect(refuseProgram({ file, command })).toBeUndefined();
  },
);

test.each([
  [file, `python3 ${file}; true`, "shell operator"],
  [file, `python3 ${file} | cat`, "shell operator"],
  [file, `test -e fixed.py && python3 ${file}`, "shell operator"],
  [file, `python3 ${file} $HOME`, "shell operator"],
  [file, `python3 ${file} \`date\``, "shell operator"],
  [file, `test -e fixed.py # ${file}`, "shell operator"],
  [file, `python3 ${file} > out`, "shell operator"],
  [file, `python3 ${file}\0`, "control character"],
  [file, `test -e fixed.py\npython3 ${file}`, "control character"],
  [file, `python3 ${file} ${"x".repeat(500)}`, "500 characters"],
  [file, `python3 ${file}.bak`, "does not run this file"],
  ["show.py", "python3 show.py", programFolder],
  [`${programFolder}/../show.py`, `python3 ${programFolder}/../show.py`, programFolder],
  [`${programFolder}/a b.py`, `python3 ${programFolder}/a b.py`, "may contain only letters"],
])("refuses %j with %j", (path, command, told) => {
  expect(refuseProgram({ file: path, command })).toContain(told);
});

const run: ProgramRun = { end: "exited", exitCode: 1, output: "", exception: "ValueError: no" };

test("a limit is no result: neither of the run, nor of one program, nor of memory", () => {
  expect(showsFault(run)).toBe(true);
  expect(showsFault({ ...run, exitCode: 0 })).toBe(false);
  expect(showsFault({ ...run, exitCode: null, end: "exited" })).toBe(true);
  expect(showsFault({ ...run, end: "timed-out", exitCode: null })).toBe(false);
  expect(showsFault({ ...run, end: "out-of-memory", exitCode: null })).toBe(false);
  expect(showsFault({ ...run, cutMs: 4_000 })).toBe(false);
  expect([126, 127, 1].map((exitCode) => isNotRunnable({ exitCode }))).toEqual([true, true, false]);
});

test("tells the end in one clause", () => {
  expect(tellProgramRun(run)).toBe("ends with exit code 1 (ValueError: no)");
  expect(tellProgramRun({ ...run, exception: "", exitCode: null })).toBe("is killed by a signal");
  expect(tellProgramRun({ ...run, cutMs: 1 })).toContain("the run's time limit");
});

test("a program replaces an earlier one with the same command", () => {
  const program = {
    file,
    command: `python3 ${file}`,
    folder: programFolder,
    tree: "t1",
    text: "",
    base: run,
  };
  const next = { ...program, tree: "t2" };
  const other = { ...program, command: `python3 ${file} 2` };
  expect(addPrograms([program, other], [next])).toEqual([other, next]);
});
