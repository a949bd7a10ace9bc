import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderOutput } from "../../src/base/captured-output.ts";
import type {
  Command,
  CommandResult,
  Mount,
  Sandbox,
  SandboxLimits,
  SandboxProvider,
} from "../../src/sandbox/contract.ts";
import { sandboxes } from "../../src/sandbox/index.ts";

export interface Member {
  readonly provider: SandboxProvider;
  readonly name: string;
  /** Why it does not work here; the tests are skipped then. */
  readonly missing: string | undefined;
  readonly warnings: string;
  readonly mounts: "overlay" | "bind" | "none";
}

/** Every sandbox, and whether it works on this machine. */
export const members: readonly Member[] = await Promise.all(
  sandboxes.map(async (provider): Promise<Member> => {
    const availability = await provider.probe();
    return {
      provider,
      name: provider.name,
      missing: availability.available ? undefined : availability.reason,
      warnings: availability.available ? availability.warnings.join("\n") : "",
      mounts: availability.available ? availability.mounts : "none",
    };
  }),
);

export interface Fixture {
  readonly sandbox: Sandbox;
  /** A folder of the host that commands see at the same path and may write. */
  readonly folder: string;
  /** Runs in `folder` with a PATH; 20 s. */
  run(command: Command["run"], options?: Partial<Command>): Promise<Shown>;
  remove(): Promise<void>;
}

/** A result with its output as text. */
export interface Shown extends CommandResult {
  readonly out: string;
  readonly err: string;
}

export const path = "/usr/local/bin:/usr/bin:/bin";

export interface FixtureOptions {
  readonly owner?: string;
  readonly limits?: Partial<SandboxLimits>;
  readonly image?: string;
  /** Prepares folders below `root`, which is removed in the end, and says what to mount. */
  readonly mounts?: (root: string) => Promise<readonly Mount[]>;
}

export async function openFixture(provider: SandboxProvider, options: FixtureOptions = {}): Promise<Fixture> {
  const root = await mkdtemp(join(tmpdir(), "millwright-sandbox-"));
  const folder = await mkdtemp(join(root, "work-"));
  const stateDirectory = await mkdtemp(join(root, "state-"));
  const mounts = (await options.mounts?.(root)) ?? [];
  const sandbox = await provider
    .open({
      owner: options.owner ?? `contract-${process.pid}`,
      mounts: [{ mode: "read-write", source: folder, target: folder }, ...mounts],
      stateDirectory,
      network: false,
      ...(options.image === undefined ? {} : { image: options.image }),
      limits: { memoryBytes: 1024 ** 3, cpus: 512, processes: 200, ...options.limits },
    })
    .catch(async (error: unknown) => {
      await rm(root, { recursive: true, force: true });
      throw error;
    });
  return {
    sandbox,
    folder,
    async run(run, more) {
      const command = { run, cwd: folder, env: { PATH: path }, timeoutMs: 20_000, ...more };
      const result = await sandbox.execute(command);
      return { ...result, out: renderOutput(result.stdout), err: renderOutput(result.stderr) };
    },
    async remove() {
      await sandbox.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Command lines of all processes of the host, those inside sandboxes included. */
function commandLines(): string[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      } catch {
        return "";
      }
    });
}

/** How many processes sleep for this number of seconds. */
export function countSleepers(seconds: number): number {
  return commandLines().filter((line) => line === `sleep ${seconds} `).length;
}

/** A length of sleep by which a test finds its own processes. */
let nextSeconds = 100_000 + (process.pid % 10_000) * 100;
export function uniqueSeconds(): number {
  return nextSeconds++;
}
