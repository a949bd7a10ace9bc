/** Commands of Java's build tools, as people and CI files write them. */
import { quoteWord } from "../../base/shell-word.ts";
import type { ProjectView } from "../contract.ts";
import { parseShell } from "../javascript/javascript-shell.ts";

export interface BuildCommand {
  /** The folder in which the program runs, relative to the root. */
  readonly directory: string;
  /** Assignments before the program: `NAME=value`. */
  readonly assignments: readonly string[];
  /** The program: `mvn`, `./mvnw`, `gradle`, `./gradlew`. */
  readonly program: string;
  readonly words: readonly string[];
}

/**
 * Reads one command whose program has one of the names. `cd FOLDER &&` may precede the command; a path or a shell may
 * precede the name. Undefined for other commands.
 */
export function readBuildCommand(text: string, programs: RegExp): BuildCommand | undefined {
  const commands = parseShell(text);
  const [first] = commands ?? [];
  if (commands === undefined || first === undefined) return undefined;
  const moved = first.words[0]?.text === "cd" && first.next === "&&" && commands.length === 2;
  const command = moved ? commands[1] : first;
  if (command === undefined || (!moved && commands.length !== 1)) return undefined;
  const directory = moved ? cleanFolder(first.words[1]?.text ?? "") : "";
  if (directory === undefined) return undefined;
  const words = command.words.map((word) => word.text);
  if (/^(env|exec|time|sh|bash)$/.test(words[0] ?? "")) words.shift();
  const program = words.shift() ?? "";
  if (!programs.test(program.slice(program.lastIndexOf("/") + 1))) return undefined;
  return { directory, assignments: command.assignments.map((word) => word.raw), program, words };
}

/** The folder without `./` and a slash at its end; undefined if it leads out of the repository. */
function cleanFolder(path: string): string | undefined {
  const clean = path.replace(/^(\.\/)+/, "").replace(/\/+$/, "");
  return path.startsWith("/") || clean.split("/").includes("..") ? undefined : clean === "." ? "" : clean;
}

export function formatBuildCommand(command: Omit<BuildCommand, "directory">): string {
  return [...command.assignments, ...[command.program, ...command.words].map(quoteWord)].join(" ");
}

/**
 * Finds up to six commands that start one of the programs, in CI files, the Makefile and guides. `foundBy`: the last
 * file that contains the command.
 */
export function findWrittenBuilds(
  project: ProjectView,
  programs: RegExp,
): readonly { command: BuildCommand; foundBy: string }[] {
  const places = project.files.filter(
    (file) =>
      /^\.github\/workflows\/[^/]+\.ya?ml$/.test(file) ||
      /^(\.gitlab-ci\.yml|\.travis\.yml|Makefile|CONTRIBUTING(\.md)?|README(\.md)?)$/.test(file),
  );
  const found = new Map<string, { command: BuildCommand; foundBy: string }>();
  for (const foundBy of places) {
    for (const line of (project.read(foundBy) ?? "").split("\n")) {
      const text = line
        .replace(/^\s*(-\s+)?(run:|script:)?\s*[>|]?\s*["'`]?(\$ )?/, "")
        .replace(/["'`]?\s*$/, "");
      const command = /[{}$]/.test(text) ? undefined : readBuildCommand(text, programs);
      if (command !== undefined) found.set(JSON.stringify(command), { command, foundBy });
    }
  }
  return [...found.values()].slice(0, 6);
}
