/**
 * Runs a standalone program as one test. Only the exit code decides that the program passes. Its output never does,
 * because the code under test prints to the same output.
 */
import type { TestOutcome } from "../../domain/test-outcome.ts";
import type { ReportRequest, TestCommand, TestFramework, TestReport } from "../contract.ts";
import { crashType } from "../report-lines.ts";
import { isProgramFile } from "../standalone-program.ts";
import { exitType, readUncaught } from "./program-failure.ts";

/** Separates the streams, because a program may print its buffered output after the error. */
const runner = `sh -c "$1" >"$2/output" 2>"$2/errors" </dev/null
code=$?
tail -c 20000 "$2/output"
tail -c 20000 "$2/errors" >&2
exit $code`;

const longest = 4000;

/** The framework of one program. `file`: the program's path, which the outcome's key contains. */
export function standaloneFramework(file: string): TestFramework {
  return {
    name: "standalone",
    language: "shell",
    description: "a program that reproduces a fault: its exit code decides",
    coverage: "none",
    judging: [],
    builds: true,
    exitCodeDecides: true,
    detect: () => [],
    recognise: () => undefined,
    invoke: ({ command, paths }) => ({
      run: ["/bin/sh", "-c", runner, "sh", command.command, paths.report],
      env: {},
    }),
    parse: (request) => parse(request, file),
  };
}

export function standaloneCommand(command: string): TestCommand {
  return { framework: "standalone", directory: "", command, foundBy: "the reproduction", likelihood: 1 };
}

function parse(request: ReportRequest, file: string): TestReport {
  const { exitCode } = request;
  const isUnknown = exitCode === 126 || exitCode === 127;
  const invalid = isUnknown ? `the shell could not run the program (exit code ${exitCode})` : undefined;
  return { outcomes: [outcomeOf(request, file)], coverage: new Map(), invalid };
}

function outcomeOf({ files, stdout, stderr, exitCode, root }: ReportRequest, file: string): TestOutcome {
  // The bench knows the command, and sets the key's name.
  const key = { package: "", target: file, name: "" };
  if (exitCode === 0) return { key, status: "passed", durationMs: 0 };
  const errors = files.get("errors")?.toString("utf8") ?? stderr;
  const output = files.get("output")?.toString("utf8") ?? stdout;
  const ended = exitCode === null ? "the program was stopped before it ended" : `exit code ${exitCode}`;
  const text = [ended, output.trim(), errors.trim()]
    .filter((part) => part !== "")
    .join("\n")
    .slice(-longest);
  const uncaught = exitCode === null ? undefined : readUncaught(errors, root);
  // Without a frame in the program, the error belongs to another process.
  const own = uncaught?.frames.some((frame) => isProgramFile(frame.file)) === true ? uncaught : undefined;
  const type = exitCode === null ? crashType : exitType;
  return {
    key,
    status: "failed",
    durationMs: 0,
    failure: { type, message: ended, frames: [], ...own, text },
  };
}
