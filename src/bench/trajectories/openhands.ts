/**
 * Reads files of OpenHands 0.x and its SDK (1.x), in three forms: a saved trajectory (a list of events), the row of an
 * evaluation (with the events in `history`), and a completion log of 0.x (with the whole conversation as messages).
 */
import { z } from "zod";
import { readJson } from "../../base/parse-json.ts";
import type { Trajectory, TrajectoryFormat, Turn, TurnCall, TurnUsage } from "./contract.ts";

const text = z
  .union([z.string(), z.array(z.looseObject({ text: z.string().nullish() }))])
  .nullish()
  .transform((said) =>
    typeof said === "string" ? said : (said ?? []).map((part) => part.text ?? "").join("\n"),
  );

const usageSchema = z.looseObject({
  prompt_tokens: z.int().nullish(),
  completion_tokens: z.int().nullish(),
  prompt_tokens_details: z.looseObject({ cached_tokens: z.int().nullish() }).nullish(),
});

const oldEventSchema = z.looseObject({
  id: z.int().nullish(),
  source: z.string().nullish(),
  timestamp: z.string().nullish(),
  action: z.string().nullish(),
  observation: z.string().nullish(),
  /** The id of the action that an observation answers. */
  cause: z.int().nullish(),
  args: z.looseObject({ thought: text, content: text }).nullish(),
  content: text,
  extras: z.looseObject({ agent_state: z.string().nullish() }).nullish(),
  tool_call_metadata: z
    .looseObject({
      function_name: z.string(),
      tool_call_id: z.string(),
      model_response: z
        .looseObject({ id: z.string().nullish(), model: z.string().nullish(), usage: usageSchema.nullish() })
        .nullish(),
    })
    .nullish(),
});
type Event = z.infer<typeof oldEventSchema>;

/** Parses an event of the SDK into the form of a 0.x event. */
const sdkEventSchema = z
  .looseObject({
    kind: z.string(),
    source: z.string(),
    timestamp: z.string().nullish(),
    llm_message: z.looseObject({ content: text }).nullish(),
    llm_response_id: z.string().nullish(),
    thought: text,
    action: z.record(z.string(), z.unknown()).nullish(),
    observation: z.looseObject({ content: text }).nullish(),
    error: z.string().nullish(),
    tool_name: z.string().nullish(),
    tool_call_id: z.string().nullish(),
    key: z.string().nullish(),
    value: z.unknown().optional(),
  })
  .transform((event): Event => {
    const { kind, source, timestamp, tool_name: tool, tool_call_id: id, llm_response_id: response } = event;
    const base = { source, timestamp, content: "" };
    const call =
      typeof tool !== "string" || typeof id !== "string"
        ? {}
        : { tool_call_metadata: { function_name: tool, tool_call_id: id, model_response: { id: response } } };
    if (kind === "MessageEvent")
      return { ...base, action: "message", args: { thought: "", content: event.llm_message?.content ?? "" } };
    if (kind === "ActionEvent") {
      const { kind: _, ...input } = event.action ?? {};
      const args = { content: "", ...input, thought: event.thought };
      return { ...base, ...call, action: tool ?? "", args: { ...args, content: String(args.content) } };
    }
    if (id !== null && id !== undefined)
      return {
        ...base,
        ...call,
        observation: tool ?? "",
        content: event.observation?.content ?? event.error ?? "",
      };
    const isState = event.key === "execution_status" && typeof event.value === "string";
    return isState
      ? { ...base, observation: "agent_state_changed", extras: { agent_state: String(event.value) } }
      : { ...base, observation: kind };
  });
const eventSchema = z.union([sdkEventSchema, oldEventSchema]);

const isEvent = z.union([
  z.looseObject({ source: z.string(), action: z.string() }),
  z.looseObject({ source: z.string(), observation: z.string() }),
  z.looseObject({ source: z.string(), kind: z.string(), timestamp: z.string() }),
]);
const eventsTag = z
  .array(z.unknown())
  .refine((list) => list.length > 0 && list.every((each) => isEvent.safeParse(each).success));

const rowSchema = z.looseObject({
  instance_id: z.string(),
  /** The events. Older versions wrote pairs of an action and its observation. */
  history: z.array(z.union([eventSchema, z.array(eventSchema)])),
  instruction: z.string().nullish(),
  test_result: z.looseObject({ git_patch: z.string().nullish() }).nullish(),
  metadata: z.looseObject({ llm_config: z.looseObject({ model: z.string() }).nullish() }).nullish(),
  metrics: z.looseObject({ accumulated_cost: z.number().nullish() }).nullish(),
  error: z.string().nullish(),
});
const rowTag = z.looseObject({
  instance_id: z.string(),
  history: z.array(z.unknown()),
  metadata: z.unknown(),
});

const messageSchema = z.looseObject({
  role: z.string(),
  content: text,
  tool_calls: z
    .array(
      z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) }),
    )
    .nullish(),
  tool_call_id: z.string().nullish(),
});
const responseSchema = z.looseObject({
  model: z.string().nullish(),
  choices: z.array(z.looseObject({ message: messageSchema })),
});
const logSchema = z.looseObject({
  fncall_messages: z.array(messageSchema),
  fncall_response: responseSchema,
});
const logTag = z.looseObject({ fncall_messages: z.unknown(), fncall_response: z.unknown() });

