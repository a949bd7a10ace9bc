/** A server on loopback that speaks chat completions, streamed, and misbehaves as its script says: one reaction for each request. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Reaction =
  | {
      readonly text?: string;
      readonly calls?: readonly ScriptedCall[];
      readonly usage?: object | null;
      readonly finish?: string;
    }
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  /** No byte at all, or none after the first words, or only that it is still there; the connection stays open. */
  | { readonly hang: "at once" | "after text" | "beating" }
  /** The connection is closed in the middle of the answer. */
  | { readonly cutOff: string }
  /** These lines as they are. */
  | { readonly raw: string; readonly type?: string };

export interface ScriptedCall {
  readonly name: string;
  readonly arguments: string;
}

export interface ChatRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
}

export interface ChatServer {
  /** The address to configure, with `/v1`. */
  readonly address: string;
  readonly requests: readonly ChatRequest[];
  /** The most requests that were open at the same time. */
  mostAtOnce(): number;
  close(): Promise<void>;
}

/** `react` is given each request and its number, from 0. Embeddings are answered by the lengths of the texts. */
export async function openChatServer(
  react: (request: ChatRequest, count: number) => Reaction,
): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  let inside = 0;
  let most = 0;
  const server = createServer(async (incoming, response) => {
    most = Math.max(most, ++inside);
    response.on("close", () => inside--);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString() || "{}") as Record<string, unknown>;
    const request: ChatRequest = { path: incoming.url ?? "", headers: incoming.headers, body };
    requests.push(request);
    const reaction = react(request, requests.length - 1);
    if (request.path.endsWith("/embeddings") && !("status" in reaction)) answerVectors(response, body);
    else answer(response, reaction);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/v1`,
    requests,
    mostAtOnce: () => most,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(response: ServerResponse, reaction: Reaction): void {
  if ("status" in reaction) {
    response.writeHead(reaction.status, { "content-type": "application/json", ...reaction.headers });
    response.end(JSON.stringify(reaction.body ?? { error: { message: `status ${reaction.status}` } }));
    return;
  }
  if ("hang" in reaction) {
    if (reaction.hang === "at once") return;
    const { send } = startStream(response);
    if (reaction.hang === "after text") send({ content: "Let me" });
    else beat(response);
    return;
  }
  if ("raw" in reaction) {
    response.writeHead(200, { "content-type": reaction.type ?? "text/event-stream" });
    response.end(reaction.raw);
    return;
  }
  const { send, end } = startStream(response);
  if ("cutOff" in reaction) {
    send({ content: reaction.cutOff });
    setTimeout(() => response.destroy(), 20);
    return;
  }
  const { text = "", calls = [], finish = calls.length > 0 ? "tool_calls" : "stop" } = reaction;
  for (const piece of text.match(/[\s\S]{1,7}/g) ?? []) send({ content: piece });
  for (const [index, call] of calls.entries())
    send({ tool_calls: [{ index, id: `call_${index}`, type: "function", function: call }] });
  end(
    finish,
    reaction.usage === undefined
      ? { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
      : reaction.usage,
  );
}

function beat(response: ServerResponse): void {
  const timer = setInterval(() => response.write(": still there\n\n"), 10);
  response.on("close", () => clearInterval(timer));
}

function startStream(response: ServerResponse) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = (data: object) =>
    response.write(
      `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "test", ...data })}\n\n`,
    );
  return {
    send: (delta: object) => chunk({ choices: [{ index: 0, delta, finish_reason: null }] }),
    end(finish: string, usage: object | null) {
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
      if (usage !== null) chunk({ choices: [], usage });
      response.end("data: [DONE]\n\n");
    },
  };
}

function answerVectors(response: ServerResponse, body: Record<string, unknown>): void {
  const texts = body["input"] as string[];
  const data = texts.map((text, index) => ({ object: "embedding", index, embedding: [text.length, 1, 0.5] }));
  response.writeHead(200, { "content-type": "application/json" });
  response.end(
    JSON.stringify({
      object: "list",
      data,
      model: "test",
      usage: { prompt_tokens: texts.length, total_tokens: texts.length },
    }),
  );
}
