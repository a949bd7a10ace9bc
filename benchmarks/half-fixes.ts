/**
 * Counts honest commits that the review flags because they leave places unchanged that equal the replaced code. Also
 * counts the half fixes that the review finds: the benchmark removes one of two equal changes from a commit. Also
 * counts messages with several cases of which the commit's tests omit one. Usage: half-fixes.ts [--commits N] [--skip
 * N] [--least WORTH] [--show] GIT-FOLDER…
 */
import { parseArgs } from "node:util";
import { addedLines, type ChangedFile, compareTexts, type Hunk, linesOf } from "../src/agent/code/change.ts";
import { listTestBodies } from "../src/agent/code/test-bodies.ts";
import { listLeftOut } from "../src/agent/review/statement/stated-pairs.ts";
import { findUnshownParts } from "../src/agent/review/statement/stated-parts.ts";
import type { OwnTest } from "../src/agent/review/texts/own-tests.ts";
import { findTwins } from "../src/agent/review/twins/unchanged-twins.ts";
import { isSourceFile, isTestFile } from "../src/languages/source-files.ts";
import { git, regionsByName, textAt } from "./git-folder.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: "string", default: "100" },
    skip: { type: "string", default: "0" },
    least: { type: "string" },
    show: { type: "boolean", default: false },
  },
});

/** Commits share most of their files. */
const texts = new Map<string, Promise<string>>();
function readBlob(folder: string, id: string | undefined): Promise<string | undefined> {
  if (id === undefined) return Promise.resolve(undefined);
  const known = texts.get(id) ?? git(folder, "cat-file", "blob", id);
  texts.set(id, known);
  return known;
}

const least = values.least === undefined ? {} : { least: Number(values.least) };
const total = { commits: 0, flagged: 0, halves: 0, found: 0, tested: 0, stated: 0, listed: 0 };
for (const folder of positionals) {
  texts.clear();
  const row = { commits: 0, flagged: 0, halves: 0, found: 0, tested: 0, stated: 0, listed: 0 };
  const name = folder.split("/").findLast((part) => part.includes("+")) ?? folder;
  const listed = await git(
    folder,
    "log",
    "--no-merges",
    `-n${values.commits}`,
    `--skip=${values.skip}`,
    "--format=%H",
  );
  for (const commit of listed.trim().split("\n")) {
    const names = await git(folder, "diff-tree", "-r", "--no-commit-id", "--name-only", "-z", commit);
    const changed = names.split("\0").filter((path) => path !== "");
    if (changed.length > 30 || !changed.some(isSourceFile)) continue;
    row.commits += 1;
    const parent = `${commit}~1`;
    const blobs = new Map(
      (await git(folder, "ls-tree", "-r", "-z", parent)).split("\0").flatMap((entry) => {
        const [, id, path] = /^\d+ blob (\w+)\t(.+)$/s.exec(entry) ?? [];
        return id === undefined || path === undefined ? [] : [[path, id] as const];
      }),
    );
    const paths = [...blobs.keys()];
    const read = (path: string): Promise<string | undefined> => readBlob(folder, blobs.get(path));
    const regions = await regionsByName(paths);
    const files = await Promise.all(
      changed.map(async (path) =>
        compareTexts(path, await read(path), await textAt(folder, commit, path), isTestFile(path)),
      ),
    );
    const tests = await changedTests(files);
    if (tests.length > 0) {
      const message = await git(folder, "log", "-n1", "--format=%B", commit);
      const named = await listLeftOut(message, tests, { list: async () => paths, read });
      const parts = findUnshownParts(message, tests);
      const certain = [...named, ...parts.flatMap(({ text, isCertain }) => (isCertain ? [text] : []))];
      row.tested += 1;
      row.stated += certain.length > 0 ? 1 : 0;
      row.listed += certain.length === 0 && parts.length > 0 ? 1 : 0;
      if (certain.length > 0)
        console.log(`  ${name} ${commit.slice(0, 10)} no test shows ${certain.join(" | ")}`);
    }
    const half = halve(files);
    if (half !== undefined) {
      row.halves += 1;
      const left = await findTwins({
        files: half,
        base: { list: async () => paths, read },
        regions,
        ...least,
      });
      if (left.length > 0) row.found += 1;
      else console.log(`  not found: half of ${name} ${commit.slice(0, 10)} ${tellHalf(files, half)}`);
    }
    const twins = await findTwins({ files, base: { list: async () => paths, read }, regions, ...least });
    if (twins.length === 0) continue;
    row.flagged += 1;
    const subject = (await git(folder, "log", "-n1", "--format=%s", commit)).trim();
    console.log(`  ${name} ${commit.slice(0, 10)} ${subject}`);
    for (const { path, startLine, endLine, of, worth } of twins) {
      console.log(`    ${of} equals ${path}:${startLine}-${endLine} (${worth.toFixed(1)})`);
      if (values.show)
        for (const line of linesOf(await textAt(folder, commit, path)).slice(startLine - 3, endLine + 2))
          console.log(`      | ${line}`);
    }
  }
  total.commits += row.commits;
  total.flagged += row.flagged;
  total.halves += row.halves;
  total.found += row.found;
  total.tested += row.tested;
  total.stated += row.stated;
  total.listed += row.listed;
  console.log(
    `${name}: ${row.flagged} of ${row.commits} flagged, ${row.found} of ${row.halves} half fixes found`,
  );
}
const { commits, flagged, halves, found, tested, stated, listed } = total;
console.log(
  `${flagged} of ${commits} commits flagged (${((100 * flagged) / Math.max(1, commits)).toFixed(1)} %)`,
);
console.log(`${found} of ${halves} half fixes found`);
console.log(
  `of ${tested} commits with tests, ${stated} have a message with a case that no test shows, and ${listed} with a list item that no test shows`,
);

