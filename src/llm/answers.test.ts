import { describe, expect, it } from "vitest";
import { z } from "zod";
import { connect, failureOf, question, secretKey, serve, unwrap } from "../../tests/model-fixture.ts";
import type { ProgressEvent, ToolSpec } from "./contract.ts";

const readFile: ToolSpec = {
  name: "read_file",
  description: "Reads a file.",
  input: z.object({ path: z.string(), line: z.int().default(1) }),
};

describe("an answer over HTTP", () => {
  it("is streamed and gathered, with its usage", async () => {
    const server = await serve([{ text: "I am well, thank you." }]);
    const client = await connect(server);
    const deltas: string[] = [];
    const onProgress = (event: ProgressEvent) => event.type === "text" && deltas.push(event.delta);
    const answer = unwrap(await client.generate({ ...question, onProgress }));
    expect(answer).toMatchObject({ text: "I am well, thank you.", finish: "stop", recorded: false });
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.join("")).toBe(answer.text);
    expect(client.spent()).toMatchObject({ calls: 1, inputTokens: 100, outputTokens: 10, unpriced: 1 });
    const [request] = server.requests;
    expect(request?.headers.authorization).toBe(`Bearer ${secretKey}`);
    expect(request?.body).toMatchObject({ model: "test", stream: true, temperature: 0 });
  });

  it("is decoded as the user says for its role, where the request says nothing of its own", async () => {
    const server = await serve([{ text: "Well." }]);
    const decoding = { editing: { temperature: 0.3, reasoning: "low", maxOutputTokens: 1000 } } as const;
    const client = await connect(server, { decoding });
    unwrap(await client.generate(question));
    unwrap(await client.generate({ ...question, settings: { temperature: 0.9, maxOutputTokens: 2000 } }));
    unwrap(await client.generate({ ...question, role: "review" }));
    expect(
      server.requests.map(({ body }) => [body["temperature"], body["reasoning_effort"], body["max_tokens"]]),
    ).toEqual([
      [0.3, "low", 1000],
      [0.9, "low", 1000],
      [0, undefined, 16_384],
    ]);
  });

  it("may come whole, though a stream was asked for", async () => {
    const call = { id: "call_1", type: "function", function: { name: "look", arguments: "{}" } };
    const body = {
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "Well.", tool_calls: [call] },
          finish_reason: "tool_calls",
        },
      ],
      usage: { prompt_tokens: 7, completion_tokens: 3 },
    };
    const client = await connect(await serve([{ status: 200, body }]));
    const tools = [{ name: "look", description: "Looks.", input: z.object({}) }];
    const answer = unwrap(await client.generate({ ...question, tools }));
    expect(answer).toMatchObject({
      text: "Well.",
      finish: "calls",
      calls: [{ id: "call_1", name: "look", input: {} }],
    });
    expect(answer.usage).toMatchObject({ inputTokens: 7, outputTokens: 3, estimated: false });
    const mad = await connect(await serve([{ status: 200, body: { error: "\n nothing works" } }]));
    expect((await mad.generate(question)).ok).toBe(false);
  });

  it("counts tokens itself where the server does not", async () => {
    const client = await connect(await serve([{ text: "Well.", usage: null }]));
    const { usage } = unwrap(await client.generate(question));
    expect(usage.estimated).toBe(true);
    expect(usage.inputTokens).toBeGreaterThan(10);
    expect(usage.outputTokens).toBe(2);
  });

  it("counts what came from the provider's cache", async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 80 } };
    const client = await connect(await serve([{ text: "Well.", usage }]), {
      prices: { "openai-compatible/test": { input: 10, cached: 1, written: 10, output: 100 } },
    });
    const answer = unwrap(await client.generate(question));
    expect(answer.usage).toMatchObject({ inputTokens: 100, cachedTokens: 80 });
    expect(answer.usage.usd).toBeCloseTo((20 * 10 + 80 * 1 + 5 * 100) / 1e6, 10);
  });

  it("that is cut short at the limit of tokens says so", async () => {
    const client = await connect(await serve([{ text: "Let me th", finish: "length" }]));
    expect(unwrap(await client.generate(question)).finish).toBe("length");
  });

  it("that the provider's filter took away is a refusal", async () => {
    const client = await connect(await serve([{ text: "", finish: "content_filter" }]));
    expect(failureOf(await client.generate(question)).kind).toBe("refused");
  });

  it("warns of a server that saw much less than was sent", async () => {
    const client = await connect(
      await serve([{ text: "Well.", usage: { prompt_tokens: 2048, completion_tokens: 1 } }]),
    );
    const messages = [{ role: "user" as const, text: "a line of code\n".repeat(5000) }];
    const { warnings } = unwrap(await client.generate({ ...question, messages }));
    expect(warnings.join()).toContain("the server's context may be too short");
  });
});

