/**
 * The kind of a part of an issue's text. `inline`: code in a sentence. `background`: questions of the issue template,
 * and facts about the reporter's machine.
 */

export type PartKind = "title" | "prose" | "inline" | "code" | "output" | "background";

export interface StatementPart {
  readonly kind: PartKind;
  readonly text: string;
}

/** Sections that describe the reporter's machine, or list incidental output. */
const backgroundHeading =
  /version|environment|system info|platform|operating system|\bos\b|checklist|complete the following|completed the following|debug output|installed|dependenc|setup\b/i;
const templateHeading =
  /^(?:(?:actual|expected|current|observed|desired)?\s*(?:behaviou?rs?|results?|output|outcome)(?: summary)?|description|describe .*|steps? to reproduce.*|how to reproduce.*|to reproduce|reproduction.*|code|minimal.*|sample code.*|summary|details|motivation|objective|alternatives.*|what .*|bug(?: report| description)?|use case|problem|question)\s*:?$/i;
const outputSign =
  /panicked at|Traceback \(most|^\s*(?:error|warning|fatal|usage|note)(?:\[\w+\])?:|^\s+at .+[:(]\d|DEBUG|\bTRACE\b|^\$ |^> |^❯|^USAGE|^(?:FLAGS|OPTIONS|ARGS):|\.\w+:\d+:\d+|^npm ERR/m;

/**
 * A line that only describes the environment of a program: `OS: …`, `- Node.js version: …`, `rustc 1.70.0 (…)`, `numpy:
 * 1.20.3`.
 */
const machineLines: readonly RegExp[] = [
  /^[\s>*•_`-]*(?:[\w()/-]+(?:\.js)? ){0,3}(?:versions?|os|operating system|platform|browser|node(?:\.?js)?|npm|yarn|pnpm|python|rustc|cargo|time ?zone|arch(?:itecture)?)(?:[-\w]*|[*_ ][\w ()*_]{0,20}):[^=]{0,60}$/i,
  /^[\s>*•_`-]*(?:rustc|cargo|node|npm|python|pip|ubuntu|debian|windows|mac ?os(?: x)?)[ -]v?\d+(?:\.[\w-]+)*`?\s*(?:[(|,].*)?$/i,
  /^[\s>*•`-]*[\w.@/-]+\s*(?:(?::|==?)\s*`?v?\d+\.\d+[\w.+-]*|:\s*None)`?\s*$/,
];
/** Maximum number of characters. Longer lines are sentences. */
const longestMachineLine = 140;
/** Markup of images and layout. */
const markup = /!\[[^\]]*\]\([^)]*\)|<\/?(?:details|summary|br|kbd|sub|sup)\b[^>]*>/gi;

/** Maximum number of characters. The rest is usually a log, and the important text comes before it. */
const longestStatement = 60_000;
const longestLine = 1000;

export function partsOfStatement(statement: string): StatementPart[] {
  const text = statement
    .slice(0, longestStatement)
    .replace(/\r/g, "")
    .replace(/<!--[\s\S]*?(?:-->|$)/g, "");
  const lines = text.split("\n").map((line) => line.slice(0, longestLine));
  const titleAt = lines.findIndex((line) => line.trim() !== "");
  const parts: StatementPart[] = [];
  if (titleAt === -1) return parts;
  pushProse(parts, "title", lines[titleAt] ?? "");
  let background = false;
  let fence: { readonly mark: string; readonly lines: string[] } | undefined;
  for (const line of lines.slice(titleAt + 1)) {
    const mark = /^\s*(?:[-*>] )?\s*(```+|~~~+)/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark === undefined || !mark.startsWith(fence.mark)) {
        fence.lines.push(line);
        continue;
      }
      parts.push(blockOf(fence.lines.join("\n"), background));
      fence = undefined;
    } else if (mark !== undefined) {
      fence = { mark, lines: [] };
    } else if (/^\s*[-*] \[[ xX]\]/.test(line) || /^\s*_No response_\s*$/.test(line)) {
    } else {
      const heading = /^\s*(?:#{1,6}\s+(.*?)\s*#*|\*\*(.+?)\*\*:?)\s*$/.exec(line);
      const title = heading?.[1] ?? heading?.[2];
      if (title === undefined)
        pushProse(parts, background || isOfMachine(line) ? "background" : "prose", line);
      else {
        background = backgroundHeading.test(title);
        if (!background && !templateHeading.test(title)) pushProse(parts, "prose", title);
      }
    }
  }
  if (fence !== undefined) parts.push(blockOf(fence.lines.join("\n"), background));
  return parts;
}

/**
 * Returns the reporter's own words and code: the statement without outputs of programs, and without the machine's
 * description.
 */
export function withoutOutputs(statement: string): string {
  const own = partsOfStatement(statement).filter(({ kind }) => kind !== "output" && kind !== "background");
  return own.map(({ text }) => text).join("\n");
}

function isOfMachine(line: string): boolean {
  return line.length <= longestMachineLine && machineLines.some((pattern) => pattern.test(line));
}

function blockOf(text: string, background: boolean): StatementPart {
  if (background) return { kind: "background", text };
  return { kind: outputSign.test(text) ? "output" : "code", text };
}

/** Adds a line, with text in backticks as separate parts. Lines of an indented block are code. */
function pushProse(parts: StatementPart[], kind: PartKind, line: string): void {
  if (kind === "prose" && /^(?: {4}|\t)\S/.test(line) && !/^\s*[-*\d]/.test(line)) {
    parts.push(blockOf(line, false));
    return;
  }
  const inline: string[] = [];
  const rest = line.replace(markup, " ").replace(/``?([^`]+)``?/g, (_, code: string) => {
    inline.push(code);
    return ` ${code} `;
  });
  if (rest.trim() !== "") parts.push({ kind, text: rest });
  if (kind === "background") return;
  for (const code of inline) parts.push({ kind: "inline", text: code });
}
