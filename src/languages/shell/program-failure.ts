/** Reads the uncaught error that ended a program from its standard error. */
import { cutLines } from "../../base/terminal-text.ts";
import type { StackFrame, TestFailure } from "../../domain/test-outcome.ts";

/** The type of a failure without an error of the code: only the program's own author decided the exit code. */
export const exitType = "ExitCode";

type Uncaught = Omit<TestFailure, "text">;

/** Reads an error of Python or Node.js. Undefined if the program ended without an uncaught error. */
export function readUncaught(printed: string, root: string): Uncaught | undefined {
  const errors = cutLines(printed);
  return readPython(errors, root) ?? readNode(errors, root);
}

function readPython(errors: string, root: string): Uncaught | undefined {
  const start = errors.lastIndexOf("Traceback (most recent call last):\n");
  if (start < 0) return undefined;
  const lines = errors.slice(start).split("\n").slice(1);
  const end = lines.findIndex((line) => /^\S/.test(line));
  const [, type, message = ""] = /^([\w.]+)(?:: (.*))?$/.exec(lines[end] ?? "") ?? [];
  if (type === undefined) return undefined;
  const frames = lines.slice(0, end).flatMap((line): StackFrame[] => {
    const [, file, number, name] = /^ {2}File "([^<].*)", line (\d+), in (.*)$/.exec(line) ?? [];
    return frameOf(file, number, name, root);
  });
  const more = lines.slice(end + 1).join("\n");
  return { type, message: `${message}\n${more}`.trim(), frames };
}

function readNode(errors: string, root: string): Uncaught | undefined {
  const found =
    /^(?:Uncaught )?(\w*(?:Error|Exception))(?: \[\w+\])?(?:: ([\s\S]*?))?((?:\n {4}at .*)+)/m.exec(errors);
  if (found === null) return undefined;
  const [, type = "", message = "", stack = ""] = found;
  const frames = stack.split("\n").flatMap((line): StackFrame[] => {
    const [, name, file, number] = /^ {4}at (?:(.*) \()?(?:file:\/\/)?(\/.*?):(\d+):\d+\)?$/.exec(line) ?? [];
    return frameOf(file, number, name, root);
  });
  return { type, message: message.trim(), frames: frames.reverse() };
}

function frameOf(file: string | undefined, line = "1", name = "", root = ""): StackFrame[] {
  if (file === undefined) return [];
  const path = file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
  return [{ file: path, line: Math.max(1, Number(line)), ...(name === "" ? {} : { function: name }) }];
}
