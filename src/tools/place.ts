/** Reads the places that models name, which may be approximate, and renders places for models. */
import { z } from "zod";
import type { CodeLocation } from "../domain/code-intelligence.ts";
import type { Answer } from "../lsp/ask-at.ts";
import type { RoughPosition } from "../lsp/identifiers.ts";
import { relativePath } from "./indexed-file.ts";

export const placeInput = {
  path: z.string().min(1).describe("the file, relative to the repository"),
  line: z.int().min(1).optional().describe("the line, from 1; an approximate line is enough"),
  name: z.string().min(1).optional().describe("the identifier, as written there"),
};

export interface PlaceInput {
  readonly path: string;
  readonly line?: number | undefined;
  readonly name?: string | undefined;
}

const longestLine = 160;

export function roughPosition(repository: string, { path, line, name }: PlaceInput): RoughPosition {
  return {
    path: relativePath(repository, path),
    ...(line === undefined ? {} : { line }),
    ...(name === undefined ? {} : { name }),
  };
}

/**
 * Renders a place: `src/a.py:12: text of the line`. For files outside the repository, adds nearby lines, because a
 * reader cannot open them.
 */
export function locationLines({ path, range, text = "", outside }: CodeLocation): string[] {
  const [first = "", ...more] = text.split("\n").map((line) => line.trimEnd().slice(0, longestLine));
  const head = `${path}:${range.start.line}${first === "" ? "" : `: ${first.trim()}`}`;
  return outside ? [head, ...more.map((line) => `    ${line}`)] : [head];
}

const origins = {
  exact: "",
  line: ", an identifier of that line",
  near: ", the nearest identifier",
  opened: ", found in another open file",
} as const;

/** Returns the last line of an answer. It names the program that answered, and the place of the question. */
export function sourceLine({ by, position, isWhole, insteadOf, caution }: Answer<unknown>): string {
  const about =
    position === undefined
      ? ""
      : ` about ${position.name} (${position.path}:${position.line}${origins[position.origin]})`;
  const note =
    insteadOf !== undefined
      ? `; ${insteadOf}`
      : isWhole
        ? ""
        : "; the server was still indexing, so there may be more";
  return `(${by}${about}${note}${caution === undefined ? "" : `; the server warns: ${caution}`})`;
}

export function sourceDocument({ by, position, isWhole, insteadOf }: Answer<unknown>) {
  return {
    by,
    ...(insteadOf === undefined ? {} : { because: insteadOf }),
    ...(position === undefined ? {} : { position }),
    isWhole,
  };
}
