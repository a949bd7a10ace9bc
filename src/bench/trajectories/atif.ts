/** Reads ATIF, the Agent Trajectory Interchange Format (version 1), which Harbor and other harnesses write. */
import { z } from "zod";
import type { TrajectoryFormat, TurnUsage } from "./contract.ts";

const content = z
  .union([z.string(), z.array(z.looseObject({ text: z.string().nullish() }))])
  .nullish()
  .transform((said) =>
    typeof said === "string" ? said : (said ?? []).map(({ text }) => text ?? "").join(""),
  );
const stepSchema = z.looseObject({
  source: z.enum(["system", "user", "agent"]),
  timestamp: z.string().nullish(),
  model_name: z.string().nullish(),
  message: content,
  reasoning_content: z.string().nullish(),
  tool_calls: z
    .array(z.looseObject({ tool_call_id: z.string(), function_name: z.string(), arguments: z.unknown() }))
    .nullish(),
  observation: z
    .looseObject({ results: z.array(z.looseObject({ source_call_id: z.string().nullish(), content })) })
    .nullish(),
  metrics: z
    .looseObject({
      prompt_tokens: z.int().nullish(),
      completion_tokens: z.int().nullish(),
      cached_tokens: z.int().nullish(),
      cost_usd: z.number().nullish(),
    })
    .nullish(),
  llm_call_count: z.int().nullish(),
});
const fileSchema = z.looseObject({
  agent: z.looseObject({ name: z.string(), version: z.string(), model_name: z.string().nullish() }),
  steps: z.array(stepSchema),
  final_metrics: z
    .looseObject({
      total_prompt_tokens: z.int().nullish(),
      total_completion_tokens: z.int().nullish(),
      total_cached_tokens: z.int().nullish(),
      total_cost_usd: z.number().nullish(),
    })
    .nullish(),
});

const tagSchema = z.looseObject({ schema_version: z.string().regex(/^ATIF-v1\./) });

export const atif: TrajectoryFormat = {
  name: "ATIF",
  read(data) {
    if (!tagSchema.safeParse(data).success) return undefined;
    const { agent, steps, final_metrics: total } = fileSchema.parse(data);
    const isMeasured = steps.some(({ metrics }) => metrics !== null && metrics !== undefined);
    return {
      agent: `${agent.name} ${agent.version}`.trim(),
      model: agent.model_name ?? "unknown",
      statement: steps.find(({ source }) => source === "user")?.message ?? "",
      turns: steps
        .filter(({ source, llm_call_count: asked }) => source === "agent" && asked !== 0)
        .map(toTurn),
      patch: "",
      end: "unknown",
      ...(isMeasured || total === null || total === undefined
        ? {}
        : {
            total: usageOf({
              prompt_tokens: total.total_prompt_tokens,
              completion_tokens: total.total_completion_tokens,
              cached_tokens: total.total_cached_tokens,
              cost_usd: total.total_cost_usd,
            }),
          }),
    };
  },
};

function toTurn(step: z.infer<typeof stepSchema>) {
  const results = step.observation?.results ?? [];
  const at = Date.parse(step.timestamp ?? "");
  return {
    ...(Number.isNaN(at) ? {} : { at }),
    text: step.message,
    reasoning: step.reasoning_content ?? undefined,
    model: step.model_name ?? undefined,
    calls: (step.tool_calls ?? []).map((call, place) => ({
      id: call.tool_call_id,
      tool: call.function_name,
      input: call.arguments,
      output: (
        results.find(({ source_call_id: of }) => of === call.tool_call_id) ??
        results.filter(({ source_call_id: of }) => of === null || of === undefined)[place]
      )?.content,
    })),
    ...(step.metrics === null || step.metrics === undefined ? {} : { usage: usageOf(step.metrics) }),
  };
}

function usageOf(metrics: NonNullable<z.infer<typeof stepSchema>["metrics"]>): TurnUsage {
  return {
    inputTokens: metrics.prompt_tokens ?? 0,
    cachedTokens: metrics.cached_tokens ?? 0,
    outputTokens: metrics.completion_tokens ?? 0,
    usd: metrics.cost_usd ?? undefined,
  };
}
