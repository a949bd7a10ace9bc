/** Runs that are killed, resumed and replayed in one sandbox and another, from one recording. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sandboxes } from "../../src/sandbox/index.ts";
import { type CrashResult, crashAndResume, type Reference, runReference } from "./crash.ts";
import type { Playground } from "./millwright.ts";
import { scriptFile } from "./scripted-solve.ts";
import type { StrategyScript } from "./strategy-scripts.ts";

/** Names of the sandboxes that work on this machine; `local` always does. */
export async function workingSandboxes(): Promise<readonly string[]> {
  const probed = await Promise.all(sandboxes.map(async (each) => ({ ...each, found: await each.probe() })));
  return probed.flatMap(({ name, found }) => (found.available ? [name] : []));
}

export async function recordScript(
  playground: Playground,
  repository: string,
  { strategy, statement, args, answers }: StrategyScript,
  sandbox: string,
): Promise<Reference> {
  const file = join(playground.folder, `${strategy}.json`);
  writeFileSync(file, scriptFile(answers));
  const model = answers.length === 0 ? "none" : `scripted:${file}`;
  const flags = ["--strategy", strategy, "--model", model, "--sandbox", sandbox];
  return runReference(playground, repository, [
    ...flags,
    ...args,
    ...(statement === "" ? [] : ["--", statement]),
  ]);
}

/** Of the recorded requests, the first words of each with a path of a run's own folder, or of this program's. */
export function findOwnPaths({ runs }: Playground, { run }: Reference): readonly string[] {
  const calls = join(runs, run, "calls");
  const own = [runs, join(import.meta.dirname, "..", ".."), "/checkouts/"];
  return readdirSync(calls).flatMap((name) => {
    const text = readFileSync(join(calls, name), "utf8");
    return own.flatMap((path) => {
      const at = text.indexOf(path);
      return at < 0 ? [] : [`${name}: ${text.slice(Math.max(0, at - 60), at + path.length + 60)}`];
    });
  });
}

/** Does the run again in one sandbox, kills that, and resumes it in another. */
export function crashAcross(
  playground: Playground,
  repository: string,
  reference: Reference,
  { seed, from, to }: { readonly seed: number; readonly from: string; readonly to: string },
): Promise<CrashResult> {
  const start = ["replay", reference.run, "--sandbox", from];
  return crashAndResume(playground, repository, reference, { seed, start, resume: ["--sandbox", to] });
}

/** Does the whole run again; returns what is not as it was. */
export async function replayIn(
  playground: Playground,
  { run }: Reference,
  flags: readonly string[],
): Promise<readonly string[]> {
  const { exitCode, stdout, stderr } = await playground.start(["replay", run, "--output", "json", ...flags])
    .ended;
  if (exitCode !== 0 && exitCode !== 1) return [`replay ended with ${exitCode}: ${stderr.slice(-500)}`];
  const { same, changed } = JSON.parse(stdout) as { same: boolean; changed: readonly string[] };
  return [...(same ? [] : ["another patch"]), ...changed];
}
