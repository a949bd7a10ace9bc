/** A client for a server of ours, with little patience, so that tests need not wait. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import type { ModelClient, ModelFailure, ModelRequest, ModelResult } from "../src/llm/contract.ts";
import { type ModelOptions, openModels } from "../src/llm/open-models.ts";
import { type ChatRequest, type ChatServer, openChatServer, type Reaction } from "./chat-server.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** One reaction for each request, the last one for all that follow. Closed after the test. */
export async function serve(
  reactions: readonly Reaction[] | ((request: ChatRequest, count: number) => Reaction),
): Promise<ChatServer> {
  const react =
    typeof reactions === "function"
      ? reactions
      : (_: ChatRequest, count: number) => reactions[Math.min(count, reactions.length - 1)] ?? {};
  const server = await openChatServer(react);
  closers.push(server.close);
  return server;
}

export const secretKey = "mw-a-very-secret-key-42";

export function connect(server: ChatServer, options: Partial<ModelOptions> = {}): Promise<ModelClient> {
  return openModels({
    model: "openai-compatible/test",
    address: server.address,
    environment: { OPENAI_COMPATIBLE_API_KEY: secretKey },
    patience: { baseMs: 1, longestWaitMs: 10, longestAskedMs: 5000 },
    ...options,
  });
}

export const question: ModelRequest = {
  role: "editing",
  system: "You are tested.",
  messages: [{ role: "user", text: "How are you?" }],
};

/** An empty folder that is removed after the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "models-"));
  closers.push(() => rm(folder, { recursive: true }));
  return folder;
}

/** The name of a scripted model with these answers. */
export async function scriptModel(answers: readonly object[]): Promise<string> {
  const file = join(await makeFolder(), "answers.json");
  await writeFile(file, JSON.stringify({ answers }));
  return `scripted:${file}`;
}

export function unwrap<T>(result: ModelResult<T>): T {
  if (!result.ok) throw new Error(`${result.kind}: ${result.message}`);
  return result.value;
}

export function failureOf(result: ModelResult<unknown>): ModelFailure {
  if (result.ok) throw new Error("it did not fail");
  return result;
}
