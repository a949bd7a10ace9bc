/** Repositories made by real git, workspaces on them in every sandbox that works here, and a full description of a folder. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { renderOutput } from "../../src/base/captured-output.ts";
import type { MountSupport, SandboxProvider } from "../../src/sandbox/contract.ts";
import { sandboxes } from "../../src/sandbox/index.ts";
import type { Checkout, Workspace } from "../../src/workspace/contract.ts";
import { openWorkspace, type WorkspaceOptions } from "../../src/workspace/open-workspace.ts";

export interface UsableSandbox {
  readonly name: string;
  readonly provider: SandboxProvider;
  readonly mounts: MountSupport;
}

/** Each sandbox that works on this machine; `local` always does. */
export const usableSandboxes: readonly UsableSandbox[] = (
  await Promise.all(
    sandboxes.map(async (provider) => {
      const found = await provider.probe();
      return found.available ? [{ name: provider.name, provider, mounts: found.mounts }] : [];
    }),
  )
).flat();

export const localSandbox = usableSandboxes.find((each) => each.name === "local") as UsableSandbox;

/** A folder that is gone after the test. */
export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "workspace-test-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export type Files = Readonly<Record<string, string | Uint8Array>>;

export function writeFiles(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Runs git as a user does, with an identity and without the machine's configuration. */
export function git(folder: string, ...arguments_: string[]): string {
  const result = spawnSync("git", arguments_, {
    cwd: folder,
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "A",
      GIT_AUTHOR_EMAIL: "a@example.org",
      GIT_COMMITTER_NAME: "A",
      GIT_COMMITTER_EMAIL: "a@example.org",
    },
  });
  if (result.status !== 0) throw new Error(`git ${arguments_.join(" ")}: ${result.stderr}`);
  return result.stdout.trim();
}

/** A git repository with these files committed. */
export function makeRepository(files: Files): string {
  const folder = join(makeFolder(), "project");
  mkdirSync(folder);
  git(folder, "init", "--quiet", "--initial-branch=main");
  writeFiles(folder, files);
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--allow-empty", "--message=first");
  return folder;
}

/** All paths in the folder, one character per byte; links are not followed. */
export function walk(folder: string, inside = ""): string[] {
  const here = Buffer.from(`${folder}/${inside}`, "latin1");
  return readdirSync(here, { withFileTypes: true, encoding: "latin1" }).flatMap((entry) => {
    const path = inside + entry.name;
    return entry.isDirectory() ? [path, ...walk(folder, `${path}/`)] : [path];
  });
}

/** Gives every file below the folder an old time, so that any write to it shows. */
export function ageFiles(folder: string): void {
  for (const path of walk(folder)) {
    if (lstatSync(join(folder, path)).isFile()) utimesSync(join(folder, path), 1_500_000_000, 1_500_000_000);
  }
}

/** Every file and folder with type, mode, times and content: two equal ones mean that nothing was touched. */
export function describeFolder(folder: string): string[] {
  return ["", ...walk(folder)].sort().map((path) => {
    const name = Buffer.from(`${folder}/${path}`, "latin1");
    const { mode, mtimeMs, size } = lstatSync(name);
    return `${path} ${mode.toString(8)} ${mtimeMs} ${size} ${hashOf(name)}`;
  });
}

function hashOf(path: Buffer): string {
  const status = lstatSync(path);
  if (status.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  return status.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
}

export async function openTestWorkspace(
  repository: string,
  sandbox: UsableSandbox = localSandbox,
  options: Partial<WorkspaceOptions> = {},
): Promise<Workspace> {
  const directory = options.directory ?? makeFolder();
  const runtimeDirectory = makeFolder();
  writeFileSync(join(runtimeDirectory, "reporter.txt"), "ours\n");
  const workspace = await openWorkspace({
    repository,
    directory,
    runtimeDirectory,
    sandbox: {
      provider: sandbox.provider,
      mounts: sandbox.mounts,
      owner: `workspace-test-${process.pid}`,
      network: false,
      limits: { memoryBytes: 1024 ** 3, cpus: 1, processes: 256 },
    },
    ...options,
  });
  onTestFinished(() => workspace.close());
  return workspace;
}

/** What the shell text prints; throws when it fails. */
export async function shell(checkout: Checkout, text: string): Promise<string> {
  const result = await checkout.execute({ run: text, timeoutMs: 60_000 });
  if (result.exitCode !== 0) throw new Error(`${text}: ${renderOutput(result.stderr)}`);
  return renderOutput(result.stdout);
}
