/** Converts a request to the AI SDK's call options. */
import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { AssistantPart, Message, Opaque } from "../contract.ts";
import type { JsonSchema, TransportCall, WireRequest } from "../provider.ts";

export function toCallOptions({
  request,
  maxOutputTokens,
  signal,
}: TransportCall): LanguageModelV4CallOptions {
  const { tools, output, settings } = request;
  const { temperature, topP, reasoning, stop, seed } = settings;
  return {
    prompt: toPrompt(request),
    maxOutputTokens,
    temperature,
    ...(topP === undefined ? {} : { topP }),
    ...(stop === undefined ? {} : { stopSequences: [...stop] }),
    ...(seed === undefined ? {} : { seed }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(output === undefined
      ? {}
      : { responseFormat: { type: "json", name: output.name, schema: toSchema(output.schema) } }),
    ...(tools.length === 0 ? {} : { tools: toTools(request), toolChoice: toToolChoice(request.toolChoice) }),
    abortSignal: signal,
  };
}

function toTools({ tools }: WireRequest): NonNullable<LanguageModelV4CallOptions["tools"]> {
  return tools.map(({ name, description, input }) => ({
    type: "function",
    name,
    description,
    inputSchema: toSchema(input),
  }));
}

function toToolChoice(
  choice: WireRequest["toolChoice"],
): NonNullable<LanguageModelV4CallOptions["toolChoice"]> {
  return typeof choice === "string" ? { type: choice } : { type: "tool", toolName: choice.tool };
}

function toPrompt({ system, messages }: WireRequest): LanguageModelV4Prompt {
  const head: LanguageModelV4Message[] = system === "" ? [] : [{ role: "system", content: system }];
  return [...head, ...messages.map(toMessage)];
}

function toMessage(message: Message): LanguageModelV4Message {
  if (message.role === "user") return { role: "user", content: [{ type: "text", text: message.text }] };
  if (message.role === "assistant") return { role: "assistant", content: message.parts.map(toPart) };
  return {
    role: "tool",
    content: message.results.map(({ callId, tool, text, isError = false }) => ({
      type: "tool-result",
      toolCallId: callId,
      toolName: tool,
      output: { type: isError ? "error-text" : "text", value: text },
    })),
  };
}

type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

function toPart(part: AssistantPart): AssistantContent {
  const own = part.opaque === undefined ? {} : { providerOptions: toOptions(part.opaque) };
  if (part.type !== "call") return { type: part.type, text: part.text, ...own };
  return {
    type: "tool-call",
    toolCallId: part.id,
    toolName: part.name,
    input: isObject(part.input) ? part.input : { unreadable: part.input },
    ...own,
  };
}

/** True for an object. Providers reject arguments that are not an object, even if the model wrote them. */
function isObject(value: unknown): value is object {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

// The SDK accepts its own data again; the types cannot express that it is unchanged JSON.
const toOptions = (opaque: Opaque) => opaque as SharedV4ProviderOptions;
const toSchema = (schema: JsonSchema) => schema as JSONSchema7;
