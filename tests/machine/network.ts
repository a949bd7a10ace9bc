/** Machines of their own network: namespaces whose link can be cut. */
import { spawnSync } from "node:child_process";

function ip(...args: string[]): void {
  const { status, stderr } = spawnSync("ip", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`ip ${args.join(" ")}: ${stderr ?? "it is not installed"}`);
}

/** Why there can be no namespaces here, or undefined. */
export const networkProblem: string | undefined = findProblem();

function findProblem(): string | undefined {
  if (process.getuid?.() !== 0) return "needs root";
  const name = `mw-probe-${process.pid}`;
  try {
    ip("netns", "add", name);
    ip("netns", "delete", name);
    return undefined;
  } catch (error) {
    return String(error).trim();
  }
}

export interface Network {
  /** The address of this machine that each namespace reaches. */
  readonly host: string;
  /** The words before a command that runs in the namespace. */
  enter(namespace: string): string[];
  setLink(namespace: string, state: "up" | "down"): void;
  remove(): void;
}

/** At most nine namespaces; each has a link to this machine, and none to another one. */
export function openNetwork(namespaces: readonly string[]): Network {
  const own = (process.pid % 250) + 1;
  const nameOf = (namespace: string): string => `mw-${process.pid}-${namespace}`;
  const remove = (): void => {
    for (const namespace of namespaces) spawnSync("ip", ["netns", "delete", nameOf(namespace)]);
    for (const at of namespaces.keys()) spawnSync("ip", ["link", "delete", `mw${process.pid}h${at}`]);
  };
  const setLink: Network["setLink"] = (namespace, state) => {
    const at = namespaces.indexOf(namespace);
    ip("-n", nameOf(namespace), "link", "set", `mw${process.pid}n${at}`, state);
    // The route goes with the link.
    if (state === "up") ip("-n", nameOf(namespace), "route", "add", "default", "via", `10.${own}.${at}.1`);
  };
  try {
    for (const [at, namespace] of namespaces.entries()) {
      const [here, there, name] = [`mw${process.pid}h${at}`, `mw${process.pid}n${at}`, nameOf(namespace)];
      ip("netns", "add", name);
      ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", name);
      ip("address", "add", `10.${own}.${at}.1/30`, "dev", here);
      ip("link", "set", here, "up");
      ip("-n", name, "address", "add", `10.${own}.${at}.2/30`, "dev", there);
      ip("-n", name, "link", "set", "lo", "up");
      setLink(namespace, "up");
    }
  } catch (error) {
    remove();
    throw error;
  }
  return {
    host: `10.${own}.0.1`,
    enter: (namespace) => ["ip", "netns", "exec", nameOf(namespace)],
    setLink,
    remove,
  };
}
