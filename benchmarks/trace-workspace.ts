/** Shared parts of the tracing benchmarks: a workspace of a folder, and a plan for its base. */
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { tracers } from "../src/instrument/tracers/index.generated.ts";
import { selectSandbox } from "../src/sandbox/index.ts";
import { type PlannedTrace, planTrace } from "../src/trace/plan-trace.ts";
import { parseInstrument } from "../src/trace/trace-spec.ts";
import type { Checkout, Workspace } from "../src/workspace/contract.ts";
import { openWorkspace } from "../src/workspace/open-workspace.ts";

/** `isKept`: what an earlier workspace left in `directory` is used again, as `millwright trace` does. */
export async function openBenchWorkspace(
  repository: string,
  directory: string,
  isKept = false,
): Promise<Workspace> {
  const { provider, availability } = await selectSandbox("auto");
  return openWorkspace({
    repository,
    directory,
    isKept,
    runtimeDirectory: resolve(import.meta.dirname, "../src/languages/runtime"),
    sandbox: {
      provider,
      mounts: availability.mounts,
      owner: `bench-trace-${process.pid}`,
      network: false,
      limits: { memoryBytes: 8 * 1024 ** 3, cpus: 2, processes: 2048 },
    },
  });
}

export interface BenchPlan {
  readonly planned: PlannedTrace;
  readonly scratch: { readonly inside: string; readonly host: string };
}

/** Of the workspace's base; `spec` as `--instrument` takes it. */
export async function planIn(workspace: Workspace, checkout: Checkout, spec: string): Promise<BenchPlan> {
  const scratch = { inside: `${checkout.scratch.inside}/trace`, host: join(checkout.scratch.host, "trace") };
  mkdirSync(scratch.host, { recursive: true });
  const { trees, base } = workspace;
  const entries = await trees.list(base);
  const planned = await planTrace({
    tracers,
    sources: {
      files: entries.filter(({ mode }) => mode !== "120000").map(({ path }) => path),
      read: async (path) => (await trees.read(base, path))?.toString("utf8"),
    },
    specs: [parseInstrument(spec)],
    depth: 0,
    root: checkout.root,
    runtime: checkout.runtime,
    scratch,
  });
  return { planned, scratch };
}
