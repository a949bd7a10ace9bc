/**
 * Corrupts edits as models do. A corruption changes the text that an author recalls (unchanged and removed lines) and
 * the form of the whole block. New lines stay, because they contain the author's intent.
 */
import { type HunkCase, type HunkLine, widen } from "./edit-hunks.ts";
import { pick, type Random } from "./edit-random.ts";
import { isFilled, recallBadly, respace } from "./edit-slips.ts";

export interface CorruptCase {
  /** What the model wrote. */
  readonly reply: string;
  /** The file, and what it has to become; a kind may change the line breaks of both. */
  readonly before: string;
  readonly expected: string;
}

/** undefined where the hunk has nothing that could go wrong so. */
export type Corruption = (hunk: HunkCase, random: Random) => CorruptCase | undefined;

interface Block {
  readonly original: readonly string[];
  readonly replacement: readonly string[];
}

function blockOf(lines: readonly HunkLine[]): Block {
  return {
    original: lines.filter(({ sign }) => sign !== "+").map(({ text }) => text),
    replacement: lines.filter(({ sign }) => sign !== "-").map(({ text }) => text),
  };
}

function write({ original, replacement }: Block, path: string): string {
  return [
    path,
    "```",
    "<<<<<<< SEARCH",
    ...original,
    "=======",
    ...replacement,
    ">>>>>>> REPLACE",
    "```",
    "",
  ].join("\n");
}

function asBlock(hunk: HunkCase, block: Block): CorruptCase {
  return { reply: write(block, hunk.path), before: hunk.before, expected: hunk.expected };
}

/** Every line of both texts changed in the same way; undefined where none changes. */
function everywhere(
  hunk: HunkCase,
  change: (line: string, index: number) => string,
): CorruptCase | undefined {
  const block = blockOf(hunk.lines);
  const changed = { original: block.original.map(change), replacement: block.replacement.map(change) };
  return isSame(block.original, changed.original) && isSame(block.replacement, changed.replacement)
    ? undefined
    : asBlock(hunk, changed);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}

/** Only what is recalled. */
function recalled(hunk: HunkCase, lines: readonly HunkLine[]): CorruptCase | undefined {
  const block = blockOf(lines);
  return isSame(block.original, blockOf(hunk.lines).original) ? undefined : asBlock(hunk, block);
}

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? "";

const noPath: Corruption = (hunk) => {
  const reply = write(blockOf(hunk.lines), hunk.path).split("\n").slice(1).join("\n");
  return { reply: `I change this:\n\n${reply}`, before: hunk.before, expected: hunk.expected };
};

const markers: Corruption = (hunk, random) => {
  const { original, replacement } = blockOf(hunk.lines);
  const length = pick([5, 6, 8, 9], random);
  const [open, close] = pick(
    [
      ["SEARCH", "REPLACE"],
      ["", ""],
      ["ORIGINAL", "UPDATED"],
      ["HEAD", "new"],
    ],
    random,
  );
  const path = pick(
    [`### ${hunk.path}`, `**${hunk.path}**`, `\`${hunk.path}\``, `File: ${hunk.path}`],
    random,
  );
  const body = [
    `${"<".repeat(length)} ${open}`.trimEnd(),
    ...original,
    "=".repeat(pick([5, 7, 8, 9], random)),
    ...replacement,
    `${">".repeat(pick([5, 7, 9], random))} ${close}`.trimEnd(),
  ];
  const reply = pick(
    [
      [path, "", "```", ...body, "```"],
      [`\`\`\`diff ${hunk.path}`, ...body, "```"],
      ["```", hunk.path, ...body, "```"],
      [path, ...body],
      [path, "````", ...body.slice(0, -1), "````"],
    ],
    random,
  );
  return { reply: `${reply.join("\n")}\n`, before: hunk.before, expected: hunk.expected };
};

const elided: Corruption = (hunk, random) => {
  const lines = widen(hunk, pick([6, 8, 12], random));
  const runs: { start: number; length: number }[] = [];
  for (const [index, { sign }] of lines.entries()) {
    const last = runs.at(-1);
    if (sign !== " ") continue;
    if (last !== undefined && last.start + last.length === index)
      runs[runs.length - 1] = { ...last, length: last.length + 1 };
    else runs.push({ start: index, length: 1 });
  }
  // A line with text stays on each side of what is left out.
  const usable = runs.filter(({ start, length }) => {
    const inner = lines.slice(start, start + length);
    return length >= 5 && isFilled(inner[0]) && isFilled(inner.at(-1)) && isFilled(inner[1]);
  });
  if (usable.length === 0) return undefined;
  const { start, length } = pick(usable, random);
  const indent = indentOf(lines[start + 1]?.text ?? "");
  const sign = hunk.language === "python" ? "#" : hunk.language === "lua" ? "--" : "//";
  const mark = pick(
    ["...", `${indent}...`, `${indent}${sign} ...`, `${indent}${sign} ... rest unchanged ...`],
    random,
  );
  const kept = pick([1, 2], random);
  return asBlock(
    hunk,
    blockOf([...lines.slice(0, start + kept), { sign: " ", text: mark }, ...lines.slice(start + length - 1)]),
  );
};

