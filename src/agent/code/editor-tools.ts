/**
 * Makes the four tools of a plain editor for the files of a `ShellDesk`: view, create, str_replace, insert. A call
 * either takes effect completely or has no effect.
 */

import { z } from "zod";
import { countOf } from "../../base/count.ts";
import { redactedMark } from "../../base/redact.ts";
import { type Result, succeed } from "../../base/result.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import { windowOf } from "../record/line-window.ts";
import { handlePrefix, showOutput } from "../record/outputs.ts";
import type { ThinkTool, ToolReply } from "../think/think.ts";
import type { ShellDesk } from "./shell-desk.ts";
import { lookUp, type TreePlace } from "./tree-files.ts";

/** Limits: lines and file names shown at once, and context lines around an edit. */
const most = { lines: 400, files: 200, around: 4 };

type Desk = Pick<ShellDesk, "tree" | "change" | "root" | "outputs">;
type Reply = ToolReply<never>;

const pathInput = z.string().min(1).describe("relative to the repository's root, or absolute");

export function editorTools(trees: TreeStore, desk: Desk): ThinkTool<never>[] {
  return [viewTool, createTool, replaceTool, insertTool].map((make) => make(trees, desk));
}

function viewTool(trees: TreeStore, desk: Desk): ThinkTool<never> {
  const input = z.object({
    path: pathInput,
    startLine: z.int().min(1).default(1),
    endLine: z
      .int()
      .min(1)
      .optional()
      .describe(`the last line to show; a reply has at most ${most.lines} lines`),
  });
  return {
    name: "view",
    description:
      "Shows numbered lines of a file, or an `output:…` that a reply named. For a folder, lists its files, except those that git ignores.",
    input,
    showsOutputs: true,
    async run(asked) {
      const { path, startLine, endLine } = input.parse(asked);
      if (path.startsWith(handlePrefix))
        return showOutput(desk.outputs, { handle: path, startLine, endLine });
      const place = await find(trees, desk, path);
      if (!place.ok) return refuse(place.message);
      if (place.value.kind === "folder") return { text: listFiles(place.value.files) };
      if (place.value.kind === "free") return refuse(`There is no file ${path}.`);
      return { text: showLines(place.value, startLine, endLine) };
    },
  };
}

function createTool(trees: TreeStore, desk: Desk): ThinkTool<never> {
  const input = z.object({ path: pathInput, text: z.string() });
  return {
    name: "create",
    description: "Creates a new file with this text. Fails if the path exists already.",
    input,
    async run(asked) {
      const { path, text } = input.parse(asked);
      const place = await find(trees, desk, path);
      if (!place.ok) return refuse(place.message);
      if (place.value.kind !== "free") return refuse(`${path} exists already.`);
      await write(trees, desk, place.value.path, text);
      return { text: `Created ${place.value.path}.` };
    },
  };
}

function replaceTool(trees: TreeStore, desk: Desk): ThinkTool<never> {
  const input = z.object({
    path: pathInput,
    old: z
      .string()
      .min(1)
      .describe("the exact text to replace, including spaces; the file must contain it exactly once"),
    new: z.string(),
  });
  return {
    name: "str_replace",
    description: "Replaces text that occurs exactly once in the file.",
    input,
    async run(asked) {
      const { path, old, new: fresh } = input.parse(asked);
      const found = await findFile(trees, desk, path);
      if (!found.ok) return refuse(found.message);
      const { text } = found.value;
      if (fresh.includes(redactedMark) && !text.includes(redactedMark)) return refuse(hidden);
      // A model writes "\n" where a file has "\r\n".
      const convert = (part: string): string =>
        text.includes("\r\n") && !old.includes("\r") ? part.replaceAll("\n", "\r\n") : part;
      const parts = text.split(convert(old));
      if (parts.length !== 2)
        return refuse(parts.length === 1 ? noSuchText(path, old) : severalPlaces(parts));
      await write(trees, desk, found.value.path, parts.join(convert(fresh)));
      return { text: await showAround(trees, desk, path, lineAfter(parts[0] ?? ""), linesOf(fresh).length) };
    },
  };
}

