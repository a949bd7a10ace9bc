/**
 * Shares the pauses that providers demand among all attempts of a batch. A process that meets a rate limit informs the
 * others. They then also wait before they call this account.
 */
import type { Server } from "node:http";
import { hostname } from "node:os";
import { z } from "zod";
import { hashData } from "../base/hash.ts";
import { askSocket, serveSocket } from "./socket-service.ts";

/**
 * The environment variable with the path of a socket. At this socket, one process shares a batch's pauses with the
 * others.
 */
export const pausesVariable = "MILLWRIGHT_CALL_PAUSES";

export interface CallPauses {
  /** Returns the milliseconds for which the account takes no calls. */
  remaining(account: string): Promise<number>;
  /** Stops calls to the account for `ms` milliseconds, at most a day. Does not shorten a longer pause. */
  pause(account: string, ms: number): Promise<void>;
  /**
   * Stops calls to an account that refused all attempts of a call without naming a waiting time. The pause lasts ten
   * minutes. A repetition within an hour after the pause doubles it, up to an hour.
   */
  pauseLong(account: string): Promise<void>;
}

/**
 * Pauses in milliseconds if the provider names none. They are longer than a call itself waits, so that attempts that
 * need the account do not begin.
 */
const guessedMs = { first: 600_000, longest: 3_600_000 };

/** Maximum pause in milliseconds: a day. A provider may ask for a longer one, but Millwright then asks again. */
const longestMs = 24 * 3_600_000;

/**
 * Names the account to which a provider applies its rate limits: a key at an address. For a server on loopback, the
 * name also depends on the machine. The name does not reveal the key.
 */
export function accountOf(provider: string, address: string, key: string | undefined): string {
  const host = URL.canParse(address) ? new URL(address).hostname : "";
  const machine = /^(localhost|127\.|\[::1\])/.test(host) ? hostname() : "";
  return `${provider} ${hashData([address, key ?? "", machine]).slice(0, 16)}`;
}

/** Returns the provider's name in an account's name. */
export function providerOf(account: string): string {
  return account.split(" ", 1)[0] ?? account;
}

export interface HeldPauses extends CallPauses {
  /** Returns the current pauses, in milliseconds by account. */
  listed(): Promise<ReadonlyMap<string, number>>;
}

/** Keeps pauses in this process's memory, for a batch on one machine. `now`: milliseconds. */
export function keepPauses(now: () => number = performance.now.bind(performance)): HeldPauses {
  const ends = new Map<string, number>();
  const remaining = (account: string): number => Math.max(0, (ends.get(account) ?? 0) - now());
  const pause = async (account: string, ms: number): Promise<void> => {
    const end = now() + Math.min(ms, longestMs);
    ends.set(account, Math.max(end, ends.get(account) ?? end));
  };
  const guessed = new Map<string, { readonly ms: number; readonly end: number }>();
  return {
    remaining: async (account) => remaining(account),
    pause,
    async pauseLong(account) {
      const before = guessed.get(account);
      const since = before === undefined ? Number.POSITIVE_INFINITY : now() - before.end;
      // Calls that began before the pause end within it: they tell nothing new.
      if (since < 0) return;
      const ms =
        before === undefined || since > guessedMs.longest
          ? guessedMs.first
          : Math.min(2 * before.ms, guessedMs.longest);
      guessed.set(account, { ms, end: now() + ms });
      await pause(account, ms);
    },
    async listed() {
      const all = [...ends.keys()].map((account) => [account, remaining(account)] as const);
      return new Map(all.filter(([, ms]) => ms > 0));
    },
  };
}

export interface PauseStore {
  pause(account: string, ms: number): Promise<void>;
  listPauses(): Promise<readonly { readonly account: string; readonly ms: number }[]>;
}

/**
 * Maximum age in milliseconds of the data on which this process relies. It therefore asks the store at most once a
 * second.
 */
const freshMs = 1000;

/** Shares pauses between machines through a store. If the store does not answer, uses the pauses known so far. */
export function sharePauses(
  store: PauseStore,
  now: () => number = performance.now.bind(performance),
): HeldPauses {
  const known = keepPauses(now);
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const read = async (): Promise<void> => {
    readAt = now();
    const pauses = await store.listPauses().catch(() => []);
    for (const { account, ms } of pauses) await known.pause(account, ms);
  };
  const refresh = async (): Promise<void> => {
    if (now() - readAt >= freshMs) reading = read();
    await reading;
  };
  return {
    async remaining(account) {
      await refresh();
      return known.remaining(account);
    },
    async pause(account, ms) {
      await known.pause(account, ms);
      await store.pause(account, Math.min(ms, longestMs)).catch(() => {});
    },
    async pauseLong(account) {
      await known.pauseLong(account);
      await store.pause(account, await known.remaining(account)).catch(() => {});
    },
    async listed() {
      await refresh();
      return known.listed();
    },
  };
}

const askedSchema = z.object({
  account: z.string(),
  pauseMs: z.union([z.number().nonnegative(), z.literal("long")]).optional(),
});

/** Serves the pauses to attempts, which run in separate processes. The caller closes the server. */
export function servePauses(socket: string, pauses: CallPauses): Promise<Server> {
  return serveSocket(socket, async (question) => {
    const { account, pauseMs } = askedSchema.parse(question);
    if (pauseMs === "long") await pauses.pauseLong(account);
    else if (pauseMs !== undefined) await pauses.pause(account, pauseMs);
    return pauses.remaining(account);
  });
}

/** Opens the pauses that another process serves at the socket. If no process answers, calls do not wait. */
export function openServedPauses(socket: string): CallPauses {
  const ask = async (question: z.infer<typeof askedSchema>): Promise<number> =>
    z.number().parse(await askSocket(socket, question));
  return {
    remaining: (account) => ask({ account }).catch(() => 0),
    async pause(account, pauseMs) {
      await ask({ account, pauseMs }).catch(() => {});
    },
    async pauseLong(account) {
      await ask({ account, pauseMs: "long" }).catch(() => {});
    },
  };
}
