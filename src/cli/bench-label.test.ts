import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeItems } from "./bench-label.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "label-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A batch of attempts at ten tasks; each attempt ran its reproduction once. */
function writeBatch(): string {
  const numbers = Array.from({ length: 10 }, (_, at) => at);
  const arm = { strategy: "marscode", model: "scripted:x" };
  for (const at of numbers) {
    const run = join(folder, "runs", `run-${at}`);
    mkdirSync(join(run, "outputs"), { recursive: true });
    const task = { id: `task-${at}`, kind: "repair", statement: `Fault ${at} occurs.`, repository: "r" };
    const started = {
      event: "run-started",
      at: 1,
      run: `run-${at}`,
      task,
      ...{ strategy: arm.strategy, sandbox: "local" },
    };
    const ended = {
      ...{
        event: "tool-ended",
        at: 2,
        order: 1,
        call: 1,
        id: "1",
        tool: "try_out",
        about: "",
        failed: false,
      },
      ...{ ms: 1, output: "o1", characters: 9 },
    };
    writeFileSync(join(run, "events.jsonl"), `${JSON.stringify(started)}\n${JSON.stringify(ended)}\n`);
    writeFileSync(join(run, "outputs", "o1.txt"), `output ${at} with \`\`\` in it`);
  }
  const usage = { calls: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, usd: 0 };
  const work = { parts: [], sequences: [], reproduction: { isShown: false, runs: 1, cause: "irrelevant" } };
  const tries = numbers.map((at) => ({
    ...{ ...arm, id: `task-${at}`, attempt: 1, outcome: "unresolved", reason: "", verdict: "unverified" },
    ...{ run: `run-${at}`, agentSeconds: 1, gradingSeconds: 1, usage, work },
  }));
  const tasks = { file: "t", sha256: "0", count: 10 };
  const document = { schema: "millwright.bench-run/1", version: "1", tasks, rules: [], sandbox: "local" };
  const path = join(folder, "report.json");
  writeFileSync(path, JSON.stringify({ ...document, arms: [arm], runs: join(folder, "runs"), tries }));
  return path;
}

test("a seed draws the same reproductions, whose items show statement and output, but no arm and no verdict", async () => {
  const batch = writeBatch();
  const draw = async (name: string, sampleSeed: number): Promise<string[]> => {
    const out = join(folder, name);
    await writeItems([batch], { of: "reproductions", sample: "4", sampleSeed, out });
    return readdirSync(out).filter((file) => /^[0-9a-f]{12}\.md$/.test(file));
  };
  const drawn = await draw("first", 1);
  expect(drawn).toHaveLength(4);
  expect(await draw("again", 1)).toEqual(drawn);
  expect(await draw("other", 2)).not.toEqual(drawn);
  for (const file of drawn) {
    const text = readFileSync(join(folder, "first", file), "utf8");
    const [, at = ""] = /Fault (\d) occurs\./.exec(text) ?? [];
    expect(text).toContain(`## Output 1 of 1\n\n\`\`\`\`\noutput ${at} with \`\`\` in it\n\`\`\`\``);
    expect(text).not.toMatch(/marscode|scripted|unverified|unresolved|irrelevant|run-/);
  }
  const rows = readFileSync(join(folder, "first", "labels.jsonl"), "utf8")
    .trimEnd()
    .split("\n");
  expect(rows.map((row) => JSON.parse(row).item)).toEqual(drawn.map((file) => file.slice(0, -3)));
  expect(readFileSync(join(folder, "first", "README.md"), "utf8")).toContain("| `irrelevant` |");
});

test("a batch without such attempts, or whose runs are gone, cannot be labelled", async () => {
  const batch = writeBatch();
  const flags = { sample: "95/10", sampleSeed: 1, out: join(folder, "none") };
  await expect(writeItems([batch], { ...flags, of: "patches" })).rejects.toThrow(/no patches of resolved/);
  const runsDir = join(folder, "elsewhere");
  await expect(writeItems([batch], { ...flags, of: "reproductions", runsDir })).rejects.toThrow(/is not in/);
});
