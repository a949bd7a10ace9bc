/**
 * Measures fault localisation: the rank of the true statement and function, by formula and language, with and without
 * stack traces and texts. A statement is true if the fix removes or changes one of its lines. If the fix only inserts
 * lines, the neighbouring statements are true. Equal scores get their average rank. Run with `npm run bench:localize`.
 *
 * "+ program" adds evidence from the program's text: the code that a statement guards, its kind, its operators.
 *
 * --cases FILE   JSON lines {id, dir, fix_diff, test_command?, language?, failing_tests?}; default: faults seeded into the
 *                project's own example and fixtures
 * --cache DIR    the folder of stored measurements (default: under the user's cache directory), which make a second run quick
 * --only TEXT    only cases whose id contains the text
 * --details      one line for each case
 */
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type FaultCase, readCases } from "./localize-cases.ts";
import { measureCase } from "./localize-measure.ts";
import { makeSeededCases } from "./localize-seeds.ts";
import { renderDetails, renderTables } from "./localize-tables.ts";
import { type PreparedCase, prepareCase } from "./localize-variants.ts";

const { values } = parseArgs({
  options: {
    cases: { type: "string" },
    cache: { type: "string" },
    only: { type: "string", default: "" },
    details: { type: "boolean", default: false },
  },
});
const cacheHome = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
const cache = values.cache ?? join(cacheHome, "millwright", "bench-localize");
const faults = values.cases === undefined ? makeSeededCases(join(cache, "seeded")) : readCases(values.cases);

const prepared: PreparedCase[] = [];
const failed: string[] = [];
for (const fault of faults.filter(({ id }) => id.includes(values.only))) {
  try {
    const measured = await prepare(fault);
    if (typeof measured === "string") failed.push(`${fault.id}: ${measured}`);
    else prepared.push(measured);
  } catch (error) {
    failed.push(`${fault.id}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
if (values.details) process.stdout.write(`${renderDetails(prepared)}\n`);
process.stdout.write(renderTables(prepared));
for (const text of failed) process.stdout.write(`not measured: ${text}\n`);

async function prepare(fault: FaultCase): Promise<PreparedCase | string> {
  const started = performance.now();
  const measured = await measureCase(fault, cache);
  const seconds = Math.round((performance.now() - started) / 1000);
  if (seconds > 1) process.stderr.write(`measured ${fault.id} in ${seconds} s\n`);
  return typeof measured === "string" ? measured : prepareCase(measured);
}
