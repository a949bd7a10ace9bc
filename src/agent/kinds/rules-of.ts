import { MillwrightError } from "../../base/errors.ts";
import type { TaskKind } from "../../domain/task.ts";
import type { KindRules } from "./contract.ts";
import { repair } from "./repair.ts";

const all: readonly KindRules[] = [repair];

/** Throws MillwrightError("usage") for a kind that no strategy with a model does. */
export function rulesOf(kind: TaskKind): KindRules {
  const rules = all.find(({ kinds }) => kinds.includes(kind));
  if (rules === undefined)
    throw new MillwrightError("usage", `Tasks of the kind ${kind} are not done by this version`);
  return rules;
}
