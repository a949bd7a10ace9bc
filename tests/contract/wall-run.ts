/** A small project with one wrong line, run by a test framework in a sandbox: what the host says of its tests. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Selection, TestFramework } from "../../src/languages/contract.ts";
import { openWorkspace } from "../../src/workspace/open-workspace.ts";
import { viewProject } from "../../src/workspace/project-view.ts";
import { runTests, type TestRun } from "../../src/workspace/test-runner.ts";
import type { UsableSandbox } from "./workspace-fixture.ts";

export interface WallRun {
  readonly sandbox: UsableSandbox;
  readonly framework: TestFramework;
  readonly command: string;
  readonly files: Readonly<Record<string, string>>;
  readonly selection?: Selection;
  /** Of the host, made before the run: what an attack wants to lead the host to. */
  readonly outside?: Readonly<Record<string, string>>;
  readonly prepare?: (root: string) => void;
  readonly timeoutMs?: number;
  readonly stallMs?: number;
}

const runtimeDirectory = join(import.meta.dirname, "../../src/languages/runtime");

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Files may name the folder of what lies outside as `@OUTSIDE@`. */
export async function runInWalls(request: WallRun): Promise<TestRun> {
  const { sandbox, framework } = request;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "walls-")));
  const [repository, directory, outside] = ["project", "workspace", "outside"].map((name) =>
    join(folder, name),
  );
  if (repository === undefined || directory === undefined || outside === undefined)
    throw new Error("no folders");
  for (const each of [repository, directory, outside]) mkdirSync(each);
  const filled = Object.entries(request.files).map(([path, text]) => [
    path,
    text.replaceAll("@OUTSIDE@", outside),
  ]);
  writeFiles(repository, Object.fromEntries(filled));
  request.prepare?.(repository);
  writeFiles(outside, request.outside ?? {});
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
    const checkout = await workspace.openCheckout();
    const project = viewProject(checkout, Object.keys(request.files));
    const command = framework.recognise(request.command, project);
    if (command === undefined) throw new Error(`${framework.name} does not recognise ${request.command}`);
    return await runTests({
      checkout,
      framework,
      command,
      project,
      selection: request.selection ?? { kind: "all" },
      coverage: false,
      testTimeoutMs: 10_000,
      timeoutMs: request.timeoutMs ?? 60_000,
      stallMs: request.stallMs ?? 20_000,
      signal: new AbortController().signal,
    });
  } finally {
    await workspace.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
