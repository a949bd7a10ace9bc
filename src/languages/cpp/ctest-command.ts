/** Reads commands that configure, build and test with CMake, as people and CI files write them, and writes our own. */
import { quoteWord } from "../../base/shell-word.ts";
import { parseShell, type ShellCommand } from "../javascript/javascript-shell.ts";
import { enterFolder } from "../javascript/package-script-calls.ts";

export interface CtestCommand {
  /** Folder with the outermost CMakeLists.txt, relative to the root. */
  readonly directory: string;
  /** cmake's options except those for folders. */
  readonly options: readonly string[];
  /** ctest's options that select tests. */
  readonly selecting: readonly string[];
}

/** cmake options with a value that choose the source and build folders, which Millwright sets itself. */
const placing = /^-(?:S|B|H)$/;
const valued = /^-(?:D|G|A|T|C|U)$|^--(?:preset|toolchain|install-prefix)$/;
const choosing =
  /^(?:-R|-E|-L|-LE|-FA|-FS|-FC|-C|--tests-regex|--exclude-regex|--label-regex|--label-exclude|--build-config)$/;

/**
 * Reads a command such as `cmake -S . -B build -DX=ON && cmake --build build && ctest --test-dir build -L unit`. `make
 * test` may replace ctest. Undefined for a command without CMake's tests.
 */
export function readCtestCommand(text: string, directory = ""): CtestCommand | undefined {
  const commands = parseShell(text);
  if (commands === undefined) return undefined;
  let current = directory;
  let found: CtestCommand | undefined;
  let tests = false;
  for (const command of commands) {
    const words = command.words.map((word) => word.text);
    const [program = "", ...rest] = words;
    if (program === "cd") current = enterFolder(current, rest[0] ?? "");
    else if (isConfiguring(command)) found = readConfiguring(rest, current) ?? found;
    else if (program === "ctest") {
      tests = true;
      found = { ...(found ?? emptyIn(directory)), selecting: readSelecting(rest) };
    } else if (/^(?:make|ninja)$/.test(program) && rest.some((word) => /^(?:test|check)$/.test(word)))
      tests = true;
    else if (
      program === "cmake" &&
      rest.includes("--target") &&
      /^(?:test|check)$/.test(rest[rest.indexOf("--target") + 1] ?? "")
    )
      tests = true;
  }
  return tests && (found !== undefined || commands.some((one) => one.words[0]?.text === "ctest"))
    ? found
    : undefined;
}

function emptyIn(directory: string): CtestCommand {
  return { directory, options: [], selecting: [] };
}

export function isConfiguring(command: ShellCommand): boolean {
  const words = command.words.map((word) => word.text);
  return (
    words[0] === "cmake" && !words.some((word) => /^(?:--build|--install|-E|-P|--version|--help)$/.test(word))
  );
}

/** Parses the arguments of `cmake …`; undefined if they point outside the repository. */
export function readConfiguring(words: readonly string[], directory: string): CtestCommand | undefined {
  const options: string[] = [];
  let source = "";
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const folder = /^-[SH](.+)$/.exec(word)?.[1];
    if (placing.test(word)) {
      const value = words[++at] ?? "";
      if (word !== "-B") source = value;
    } else if (folder !== undefined) source = folder;
    else if (/^-B/.test(word)) continue;
    else if (valued.test(word)) options.push(word, words[++at] ?? "");
    else if (word.startsWith("-")) options.push(word);
    else source = word;
  }
  const entered = enterFolder(directory, source === "" ? "." : source);
  return entered.startsWith("..") || source.startsWith("/")
    ? undefined
    : { directory: entered, options, selecting: [] };
}

function readSelecting(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    if (choosing.test(word)) return [word, words[at + 1] ?? ""];
    return /^(?:--tests-regex|--exclude-regex|--label-regex|--label-exclude)=/.test(word) ? [word] : [];
  });
}

/** Returns the command as a person would type it in its folder. */
export function formatCtestCommand({ options, selecting }: Omit<CtestCommand, "directory">): string {
  const words = (list: readonly string[]): string => list.map((word) => ` ${quoteWord(word)}`).join("");
  return `cmake -S . -B build${words(options)} && cmake --build build && ctest --test-dir build${words(selecting)}`;
}
