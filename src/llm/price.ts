/**
 * Computes costs of calls. Prices are data with a date and a source. The price of an unlisted model is unknown, not 0.
 */

/** A model's prices, in US dollars per million tokens. */
export interface Price {
  readonly input: number;
  /** Input tokens read from the provider's cache. */
  readonly cached: number;
  /** Input tokens written to the provider's cache. */
  readonly written: number;
  /** Output tokens, including reasoning. */
  readonly output: number;
  /** Factors for the whole request if it has more than `above` input tokens. */
  readonly long?: { readonly above: number; readonly input: number; readonly output: number };
}

export interface ListedModel extends Price {
  /** Maximum tokens of a request and its answer together. */
  readonly context: number;
}

export interface PriceTable {
  /** The date of the source, YYYY-MM-DD. */
  readonly asOf: string;
  readonly source: string;
  readonly models: Readonly<Record<string, ListedModel>>;
}

export const freeOfCharge: Price = { input: 0, cached: 0, written: 0, output: 0 };

/** The tokens of one answered call, as the provider counts them. */
export interface TokenCounts {
  /** All tokens of the request, including `cached` and `written`. */
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  /** Output tokens, including reasoning. */
  readonly output: number;
}

/**
 * Returns the listed model with this id, or with the id without its date (`-20250929`, `-2025-08-07`). Undefined if
 * neither is listed.
 */
export function findListed(table: PriceTable, id: string): ListedModel | undefined {
  const undated = id.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  return Object.hasOwn(table.models, id)
    ? table.models[id]
    : Object.hasOwn(table.models, undated)
      ? table.models[undated]
      : undefined;
}

/** Returns the cost of a call in US dollars. */
export function costOf(price: Price, { input, cached, written, output }: TokenCounts): number {
  const long = price.long !== undefined && input > price.long.above ? price.long : { input: 1, output: 1 };
  const plain = Math.max(0, input - cached - written);
  const inputCost = plain * price.input + cached * price.cached + written * price.written;
  return (inputCost * long.input + output * price.output * long.output) / 1e6;
}

/**
 * Returns the maximum cost in US dollars of a call with this many tokens. It holds with and without hits in the
 * provider's cache.
 */
export function highestCost(price: Price, inputTokens: number, outputTokens: number): number {
  const input = Math.max(price.input, price.written);
  return costOf(
    { ...price, input, cached: input, written: input },
    {
      input: inputTokens,
      cached: 0,
      written: 0,
      output: outputTokens,
    },
  );
}

/** Returns an upper estimate of a text's tokens. Code has 3 to 4 characters per token, other scripts fewer. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3);
}
