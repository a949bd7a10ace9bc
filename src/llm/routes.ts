import type { AskContext, Route } from "./ask.ts";
import type { Budget } from "./budget.ts";
import type { CallWatcher, Decoding, ModelFailure, ModelRole } from "./contract.ts";
import type { Ledger } from "./spending.ts";

/** The models of a run: one for each role, and one for embeddings if the user configured it. */
export interface Routes {
  readonly byRole: Readonly<Record<ModelRole, Route>>;
  readonly embedding: Route | undefined;
  readonly decoding: Readonly<Partial<Record<ModelRole, Decoding>>>;
}

/** The parts from which Millwright makes a model client. */
export interface ClientOptions {
  readonly routes: Routes;
  readonly context: AskContext;
  readonly budget: Budget;
  readonly ledger: Ledger;
  readonly watcher?: CallWatcher;
  /** Receives each failure for which the agent is not responsible (`providerFailures`). */
  readonly onOutage?: ((failure: ModelFailure) => void) | undefined;
}
