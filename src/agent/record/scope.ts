/**
 * Where in a run something happens: the arm, the action, the tool call and the conversation around it. Whoever opens one of them says
 * so here, and what is written down inside carries it, as a span of a trace does its parent.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { CallScope } from "../../domain/run-event.ts";

const scopes = new AsyncLocalStorage<CallScope>();

export function inScope<T>(part: CallScope, work: () => Promise<T>): Promise<T> {
  return scopes.run({ ...scopes.getStore(), ...part }, work);
}

export function currentScope(): CallScope {
  return scopes.getStore() ?? {};
}
