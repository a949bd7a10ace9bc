import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { RunEvent } from "../../domain/run-event.ts";
import { listActs } from "./recorded-acts.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "acts-"));
  mkdirSync(join(folder, "calls"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The events of an answer that runs this command. */
function run(order: number, command: string, arm?: string): RunEvent[] {
  const handle = `h${order}`;
  const part = { type: "call", id: "1", name: "bash", inputText: JSON.stringify({ command }) };
  writeFileSync(
    join(folder, "calls", `${handle}.answer.json`),
    JSON.stringify({ result: { value: { parts: [part] } } }),
  );
  const own = arm === undefined ? {} : { arm };
  return [
    partOf<Extract<RunEvent, { event: "call-ended" }>>({ event: "call-ended", ...own, order, handle }),
    partOf<Extract<RunEvent, { event: "tool-ended" }>>({
      event: "tool-ended",
      ...own,
      call: order,
      id: "1",
      tool: "bash",
      failed: false,
    }),
  ];
}

test("the acts of each arm are listed separately, and those of a run without arms together", () => {
  const command = (text: string) => ({ kind: "command", command: text });
  const several = [...run(1, "a", "1"), ...run(2, "b", "2"), ...run(3, "c", "1")];
  expect(listActs(folder, several)).toEqual([[command("a"), command("c")], [command("b")]]);
  expect(listActs(folder, [...run(1, "a"), ...run(2, "b")])).toEqual([[command("a"), command("b")]]);
});
