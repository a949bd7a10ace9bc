/** Renders the answers of `find` for a person. */
import pc from "picocolors";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import type { FileAnswer, PlaceAnswer } from "../graph/retrieval/answer.ts";

export function fileLines({ path, why }: FileAnswer): string {
  return `  ${pc.bold(safe(path))}${why.length === 0 ? "" : `  ${pc.dim(safe(why.join("; ")))}`}`;
}

/**
 * Renders a place as lines: `path:first-last  kind  signature`, the reasons, and the code if the answer contains it.
 */
export function placeLines(place: PlaceAnswer): string {
  const { path, startLine, endLine, kind, qualified, signature, why, shown } = place;
  const what = signature === "" ? qualified : signature;
  const lines = [`  ${pc.bold(safe(`${path}:${startLine}-${endLine}`))}  ${kind}  ${safe(what)}`];
  if (why.length > 0) lines.push(`    ${pc.dim(safe(why.join("; ")))}`);
  if (shown !== undefined) {
    const width = String(shown.endLine).length;
    for (const [at, line] of shown.text.split("\n").entries()) {
      lines.push(`    ${pc.dim(String(shown.startLine + at).padStart(width))}  ${safe(line)}`);
    }
  }
  return lines.join("\n");
}

export function printLines(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

function safe(text: string): string {
  return sanitizeForTerminal(text);
}
