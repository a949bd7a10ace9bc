import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { usageOf } from "../agent/record/costs.ts";
import { readTrajectory } from "../bench/trajectories/read-trajectory.ts";
import { importTrajectory } from "./import-trajectory.ts";
import { readRunRecord } from "./read-runs.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "import-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const command = "sed -i s/0/1/ zone.py";
const patch =
  "diff --git a/zone.py b/zone.py\n--- a/zone.py\n+++ b/zone.py\n@@ -1 +1 @@\n-zone = 0\n+zone = 1\n";

/** In the format of mini-swe-agent 2.4. */
const mini = {
  trajectory_format: "mini-swe-agent-1.1",
  info: {
    mini_version: "2.4.6",
    exit_status: "Submitted",
    submission: patch,
    model_stats: { instance_cost: 0.03, api_calls: 1 },
    config: { model: { model_name: "openai/any" } },
  },
  messages: [
    { role: "system", content: "You are a helpful assistant." },
    { role: "user", content: "The zone is wrong." },
    {
      role: "assistant",
      content: "I mend.",
      tool_calls: [
        { id: "c1", type: "function", function: { name: "bash", arguments: JSON.stringify({ command }) } },
      ],
      extra: {
        actions: [{ command, tool_call_id: "c1" }],
        response: {
          usage: { prompt_tokens: 500, completion_tokens: 40, prompt_tokens_details: { cached_tokens: 100 } },
        },
        cost: 0.03,
        timestamp: 1_795_457_429.4,
      },
    },
    { role: "tool", tool_call_id: "c1", content: "done" },
    { role: "exit", content: "", extra: { exit_status: "Submitted" } },
  ],
};

/** In the format of SWE-agent 1, which gives only total usage. */
const swe = {
  trajectory: [
    { action: command, observation: "done", response: "I mend.", thought: "I mend.", execution_time: 0.25 },
  ],
  history: [
    { role: "system", content: "SETTING", agent: "main" },
    { role: "user", content: "A demonstration.", agent: "main", is_demo: true },
    { role: "user", content: "The zone is wrong.", agent: "main" },
  ],
  info: {
    exit_status: "submitted",
    submission: `\r\n${patch.replaceAll("\n", "\r\n")}`,
    model_stats: { instance_cost: 0.03, tokens_sent: 500, tokens_received: 40, api_calls: 1 },
  },
  replay_config: JSON.stringify({ agent: { model: { name: "openai/any" } } }),
};

/** In the format of Harbor 0.25. */
const atif = {
  schema_version: "ATIF-v1.8",
  session_id: "s1",
  agent: { name: "terminus-2", version: "2.0.0", model_name: "openai/any" },
  steps: [
    { step_id: 1, timestamp: "2026-11-02T10:00:00Z", source: "user", message: "The zone is wrong." },
    {
      step_id: 2,
      timestamp: "2026-11-02T10:00:05Z",
      source: "agent",
      message: "I mend.",
      tool_calls: [{ tool_call_id: "c1", function_name: "bash", arguments: { command } }],
      observation: { results: [{ source_call_id: "c1", content: "done" }] },
      metrics: { prompt_tokens: 500, completion_tokens: 40, cached_tokens: 100, cost_usd: 0.03 },
    },
  ],
};

/** A row of an evaluation by OpenHands 0.5x. */
const openHands = {
  instance_id: "zone-1",
  instruction: "The zone is wrong.",
  metadata: { agent_class: "CodeActAgent", llm_config: { model: "openai/any" } },
  metrics: { accumulated_cost: 0.03 },
  test_result: { git_patch: patch },
  history: [
    { id: 0, source: "user", action: "message", message: "", args: { content: "The zone is wrong." } },
    {
      id: 1,
      source: "environment",
      observation: "agent_state_changed",
      content: "",
      extras: { agent_state: "running" },
    },
    {
      id: 2,
      timestamp: "2025-07-04T17:00:00.000",
      source: "agent",
      action: "run",
      args: { command, thought: "I mend." },
      tool_call_metadata: {
        function_name: "execute_bash",
        tool_call_id: "c1",
        model_response: {
          id: "r1",
          model: "openai/any",
          usage: { prompt_tokens: 500, completion_tokens: 40 },
        },
      },
    },
    {
      id: 3,
      timestamp: "2025-07-04T17:00:01.000",
      source: "agent",
      observation: "run",
      cause: 2,
      content: "done",
      extras: {},
    },
  ],
};

/** Events of OpenHands' SDK 1.58, which have neither costs nor the patch. */
const openHandsSdk = [
  {
    ...{ kind: "MessageEvent", id: "a", timestamp: "2026-11-02T10:00:00", source: "user" },
    llm_message: { role: "user", content: [{ type: "text", text: "The zone is wrong." }] },
  },
  {
    ...{ kind: "ActionEvent", id: "b", timestamp: "2026-11-02T10:00:05", source: "agent" },
    ...{ thought: [{ type: "text", text: "I mend." }], tool_name: "terminal", tool_call_id: "c1" },
    ...{ llm_response_id: "r1", action: { kind: "TerminalAction", command } },
  },
  {
    ...{ kind: "ObservationEvent", id: "c", timestamp: "2026-11-02T10:00:06", source: "environment" },
    ...{ tool_name: "terminal", tool_call_id: "c1", action_id: "b" },
    observation: { kind: "TerminalObservation", content: [{ type: "text", text: "done" }] },
  },
];

