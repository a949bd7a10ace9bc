/**
 * `bench attempt`, which `bench run` starts for each attempt. Reads the request as one line of JSON, and writes the
 * result as one line.
 */
import { createInterface } from "node:readline";
import { interruptedExitCode, MillwrightError } from "../base/errors.ts";
import { type AttemptRequest, attemptRequestSchema } from "../bench/attempt.ts";
import { makeAttempt } from "../session/make-attempt.ts";
import { hostOf } from "./host.ts";

/** Milliseconds for closing sandboxes after the caller has ended. */
const graceMs = 15_000;

/**
 * Reads a request from standard input and makes the attempt. Stops when standard input closes, because the caller has
 * then ended.
 */
export async function runAttempt(): Promise<void> {
  const controller = new AbortController();
  const stop = (): void => {
    controller.abort();
    setTimeout(() => process.exit(interruptedExitCode), graceMs).unref();
  };
  const lines = createInterface({ input: process.stdin });
  const request = new Promise<string>((resolve) => {
    lines.once("line", resolve);
    lines.once("close", () => resolve(""));
  });
  const asked = parseRequest(await request);
  lines.once("close", stop);
  const result = await makeAttempt(asked, { host: hostOf(), signal: controller.signal });
  lines.off("close", stop);
  lines.close();
  process.stdin.destroy();
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

function parseRequest(line: string): AttemptRequest {
  try {
    return attemptRequestSchema.parse(JSON.parse(line));
  } catch (cause) {
    throw new MillwrightError("usage", "`bench attempt` got no valid request on standard input", {
      cause,
      hint: "`bench run` starts this command itself. Use `millwright bench run` for attempts at tasks, or `millwright solve` for one task.",
    });
  }
}
