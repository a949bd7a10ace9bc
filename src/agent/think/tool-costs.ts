/** Where the tokens of a loop over tools went: each answer's are counted for the first tool that it called. */
import type { Findings } from "../../domain/finding.ts";
import type { ModelClient } from "../../llm/contract.ts";
import { usageOf } from "../control/conclude.ts";
import type { ThinkTool } from "./think.ts";

interface Cost {
  times: number;
  failed: number;
  calls: number;
  tokens: number;
}

export interface MeteredTools<T> {
  readonly tools: readonly ThinkTool<T>[];
  /** For the report, the dearest first. */
  costs(): Findings["actions"];
}

/** The tools themselves ask no model. */
export function meterTools<T>(models: ModelClient, tools: readonly ThinkTool<T>[]): MeteredTools<T> {
  const costs = new Map<string, Cost>();
  let [calls, tokens] = spentBy(models);
  const count = (name: string): Cost => {
    const cost = costs.get(name) ?? { times: 0, failed: 0, calls: 0, tokens: 0 };
    const [callsNow, tokensNow] = spentBy(models);
    cost.calls += callsNow - calls;
    cost.tokens += tokensNow - tokens;
    [calls, tokens] = [callsNow, tokensNow];
    costs.set(name, cost);
    return cost;
  };
  return {
    tools: tools.map((tool) => ({
      ...tool,
      async run(input) {
        const cost = count(tool.name);
        const reply = await tool.run(input);
        cost.times += 1;
        if (reply.isError === true) cost.failed += 1;
        return reply;
      },
    })),
    costs() {
      count("no tool");
      return [...costs]
        .filter(([, cost]) => cost.times > 0 || cost.tokens > 0)
        .sort(([, one], [, other]) => other.tokens - one.tokens)
        .map(([action, cost]) => ({ action, intent: describe(cost), failed: false, ...figuresOf(cost) }));
    },
  };
}

function describe({ times, failed }: Cost): string {
  return `${times === 1 ? "once" : `${times} times`}${failed === 0 ? "" : `, ${failed} refused`}`;
}

function figuresOf({ calls, tokens }: Cost): Pick<Cost, "calls" | "tokens"> {
  return { calls, tokens };
}

function spentBy(models: ModelClient): readonly [calls: number, tokens: number] {
  const { calls, inputTokens, outputTokens } = usageOf(models);
  return [calls, inputTokens + outputTokens];
}