function insertTool(trees: TreeStore, desk: Desk): ThinkTool<never> {
  const input = z.object({
    path: pathInput,
    line: z.int().min(0).describe("insert after this line; 0: before the first"),
    text: z.string().min(1),
  });
  return {
    name: "insert",
    description: "Inserts lines into a file.",
    input,
    async run(asked) {
      const { path, line, text: inserted } = input.parse(asked);
      const found = await findFile(trees, desk, path);
      if (!found.ok) return refuse(found.message);
      const { text } = found.value;
      if (inserted.includes(redactedMark) && !text.includes(redactedMark)) return refuse(hidden);
      const end = text.includes("\r\n") ? "\r\n" : "\n";
      const count = linesOf(text).length;
      if (line > count) return refuse(`${path} has ${countOf(count, "line")}.`);
      const fresh = linesOf(inserted);
      const at = offsetOf(text, line);
      // The last line may lack a line break.
      const before = at === 0 || text[at - 1] === "\n" ? text.slice(0, at) : text.slice(0, at) + end;
      const whole = before + fresh.map((each) => each + end).join("") + text.slice(at);
      await write(trees, desk, found.value.path, whole);
      return { text: await showAround(trees, desk, path, line + 1, fresh.length) };
    },
  };
}

function find(trees: TreeStore, desk: Desk, path: string): Promise<Result<TreePlace, "refused">> {
  return lookUp(trees, desk.tree(), { root: desk.root, path });
}

async function findFile(
  trees: TreeStore,
  desk: Desk,
  path: string,
): Promise<Result<{ readonly path: string; readonly text: string }>> {
  const place = await find(trees, desk, path);
  if (!place.ok) return place;
  if (place.value.kind === "file") return succeed(place.value);
  const message = place.value.kind === "folder" ? `${path} is a folder.` : `There is no file ${path}.`;
  return { ok: false, kind: "refused", message };
}

async function write(trees: TreeStore, desk: Desk, path: string, content: string): Promise<void> {
  desk.change(await trees.write(desk.tree(), [{ path, content }]));
}

/**
 * The note about redacted text. The record of a command's output omits text that looks like a key. A file is shown
 * unchanged.
 */
const hidden = `In a command's output, ${redactedMark} replaces text that looks like a key. \`view\` shows the file's own text.`;

function noSuchText(path: string, old: string): string {
  return `${path} does not contain this text.${old.includes(redactedMark) ? ` ${hidden}` : ""}`;
}

function refuse(message: string): Reply {
  return { text: message, isError: true };
}

function severalPlaces(parts: readonly string[]): string {
  const lines = parts.slice(0, -1).map((_, index) => lineAfter(parts.slice(0, index + 1).join("")));
  return `The text occurs ${parts.length - 1} times, near lines ${lines.join(", ")}, so nothing was changed. Include more of the text around the place.`;
}

/** The number of the line after the text, from 1. */
function lineAfter(text: string): number {
  return text.split("\n").length;
}

/** The offset of the line after this one. */
function offsetOf(text: string, line: number): number {
  let at = 0;
  for (let count = 0; count < line; count += 1) {
    const next = text.indexOf("\n", at);
    at = next === -1 ? text.length : next + 1;
  }
  return at;
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function listFiles(files: readonly string[]): string {
  const shown = files.slice(0, most.files);
  const more = files.length - shown.length;
  return [...shown, ...(more > 0 ? [`… and ${countOf(more, "more file")}`] : [])].join("\n") || "No files.";
}

function showLines({ path, text }: { path: string; text: string }, start: number, end?: number): string {
  const lines = linesOf(text);
  const { last, rest } = windowOf(lines, { startLine: start, endLine: end }, most.lines);
  return [
    `${path}, lines ${start}-${last} of ${lines.length}`,
    ...numbered(lines, start, last),
    ...rest,
  ].join("\n");
}

/** Numbers the lines from `start` to `last`, which count from 1, inclusive. */
function numbered(lines: readonly string[], start: number, last: number): string[] {
  return lines.slice(start - 1, last).map((line, index) => `${start + index}\t${line}`);
}

/** Shows the lines around a change. Omits the middle of a long change, because its author knows it. */
async function showAround(
  trees: TreeStore,
  desk: Desk,
  path: string,
  line: number,
  count: number,
): Promise<string> {
  const found = await findFile(trees, desk, path);
  if (!found.ok) return found.message;
  const lines = linesOf(found.value.text);
  const [first, last] = [
    Math.max(1, line - most.around),
    Math.min(line + count - 1 + most.around, lines.length),
  ];
  const left = count - 2 * most.around;
  const shown =
    left <= most.around
      ? numbered(lines, first, last)
      : [
          ...numbered(lines, first, line + most.around - 1),
          `(${left} of the new lines are not shown)`,
          ...numbered(lines, line + count - most.around, last),
        ];
  return [`Changed. ${found.value.path}, lines ${first}-${last} of ${lines.length}`, ...shown].join("\n");
}
