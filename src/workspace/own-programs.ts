/**
 * Provides those of Millwright's programs that a project's toolchain has to compile, such as the runner for Rust's
 * tests. If sandboxes show this machine's toolchain, Millwright compiles the programs once, on the host, and only from
 * its own sources. Every checkout can then read them. Otherwise, each checkout compiles them itself: with a separate
 * image, or in a sandbox in which commands can write to the user's cache.
 */
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { renderOutput } from "../base/captured-output.ts";
import { runProcess } from "../base/process.ts";
import type { OwnProgram } from "../languages/contract.ts";

export interface OwnProgramsOptions {
  /** The host's folder of compiled programs. */
  readonly folder: string;
  readonly runtimeDirectory: string;
  /** The environment of commands, with the host's home folder. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface OwnPrograms {
  readonly folder: string;
  /**
   * Finds or compiles a program, and returns its name below the folder. Undefined if the toolchain is missing or fails.
   */
  find(program: OwnProgram): Promise<string | undefined>;
}

const buildMs = 300_000;

/** Opens the host's folder of Millwright's compiled programs. Undefined if the folder cannot be created. */
export function keepOwnPrograms(options: OwnProgramsOptions): OwnPrograms | undefined {
  const { folder } = options;
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    return undefined;
  }
  const known = new Map<OwnProgram, Promise<string | undefined>>();
  return {
    folder,
    find(program) {
      const found = known.get(program) ?? findOrBuild(program, options);
      known.set(program, found);
      return found;
    },
  };
}

/** Finds or builds a program. `build.sh` names the toolchain that it would use, or compiles into the given folder. */
async function findOrBuild(
  program: OwnProgram,
  { folder, runtimeDirectory, environment }: OwnProgramsOptions,
): Promise<string | undefined> {
  const sources = join(runtimeDirectory, program);
  const script = join(sources, "build.sh");
  if (!existsSync(script)) return undefined;
  // From the root folder, so that no project's pinned version applies.
  const surroundings = { cwd: "/", env: environment, timeoutMs: buildMs };
  const version = await runProcess(["sh", script], surroundings);
  if (version.exitCode !== 0) return undefined;
  const name = `${program}-${hashOf(sources, renderOutput(version.stdout))}`;
  const target = join(folder, name);
  if (existsSync(target)) return name;
  const making = `${target}.${randomBytes(6).toString("hex")}`;
  try {
    mkdirSync(making, { recursive: true });
    const built = await runProcess(["sh", script, making], surroundings);
    if (built.exitCode === 0) await rename(making, target);
  } catch {
    // No space, or another run was first.
  }
  await rm(making, { recursive: true, force: true }).catch(() => undefined);
  return existsSync(target) ? name : undefined;
}

function hashOf(sources: string, version: string): string {
  const hash = createHash("sha256").update(version);
  const files = readdirSync(sources, { withFileTypes: true }).filter((entry) => entry.isFile());
  for (const file of files.map(({ name }) => name).sort())
    hash.update(`\0${file}\0`).update(readFileSync(join(sources, file)));
  return hash.digest("hex").slice(0, 16);
}
