/** Reads a failure's place and reason from a C or C++ test's output. Also reads errors of compilers and linkers. */
import { posix } from "node:path";
import { cutLines } from "../../base/terminal-text.ts";
import type { StackFrame, TestFailure } from "../../domain/test-outcome.ts";

const longest = 4000;

/** `a.cpp:12` or `a.cpp(12)`, with or without a column, followed by a message. */
const place =
  /^(?:\[[^\]\n]*\] *)?(?:[\w./-]+: )?((?:\/|\.{0,2}[\w@+-])[\w@+./ -]*?\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|ipp|inl|m|mm))[:(](\d+)\)?(?::\d+)?:? ?(.*)$/gim;
/** Lines without a failure: some libraries also report each success. */
const harmless = /^\s*(?:PASS|INFO|NOTE|WARNING|note|warning|PASSED)\b|:PASS\b/;

/**
 * Reads a test's failure: a sanitizer's error, or else the first assertion in a known form. If the output has neither,
 * uses `type` and `message`. After a timeout or a crash, an assertion gives only the frames.
 */
export function readCppFailure(printed: string, type: string, message: string, root: string): TestFailure {
  const output = cutLines(printed);
  const text = output.trim().slice(-longest);
  const frames: StackFrame[] = [];
  let said = "";
  for (const found of output.matchAll(place)) {
    const [, file = "", line = "0", rest = ""] = found;
    if (harmless.test(rest) || Number(line) === 0) continue;
    const failed = rest.replace(/^(?:FAIL(?:ED|URE)?|ERROR|FATAL ERROR|Failure|error)\b:?\s*/i, "");
    said = failed === "" ? nextLines(output, (found.index ?? 0) + found[0].length) : failed;
    frames.push({ file: relative(file, root), line: Number(line) });
    break;
  }
  const isAssertion = frames.length > 0 && !["TimeoutError", "Crash"].includes(type);
  const sanitizer = /ERROR: (\w+Sanitizer): (.*)/.exec(output);
  if (sanitizer)
    return {
      type: sanitizer[1] ?? type,
      message: sanitizer[2] ?? message,
      frames: readSanitizerFrames(output, root),
      text,
    };
  return {
    type: isAssertion ? "AssertionError" : type,
    message: isAssertion && said !== "" ? said : message,
    frames,
    text,
  };
}

/** The lines below a place, up to an empty line. gtest and Catch2 print the expected value there. */
function nextLines(output: string, from: number): string {
  const lines = output.slice(from).split("\n").slice(1, 12);
  const end = lines.findIndex((line) => line.trim() === "" || /^[-=.~]{5,}/.test(line));
  return lines
    .slice(0, end === -1 ? lines.length : end)
    .map((line) => line.trim())
    .join(" ");
}

/** Reads the frames of a sanitizer's stack, the outermost call first. */
function readSanitizerFrames(output: string, root: string): StackFrame[] {
  const frames = [...output.matchAll(/^[ \t]*#\d+ 0x[0-9a-f]+ in (\S+)[^\n]*? (\/[^\s:]+):(\d+)/gm)];
  return frames
    .slice(0, 30)
    .map(([, name = "", file = "", line = "1"]) => ({
      file: relative(file, root),
      line: Number(line),
      function: name,
    }))
    .reverse();
}

/**
 * Describes a failed build by the compiler's first error. Without one, uses the linker's first error, or else the first
 * line that contains `error` or `***`. Without such a line, says only that the build failed.
 */
export function findCompilerError(printed: string, root: string): TestFailure {
  const log = cutLines(printed);
  const compiler = /^((?:\/|[\w.])[^\s:]*):(\d+)(?::\d+)?: (?:fatal )?error: (.*)$/m.exec(log);
  const linker = /^.*(?:undefined reference to|multiple definition of|cannot find -l).*$/m.exec(log)?.[0];
  const text = log.slice(Math.max(0, (compiler?.index ?? log.length - longest) - 200)).slice(0, longest);
  if (compiler) {
    const [, file = "", line = "1", message = ""] = compiler;
    return {
      type: "BuildError",
      message,
      frames: [{ file: relative(file, root), line: Number(line) }],
      text,
    };
  }
  const other = /^.*(?:error|\*\*\*).*$/im.exec(log)?.[0];
  return { type: "BuildError", message: linker ?? other ?? "the build failed", frames: [], text };
}

function relative(file: string, root: string): string {
  const path = posix.normalize(file);
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
