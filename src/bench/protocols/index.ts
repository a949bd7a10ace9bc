/** Chooses the protocol that a grading rule needs. */
import type { Grader } from "../graders/contract.ts";
import type { Protocol } from "./contract.ts";
import { feature } from "./feature.ts";
import { hiddenTests } from "./hidden-tests.ts";
import { targetTests } from "./target-tests.ts";
import { judgeFaults } from "./without-runs.ts";
import { writtenTests } from "./written-tests.ts";

const protocols: Readonly<Record<Grader["asks"], Protocol>> = {
  "hidden-tests": hiddenTests,
  "written-tests": writtenTests,
  "target-tests": targetTests,
  feature,
};

export function protocolOf({ asks }: Pick<Grader, "asks">): Protocol {
  const protocol = protocols[asks];
  return {
    ...protocol,
    async judge(measurement, task, frameworks) {
      const judged = await protocol.judge(measurement, task, frameworks);
      return judgeFaults(judged, measurement, protocol.controls, frameworks);
    },
  };
}
