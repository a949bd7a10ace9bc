/**
 * Chooses the strategies to run as arms. If a strategy occurs several times, all its arms but the first sample with a
 * higher temperature.
 */
import type { Strategy, StrategyContext } from "../../agent/strategy.ts";
import { MillwrightError } from "../../base/errors.ts";
import type { ModelSettings } from "../../llm/contract.ts";

export interface Arm {
  /** The arm's id (`1`, `2` …), which is the prefix of its candidates' ids. */
  readonly id: string;
  readonly strategy: Strategy;
  /** Number of earlier arms with the same strategy. Later arms sample at another temperature. */
  readonly sample: number;
}

const usualArms = ["unified", "react", "workflow"];
/** The strategy of all arms, if the user gives a number of samples but no arms. */
const sampled = "unified";

/** The temperature for all samples of a strategy except the first one, as in Agentless (Xia et al., FSE 2025). */
export const sampledTemperature = 0.8;

/**
 * Chooses the arms. Throws MillwrightError("usage") if a strategy is unknown, is the calling strategy (`own`), or does
 * not support the task's kind.
 */
export function chooseArms({ arms, samples, strategies = [], task }: StrategyContext, own: string): Arm[] {
  const names = arms ?? (samples === undefined ? usualArms : Array.from({ length: samples }, () => sampled));
  return names.map((name, index) => {
    const strategy = strategies.find((each) => each.name === name && name !== own);
    if (strategy === undefined)
      throw refuse(
        `${own} cannot run the strategy ${name}`,
        strategies.filter((each) => each.name !== own),
      );
    if (!strategy.kinds.includes(task.kind))
      throw refuse(
        `The strategy ${name} cannot solve tasks of the kind ${task.kind}`,
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

/** The settings of an arm's requests. Without a temperature, the user's setting applies. */
export function decodingOf({ strategy: { decoding = {} }, sample }: Arm): ModelSettings {
  return sample === 0 ? decoding : { ...decoding, temperature: sampledTemperature, sample };
}
