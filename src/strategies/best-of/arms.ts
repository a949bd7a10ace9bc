/** Which strategies are run, and how each is told apart from the others. */
import type { Strategy, StrategyContext } from "../../agent/strategy.ts";
import { MillwrightError } from "../../base/errors.ts";
import type { ModelSettings } from "../../llm/contract.ts";

export interface Arm {
  /** `1`, `2` …: what its candidates' ids begin with. */
  readonly id: string;
  readonly strategy: Strategy;
  /** How often the same strategy stands before it: it is decoded another way then. */
  readonly sample: number;
}

const usualArms = ["unified", "react", "workflow"];
/** Of `--samples` without `--arms`. */
const sampled = "unified";

/** Of samples after the first. Agentless has the same (Xia et al., FSE 2025). */
export const sampledTemperature = 0.8;

/** Throws MillwrightError("usage") for a strategy that there is not, that runs others itself, or does not do the task's kind. */
export function chooseArms({ arms, samples, strategies = [], task }: StrategyContext, own: string): Arm[] {
  const names = arms ?? (samples === undefined ? usualArms : Array.from({ length: samples }, () => sampled));
  return names.map((name, index) => {
    const strategy = strategies.find((each) => each.name === name && name !== own);
    if (strategy === undefined)
      throw refuse(
        `${own} cannot run a strategy ${name}`,
        strategies.filter((each) => each.name !== own),
      );
    if (!strategy.kinds.includes(task.kind))
      throw refuse(
        `The strategy ${name} does not do tasks of the kind ${task.kind}`,
        strategies.filter((each) => each.name !== own && each.kinds.includes(task.kind)),
      );
    const sample = names.slice(0, index).filter((earlier) => earlier === name).length;
    return { id: String(index + 1), strategy, sample };
  });
}

function refuse(message: string, known: readonly Strategy[]): MillwrightError {
  return new MillwrightError("usage", message, {
    hint: `Choose from: ${known.map(({ name }) => name).join(", ")}.`,
  });
}

export function decodingOf({ strategy, sample }: Arm): ModelSettings {
  const usual: ModelSettings = { temperature: 0, ...strategy.decoding };
  return sample === 0 ? usual : { ...usual, temperature: sampledTemperature, sample };
}
