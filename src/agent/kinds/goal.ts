import type { KindRules } from "./contract.ts";

/**
 * Describes the gate to the model or person that chooses actions. `isOpen`: returns true if the reader may choose the
 * action.
 */
export function describeGoal({ goal, way }: KindRules, isOpen: (action: string) => boolean): string {
  const steps = way
    .filter(({ action }) => action === undefined || isOpen(action))
    .map(({ action, text }) => (action === undefined ? text : `${text} (${action})`));
  return steps.length === 0 ? goal : `${goal} Work in this order: ${steps.join("; ")}.`;
}
