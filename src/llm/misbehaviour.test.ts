import { describe, expect, it } from "vitest";
import { connect, failureOf, question, secretKey, serve, unwrap } from "../../tests/model-fixture.ts";
import { createRedactor } from "../base/redact.ts";
import type { ProgressEvent } from "./contract.ts";

describe("a provider that misbehaves", () => {
  it("has its storm of 429 waited out, with fewer calls at a time", async () => {
    const server = await serve((_, count) =>
      count < 12 ? { status: 429, headers: { "retry-after": "0" } } : { text: "Well." },
    );
    const client = await connect(server, { parallel: 8 });
    const asked = Array.from({ length: 10 }, (_, sample) =>
      client.generate({ ...question, settings: { sample } }),
    );
    expect((await Promise.all(asked)).every(({ ok }) => ok)).toBe(true);
    expect(server.mostAtOnce()).toBeLessThanOrEqual(8);
    expect(client.spent().calls).toBe(10);
  });

  it("is waited for as long as it asks, and not longer than it is worth", async () => {
    const server = await serve([{ status: 429, headers: { "retry-after-ms": "300" } }, { text: "Well." }]);
    const client = await connect(server);
    const waits: number[] = [];
    const onProgress = (event: ProgressEvent) => event.type === "again" && waits.push(event.waitMs);
    unwrap(await client.generate({ ...question, onProgress }));
    expect(waits).toEqual([300]);
    const busy = await serve([{ status: 429, headers: { "retry-after": "3600" } }]);
    expect(failureOf(await (await connect(busy)).generate(question)).kind).toBe("rate-limit");
    expect(busy.requests).toHaveLength(1);
  });

  it("is asked once more without a setting that it refuses, and from then on without it", async () => {
    const server = await serve(({ body }) => {
      const refused = ["temperature", "reasoning_effort"].find((name) => body[name] !== undefined);
      const message = `Unsupported parameter: '${refused}' is not supported with this model.`;
      return refused === undefined ? { text: "Well." } : { status: 400, body: { error: { message } } };
    });
    const client = await connect(server, { decoding: { editing: { temperature: 0.5, reasoning: "low" } } });
    const reasons: string[] = [];
    const onProgress = (event: ProgressEvent) => event.type === "again" && reasons.push(event.because);
    const first = unwrap(await client.generate({ ...question, onProgress }));
    expect(reasons).toEqual(["temperature", "reasoning"].map((name) => expect.stringContaining(name)));
    expect(first.warnings).toEqual(reasons);
    expect(server.requests).toHaveLength(3);
    unwrap(await client.generate({ ...question, settings: { sample: 1 } }));
    expect(server.requests).toHaveLength(4);
  });

  it("is not asked again where it refuses the request for something else", async () => {
    const server = await serve([{ status: 400, body: { error: { message: "The model does not exist" } } }]);
    expect(failureOf(await (await connect(server)).generate(question)).kind).toBe("bad-request");
    expect(server.requests).toHaveLength(1);
  });

  it("does not send a prompt on to another address", async () => {
    const other = await serve([{ text: "Thank you." }]);
    const location = `${other.address}/chat/completions`;
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await serve([{ status, headers: { location } }]);
      const failure = failureOf(await (await connect(server)).generate(question));
      expect(failure.kind).toBe("bad-request");
      expect(failure.message).toContain("redirects to");
      expect(server.requests).toHaveLength(1);
    }
    expect(other.requests).toHaveLength(0);
  });

  it("may move within its own address, not for ever", async () => {
    const server = await serve((_, count) =>
      count === 0 ? { status: 308, headers: { location: "/v1/chat/completions" } } : { text: "Here." },
    );
    unwrap(await (await connect(server)).generate(question));
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.body).toEqual(server.requests[0]?.body);
    const circle = await serve([{ status: 307, headers: { location: "/v1/chat/completions" } }]);
    expect(failureOf(await (await connect(circle)).generate(question)).kind).toBe("bad-request");
  });

  it("is not asked again where the quota is spent", async () => {
    const body = { error: { message: "You exceeded your current quota", code: "insufficient_quota" } };
    for (const reaction of [
      { status: 429, body },
      { status: 402, body: { error: { message: "Insufficient credits" } } },
    ]) {
      const server = await serve([reaction]);
      expect(failureOf(await (await connect(server)).generate(question)).kind).toBe("quota-spent");
      expect(server.requests).toHaveLength(1);
    }
  });

  it.each([
    [401, { error: { message: `Incorrect API key provided: ${secretKey}` } }, "auth", 1],
    [404, { error: { message: "The model `test` does not exist" } }, "bad-request", 1],
    [
      400,
      { error: { message: "This model's maximum context length is 8192 tokens" } },
      "context-too-long",
      1,
    ],
    [400, { error: { message: "no", code: "content_policy_violation" } }, "refused", 1],
    [503, { error: { message: "overloaded" } }, "unavailable", 6],
  ] as const)("that answers %i is understood", async (status, body, kind, requests) => {
    const server = await serve([{ status, body }]);
    const client = await connect(server, { redactor: createRedactor([secretKey]) });
    const failure = failureOf(await client.generate(question));
    expect(failure.kind).toBe(kind);
    expect(failure.message).not.toContain(secretKey);
    expect(server.requests).toHaveLength(requests);
  });

  it("by Google's words, is waited for by the minute, and not by the day", async () => {
    const message = "You exceeded your current quota, please check your plan and billing details.";
    const body = (quotaId: string) => ({
      error: { code: 429, message, details: [{ violations: [{ quotaId }] }, { retryDelay: "0.05s" }] },
    });
    const minute = await serve([
      { status: 429, body: body("RequestsPerMinutePerProject") },
      { text: "Well." },
    ]);
    expect((await (await connect(minute)).generate(question)).ok).toBe(true);
    const day = await serve([{ status: 429, body: body("RequestsPerDayPerProject") }]);
    expect(failureOf(await (await connect(day)).generate(question)).kind).toBe("quota-spent");
    expect(day.requests).toHaveLength(1);
  });

  it("may name a date until which to wait", async () => {
    const later = new Date(Date.now() + 3_600_000).toUTCString();
    const server = await serve([{ status: 429, headers: { "retry-after": later } }]);
    expect(failureOf(await (await connect(server)).generate(question)).kind).toBe("rate-limit");
    expect(server.requests).toHaveLength(1);
  });

  it("in the middle of a stream is understood as well", async () => {
    const error = (message: string, code: string) => ({
      raw: `data: ${JSON.stringify({ error: { message, code } })}\n\n`,
    });
    const busy = await serve([error("The server is overloaded", "overloaded_error"), { text: "Well." }]);
    expect((await (await connect(busy)).generate(question)).ok).toBe(true);
    const spent = await serve([error("You have no credits", "insufficient_quota")]);
    expect(failureOf(await (await connect(spent)).generate(question)).kind).toBe("quota-spent");
  });

  it("and cuts an answer off is asked again, and what came is taken back", async () => {
    const server = await serve([{ cutOff: "Once upon" }, { text: "Well." }]);
    const client = await connect(server);
    const events: string[] = [];
    const onProgress = (event: ProgressEvent) => events.push(event.type === "again" ? "again" : event.delta);
    expect(unwrap(await client.generate({ ...question, onProgress })).text).toBe("Well.");
    expect(events).toEqual(["Once upon", "again", "Well."]);
    expect(client.spent().calls).toBe(2); // the first is likely to be charged for
  });

  it.each(["at once", "after text", "beating"] as const)("and is silent %s is given up", async (hang) => {
    const server = await serve([{ hang }]);
    const client = await connect(server, { quietMs: hang === "beating" ? 100 : 200 });
    const failure = failureOf(await client.generate(question));
    expect(failure).toMatchObject({ kind: "network" });
    expect(failure.message).toContain("silent for too long");
  });

  it("and speaks nonsense is asked once more", async () => {
    const server = await serve([{ raw: "data: {nonsense\n\n" }, { text: "Well." }]);
    expect(unwrap(await (await connect(server)).generate(question)).text).toBe("Well.");
    const mad = await serve([{ raw: "data: {nonsense\n\n" }]);
    expect(failureOf(await (await connect(mad)).generate(question)).kind).toBe("bad-answer");
    expect(mad.requests).toHaveLength(2);
  });

  it("and never ends is ended", async () => {
    const server = await serve([{ text: "again and ".repeat(5000), finish: "stop" }]);
    const settings = { maxOutputTokens: 600 };
    const failure = failureOf(await (await connect(server)).generate({ ...question, settings }));
    expect(failure).toMatchObject({ kind: "bad-answer" });
    expect(failure.message).toContain("is too long");
  });

  it("and is not there at all is a failure of the network", async () => {
    const server = await serve([{}]);
    const client = await connect(server);
    await server.close();
    expect(failureOf(await client.generate(question)).kind).toBe("network");
  });
});

describe("a caller who has had enough", () => {
  it("cancels a call at once", async () => {
    const server = await serve([{ hang: "after text" }]);
    const client = await connect(server);
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    const result = await client.generate({ ...question, signal: controller.signal, onProgress });
    expect(failureOf(result).kind).toBe("cancelled");
  });

  it("cancels the wait for another attempt", async () => {
    const server = await serve([{ status: 503 }]);
    const client = await connect(server, {
      patience: { baseMs: 60_000, longestWaitMs: 60_000, longestAskedMs: 60_000 },
    });
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    const result = await client.generate({ ...question, signal: controller.signal, onProgress });
    expect(failureOf(result).kind).toBe("cancelled");
  });
});
