import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ChatServer, openChatServer, type Reaction } from "../../tests/chat-server.ts";
import type { ModelClient, ModelRequest, ProgressEvent } from "./contract.ts";
import { type ModelOptions, openModels } from "./open-models.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(reactions: readonly Reaction[]): Promise<ChatServer> {
  const server = await openChatServer(
    (_, count) => reactions[Math.min(count, reactions.length - 1)] ?? { text: "" },
  );
  closers.push(server.close);
  return server;
}

function connect(server: ChatServer, options: Partial<ModelOptions> = {}): Promise<ModelClient> {
  return openModels({
    model: "openai-compatible/test",
    address: server.address,
    environment: { OPENAI_COMPATIBLE_API_KEY: "a-very-secret-key" },
    patience: { baseMs: 1, longestWaitMs: 10, longestAskedMs: 5000 },
    ...options,
  });
}

const question: ModelRequest = {
  role: "editing",
  system: "You are tested.",
  messages: [{ role: "user", text: "How are you?" }],
};

describe("an answer over HTTP", () => {
  it("is streamed and gathered, with its usage", async () => {
    const server = await serve([{ text: "I am well, thank you." }]);
    const client = await connect(server);
    const deltas: string[] = [];
    const onProgress = (event: ProgressEvent) => event.type === "text" && deltas.push(event.delta);
    const result = await client.generate({ ...question, onProgress });
    expect(result).toMatchObject({ ok: true, value: { text: "I am well, thank you.", finish: "stop" } });
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.join("")).toBe("I am well, thank you.");
    expect(client.spent()).toMatchObject({ calls: 1, inputTokens: 100, outputTokens: 10, unpriced: 1 });
    const [request] = server.requests;
    expect(request?.headers.authorization).toBe("Bearer a-very-secret-key");
    expect(request?.body).toMatchObject({ model: "test", stream: true, temperature: 0 });
  });
});
