/**
 * SWE-bench's parsers that clean a log before they read it. They behave like `swebench` 5.0.2 (`harness/log_parsers`).
 */
import { indentOf, type LogParser, type StatusMap, strip, withoutEscapes } from "./contract.ts";

/** Drops JSON that is printed over several lines or on one. */
function withoutJson(log: string): string {
  const opened = new Set<string>();
  const kept: string[] = [];
  for (const line of log.split("\n")) {
    const text = line.replace(/\s+$/, "");
    const open = text.endsWith("{") ? "}" : text.endsWith("[") ? "]" : undefined;
    if (open !== undefined) opened.add(open);
    else if (opened.has(text)) opened.delete(text);
    else if (opened.size === 0 && !/^(?:\{.*\}|\[.*\])$/s.test(text)) kept.push(line);
  }
  return kept.join("\n");
}

/** Drops each element with its text. Keeps opening tags inside an element, because their own ends follow. */
function withoutXml(log: string): string {
  let text = log;
  for (;;) {
    const match = /<([\p{L}\p{N}_]+)>[\s\S]*?<\/\1>/u.exec(text);
    if (match === null) return text;
    const [whole, name = ""] = match;
    const inner = whole.split(`<${name}>`).length - 2;
    text = text.slice(0, match.index) + `<${name}>`.repeat(inner) + text.slice(match.index + whole.length);
  }
}

/** Reads mocha's list of failures. A failure's titles stand below each other, each indented further. */
const p5: LogParser = (log) => {
  const found: StatusMap = new Map();
  const clean = withoutXml(withoutJson(withoutEscapes(log)));
  for (const [, titles = ""] of clean.matchAll(/^\s*\d+\)([\s\S]{0,1000}?):/gm)) {
    const lines = titles.split("\n");
    const indents = [0, ...lines.map(indentOf)];
    const isStair = indents.slice(1).every((indent, at) => indent > (indents[at] ?? 0));
    if (isStair) found.set(lines.map(strip).join(":"), "FAILED");
  }
  return found;
};

/** Reads Deno's lines `[unit] > NAME ... ok`. Numbers temporary files in the order in which they appear. */
const quarto: LogParser = (log) => {
  const found: StatusMap = new Map();
  const numbers = new Map<string, number>();
  for (const printed of log.split("\n")) {
    if (/ERRORS|failures:/.test(printed)) break;
    if (!/\[(?:smoke|unit)\]/.test(printed)) continue;
    const line = [/\/tmp\/[\p{L}\p{N}_]+\.qmd/gu, /\/tmp\/[\p{L}\p{N}_]+\//gu].reduce((text, pattern) => {
      const [first] = text.match(pattern) ?? [];
      if (first === undefined) return text;
      const number = numbers.get(first) ?? numbers.size;
      numbers.set(first, number);
      return text.replaceAll(pattern, `/tmp/${number}`);
    }, printed);
    const isSummary = line.startsWith("test result:") || /34mINFO/.test(line);
    if (isSummary || ["passed", "failed", "steps"].every((word) => line.includes(word))) continue;
    const name = strip(line.split("...")[0] ?? "");
    if (line.includes("32mok")) found.set(name, "PASSED");
    else if (line.includes("31mFAILED") || !found.has(name)) found.set(name, "FAILED");
  }
  return found;
};

export const cleaningParsers: Readonly<Record<string, LogParser>> = {
  parse_log_p5js: p5,
  parse_log_quarto_cli: quarto,
};
