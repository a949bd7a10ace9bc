/** What calls cost: prices are data with a date and a source, a model without one has an unknown price, which is never taken for 0. */

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  /** Input that was read from the provider's cache. */
  readonly cached: number;
  /** Input that was written to the provider's cache. */
  readonly written: number;
  /** Reasoning included. */
  readonly output: number;
  /** Factors for the whole of a request with more input tokens than `above`. */
  readonly long?: { readonly above: number; readonly input: number; readonly output: number };
}

export interface ListedModel extends Price {
  /** Tokens that a request may have. */
  readonly context: number;
}

export interface PriceTable {
  /** When it was read, YYYY-MM-DD. */
  readonly asOf: string;
  readonly source: string;
  readonly models: Readonly<Record<string, ListedModel>>;
}

export const freeOfCharge: Price = { input: 0, cached: 0, written: 0, output: 0 };

/** The tokens of one answered call as a provider counts them. */
export interface TokenCounts {
  /** All of the request, `cached` and `written` included. */
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  /** Reasoning included. */
  readonly output: number;
}

/** The listed model of that id, or the one of which it is a dated version (`…-20250929`, `…-2025-08-07`). */
export function findListed(table: PriceTable, id: string): ListedModel | undefined {
  const undated = id.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  return Object.hasOwn(table.models, id)
    ? table.models[id]
    : Object.hasOwn(table.models, undated)
      ? table.models[undated]
      : undefined;
}

/** US dollars. */
export function costOf(price: Price, { input, cached, written, output }: TokenCounts): number {
  const long = price.long !== undefined && input > price.long.above ? price.long : { input: 1, output: 1 };
  const plain = Math.max(0, input - cached - written);
  const inputCost = plain * price.input + cached * price.cached + written * price.written;
  return (inputCost * long.input + output * price.output * long.output) / 1e6;
}

/** The most that a call of so many tokens can cost, whatever the provider's cache does. */
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

/** A little more than the tokens of a text are likely to be: code has 3 to 4 characters a token, other scripts fewer. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3);
}
