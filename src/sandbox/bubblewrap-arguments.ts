import { existsSync } from "node:fs";
import type { SandboxSpec } from "./contract.ts";
import { makeHostName } from "./host-name.ts";
import { firstInherited } from "./host-process.ts";
import type { MountNamespace } from "./mount-namespace.ts";
import { isInside, type OverlayMount } from "./mounts.ts";
import { filterPath } from "./seccomp.ts";
import type { ShownRoot } from "./shown-root.ts";
import type { StateFolders } from "./state-folders.ts";

/** Returns the arguments of `bwrap` before the command, without the `--` before it. */
export function bubblewrapArguments(
  spec: SandboxSpec,
  root: ShownRoot,
  state: StateFolders,
  namespace: MountNamespace | undefined,
): string[] {
  const pathOf = (mount: OverlayMount): string => namespace?.pathOf(mount) ?? mount.source;
  const whole = root.overlays.find(({ target }) => target === "/");
  const shown = whole === undefined ? root.linked : pathOf(whole);
  return [
    ...isolation(spec.network, namespace?.isMappedToRoot ?? false, root.builds),
    ...(shown === undefined ? [] : ["--bind", shown, "/"]),
    ...["--proc", "/proc", ...kernelSettings(state), "--dev", "/dev", "--tmpfs", "/run"],
    ...(shown === undefined
      ? ["--dir", "/var", "--symlink", "/tmp", "/var/tmp", "--symlink", "/run", "/var/run"]
      : networkFiles(spec.network)),
    ...writableFolders(spec, root, state),
    ...hostToolchain(root, pathOf, state),
    ...spec.mounts.flatMap((mount) => {
      if (mount.mode !== "overlay") {
        return [mount.mode === "read-only" ? "--ro-bind" : "--bind", mount.source, mount.target];
      }
      return ["--bind", pathOf(mount), mount.target];
    }),
    ...(filterPath() === undefined ? [] : ["--seccomp", String(firstInherited + 1)]),
    // An image's files may change: in an overlay of this sandbox, or in a folder that becomes a layer.
    ...(whole !== undefined || (root.linked !== undefined && root.builds) ? [] : ["--remount-ro", "/"]),
    ...["--chdir", "/"],
  ];
}

/** Docker's capabilities in a build, without those for device nodes and raw packets: a layer lies on the host. */
const buildCapabilities =
  "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT";

function isolation(network: boolean, isMappedToRoot: boolean, builds: boolean): string[] {
  const capabilities = builds
    ? buildCapabilities.split(" ").flatMap((name) => ["--cap-add", `CAP_${name}`])
    : [];
  return [
    // A user namespace of its own would have one user, and package managers change the owners of files.
    ...(builds
      ? ["--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"]
      : ["--unshare-all"]),
    ...(builds || !network ? [] : ["--share-net"]),
    ...(isMappedToRoot && !builds ? ownUser() : []),
    ...["--cap-drop", "ALL", ...capabilities],
    ...["--die-with-parent", "--new-session", "--hostname", makeHostName(), "--json-status-fd", "3"],
  ];
}

function ownUser(): string[] {
  const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return ["--unshare-user", "--uid", String(user), "--gid", String(group)];
}

/** The host's files by which programs of an image find other machines. */
function networkFiles(network: boolean): string[] {
  if (!network) return [];
  return ["/etc/resolv.conf", "/etc/hosts"].filter(existsSync).flatMap((path) => ["--ro-bind", path, path]);
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

function writableFolders(spec: SandboxSpec, { home }: ShownRoot, state: StateFolders): string[] {
  const folders: [string, string][] = [
    [state.temporary, "/tmp"],
    [state.home, home],
  ];
  return folders
    .filter(([, target]) => !spec.mounts.some((mount) => isInside(target, mount.target)))
    .flatMap(([source, target]) => ["--bind", source, target]);
}

function hostToolchain(
  { view, overlays, builds }: ShownRoot,
  pathOf: (mount: OverlayMount) => string,
  state: StateFolders,
): string[] {
  return [
    ...view.links.flatMap(({ path, to }) => ["--symlink", to, path]),
    ...view.folders.flatMap(({ source, target }) => {
      const overlay = overlays.find((each) => each.target === target);
      return [
        overlay !== undefined && builds ? "--bind" : "--ro-bind",
        overlay === undefined ? source : pathOf(overlay),
        target,
      ];
    }),
    ...view.hidden.flatMap(({ path, folder }) => [
      "--ro-bind",
      folder ? state.emptyFolder : state.emptyFile,
      path,
    ]),
  ];
}
