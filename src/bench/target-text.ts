/**
 * Applies target texts: a function's new text in place of a unified diff, for datasets without diffs (REPOCOD). The
 * text replaces `FILE:SYMBOL` from its `def` to its end. A target text is one line of JSON.
 */
import { z } from "zod";
import { findTarget } from "../agent/kinds/target.ts";
import { fail, type Result, succeed } from "../base/result.ts";
import type { TreeStore } from "../workspace/contract.ts";

const targetTextSchema = z.object({
  schema: z.literal("millwright.target-text/1"),
  /** `FILE:SYMBOL`. */
  target: z.string(),
  /** The function's text, with its indentation in the file. */
  text: z.string(),
});
export type TargetText = Omit<z.infer<typeof targetTextSchema>, "schema">;

export function formatTargetText({ target, text }: TargetText): string {
  return JSON.stringify({ schema: "millwright.target-text/1", target, text });
}

/** Parses a target text; undefined for other texts, such as unified diffs. */
export function parseTargetText(patch: string): TargetText | undefined {
  if (!patch.startsWith("{")) return undefined;
  try {
    return targetTextSchema.safeParse(JSON.parse(patch)).data;
  } catch {
    return undefined;
  }
}

type Read = (path: string) => Promise<string | undefined>;

/** Finds the target's lines in its file, from 0; `end` is exclusive. */
async function findLines(target: string, read: Read): Promise<Result<Lines, "no-target">> {
  const found = await findTarget(target, read);
  if (!found.ok) return found;
  const { file, text, spans, symbol } = found.value;
  const lines = text.split("\n");
  const name = symbol.split(/[.:#]+/).at(-1) ?? symbol;
  const [span] = spans;
  if (span === undefined) return fail("no-target", `${file} has no ${symbol}`);
  const isHead = (line: string): boolean => /^\s*(?:async\s+)?def\s+(\w+)/.exec(line)?.[1] === name;
  const head = lines.slice(span.startLine - 1, span.endLine).findIndex(isHead);
  const start = span.startLine - 1 + Math.max(0, head);
  return succeed({ file, lines, start, end: span.endLine });
}

interface Lines {
  readonly file: string;
  readonly lines: readonly string[];
  readonly start: number;
  readonly end: number;
}

/**
 * Replaces the function, and returns the path and new text of its file. Writes nothing. Fails if the file or the
 * function is missing.
 */
export async function layTargetText(
  { target, text }: TargetText,
  read: Read,
): Promise<Result<{ readonly file: string; readonly text: string }, "no-target">> {
  const found = await findLines(target, read);
  if (!found.ok) return found;
  const { file, lines, start, end } = found.value;
  const fresh = text.replace(/\n$/, "").split("\n");
  return succeed({ file, text: [...lines.slice(0, start), ...fresh, ...lines.slice(end)].join("\n") });
}

/** Returns the function's text in a tree; undefined if the tree does not have the function. */
export async function readTargetText(target: string, read: Read): Promise<string | undefined> {
  const found = await findLines(target, read);
  if (!found.ok) return undefined;
  const { lines, start, end } = found.value;
  return `${lines.slice(start, end).join("\n")}\n`;
}

/** Wraps the store so that `apply` accepts target texts and unified diffs. */
export function withTargetTexts(store: TreeStore): TreeStore {
  return {
    ...store,
    async apply(tree, patch) {
      const given = parseTargetText(patch);
      if (given === undefined) return store.apply(tree, patch);
      const laid = await layTargetText(given, async (path) =>
        (await store.read(tree, path))?.toString("utf8"),
      );
      if (!laid.ok) return fail("patch-rejected", laid.message);
      return succeed(await store.write(tree, [{ path: laid.value.file, content: laid.value.text }]));
    },
  };
}
