import type { ModelClient, ModelFailureKind } from "../../llm/contract.ts";

/** Failures that the next call meets too: nobody answers, or nobody may be asked. */
const lasting: ReadonlySet<ModelFailureKind> = new Set([
  "rate-limit",
  "quota-spent",
  "auth",
  "network",
  "unavailable",
]);

export interface WatchedModels {
  readonly models: ModelClient;
  /** Why nobody answered the last call; undefined where somebody did. */
  outage(): string | undefined;
  /** Likewise, the limit that did not let the last call be made; a smaller one may be. */
  refusal(): string | undefined;
}

/** For who goes on to the next stage whatever the last one gave: where nobody answers there is nothing to go on with. */
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
        because = !answer.ok && lasting.has(answer.kind) ? answer.message : undefined;
        limit = !answer.ok && answer.kind === "budget" ? answer.message : undefined;
        return answer;
      },
    },
  };
}
