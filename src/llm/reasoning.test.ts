import { describe, expect, it } from "vitest";
import { question, secretKey, serve, unwrap } from "../../tests/model-fixture.ts";
import { openModels } from "./open-models.ts";

const events = (list: readonly { readonly type: string }[]): string =>
  list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");

const claudeHead = {
  id: "m1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [],
  stop_reason: null,
};
const claude = events([
  { type: "message_start", message: { ...claudeHead, usage: { input_tokens: 10, output_tokens: 1 } } },
  { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "The index is off." } },
  {
    type: "content_block_delta",
    index: 0,
    delta: { type: "signature_delta", signature: "signed-by-claude" },
  },
  { type: "content_block_stop", index: 0 },
  { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Off by one." } },
  { type: "content_block_stop", index: 1 },
  {
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_sequence: null },
    usage: { output_tokens: 20 },
  },
  { type: "message_stop" },
] as never);

const thought = { id: "rs_1", type: "reasoning", encrypted_content: "sealed-by-openai" };
const summary = [{ type: "summary_text", text: "The index is off." }];
const said = { id: "msg_1", type: "message", role: "assistant", status: "completed" };
const usage = { input_tokens: 10, output_tokens: 20, output_tokens_details: { reasoning_tokens: 15 } };
const gpt = events([
  { type: "response.created", response: { id: "r1", created_at: 1, model: "m" } },
  { type: "response.output_item.added", output_index: 0, item: { ...thought, summary: [] } },
  { type: "response.reasoning_summary_part.added", item_id: "rs_1", summary_index: 0 },
  {
    type: "response.reasoning_summary_text.delta",
    item_id: "rs_1",
    summary_index: 0,
    delta: "The index is off.",
  },
  { type: "response.output_item.done", output_index: 0, item: { ...thought, summary } },
  { type: "response.output_item.added", output_index: 1, item: { ...said, content: [] } },
  {
    type: "response.output_text.delta",
    item_id: "msg_1",
    output_index: 1,
    content_index: 0,
    delta: "Off by one.",
  },
  {
    type: "response.output_item.done",
    output_index: 1,
    item: { ...said, content: [{ type: "output_text", text: "Off by one.", annotations: [] }] },
  },
  { type: "response.completed", response: { id: "r1", usage } },
] as never);

const gemini = [
  { candidates: [{ content: { role: "model", parts: [{ text: "The index is off.", thought: true }] } }] },
  {
    candidates: [
      {
        content: { role: "model", parts: [{ text: "Off by one.", thoughtSignature: "signed-by-gemini" }] },
        finishReason: "STOP",
      },
    ],
    usageMetadata: {
      promptTokenCount: 10,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 15,
      totalTokenCount: 30,
    },
  },
]
  .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  .join("");

describe.each([
  ["anthropic/claude-opus-4-6", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", claude, "signed-by-claude"],
  ["openai/gpt-5.4", "OPENAI_API_KEY", "OPENAI_BASE_URL", gpt, "sealed-by-openai"],
  ["google/gemini-3.1-pro-preview", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", gemini, "signed-by-gemini"],
])("the reasoning of %s", (model, key, address, stream, seal) => {
  it("is heard, counted, and handed back with the provider's seal", async () => {
    const server = await serve([{ raw: stream }]);
    const client = await openModels({ model, environment: { [key]: secretKey, [address]: server.address } });
    const request = { ...question, settings: { reasoning: "high" as const } };
    const heard: string[] = [];
    const answer = unwrap(
      await client.generate({
        ...request,
        onProgress: (event) => event.type === "reasoning" && heard.push(event.delta),
      }),
    );
    expect(answer).toMatchObject({
      text: "Off by one.",
      reasoning: "The index is off.",
      usage: { outputTokens: 20 },
    });
    expect(heard.join("")).toBe("The index is off.");
    const messages = [...question.messages, answer.message, { role: "user" as const, text: "And now?" }];
    unwrap(await client.generate({ ...request, messages }));
    const [first, second] = server.requests.map(({ body }) => JSON.stringify(body));
    expect(first).toMatch(/"(thinking|reasoning|thinkingConfig)":/);
    expect(second).toContain(seal);
  });
});
