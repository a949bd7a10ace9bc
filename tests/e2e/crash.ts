/** kill -9 at a seeded event boundary, the next start, and what must be true afterwards. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type SolveReport, solveReportSchema, type Usage } from "../../src/domain/solve-report.ts";
import { shortTemporary } from "../../src/workspace/checkout.ts";
import { fingerprint, type Playground } from "./millwright.ts";

export interface Reference {
  readonly patch: string;
  /** What its models did and cost. */
  readonly usage: Usage;
  readonly run: string;
  /** How many events an undisturbed run has. */
  readonly events: number;
}

export interface Crash {
  readonly seed: number;
  /** What is killed, as arguments of the program. */
  readonly start: readonly string[];
  /** Further arguments of its resumption. */
  readonly resume?: readonly string[];
}

export interface CrashResult {
  readonly seed: number;
  /** The run was killed when its record had so many events. */
  readonly killedAt: number;
  /** What was wrong afterwards; empty when all held. */
  readonly problems: readonly string[];
}

/** One undisturbed run, to compare with. */
export async function runReference(
  playground: Playground,
  repository: string,
  args: readonly string[],
): Promise<Reference> {
  const end = await playground.start(["solve", "--repo", repository, "--output", "json", ...args]).ended;
  if (end.exitCode !== 0) throw new Error(`the undisturbed run ended with ${end.exitCode}: ${end.stderr}`);
  const report = solveReportSchema.parse(JSON.parse(end.stdout));
  const { patch, usage, run } = report;
  return { patch, usage, run, events: countEvents(join(report.runDirectory, "events.jsonl")) };
}

/** Kills a run at the event that the seed chooses, resumes it, and returns what is not as it was promised. */
export async function crashAndResume(
  playground: Playground,
  repository: string,
  reference: Reference,
  { seed, start, resume = [] }: Crash,
): Promise<CrashResult> {
  const before = fingerprint(repository);
  const known = new Set(readdirSync(playground.runs));
  const wanted = 1 + Math.floor(random(seed) * (reference.events - 1));
  const program = playground.start([...start, "--output", "json"]);
  let over = false;
  void program.ended.then(() => (over = true));
  let run: string | undefined;
  let killedAt = 0;
  let size = 0;
  while (!over && killedAt < wanted) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    run ??= existsSync(playground.runs)
      ? readdirSync(playground.runs).find((name) => !known.has(name))
      : undefined;
    if (run === undefined) continue;
    const events = join(playground.runs, run, "events.jsonl");
    const now = statSync(events, { throwIfNoEntry: false })?.size ?? 0;
    if (now !== size) killedAt = countEvents(events);
    size = now;
  }
  program.kill("SIGKILL");
  await program.ended;
  if (run === undefined) throw new Error("the run never began");

  const problems: string[] = [];
  if (fingerprint(repository) !== before) problems.push("the repository was changed before the resumption");
  const resumed = await playground.start(["resume", run, "--output", "json", ...resume]).ended;
  if (resumed.exitCode !== 0)
    problems.push(`resume ended with ${resumed.exitCode}: ${resumed.stderr.slice(-500)}`);
  else problems.push(...compareReports(solveReportSchema.parse(JSON.parse(resumed.stdout)), reference));
  if (fingerprint(repository) !== before) problems.push("the repository was changed by the resumption");
  problems.push(
    ...findLeftovers(playground, run),
    ...findRepeatedSteps(join(playground.runs, run, "events.jsonl")),
  );
  return { seed, killedAt, problems };
}

/** The same patch, and each answer of a model paid once. */
function compareReports({ patch, usage, runDirectory }: SolveReport, reference: Reference): string[] {
  const calls = join(runDirectory, "calls");
  const answers = existsSync(calls) ? readdirSync(calls).filter((name) => name.endsWith(".answer.json")) : [];
  return [
    ...(patch === reference.patch ? [] : ["another patch"]),
    ...(JSON.stringify(usage) === JSON.stringify(reference.usage) ? [] : ["models cost something else"]),
    ...(answers.length === reference.usage.calls ? [] : [`${answers.length} answers were asked for`]),
  ];
}

function countEvents(path: string): number {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
}

/** Mounts, processes, containers and folders that still belong to the run. */
function findLeftovers(playground: Playground, run: string): string[] {
  const problems: string[] = [];
  if (readFileSync("/proc/mounts", "utf8").includes(playground.runs)) problems.push("a mount is left");
  const workspace = join(playground.runs, run, "workspace");
  if (existsSync(workspace)) problems.push("the working folder is left");
  const checkouts = [1, 2, 3, 4, 5, 6].map((number) => join(workspace, "checkouts", String(number)));
  if (checkouts.some((each) => existsSync(shortTemporary(each)))) problems.push("temporary files are left");
  for (const pid of readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && Number(name) !== process.pid,
  )) {
    if (readProcessFile(pid, "environ").includes(run) || readProcessFile(pid, "cmdline").includes(run)) {
      problems.push(`process ${pid} is left`);
    }
  }
  if (hasDocker() && docker("ps", "-aq", "--filter", `label=millwright.owner=${run}`) !== "")
    problems.push("a container is left");
  return problems;
}

/** A step that had a result must not have been started again. */
function findRepeatedSteps(path: string): string[] {
  const finished = new Set<string>();
  const repeated: string[] = [];
  for (const line of readFileSync(path, "utf8")
    .split("\n")
    .filter((text) => text !== "")) {
    const event = JSON.parse(line) as { event: string; step?: string };
    if (event.step === undefined) continue;
    if (event.event === "step-started" && finished.has(event.step))
      repeated.push(`${event.step} was repeated`);
    if (event.event === "step-finished") finished.add(event.step);
  }
  return repeated;
}

function readProcessFile(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";
  }
}

function hasDocker(): boolean {
  try {
    docker("version");
    return true;
  } catch {
    return false;
  }
}

function docker(...args: string[]): string {
  return execFileSync("docker", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

/** A number in [0, 1) from a seed (mulberry32). */
export function random(seed: number): number {
  let state = (seed + 0x6d2b79f5) | 0;
  state = Math.imul(state ^ (state >>> 15), state | 1);
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
  return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
}
