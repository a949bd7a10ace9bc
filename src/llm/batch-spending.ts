/** Limits the total spending on models of all processes of a batch. */
import type { BudgetLimits } from "./contract.ts";

export interface Amounts {
  usd: number;
  tokens: number;
  calls: number;
}

export interface BatchLedger {
  readonly limits: BudgetLimits;
  /**
   * Returns the amounts that all processes have used or reserved. Throws MillwrightError("disk" or "queue") if the
   * ledger cannot be read.
   */
  taken(): Promise<Amounts>;
  /** Reserves the amounts. Undefined if other processes were first and too little is left. */
  hold(most: Amounts): Promise<Hold | undefined>;
}

export interface Hold {
  settle(used: Amounts): Promise<void>;
}
