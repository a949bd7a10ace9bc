import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type AttemptRequest, failedAttempt } from "../bench/attempt.ts";
import { performAttempt } from "./attempt-process.ts";

const request: AttemptRequest = {
  schema: "millwright.attempt-request/1",
  ...{ run: "r", runsDirectory: "/nowhere", settings: {} },
  task: { kind: "repair", statement: "it's wrong", repository: "/nowhere" },
};
const { signal } = new AbortController();

function perform(script: string, more: { limitMs?: number; signal?: AbortSignal } = {}) {
  const program = ["sh", "-c", script];
  const environment = { PATH: process.env["PATH"] };
  return performAttempt(request, { ...{ program, environment, limitMs: 60_000, signal }, ...more });
}

test("gives the request as a line, and takes the result", async () => {
  const result = { ...failedAttempt("r", "agent-error", "because"), state: "ended", patch: "diff" };
  const script = `read -r line; case "$line" in *"it's wrong"*) echo '${JSON.stringify(result)}';; esac`;
  expect(await perform(script)).toEqual(result);
});

test.each([
  [
    "an agent that breaks",
    "echo broken >&2; exit 7",
    "agent-error",
    /ended with exit code 7, without a valid result: broken$/,
  ],
  [
    "one that cannot be loaded",
    "echo no package >&2; exit 3",
    "infrastructure-error",
    /code 3, without a valid result: no package$/,
  ],
  ["one that says nothing", "exit 0", "agent-error", /ended with exit code 0/],
  ["one that something killed", "kill -9 $$", "infrastructure-error", /ended with SIGKILL/],
] as const)("%s", async (_, script, state, reason) => {
  expect(await perform(script)).toMatchObject({ state, reason: expect.stringMatching(reason), patch: "" });
});

test("one that goes on long after its limit is killed, and what it started too", async () => {
  const end = await perform("sleep 60 & wait", { limitMs: 100 });
  expect(end).toMatchObject({ state: "agent-error", reason: expect.stringContaining("had not ended") });
});

test("an interruption ends its input, and waits for it to leave", async () => {
  const folder = mkdtempSync(join(tmpdir(), "millwright-attempt-"));
  try {
    const controller = new AbortController();
    const [begun, left] = [join(folder, "begun"), join(folder, "left")];
    const script = `read -r line; touch ${begun}; read -r end; touch ${left}`;
    const ended = perform(script, { signal: controller.signal });
    while (!existsSync(begun)) await sleep(5);
    controller.abort();
    await expect(ended).rejects.toThrow("abort");
    expect(existsSync(left)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a program that is not there is a defect of ours", async () => {
  const own = { program: ["/no/such/program"], environment: {}, limitMs: 60_000, signal };
  await expect(performAttempt(request, own)).rejects.toThrow("cannot start the agent's process");
});
