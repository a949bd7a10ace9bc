/**
 * The context of an event in a run: arm, action, tool call and conversation. Each opens its scope here, and events
 * recorded inside carry it, like a span's parent in a trace.
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
