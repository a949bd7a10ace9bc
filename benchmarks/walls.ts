/**
 * Attacks on verdicts: `npm run bench:walls [-- PART] [--seed N] [--most N] [--shard I/N] [--patience N] [--installed
 * FOLDER] [--program FOLDER] [WORD...]`.
 *
 * Parts (default: all): `reports` attacks reports (tests × frameworks × sandboxes) and the frameworks themselves.
 * `runs` makes whole runs: patches of a scripted model, and repositories that attack. `costs` measures the seconds of a
 * verdict, with and without confirmation.
 *
 * Words select attempts whose titles contain all of them. `left` runs the attacks that Millwright is known to believe;
 * `attacks` or `honest` runs only one side. `--most` draws a sample of the runs by the seed. `--shard 1/2` runs every
 * second of them, for one of two cores. `--program` names another checkout, which then judges the runs. `--patience 3`
 * triples the time limits of runs, for a busy machine. `--installed` names a folder with frameworks that are not our
 * packages (`npm install --prefix FOLDER tape tap ava`). JUnit 4 runs if the local Maven repository has it. Exits with
 * 1 if Millwright believed an attack, or did not believe an honest repair.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { alsoFrom } from "../tests/contract/installed-packages.ts";
import {
  askCanary,
  attackWalls,
  listAttempts,
  type WallAttempt,
  wallProjects,
} from "../tests/contract/wall-attacks.ts";
import { confirmInWalls } from "../tests/contract/wall-confirm.ts";
import { frameworkAttacks } from "../tests/contract/wall-framework-attacks.ts";
import { usableSandboxes } from "../tests/contract/workspace-fixture.ts";
import { type ForgingRun, forge, listRuns } from "./walls-runs.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    most: { type: "string", default: "1000000" },
    shard: { type: "string", default: "1/1" },
    patience: { type: "string", default: "1" },
    installed: { type: "string" },
    program: { type: "string" },
  },
});
if (options.installed !== undefined) alsoFrom(resolve(options.installed));
const forging = {
  patience: Number(options.patience),
  ...(options.program !== undefined && { program: resolve(options.program) }),
};
const parts = ["reports", "runs", "costs"];
const chosen = parts.filter((part) => positionals.includes(part));
const isLeftAsked = positionals.includes("left");
const sides = ["attacks", "honest"].filter((side) => positionals.includes(side));
const words = positionals.filter((word) => ![...parts, "left", "attacks", "honest"].includes(word));
const isAsked = (part: string): boolean => chosen.length === 0 || chosen.includes(part);
const hasWords = (title: string): boolean => words.every((word) => title.includes(word));

const boundaries = usableSandboxes.filter(({ provider }) => provider.boundary);
const missing = new Map<string, string>();
for (const { framework, named, unavailable } of wallProjects) {
  const reason = await unavailable();
  if (reason !== undefined) missing.set(named ?? framework.name, reason);
}

const attempts = listAttempts(boundaries).filter(
  ({ title, project }) => hasWords(title) && !missing.has(project.named ?? project.framework.name),
);
let believed = 0;
let tried = 0;

async function tryReports(): Promise<void> {
  for (const { title, project, attack, sandbox } of attempts) {
    const verdict = await attackWalls(project, attack, sandbox);
    tried += 1;
    if (verdict.believed) believed += 1;
    console.log(`${verdict.believed ? "BELIEVED" : "refused"}  ${title}: ${verdict.said.split("\n")[0]}`);
  }
}

/** Patches that change the framework in memory: whether a confirming run believes them. */
async function tryFrameworks(): Promise<void> {
  for (const sandbox of boundaries) {
    for (const { project, attack, more } of frameworkAttacks) {
      const name = project.named ?? project.framework.name;
      const title = `${name} in ${sandbox.name} ${attack.name}`;
      if (missing.has(name) || !hasWords(title)) continue;
      const { holds, evidence } = await confirmInWalls(project, sandbox, attack, more);
      tried += 1;
      if (holds) believed += 1;
      console.log(`${holds ? "BELIEVED" : "refused"}  ${title}: ${evidence}`);
    }
  }
}

/** How each framework's canary ends, and which limits hold still. */
async function tryLimits(): Promise<void> {
  for (const sandbox of boundaries) {
    for (const project of wallProjects) {
      const name = project.named ?? project.framework.name;
      if (missing.has(name)) continue;
      const title = `${name} in ${sandbox.name}`;
      if (hasWords(title) && project.framework.canary !== undefined)
        console.log(`canary   ${title}: ${await askCanary(project, sandbox)}`);
      for (const limit of project.limits ?? []) {
        if (!hasWords(`${title} ${limit.name}`)) continue;
        const verdict = await attackWalls(project, limit, sandbox);
        const word = verdict.believed ? "limit" : "refused";
        console.log(`${word}    ${title} ${limit.name}: ${verdict.said.split("\n")[0]}`);
      }
    }
  }
}

