/**
 * The port through which everything asks models: one client for a run, a model for each role behind it. Who asks knows nothing of
 * providers, keys, retries, prices or recordings.
 */
import type { z } from "zod";
import type { Failure, Success } from "../base/result.ts";
import type { Usage } from "../domain/solve-report.ts";

/** How much a model thinks before it answers. */
export const reasoningEfforts = ["none", "minimal", "low", "medium", "high"] as const;

/** What a call is for: each role can have a model of its own, and its cost is counted apart. */
export const modelRoles = ["planning", "retrieval", "reproduction", "editing", "review"] as const;
export type ModelRole = (typeof modelRoles)[number];

export interface ModelClient {
  /** The model that answers for a role. */
  modelOf(role: ModelRole): ModelDescription;
  /**
   * One answer. Never throws for what a model or its provider does: that is a `ModelFailure`. Waits and tries again by itself where
   * that can help. The same request gets the same answer while the run is recorded; say another `sample` to have another one.
   */
  generate<T = undefined>(request: ModelRequest<T>): Promise<ModelResult<Answer<T>>>;
  /** Undefined where no model for embeddings is configured. */
  readonly embedder: Embedder | undefined;
  /** The same models under a tighter budget, which is a part of this client's. */
  within(limits: BudgetLimits): ModelClient;
  /** The same models; `watcher` hears of each request, in the place of who heard of them before. */
  watchedBy(watcher: CallWatcher): ModelClient;
  /** What was used so far, with everything spent by clients `within` this one. */
  spent(): Spending;
  /** What is left of the limits, without what is kept back for the final selection; absent where nothing limits it. */
  left(): Readonly<Partial<Pick<BudgetLimits, "usd" | "tokens">>>;
}

export interface ModelDescription {
  /** `PROVIDER/ID`, as `--model` has it. */
  readonly name: string;
  /** Tokens that request and answer may have together; undefined where nobody knows. */
  readonly contextTokens: number | undefined;
  /** False where its price is not known: a limit of cost then refuses its calls. */
  readonly priced: boolean;
}

export interface ModelRequest<T = undefined> {
  readonly role: ModelRole;
  /** Instructions. Keep it the same from call to call: providers cache the longest prefix that they know. */
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[];
  /** `auto` by default; a name makes the model call that tool. */
  readonly toolChoice?: "auto" | "none" | "required" | { readonly tool: string };
  /** The answer has to be JSON of this form; it is parsed leniently, and asked for once more where it does not fit. */
  readonly output?: OutputSpec<T>;
  readonly settings?: ModelSettings;
  /** May use what the budget keeps back for the final selection. */
  readonly final?: boolean;
  readonly signal?: AbortSignal;
  /** What of earlier messages is shortened in these; for the record, and no part of what is asked. */
  readonly condensed?: Condensed;
  /** Called while the answer arrives; must not throw. */
  readonly onProgress?: (event: ProgressEvent) => void;
}

export interface Condensed {
  /** Replies of tools that are shown shorter than they were, or as a line. */
  readonly replies: number;
  /** By how much, in all. */
  readonly characters: number;
}

export interface ModelSettings {
  /** 0 by default. Models that take none ignore it; the answer's `warnings` say so. */
  readonly temperature?: number;
  readonly topP?: number;
  /** By default what the provider has as default. */
  readonly reasoning?: (typeof reasoningEfforts)[number];
  /** 16,384 by default; less where the budget does not pay for more. */
  readonly maxOutputTokens?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  /** Part of what a request is: requests that differ in it alone get answers of their own. 0 by default. */
  readonly sample?: number;
}

/** What the user says of a role's answers: it holds where a request says nothing of its own. */
export type Decoding = Pick<ModelSettings, "temperature" | "reasoning" | "maxOutputTokens">;

export type Message = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
  readonly role: "user";
  readonly text: string;
}

/** What a model said. Hand it back as it was (`answer.message`): providers recognise their own reasoning by `opaque`. */
export interface AssistantMessage {
  readonly role: "assistant";
  readonly parts: readonly AssistantPart[];
}

export type AssistantPart =
  | { readonly type: "text"; readonly text: string; readonly opaque?: Opaque }
  | { readonly type: "reasoning"; readonly text: string; readonly opaque?: Opaque }
  | ({ readonly type: "call"; readonly opaque?: Opaque } & ToolCall);

/** JSON of the provider's own that only it understands. */
export type Opaque = Readonly<Record<string, unknown>>;

/** The results of an assistant message's calls, one for each of them. */
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
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** An object schema: sent as JSON schema, and what calls are checked against. */
  readonly input: z.ZodType;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** As the tool's schema parsed it; what the model wrote, where `problem` is set. */
  readonly input: unknown;
  /** Why it cannot be run: no JSON, no such tool, does not fit the schema. A sentence for the model. */
  readonly problem?: string;
}

export interface OutputSpec<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
}

