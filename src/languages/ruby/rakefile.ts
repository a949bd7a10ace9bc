/**
 * Reads the test tasks in a Rakefile's text: `Rake::TestTask`, `Rails::TestTask`, `Minitest::TestTask` and
 * `RSpec::Core::RakeTask`.
 */
import { posix } from "node:path";
import type { ProjectView } from "../contract.ts";

export interface RakeTask {
  readonly runner: "test" | "rspec";
  readonly name: string;
  /** Globs from the Rakefile's folder; empty if it uses the runner's defaults. */
  readonly patterns: readonly string[];
  readonly excluded: readonly string[];
  readonly libs: readonly string[];
}

const block =
  /(?:Rake::TestTask|Rails::TestTask|RSpec::Core::RakeTask|Minitest::TestTask)\.(?:new|create)\b[ \t]*(?:\(?[ \t]*(?::?["']?([\w-]+(?::[\w-]+)*)["']?:?(?!\w)(?<!\bdo))[^\n|{]*?\)?)?[ \t]*(?:(?:do|\{)[ \t]*\|(\w+)\|([\s\S]*?)^[ \t]*(?:end|\})[ \t]*$)?/gm;

export function findRakefile(project: ProjectView, directory: string): string | undefined {
  const names = ["Rakefile", "rakefile", "Rakefile.rb", "rakefile.rb"];
  return names.map((name) => posix.join(directory, name)).find((path) => project.files.includes(path));
}

export function readRakeTasks(project: ProjectView, directory: string): RakeTask[] {
  return [...readRakefile(project, directory).matchAll(block)].map(([head, name, , body = ""]) =>
    readTask(head, name, body),
  );
}

function readRakefile(project: ProjectView, directory: string): string {
  const path = findRakefile(project, directory);
  return (path === undefined ? undefined : project.read(path))?.replace(/^[ \t]*#.*$/gm, "") ?? "";
}

/** `ruby "test/run.rb"` and `ruby("-Ilib", "test/run.rb")`: a task that starts a script. */
const started = /\bruby\b[ \t]*\(?((?:[ \t]*,?[ \t]*(?:"[^"\n]*"|'[^'\n]*'))+)/g;
const required = /^[ \t]*require_relative[ \t]*\(?[ \t]*["']([^"'\n#]+)["']/gm;

/** Lists files that the Rakefile's scripts load before the tests, such as `test/helper.rb`. Tests may rely on them. */
export function listHelpersOfScripts(project: ProjectView, directory: string): string[] {
  const scripts = [...readRakefile(project, directory).matchAll(started)]
    .flatMap(([, words = ""]) => quotedIn(words))
    .filter((word) => word.endsWith(".rb"))
    .map((word) => posix.join(directory, word));
  const helpers = scripts.flatMap((script) =>
    [...(project.read(script) ?? "").matchAll(required)].map(([, name = ""]) =>
      posix.join(posix.dirname(script), name.replace(/(?:\.rb)?$/, ".rb")),
    ),
  );
  return [...new Set(helpers)].filter((path) => project.files.includes(path));
}

function readTask(head: string, name: string | undefined, body: string): RakeTask {
  const runner = head.startsWith("RSpec") ? "rspec" : "test";
  const lines = body.split("\n");
  const libs = lines.filter((line) => /\.libs\b/.test(line)).flatMap(quotedIn);
  const files = lines.filter((line) => /pattern|test_files|test_globs|FileList|Dir\[|\.rb['"]/.test(line));
  const [taken, left] = [/^.*?(?=\b(?:exclude|reject)\b|$)/, /\b(?:exclude|reject)\b.*$/];
  const quotedBy = (part: RegExp): string[] => files.flatMap((line) => quotedIn(part.exec(line)?.[0] ?? ""));
  return {
    runner,
    name: name ?? (runner === "rspec" ? "spec" : "test"),
    patterns: quotedBy(taken),
    excluded: quotedBy(left),
    libs,
  };
}

/** The quoted texts of a line: `"a"`, `'b'`, and the words of `%w[a b]`. */
function quotedIn(line: string): string[] {
  const words = [...line.matchAll(/%w[[({]([^\])}]*)[\])}]/g)].flatMap(([, text = ""]) => text.split(/\s+/));
  const quoted = [...line.matchAll(/"([^"#]*)"|'([^']*)'/g)].map(
    ([, double, single]) => double ?? single ?? "",
  );
  return [...words, ...quoted].filter((word) => word !== "");
}
