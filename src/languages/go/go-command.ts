/** Reads commands that start `go test`, as people and CI files write them, and writes our own. */
import { quoteWord } from "../../base/shell-word.ts";
import type { ProjectView } from "../contract.ts";
import { expandCommand, type WrittenCommand } from "../discovery/written-commands.ts";

/** One call of `go test`. */
export interface GoTestCall {
  /** The folder to run it in, relative to the root. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** Flags that choose what is built and which tests run, one word each. */
  readonly flags: readonly string[];
  readonly packages: readonly string[];
  /** Arguments after the packages, for the test binary. */
  readonly arguments: readonly string[];
}

/** Flags with a value that Millwright keeps. */
const keptValues = /^(?:tags|mod|modfile|ldflags|gcflags|asmflags|overlay|run|skip|vet|p|parallel|pgo)$/;
const keptSwitches = /^(?:short|modcacherw|linkshared)$/;
/** Flags with a value that Millwright drops: output, coverage, profiles, limits, the race detector. */
const droppedValues =
  /^(?:count|timeout|cover(?:profile|mode|pkg)|(?:cpu|mem|block|mutex)profile|(?:mem|block|mutex)profilerate|blockprofilerate|mutexprofilefraction|trace|bench|benchtime|o|outputdir|exec|shuffle|fuzz|fuzztime|fuzzminimizetime|list|cpu|toolexec|pkgdir|installsuffix|compiler|buildmode|debug-[\w-]+|test\.[\w.]+)$/;
const droppedSwitches =
  /^(?:v|race|msan|asan|cover|json|failfast|x|n|a|i|c|work|benchmem|fullpath|trimpath|buildvcs|artifacts|work)$/;
/** Returns the calls of `go test` that a command makes; empty for other commands. */
export function readGoCommand(text: string, project: ProjectView, directory = ""): GoTestCall[] {
  const simple = expandCommand(project, withoutSubstitutions(text));
  return simple.flatMap(
    (command) => readGoTest({ ...command, directory: join(directory, command.directory) }) ?? [],
  );
}

/** Reads `go test …`, or a program that wraps it: gotestsum, richgo, gotest. Undefined for other commands. */
export function readGoTest(
  command: Pick<WrittenCommand, "text" | "directory" | "env">,
): GoTestCall | undefined {
  const words = splitWords(withoutSubstitutions(command.text));
  const started = words && skipProgram(words);
  if (started === undefined) return undefined;
  const { flags, packages, rest, folder } = readArguments(started);
  const env = Object.entries(command.env).filter(([, value]) => !/[$`]/.test(value));
  return {
    directory: join(command.directory, folder),
    env: Object.fromEntries(env),
    flags,
    packages: packages.length === 0 ? ["."] : packages,
    arguments: rest,
  };
}

/** Removes placeholders that a shell or make would fill. A list of packages becomes all packages. */
function withoutSubstitutions(text: string): string {
  return text
    .replace(/\$?\$\([^()]*\bgo list\b[^()]*\)|`[^`]*\bgo list\b[^`]*`/g, "./...")
    .replace(/\$?\$(?:\([\w .-]*\)|\{[\w.-]*\}|[A-Z_][A-Z0-9_]*)/g, "");
}

function splitWords(text: string): string[] | undefined {
  const words = [...text.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ""),
  );
  const end = words.findIndex((word) => /^(?:&&|\|\||[|;&]|\d?>.*)$/.test(word));
  const own = end === -1 ? words : words.slice(0, end);
  return own.length === 0 ? undefined : own;
}

/** The arguments of `go test`, or undefined if the words start something else. */
function skipProgram(words: readonly string[]): readonly string[] | undefined {
  const start = words.findIndex((word) => !/^(?:time|env|sudo|command|exec|[A-Za-z_]\w*=.*)$/.test(word));
  const [program = "", ...rest] = start === -1 ? [] : words.slice(start);
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (name === "go" || name === "richgo" || /^go1[.\d]*$/.test(name)) {
    return rest[0] === "test" ? rest.slice(1) : undefined;
  }
  if (name === "gotest") return rest;
  if (name !== "gotestsum") return undefined;
  const split = rest.indexOf("--");
  if (split !== -1) return rest.slice(split + 1);
  return rest.filter(
    (word, at) => !word.startsWith("-") && !/^--?(?:f|format|jsonfile|junitfile)$/.test(rest[at - 1] ?? ""),
  );
}

interface Arguments {
  readonly flags: string[];
  readonly packages: string[];
  readonly rest: string[];
  readonly folder: string;
}

function readArguments(words: readonly string[]): Arguments {
  const read: { flags: string[]; packages: string[]; rest: string[]; folder: string } = {
    flags: [],
    packages: [],
    rest: [],
    folder: "",
  };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const next = words[at + 1];
    const [, name = "", given] = /^--?([\w.-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (word === "-args" || word === "--args") {
      read.rest.push(...words.slice(at));
      break;
    }
    if (name === "") read.packages.push(word);
    else if (droppedSwitches.test(name)) continue;
    else if (keptSwitches.test(name)) read.flags.push(word);
    else if (name === "C" || keptValues.test(name) || droppedValues.test(name)) {
      if (given === undefined) at += 1;
      const value = given ?? next ?? "";
      if (name === "C") read.folder = value;
      else if (keptValues.test(name) && value !== "") read.flags.push(`-${name}=${value}`);
    } else {
      // A flag of the tests themselves, whose value may be the next word.
      read.rest.push(word);
      if (given === undefined && next !== undefined && !/^[-.]|\/\.\.\.$/.test(next)) {
        read.rest.push(next);
        at += 1;
      }
    }
  }
  return read;
}

/** Returns the calls as a person would type them in `directory`. `-C` changes to other folders. */
export function formatGoCommand(calls: readonly GoTestCall[], directory: string): string {
  return calls
    .map((call) => {
      const folder = call.directory === directory ? [] : ["-C", relativeTo(directory, call.directory)];
      const assignments = Object.entries(call.env).map(([name, value]) => `${name}=${quoteWord(value)}`);
      const words = ["go", "test", ...folder, ...call.flags, ...call.packages, ...call.arguments];
      return [...assignments, ...words.map(quoteWord)].join(" ");
    })
    .join(" && ");
}

function relativeTo(from: string, to: string): string {
  if (from === "") return to;
  return to.startsWith(`${from}/`)
    ? to.slice(from.length + 1)
    : `${"../".repeat(from.split("/").length)}${to}`;
}

/** A folder relative to another, without `.` and `..`. */
function join(directory: string, folder: string): string {
  const parts: string[] = [];
  for (const part of `${directory}/${folder}`.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}
