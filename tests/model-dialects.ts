/** How each provider's API says the same answer, streamed: a text, a call of a tool, 100 input tokens of which 80 were cached, 10 output tokens. */

export interface Dialect {
  /** The variable with which its own tools are pointed at another server; undefined where the setting `modelUrl` does. */
  readonly address: string | undefined;
  /** What follows the server's `/v1` in that variable; `..` for what the client itself adds. */
  readonly addressWithout?: "/v1";
  readonly answer: string;
  /** How it answers a wrong key. */
  readonly wrongKey: { readonly status: number; readonly body: unknown };
  /** The request's header that has the key. */
  readonly keyHeader: string;
  /** Text that a request has where a stable prefix ends; undefined where the provider finds them itself. */
  readonly cacheMark?: string;
}

const lines = (events: readonly object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
const typed = (events: readonly { readonly type: string }[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");

const chatHead = { id: "c1", object: "chat.completion.chunk", created: 1, model: "m" };
const chatCall = {
  index: 0,
  id: "call_1",
  type: "function",
  function: { name: "look", arguments: '{"at":"a.ts"}' },
};
const chatUsage = { prompt_tokens: 100, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 80 } };
const chatAnswer = `${lines([
  {
    ...chatHead,
    choices: [{ index: 0, delta: { role: "assistant", content: "I look." }, finish_reason: null }],
  },
  { ...chatHead, choices: [{ index: 0, delta: { tool_calls: [chatCall] }, finish_reason: null }] },
  { ...chatHead, choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
  { ...chatHead, choices: [], usage: { ...chatUsage, cost: 0.25 } },
])}data: [DONE]\n\n`;

const chat: Dialect = {
  address: undefined,
  answer: chatAnswer,
  wrongKey: { status: 401, body: { error: { message: "Incorrect API key" } } },
  keyHeader: "authorization",
};

const anthropicUsage = { input_tokens: 15, cache_creation_input_tokens: 5, cache_read_input_tokens: 80 };
const anthropic: Dialect = {
  address: "ANTHROPIC_BASE_URL",
  answer: typed([
    {
      type: "message_start",
      message: {
        id: "m1",
        type: "message",
        role: "assistant",
        model: "m",
        content: [],
        stop_reason: null,
        usage: { ...anthropicUsage, output_tokens: 1 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "I look." } },
    { type: "content_block_stop", index: 0 },
    {
      type: "content_block_start",
      index: 1,
      content_block: { type: "tool_use", id: "call_1", name: "look", input: {} },
    },
    {
      type: "content_block_delta",
      index: 1,
      delta: { type: "input_json_delta", partial_json: '{"at":"a.ts"}' },
    },
    { type: "content_block_stop", index: 1 },
    {
      type: "message_delta",
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: { output_tokens: 10 },
    },
    { type: "message_stop" },
  ] as never),
  wrongKey: {
    status: 401,
    body: { type: "error", error: { type: "authentication_error", message: "invalid x-api-key" } },
  },
  keyHeader: "x-api-key",
  cacheMark: "cache_control",
};

const openaiMessage = { id: "msg_1", type: "message", role: "assistant", status: "completed" };
const openaiCall = { id: "fc_1", type: "function_call", call_id: "call_1", name: "look" };
const openaiUsage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 80 },
  output_tokens: 10,
  output_tokens_details: { reasoning_tokens: 0 },
};
const openai: Dialect = {
  address: "OPENAI_BASE_URL",
  answer: typed([
    { type: "response.created", response: { id: "r1", created_at: 1, model: "m" } },
    { type: "response.output_item.added", output_index: 0, item: { ...openaiMessage, content: [] } },
    {
      type: "response.output_text.delta",
      item_id: "msg_1",
      output_index: 0,
      content_index: 0,
      delta: "I look.",
    },
    {
      type: "response.output_item.done",
      output_index: 0,
      item: { ...openaiMessage, content: [{ type: "output_text", text: "I look.", annotations: [] }] },
    },
    { type: "response.output_item.added", output_index: 1, item: { ...openaiCall, arguments: "" } },
    {
      type: "response.function_call_arguments.delta",
      item_id: "fc_1",
      output_index: 1,
      delta: '{"at":"a.ts"}',
    },
    {
      type: "response.output_item.done",
      output_index: 1,
      item: { ...openaiCall, arguments: '{"at":"a.ts"}', status: "completed" },
    },
    { type: "response.completed", response: { id: "r1", usage: openaiUsage } },
  ] as never),
  wrongKey: {
    status: 401,
    body: { error: { message: "Incorrect API key", type: "invalid_request_error", code: "invalid_api_key" } },
  },
  keyHeader: "authorization",
};

const google: Dialect = {
  address: "GOOGLE_GEMINI_BASE_URL",
  answer: lines([
    { candidates: [{ content: { role: "model", parts: [{ text: "I look." }] } }] },
    {
      candidates: [
        {
          content: { role: "model", parts: [{ functionCall: { name: "look", args: { at: "a.ts" } } }] },
          finishReason: "STOP",
        },
      ],
      usageMetadata: {
        promptTokenCount: 100,
        cachedContentTokenCount: 80,
        candidatesTokenCount: 10,
        totalTokenCount: 110,
      },
    },
  ]),
  wrongKey: {
    status: 400,
    body: {
      error: {
        code: 400,
        message: "API key not valid. Please pass a valid API key.",
        status: "INVALID_ARGUMENT",
      },
    },
  },
  keyHeader: "x-goog-api-key",
};

/** By the provider's name; a remote provider without one fails its contract. */
export const dialects: Readonly<Record<string, Dialect>> = {
  anthropic,
  openai,
  google,
  "openai-compatible": chat,
  ollama: { ...chat, address: "OLLAMA_HOST", addressWithout: "/v1" },
  openrouter: { ...chat, address: "OPENROUTER_BASE_URL", cacheMark: "cache_control" },
};
