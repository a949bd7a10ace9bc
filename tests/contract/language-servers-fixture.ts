/** A repository in a sandbox with the language servers of this machine, as a checkout gives them. */
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProcess } from "../../src/base/process.ts";
import { findServer, probeText, searchFolders, versionLimitMs } from "../../src/lsp/find-server.ts";
import type { LanguageServer } from "../../src/lsp/language-server.ts";
import { createLanguageServers, type LanguageServers } from "../../src/lsp/language-servers.ts";
import type { ServerHost } from "../../src/lsp/server-host.ts";
import type { SandboxProvider } from "../../src/sandbox/contract.ts";
import { buildEnvironment } from "../../src/workspace/environment.ts";
import { members } from "./sandbox-fixture.ts";

const ownFolder = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

function environmentOf(home: string | undefined): Record<string, string> {
  return buildEnvironment(process.env, { ownFolders: [ownFolder], ...(home === undefined ? {} : { home }) });
}

/** Namespaces without a daemon where they work: they hide what servers like to write to, and start fast. */
export function sandboxForServers(): SandboxProvider {
  const works = members.filter(({ missing }) => missing === undefined);
  const chosen =
    works.find(({ name }) => name === "bubblewrap") ?? works.find(({ name }) => name === "local");
  if (chosen === undefined) throw new Error("neither bubblewrap nor local works here");
  return chosen.provider;
}

/** Why the server does not work on this machine, or undefined where it does. */
export async function reasonItIsMissing(record: LanguageServer): Promise<string | undefined> {
  const environment = environmentOf(undefined);
  const found = await findServer(record, searchFolders(undefined, environment), async (argv) => {
    const result = await runProcess(argv, { env: environment, timeoutMs: versionLimitMs });
    return { exitCode: result.exitCode, text: probeText(result) };
  });
  return "reason" in found ? found.reason : undefined;
}

export interface ServersFixture {
  readonly servers: LanguageServers;
  readonly host: ServerHost;
  /** The repository on the host; inside it has the same path. */
  readonly folder: string;
  remove(): Promise<void>;
}

/** A copy of a folder of `tests/fixtures/repos`, or an empty repository. */
export async function openServers(
  provider: SandboxProvider,
  records: readonly LanguageServer[],
  repository?: string,
): Promise<ServersFixture> {
  const base = await mkdtemp(join(tmpdir(), "millwright-lsp-"));
  const [folder, stateDirectory, scratch] = ["repo", "state", "scratch"].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [folder, stateDirectory, scratch]) await mkdir(path);
  if (repository !== undefined) {
    await cp(join(ownFolder, "tests/fixtures/repos", repository), folder, { recursive: true });
  }
  const sandbox = await provider.open({
    owner: `lsp-${process.pid}`,
    mounts: [folder, scratch].map((path) => ({ mode: "read-write", source: path, target: path })),
    stateDirectory,
    network: false,
    limits: { memoryBytes: 4 * 1024 ** 3, cpus: 2, processes: 512 },
  });
  const environment = environmentOf(sandbox.home);
  const place = <C extends { directory?: string; env?: Readonly<Record<string, string>> }>(command: C) => ({
    ...command,
    cwd: join(folder, command.directory ?? ""),
    env: { ...environment, ...command.env },
  });
  const host: ServerHost = {
    root: folder,
    scratch: { inside: scratch },
    environment,
    exists: (path) => existsSync(join(folder, path)),
    execute: (command) => sandbox.execute(place(command)),
    attach: (command) => sandbox.attach(place(command)),
  };
  const servers = createLanguageServers(host, records);
  return {
    servers,
    host,
    folder,
    async remove() {
      await servers.close();
      await sandbox.close();
      await rm(base, { recursive: true, force: true });
    },
  };
}
