/** Tells the current activity of a run, from its events as they arrive. */
import type { RunEvent } from "../../domain/run-event.ts";

/** Names an action with its intent, if any. Steps by rule may have no intent. */
export function nameAction({ action, intent }: { readonly action: string; readonly intent: string }): string {
  return intent.trim() === "" ? action : `${action}: ${intent}`;
}

/** Watches events. `current` returns the latest activity that has not ended; "" if there is none. */
export function watchActivity(): { see(event: RunEvent): void; current(): string } {
  let open: { readonly key: string; readonly text: string }[] = [];
  const begin = (key: string, text: string): void => {
    open = [...open.filter((each) => each.key !== key), { key, text }];
  };
  const end = (key: string): void => {
    open = open.filter((each) => each.key !== key);
  };
  return {
    see(event) {
      switch (event.event) {
        // A phase begins at the end of the previous one.
        case "phase-started":
        case "run-ended":
        case "run-interrupted":
          open = [];
          break;
        case "action-started":
          begin("action", `${event.round}. ${nameAction(event)}`);
          break;
        case "action-ended":
          end("action");
          break;
        case "call-started":
          begin(`call ${event.order}`, `wait for ${event.model} (${event.role})`);
          break;
        case "call-ended":
          end(`call ${event.order}`);
          break;
        case "tool-started":
          begin(`tool ${event.order}`, `${event.tool} ${event.about}`.trim());
          break;
        case "tool-ended":
          end(`tool ${event.order}`);
          break;
        case "step-started":
          begin(`step ${event.step}`, event.title);
          break;
        case "step-finished":
          end(`step ${event.step}`);
          break;
      }
    },
    current: () => open.at(-1)?.text ?? "",
  };
}
