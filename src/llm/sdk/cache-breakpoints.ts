import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";

/**
 * Finds the messages that end a request's stable prefixes, for providers that cache only up to a mark. Returns the
 * indexes of:
 * - the system message, after which tools and instructions are complete
 * - the last message of the user or of a tool
 * - the one before it, which ended the previous call, so that the provider finds that prefix again
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
