/** The confirming run on the small project of the walls: what it says of the honest repair, and what it costs. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openTestExecutor } from "../../src/agent/measure/test-executor.ts";
import { confirm } from "../../src/agent/verdict/confirm.ts";
import type { TestCommand } from "../../src/languages/contract.ts";
import type { Workspace } from "../../src/workspace/contract.ts";
import { openWorkspace } from "../../src/workspace/open-workspace.ts";
import { viewProject } from "../../src/workspace/project-view.ts";
import { partOf } from "../part-of.ts";
import type { WallAttack, WallProject } from "./wall-attacks.ts";
import type { UsableSandbox } from "./workspace-fixture.ts";

const runtimeDirectory = join(import.meta.dirname, "../../src/languages/runtime");

export interface ConfirmedInWalls {
  readonly holds: boolean;
  readonly evidence: string;
  readonly seconds: number;
  /** Of tests. */
  readonly runs: number;
}

/** The project with these files, in a workspace of its own, which is removed after `use`. */
export async function withWalls<Result>(
  project: Pick<WallProject, "framework" | "command" | "prepare">,
  sandbox: UsableSandbox,
  base: Readonly<Record<string, string>>,
  use: (workspace: Workspace, command: TestCommand) => Promise<Result>,
): Promise<Result> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "walls-confirm-")));
  const [repository, directory] = [join(folder, "project"), join(folder, "workspace")];
  for (const [path, text] of Object.entries(base)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  }
  mkdirSync(directory);
  project.prepare?.(repository);
  const workspace = await openWorkspace({
    repository,
    directory,
    runtimeDirectory,
    sandbox: {
      provider: sandbox.provider,
      mounts: sandbox.mounts,
      owner: `walls-${process.pid}`,
      network: false,
      limits: { memoryBytes: 2 * 1024 ** 3, cpus: 2, processes: 512 },
    },
  });
  try {
    const { framework } = project;
    const checkout = await workspace.openCheckout();
    const command = framework.recognise(project.command, viewProject(checkout, Object.keys(base)));
    await checkout.close();
    if (command === undefined) throw new Error(`${framework.name} does not recognise ${project.command}`);
    return await use(workspace, command);
  } finally {
    await workspace.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `more`: files of the base beside the project's own, or in their place. */
export async function confirmInWalls(
  project: WallProject,
  sandbox: UsableSandbox,
  patch: Omit<WallAttack, "name"> = project.repair,
  more: Readonly<Record<string, string>> = {},
): Promise<ConfirmedInWalls> {
  const base = { ...project.files({}), ...more };
  return withWalls(project, sandbox, base, async (workspace, command) => {
    const { framework } = project;
    const changed = Object.entries({ ...project.files(patch), ...more })
      .filter(([path, text]) => base[path] !== text)
      .map(([path, content]) => ({ path, content }));
    const patched = await workspace.trees.write(workspace.base, changed);
    const { signal } = new AbortController();
    let runs = 0;
    const open = async () => {
      const executor = await openTestExecutor(workspace, [framework], signal);
      return {
        ...executor,
        run: (...words: Parameters<typeof executor.run>) => {
          runs += 1;
          return executor.run(...words);
        },
      };
    };
    const began = performance.now();
    const { predicate } = await confirm(
      {
        workspace,
        frameworks: [framework],
        signal,
        recorder: partOf({ step: (_: unknown, execute: () => Promise<unknown>) => execute() }),
        limits: partOf({ remainingMs: () => 600_000 }),
        suite: { command, outcomes: [], durationMs: 10_000 },
      },
      {
        tests: [{ package: "", target: project.file, name: project.target }],
        without: workspace.base,
        patched,
        failing: "all",
      },
      open,
    );
    const { holds, evidence } = predicate;
    return { holds, evidence, seconds: (performance.now() - began) / 1000, runs };
  });
}
