/**
 * The system calls that sandboxes allow: one list for all back ends (`seccomp/rules.json`), compiled by `npm run
 * seccomp`.
 */
import { existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ownFile } from "../base/own-files.ts";

const folder = ownFile("sandbox/seccomp");

/** Returns the path of the compiled filter for this machine's architecture; undefined if there is no such filter. */
export function filterPath(): string | undefined {
  const path = join(folder, `${process.arch}.bpf`);
  return existsSync(path) ? path : undefined;
}

/** Opens the compiled filter and returns a new descriptor, which the caller closes. Undefined if there is no filter. */
export function openFilter(): number | undefined {
  const path = filterPath();
  return path === undefined ? undefined : openSync(path, "r");
}

/** Returns the allow-list of system calls, in the form that a container engine accepts as `seccomp=…`. */
export function containerProfile(): string {
  return JSON.stringify(JSON.parse(readFileSync(join(folder, "docker.generated.json"), "utf8")));
}

export const withoutFilter =
  "system calls are not filtered: there is no list of them for this architecture. Kernel resources that users share remain reachable";