/** Draws a sample and its order by the seed alone; attacks and honest runs are mixed, so that a run that is stopped tells of both. */
function draw(runs: readonly ForgingRun[]): ForgingRun[] {
  let state = Number(options.seed);
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const ranked = runs.map((run) => ({ run, rank: random() })).sort((a, b) => a.rank - b.rank);
  const attacks = ranked.filter(({ run }) => !run.isHonest).slice(0, Number(options.most));
  const drawn = ranked.filter((each) => each.run.isHonest || attacks.includes(each));
  const [shard, shards] = options.shard.split("/").map(Number) as [number, number];
  return drawn.map(({ run }) => run).filter((_, index) => index % shards === shard - 1);
}

interface Row {
  attempts: number;
  verified: number;
  seconds: number;
}

async function tryRuns(): Promise<void> {
  const rows = new Map<string, Row>();
  const refusals = new Map<string, number>();
  const asked = listRuns().filter(
    ({ title, isLeft = false, isHonest }) =>
      hasWords(title) &&
      isLeft === isLeftAsked &&
      (sides.length === 0 || sides.includes(isHonest ? "honest" : "attacks")),
  );
  for (const run of draw(asked)) {
    const reason = missing.get(run.framework) ?? (await run.unavailable());
    if (reason !== undefined) {
      missing.set(run.framework, reason);
      continue;
    }
    const { isVerified, refusedBy, patch, seconds } = await forge(run, forging);
    if (run.isHonest) {
      console.log(`${isVerified ? "verified " : "DENIED   "} ${run.title} ${refusedBy}`);
      if (!isVerified) process.exitCode = 1;
      continue;
    }
    tried += 1;
    if (isVerified) believed += 1;
    refusals.set(refusedBy, (refusals.get(refusedBy) ?? 0) + 1);
    const name = `${run.strategy} | ${run.framework}`;
    const row = rows.get(name) ?? { attempts: 0, verified: 0, seconds: 0 };
    rows.set(name, {
      attempts: row.attempts + 1,
      verified: row.verified + (isVerified ? 1 : 0),
      seconds: row.seconds + seconds,
    });
    console.log(`${isVerified ? "VERIFIED" : "refused "}  ${run.title}: ${refusedBy}`);
    if (isVerified && run.strategy === "search-repair") console.log(patch);
  }
  console.log(
    "\n| strategy | framework | attempts | verified | seconds each |\n| --- | --- | --- | --- | --- |",
  );
  for (const [name, row] of [...rows].sort(([a], [b]) => a.localeCompare(b)))
    console.log(
      `| ${name} | ${row.attempts} | ${row.verified} | ${(row.seconds / row.attempts).toFixed(1)} |`,
    );
  console.log("\nRefused by:");
  for (const [reason, count] of [...refusals].sort(([, a], [, b]) => b - a))
    console.log(`${String(count).padStart(4)}  ${reason}`);
}

/** One run of the tests, as a verdict needs without a confirmation, and what the confirmation adds. */
async function timeVerdicts(): Promise<void> {
  console.log(
    "\n| framework | sandbox | one run, s | confirming, s | runs |\n| --- | --- | --- | --- | --- |",
  );
  const timed = new Map(
    attempts.map((each): [string, WallAttempt] => [
      `${each.project.named ?? each.project.framework.name} | ${each.sandbox.name}`,
      each,
    ]),
  );
  for (const [name, { project, sandbox }] of timed) {
    const { seconds } = await attackWalls(project, project.repair, sandbox);
    const confirmed = await confirmInWalls(project, sandbox);
    const said = confirmed.holds ? "" : ` (${confirmed.evidence})`;
    console.log(
      `| ${name} | ${seconds.toFixed(1)} | ${confirmed.seconds.toFixed(1)} | ${confirmed.runs}${said} |`,
    );
  }
}

if (isAsked("reports")) {
  await tryReports();
  await tryFrameworks();
  await tryLimits();
}
if (isAsked("runs")) await tryRuns();
if (isAsked("costs")) await timeVerdicts();
for (const [name, reason] of missing) console.log(`${name}: not tried, ${reason}`);
console.log(`\n${believed} of ${tried} attempts believed`);
if (believed > 0) process.exitCode = 1;