export const openHands: TrajectoryFormat = {
  name: "OpenHands",
  read(data) {
    if (logTag.safeParse(data).success) return readLog(logSchema.parse(data));
    if (rowTag.safeParse(data).success) {
      const row = rowSchema.parse(data);
      const events = readEvents(row.history.flat());
      const usd = row.metrics?.accumulated_cost ?? undefined;
      return {
        ...events,
        model: row.metadata?.llm_config?.model ?? events.model,
        statement: row.instruction ?? events.statement,
        patch: row.test_result?.git_patch ?? "",
        end: row.error ?? events.end,
        ...(usd === undefined ? {} : withCost(events.turns, usd)),
      };
    }
    return eventsTag.safeParse(data).success ? readEvents(z.array(eventSchema).parse(data)) : undefined;
  },
};

/** Assigns the cost to the sum of tokens, because only the sum of costs is known. */
function withCost(turns: readonly Turn[], usd: number): Pick<Trajectory, "turns" | "total"> {
  const sum = (of: (usage: TurnUsage) => number): number =>
    turns.reduce((all, { usage }) => all + (usage === undefined ? 0 : of(usage)), 0);
  const total = {
    inputTokens: sum(({ inputTokens }) => inputTokens),
    cachedTokens: sum(({ cachedTokens }) => cachedTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    usd,
  };
  return { turns: turns.map(({ usage: _, ...turn }) => turn), total };
}

/** Actions that the program itself adds. They are not answers of the model. */
const ownActions = new Set([
  "system",
  "recall",
  "change_agent_state",
  "null",
  "condensation",
  "condensation_request",
]);

function readEvents(events: readonly Event[]): Trajectory {
  const said = events.find(({ source, action }) => source === "user" && action === "message");
  const actions = events.filter(
    ({ source, action }) => source === "agent" && typeof action === "string" && !ownActions.has(action),
  );
  // One answer may call several tools.
  const answers = Map.groupBy(
    actions,
    (event) => event.tool_call_metadata?.model_response?.id ?? `event ${event.id ?? actions.indexOf(event)}`,
  );
  const turns = [...answers.values()].map((own) => turnOf(own, events));
  const model = turns.find((turn) => turn.model !== undefined)?.model ?? "unknown";
  return {
    ...{ agent: "OpenHands", model, statement: said?.args?.content ?? said?.content ?? "" },
    ...{ turns, patch: "", end: endOf(events) },
  };
}

function turnOf(actions: readonly Event[], events: readonly Event[]): Turn {
  const [first] = actions;
  const response = first?.tool_call_metadata?.model_response;
  const at = Date.parse(first?.timestamp ?? "");
  const usage = response?.usage;
  return {
    ...(Number.isNaN(at) ? {} : { at }),
    text: actions
      .map(({ action, args }) => (action === "message" ? args?.content : args?.thought) ?? "")
      .filter((each) => each !== "")
      .join("\n"),
    model: response?.model ?? undefined,
    calls: actions.filter(isCall).map((action) => callOf(action, events)),
    ...(usage === null || usage === undefined ? {} : { usage: usageOf(usage) }),
  };
}

function isCall({ action, tool_call_metadata: call }: Event): boolean {
  return action !== "message" || (call !== null && call !== undefined);
}

function callOf(
  { id, action, args, timestamp, tool_call_metadata: call }: Event,
  events: readonly Event[],
): TurnCall {
  const observed = events.find(
    ({ observation, cause, tool_call_metadata: of }) =>
      typeof observation === "string" &&
      ((typeof id === "number" && cause === id) ||
        (call !== null && call !== undefined && of?.tool_call_id === call.tool_call_id)),
  );
  const ms = Date.parse(observed?.timestamp ?? "") - Date.parse(timestamp ?? "");
  const { thought: _, content, ...rest } = args ?? { thought: "", content: "" };
  const input = content === "" ? rest : { ...rest, content };
  return {
    id: call?.tool_call_id ?? String(id ?? 0),
    tool: call?.function_name ?? action ?? "",
    input,
    output: observed?.content,
    ...(ms >= 0 ? { ms } : {}),
  };
}

function endOf(events: readonly Event[]): string {
  const state = events.findLast(({ observation }) => observation === "agent_state_changed")?.extras
    ?.agent_state;
  const isFinished = events.some(({ source, action }) => source === "agent" && action === "finish");
  return state ?? (isFinished ? "finished" : "unknown");
}

function readLog({
  fncall_messages: messages,
  fncall_response: response,
}: z.infer<typeof logSchema>): Trajectory {
  const last = response.choices.map(({ message }) => message);
  const outputs = new Map(messages.map(({ tool_call_id: id, content }) => [id, content] as const));
  return {
    ...{ agent: "OpenHands", model: response.model ?? "unknown" },
    statement: messages.find(({ role }) => role === "user")?.content ?? "",
    turns: [...messages.filter(({ role }) => role === "assistant"), ...last].map((message) => ({
      text: message.content,
      calls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: given } }) => ({
        ...{ id, tool: name, input: parse(given), output: outputs.get(id) },
      })),
    })),
    ...{ patch: "", end: "unknown" },
  };
}

function parse(given: string): unknown {
  try {
    return readJson(given);
  } catch {
    return given;
  }
}

function usageOf(usage: z.infer<typeof usageSchema>): TurnUsage {
  return {
    inputTokens: usage.prompt_tokens ?? 0,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    outputTokens: usage.completion_tokens ?? 0,
    usd: undefined,
  };
}
