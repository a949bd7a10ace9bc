import { expect, test } from "vitest";
import type { Replayed } from "../bench/work/replayed.ts";
import { mergeReplayed } from "./bench-replay.ts";

const row = (run: string, validity: Replayed["validity"]): Replayed => ({
  ...{ run, validity, reason: "", outputs: [] },
});

test("a replay of some attempts keeps the results of the others", () => {
  const tries = [
    { run: "a", replayed: row("a", "none") },
    { run: "b", replayed: row("b", "valid") },
    { run: "c" },
  ];
  expect(mergeReplayed(tries, [row("a", "irrelevant")])).toEqual([row("a", "irrelevant"), row("b", "valid")]);
});
