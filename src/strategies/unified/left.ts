/** Tells the planner of a run which limits (rounds, time, cost, tokens) remain. */
import { z } from "zod";
import { keyForArm } from "../../agent/control/arm.ts";
import type { StrategyContext } from "../../agent/strategy.ts";
import { countOf } from "../../base/count.ts";
import { formatDuration } from "../../base/units.ts";

/** Remaining milliseconds, US dollars and tokens. Each is absent without a limit. */
const leftSchema = z.object({
  ms: z.number().optional(),
  usd: z.number().optional(),
  tokens: z.number().optional(),
});
export type Left = z.infer<typeof leftSchema>;

/**
 * Describes the remaining limits for the planner. Reads and records them once for each round: a repeated run gets the
 * same text.
 */
export async function tellLeft(
  { limits, models, recorder }: Pick<StrategyContext, "limits" | "models" | "recorder">,
  rounds: number,
): Promise<string> {
  const options = {
    title: "read the remaining limits",
    schema: leftSchema,
    decides: "clock",
  } as const;
  const left = await recorder.step<Left>(
    { ...options, key: keyForArm(recorder, `left:${rounds}`) },
    async () => {
      const ms = limits.remainingMs();
      return { ...(Number.isFinite(ms) ? { ms } : {}), ...models?.left() };
    },
  );
  return renderLeft(rounds, left);
}

/** In milliseconds. Less time is enough for little more than a proposal. */
const littleMs = 3 * 60_000;

export function renderLeft(rounds: number, { ms, usd, tokens }: Left): string {
  const parts = [
    countOf(rounds, "round"),
    ...(ms === undefined ? [] : [formatDuration(ms)]),
    ...(usd === undefined ? [] : [`$${usd.toFixed(2)}`]),
    ...(tokens === undefined ? [] : [`${Math.floor(tokens / 1000)}k tokens`]),
  ];
  const isScarce = rounds <= 2 || (ms !== undefined && ms < littleMs);
  return `Left: ${parts.join(", ")}.${isScarce ? " Before a limit is reached, propose the best candidate, or end the work with another form of `finish`." : ""}`;
}
