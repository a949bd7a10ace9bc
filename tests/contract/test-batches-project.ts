/** A workspace and a test executor over a fixture's repository, for the contracts of batches that swap files. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestExecutor } from "../../src/agent/measure/test-executor.ts";
import type { TestExecutor } from "../../src/agent/suite.ts";
import type { TestCommand, TestFramework } from "../../src/languages/contract.ts";
import type { Workspace } from "../../src/workspace/contract.ts";
import { openWorkspace } from "../../src/workspace/open-workspace.ts";
import { git, localSandbox } from "./workspace-fixture.ts";

const repositories = join(import.meta.dirname, "../fixtures/repos");
const runtimeDirectory = join(import.meta.dirname, "../../src/languages/runtime");

export interface ProjectFramework {
  readonly framework: TestFramework;
  /** The test command. */
  readonly text: string;
  /** Folder below `tests/fixtures/repos/`. */
  readonly repository: string;
}

export interface OpenProject {
  readonly workspace: Workspace;
  readonly executor: TestExecutor;
  readonly command: TestCommand;
  close(): Promise<void>;
}

/** Copies a fixture's repository, and opens it with one framework. `extend` adds files to the copy. */
export async function openProject(
  { framework, text, repository: name }: ProjectFramework,
  extend?: (repository: string) => void,
): Promise<OpenProject> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "batch-test-")));
  const repository = join(folder, "project");
  const directory = join(folder, "workspace");
  cpSync(join(repositories, name), repository, { recursive: true });
  extend?.(repository);
  mkdirSync(directory);
  git(repository, "init", "--quiet");
  const { provider, mounts } = localSandbox;
  const limits = { memoryBytes: 1024 ** 3, cpus: 2, processes: 256 };
  const workspace = await openWorkspace({
    repository,
    directory,
    runtimeDirectory,
    sandbox: { provider, mounts, owner: `batch-test-${process.pid}`, network: false, limits },
  });
  const executor = await openTestExecutor(workspace, [framework], new AbortController().signal);
  const command = framework.recognise(text, executor.project);
  if (command === undefined) throw new Error(`${framework.name} does not recognise ${text}`);
  return {
    workspace,
    executor,
    command,
    async close() {
      await workspace.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
