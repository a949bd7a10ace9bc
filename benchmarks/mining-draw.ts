/**
 * Draws repositories for a measurement of mining's yield. `npm run bench:mining-draw -- [--seed 23] [--count 10] [FILE]`.
 * FILE lists the population, one `owner/name` a line; default: `mining-population.txt`. The draw depends only on the
 * names and the seed.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hashText } from "../src/base/hash.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: "23" }, count: { type: "string", default: "10" } },
});
const file = positionals[0] ?? join(import.meta.dirname, "mining-population.txt");
const names = readFileSync(file, "utf8").split("\n").filter(Boolean);
const keyed = names.map((name) => ({ name, key: hashText(`${values.seed} ${name}`) }));
const drawn = keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).slice(0, Number(values.count));
process.stdout.write(drawn.map(({ name }) => `${name}\n`).join(""));
