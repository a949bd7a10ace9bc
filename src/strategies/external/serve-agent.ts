/**
 * The server for an external agent. The run's own models answer the agent's chat completions, and the server records
 * the agent's commands and file reads. The server's socket is in a folder that the sandbox shows. This socket is the
 * only way out of the sandbox.
 */
import { closeSync, constants, openSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { basename, dirname } from "node:path";
import type { StrategyContext } from "../../agent/strategy.ts";
import { MillwrightError } from "../../base/errors.ts";
import { parseJson } from "../../base/parse-json.ts";
import { fail } from "../../base/result.ts";
import {
  type ModelClient,
  type ModelFailure,
  type ModelRequest,
  providerFailures,
} from "../../llm/contract.ts";
import { type AgentWork, environmentUseSchema } from "./agent-work.ts";
import { answerToChat, answerToStream, failureToChat } from "./chat-answer.ts";
import { type ChatRequest, chatRequestSchema, toModelRequest } from "./chat-request.ts";

export interface AgentEndpoint {
  /**
   * The provider's failure; undefined if there was none. After a failure, the agent's behaviour does not count against
   * the agent.
   */
  failure(): ModelFailure | undefined;
  /** The limit that refused a call; undefined if none did. */
  limit(): string | undefined;
  close(): Promise<void>;
}

export interface EndpointOptions extends Pick<StrategyContext, "models" | "limits"> {
  readonly socket: string;
  readonly work: AgentWork;
  readonly signal: AbortSignal;
  /** The server calls this if the provider failed and retries cannot help. */
  readonly onFailure: () => void;
}

const largestBody = 64 * 1024 * 1024;

export async function serveAgent(options: EndpointOptions): Promise<AgentEndpoint> {
  const state: EndpointState = { failure: undefined, limit: undefined };
  const server = createServer((incoming, response) => {
    const signal = AbortSignal.any([options.signal, whenGone(response)]);
    answer(incoming, response, { ...options, signal }, state).catch((error: unknown) => {
      send(response, 500, { error: { message: String(error), type: "millwright", param: null, code: null } });
    });
  });
  const unlink = await listen(server, options.socket);
  return {
    failure: () => state.failure,
    limit: () => state.limit,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      unlink();
    },
  };
}

/** Aborts when the client closes its connection: nobody then needs the answer of a model. */
function whenGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  return gone.signal;
}

interface EndpointState {
  failure: ModelFailure | undefined;
  limit: string | undefined;
}

/**
 * Listens on the socket, through the folder's handle if possible, because a socket's path may have at most 107 bytes.
 */
async function listen(server: ReturnType<typeof createServer>, socket: string): Promise<() => void> {
  const isLinux = process.platform === "linux";
  const handle = isLinux ? openSync(dirname(socket), constants.O_RDONLY) : undefined;
  const path = handle === undefined ? socket : `/proc/self/fd/${handle}/${basename(socket)}`;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, resolve);
    });
    // Only the owner can enter its folder; inside a container, the user may differ.
    await chmod(socket, 0o666);
  } catch (cause) {
    if (handle !== undefined) closeSync(handle);
    throw new MillwrightError("sandbox", `The agent's socket cannot be opened: ${String(cause)}`, { cause });
  }
  return () => {
    if (handle !== undefined) closeSync(handle);
  };
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  options: EndpointOptions,
  state: EndpointState,
): Promise<void> {
  const path = (incoming.url ?? "").replace(/\?.*/, "").replace(/^\/v1\/v1\//, "/v1/");
  if (path === "/v1/models") return send(response, 200, listModels(options.models));
  const body = await readBody(incoming);
  if (body === undefined) return refuse(response, 413, "the request is too large or not JSON");
  if (path === "/environment") {
    const use = environmentUseSchema.safeParse(body);
    if (!use.success) return refuse(response, 400, use.error.message);
    await options.work.used(use.data);
    return send(response, 200, {});
  }
  if (!/^(?:\/v1)?\/chat\/completions$/.test(path))
    return refuse(response, 404, `Unknown path ${path}: send chat completions to /v1/chat/completions`);
  const chat = chatRequestSchema.safeParse(body);
  if (!chat.success) return refuse(response, 400, chat.error.message);
  await complete(chat.data, response, options, state);
}

async function complete(
  chat: ChatRequest,
  response: ServerResponse,
  options: EndpointOptions,
  state: EndpointState,
): Promise<void> {
  const { models, limits, work, signal } = options;
  work.asked(chat);
  const request = toModelRequest(chat, work);
  if (!request.ok) return refuse(response, 400, request.message);
  const exhausted = limits.exhausted();
  const result =
    models === undefined
      ? fail("bad-request", "The run has no model: give --model.")
      : exhausted === undefined
        ? await ask(models, request.value)
        : fail("budget", exhausted);
  if (!result.ok) {
    if (result.kind === "budget") state.limit ??= result.message;
    const { status, body } = failureToChat(result.kind, result.message);
    send(response, status, body);
    if (providerFailures.has(result.kind) && state.failure === undefined) {
      state.failure = result;
      options.onFailure();
    }
    return;
  }
  limits.spendStep();
  work.answered(result.value);
  const asked = typeof chat["model"] === "string" ? chat["model"] : result.value.model;
  if (chat.stream !== true) return send(response, 200, answerToChat(result.value, asked));
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(answerToStream(result.value, asked, chat.stream_options?.include_usage === true));

  function ask(client: ModelClient, asked: ModelRequest) {
    const sample = work.countSample(asked);
    return client.generate({ ...asked, settings: { ...asked.settings, sample }, signal });
  }
}

function listModels(models: ModelClient | undefined) {
  const id = models?.modelOf("editing").name;
  return {
    object: "list",
    data: id === undefined ? [] : [{ id, object: "model", created: 0, owned_by: "millwright" }],
  };
}

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > largestBody) return undefined;
    chunks.push(chunk);
  }
  return parseJson(Buffer.concat(chunks).toString("utf8"));
}

function refuse(response: ServerResponse, status: number, message: string): void {
  send(response, status, { error: { message, type: "invalid_request_error", param: null, code: null } });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
