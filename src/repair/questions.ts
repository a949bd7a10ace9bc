/** Applies conditions of a file to other variables: `isArray(x)` gives `isArray(update)`. */
import { once } from "../base/once.ts";
import type { FileContext } from "./file-context.ts";

interface Asked {
  readonly text: string;
  /** The name of the only variable in `text`. */
  readonly name: string;
}

const wholeCall = /^[\w.$:>-]+\(.{0,30}\)$/;

const askedIn = once((context: FileContext): readonly Asked[] => {
  const not = context.source.dialect.operators.not.trim();
  return context.conditions.flatMap(({ text, names }) => {
    const [name, more] = names;
    if (name === undefined || more !== undefined) return [];
    const bare = text.startsWith(not) ? text.slice(not.length).trim() : text;
    return wholeCall.test(bare) ? [{ text: bare, name }] : [];
  });
});

/** Returns the commonest conditions that are whole calls, at most `most`, each about one of the names. */
export function questionsAbout(
  context: FileContext,
  names: readonly string[],
  most: number,
): { text: string; weight: number }[] {
  const counts = new Map<string, number>();
  for (const { text, name } of askedIn(context)) {
    for (const other of names) {
      const renamed = renameIn(text, name, other);
      counts.set(renamed, (counts.get(renamed) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([text, count]) => ({ text, weight: 0.8 + 0.05 * Math.min(4, count) }));
}

function renameIn(code: string, name: string, other: string): string {
  const parts = code.split(/(?<![\w.$])([A-Za-z_$][\w$]*)/);
  return parts.map((part) => (part === name ? other : part)).join("");
}
