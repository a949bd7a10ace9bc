import { cpus } from "node:os";
import { join } from "node:path";
import type Docker from "dockerode";
import { MillwrightError } from "../../base/errors.ts";
import type { Mount, SandboxSpec } from "../contract.ts";
import { makeHostName } from "../host-name.ts";
import { isInside, type OverlayMount } from "../mounts.ts";
import { containerProfile } from "../seccomp.ts";
import type { StateFolders } from "../state-folders.ts";
import type { HostView } from "../toolchain.ts";
import { labelsOf } from "./client.ts";

/** Number of the daemon's own processes and threads that join a container for each command. */
const processesOfDocker = 24;

export interface ContainerPlan {
  readonly image: string;
  readonly user: string;
  readonly home: string;
  /** The shown part of the host; absent with a user's image. */
  readonly view: HostView | undefined;
  readonly state: StateFolders;
  readonly volumes: ReadonlyMap<OverlayMount, string>;
}

// The first process. It reads words from its standard input, which stays open as long as we live. For each word it
// kills all other processes, waits until they are gone, and answers with the word and the number of processes that the
// kernel has killed for memory. Until then it starts no process, so that it works at the limits of the container. It
// must reap ended orphans: a shell does so while it waits for a child. If it can start no child, it ends, and the
// container with it.
const firstProcess = `
trap '' HUP INT TERM PIPE
is_alive() {
  while read -r name value; do
    [ "$name" = State: ] || continue
    case $value in Z*|X*) return 1;; esac
    return 0
  done <"$1/status"
  return 1
}
others_are_alive() {
  for process in /proc/[0-9]*; do
    if [ "$process" != /proc/1 ] && is_alive "$process"; then return 0; fi
  done
  return 1
}
while read -r word; do
  kill -9 -1
  while others_are_alive; do kill -9 -1; done
  kills=0
  for file in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
    [ -r "$file" ] || continue
    while read -r name value; do
      if [ "$name" = oom_kill ]; then kills=$value; fi
    done <"$file"
  done
  echo "$word $kills"
  ( : )
done 2>/dev/null`;

export function containerOptions(spec: SandboxSpec, plan: ContainerPlan): Docker.ContainerCreateOptions {
  const { limits } = spec;
  return {
    Image: plan.image,
    Entrypoint: ["/bin/sh"],
    Cmd: ["-c", firstProcess],
    User: plan.user,
    WorkingDir: "/",
    StopSignal: "SIGKILL", // the first process ignores all other signals
    Env: [],
    Hostname: makeHostName(),
    Labels: labelsOf(spec.owner),
    OpenStdin: true,
    StdinOnce: true, // the container ends with our connection
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    HostConfig: {
      AutoRemove: true,
      NetworkMode: spec.network ? "default" : "none",
      ReadonlyRootfs: plan.view !== undefined,
      CapDrop: ["ALL"],
      // With SELinux, its labels would forbid the mounted folders, and the user's files must not be relabelled.
      SecurityOpt: ["no-new-privileges", "label=disable", `seccomp=${containerProfile()}`],
      IpcMode: "private",
      LogConfig: { Type: "none", Config: {} },
      Memory: limits.memoryBytes,
      MemorySwap: limits.memoryBytes,
      PidsLimit: limits.processes + processesOfDocker,
      NanoCpus: Math.round(Math.min(limits.cpus, cpus().length) * 1e9), // the daemon refuses more
      ShmSize: Math.floor(limits.memoryBytes / 2),
      Mounts: mountSettings(spec, plan),
      Tmpfs: { "/run": "" },
    },
  };
}

function mountSettings(spec: SandboxSpec, plan: ContainerPlan): Docker.MountSettings[] {
  const isReplaced = (path: string): boolean => spec.mounts.some((mount) => isInside(path, mount.target));
  const writable = [
    { source: plan.state.temporary, target: "/tmp" },
    { source: plan.state.home, target: plan.home },
  ].filter(({ target }) => !isReplaced(target));
  return [
    ...writable.map(({ source, target }) => bind(source, target, false)),
    ...(plan.view?.folders ?? []).map(({ source, target }) => bind(source, target, true)),
    ...(plan.view?.hidden ?? []).map(({ path, folder }) =>
      bind(folder ? plan.state.emptyFolder : plan.state.emptyFile, path, true),
    ),
    ...spec.mounts.map((mount) => settingOf(mount, plan)),
  ];
}

function settingOf(mount: Mount, plan: ContainerPlan): Docker.MountSettings {
  if (mount.mode !== "overlay") return bind(mount.source, mount.target, mount.mode === "read-only");
  return { Type: "volume", Source: plan.volumes.get(mount) ?? "", Target: mount.target };
}

function bind(source: string, target: string, readOnly: boolean): Docker.MountSettings {
  return {
    Type: "bind",
    Source: source,
    Target: target,
    ReadOnly: readOnly,
    BindOptions: { Propagation: "rprivate" },
  };
}

/**
 * Returns the options of a volume that the daemon mounts as an overlay. `folder`: the folder in which `linkOverlay` made
 * the links. Throws MillwrightError("sandbox") for a path that Docker cannot mount.
 */
export function overlayVolume(name: string, owner: string, folder: string): Docker.VolumeCreateOptions {
  if (/[,:"\\\n]/.test(folder)) {
    throw new MillwrightError("sandbox", `Docker cannot mount an overlay below ${JSON.stringify(folder)}.`, {
      hint: "Choose a folder for runs without comma, colon, quote, backslash or line break in its path.",
    });
  }
  const path = (link: string): string => join(folder, link);
  return {
    Name: name,
    Driver: "local",
    Labels: labelsOf(owner),
    DriverOpts: {
      type: "overlay",
      device: "overlay",
      o: `lowerdir=${path("lower")},upperdir=${path("upper")},workdir=${path("work")}`,
    },
  };
}
