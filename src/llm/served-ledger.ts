/**
 * The ledger of a batch on several machines. The worker of each machine serves it on a socket to the processes that
 * call models. These processes know only the socket, not the server behind it.
 */
import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { z } from "zod";
import { MillwrightError } from "../base/errors.ts";
import type { Amounts, BatchLedger } from "./batch-spending.ts";
import type { BudgetLimits } from "./contract.ts";
import { askSocket, serveSocket } from "./socket-service.ts";

/**
 * Operations on the amounts that a batch has used or reserved. `hold` resolves to false if too little is left. If a
 * caller repeats an operation with the same id, it counts once.
 */
export interface LedgerKeeper {
  taken(): Promise<Amounts>;
  hold(id: string, most: Amounts): Promise<boolean>;
  settle(id: string, used: Amounts): Promise<void>;
}

const amountsSchema = z.object({ usd: z.number(), tokens: z.number(), calls: z.number() });
const askedSchema = z.discriminatedUnion("ask", [
  z.object({ ask: z.literal("taken") }),
  z.object({ ask: z.literal("hold"), id: z.string(), amounts: amountsSchema }),
  z.object({ ask: z.literal("settle"), id: z.string(), amounts: amountsSchema }),
]);
type Asked = z.infer<typeof askedSchema>;

/** Serves a ledger. Returns the listening server; the caller closes it. */
export function serveLedger(socket: string, keeper: LedgerKeeper): Promise<Server> {
  return serveSocket(socket, (question) => answerAsked(askedSchema.parse(question), keeper));
}

async function answerAsked(asked: Asked, keeper: LedgerKeeper): Promise<unknown> {
  if (asked.ask === "taken") return keeper.taken();
  if (asked.ask === "hold") return keeper.hold(asked.id, asked.amounts);
  await keeper.settle(asked.id, asked.amounts);
  return true;
}

export function openServedLedger(socket: string, limits: BudgetLimits): BatchLedger {
  return {
    limits,
    taken: async () => amountsSchema.parse(await askServer(socket, { ask: "taken" })),
    async hold(most) {
      const id = randomUUID();
      if ((await askServer(socket, { ask: "hold", id, amounts: most })) !== true) return undefined;
      return {
        async settle(used) {
          // If the server does not answer, the amounts stay held: the call was paid, and its answer must not be lost.
          await askServer(socket, { ask: "settle", id, amounts: used }).catch(() => {});
        },
      };
    },
  };
}

async function askServer(socket: string, asked: Asked): Promise<unknown> {
  try {
    return await askSocket(socket, asked);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MillwrightError("queue", `The server of the batch's budget does not answer: ${reason}`, {
      cause,
    });
  }
}
