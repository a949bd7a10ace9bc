/**
 * Condenses long conversations: old tool replies become one line with a handle. Millwright condenses at the boundaries
 * of actions, where the task state replaces the replies. Within an action it condenses only before the model's window
 * would overflow, so that it interrupts no thought. It condenses rarely and in one large step, because providers cache
 * an unchanged prefix. The last replies and the model's own words always stay. Pure, so that a resumed run sends the
 * same requests.
 */
import type { Condensed, Message, ToolMessage } from "../../llm/contract.ts";
import { handlePrefix, type Outputs } from "../record/outputs.ts";

/** Tokens of a model's window, if its size is unknown. */
const unknownWindow = 100_000;
/** Limits, as shares of the window and in tokens. The rest is for instructions, tools and the answer. */
const limits = {
  boundary: { share: 0.6, most: 24_000 },
  overflow: { share: 0.75, most: Number.POSITIVE_INFINITY },
};
/**
 * The share of the limit that remains after condensing. Also the minimum gain while the window has room, because a
 * summary costs as much.
 */
const leftAfter = 0.5;
const leastGain = 0.2;
/** Number of last replies that stay, and the length up to which any other reply stays. */
const keptReplies = 3;
const shortReply = 400;
const charactersPerToken = 3.5;

export function tokensOf(messages: readonly Message[]): number {
  const length = messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0);
  return Math.ceil(length / charactersPerToken);
}

export interface Condensing {
  readonly contextTokens: number | undefined;
  readonly outputs: Outputs;
  /** Returns the current knowledge, for the end of the messages between two actions. Absent within an action. */
  readonly summary?: () => string;
}

/**
 * Shortens old tool replies if the conversation exceeds its limit in tokens, and adds the summary, if any, at the end.
 * Returns undefined if no reply changes, or if the gain is too small.
 */
export function condense(
  messages: readonly Message[],
  { contextTokens, outputs, summary }: Condensing,
): Message[] | undefined {
  const { share, most } = summary === undefined ? limits.overflow : limits.boundary;
  const window = contextTokens ?? unknownWindow;
  const limit = Math.min(most, window * share);
  const before = tokensOf(messages);
  if (before <= limit) return undefined;
  let tokens = before;
  const replies = messages.flatMap((message, at) => (message.role === "tool" ? [at] : []));
  const result = [...messages];
  for (const at of replies.slice(0, -keptReplies)) {
    if (tokens <= limit * leftAfter) break;
    const whole = result[at];
    if (whole?.role !== "tool") continue;
    const short = condenseReply(whole, outputs);
    result[at] = short;
    tokens -= tokensOf([whole]) - tokensOf([short]);
  }
  const isPressed = before > window * limits.overflow.share;
  if (tokens >= before || (!isPressed && before - tokens < limit * leastGain)) return undefined;
  return summary === undefined ? result : withSummary(result, summary());
}

/**
 * Counts the tool replies that `shown` shortens in comparison with `whole`, and the omitted characters. Returns
 * undefined if `shown` shortens none.
 */
export function leftOut(whole: readonly Message[], shown: readonly Message[]): Condensed | undefined {
  const cuts = whole.flatMap((message, at) => {
    const other = shown[at];
    if (message.role !== "tool" || other?.role !== "tool") return [];
    return message.results.map(({ text }, index) => text.length - (other.results[index]?.text.length ?? 0));
  });
  const real = cuts.filter((cut) => cut > 0);
  const characters = real.reduce((sum, cut) => sum + cut, 0);
  return real.length === 0 ? undefined : { replies: real.length, characters };
}

function withSummary(messages: readonly Message[], text: string): Message[] {
  const said = `Millwright shortened earlier replies. Known so far:\n\n${text}`;
  const last = messages.at(-1);
  if (last?.role !== "user") return [...messages, { role: "user", text: said }];
  return [...messages.slice(0, -1), { ...last, text: `${last.text}\n\n${said}` }];
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
