/** A place as models name it, roughly; and places as they read them. */
import { z } from "zod";
import type { CodeLocation } from "../domain/code-intelligence.ts";
import type { Answer } from "../lsp/ask-at.ts";
import type { RoughPosition } from "../lsp/identifiers.ts";

export const placeInput = {
  path: z.string().min(1).describe("the file, relative to the repository"),
  line: z.int().min(1).optional().describe("the line, from 1; about right is enough"),
  name: z.string().min(1).optional().describe("the identifier that is meant, as it stands there"),
};

export interface PlaceInput {
  readonly path: string;
  readonly line?: number | undefined;
  readonly name?: string | undefined;
}

export function roughPosition({ path, line, name }: PlaceInput): RoughPosition {
  return { path, ...(line === undefined ? {} : { line }), ...(name === undefined ? {} : { name }) };
}

/** `src/a.py:12: text of the line`. */
export function locationLine({ path, range, text }: CodeLocation): string {
  const [first = ""] = (text ?? "").split("\n");
  return `${path}:${range.start.line}${first === "" ? "" : `: ${first.trim().slice(0, 200)}`}`;
}

const origins = {
  exact: "",
  line: ", an identifier of that line",
  near: ", the nearest identifier",
  opened: ", found in another file that was open",
} as const;

/** Who answered, about what: for the last line of an answer. */
export function sourceLine({ by, position, isWhole }: Answer<unknown>): string {
  const about =
    position === undefined
      ? ""
      : ` about ${position.name} (${position.path}:${position.line}${origins[position.origin]})`;
  return `(${by}${about}${isWhole ? "" : "; it was still indexing, so there may be more"})`;
}
