import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { Recorder } from "../../agent/record/recorder.ts";
import { recordAgentWork } from "./agent-work.ts";

test("the commands of an agent that works in several arms are recorded for each arm", async () => {
  const keys: string[] = [];
  const recorderOf = (arm: string) =>
    partOf<Recorder>({
      arm,
      step({ key }, work) {
        keys.push(key);
        return work();
      },
    });
  const use = { what: "run", about: "ls", failed: false, ms: 1, output: "" } as const;
  for (const arm of ["", "1", "2"]) await recordAgentWork(recorderOf(arm), 1).used(use);
  expect(keys).toEqual(["external:1:1", "external:1:1:1", "external:1:1:2"]);
});
