import { expect, test } from "vitest";
import type { RunEvent } from "../../domain/run-event.ts";
import { appendOnce, type Notes, remarkOnce } from "./once.ts";

test("a resumed run that comes by again notes nothing twice, and another thing once", () => {
  const events: RunEvent[] = [];
  const notes: Notes = { events, append: (event) => events.push({ ...event, at: 0 }) };
  for (const text of ["a", "b", "a"]) remarkOnce(notes, text);
  expect(events.map((event) => event.event === "remark-made" && event.text)).toEqual(["a", "b"]);
  for (const round of [1, 2, 2])
    appendOnce(
      notes,
      { event: "action-skipped", round, action: "finish", why: "no test can be run" },
      (known) => known.round === round,
    );
  expect(events.length).toBe(4);
});
