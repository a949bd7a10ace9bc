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
  const path = findRakefile(project, directory);
  const text = (path === undefined ? undefined : project.read(path))?.replace(/^\s*#.*$/gm, "") ?? "";
  return [...text.matchAll(block)].map(([head, name, , body = ""]) => readTask(head, name, body));
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

/** `"a"`, `'b'`, and the words of `%w[a b]`. */
function quotedIn(line: string): string[] {
  const words = [...line.matchAll(/%w[[({]([^\])}]*)[\])}]/g)].flatMap(([, text = ""]) => text.split(/\s+/));
  const quoted = [...line.matchAll(/"([^"#]*)"|'([^']*)'/g)].map(
    ([, double, single]) => double ?? single ?? "",
  );
  return [...words, ...quoted].filter((word) => word !== "");
}
