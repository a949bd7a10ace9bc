/**
 * Tells a batch's attempts which providers take no calls at present, and for how long (pauses). Finds pauses that are
 * so long that no attempt should begin.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatDuration } from "../base/units.ts";
import { type CallPauses, providerOf, servePauses } from "../llm/call-pauses.ts";
import { usualPatience } from "../llm/try-again.ts";

export interface OpenPauses {
  readonly socket: string;
  close(): Promise<void>;
}

export async function openPauses(pauses: CallPauses): Promise<OpenPauses> {
  const folder = await mkdtemp(join(tmpdir(), "millwright-pauses-"));
  const socket = join(folder, "pauses");
  const server = await servePauses(socket, pauses);
  return {
    socket,
    async close() {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface LastingPause {
  readonly account: string;
  readonly ms: number;
}

/**
 * The longest of the pauses that last too long for calls to wait; undefined if there is none. Calls wait for shorter
 * pauses themselves.
 */
export function findLongPause(pauses: Iterable<LastingPause>): LastingPause | undefined {
  const long = [...pauses].filter(({ ms }) => ms > usualPatience.longestAskedMs);
  return long.sort((a, b) => b.ms - a.ms)[0];
}

export function tellPause({ account, ms }: LastingPause): string {
  return `${providerOf(account)} takes no calls for ${formatDuration(ms)}`;
}
