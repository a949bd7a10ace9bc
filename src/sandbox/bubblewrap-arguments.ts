import { existsSync } from "node:fs";
import type { SandboxSpec } from "./contract.ts";
import { makeHostName } from "./host-name.ts";
import { firstInherited } from "./host-process.ts";
import type { MountNamespace } from "./mount-namespace.ts";
import { isInside } from "./mounts.ts";
import { filterPath } from "./seccomp.ts";
import type { StateFolders } from "./state-folders.ts";
import type { HostView } from "./toolchain.ts";

/** Returns the arguments of `bwrap` before the command, without the `--` before it. */
export function bubblewrapArguments(
  spec: SandboxSpec,
  view: HostView,
  state: StateFolders,
  namespace: MountNamespace | undefined,
): string[] {
  return [
    ...isolation(spec.network, namespace?.isMappedToRoot ?? false),
    ...["--proc", "/proc", ...kernelSettings(state), "--dev", "/dev", "--tmpfs", "/run", "--dir", "/var"],
    ...["--symlink", "/tmp", "/var/tmp", "--symlink", "/run", "/var/run"],
    ...writableFolders(spec, view, state),
    ...hostToolchain(view, state),
    ...spec.mounts.flatMap((mount) => {
      if (mount.mode !== "overlay") {
        return [mount.mode === "read-only" ? "--ro-bind" : "--bind", mount.source, mount.target];
      }
      return ["--bind", namespace?.pathOf(mount) ?? mount.source, mount.target];
    }),
    ...(filterPath() === undefined ? [] : ["--seccomp", String(firstInherited + 1)]),
    ...["--remount-ro", "/", "--chdir", "/"],
  ];
}

function isolation(network: boolean, isMappedToRoot: boolean): string[] {
  const own = isMappedToRoot
    ? ["--unshare-user", "--uid", String(process.getuid?.() ?? 0), "--gid", String(process.getgid?.() ?? 0)]
    : [];
  return [
    "--unshare-all",
    ...(network ? ["--share-net"] : []),
    ...own,
    ...[
      "--cap-drop",
      "ALL",
      "--die-with-parent",
      "--new-session",
      "--hostname",
      makeHostName(),
      "--json-status-fd",
      "3",
    ],
  ];
}

/**
 * Protects the kernel's settings. Root without capabilities may still write root's files in /proc, including
 * `core_pattern`, which allows an escape. As with container runtimes, the same paths are read-only or empty.
 */
function kernelSettings(state: StateFolders): string[] {
  const readOnly = ["sys", "sysrq-trigger", "irq", "bus", "fs"].map((name) => `/proc/${name}`);
  const folders = ["acpi", "scsi"].map((name) => `/proc/${name}`);
  const files = ["kcore", "keys", "kmsg", "latency_stats", "sched_debug", "timer_list", "timer_stats"].map(
    (name) => `/proc/${name}`,
  );
  return [
    ...readOnly.filter(existsSync).flatMap((path) => ["--ro-bind", path, path]),
    ...folders.filter(existsSync).flatMap((path) => ["--ro-bind", state.emptyFolder, path]),
    ...files.filter(existsSync).flatMap((path) => ["--ro-bind", state.emptyFile, path]),
  ];
}

function writableFolders(spec: SandboxSpec, view: HostView, state: StateFolders): string[] {
  const folders: [string, string][] = [
    [state.temporary, "/tmp"],
    [state.home, view.home],
  ];
  return folders
    .filter(([, target]) => !spec.mounts.some((mount) => isInside(target, mount.target)))
    .flatMap(([source, target]) => ["--bind", source, target]);
}

function hostToolchain(view: HostView, state: StateFolders): string[] {
  return [
    ...view.links.flatMap(({ path, to }) => ["--symlink", to, path]),
    ...view.folders.flatMap(({ source, target }) => ["--ro-bind", source, target]),
    ...view.hidden.flatMap(({ path, folder }) => [
      "--ro-bind",
      folder ? state.emptyFolder : state.emptyFile,
      path,
    ]),
  ];
}