describe("tool calls over HTTP", () => {
  const request = { ...question, tools: [readFile] };
  const ask = async (args: string, name = "read_file") => {
    const server = await serve([{ text: "I look.", calls: [{ name, arguments: args }] }, { text: "Seen." }]);
    const client = await connect(server);
    const answer = unwrap(await client.generate(request));
    return { server, client, answer, call: answer.calls[0] };
  };

  it("are parsed by the tool's schema, and go back as they were", async () => {
    const { server, client, answer, call } = await ask('{"path": "a.ts"}');
    expect(answer.finish).toBe("calls");
    expect(call).toEqual({ id: "call_0", name: "read_file", input: { path: "a.ts", line: 1 } });
    const results = [{ callId: "call_0", tool: "read_file", text: "let a;" }];
    const messages = [...request.messages, answer.message, { role: "tool" as const, results }];
    await client.generate({ ...request, messages });
    const sent = server.requests[1]?.body["messages"];
    expect(sent).toMatchObject([
      { role: "system" },
      { role: "user" },
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [{ id: "call_0", function: { arguments: '{"path":"a.ts"}' } }],
      },
      { role: "tool", tool_call_id: "call_0", content: "let a;" },
    ]);
    expect(server.requests[0]?.body).toMatchObject({
      tool_choice: "auto",
      tools: [{ type: "function", function: { name: "read_file", parameters: { required: ["path"] } } }],
    });
  });

  it("with bad JSON say what is wrong with it, and can go back", async () => {
    const { server, client, answer, call } = await ask('{"path": "a.ts');
    expect(call?.problem).toMatch(/not valid JSON/);
    const results = [{ callId: "call_0", tool: "read_file", text: call?.problem ?? "", isError: true }];
    const messages = [...request.messages, answer.message, { role: "tool" as const, results }];
    expect(unwrap(await client.generate({ ...request, messages })).text).toBe("Seen.");
    expect(JSON.stringify(server.requests[1]?.body["messages"])).toContain("unreadable");
  });

  it("that do not fit the schema say where", async () => {
    const { call } = await ask('{"path": 3}');
    expect(call?.problem).toMatch(/do not fit.*path/);
  });

  it("of tools that do not exist name those that do", async () => {
    const { call } = await ask("{}", "rm_rf");
    expect(call?.problem).toBe('There is no tool "rm_rf". The tools are: read_file.');
  });
});

describe("structured output", () => {
  const output = { name: "verdict", schema: z.object({ good: z.boolean(), why: z.string().optional() }) };

  it("is sent as a schema and parsed, also out of a fence", async () => {
    const server = await serve([{ text: 'Here it is:\n```json\n{"good": true}\n```' }]);
    const client = await connect(server);
    expect(unwrap(await client.generate({ ...question, output })).output).toEqual({ good: true });
    expect(server.requests[0]?.body["response_format"]).toMatchObject({
      type: "json_schema",
      json_schema: { name: "verdict", strict: false, schema: { required: ["good"] } },
    });
  });

  it("that does not fit is asked for once more, with the reason, and both calls are counted", async () => {
    const server = await serve([{ text: '{"good": "yes"}' }, { text: '{"good": true}' }]);
    const client = await connect(server);
    const answer = unwrap(await client.generate({ ...question, output }));
    expect(answer.output).toEqual({ good: true });
    expect(answer.usage.inputTokens).toBe(200);
    expect(JSON.stringify(server.requests[1]?.body["messages"])).toMatch(/expected boolean.*good/);
  });

  it("that never fits is a failure with what the model said", async () => {
    const server = await serve([{ text: "I'd rather not." }]);
    const client = await connect(server);
    const failure = failureOf(await client.generate({ ...question, output }));
    expect(failure).toMatchObject({ kind: "bad-answer", text: "I'd rather not." });
    expect(server.requests).toHaveLength(2);
  });
});

describe("embeddings over HTTP", () => {
  it("come in batches and in order", async () => {
    const server = await serve([{}]);
    const client = await connect(server, { embeddingModel: "openai-compatible/vectors" });
    const texts = Array.from({ length: 200 }, (_, at) => "x".repeat(at));
    const vectors = unwrap((await client.embedder?.embed(texts)) ?? { ok: true, value: [] });
    expect(vectors).toHaveLength(200);
    expect([...(vectors[150] ?? [])]).toEqual([150, 1, 0.5]);
    expect(server.requests.map(({ path }) => path)).toEqual(Array(3).fill("/v1/embeddings"));
    expect(client.spent().byRole.embedding?.calls).toBe(3);
  });
});
