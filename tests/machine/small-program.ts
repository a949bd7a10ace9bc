/**
 * The program, but its attempts at tasks are small: two questions to a model that is paid by the call, a sleep, a file.
 * The statement names the order: `answer` asks and returns the given patch, `think` asks and changes nothing.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { AttemptRequest, AttemptResult } from "../../src/bench/attempt.ts";

/** US dollars. */
export const pricePerCall = 0.01;
const calls = 2;

if (process.argv[2] === "bench" && process.argv[3] === "attempt") await makeSmallAttempt();
else if (process.argv[1] === import.meta.filename) await import("../../src/cli/main.ts");

async function makeSmallAttempt(): Promise<void> {
  const lines = createInterface({ input: process.stdin });
  lines.once("close", () => process.exit(130));
  const request: AttemptRequest = await new Promise((resolve) => {
    lines.once("line", (line) => resolve(JSON.parse(line)));
  });
  process.stdout.write(`${JSON.stringify(await attempt(request))}\n`, () => process.exit(0));
}

async function attempt({ run, runsDirectory, task, settings }: AttemptRequest): Promise<AttemptResult> {
  const started = performance.now();
  const result = (made: Partial<AttemptResult>): AttemptResult => ({
    ...{ state: "ended", reason: "it ended", patch: "", verdict: "none", strength: null, run },
    seconds: (performance.now() - started) / 1000,
    usage: { calls: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, usd: 0 },
    ...made,
  });
  try {
    mkdirSync(join(runsDirectory, run), { recursive: true });
    writeFileSync(
      join(runsDirectory, run, "report.json"),
      JSON.stringify({ run, filler: "x".repeat(20_000) }),
    );
    const paid = await askModel(String(settings["batchBudget"]));
    await sleep(Number(process.env["SMALL_SLEEP"] ?? 300));
    const patch = task.statement === "answer" ? readFileSync(process.env["SMALL_PATCH"] ?? "", "utf8") : "";
    return result({ patch, usage: { ...result({}).usage, calls: paid, usd: paid * pricePerCall } });
  } catch (error) {
    return result({ state: "infrastructure-error", reason: String(error) });
  }
}

/** Returns how many calls were paid; fewer where the batch's budget has no more. */
async function askModel(budget: string): Promise<number> {
  const { openBatchLedger } = await import("../../src/llm/batch-ledger.ts");
  const ledger = openBatchLedger(budget);
  for (let asked = 0; asked < calls; asked += 1) {
    const held = await ledger.hold({ usd: pricePerCall, tokens: 10, calls: 1 });
    if (held === undefined) return asked;
    await fetch(process.env["SMALL_MODEL"] ?? "", { method: "POST" });
    await held.settle({ usd: pricePerCall, tokens: 10, calls: 1 });
  }
  return calls;
}
