/**
 * Searches the files beside the changed code for lines of the fix: a fixed version of the project, or its patch. Both
 * the setup and the commit may contain one.
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
/** A file of the commit contains some lines of a fix by chance, such as the code of a sibling. */
const tracked = { leastLines: 3, mostShare: 0.8 };
const patchFile = /\.(?:patch|diff|orig|rej)$/;
const searchMs = 60_000;

/** Prints the number of different lines that each file contains, and its path. Paths with line breaks do not match. */
const search = `grep -rIlFf "$1" --exclude-dir=.git . | head -n 1000 | while IFS= read -r file; do
  printf '%s %s\\n' "$(grep -ohFf "$1" -- "$file" | sort -u | wc -l)" "$file"
done`;

export async function judgeEnvironment(open: OpenTask, split: Split): Promise<Finding> {
  const { trees } = open.workspace;
  const own = new Set([...split.codeFiles, ...split.testFiles]);
  const files = (await trees.list(open.trees.tests)).map(({ path }) => path);
  const lines = await tellingLines(open, split);
  const held = lines.length === 0 ? [] : await searchFor(open, lines);
  return weighHolders(
    held.filter(({ path }) => !own.has(path)),
    lines,
    new Set(files),
  );
}

/** Judges the files that contain lines of the fix. `committed`: the files of the commit. */
export function weighHolders(
  held: readonly Holder[],
  lines: readonly string[],
  committed: ReadonlySet<string>,
): Finding {
  const isTelling = lines.length > 1 || lines.some((line) => line.length >= tellingCharacters);
  const shareOf = (holder: Holder): number => holder.lines / lines.length;
  const tells = (holder: Holder): boolean =>
    committed.has(holder.path) && !patchFile.test(holder.path)
      ? holder.lines >= tracked.leastLines && shareOf(holder) >= tracked.mostShare
      : isTelling && shareOf(holder) >= mostShare;
  const ranked = held.toSorted((a, b) => b.lines - a.lines);
  const worst = ranked.find(tells) ?? ranked.find(({ path }) => !committed.has(path));
  const isBad = worst !== undefined && tells(worst);
  return {
    check: "leaked-environment",
    score: worst !== undefined && isTelling ? 1 - Math.min(1, shareOf(worst)) : 1,
    isBad,
    reason:
      worst === undefined
        ? "no other file contains a line of the fix"
        : `${worst.path} contains ${worst.lines} of ${countOf(lines.length, "line")} of the fix`,
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

export interface Holder {
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
