import type { AskContext, Route } from "./ask.ts";
import type { Budget } from "./budget.ts";
import type { CallWatcher, ModelRole } from "./contract.ts";
import type { Ledger } from "./spending.ts";

/** Which model answers for what. */
export interface Routes {
  readonly byRole: Readonly<Record<ModelRole, Route>>;
  readonly embedding: Route | undefined;
}

/** All that a client is made of. */
export interface ClientOptions {
  readonly routes: Routes;
  readonly context: AskContext;
  readonly budget: Budget;
  readonly ledger: Ledger;
  readonly watcher?: CallWatcher;
}
