/** Writes notes once per run. A resumed run passes the same points again, but must not repeat the notes. */
import type { NewRunEvent, RunEvent } from "../../domain/run-event.ts";
import type { Recorder } from "./recorder.ts";

type Name = RunEvent["event"];
type Of<Event, N extends Name> = Extract<Event, { readonly event: N }>;
export type Notes = Pick<Recorder, "events" | "append">;

/** Appends an event, unless the run has an event of this name for which `isSame` is true. */
export function appendOnce<N extends Name>(
  { events, append }: Notes,
  event: Of<NewRunEvent, N>,
  isSame: (known: Of<RunEvent, N>) => boolean,
): void {
  const isNamed = (known: RunEvent): known is Of<RunEvent, N> => known.event === event.event;
  if (!events.some((known) => isNamed(known) && isSame(known))) append(event);
}

/** Adds a remark to the record and the report, once in a run. */
export function remarkOnce(notes: Notes, text: string, level: "note" | "warning" = "warning"): void {
  appendOnce(notes, { event: "remark-made", level, text }, (known) => known.text === text);
}
