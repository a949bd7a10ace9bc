/** A provider of models: a record that opens one of its models by id, and the calls that go through it. */
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
  /** What stands before the `/` or `:` of a model's name. */
  readonly name: string;
  /** One line for lists. */
  readonly description: string;
  /** What a model's name has after the provider's: `/ID`, `:PATH`, or nothing. */
  readonly form: "id" | "path" | "none";
  /** A name that works, for lists and errors. */
  readonly example: string;
  /** Variables that may hold the key, the first that is set counts; as the provider's own tools have them. */
  readonly keys: readonly string[];
  /** False where a key is sent when there is one, but not needed. */
  readonly needsKey: boolean;
  /** Variables that may hold the address of the API; from the environment only, never from a project's `.env`. */
  readonly addresses: readonly string[];
  /** The address where none is set; undefined where the user has to say one. */
  readonly address: string | undefined;
  /** Price and context of a model; undefined where they are not known. */
  listed(id: string): (Price & Partial<ListedModel>) | undefined;
  /** Opens a model; no call is made. Throws MillwrightError("usage") for what the user has to mend. */
  open(options: OpenOptions): Promise<Transport>;
}

export interface OpenOptions {
  /** What follows the provider's name: a model's id, or a path. */
  readonly id: string;
  readonly key: string | undefined;
  readonly address: string;
  /** Ends a connection without a byte for longer than the user allows. */
  readonly fetch: typeof globalThis.fetch;
  /** What takes secrets out of recordings. */
  readonly redactor?: Redactor;
}

/** One attempt at a call: it does not wait, try again, count or record. Never throws for what a provider does. */
export interface Transport {
  /** False for answers from a file: they have no rates, and a failure stays one. */
  readonly remote: boolean;
  /** True where the same request is always the same answer, paid once. */
  readonly repeats?: boolean;
  generate(call: TransportCall): Promise<TransportResult<RawAnswer>>;
  /** Absent where the provider has no embeddings. */
  embed?(texts: readonly string[], signal: AbortSignal): Promise<TransportResult<RawVectors>>;
  /** The most texts of one call of `embed`. */
  readonly embedBatch?: number;
  /** What tells its vectors from those of others, where the model's name does not. */
  readonly identity?: string;
}

export interface TransportCall {
  readonly request: WireRequest;
  /** What the budget grants, at most `request.settings.maxOutputTokens`. */
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
  readonly onProgress: (event: ProgressEvent) => void;
}

/** A request as plain JSON: what is sent, recorded and compared. */
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

/** A model's answer as plain JSON, before anything in it was checked. */
export interface RawAnswer {
  readonly parts: readonly RawPart[];
  readonly finish: "stop" | "calls" | "length" | "refused" | "other";
  readonly usage: RawUsage;
  readonly warnings: readonly string[];
  /** The model that answered, where the transport's own name does not say it. */
  readonly model?: string;
}

export type RawPart =
  | Exclude<AssistantPart, { type: "call" }>
  | {
      readonly type: "call";
      readonly id: string;
      readonly name: string;
      /** The arguments as the model wrote them: JSON, if all is well. */
      readonly inputText: string;
      readonly opaque?: Opaque;
    };

export interface RawUsage extends TokenCounts {
  /** What the provider says that it charged. */
  readonly usd?: number;
  readonly estimated?: boolean;
}

export interface RawVectors {
  /** 32-bit floats, little-endian, as hexadecimal text: short, and never taken for a key by a redactor. */
  readonly vectors: readonly string[];
  readonly usage: RawUsage;
}

export interface TransportFailure extends ModelFailure {
  /** What the provider asks to wait before the next call, milliseconds. */
  readonly retryAfterMs?: number;
  /** What it is likely to be charged for although it failed. */
  readonly usage?: RawUsage;
}

export type TransportResult<T> = Success<T> | TransportFailure;

/** Identity, for inference. */
export function defineModelProvider(provider: ModelProvider): ModelProvider {
  return provider;
}
