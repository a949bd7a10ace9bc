/**
 * Shortens all observations but the last few to one line each (SWE-agent, Yang et al., NeurIPS 2024: all but the last
 * five). Moves the boundary only every few requests, as later versions of SWE-agent do. The prefix therefore stays
 * equal for several requests, and providers can cache it.
 */

import { leftOut } from "../../agent/think/condense.ts";
import { countOf } from "../../base/count.ts";
import type { Message, ModelClient, ToolResult } from "../../llm/contract.ts";

const kept = 5;
const step = 5;
/** In characters. A shorter observation costs no more than the line that would replace it. */
const shortest = 200;

export function withShortHistory(models: ModelClient): ModelClient {
  return {
    ...models,
    generate(request) {
      const messages = elideOld(request.messages);
      const condensed = leftOut(request.messages, messages);
      return models.generate({ ...request, messages, ...(condensed === undefined ? {} : { condensed }) });
    },
  };
}

export function elideOld(messages: readonly Message[]): Message[] {
  const observed = messages.filter(({ role }) => role === "tool").length;
  let left = Math.max(0, Math.floor((observed - kept) / step)) * step;
  return messages.map((message) => {
    if (message.role !== "tool" || left === 0) return message;
    left -= 1;
    return { ...message, results: message.results.map(elide) };
  });
}

function elide(result: ToolResult): ToolResult {
  if (result.text.length < shortest) return result;
  return { ...result, text: `(old output: ${countOf(result.text.split("\n").length, "line")} left out)` };
}
