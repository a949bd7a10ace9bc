/** A provider of models: a record that opens a model by its id. Calls go through the opened model's transport. */
import type { Redactor } from "../base/redact.ts";
import type { Success } from "../base/result.ts";
import type {
  AssistantPart,
  Message,
  ModelFailure,
  ModelRole,
  ModelSettings,
  Opaque,
  ProgressEvent,
} from "./contract.ts";
import type { ListedModel, Price, TokenCounts } from "./price.ts";

export interface ModelProvider {
  /** The part before the `/` or `:` in a model's name. */
  readonly name: string;
  /** The provider's description for lists, in one line. */
  readonly description: string;
  /** The part after the provider in a model's name: `/ID`, `:PATH`, or nothing. */
  readonly form: "id" | "path" | "none";
  /** True if the part after the provider's name is the folder of a recording. */
  readonly isRecording?: true;
  /** A working name, for lists and errors. */
  readonly example: string;
  /** Variables that may hold the key, as in the provider's own tools. The first set variable counts. */
  readonly keys: readonly string[];
  /** False if a key is optional. */
  readonly needsKey: boolean;
  /**
   * Variables that may hold the address of the API. Millwright reads them only from the environment, never from a
   * project's `.env`.
   */
  readonly addresses: readonly string[];
  /** The default address; undefined if the user has to give one. */
  readonly address: string | undefined;
  /** Returns price and context of a model; undefined if unknown. */
  listed(id: string): (Price & Partial<ListedModel>) | undefined;
  /** Opens a model without a call. Throws MillwrightError("usage") for problems that the user has to fix. */
  open(options: OpenOptions): Promise<Transport>;
}

export interface OpenOptions {
  /** The text after the provider's name: a model's id, or a path. */
  readonly id: string;
  readonly key: string | undefined;
  readonly address: string;
  /** Ends a connection that delivers no byte for longer than the user allows. */
  readonly fetch: typeof globalThis.fetch;
  /** Removes secrets from recordings. */
  readonly redactor?: Redactor;
}

/**
 * Sends calls to a model. Makes a single attempt at each call: the caller waits, retries, counts and records. Never
 * throws for a provider's errors.
 */
export interface Transport {
  /** False for answers from a file: they have no rate limits, and retries do not help. */
  readonly remote: boolean;
  /** True if equal requests always get equal answers, and only the first costs anything. */
  readonly repeats?: boolean;
  generate(call: TransportCall): Promise<TransportResult<RawAnswer>>;
  /** Embeds texts. Absent if the provider has no embeddings. */
  embed?(texts: readonly string[], signal: AbortSignal): Promise<TransportResult<RawVectors>>;
  /** Maximum number of texts in one call of `embed`. */
  readonly embedBatch?: number;
  /** Distinguishes the model's vectors from others, if the model's name is not enough. */
  readonly identity?: string;
}

export interface TransportCall {
  readonly request: WireRequest;
  /** The output tokens that the budget allows, at most `request.settings.maxOutputTokens`. */
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
  readonly onProgress: (event: ProgressEvent) => void;
}

/** A request as plain JSON: the form that is sent, recorded and compared. */
export interface WireRequest {
  readonly role: ModelRole;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly WireTool[];
  readonly toolChoice: "auto" | "none" | "required" | { readonly tool: string };
  readonly output?: { readonly name: string; readonly schema: JsonSchema };
  readonly settings: ModelSettings & { readonly temperature: number; readonly maxOutputTokens: number };
}

export interface WireTool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A model's answer as plain JSON, before any check. */
export interface RawAnswer {
  readonly parts: readonly RawPart[];
  readonly finish: "stop" | "calls" | "length" | "refused" | "other";
  readonly usage: RawUsage;
  readonly warnings: readonly string[];
  /** The model that answered, if the route names another: a replay names the recorded model. */
  readonly model?: string;
}

export type RawPart =
  | Exclude<AssistantPart, { type: "call" }>
  | {
      readonly type: "call";
      readonly id: string;
      readonly name: string;
      /** The arguments as the model wrote them, usually JSON. */
      readonly inputText: string;
      readonly opaque?: Opaque;
    };

export interface RawUsage extends TokenCounts {
  /** The cost that the provider reports, in US dollars. */
  readonly usd?: number;
  readonly estimated?: boolean;
}

export interface RawVectors {
  /** 32-bit floats, little-endian, as hexadecimal text. This form is short, and no redactor mistakes it for a key. */
  readonly vectors: readonly string[];
  readonly usage: RawUsage;
}

export interface TransportFailure extends ModelFailure {
  /** Milliseconds that the provider asks to wait before the next call. */
  readonly retryAfterMs?: number;
  /** The usage for which the provider probably charges although the call failed. */
  readonly usage?: RawUsage;
}

export type TransportResult<T> = Success<T> | TransportFailure;

/** Returns the record unchanged. The compiler thus checks each provider's record in the provider's own file. */
export function defineModelProvider(provider: ModelProvider): ModelProvider {
  return provider;
}
