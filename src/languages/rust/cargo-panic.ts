/** Converts a failing Rust test's output to an error with its place and its stack. */
import { posix } from "node:path";
import type { StackFrame, TestFailure } from "../../domain/test-outcome.ts";

/** The folders at which paths in a test's output start, relative to the repository. */
export interface TestFolders {
  /** The workspace's folder, where the compiler's paths start. */
  readonly workspace: string;
  /** The package's folder, where the test runs and the paths of a backtrace start. */
  readonly package: string;
}

const longestText = 4000;

/** Reads a failure's details from its text. `root`: the repository's root inside the sandbox. */
export function explainFailure(failure: TestFailure, folders: TestFolders, root: string): TestFailure {
  const { text } = failure;
  if (failure.type === "CompileError") return explainCompileError(failure, folders, root);
  const panic = readPanic(text);
  const frames = panic ? framesOf(panic, text, folders, root) : [];
  const shown = shorten(trimBacktrace(text));
  if (failure.type !== "" && failure.type !== "Crash") return { ...failure, text: shown };
  if (/has overflowed its stack/.test(text)) {
    return { type: "StackOverflow", message: "the test overflowed its stack", frames, text: shown };
  }
  if (failure.type === "Crash") {
    const message = panic ? `${failure.message}: ${panic.message}` : failure.message;
    return { type: "Crash", message, frames, text: shown };
  }
  if (panic !== undefined)
    return { type: typeOf(panic.message), message: panic.message, frames, text: shown };
  const returned = /^Error: ([\s\S]*?)(?:\n\n---|$)/m.exec(text)?.[1];
  if (returned !== undefined) return { type: "Error", message: returned.trim(), frames: [], text: shown };
  const note =
    /^note: (test did not panic as expected.*|panic did not contain expected string[\s\S]*?)$/m.exec(text);
  const message = note?.[1] ?? "the test failed";
  return {
    type: note ? "AssertionError" : "Failure",
    message,
    frames: placeIn(message, folders),
    text: shown,
  };
}

interface Panic {
  readonly message: string;
  readonly file: string;
  readonly line: number;
}

/**
 * Reads the last panic, because caught panics come before it. Since Rust 1.73, the message follows the place on
 * separate lines.
 */
function readPanic(text: string): Panic | undefined {
  const recent =
    /^thread '.*?'(?: \(\d+\))? panicked at ([^\n']+?):(\d+):\d+:\n([\s\S]*?)(?=\n(?:stack backtrace:|note: run with|thread '|--- printed ---|\s*$(?![\s\S]))|$(?![\s\S]))/gm;
  const older = /^thread '.*?' panicked at '([\s\S]*?)', ([^\n']+?):(\d+):\d+$/gm;
  const found = [...text.matchAll(recent)].map(([, file = "", line = "", message = ""]) => ({
    message,
    file,
    line,
  }));
  const before = [...text.matchAll(older)].map(([, message = "", file = "", line = ""]) => ({
    message,
    file,
    line,
  }));
  const last = [...before, ...found].at(-1);
  return last && { message: last.message.trim(), file: last.file, line: Math.max(1, Number(last.line)) };
}

function typeOf(message: string): string {
  if (/^assertion /.test(message)) return "AssertionError";
  const known: readonly (readonly [RegExp, string])[] = [
    [/^attempt to .* with overflow/, "ArithmeticOverflow"],
    [/^attempt to (?:divide|calculate)/, "DivisionByZero"],
    [
      /^(?:index out of bounds|range (?:start|end) index|slice index|byte index|removal index|swap_remove index|insertion index)/,
      "IndexOutOfBounds",
    ],
    [/^called `(?:Option|Result)::/, "UnwrapError"],
    [/^(?:not implemented|not yet implemented|internal error: entered unreachable code)/, "Unreachable"],
    [/already (?:mutably )?borrowed/, "BorrowError"],
  ];
  return known.find(([pattern]) => pattern.test(message))?.[1] ?? "panic";
}

/**
 * The frames, outermost first. The place of the panic comes last, unless it is in the standard library or a dependency.
 */
function framesOf(panic: Panic, text: string, folders: TestFolders, root: string): StackFrame[] {
  const start = text.lastIndexOf("stack backtrace:");
  const pattern = /^\s+\d+: (.+)\n\s+at (\S+?):(\d+)(?::\d+)?$/gm;
  const stack = start === -1 ? [] : [...text.slice(start).matchAll(pattern)];
  const frames = stack.flatMap(([, name = "", path = "", line = ""]): StackFrame[] => {
    const file = path.startsWith("./") ? posix.join(folders.package, path) : relativeTo(root, path);
    return isForeign(file) ? [] : [{ file, line: Math.max(1, Number(line)), function: cleanName(name) }];
  });
  frames.reverse();
  const file = placeFile(panic.file, folders, root);
  const last = frames.at(-1);
  const isKnown = frames.some((frame) => frame.file === file && frame.line === panic.line);
  if (!isForeign(file) && (last === undefined || !isKnown)) frames.push({ file, line: panic.line });
  return frames;
}

function placeFile(path: string, folders: TestFolders, root: string): string {
  return path.startsWith("/") ? relativeTo(root, path) : posix.join(folders.workspace, path);
}

function relativeTo(root: string, path: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

/** True for files of the standard library or of a dependency. */
function isForeign(file: string): boolean {
  return file.startsWith("/") || file.startsWith("library/");
}

function cleanName(name: string): string {
  return name.replace(/::h[0-9a-f]{16}$/, "").replace(/(?:::\{\{?closure\}?\}(?:#\d+)?)+$/, "");
}

function explainCompileError(failure: TestFailure, folders: TestFolders, root: string): TestFailure {
  const place = /^[ \t]*--> (\S+?):(\d+):\d+$/m.exec(failure.text);
  const frames = place ? [{ file: placeFile(place[1] ?? "", folders, root), line: Number(place[2]) }] : [];
  return {
    ...failure,
    frames: frames.filter((frame) => !isForeign(frame.file)),
    text: shorten(failure.text),
  };
}

function placeIn(message: string, folders: TestFolders): StackFrame[] {
  const place = /\bat (\S+?):(\d+):\d+$/.exec(message);
  return place ? [{ file: posix.join(folders.workspace, place[1] ?? ""), line: Number(place[2]) }] : [];
}

/** Removes frames of the standard library, which do not help a reader. */
function trimBacktrace(text: string): string {
  return text.replace(/^\s+\d+: .*\n\s+at (?:\/rustc\/|\S*\/rustlib\/src\/).*\n/gm, "");
}

function shorten(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}\n[…]`;
}
