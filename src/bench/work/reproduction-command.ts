/**
 * Finds the commands of an agent's shell that run a reproduction. Excludes commands that only write, show or move its
 * files.
 */
import { posix } from "node:path";
import { literally } from "../../base/literal-pattern.ts";
import { isTestFile } from "../../languages/source-files.ts";

/** True if a part of the command runs one of the files. Also true if it runs tests, and one of the files is a test. */
export function runsOneOf(command: string, files: readonly string[]): boolean {
  const named = files.map(namePattern);
  const hasTests = files.some((path) => isTestFile(path));
  return splitCommand(command)
    .filter((part) => !idle.test(part))
    .some((part) => (hasTests && testRunner.test(part)) || named.some((pattern) => pattern.test(part)));
}

/**
 * Makes the pattern of a file's whole name. Also matches the name without extension if it means a program or module.
 */
function namePattern(path: string): RegExp {
  const { base, name } = posix.parse(path);
  const asProgram = `(?:\\./|(?:^|[\\s"';])(?:-m|--bin|--example|--test|java|import|from)[\\s=](?:\\S+\\s)*?(?:\\w+[./])*)${literally(name)}`;
  return new RegExp(`(?:(?<![\\w-])${literally(base)}|${asProgram})(?![\\w-])`);
}

/** Returns the files into which a part of the command writes its output, as in `cat > show.py <<END`. */
export function writtenFiles(command: string): string[] {
  return splitCommand(command).flatMap((part) => {
    const [line = ""] = part.split("\n");
    const path = /(?<![\d&<>])>>?\s*(["']?)([\w@./+-]+)\1/.exec(line)?.[2];
    return path === undefined || path.startsWith("/dev/") ? [] : [path];
  });
}

/**
 * True if a part of the command shows files or their properties, unless it redirects them into a file. The output then
 * contains more than the program's own output.
 */
export function showsFiles(command: string): boolean {
  return splitCommand(command).some((part) => showing.test(part) && !intoFile.test(part));
}

/**
 * Makes a pattern for the start of a command. Allows variables, and words of loops and conditions, before the program.
 */
function startOf(...programs: readonly string[]): RegExp {
  return new RegExp(
    [
      String.raw`^\s*(?:(?:\w+=\S*|if|then|else|do|while|!|\{|sudo|time|command)\s+)*(?:\S*/)?(?:`,
      programs.join("|"),
      String.raw`)(?=\s|$)`,
    ].join(""),
  );
}

const shows =
  "cat|head|tail|sed|awk|nl|less|more|grep|egrep|fgrep|rg|ag|ls|tree|find|wc|stat|file|diff|cmp|git";
const showing = startOf(shows);
/** A redirection into a file, in the command's first line. */
const intoFile = /^[^\n]*?(?<![\d&<>])>>?\s*[^\s&>]/;

/** Programs that run no code of the project. */
const idle = startOf(
  ...[shows, "rm|mv|cp|ln|touch|mkdir|chmod"],
  "echo|printf|tee|cd|pwd|export|test|\\[|which|type|pip3?|apt|apt-get|for",
  "python3? -m pip|(?:npm|pnpm|yarn|poetry|uv|cargo|go|gem|composer) (?:install|i|add|get|ci|require)",
);

const testRunner =
  /\b(?:pytest|unittest|tox|nox|jest|mocha|vitest|rspec|phpunit|ctest|(?:cargo|go|npm|pnpm|yarn|node|mvn|gradlew?|make|rake)\s+(?:--?)?test)\b/;

/**
 * Splits a shell's text at the ends of commands, including commands in parentheses and substitutions. A heredoc's text
 * belongs to the part that reads it.
 */
export function splitCommand(command: string): string[] {
  const parts = [""];
  const add = (text: string): void => {
    parts[parts.length - 1] += text;
  };
  let waiting: { readonly word: string; readonly part: number }[] = [];
  /** The quotes around each open substitution. */
  const around: string[] = [];
  let quote = "";
  for (let at = 0; at < command.length; ) {
    const rest = command.slice(at, at + heredocLength);
    const char = rest[0] ?? "";
    const heredoc = quote === "" ? /^<<-?\s*\\?(["']?)([\w.-]+)\1/.exec(rest) : null;
    let length = 1;
    if (char === "\\" && quote !== "'") {
      length = 2;
      add(rest.slice(0, 2));
    } else if (quote !== "'" && rest.startsWith("$(")) {
      length = 2;
      around.push(quote);
      quote = "";
      parts.push("");
    } else if (quote !== "") {
      if (char === quote) quote = "";
      add(char);
    } else if (char === "'" || char === '"') {
      quote = char;
      add(char);
    } else if (heredoc !== null) {
      length = heredoc[0].length;
      add(heredoc[0]);
      waiting.push({ word: heredoc[2] ?? "", part: parts.length - 1 });
    } else if (/^[0-9]?[<>]&|^&>/.test(rest)) {
      length = rest.startsWith("&>") ? 2 : rest.indexOf("&") + 1;
      add(rest.slice(0, length));
    } else if (/[;&|()\n`]/.test(char)) {
      if (char === ")") quote = around.pop() ?? "";
      if (char === "\n") {
        for (const { word, part } of waiting) {
          const end = endOfHeredoc(command, at + length, word);
          parts[part] += command.slice(at, end);
          length = end - at;
        }
        waiting = [];
      }
      parts.push("");
    } else add(char);
    at += length;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** Maximum number of characters in the start of a heredoc. */
const heredocLength = 64;

/** Returns the place after the line with the heredoc's word; the command's end if there is none. */
function endOfHeredoc(command: string, from: number, word: string): number {
  const end = new RegExp(`^\\t*${literally(word)}$`, "m").exec(command.slice(from));
  return end === null ? command.length : from + end.index + end[0].length;
}
