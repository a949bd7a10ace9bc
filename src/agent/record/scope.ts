/**
 * The context of an event in a run: its arm, action, tool call and conversation. Each of these opens a scope with
 * `inScope`. An event recorded in the scope refers to the scope, as a span refers to its parent in a trace.
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
