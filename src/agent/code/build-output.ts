/**
 * Shortens the output of a build before a program's own output. The build's warnings are about code that nobody
 * changed. Pure.
 */
import { posix } from "node:path";
import { countOf } from "../../base/count.ts";

/** Limits for warnings about the program itself: their number, and the lines of each. */
const most = { warnings: 3, lines: 2 };

/** The forms of compilers' warnings, by the extension of the program's source. */
const compilers: Readonly<Record<string, Compiler>> = {
  ".rs": {
    path: (first, second) =>
      /^warning(?:\[[\w:-]+\])?: /.test(first)
        ? /^\s*--> (?<path>\S+?):\d+:\d+$/.exec(second)?.groups?.["path"]
        : undefined,
    last: /^$/,
    longest: 1_000,
  },
  ".java": {
    path: (first) => /^(?<path>\S+\.java):\d+: warning: /.exec(first)?.groups?.["path"],
    last: /^\s*\^\s*$/,
    longest: 4,
    total: /^\d+ warnings?$/,
  },
};

interface Compiler {
  /** Returns the source path of the warning that begins with these two lines. */
  readonly path: (first: string, second: string) => string | undefined;
  readonly last: RegExp;
  /** The most lines of a warning. */
  readonly longest: number;
  /** The line that ends the warnings. */
  readonly total?: RegExp;
}

interface Sources {
  /** The program's own source. */
  readonly own: string;
  /** All files that the build can read. */
  readonly files: ReadonlySet<string>;
}

/**
 * Removes the compiler's warnings at the beginning of a text. Keeps the first lines of the first warnings about the
 * program's own source. Keeps all text after the warnings, because the program wrote it.
 */
export function withoutBuildWarnings(text: string, { own, files }: Sources): string {
  const compiler = compilers[posix.extname(own)];
  if (compiler === undefined) return text.trimEnd();
  const lines = text.split("\n");
  const kept: string[] = [];
  let [at, shown, left] = [0, 0, 0];
  for (;;) {
    const path = compiler.path(lines[at] ?? "", lines[at + 1] ?? "");
    const isOwn = path !== undefined && isSame(path, own);
    if (path === undefined || !(isOwn || isIn(path, files))) break;
    const rest = lines.slice(at, at + compiler.longest);
    const end = rest.findIndex((line) => compiler.last.test(line));
    if (end < 0) break;
    if (isOwn && shown < most.warnings) {
      kept.push(...rest.slice(0, Math.min(end, most.lines)));
      shown += 1;
    } else left += 1;
    at += end + 1;
  }
  if (at > 0 && compiler.total?.test(lines[at] ?? "")) at += 1;
  const said = left === 0 ? [] : [`(${countOf(left, "build warning")} omitted)`];
  return [...kept, lines.slice(at).join("\n").trimEnd(), ...said].filter((part) => part !== "").join("\n");
}

/** True if both are the same path. A compiler may print more or fewer of its folders. */
function isSame(path: string, own: string): boolean {
  return path === own || path.endsWith(`/${own}`) || own.endsWith(`/${path}`);
}

function isIn(path: string, files: ReadonlySet<string>): boolean {
  const parts = path.split("/");
  return parts.some((_, from) => files.has(parts.slice(from).join("/")));
}