/** The log of the last completion of OpenHands 0.x. */
const openHandsLog = {
  fncall_messages: [
    { role: "user", content: [{ type: "text", text: "The zone is wrong." }] },
    {
      role: "assistant",
      content: [{ type: "text", text: "I mend." }],
      tool_calls: [
        {
          id: "c1",
          type: "function",
          function: { name: "execute_bash", arguments: JSON.stringify({ command }) },
        },
      ],
    },
    { role: "tool", tool_call_id: "c1", content: [{ type: "text", text: "done" }] },
  ],
  fncall_response: {
    model: "any",
    choices: [{ message: { role: "assistant", content: "The zone is right." } }],
  },
};

test.each([
  ["a list of events", openHandsSdk, ["I mend."]],
  ["the log of a completion", openHandsLog, ["I mend.", "The zone is right."]],
])("OpenHands: %s becomes turns with their calls", (_, data, texts) => {
  const { statement, turns } = readTrajectory(JSON.stringify(data), "x.json");
  expect(statement).toBe("The zone is wrong.");
  expect(turns.map(({ text }) => text)).toEqual(texts);
  const [call] = turns[0]?.calls ?? [];
  expect(call).toMatchObject({ id: "c1", input: { command }, output: "done" });
});

test.each([
  ["OpenHands", "row.json", openHands, "execute_bash", "unverified"],
  ["mini-swe-agent 2.4.6", "a.traj.json", mini, "bash", "unverified"],
  ["SWE-agent", "a.traj", swe, "sed", "unverified"],
  ["terminus-2 2.0.0", "trajectory.json", atif, "bash", "none"],
])(
  "a trajectory of %s becomes a run with its calls, tools and costs",
  async (agent, name, data, tool, outcome) => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(data));
    const host = { environment: {}, onNotice: () => {} };
    const { directory } = await importTrajectory(path, { host, runsDirectory: join(folder, "runs") });
    const { events, report, description, state } = await readRunRecord(directory);
    expect(description).toMatchObject({
      strategy: agent,
      model: "openai/any",
      task: { statement: "The zone is wrong." },
    });
    expect(state).toBe(outcome);
    expect(report?.patch).toBe(outcome === "none" ? "" : patch);
    expect(report?.files).toEqual(outcome === "none" ? [] : [{ path: "zone.py", added: 1, removed: 1 }]);
    expect(usageOf(events)).toMatchObject({ calls: 1, inputTokens: 500, outputTokens: 40, usd: 0.03 });
    expect(events.map(({ event }) => event)).toEqual([
      "run-started",
      "call-ended",
      "tool-started",
      "tool-ended",
      "run-ended",
    ]);
    const ended = events.find((event) => event.event === "tool-ended");
    expect(ended).toMatchObject({ tool, about: command, characters: 4 });
    expect(readFileSync(join(directory, "outputs", `${ended?.output}.txt`), "utf8")).toBe("done");
  },
);

test.each([
  ["SWE-agent", { ...swe, info: { ...swe.info, model_stats: { tokens_sent: 500, tokens_received: 40 } } }, 1],
  [
    "ATIF",
    {
      ...atif,
      steps: [
        { source: "agent", message: "a" },
        { source: "agent", message: "b" },
      ],
    },
    2,
  ],
])("calls of %s are unpriced if the file gives total tokens without a cost", async (_, data, unpriced) => {
  const path = join(folder, "a.traj");
  const final_metrics = { total_prompt_tokens: 500, total_completion_tokens: 40 };
  writeFileSync(path, JSON.stringify({ ...data, final_metrics }));
  const host = { environment: {}, onNotice: () => {} };
  const { usage } = await importTrajectory(path, { host, runsDirectory: join(folder, "runs") });
  expect(usage).toMatchObject({ calls: unpriced, inputTokens: 500, outputTokens: 40, usd: 0, unpriced });
});

test("a file of another format, and one that lacks a part, is refused by name", async () => {
  const host = { environment: {}, onNotice: () => {} };
  const refused = (data: unknown) => {
    const path = join(folder, "x.json");
    writeFileSync(path, JSON.stringify(data));
    return expect(importTrajectory(path, { host, runsDirectory: folder })).rejects;
  };
  await refused({ messages: [] }).toThrow("is not a trajectory in a known format");
  await refused({ ...atif, steps: [{ source: "robot" }] }).toThrow(
    "ATIF, but cannot be read: steps.0.source",
  );
  const [step] = atif.steps.slice(1);
  const costs = (usd: number) => ({ ...step, metrics: { ...step?.metrics, cost_usd: usd } });
  await refused({ ...atif, steps: [costs(1e308), costs(1e308)] }).toThrow("turns.0.usage.usd");
  await refused({ ...atif, steps: [costs(-1)] }).toThrow("turns.0.usage.usd");
});

test("arguments that are nested too deeply stay a text", async () => {
  const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  const [, , answer] = mini.messages;
  const call = { id: "c1", type: "function", function: { name: "bash", arguments: deep } };
  const path = join(folder, "x.json");
  writeFileSync(path, JSON.stringify({ ...mini, messages: [{ ...answer, tool_calls: [call] }] }));
  const host = { environment: {}, onNotice: () => {} };
  const { trajectory } = await importTrajectory(path, { host, runsDirectory: folder });
  expect(trajectory.turns[0]?.calls[0]?.input).toBe(deep);
});
