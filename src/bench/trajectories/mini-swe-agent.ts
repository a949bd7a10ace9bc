/**
 * Reads mini-swe-agent's `*.traj.json`, `trajectory_format` 1.x: the conversation, with the provider's response next to
 * each message.
 */
import { z } from "zod";
import { readJson } from "../../base/parse-json.ts";
import type { TrajectoryFormat, Turn, TurnCall } from "./contract.ts";

const usageSchema = z.looseObject({
  prompt_tokens: z.int().nullish(),
  completion_tokens: z.int().nullish(),
  prompt_tokens_details: z.looseObject({ cached_tokens: z.int().nullish() }).nullish(),
});
const messageSchema = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).nullish(),
  tool_call_id: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) }),
    )
    .nullish(),
  extra: z
    .looseObject({
      actions: z.array(z.looseObject({ command: z.string(), tool_call_id: z.string().nullish() })).nullish(),
      response: z.looseObject({ usage: usageSchema.nullish() }).nullish().catch(undefined),
      cost: z.number().nullish(),
      timestamp: z.number().nullish(),
    })
    .nullish(),
});
type Message = z.infer<typeof messageSchema>;
const fileSchema = z.looseObject({
  trajectory_format: z.string(),
  messages: z.array(messageSchema),
  info: z.looseObject({
    exit_status: z.string().nullish(),
    submission: z.string().nullish(),
    mini_version: z.string().nullish(),
    config: z.looseObject({ model: z.looseObject({ model_name: z.string().nullish() }).nullish() }).nullish(),
  }),
});

const tagSchema = z.looseObject({ trajectory_format: z.string().startsWith("mini-swe-agent-1") });

export const miniSweAgent: TrajectoryFormat = {
  name: "mini-swe-agent",
  read(data) {
    if (!tagSchema.safeParse(data).success) return undefined;
    const { messages, info } = fileSchema.parse(data);
    return {
      agent: `mini-swe-agent ${info.mini_version ?? ""}`.trim(),
      model: info.config?.model?.model_name ?? "unknown",
      statement: textOf(messages.find(({ role }) => role === "user")),
      turns: messages.flatMap((message, at) => (message.role === "assistant" ? [toTurn(messages, at)] : [])),
      patch: info.submission ?? "",
      end: info.exit_status ?? "unknown",
    };
  },
};

function textOf(message: Message | undefined): string {
  const content = message?.content ?? "";
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("");
}

function toTurn(messages: readonly Message[], place: number): Turn {
  const message = messages[place];
  const end = messages.findIndex(({ role }, at) => at > place && role === "assistant");
  const after = messages.slice(place + 1, end === -1 ? undefined : end);
  const { response, cost, timestamp } = message?.extra ?? {};
  const usage = response?.usage;
  return {
    text: textOf(message),
    calls: callsOf(message, place, after),
    ...(typeof timestamp === "number" ? { at: Math.round(timestamp * 1000) } : {}),
    usage: {
      inputTokens: usage?.prompt_tokens ?? 0,
      cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
      outputTokens: usage?.completion_tokens ?? 0,
      usd: cost ?? undefined,
    },
  };
}

/**
 * Returns the calls of a message. If the model writes its commands as text, the following messages are their results,
 * in order.
 */
function callsOf(message: Message | undefined, place: number, after: readonly Message[]): TurnCall[] {
  const called = message?.tool_calls ?? [];
  if (called.length > 0)
    return called.map(({ id, function: { name, arguments: input } }) => {
      const result = after.find(({ tool_call_id: of }) => of === id);
      return {
        id,
        tool: name,
        input: readInput(input),
        output: result === undefined ? undefined : textOf(result),
      };
    });
  const results = after.filter(({ role }) => role === "user" || role === "tool");
  return (message?.extra?.actions ?? []).map(({ command }, at) => {
    const result = results[at];
    const output = result === undefined ? undefined : textOf(result);
    return { id: `${place}.${at}`, tool: "bash", input: { command }, output };
  });
}

/** Parses a call's input. A text that is not JSON stays as the model wrote it. */
function readInput(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return text;
  }
}