const escaped: Corruption = (hunk, random) => {
  const quotes = random() < 0.3;
  return everywhere(hunk, (line) => {
    const text = line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    return quotes ? text.replaceAll('"', "&quot;") : text;
  });
};

const numbered: Corruption = (hunk, random) => {
  const write = pick(
    [
      (n: number) => `${n}: `,
      (n: number) => `${String(n).padStart(6)}\t`,
      (n: number) => `${n} | `,
      (n: number) => `${String(n).padStart(4)}: `,
    ],
    random,
  );
  const { original, replacement } = blockOf(hunk.lines);
  const number = (line: string, index: number): string => write(hunk.startLine + index) + line;
  const both = random() < 0.5;
  return asBlock(hunk, {
    original: original.map(number),
    replacement: both ? replacement.map(number) : replacement,
  });
};

const lineBreaks: Corruption = (hunk, random) => {
  const clean = asBlock(hunk, blockOf(hunk.lines));
  if (hunk.before.includes("\r")) return clean; // the reply has plain line breaks
  if (random() < 0.5) return { ...clean, reply: clean.reply.replaceAll("\n", "\r\n") };
  return {
    reply: clean.reply,
    before: clean.before.replaceAll("\n", "\r\n"),
    expected: clean.expected.replaceAll("\n", "\r\n"),
  };
};

const tabs: Corruption = (hunk, random) => {
  const filled = hunk.lines.map(({ text }) => text).filter((text) => text.trim() !== "");
  const hasTabs = filled.some((line) => line.startsWith("\t"));
  const width = stepOf(hunk.before.split("\n"));
  const narrow = random() < 0.4 && width === 4;
  const indents = filled.map(indentOf);
  // What would be lost for good: mixed indentation, and, in steps of another width, lines that stand between two steps.
  if (new Set(indents.map((indent) => indent[0] ?? "").filter(Boolean)).size > 1) return undefined;
  if (indents.some((indent) => / \t|\t {4}/.test(indent))) return undefined;
  if (!hasTabs && indents.some((indent) => narrow && indent.length % width !== 0)) return undefined;
  const isTold = hunk.lines.some(
    ({ sign, text }) => sign !== "+" && text.trim() !== "" && indentOf(text) !== "",
  );
  if (!isTold && (narrow || !/^[ \t]+\S/m.test(hunk.before))) return undefined;
  return everywhere(hunk, (line) => {
    const indent = indentOf(line);
    const rest = line.slice(indent.length);
    if (rest === "") return line;
    if (hasTabs) return indent.replaceAll("\t", "    ") + rest;
    const levels = Math.floor(indent.length / width);
    return (narrow ? "  " : "\t").repeat(levels) + " ".repeat(indent.length % width) + rest;
  });
};

/** The commonest step inwards. */
function stepOf(lines: readonly string[]): number {
  const counts = new Map<number, number>();
  let last = 0;
  for (const line of lines.filter((each) => each.trim() !== "")) {
    const indent = indentOf(line).length;
    if (indent > last && indent - last <= 4) counts.set(indent - last, (counts.get(indent - last) ?? 0) + 1);
    last = indent;
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 4;
}

const shifted: Corruption = (hunk, random) => {
  const filled = hunk.lines.map(({ text }) => text).filter((text) => text.trim() !== "");
  const common = filled.map(indentOf).reduce((a, b) => (b.startsWith(a) ? a : a.startsWith(b) ? b : ""));
  const way = pick(["dedent", "indent", "first"], random);
  if (way === "indent") return everywhere(hunk, (line) => (line.trim() === "" ? line : `    ${line}`));
  if (way === "dedent")
    return everywhere(hunk, (line) =>
      line.trim() !== "" && line.startsWith(common) ? line.slice(common.length) : line,
    );
  return everywhere(hunk, (line, index) => (index === 0 ? line.trimStart() : line));
};

const spaces: Corruption = (hunk, random) => recalled(hunk, respace(hunk.lines, random));
const slips: Corruption = (hunk, random) => recalled(hunk, recallBadly(hunk.lines, random));

const wrongNumbers: Corruption = (hunk, random) => {
  const off = (n: number): number => Math.max(1, n + Math.floor((random() - 0.5) * 60));
  const bare = random() < 0.3;
  const lines = hunk.lines.map(({ sign, text }) => (sign === " " && text === "" ? "" : sign + text));
  const heading = bare
    ? "@@ ... @@"
    : `@@ -${off(hunk.startLine)},${off(lines.length)} +${off(hunk.startLine)},${off(lines.length)} @@`;
  const reply = ["```diff", `--- a/${hunk.path}`, `+++ b/${hunk.path}`, heading, ...lines, "```", ""].join(
    "\n",
  );
  return { reply, before: hunk.before, expected: hunk.expected };
};

export const clean: Corruption = (hunk) => asBlock(hunk, blockOf(hunk.lines));

export const corruptions: Readonly<Record<string, Corruption>> = {
  "no path": noPath,
  "markers, fences": markers,
  "elided middle": elided,
  "HTML escapes": escaped,
  "line numbers": numbered,
  "line breaks": lineBreaks,
  "tabs, unit": tabs,
  indentation: shifted,
  "spaces, blanks": spaces,
  "memory slips": slips,
  "diff, wrong numbers": wrongNumbers,
};
