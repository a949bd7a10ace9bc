/**
 * Makes images for `harness.ts`: a Debian with Python, pytest and git, and one that adds a project. Contacts no
 * registry.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const base = "millwright-bench-harness:debian";
/** Where the project lies in its image. */
export const projectRoot = "/testbed";

export const docker = (...args: readonly string[]): string =>
  execFileSync("docker", args, {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();

/** Kept for the next run. Needs root and a Debian mirror for debootstrap. */
export function makeBase(): string {
  if (spawnSync("docker", ["image", "inspect", base]).status === 0) return base;
  const folder = mkdtempSync(join(tmpdir(), "millwright-debian-"));
  try {
    const include = "--include=python3,python3-pytest,git";
    execFileSync("debootstrap", ["--variant=minbase", include, "stable", join(folder, "root")], {
      stdio: "inherit",
    });
    const script = `tar -C "$1" -c . | docker import - ${base}`;
    execFileSync("sh", ["-c", script, "sh", join(folder, "root")], { stdio: "ignore" });
    return base;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The base with the repository's checked out files; `remove` deletes it. */
export function makeProject(from: string, repository: string) {
  const name = `millwright-bench-harness:${process.pid}`;
  const container = docker("create", from, "true");
  try {
    docker("cp", `${repository}/.`, `${container}:${projectRoot}`);
    docker("commit", container, name);
  } finally {
    docker("rm", container);
  }
  const bytes = (image: string): number => Number(docker("image", "inspect", "-f", "{{.Size}}", image));
  return { name, bytes: bytes(name) - bytes(from), remove: () => docker("rmi", name) };
}
