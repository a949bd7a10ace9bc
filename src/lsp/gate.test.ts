import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { createGate } from "./gate.ts";

test("those that share run at once, and one that is alone runs with nobody", async () => {
  const gate = createGate();
  const events: string[] = [];
  const work = (name: string) => async () => {
    events.push(`${name} begins`);
    await delay(5);
    events.push(`${name} ends`);
    return name;
  };
  const all = [
    gate.shared(work("a")),
    gate.shared(work("b")),
    gate.alone(work("C")),
    gate.shared(work("d")),
    gate.alone(work("E")),
  ];
  expect(await Promise.all(all)).toEqual(["a", "b", "C", "d", "E"]);
  expect(events).toEqual([
    ...["a begins", "b begins", "a ends", "b ends"],
    ...["C begins", "C ends", "d begins", "d ends", "E begins", "E ends"],
  ]);
});

test("work that fails lets the next through", async () => {
  const gate = createGate();
  const failing = gate.alone(() => Promise.reject(new Error("broken")));
  const next = gate.shared(async () => "through");
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("through");
});
