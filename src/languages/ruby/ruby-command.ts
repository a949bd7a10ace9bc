/**
 * Commands that run Ruby's tests: `rake test`, `rspec`, `ruby -Itest test/a_test.rb`, `rails test`. Each may follow
 * `bundle exec`.
 */
import { posix } from "node:path";
import { quoteWord } from "../../base/shell-word.ts";
import { assignedBy, parseShell } from "../javascript/javascript-shell.ts";
import { enterFolder } from "../javascript/package-script-calls.ts";

export interface RubyCommand {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly bundled: boolean;
  readonly tool: "rake" | "rspec" | "ruby" | "rails";
  /** Rake's task; `default` if the command names no task. */
  readonly task: string;
  /** Folders that `-I` adds. */
  readonly libs: readonly string[];
  /** Files that `-r` requires. */
  readonly requires: readonly string[];
  /** Options of RSpec. */
  readonly options: readonly string[];
  /** Test files, folders and globs. */
  readonly files: readonly string[];
  /** The script of `ruby -e`. Millwright assumes that the script loads each file named in its text. */
  readonly script?: string;
}

/** RSpec's options with a value in the next word. */
const valued =
  /^(?:-[rItePO]|--(?:require|tag|example|pattern|exclude-pattern|default-path|options|example-matches|failure-exit-code|error-exit-code|only-failures))$/;
/**
 * Options that Millwright sets itself, or that only change the display. `droppedValue` matches those with a value in
 * the next word.
 */
const dropped =
  /^(?:-[fo]|--(?:format|out|order|seed|profile|deprecation-out)|-[pcbw]|--(?:no-)?(?:color|colour|profile|backtrace|warnings|fail-fast|force-colou?r|dry-run|bisect)|--fail-fast=.*)$/;
const droppedValue = /^(?:-[fo]|--(?:format|out|order|seed|deprecation-out))$/;

/** Finds the first command in a text that starts tests; undefined if no command does. */
export function readRubyCommand(
  text: string,
  directory = "",
  given: Readonly<Record<string, string>> = {},
): RubyCommand | undefined {
  const commands = parseShell(text);
  if (commands === undefined) return undefined;
  let current = directory;
  for (const command of commands) {
    const words = command.words.map((word) => word.text);
    if (words[0] === "cd") {
      current = enterFolder(current, words[1] ?? "");
      continue;
    }
    const read = readWords(words);
    if (read !== undefined) return { directory: current, env: { ...given, ...assignedBy(command) }, ...read };
  }
  return undefined;
}

type Words = Omit<RubyCommand, "directory" | "env">;

function readWords(words: readonly string[]): Words | undefined {
  const isBundled = words[0] === "bundle" && words[1] === "exec";
  const rest = isBundled ? words.slice(2) : words;
  const start = posix.basename(rest[0] ?? "").replace(/\d+(?:\.\d+)*$/, "");
  const bundled = isBundled || /^\.?\/?bin\//.test(rest[0] ?? "");
  const none = { bundled, task: "", libs: [], requires: [], options: [], files: [] };
  if (start === "rspec") return { ...none, tool: "rspec", ...readRspec(rest.slice(1)) };
  if (start === "rake") return { ...none, tool: "rake", ...readRake(rest.slice(1)) };
  if (start === "rails" && rest[1] === "test")
    return { ...none, tool: "rails", files: rest.slice(2).filter((word) => !word.startsWith("-")) };
  return start === "ruby" ? readRuby(rest.slice(1), none) : undefined;
}

function readRake(words: readonly string[]): Pick<Words, "task"> {
  return { task: words.find((word) => !word.startsWith("-") && !word.includes("=")) ?? "default" };
}

function readRspec(words: readonly string[]): Pick<Words, "options" | "files"> {
  const options: string[] = [];
  const files: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (droppedValue.test(word)) at += 1;
    else if (dropped.test(word.split("=")[0] ?? "") || dropped.test(word)) continue;
    else if (valued.test(word)) options.push(word, words[++at] ?? "");
    else if (word.startsWith("-")) options.push(word);
    else files.push(word);
  }
  return { options, files };
}

function readRuby(words: readonly string[], none: Omit<Words, "tool">): Words | undefined {
  const libs: string[] = [];
  const requires: string[] = [];
  let script: string | undefined;
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!word.startsWith("-") || word === "-") break;
    const value = (): string => (word.length > 2 ? word.slice(2) : (words[++at] ?? ""));
    if (word.startsWith("-I")) libs.push(...value().split(":"));
    else if (word.startsWith("-r")) requires.push(value());
    else if (word.startsWith("-e")) script = value();
    else if (word.startsWith("-S")) {
      const called = readWords([value(), ...words.slice(at + 1)]);
      return called && { ...called, bundled: none.bundled || called.bundled, libs };
    }
  }
  const files = words.slice(at).filter((word) => !word.startsWith("-"));
  if (script === undefined && !files.every((file) => file.endsWith(".rb"))) return undefined;
  if (script === undefined && files.length === 0) return undefined;
  const named = script === undefined ? files : [...files, ...globsOf(script)];
  return { ...none, tool: "ruby", libs, requires, files: named, ...(script !== undefined && { script }) };
}

/** The files that a one-line script names, such as `Dir["test/*.rb"].each { |file| require file }`. */
function globsOf(script: string): string[] {
  return [...script.matchAll(/["']([^"']*\.rb)["']/g)].map(([, glob = ""]) => glob.replace(/^\.\//, ""));
}

export function formatRubyCommand(read: RubyCommand): string {
  const pairs = Object.entries(read.env).map(([name, value]) => `${name}=${quoteWord(value)}`);
  return [...pairs, ...wordsOf(read).map((word) => quoteWord(word))].join(" ");
}

function wordsOf(read: RubyCommand): string[] {
  const start = read.bundled ? ["bundle", "exec"] : [];
  if (read.tool === "rspec") return [...start, "rspec", ...read.options, ...read.files];
  if (read.tool === "rake") return [...start, "rake", ...(read.task === "default" ? [] : [read.task])];
  if (read.tool === "rails") return [...start, "rails", "test", ...read.files];
  const flags = [...read.libs.map((lib) => `-I${lib}`), ...read.requires.map((name) => `-r${name}`)];
  const script = read.script === undefined ? [] : ["-e", read.script];
  const files =
    read.script === undefined ? read.files : read.files.filter((file) => !read.script?.includes(file));
  return [...start, "ruby", ...flags, ...script, ...files];
}
