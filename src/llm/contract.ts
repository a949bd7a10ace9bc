/**
 * The interface to models: one client for a run, with a model for each role. Callers do not see providers, keys,
 * retries, prices or recordings.
 */
import type { z } from "zod";
import type { Failure, Success } from "../base/result.ts";
import type { Usage } from "../domain/solve-report.ts";

/** Levels of a model's reasoning effort before its answer. */
export const reasoningEfforts = ["none", "minimal", "low", "medium", "high"] as const;

/** The purpose of a call. Each role can have its own model. Millwright counts each role's cost separately. */
export const modelRoles = ["planning", "retrieval", "reproduction", "editing", "review"] as const;
export type ModelRole = (typeof modelRoles)[number];

export interface ModelClient {
  /** Describes the model that answers for a role. */
  modelOf(role: ModelRole): ModelDescription;
  /**
   * Asks for one answer. Never throws for errors of a model or provider, but returns a `ModelFailure`. Waits and
   * retries by itself if that can help. In a recorded run, equal requests get equal answers; change `sample` to get a
   * different one.
   */
  generate<T = undefined>(request: ModelRequest<T>): Promise<ModelResult<Answer<T>>>;
  /** The model for embeddings; undefined if none is configured. */
  readonly embedder: Embedder | undefined;
  /** Returns a client with the same models and a tighter budget, which is part of this client's budget. */
  within(limits: BudgetLimits): ModelClient;
  /** Returns a client with the same models. `watcher` replaces the earlier watcher of requests. */
  watchedBy(watcher: CallWatcher): ModelClient;
  /** Returns the usage so far, including that of clients created by `within`. */
  spent(): Spending;
  /** Returns the amounts left, without the reserve for the final selection. A field is absent without a limit. */
  left(): Readonly<Partial<Pick<BudgetLimits, "usd" | "tokens">>>;
}

export interface ModelDescription {
  /** `PROVIDER/ID`, as given to `--model`. */
  readonly name: string;
  /** Maximum tokens of request and answer together; undefined if unknown. */
  readonly contextTokens: number | undefined;
  /** False if the model's price is unknown. A cost limit then refuses calls of the model. */
  readonly priced: boolean;
}

export interface ModelRequest<T = undefined> {
  readonly role: ModelRole;
  /** Instructions. Keep them equal between calls: providers cache the longest known prefix. */
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[];
  /** The model's choice among the tools. Default `auto`; a name forces the model to call that tool. */
  readonly toolChoice?: "auto" | "none" | "required" | { readonly tool: string };
  /**
   * Requires an answer in JSON of this form. Millwright parses the answer leniently. If the answer does not fit,
   * Millwright repeats the request once.
   */
  readonly output?: OutputSpec<T>;
  readonly settings?: ModelSettings;
  /** True if the request may use the budget's reserve for the final selection. */
  readonly final?: boolean;
  readonly signal?: AbortSignal;
  /** The number and size of earlier messages that this request shortens. Only for the record; not sent. */
  readonly condensed?: Condensed;
  /** Receives events while the answer arrives. Must not throw. */
  readonly onProgress?: (event: ProgressEvent) => void;
}

export interface Condensed {
  /** Number of tool replies that are shown shortened, or as one line. */
  readonly replies: number;
  /** Number of characters removed in total. */
  readonly characters: number;
}

export interface ModelSettings {
  /** Default: the user's setting, else 0. Models without this setting ignore it; the answer's `warnings` say so. */
  readonly temperature?: number;
  readonly topP?: number;
  /** The effort of reasoning. Default: the user's setting, else the provider's. */
  readonly reasoning?: (typeof reasoningEfforts)[number];
  /** Default: the user's setting, else 16,384; less if the budget cannot pay for more. */
  readonly maxOutputTokens?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  /** Part of the request's identity: requests that differ only in `sample` get separate answers. Default 0. */
  readonly sample?: number;
}

/**
 * The user's settings for a role's answers. Settings in a request take precedence, but of two output limits the smaller
 * one counts.
 */
export type Decoding = Pick<ModelSettings, "temperature" | "reasoning" | "maxOutputTokens">;

export type Message = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
  readonly role: "user";
  readonly text: string;
}

/**
 * A model's message. Pass it back unchanged (`answer.message`): providers recognise their own reasoning by `opaque`.
 */
export interface AssistantMessage {
  readonly role: "assistant";
  readonly parts: readonly AssistantPart[];
}

export type AssistantPart =
  | { readonly type: "text"; readonly text: string; readonly opaque?: Opaque }
  | { readonly type: "reasoning"; readonly text: string; readonly opaque?: Opaque }
  | ({ readonly type: "call"; readonly opaque?: Opaque } & ToolCall);

/** Provider-specific JSON that only the provider understands. */
export type Opaque = Readonly<Record<string, unknown>>;

/** The results of an assistant message's calls, one for each call. */
export interface ToolMessage {
  readonly role: "tool";
  readonly results: readonly ToolResult[];
}

export interface ToolResult {
  readonly callId: string;
  readonly tool: string;
  readonly text: string;
  readonly isError?: boolean;
}

export interface ToolSpec {
  /** The tool's name: letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** The input's schema, of an object. Millwright sends it as a JSON schema, and checks calls with it. */
  readonly input: z.ZodType;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The parsed input. If `problem` is set: the model's JSON as it is, or the model's text if it is not JSON. */
  readonly input: unknown;
  /** The reason why the call cannot run: invalid JSON, unknown tool, schema mismatch. A sentence for the model. */
  readonly problem?: string;
}

export interface OutputSpec<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
}

