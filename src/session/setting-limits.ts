/** Converts settings to limits. */
import type { RunDescription } from "../agent/run/run-store.ts";
import type { BudgetLimits } from "../llm/contract.ts";
import type { Settings } from "./settings.ts";

/** Returns the model limits for a command that keeps no run. */
export function modelLimitsOf({ maxCost, maxTokens }: Settings): BudgetLimits {
  return {
    ...(maxCost === undefined ? {} : { usd: maxCost }),
    ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
  };
}

/** Returns the limits of a whole run, and the limits of each of its sandboxes. */
export function limitsOf(settings: Settings): RunDescription["limits"] {
  return {
    ...(settings.maxTime === undefined ? {} : { maxMs: settings.maxTime }),
    ...(settings.maxSteps === undefined ? {} : { maxSteps: settings.maxSteps }),
    ...(settings.maxCost === undefined ? {} : { maxUsd: settings.maxCost }),
    ...(settings.maxTokens === undefined ? {} : { maxTokens: settings.maxTokens }),
    memoryBytes: settings.memory,
    cpus: settings.cpus,
    processes: settings.processes,
  };
}
