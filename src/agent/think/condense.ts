/**
 * Long conversations: replies of tools that lie far back become a line with a handle. At the boundaries of actions, where the task state
 * stands for what they said; within an action only before the model's window would overflow, for nobody is to be cut short in mid-thought.
 * Rarely and in one big step, since providers cache what stays the same from the start; never the last replies, and never a model's own
 * words. Pure, so that a resumed run asks the same.
 */
import type { Condensed, Message, ToolMessage } from "../../llm/contract.ts";
import { handlePrefix, type Outputs } from "../record/outputs.ts";

/** Where nobody knows the model's window, in tokens. */
const unknownWindow = 100_000;
/** Of the window, and in tokens: the rest of it is for instructions, tools and the answer. */
const limits = {
  boundary: { share: 0.6, most: 24_000 },
  overflow: { share: 0.75, most: Number.POSITIVE_INFINITY },
};
/** What is left of the messages after they are condensed, of the limit; and what has to be gained, while the window has room: a summary costs as much. */
const leftAfter = 0.5;
const leastGain = 0.2;
/** Replies at the end that stay, and characters up to which any does. */
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
  /** At the boundary of an action: what is known now, for the end of the messages. Absent within one. */
  readonly summary?: () => string;
}

/** Undefined says that nothing was changed. */
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

/** By what the replies of tools in `shown` are shorter than in `whole`, which is as many messages; undefined where they are not. */
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
  const said = `Earlier replies were condensed. Known so far:\n\n${text}`;
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
