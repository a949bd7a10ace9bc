/** Texts that are too long for a conversation: stored whole in the run, and read by handle and lines. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { hashText } from "../../base/hash.ts";
import type { Redactor } from "../../base/redact.ts";
import { windowOf } from "./line-window.ts";
import { shorten } from "./shorten.ts";

export interface Outputs {
  /** Stores a text and returns its handle. Equal texts have equal handles. */
  keep(text: string): string;
  find(handle: string): string | undefined;
}

/** Stores texts in memory, and for people in files of `directory`. A resumed run stores the same texts again. */
export function openOutputs(directory: string, redactor: Redactor): Outputs {
  const kept = new Map<string, string>();
  return {
    keep(original) {
      const text = redactor.text(original);
      const handle = hashText(text).slice(0, 8);
      if (kept.has(handle)) return handle;
      kept.set(handle, text);
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      writeFileSync(join(directory, `${handle}.txt`), text, { mode: 0o600 });
      return handle;
    },
    find: (handle) => kept.get(handle),
  };
}

/** Returns the text, or its two ends with the handle under which `outputs` keeps the whole text. */
export function shortenKept(text: string, most: number, outputs: Outputs | undefined): string {
  if (text.length <= most || outputs === undefined) return shorten(text, most);
  return shorten(text, most, `; ${handlePrefix}${outputs.keep(text)} has them`);
}

/** The prefix of a handle. Tools that show files by their path also show stored texts by their handle. */
export const handlePrefix = "output:";

const mostLines = 200;
/** Maximum characters of the shown lines. Only a single long line can exceed it, and then loses its middle. */
const mostCharacters = 15_500;

export interface OutputLines {
  /** The handle, with or without a leading `output:`. */
  readonly handle: string;
  readonly startLine: number;
  readonly endLine?: number | undefined;
}

interface OutputReply {
  readonly text: string;
  readonly isError?: boolean;
}

export function showOutput(
  outputs: Outputs,
  { handle: written, startLine, endLine }: OutputLines,
): OutputReply {
  const handle = written.startsWith(handlePrefix) ? written.slice(handlePrefix.length) : written;
  const text = outputs.find(handle);
  if (text === undefined) return { text: `There is no output ${handle}.`, isError: true };
  const lines = text.split("\n");
  const { last, rest } = windowOf(lines, { startLine, endLine }, mostLines);
  const shown = lines.slice(startLine - 1, last).join("\n");
  const head = `${handle}, lines ${startLine} to ${last} of ${lines.length}`;
  const isAsked = last < (endLine ?? lines.length);
  return { text: [head, shorten(shown, mostCharacters), ...(isAsked ? rest : [])].join("\n") };
}

/** Returns the tool that shows outputs, for a loop that has no other such tool. */
export function outputTool(outputs: Outputs) {
  const input = z.object({
    handle: z.string().min(1).describe("a handle from a reply, such as output:1a2b3c4d"),
    startLine: z.int().min(1).default(1),
  });
  return {
    name: "output",
    description: `Shows up to ${mostLines} lines of a shortened reply, from \`startLine\`.`,
    input,
    run: async (asked: unknown): Promise<OutputReply> => showOutput(outputs, input.parse(asked)),
  };
}
