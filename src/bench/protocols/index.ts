/** Chooses the protocol that a grading rule needs. */
import type { Grader } from "../graders/contract.ts";
import type { Protocol } from "./contract.ts";
import { feature } from "./feature.ts";
import { hiddenTests } from "./hidden-tests.ts";
import { targetTests } from "./target-tests.ts";
import { writtenTests } from "./written-tests.ts";

const protocols: Readonly<Record<Grader["asks"], Protocol>> = {
  "hidden-tests": hiddenTests,
  "written-tests": writtenTests,
  "target-tests": targetTests,
  feature,
};

export function protocolOf({ asks }: Grader): Protocol {
  return protocols[asks];
}
