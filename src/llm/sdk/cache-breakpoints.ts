import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";

/**
 * The indexes of the messages that end a request's stable prefixes, for providers that cache only up to a mark:
 * - the tools and instructions
 * - the last message
 * - the last message of the previous call, so that the provider finds its prefix again
 *
 * Anthropic allows four marks.
 */
export function prefixEnds(messages: readonly { readonly role: string }[]): ReadonlySet<number> {
  const asked = messages.flatMap(({ role }, at) => (role === "user" || role === "tool" ? [at] : []));
  return new Set([...asked.slice(-2), ...(messages[0]?.role === "system" ? [0] : [])]);
}

/** Marks the ends of a request's stable prefixes. `mark`: the provider's own option for such a mark. */
export function markPrefixes(
  options: LanguageModelV4CallOptions,
  mark: NonNullable<LanguageModelV4Message["providerOptions"]>,
): LanguageModelV4CallOptions {
  const ends = prefixEnds(options.prompt);
  const prompt = options.prompt.map((message, at) =>
    ends.has(at) ? { ...message, providerOptions: { ...message.providerOptions, ...mark } } : message,
  );
  return { ...options, prompt };
}
