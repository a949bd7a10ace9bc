/**
 * Tells a batch's attempts which providers currently accept no calls, and for how long (pauses). Finds the arms that
 * should not begin attempts, because one of their accounts has a long pause.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatDuration } from "../base/units.ts";
import type { Arm } from "../bench/attempt.ts";
import { type CallPauses, providerOf, servePauses } from "../llm/call-pauses.ts";
import { usualPatience } from "../llm/try-again.ts";
import type { Host } from "./host.ts";
import { accountsOfSession } from "./model-session.ts";
import { parseSettings } from "./settings.ts";

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

/** Returns the model accounts that the arm's attempts call from this machine; empty for a strategy without a model. */
export function accountsOfArm({ model, settings }: Pick<Arm, "model" | "settings">, host: Host): string[] {
  return model === null ? [] : accountsOfSession(parseSettings(settings), host);
}

/**
 * Finds the arms that must wait for a long pause of a provider. Returns the reasons by the arms' positions. An attempt
 * would fail during a long pause; calls wait for shorter pauses themselves. `accounts`: the accounts of each arm.
 */
export function findHeldArms(
  accounts: readonly (readonly string[])[],
  pauses: Iterable<LastingPause>,
): ReadonlyMap<number, string> {
  const long = [...pauses].filter(({ ms }) => ms > usualPatience.longestAskedMs).sort((a, b) => b.ms - a.ms);
  const held = new Map<number, string>();
  for (const [arm, own] of accounts.entries()) {
    const pause = long.find(({ account }) => own.includes(account));
    if (pause !== undefined)
      held.set(arm, `${providerOf(pause.account)} accepts no calls for ${formatDuration(pause.ms)}`);
  }
  return held;
}
