/** Mounts overlays in our own mount namespace. The host never sees them, and they vanish with the last process. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import { launcherPath } from "./launcher.ts";
import { type LayeredMount, linkOverlay, type OverlayMount, tidyOverlay } from "./mounts.ts";

export interface MountNamespace {
  /** Returns the overlay's mount point inside the namespace. */
  pathOf(mount: OverlayMount): string;
  /** The program and arguments before a command that should run inside the namespace. */
  readonly enter: readonly string[];
  /** True if the namespace belongs to a user namespace in which we are root. */
  readonly isMappedToRoot: boolean;
  close(): Promise<void>;
}

// Arguments: extra options, folders made by linkOverlay. It ends with its standard input, and so with us. The kernel
// would unmount then too, but some time later.
const holderScript = `
options=$1; shift
for folder do
  cd -- "$folder" && mkdir -p merged || exit 1
  lower=lower
  for layer in above-*; do if [ -e "$layer" ]; then lower=$layer:$lower; fi; done
  mount -t overlay overlay -o "lowerdir=$lower,upperdir=upper,workdir=work$options" merged || exit 1
done
cd /
echo ready
read -r _
for folder do umount "$folder/merged"; done`;

/** Milliseconds until a holder that does not end is killed. */
const closeLimitMs = 5000;

/**
 * Opens a mount namespace, and mounts the overlays in it. `folder` must exist; Millwright creates the mount points
 * there. Throws MillwrightError("sandbox") if the kernel forbids the namespace.
 */
export async function openMountNamespace(
  overlays: readonly LayeredMount[],
  folder: string,
): Promise<MountNamespace> {
  const folders = overlays.map((_, index) => join(folder, String(index)));
  for (const [index, overlay] of overlays.entries()) await linkOverlay(overlay, folders[index] ?? folder);
  const isRoot = process.getuid?.() === 0;
  const unshare = isRoot ? ["--mount"] : ["--user", "--map-root-user", "--mount"];
  const options = isRoot ? "" : ",userxattr";
  const holder = spawn(
    "unshare",
    [
      ...unshare,
      "--propagation",
      "private",
      "--",
      "/bin/sh",
      "-c",
      holderScript,
      "holder",
      options,
      ...folders,
    ],
    { cwd: "/", env: { PATH: launcherPath }, stdio: ["pipe", "pipe", "pipe"] },
  );
  await waitUntilReady(holder);
  const namespaces = `/proc/${holder.pid}/ns`;
  return {
    pathOf: (mount) => join(folders[overlays.indexOf(mount)] ?? folder, "merged"),
    enter: [
      "nsenter",
      ...(isRoot ? [] : [`--user=${namespaces}/user`, "--preserve-credentials"]),
      `--mount=${namespaces}/mnt`,
      "--",
    ],
    isMappedToRoot: !isRoot,
    async close() {
      const ended = new Promise<void>((resolve) => holder.once("close", () => resolve()));
      if (holder.exitCode === null && holder.signalCode === null) {
        const timer = setTimeout(() => holder.kill("SIGKILL"), closeLimitMs);
        holder.stdin?.end();
        await ended;
        clearTimeout(timer);
      }
      await Promise.all(overlays.map(tidyOverlay));
    },
  };
}

function waitUntilReady(holder: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let problem = "";
    const fail = (reason: string): void => {
      reject(
        new MillwrightError("sandbox", `Cannot mount an overlay: ${reason}`, {
          hint: "Put the folder of the changes on a file system that overlayfs supports (ext4, xfs, btrfs, tmpfs).",
        }),
      );
    };
    holder.stdin?.on("error", () => {});
    holder.stderr?.on("data", (chunk: Buffer) => {
      problem += chunk.toString();
    });
    holder.stdout?.once("data", () => resolve());
    holder.once("error", (error) => fail(error.message));
    holder.once("close", (code) => fail(problem.trim() || `unshare ended with exit code ${code}`));
  });
}