/** Tests with an added line. */
async function changedTests(files: readonly ChangedFile[]): Promise<OwnTest[]> {
  const tests: OwnTest[] = [];
  for (const file of files) {
    const added = new Set(addedLines(file));
    for (const { name, startLine, endLine } of await listTestBodies(file.path, file.after)) {
      const lines = linesOf(file.after).slice(startLine - 1, endLine);
      if (lines.some((_, at) => added.has(startLine + at)))
        tests.push({ name, file: file.path, isOfBase: false, body: lines.join("\n"), around: "" });
    }
  }
  return tests;
}

/** Without the hunks that make the same change as one before them; undefined if there are none. */
function halve(files: readonly ChangedFile[]): ChangedFile[] | undefined {
  const seen = new Set<string>();
  const half = files.map((file) => {
    if (file.isTest || file.before === undefined || !isSourceFile(file.path)) return file;
    const repeated = file.hunks.filter((hunk) => {
      const key = JSON.stringify(textsOf(file, hunk));
      const isKnown = seen.has(key);
      seen.add(key);
      return isKnown && /\w{3}/.test(key);
    });
    return repeated.toReversed().reduce(without, file);
  });
  return half.some((file, index) => file !== files[index]) ? half : undefined;
}

function textsOf({ before, after }: ChangedFile, hunk: Hunk): string[][] {
  const trim = (lines: readonly string[]): string[] => lines.map((line) => line.trim());
  return [
    trim(linesOf(before).slice(hunk.beforeStart - 1, hunk.beforeEnd - 1)),
    trim(linesOf(after).slice(hunk.afterStart - 1, hunk.afterEnd - 1)),
  ];
}

function without({ path, before, after, isTest }: ChangedFile, hunk: Hunk): ChangedFile {
  const old = linesOf(before).slice(hunk.beforeStart - 1, hunk.beforeEnd - 1);
  const lines = linesOf(after).toSpliced(hunk.afterStart - 1, hunk.afterEnd - hunk.afterStart, ...old);
  return compareTexts(path, before, `${lines.join("\n")}\n`, isTest);
}

function tellHalf(files: readonly ChangedFile[], half: readonly ChangedFile[]): string {
  const index = half.findIndex((file, at) => file !== files[at]);
  const { path = "", hunks = [] } = files[index] ?? {};
  const left = half[index]?.hunks ?? [];
  const lost = hunks.find(({ beforeStart }) => !left.some((each) => each.beforeStart === beforeStart));
  return `${path}:${lost?.beforeStart ?? ""}`;
}
