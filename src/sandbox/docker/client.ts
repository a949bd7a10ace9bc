import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type Docker from "dockerode";
import { MillwrightError } from "../../base/errors.ts";
import { fieldOf, textOf } from "../../base/fields.ts";
import { isAbandoned, ownLease } from "../lease.ts";

export const ownerLabel = "millwright.owner";
const leaseLabel = "millwright.lease";

/** Returns the labels of every object that we create in Docker: the owner and this process's lease. */
export function labelsOf(owner: string): Record<string, string> {
  return { [ownerLabel]: owner, [leaseLabel]: ownLease };
}

/** True for objects with our labels whose owner no longer runs. */
export function isLeftover(
  labels: Record<string, string> | null,
  isAlive: (owner: string) => boolean,
): boolean {
  const { [ownerLabel]: owner, [leaseLabel]: lease } = labels ?? {};
  return owner !== undefined && lease !== undefined && isAbandoned(owner, lease, isAlive);
}

/** Time limit for one request to the daemon, in milliseconds; a container on a busy machine takes seconds. */
const requestLimitMs = 60_000;

/** Connects to the daemon that `DOCKER_HOST` names, or else to this machine's daemon. */
export async function connectDocker(): Promise<Docker> {
  const { default: Client } = await import("dockerode"); // 230 modules
  return new Client();
}

/** True if this machine has a daemon's socket, or `host` is a remote address. Does not load the client. */
export function mayHaveDaemon(host = process.env["DOCKER_HOST"] ?? ""): boolean {
  if (host !== "" && !host.startsWith("unix:///")) return true;
  const usual = ["/var/run/docker.sock", join(homedir(), ".docker", "run", "docker.sock")];
  const sockets = host === "" ? usual : [host.slice("unix://".length)];
  return sockets.some((path) => existsSync(path));
}

/**
 * Resolves to the daemon's answer to `request`. If the request fails or exceeds its time limit, throws
 * MillwrightError("sandbox"). `doing` names the operation in the error's message.
 */
export async function ask<T>(
  doing: string,
  request: Promise<T>,
  options: { limitMs?: number; hint?: string } = {},
): Promise<T> {
  const limitMs = options.limitMs ?? requestLimitMs;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer in ${limitMs / 1000} s`)), limitMs);
  try {
    return await Promise.race([request, late.promise]);
  } catch (cause) {
    if (cause instanceof MillwrightError) throw cause;
    throw new MillwrightError("sandbox", `Docker: ${doing} failed: ${reasonOf(cause)}`, {
      cause,
      hint: options.hint ?? "Check whether the daemon runs: `docker info`.",
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the daemon's own message, without the text that the protocol adds. If there was no connection, returns the reason. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const said = textOf(fieldOf(error, "json"), "message");
  if (said !== undefined) return said;
  if ("code" in error && error.code === "ENOENT") return "there is no daemon";
  if ("code" in error && error.code === "ECONNREFUSED") return "the daemon is not running";
  if ("code" in error && error.code === "EACCES") return "no permission to use the daemon's socket";
  return error.message;
}

/** True if the error says that the requested object does not exist. */
export function isMissing(error: unknown): boolean {
  return fieldOf(error, "statusCode") === 404;
}
