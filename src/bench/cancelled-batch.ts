/** Describes a cancelled batch, which has only a part of the planned results. */
import type { Arm } from "./attempt.ts";
import type { BatchDocument } from "./batch-document.ts";
import type { CountedTry } from "./batch-report.ts";
import { nameOfArm } from "./reported-arms.ts";

type Cancelled = NonNullable<BatchDocument["cancelled"]>;

/** Counts the planned tries without a result, by arm. */
export function describeCancelled(
  planned: readonly { readonly arm: Pick<Arm, "strategy" | "model"> }[],
  results: readonly Pick<CountedTry, "strategy" | "model">[],
): Cancelled {
  const arms = Map.groupBy(planned, ({ arm }) => nameOfArm(arm));
  const ended = Map.groupBy(results, nameOfArm);
  const missing = [...arms].flatMap(([name, own]) => {
    const tries = own.length - (ended.get(name)?.length ?? 0);
    const arm = own[0]?.arm;
    return tries === 0 || arm === undefined ? [] : [{ strategy: arm.strategy, model: arm.model, tries }];
  });
  return { planned: planned.length, missing };
}

export function tellCancelled({ planned, missing }: Cancelled): string {
  const lacking = missing.reduce((sum, { tries }) => sum + tries, 0);
  const arms = missing.map((arm) => `${nameOfArm(arm)}: ${arm.tries}`).join(", ");
  const without = lacking === 0 ? "" : ` (without a result: ${arms})`;
  return `partial, because the batch was cancelled: ${planned - lacking} of ${planned} tries have a result${without}`;
}