export interface Answer<T = undefined> {
  /** The answer's whole text, without reasoning. */
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly reasoning: string;
  /** The parsed output; undefined if none was requested, or if the model called tools instead. */
  readonly output: T | undefined;
  /** The message to append to the next request's messages. */
  readonly message: AssistantMessage;
  readonly finish: FinishReason;
  /** The model that answered. */
  readonly model: string;
  /** The request's name in the recording; the last request's if the answer took several. */
  readonly handle: string;
  /** The usage of all calls that this answer took. */
  readonly usage: CallUsage;
  /** True if it came from a recording. */
  readonly recorded: boolean;
  /** Deviations of the provider from the request, such as an ignored setting. */
  readonly warnings: readonly string[];
}

/** The reason why an answer ended. `length`: the limit of output tokens cut it off. */
export type FinishReason = "stop" | "calls" | "length" | "other";

export interface CallUsage {
  /** All tokens of the request, including those from the provider's cache. */
  readonly inputTokens: number;
  readonly cachedTokens: number;
  /** Output tokens, including reasoning. */
  readonly outputTokens: number;
  /** Cost in US dollars; undefined if the model's price is unknown. */
  readonly usd: number | undefined;
  /** True if the provider did not count the tokens, so that Millwright estimated them. */
  readonly estimated: boolean;
}

/**
 * Watches model calls. The client calls this function at the start of each request, before it searches recordings or
 * sends anything.
 */
export type CallWatcher = (call: WatchedCall) => CallWatch;

/** One request to a model. The client may need two requests for an answer, and several attempts for a request. */
export interface WatchedCall {
  readonly role: ModelRole | "embedding";
  /** The model of the request. */
  readonly model: string;
  /** The name of the request, and of its answer, in the recording. */
  readonly handle: string;
  readonly condensed?: Condensed;
  readonly sample?: number;
}

export interface CallWatch {
  /** Called right before the request is sent; never called if this run's recording has the answer. */
  asking(): void;
  ended(end: CallEnd): void;
}

export interface CallEnd {
  /** The model that answered. */
  readonly model: string;
  /** True if the answer came from a recording, of this run or of another. */
  readonly recorded: boolean;
  /** True if the answer came from this run's recording. */
  readonly repeated: boolean;
  readonly finish?: FinishReason | "refused";
  readonly failure?: { readonly kind: ModelFailureKind; readonly message: string };
  /** The tools that the model calls in the answer. */
  readonly calls: readonly { readonly id: string; readonly tool: string }[];
  /** Returns the cost of the request without its first `counted` attempts, which were counted before. */
  readonly cost: (counted: number) => Usage & { readonly unpriced: number };
  readonly retries: readonly { readonly because: string; readonly waitMs: number }[];
  /** Milliseconds from the request to its answer, including waits. */
  readonly ms: number;
}

/** Usage for reports, in total and by role; `usd` sums the known costs. */
export interface Spending extends Usage {
  /** Number of calls with an unknown price. */
  readonly unpriced: number;
  readonly byRole: Readonly<Partial<Record<ModelRole | "embedding", Usage>>>;
}

export type ProgressEvent =
  | { readonly type: "text" | "reasoning"; readonly delta: string }
  /** The text so far is void, because Millwright repeats the call. */
  | { readonly type: "again"; readonly because: string; readonly waitMs: number };

export const modelFailureKinds = [
  "rate-limit", // too many requests, and the wait would be too long
  "quota-spent", // the account has no credit left: waiting does not help
  "auth", // no key, or a rejected one
  "context-too-long", // more tokens than the model's context: send less
  "refused", // the provider or the model declines the content
  "bad-request", // the provider rejects the request: unknown model, unknown setting
  "bad-answer", // the answer does not fit the request, even after a second attempt
  "network", // no connection, a cut connection, or too long a silence
  "unavailable", // the provider is overloaded or broken
  "not-recorded", // replay: no recording of this request
  "not-scripted", // scripted: the script has no answer left
  "budget", // a limit would be exceeded; the call was not made, or was ended at the time limit
  "cancelled", // the caller's signal fired
] as const;
export type ModelFailureKind = (typeof modelFailureKinds)[number];

/** Failures that the next call would repeat: no server answers, or no call is allowed. */
export const lastingFailures: ReadonlySet<ModelFailureKind> = new Set([
  "rate-limit",
  "quota-spent",
  "auth",
  "network",
  "unavailable",
]);

/** Failures for which the agent is not responsible: the provider's failures, and a recording without the request. */
export const providerFailures: ReadonlySet<ModelFailureKind> = new Set([...lastingFailures, "not-recorded"]);

export interface ModelFailure extends Failure<ModelFailureKind> {
  /** The model's text, for `bad-answer`. */
  readonly text?: string;
}

export type ModelResult<T> = Success<T> | ModelFailure;

/** Limits that all apply at the same time. An absent limit restricts nothing. */
export interface BudgetLimits {
  readonly usd?: number;
  /** Maximum input and output tokens together. */
  readonly tokens?: number;
  readonly calls?: number;
  /** Milliseconds of wall time from now. */
  readonly ms?: number;
}

export interface Embedder {
  /** The model's name, `PROVIDER/ID`. */
  readonly name: string;
  /** Vectors of the same identity can be compared and stored together. */
  readonly identity: string;
  /** Returns a vector for each text, in order. Sends the texts in batches. */
  embed(
    texts: readonly string[],
    options?: {
      readonly signal?: AbortSignal;
      /** Receives the vectors of each batch as it arrives. `start`: the index of the first vector. */
      readonly onVectors?: (vectors: readonly Float32Array[], start: number) => void;
    },
  ): Promise<ModelResult<readonly Float32Array[]>>;
}
