import { lastingFailures, type ModelClient } from "../../llm/contract.ts";

export interface WatchedModels {
  readonly models: ModelClient;
  /** The reason why the last call failed, if the next call would also fail; otherwise undefined. */
  outage(): string | undefined;
  /** The limit that prevented the last call; undefined if no limit did. A smaller call may still be possible. */
  refusal(): string | undefined;
}

/**
 * Wraps a model client, and remembers whether the last call failed for a lasting reason. In this case, strategies end
 * and start no further stage.
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
