import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ChatServer } from "../chat-server.ts";
import { makeFolder, serve } from "../model-fixture.ts";

const questions = 12;
const program = join(import.meta.dirname, "models-ask-and-die.ts");

function start(server: ChatServer, recording: string): ChildProcess {
  return spawn(process.execPath, [program, server.address, recording, String(questions)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function answered(recording: string): Promise<number> {
  const names = await readdir(recording).catch(() => []);
  return names.filter((name) => name.endsWith(".answer.json")).length;
}

it.each([1, 4, 9])("a run that is killed at its request %i pays no recorded answer again", async (fatal) => {
  const recording = await makeFolder();
  let victim: ChildProcess | undefined;
  const server = await serve((request, count) => {
    if (count === fatal) victim?.kill("SIGKILL");
    const [, user] = request.body["messages"] as { content: string }[];
    return { text: `answer to ${user?.content}` };
  });
  victim = start(server, recording);
  await once(victim, "close");
  const [kept, paid] = [await answered(recording), server.requests.length];
  expect(kept).toBeLessThan(questions);
  victim = undefined;
  const resumed = start(server, recording);
  const chunks: Buffer[] = [];
  resumed.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
  const [exitCode] = await once(resumed, "close");
  const lines = Buffer.concat(chunks).toString().trim().split("\n");
  expect(exitCode).toBe(0);
  expect(lines).toEqual(Array.from({ length: questions }, (_, at) => `answer to question ${at}`));
  expect(server.requests.length - paid).toBe(questions - kept);
});
