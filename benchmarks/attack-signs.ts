/**
 * Counts the honest patches to which the review objects because of signs of an attack or careless code. Honest patches
 * are the last commits of the given git folders, and gold patches of tasks. Usage: attack-signs.ts [--commits N]
 * GIT-FOLDER…
 */
import { parseArgs } from "node:util";
import { compareTexts } from "../src/agent/code/change.ts";
import { judgeAttack } from "../src/agent/review/attacks/attack-findings.ts";
import { judgeCareless } from "../src/agent/review/careless/careless.ts";
import { judgeTestData } from "../src/agent/review/own-tests/test-data.ts";
import { isSourceFile, isTestFile, languageOf } from "../src/languages/source-files.ts";
import { git, textAt } from "./git-folder.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { commits: { type: "string", default: "300" }, verbose: { type: "boolean", default: false } },
});

interface Row {
  readonly name: string;
  commits: number;
  flagged: number;
}

const rows: Row[] = [];
for (const folder of positionals) {
  const row: Row = { name: folder.split("/").at(-2) ?? folder, commits: 0, flagged: 0 };
  rows.push(row);
  const listed = await git(folder, "log", "--no-merges", `-n${values.commits}`, "--format=%H");
  for (const commit of listed.trim().split("\n")) {
    const changed = await git(
      folder,
      "diff-tree",
      "-r",
      "--root",
      "--no-commit-id",
      "--name-only",
      "-z",
      commit,
    );
    const all = changed.split("\0").filter((path) => path !== "");
    // Files of other endings are read as code too.
    const paths = all.filter((path) => isSourceFile(path) || languageOf(path) === undefined);
    if (!paths.some(isSourceFile) || paths.length > 100) continue;
    row.commits += 1;
    const parent = `${commit}~1`;
    const files = await Promise.all(
      paths.map(async (path) =>
        compareTexts(path, await textAt(folder, parent, path), await textAt(folder, commit, path)),
      ),
    );
    const base = {
      list: async () => (await git(folder, "ls-tree", "-r", "--name-only", "-z", parent)).split("\0"),
      read: (path: string) => textAt(folder, parent, path),
    };
    const message = await git(folder, "log", "-n1", "--format=%B", commit);
    const findings = [
      ...(await judgeAttack(files, base, message)),
      ...(await judgeCareless(files, base, message)),
      ...(await judgeTestData({ files, base, isTest: isTestFile, statement: message })),
    ];
    const found = findings.filter(({ weight }) => weight === "objection");
    if (found.length === 0) continue;
    row.flagged += 1;
    for (const { text } of found) console.log(`  ${row.name} ${commit.slice(0, 10)} ${text}`);
  }
  console.log(`${row.name}: ${row.flagged} of ${row.commits} flagged`);
}
const total = rows.reduce((sum, { commits }) => sum + commits, 0);
const flagged = rows.reduce((sum, row) => sum + row.flagged, 0);
console.log(
  `${flagged} of ${total} commits that change source files (${((100 * flagged) / total).toFixed(2)} %)`,
);
