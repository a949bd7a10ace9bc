import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";

/**
 * Where the stable prefixes of a request end, for providers that cache only up to a mark: behind tools and instructions, behind
 * the last message, and behind the one that was last in the call before, so that its prefix is found again. Anthropic allows
 * four marks.
 */
export function prefixEnds(messages: readonly { readonly role: string }[]): ReadonlySet<number> {
  const asked = messages.flatMap(({ role }, at) => (role === "user" || role === "tool" ? [at] : []));
  return new Set([...asked.slice(-2), ...(messages[0]?.role === "system" ? [0] : [])]);
}

/** `mark` is what the provider has for one. */
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
