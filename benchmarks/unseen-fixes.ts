/**
 * Prints a draw of small fixes: `npm run bench:unseen -- FOLDER…`, clones of public repositories. `--seed N` (18),
 * `--repositories N` (20), `--each N` (6 per repository, of which three that can run are used), `--since YEAR` (2018).
 */
import { parseArgs } from "node:util";
import { drawFixes, drawOptions, readDraw } from "./unseen-draw.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: drawOptions,
});
for (const { repository, language, commit, file, subject } of drawFixes(positionals, readDraw(values)))
  console.log([repository, language, commit.slice(0, 12), file, subject].join("\t"));
