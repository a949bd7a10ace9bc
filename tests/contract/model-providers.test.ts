import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createRedactor } from "../../src/base/redact.ts";
import { findAccess, parseModelName } from "../../src/llm/model-name.ts";
import { openModels } from "../../src/llm/open-models.ts";
import type { ModelProvider } from "../../src/llm/provider.ts";
import { modelProviders } from "../../src/llm/providers/index.generated.ts";
import type { ChatServer, Reaction } from "../chat-server.ts";
import { type Dialect, dialects } from "../model-dialects.ts";
import { failureOf, question, secretKey, serve, unwrap } from "../model-fixture.ts";

const tools = [{ name: "look", description: "Looks.", input: z.object({ at: z.string() }) }];

describe.each(modelProviders.map((provider) => [provider.name, provider] as const))(
  "provider %s",
  (_, provider) => {
    it("describes itself, and is found by its example", () => {
      expect(provider.description).not.toBe("");
      expect(parseModelName(provider.example).provider).toBe(provider);
      expect(provider.needsKey && provider.keys.length === 0).toBe(false);
    });

    it("says what it needs where that is missing, and nothing where it is not", () => {
      const { missing } = findAccess(provider, {});
      if (provider.needsKey) expect(missing?.remedy).toContain(provider.keys[0]);
      else if (provider.address === undefined) expect(missing?.remedy).toContain("--model-url");
      else expect(missing).toBeUndefined();
      const environment = Object.fromEntries(provider.keys.map((name) => [name, secretKey]));
      expect(findAccess(provider, environment, "http://127.0.0.1:1/v1").missing).toBeUndefined();
    });
  },
);

const remote = modelProviders.filter((provider) => provider.form === "id");

describe.each(remote.map((provider) => [provider.name, provider] as const))(
  "provider %s over HTTP",
  (name, provider) => {
    const dialect = dialects[name] as Dialect;
    const open = (server: ChatServer) => openModels(optionsFor(provider, dialect, server));
    const raw: Reaction = { raw: dialect.answer };

    it("answers with text and calls, counts tokens, and knows what was cached", async () => {
      const server = await serve([raw]);
      const client = await open(server);
      const answer = unwrap(await client.generate({ ...question, tools }));
      expect(answer).toMatchObject({
        text: "I look.",
        finish: "calls",
        calls: [{ name: "look", input: { at: "a.ts" } }],
      });
      expect(answer.usage).toMatchObject({
        inputTokens: 100,
        cachedTokens: 80,
        outputTokens: 10,
        estimated: false,
      });
      expect(server.requests[0]?.headers[dialect.keyHeader]).toContain(secretKey);
    });

    it("takes the answer back with the result of its call, and gets the same prefix again", async () => {
      const server = await serve([raw]);
      const client = await open(server);
      const first = unwrap(await client.generate({ ...question, tools }));
      const results = [{ callId: first.calls[0]?.id ?? "", tool: "look", text: "the text of a.ts" }];
      const messages = [...question.messages, first.message, { role: "tool" as const, results }];
      expect((await client.generate({ ...question, tools, messages })).ok).toBe(true);
      const [before, after] = server.requests.map(({ body }) => JSON.stringify(body));
      expect(after).toContain("the text of a.ts");
      expect(after).toContain("I look.");
      for (const body of [before, after]) {
        expect(body).toContain("You are tested.");
        if (dialect.cacheMark === undefined) expect(body).not.toContain("cache_control");
        else expect(body).toContain(dialect.cacheMark);
      }
    });

    it("is asked for JSON by its schema", async () => {
      const server = await serve([raw]);
      const client = await open(server);
      const output = { name: "verdict", schema: z.object({ goodness: z.boolean().optional() }) };
      await client.generate({ ...question, output });
      expect(JSON.stringify(server.requests[0]?.body)).toContain("goodness");
    });

    it("is not asked twice with a wrong key, and the key is in no message", async () => {
      const server = await serve([dialect.wrongKey]);
      const failure = failureOf(await (await open(server)).generate(question));
      expect(failure.kind).toBe("auth");
      expect(failure.message).not.toContain(secretKey);
      expect(server.requests).toHaveLength(1);
    });

    it("is asked again where its answer is cut off", async () => {
      const firstWords = dialect.answer.indexOf("I look.");
      const begun = dialect.answer.slice(0, dialect.answer.indexOf("\n\n", firstWords) + 2);
      const server = await serve([{ raw: begun }, raw]);
      expect(unwrap(await (await open(server)).generate({ ...question, tools })).text).toBe("I look.");
      expect(server.requests).toHaveLength(2);
    });
  },
);

function optionsFor(provider: ModelProvider, dialect: Dialect, server: ChatServer) {
  const { address, addressWithout = "" } = dialect;
  const base = server.address.replace(addressWithout, "");
  const [key = ""] = provider.keys;
  const model =
    provider.name === "openrouter" ? "openrouter/anthropic/claude-sonnet-5.5" : `${provider.name}/test-model`;
  return {
    model,
    environment: { [key]: secretKey, ...(address === undefined ? {} : { [address]: base }) },
    ...(address === undefined ? { address: base } : {}),
    patience: { baseMs: 1, longestWaitMs: 10, longestAskedMs: 5000 },
    redactor: createRedactor([secretKey]),
  };
}
