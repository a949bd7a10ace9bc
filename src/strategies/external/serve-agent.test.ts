import { request as startRequest } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../../../tests/model-fixture.ts";
import { partOf } from "../../../tests/part-of.ts";
import { fail } from "../../base/result.ts";
import type { ModelClient, ModelRequest } from "../../llm/contract.ts";
import { type EndpointOptions, serveAgent } from "./serve-agent.ts";

test("a model's call ends when the agent that waits for it closes the connection", async () => {
  const socket = join(await makeFolder(), "agent.socket");
  const asked = Promise.withResolvers<AbortSignal>();
  const ended = Promise.withResolvers<void>();
  const models = partOf<ModelClient>({
    async generate({ signal = new AbortController().signal }: ModelRequest<unknown>) {
      asked.resolve(signal);
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      ended.resolve();
      return fail("cancelled", "the call was cancelled");
    },
  });
  const failures: string[] = [];
  const endpoint = await serveAgent({
    ...{ models, socket, signal: new AbortController().signal },
    limits: partOf<EndpointOptions["limits"]>({ exhausted: () => undefined }),
    work: partOf<EndpointOptions["work"]>({ asked() {}, countSample: () => 0, find: () => undefined }),
    onFailure: () => failures.push("failed"),
  });
  try {
    const client = startRequest({ socketPath: socket, path: "/v1/chat/completions", method: "POST" });
    client.on("error", () => {});
    client.end(JSON.stringify({ messages: [{ role: "user", content: "Mend it." }] }));
    expect((await asked.promise).aborted).toBe(false);
    client.destroy();
    await ended.promise;
    expect(endpoint.failure()).toBeUndefined();
    expect(failures).toEqual([]);
  } finally {
    await endpoint.close();
  }
});