export interface Answer<T = undefined> {
  /** All text, without reasoning. */
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly reasoning: string;
  /** The parsed output; undefined where none was asked for, or the model called tools instead. */
  readonly output: T | undefined;
  /** To be appended to the messages of the next request. */
  readonly message: AssistantMessage;
  readonly finish: FinishReason;
  /** The model that answered. */
  readonly model: string;
  /** Names the request in the recording; of several that this answer took, the last. */
  readonly handle: string;
  /** Of all calls that this answer took. */
  readonly usage: CallUsage;
  /** True when it was read from a recording and not asked. */
  readonly recorded: boolean;
  /** What the provider did not do as asked, such as a setting that it ignored. */
  readonly warnings: readonly string[];
}

/** `length`: cut short at the limit of output tokens. */
export type FinishReason = "stop" | "calls" | "length" | "other";

export interface CallUsage {
  /** All tokens of the request, those from the provider's cache included. */
  readonly inputTokens: number;
  readonly cachedTokens: number;
  /** Reasoning included. */
  readonly outputTokens: number;
  /** undefined where the model's price is not known. */
  readonly usd: number | undefined;
  /** True when the provider did not count and the tokens are our estimate. */
  readonly estimated: boolean;
}

/** Hears of a request before anything is done for it. */
export type CallWatcher = (call: WatchedCall) => CallWatch;

/** One request: an answer may take two, and a request several attempts. */
export interface WatchedCall {
  readonly role: ModelRole | "embedding";
  /** The one that is asked. */
  readonly model: string;
  /** Names the request, and its answer, in the recording. */
  readonly handle: string;
  readonly condensed?: Condensed;
  readonly sample?: number;
}

export interface CallWatch {
  /** Right before it is sent; never for a request whose answer is in the recording of this run. */
  asking(): void;
  ended(end: CallEnd): void;
}

export interface CallEnd {
  /** The one that answered. */
  readonly model: string;
  /** The answer was read and not asked for: from the recording of this run or of another. */
  readonly recorded: boolean;
  /** From the recording of this run. */
  readonly repeated: boolean;
  readonly finish?: FinishReason | "refused";
  readonly failure?: { readonly kind: ModelFailureKind; readonly message: string };
  /** Tools that the model calls in it. */
  readonly calls: readonly { readonly id: string; readonly tool: string }[];
  /** What was paid for the request, but for the first so many attempts, which were counted before. */
  readonly cost: (counted: number) => Usage & { readonly unpriced: number };
  readonly retries: readonly { readonly because: string; readonly waitMs: number }[];
  /** From the request to its answer, waiting included. */
  readonly ms: number;
}

/** Usage as reports have it, in all and by role; `usd` is the sum of what is known. */
export interface Spending extends Usage {
  /** Calls whose price is not known. */
  readonly unpriced: number;
  readonly byRole: Readonly<Partial<Record<ModelRole | "embedding", Usage>>>;
}

export type ProgressEvent =
  | { readonly type: "text" | "reasoning"; readonly delta: string }
  /** What came so far is void: the call is made again. */
  | { readonly type: "again"; readonly because: string; readonly waitMs: number };

export const modelFailureKinds = [
  "rate-limit", // too many requests, for longer than it is worth waiting
  "quota-spent", // nothing left on the account: waiting does not help
  "auth", // no key, or one that is not accepted
  "context-too-long", // more tokens than the model takes: send less
  "refused", // the provider or the model declines the content
  "bad-request", // the provider does not take the request: no such model, a setting that it does not know
  "bad-answer", // what came is not what was asked for, after another try
  "network", // no connection, cut off, or silent for too long
  "unavailable", // the provider is overloaded or broken
  "not-recorded", // replay: no recording of this request
  "budget", // a limit would be passed; the call was not made, or was ended at the limit of time
  "cancelled", // the caller's signal fired
] as const;
export type ModelFailureKind = (typeof modelFailureKinds)[number];

export interface ModelFailure extends Failure<ModelFailureKind> {
  /** `bad-answer`: what the model said. */
  readonly text?: string;
}

export type ModelResult<T> = Success<T> | ModelFailure;

/** Limits that hold together; an absent one does not bind. */
export interface BudgetLimits {
  readonly usd?: number;
  /** Input and output tokens together. */
  readonly tokens?: number;
  readonly calls?: number;
  /** Wall time from now, milliseconds. */
  readonly ms?: number;
}

export interface Embedder {
  /** `PROVIDER/ID`. */
  readonly name: string;
  /** Vectors of the same identity can be compared and kept together. */
  readonly identity: string;
  /** A vector for each text, in order; texts are sent in batches. */
  embed(
    texts: readonly string[],
    options?: {
      readonly signal?: AbortSignal;
      /** Called with the vectors of each batch when they are there, `start` being the place of the first. */
      readonly onVectors?: (vectors: readonly Float32Array[], start: number) => void;
    },
  ): Promise<ModelResult<readonly Float32Array[]>>;
}
