/**
 * Prints a draw of small fixes: `npm run bench:unseen -- FOLDER…`, clones of public repositories. `--seed N` (18), `--repositories N`
 * (20), `--each N` (6: three that can be run are taken of them), `--since YEAR` (2018).
 */
import { parseArgs } from "node:util";
import { drawFixes } from "./unseen-draw.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "18" },
    repositories: { type: "string", default: "20" },
    each: { type: "string", default: "6" },
    since: { type: "string", default: "2018" },
  },
});
const draw = {
  seed: Number(values.seed),
  repositories: Number(values.repositories),
  each: Number(values.each),
  since: Number(values.since),
};
for (const { repository, language, commit, file, subject } of drawFixes(positionals, draw))
  console.log([repository, language, commit.slice(0, 12), file, subject].join("\t"));
