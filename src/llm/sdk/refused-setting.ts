/**
 * Finds settings that a server rejects. Models and gateways support different settings, and only their errors show
 * which.
 */

import { APICallError, type LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { keysOf } from "../../base/keys.ts";
import type { TransportFailure } from "../provider.ts";

type Options = LanguageModelV4CallOptions;

/** Settings that Millwright can leave out without changing the request's meaning, and their names in errors. */
const settings = {
  temperature: /\btemperature\b/i,
  topP: /\btop_?p\b/i,
  seed: /\bseed\b/i,
  reasoning: /\breasoning(?:[_ .]?effort)?\b|\bthinking(?:[_ .]?(?:budget|level|config))?\b/i,
  maxOutputTokens: /\bmax_?(?:completion_?|output_?)?tokens\b/i,
} as const satisfies Partial<Record<keyof Options, RegExp>>;
export type RefusableSetting = keyof typeof settings;

const names: readonly RefusableSetting[] = keysOf(settings);

/**
 * Returns the first setting of the request that the error names. Undefined if the server refused the request for
 * another reason.
 */
export function findRefused(
  sent: Options,
  error: unknown,
  { kind }: TransportFailure,
): RefusableSetting | undefined {
  if (kind !== "bad-request" || !APICallError.isInstance(error)) return undefined;
  if (error.statusCode !== 400 && error.statusCode !== 422) return undefined;
  const said = `${error.message} ${error.responseBody ?? ""}`;
  return names.find((name) => sent[name] !== undefined && settings[name].test(said));
}

export function withoutSettings(options: Options, refused: ReadonlySet<RefusableSetting>): Options {
  const left = { ...options };
  for (const name of refused) delete left[name];
  return left;
}

/** Returns a warning for each setting that Millwright left out. */
export function tellRefused(refused: ReadonlySet<RefusableSetting>): string[] {
  return [...refused].map(
    (name) => `the server does not accept the setting ${name}; Millwright repeated the call without it`,
  );
}
