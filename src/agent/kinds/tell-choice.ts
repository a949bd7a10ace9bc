/** Tells people who or what chose a task's kind, and why. */
import type { KindChoice } from "../../domain/task.ts";

const finders: Readonly<Record<KindChoice["by"], string>> = {
  flags: "by the given input",
  rule: "by rule",
  model: "by the model",
  planner: "corrected by the planner",
};

export function tellChoice({ by, reason }: Pick<KindChoice, "by" | "reason">): string {
  return `${finders[by]}: ${reason.replace(/\.$/, "")}`;
}
