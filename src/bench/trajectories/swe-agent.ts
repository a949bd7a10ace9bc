/** Reads SWE-agent's `*.traj`, 0.x and 1.x: a row for each action, and totals over all actions. */
import { z } from "zod";
import type { TrajectoryFormat } from "./contract.ts";

const fileSchema = z.looseObject({
  trajectory: z.array(
    z.looseObject({
      action: z.string().nullish(),
      observation: z.string().nullish(),
      response: z.string().nullish(),
      thought: z.string().nullish(),
      execution_time: z.number().nullish(),
    }),
  ),
  history: z.array(
    z.looseObject({
      role: z.string(),
      content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).nullish(),
      is_demo: z.boolean().nullish(),
    }),
  ),
  info: z.looseObject({
    exit_status: z.string().nullish(),
    submission: z.string().nullish(),
    swe_agent_version: z.string().nullish(),
    model_stats: z
      .looseObject({
        instance_cost: z.number().nullish(),
        tokens_sent: z.int().nullish(),
        tokens_received: z.int().nullish(),
      })
      .nullish(),
  }),
  replay_config: z.unknown().optional(),
});
const tagSchema = z.looseObject({
  trajectory: z.array(z.unknown()),
  history: z.array(z.unknown()),
  info: z.unknown(),
});
const configSchema = z.looseObject({
  agent: z.looseObject({ model: z.looseObject({ name: z.string() }) }),
});

export const sweAgent: TrajectoryFormat = {
  name: "SWE-agent",
  read(data) {
    if (!tagSchema.safeParse(data).success) return undefined;
    const { trajectory, history, info, replay_config: config } = fileSchema.parse(data);
    const asked =
      history.find(({ role, is_demo: isDemo }) => role === "user" && isDemo !== true)?.content ?? "";
    const stats = info.model_stats;
    return {
      agent: `SWE-agent ${info.swe_agent_version ?? ""}`.trim(),
      model: modelOf(config),
      statement: typeof asked === "string" ? asked : asked.map(({ text = "" }) => text).join(""),
      turns: trajectory.map(({ action, observation, response, thought, execution_time: seconds }, at) => ({
        text: response ?? thought ?? "",
        calls:
          (action ?? "").trim() === ""
            ? []
            : [
                {
                  id: String(at + 1),
                  tool: action?.trim().split(/\s/)[0] ?? "",
                  input: { action },
                  output: observation ?? undefined,
                  ...(typeof seconds === "number" ? { ms: Math.round(seconds * 1000) } : {}),
                },
              ],
      })),
      patch: (info.submission ?? "").replaceAll("\r\n", "\n").replace(/^\n+/, ""),
      end: info.exit_status ?? "unknown",
      total: {
        inputTokens: stats?.tokens_sent ?? 0,
        cachedTokens: 0,
        outputTokens: stats?.tokens_received ?? 0,
        usd: stats?.instance_cost ?? undefined,
      },
    };
  },
};

/** Returns the model. The configuration for a repetition is JSON, possibly inside a string. */
function modelOf(config: unknown): string {
  try {
    const parsed = configSchema.safeParse(typeof config === "string" ? JSON.parse(config) : config);
    return parsed.success ? parsed.data.agent.model.name : "unknown";
  } catch {
    return "unknown";
  }
}
