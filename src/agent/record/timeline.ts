/** Lists the activities of a run in the order of their start, only from its events. */
import type { RunEvent } from "../../domain/run-event.ts";
import { actionKey, type Cost, costOf } from "./costs.ts";

type EventOf<Name extends RunEvent["event"]> = Extract<RunEvent, { readonly event: Name }>;

interface Common {
  /** Start in milliseconds since the epoch. For an answer from the recording, the end, because it has no start. */
  readonly at: number;
  /** Nesting depth in actions, calls and tools. */
  readonly depth: number;
  /** Duration in milliseconds. Undefined if the activity is still running, or was interrupted. */
  readonly ms: number | undefined;
  readonly failed: boolean;
}

export type TimelineItem =
  | (Common & {
      readonly kind: "action";
      readonly started: EventOf<"action-started">;
      readonly ended: EventOf<"action-ended"> | undefined;
    })
  | (Common & {
      readonly kind: "call";
      readonly started: EventOf<"call-started" | "call-ended">;
      readonly ended: EventOf<"call-ended"> | undefined;
      readonly cost: Cost;
    })
  | (Common & {
      readonly kind: "tool";
      readonly started: EventOf<"tool-started">;
      readonly ended: EventOf<"tool-ended"> | undefined;
    });

export function timelineOf(events: readonly RunEvent[]): readonly TimelineItem[] {
  const ends = endsOf(events);
  const depths = new Map<string | number, number>();
  const depthOf = (key: string | number | undefined): number =>
    key === undefined ? 0 : (depths.get(key) ?? -1) + 1;
  return events.flatMap((event): readonly TimelineItem[] => {
    if (event.event === "action-started") {
      const depth = depthOf(event.within);
      depths.set(actionKey(event), depth);
      const ended = ends.actions.get(actionKey(event));
      const ms = ended === undefined ? undefined : ended.at - event.at;
      return [
        { kind: "action", at: event.at, depth, ms, failed: ended?.failed === true, started: event, ended },
      ];
    }
    if (event.event === "tool-started") {
      const depth = depthOf(event.call);
      depths.set(event.order, depth);
      const ended = ends.tools.get(event.order);
      return [
        {
          kind: "tool",
          at: event.at,
          depth,
          ms: ended?.ms,
          failed: ended?.failed === true,
          started: event,
          ended,
        },
      ];
    }
    if (event.event !== "call-started" && (event.event !== "call-ended" || depths.has(event.order)))
      return [];
    const depth = depthOf(parentOf(event, depths));
    depths.set(event.order, depth);
    const ended = ends.calls.get(event.order);
    const [cost, failed] = [costOf(ended === undefined ? [] : [ended]), ended?.failure !== undefined];
    return [{ kind: "call", at: event.at, depth, ms: ended?.ms, failed, started: event, ended, cost }];
  });
}

/** The innermost enclosing action or tool call. */
function parentOf(
  call: EventOf<"call-started" | "call-ended">,
  depths: ReadonlyMap<string | number, number>,
): string | number | undefined {
  const around = [call.round === undefined ? undefined : actionKey(call), call.within].filter(
    (key) => key !== undefined && depths.has(key),
  );
  return around.sort((one, other) => (depths.get(other ?? 0) ?? 0) - (depths.get(one ?? 0) ?? 0))[0];
}

function endsOf(events: readonly RunEvent[]) {
  const actions = new Map<string, EventOf<"action-ended">>();
  const calls = new Map<number, EventOf<"call-ended">>();
  const tools = new Map<number, EventOf<"tool-ended">>();
  for (const event of events) {
    if (event.event === "action-ended") actions.set(actionKey(event), event);
    if (event.event === "call-ended") calls.set(event.order, event);
    if (event.event === "tool-ended") tools.set(event.order, event);
  }
  return { actions, calls, tools };
}
