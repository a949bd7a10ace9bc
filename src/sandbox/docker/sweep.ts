import { ask, connectDocker, isLeftover, mayHaveDaemon, ownerLabel } from "./client.ts";

/**
 * Removes abandoned containers and volumes. Returns their names, as texts for people. Does nothing without a daemon.
 */
export async function sweepDocker(isAlive: (owner: string) => boolean): Promise<string[]> {
  if (!mayHaveDaemon()) return [];
  const docker = await connectDocker();
  const isThere = await ask("looking for the daemon", docker.ping(), { limitMs: 2000 }).then(
    () => true,
    () => false,
  );
  if (!isThere) return [];
  const removed: string[] = [];
  const filters = { label: [ownerLabel] };
  const containers = await ask("listing containers", docker.listContainers({ all: true, filters }));
  for (const { Id: id, Labels: labels } of containers) {
    if (!isLeftover(labels, isAlive)) continue;
    // It may already be removing itself, which is just as good.
    await ask("removing a container", docker.getContainer(id).remove({ force: true })).catch(() => {});
    removed.push(`container ${id.slice(0, 12)}`);
  }
  const { Volumes: volumes } = await ask("listing volumes", docker.listVolumes({ filters }));
  for (const { Name: name, Labels: labels } of volumes ?? []) {
    if (!isLeftover(labels, isAlive)) continue;
    const isRemoved = await ask("removing a volume", docker.getVolume(name).remove({ force: true })).then(
      () => true,
      () => false,
    );
    if (isRemoved) removed.push(`volume ${name}`);
  }
  return removed;
}
