/** Replaces some parts of a candidate's file with the base's version. */
import { parse as parseToml, stringify as stringifyToml } from "smol-toml";
import { readJson } from "../base/parse-json.ts";
import type { JudgingParts } from "../languages/contract.ts";
import { layGradle, layMaven, layMsbuild } from "./lay-builds.ts";
import { layCMake } from "./lay-cmake.ts";

/**
 * Replaces the judged parts of a candidate's text (`after`) with the base's. Returns `after` if these parts are equal,
 * and `before` if a text cannot be split.
 */
export function layParts(parts: JudgingParts, before: string, after: string): string {
  switch (parts.format) {
    case "ini":
      return layIni(parts.sections, before, after);
    case "lines":
      return layLines(parts, before, after);
    case "json":
      return layTables(parts, before, after, {
        parse: parseJson,
        print: (table) => `${JSON.stringify(table, null, 2)}\n`,
      });
    case "toml":
      return layTables(parts, before, after, { parse: parseToml, print: stringifyToml });
    case "cmake":
      return layCMake(before, after);
    case "maven":
      return layMaven(parts, before, after);
    case "gradle":
      return layGradle(parts, before, after);
    case "msbuild":
      return layMsbuild(parts, before, after);
  }
}

interface Block {
  readonly name: string;
  readonly text: string;
}

function layIni(sections: RegExp, before: string, after: string): string {
  if (indentedHeads(before) !== indentedHeads(after)) return before;
  const [base, candidate] = [blocksOf(before), blocksOf(after)];
  const isOurs = ({ name }: Block): boolean => sections.test(name);
  const join = (blocks: readonly Block[]): string => blocks.map(({ text }) => text.trimEnd()).join("\n");
  const ours = base.filter(isOurs);
  if (join(ours) === join(candidate.filter(isOurs))) return after;
  return [...candidate.filter((block) => !isOurs(block)), ...ours]
    .map(({ text }) => (text.endsWith("\n") || text === "" ? text : `${text}\n`))
    .join("");
}

/** Lists indented heads. Some readers take such a line for a head, others for the continuation of a value. */
const indentedHeads = (text: string): string => (text.match(/^[^\S\n]+\[[^\]\n]+\]/gm) ?? []).join("\n");

/**
 * Splits a text into blocks at their heads, as readers of such files do. The lines before a line `[name]` belong to the
 * block above.
 */
function blocksOf(text: string): Block[] {
  let last = { name: "", text: "" };
  const blocks = [last];
  for (const line of text.split(/(?<=\n)/)) {
    const head = /^\[([^\]\n]+)\]/.exec(line)?.[1];
    if (head === undefined) {
      last.text += line;
      continue;
    }
    last = { name: head.trim(), text: line };
    blocks.push(last);
  }
  return blocks;
}

function layLines(
  { lines }: Extract<JudgingParts, { format: "lines" }>,
  before: string,
  after: string,
): string {
  // Without the indentation, over which a pattern such as `^\s*[^/]*=>` takes the square of its length.
  const of = (text: string): string[] =>
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => lines.test(line));
  const [base, candidate] = [of(before), of(after)];
  return base.join("\n") === candidate.join("\n") ? after : before;
}

type Table = Record<string, unknown>;

interface Format {
  parse(text: string): unknown;
  print(table: Table): string;
}

function layTables(
  { keys, kept = [] }: Extract<JudgingParts, { format: "toml" | "json" }>,
  before: string,
  after: string,
  { parse, print }: Format,
): string {
  const base = before === "" ? {} : read(parse, before);
  const candidate = read(parse, after);
  if (base === undefined || candidate === undefined) return before;
  let isLaid = false;
  for (const key of keys) {
    const path = key.split(".");
    if (sameValue(valuesAt(base, path), valuesAt(candidate, path))) continue;
    const star = path.indexOf("*");
    // List entries have no names, so if one differs the whole list is the base's.
    const whole = star === -1 ? path : path.slice(0, star);
    put(candidate, whole, valuesAt(base, whole)[0]);
    isLaid = true;
  }
  for (const key of kept) {
    const path = key.split(".");
    const end = path.lastIndexOf("*") + 1;
    for (const place of placesOf(base, path.slice(0, end))) {
      const compared = [...place, ...path.slice(end)];
      if (sameValue(valuesAt(base, compared), valuesAt(candidate, compared))) continue;
      put(candidate, place, valuesAt(base, place)[0]);
      isLaid = true;
    }
  }
  if (!isLaid) return after;
  try {
    return print(candidate);
  } catch {
    return before; // nested too deeply for its format
  }
}

function read(parse: (text: string) => unknown, text: string): Table | undefined {
  try {
    const value = parse(text);
    return isTable(value) ? value : undefined;
  } catch {
    return undefined; // invalid in this format, so its parts cannot be separated
  }
}

/** Parses JSON with comments and trailing commas, as in compiler configuration. */
function parseJson(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, "");
  try {
    return readJson(plain);
  } catch {
    const strings = /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=\s*[}\]])/g;
    return readJson(plain.replaceAll(strings, (_, quoted?: string) => quoted ?? ""));
  }
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns all values at a path in which `*` matches each entry of a list or table; empty if there are none. */
function valuesAt(value: unknown, [first, ...rest]: readonly string[]): unknown[] {
  if (first === undefined) return value === undefined ? [] : [value];
  if (first === "*") {
    const inner = Array.isArray(value) ? value : isTable(value) ? Object.values(value) : [];
    return inner.flatMap((each) => valuesAt(each, rest));
  }
  return isTable(value) && Object.hasOwn(value, first) ? valuesAt(value[first], rest) : [];
}

/** Returns the paths of a table's entries that a path matches in which `*` matches each name. */
function placesOf(value: unknown, [first, ...rest]: readonly string[]): string[][] {
  if (first === undefined) return [[]];
  if (!isTable(value)) return [];
  const names = Object.keys(value).filter((name) => first === "*" || name === first);
  return names.flatMap((name) => placesOf(value[name], rest).map((place) => [name, ...place]));
}

function sameValue(one: readonly unknown[], other: readonly unknown[]): boolean {
  return printValue(one) === printValue(other);
}

/** Renders a value independently of its order of keys. */
function printValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(",")}]`;
  if (!isTable(value) || value instanceof Date)
    return typeof value === "bigint" ? `${value}` : JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${printValue(each)}`).join(",")}}`;
}

/** Sets the value at a path, or deletes it if `undefined` is given. */
function put(table: Table, path: readonly string[], value: unknown): void {
  const [first = "", ...rest] = path;
  if (rest.length > 0) {
    const inner = Object.hasOwn(table, first) ? table[first] : undefined;
    if (!isTable(inner) && value === undefined) return;
    const below: Table = isTable(inner) ? inner : {};
    define(table, first, below);
    put(below, rest, value);
  } else if (value === undefined) delete table[first];
  else define(table, first, value);
}

/** Sets a property as data, even for names such as `__proto__`. */
function define(table: Table, name: string, value: unknown): void {
  Object.defineProperty(table, name, { value, enumerable: true, configurable: true, writable: true });
}
