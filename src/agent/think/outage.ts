import { lastingFailures, type ModelClient } from "../../llm/contract.ts";

export interface WatchedModels {
  readonly models: ModelClient;
  /** Why the last call failed, if the next call would fail too; otherwise undefined. */
  outage(): string | undefined;
  /** The limit that prevented the last call; a smaller call may be allowed. */
  refusal(): string | undefined;
}

/**
 * Wraps a model client, and remembers whether its last call failed in a way that the next call would repeat. Strategies
 * then end instead of starting another stage.
 */
export function watchOutages(models: ModelClient): WatchedModels {
  let because: string | undefined;
  let limit: string | undefined;
  return {
    outage: () => because,
    refusal: () => limit,
    models: {
      ...models,
      async generate(request) {
        const answer = await models.generate(request);
        because = !answer.ok && lastingFailures.has(answer.kind) ? answer.message : undefined;
        limit = !answer.ok && answer.kind === "budget" ? answer.message : undefined;
        return answer;
      },
    },
  };
}
