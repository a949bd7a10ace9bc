/** Converts a request to our format from the format of OpenAI's chat completions, which most agents use. */
import { z } from "zod";
import { hashData } from "../../base/hash.ts";
import { readJson } from "../../base/parse-json.ts";
import { fail, type Result, succeed } from "../../base/result.ts";
import {
  type AssistantMessage,
  type AssistantPart,
  type Message,
  type ModelRequest,
  type ModelSettings,
  reasoningEfforts,
  type ToolResult,
  type ToolSpec,
} from "../../llm/contract.ts";

const partSchema = z.looseObject({ type: z.string(), text: z.string().optional() });
const contentSchema = z.union([z.string(), z.array(partSchema)]).nullish();
const callSchema = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});
const messageSchema = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content: contentSchema,
  tool_calls: z.array(callSchema).nullish(),
  tool_call_id: z.string().optional(),
});
type ChatMessage = z.infer<typeof messageSchema>;

const toolSchema = z.looseObject({
  type: z.literal("function"),
  function: z.looseObject({
    name: z.string(),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
  }),
});

export const chatRequestSchema = z.looseObject({
  messages: z.array(messageSchema).min(1),
  tools: z.array(toolSchema).nullish(),
  tool_choice: z
    .union([
      z.enum(["auto", "none", "required"]),
      z.looseObject({ function: z.looseObject({ name: z.string() }) }),
    ])
    .nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  seed: z.int().nullish(),
  reasoning_effort: z.enum(reasoningEfforts).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  n: z.int().nullish(),
  response_format: z.looseObject({ type: z.string() }).nullish(),
});
export type ChatRequest = z.infer<typeof chatRequestSchema>;

/**
 * The original answers that the agent received. In later requests, the agent sends reduced copies of these answers.
 * Providers need the originals, which contain provider-specific data.
 */
export interface GivenAnswers {
  find(key: string): AssistantMessage | undefined;
}

export type Unsupported = "unsupported";

/** Converts a chat request in OpenAI's format. Fails if an unsupported field changes the request's meaning. */
export function toModelRequest(chat: ChatRequest, given: GivenAnswers): Result<ModelRequest, Unsupported> {
  if ((chat.n ?? 1) !== 1) return fail("unsupported", "n: Millwright supports only one answer per request");
  if ((chat.response_format?.type ?? "text") !== "text")
    return fail("unsupported", "response_format: Millwright supports only text and tool calls");
  const foreign = chat.messages.flatMap(partsOf).find(({ type }) => type !== "text");
  if (foreign !== undefined)
    return fail("unsupported", `content of the type ${foreign.type}: Millwright supports only text`);
  const first = chat.messages.findIndex(({ role }) => !isSystem(role));
  const head = first === -1 ? chat.messages : chat.messages.slice(0, first);
  return succeed({
    role: "editing",
    system: head.map(textOf).join("\n\n"),
    messages: toMessages(first === -1 ? [] : chat.messages.slice(first), given),
    tools: (chat.tools ?? []).map(toTool),
    ...choiceOf(chat),
    settings: settingsOf(chat),
  });
}

const isSystem = (role: ChatMessage["role"]): boolean => role === "system" || role === "developer";

function partsOf({ content }: ChatMessage): readonly z.infer<typeof partSchema>[] {
  if (content === null || content === undefined) return [];
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function textOf(message: ChatMessage): string {
  return partsOf(message)
    .map(({ text = "" }) => text)
    .join("");
}

function toMessages(chat: readonly ChatMessage[], given: GivenAnswers): Message[] {
  const messages: Message[] = [];
  /** The tools' names by call id. If an agent reuses an id, the newest counts. */
  const names = new Map<string, string>();
  let results: ToolResult[] = [];
  for (const message of chat) {
    if (message.role === "tool") {
      const callId = message.tool_call_id ?? "";
      if (results.length === 0) messages.push({ role: "tool", results });
      results.push({ callId, tool: names.get(callId) ?? "", text: textOf(message) });
      continue;
    }
    results = [];
    if (message.role === "assistant") {
      for (const { id, function: called } of message.tool_calls ?? []) names.set(id, called.name);
      const known = given.find(keyOfAnswer(textOf(message), message.tool_calls ?? []));
      messages.push(known ?? { role: "assistant", parts: toParts(message) });
    } else {
      messages.push({ role: "user", text: textOf(message) });
    }
  }
  return messages;
}

/** Returns the key of an answer: a hash of its text and the ids of its calls. */
export function keyOfAnswer(text: string, calls: readonly { readonly id: string }[]): string {
  return hashData([text, calls.map(({ id }) => id)]);
}

function toParts(message: ChatMessage): AssistantPart[] {
  const text = textOf(message);
  const calls = (message.tool_calls ?? []).map(
    ({ id, function: called }): AssistantPart => ({
      type: "call",
      id,
      name: called.name,
      input: readArguments(called.arguments),
    }),
  );
  return [...(text === "" ? [] : [{ type: "text", text } as const]), ...calls];
}

/** Parses a call's arguments. Returns invalid JSON as text, unchanged. */
export function readArguments(text: string): unknown {
  try {
    return readJson(text === "" ? "{}" : text);
  } catch {
    return text;
  }
}

/** Converts a tool with the agent's own schema, unchanged, because the agent itself decides whether arguments fit. */
function toTool({ function: { name, description = "", parameters } }: z.infer<typeof toolSchema>): ToolSpec {
  const { $schema: _s, id: _i, ...schema } = parameters ?? { type: "object", properties: {} };
  return { name, description, input: z.any().meta(schema) };
}

function choiceOf({ tool_choice: choice }: ChatRequest): Pick<ModelRequest, "toolChoice"> {
  if (choice === null || choice === undefined) return {};
  return { toolChoice: typeof choice === "string" ? choice : { tool: choice.function.name } };
}

function settingsOf(chat: ChatRequest): ModelSettings {
  const { temperature, top_p: topP, seed, stop, reasoning_effort: reasoning } = chat;
  const maxOutputTokens = chat.max_completion_tokens ?? chat.max_tokens;
  return {
    ...(temperature === null || temperature === undefined ? {} : { temperature }),
    ...(topP === null || topP === undefined ? {} : { topP }),
    ...(seed === null || seed === undefined ? {} : { seed }),
    ...(stop === null || stop === undefined ? {} : { stop: typeof stop === "string" ? [stop] : stop }),
    ...(reasoning === null || reasoning === undefined ? {} : { reasoning }),
    ...(maxOutputTokens === null || maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  };
}
