/**
 * Long conversations: before they meet the model's window, replies of tools that lie far back become a line with a handle. Rarely and
 * in one big step, for providers cache what stays the same from the start; never the last replies, and never a model's own words. Pure,
 * so that a resumed run asks the same.
 */
import type { Message, ToolMessage } from "../../llm/contract.ts";
import { handlePrefix, type Outputs } from "./outputs.ts";

/** Where nobody knows the model's window; and what no window moves, in tokens: each step pays for all of it again. */
const unknownWindow = 100_000;
const mostTokens = 60_000;
/** Of the window: the rest is for instructions, tools and the answer. */
const share = 0.6;
/** What is left of the messages after they are condensed, of the limit. */
const leftAfter = 0.5;
/** Replies at the end that stay, and characters up to which any does. */
const keptReplies = 3;
const shortReply = 400;
const charactersPerToken = 3.5;

export function tokensOf(messages: readonly Message[]): number {
  const length = messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0);
  return Math.ceil(length / charactersPerToken);
}

/** The messages as they are where there is room; undefined says that nothing was changed. */
export function condense(
  messages: readonly Message[],
  contextTokens: number | undefined,
  outputs: Outputs,
): Message[] | undefined {
  const limit = Math.min(mostTokens, (contextTokens ?? unknownWindow) * share);
  let tokens = tokensOf(messages);
  if (tokens <= limit) return undefined;
  const replies = messages.flatMap((message, at) => (message.role === "tool" ? [at] : []));
  const result = [...messages];
  for (const at of replies.slice(0, -keptReplies)) {
    if (tokens <= limit * leftAfter) break;
    const before = result[at] as ToolMessage;
    const after = condenseReply(before, outputs);
    result[at] = after;
    tokens -= tokensOf([before]) - tokensOf([after]);
  }
  return tokens < tokensOf(messages) ? result : undefined;
}

function condenseReply({ results }: ToolMessage, outputs: Outputs): ToolMessage {
  return {
    role: "tool",
    results: results.map((result) => {
      const { text } = result;
      if (text.length <= shortReply) return result;
      const [first = ""] = text.split("\n");
      const lines = text.split("\n").length;
      const line = `${first.slice(0, 120)} … (${lines} lines, condensed: ${handlePrefix}${outputs.keep(text)} has them)`;
      return { ...result, text: line };
    }),
  };
}
