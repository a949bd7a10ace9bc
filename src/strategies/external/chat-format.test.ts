import { expect, test } from "vitest";
import { z } from "zod";
import type { Answer } from "../../llm/contract.ts";
import { answerToChat, answerToStream, failureToChat } from "./chat-answer.ts";
import { chatRequestSchema, keyOfAnswer, toModelRequest } from "./chat-request.ts";

const none = { find: () => undefined };
const read = (chat: object, given: Parameters<typeof toModelRequest>[1] = none) =>
  toModelRequest(chatRequestSchema.parse(chat), given);

const call = { id: "c1", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } };
const messages = [
  { role: "system", content: "One." },
  { role: "developer", content: [{ type: "text", text: "Two." }] },
  {
    role: "user",
    content: [
      { type: "text", text: "Mend " },
      { type: "text", text: "it." },
    ],
  },
  { role: "assistant", content: null, tool_calls: [call, { ...call, id: "c2" }] },
  { role: "tool", tool_call_id: "c1", content: "a" },
  { role: "tool", tool_call_id: "c2", content: "b" },
  { role: "system", content: "Go on." },
];

test("a conversation is taken as it stands: instructions, calls and their results, settings, and the agent's own schemas", () => {
  const parameters = {
    $schema: "x",
    type: "object",
    properties: { command: { type: "string", minLength: 1 } },
    required: ["command"],
  };
  const taken = read({
    model: "any",
    messages,
    tools: [{ type: "function", function: { name: "bash", description: "A shell.", parameters } }],
    tool_choice: { type: "function", function: { name: "bash" } },
    ...{ temperature: 0.5, max_tokens: 99, stop: "END", seed: 3, stream: true },
  });
  if (!taken.ok) throw new Error(taken.message);
  const { system, messages: told, tools, toolChoice, settings } = taken.value;
  expect(system).toBe("One.\n\nTwo.");
  const parts = [
    { type: "call", id: "c1", name: "bash", input: { command: "ls" } },
    { type: "call", id: "c2", name: "bash", input: { command: "ls" } },
  ];
  expect(told).toEqual([
    { role: "user", text: "Mend it." },
    { role: "assistant", parts },
    {
      role: "tool",
      results: [
        { callId: "c1", tool: "bash", text: "a" },
        { callId: "c2", tool: "bash", text: "b" },
      ],
    },
    { role: "user", text: "Go on." },
  ]);
  expect(toolChoice).toEqual({ tool: "bash" });
  expect(settings).toEqual({ temperature: 0.5, maxOutputTokens: 99, stop: ["END"], seed: 3 });
  const [tool] = tools ?? [];
  const { $schema: _, ...schema } = z.toJSONSchema(tool?.input ?? z.never(), { io: "input" });
  expect(schema).toMatchObject({
    type: "object",
    required: ["command"],
    properties: { command: { type: "string" } },
  });
});

test("an answer that comes back is the one that was given, with what its provider alone understands", () => {
  const given = {
    role: "assistant",
    parts: [{ type: "text", text: "Yes.", opaque: { signature: "s" } }],
  } as const;
  const key = keyOfAnswer("Yes.", []);
  const taken = read(
    {
      messages: [
        { role: "user", content: "?" },
        { role: "assistant", content: "Yes." },
      ],
    },
    { find: (asked) => (asked === key ? given : undefined) },
  );
  expect(taken).toMatchObject({ ok: true, value: { messages: [{ role: "user" }, given] } });
});

test.each([
  [{ n: 2 }, "n: "],
  [{ response_format: { type: "json_object" } }, "response_format: "],
  [{ messages: [{ role: "user", content: [{ type: "image_url" }] }] }, "image_url"],
])("what would be left out is refused: %j", (more, message) => {
  expect(read({ messages, ...more })).toMatchObject({ ok: false, message: expect.stringContaining(message) });
});

const answer: Answer = {
  text: "",
  calls: [{ id: "c1", name: "bash", input: { command: "ls" } }],
  reasoning: "Where?",
  output: undefined,
  message: { role: "assistant", parts: [] },
  finish: "calls",
  model: "openai/real",
  handle: "h1",
  usage: { inputTokens: 9, cachedTokens: 2, outputTokens: 3, usd: 0.1, estimated: false },
  recorded: false,
  warnings: [],
};

test("an answer says the same whole and as a stream", () => {
  expect(answerToChat(answer, "any")).toMatchObject({
    model: "any",
    choices: [
      {
        message: { content: null, tool_calls: [call], reasoning_content: "Where?" },
        finish_reason: "tool_calls",
      },
    ],
    usage: {
      prompt_tokens: 9,
      completion_tokens: 3,
      total_tokens: 12,
      prompt_tokens_details: { cached_tokens: 2 },
    },
  });
  const lines = answerToStream(answer, "any", true).trimEnd().split("\n\n");
  const chunks = lines.slice(0, -1).map((line) => JSON.parse(line.replace("data: ", "")));
  expect(chunks).toMatchObject([
    { choices: [{ delta: { tool_calls: [{ index: 0, ...call }] }, finish_reason: null }] },
    { choices: [{ delta: {}, finish_reason: "tool_calls" }] },
    { choices: [], usage: { total_tokens: 12 } },
  ]);
  expect(lines.at(-1)).toBe("data: [DONE]");
});

test("a limit is final for a client, and a busy provider is not", () => {
  expect(failureToChat("budget", "over").status).toBe(403);
  expect(failureToChat("unavailable", "busy").status).toBe(503);
  expect(failureToChat("context-too-long", "long").body.error.code).toBe("context_length_exceeded");
});
