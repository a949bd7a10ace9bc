/**
 * Searches the files that a task's setup created for lines of the fix: a fixed version of the project, or its patch.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { countOf } from "../../base/count.ts";
import { type OpenTask, withCheckout } from "../../bench/open-task.ts";
import type { Finding, Split } from "../contract.ts";
import { changedLines } from "./patch-lines.ts";

/** Many files contain shorter lines. */
const leastCharacters = 16;
/** Share of the fix's lines in one file; half of a fix tells the rest. */
const mostShare = 0.5;
/** A single line this long is telling, too. */
const tellingCharacters = 32;
const searchMs = 60_000;

/** Prints the number of different lines that each file contains, and its path. Paths with line breaks do not match. */
const search = `grep -rIlFf "$1" --exclude-dir=.git . | head -n 1000 | while IFS= read -r file; do
  printf '%s %s\\n' "$(grep -ohFf "$1" -- "$file" | sort -u | wc -l)" "$file"
done`;

export async function judgeEnvironment(open: OpenTask, split: Split): Promise<Finding> {
  const { trees } = open.workspace;
  const tracked = new Set((await trees.list(open.trees.tests)).map(({ path }) => path));
  const lines = await tellingLines(open, split);
  const held = lines.length === 0 ? [] : await searchFor(open, lines);
  const copies = held.filter(({ path }) => !tracked.has(path));
  const [worst] = copies.toSorted((a, b) => b.lines - a.lines);
  const share = worst === undefined ? 0 : worst.lines / lines.length;
  const isTelling = lines.length > 1 || lines.some((line) => line.length >= tellingCharacters);
  return {
    check: "leaked-environment",
    score: isTelling ? 1 - Math.min(1, share) : 1,
    isBad: isTelling && share >= mostShare,
    reason:
      worst === undefined
        ? "no file of the environment contains a line of the fix"
        : `${worst.path} of the environment contains ${worst.lines} of ${countOf(lines.length, "line")} of the fix`,
  };
}

/** Added lines that the files did not have before. */
async function tellingLines(
  { workspace, trees }: OpenTask,
  { goldPatch, codeFiles }: Split,
): Promise<string[]> {
  const before = await Promise.all(codeFiles.map((path) => workspace.trees.read(trees.base, path)));
  const known = before.map((content) => content?.toString("utf8") ?? "").join("\n");
  const added = changedLines(goldPatch, codeFiles).added;
  return [...new Set(added)].filter((line) => line.length >= leastCharacters && !known.includes(line));
}

interface Holder {
  /** Relative to the root. */
  readonly path: string;
  readonly lines: number;
}

/** Searches in the sandbox, because links of the environment may lead out of it. */
function searchFor(open: OpenTask, lines: readonly string[]): Promise<Holder[]> {
  return withCheckout(open, async (checkout) => {
    await checkout.lay(open.trees.tests);
    const { host, inside } = checkout.scratch;
    await writeFile(join(host, "fix-lines"), `${lines.join("\n")}\n`);
    const { stdout } = await checkout.execute({
      run: ["/bin/sh", "-c", search, "sh", join(inside, "fix-lines")],
      timeoutMs: searchMs,
      signal: open.options.signal,
    });
    return readHolders(`${stdout.head}${stdout.tail}`);
  });
}

function readHolders(output: string): Holder[] {
  return output.split("\n").flatMap((line): Holder[] => {
    const [, count, path] = /^\s*(\d+) \.\/(.+)$/.exec(line) ?? [];
    return path === undefined ? [] : [{ path, lines: Number(count) }];
  });
}
