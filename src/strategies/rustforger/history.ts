/**
 * RustForger's context manager. Keeps the first message and the last 20 turns whole. Keeps the first and last 15 lines
 * of results in older turns.
 */
import { leftOut } from "../../agent/think/condense.ts";
import type { Message, ModelClient } from "../../llm/contract.ts";

const whole = 20;
const lines = 15;
/**
 * Number of turns by which the cut moves at once. The prefix therefore stays equal for several requests, and providers
 * can cache it.
 */
const step = 5;

export function withTrimmedHistory(models: ModelClient): ModelClient {
  return {
    ...models,
    generate(request) {
      const messages = trimOld(request.messages);
      const condensed = leftOut(request.messages, messages);
      return models.generate({ ...request, messages, ...(condensed === undefined ? {} : { condensed }) });
    },
  };
}

export function trimOld(messages: readonly Message[]): Message[] {
  const turns = messages.filter(({ role }) => role === "tool").length;
  let left = Math.max(0, Math.floor((turns - whole) / step)) * step;
  return messages.map((message) => {
    if (message.role !== "tool" || left === 0) return message;
    left -= 1;
    return { ...message, results: message.results.map((result) => ({ ...result, text: trim(result.text) })) };
  });
}

function trim(text: string): string {
  const all = text.split("\n");
  const omitted = all.length - 2 * lines;
  if (omitted <= 1) return text;
  return [...all.slice(0, lines), `(${omitted} lines left out)`, ...all.slice(-lines)].join("\n");
}
