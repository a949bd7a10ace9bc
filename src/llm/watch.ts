/** Notifies a watcher about each request: before it is sent, and when its answer or failure arrives. */
import { type Asked, ask, type Call, type Route } from "./ask.ts";
import {
  type CallEnd,
  type CallWatch,
  type ModelRequest,
  providerFailures,
  type WatchedCall,
} from "./contract.ts";
import type { RawAnswer, RawUsage, RawVectors } from "./provider.ts";
import { toFailure } from "./read-answer.ts";
import { handleOf } from "./recording/store.ts";
import type { ClientOptions } from "./routes.ts";
import { addUsages } from "./spending.ts";

type Purpose = WatchedCall["role"];

export interface WatchedAsk<T> {
  readonly role: Purpose;
  readonly route: Route;
  readonly call: Omit<Call<T>, "onAsking">;
  readonly condensed?: ModelRequest["condensed"];
  readonly sample?: number | undefined;
}

/** Sends a request, counts its cost, and notifies the watcher. */
export async function askWatched<T extends RawAnswer | RawVectors>(
  { budget, context, ledger, watcher, onOutage }: ClientOptions,
  { role, route, call, condensed, sample = 0 }: WatchedAsk<T>,
): Promise<Asked<T> & { readonly handle: string }> {
  const handle = handleOf(call.request, context.redactor);
  const watch: CallWatch | undefined = watcher?.({
    ...{ role, handle, model: route.name },
    ...(condensed === undefined ? {} : { condensed }),
    ...(sample === 0 ? {} : { sample }),
  });
  const retries: CallEnd["retries"][number][] = [];
  const started = context.clock.now();
  const asked = await ask(
    route,
    budget,
    {
      ...call,
      onAsking: () => watch?.asking(),
      onProgress(event) {
        if (event.type === "again") retries.push({ because: event.because, waitMs: event.waitMs });
        call.onProgress(event);
      },
    },
    context,
  );
  for (const usage of asked.usages) ledger.add(role, usage);
  watch?.ended({ ...endOf(asked, route), retries, ms: Math.round(context.clock.now() - started) });
  const { result } = asked;
  if (!result.ok && providerFailures.has(result.kind)) onOutage?.(toFailure(result));
  return { ...asked, handle };
}

function endOf<T extends RawAnswer | RawVectors>(
  { result, before, fresh, recorded }: Asked<T>,
  { name, transport }: Route,
): Omit<CallEnd, "retries" | "ms"> {
  const told = {
    recorded: recorded || transport.repeats === true,
    repeated: recorded,
    cost: (counted: number) => addUsages(unseen(before, fresh, counted)),
  };
  if (!result.ok)
    return { ...told, model: name, failure: { kind: result.kind, message: result.message }, calls: [] };
  const value: RawAnswer | RawVectors = result.value;
  if (!("parts" in value)) return { ...told, model: name, calls: [] };
  const calls = value.parts.flatMap((part) => (part.type === "call" ? { id: part.id, tool: part.name } : []));
  return { ...told, model: value.model ?? name, finish: value.finish, calls };
}

/** Drops the paid attempts that were counted before. The recording lists all paid attempts of a request, in order. */
function unseen(
  before: readonly RawUsage[],
  fresh: readonly RawUsage[],
  counted: number,
): readonly RawUsage[] {
  return [...before.slice(counted), ...fresh];
}
