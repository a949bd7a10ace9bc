import type { ModelClient } from "../llm/contract.ts";

/** The same client; hears of each request that a recording does not have. */
export function watchMisses(client: ModelClient, onMiss: (message: string) => void): ModelClient {
  return {
    ...client,
    async generate(request) {
      const answer = await client.generate(request);
      if (!answer.ok && answer.kind === "not-recorded") onMiss(answer.message);
      return answer;
    },
    within: (limits) => watchMisses(client.within(limits), onMiss),
  };
}
