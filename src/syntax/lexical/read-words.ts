/**
 * Reads a text's names with their lines, and its definitions, from its words alone. Works for every language with a
 * lexis. Reads tens of megabytes per second. It does not parse: every text with the form of a definition counts as one,
 * and it also reads broken code. Pure.
 */
import { recordOf } from "../../base/keys.ts";
import type { Definition } from "../../domain/code-symbols.ts";
import { outlineOf } from "../outlines/index.ts";
import { type BraceWords, readBraces } from "./braces.ts";
import { lastOfAscii } from "./bytes.ts";
import { type LuaWords, readLua } from "./ends.ts";
import { type IndentWords, readIndented } from "./indents.ts";
import type { Lexis } from "./lexis.ts";
import type { Names } from "./names.ts";
import type { LexicalDefinition, Reader } from "./reader.ts";
import { scanBytes } from "./scan.ts";
import type { Shape } from "./shapes.ts";
import { createTokens, type Tokens } from "./tokens.ts";
import { type Words, wordNames } from "./walk.ts";

export interface WordReader {
  readonly names: Names;
  /**
   * Reads the words and definitions of a text: the bytes before `end`. `bytes[end]` must exist and be 0. Returns
   * undefined if the language has no lexis. The next call overwrites the tokens.
   */
  read(language: string, bytes: Uint8Array, end: number): ReadWords | undefined;
}

export interface ReadWords {
  readonly tokens: Tokens;
  readonly definitions: readonly Definition[];
}

interface Known {
  readonly lexis: Lexis;
  readonly readInto: (reader: Reader) => void;
}

/** Creates a reader of words. All texts that the reader reads share the table `names`. */
export function createWordReader(names: Names): WordReader {
  const tokens = createTokens();
  const known = new Map<string, Known | undefined>();
  return {
    names,
    read(language, bytes, end) {
      if (!known.has(language)) known.set(language, prepare(language, names));
      const ready = known.get(language);
      if (ready === undefined) return undefined;
      scanBytes(bytes, end, ready.lexis, names, tokens);
      const found: LexicalDefinition[] = [];
      ready.readInto({ tokens, names, found });
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const around = { tokens, names, bytes: text, end, columnOf: openColumns(tokens, bytes) };
      const definitions = found.map((one) => describe(one, around));
      return { tokens, definitions: flattened(definitions) };
    },
  };
}

function prepare(language: string, names: Names): Known | undefined {
  const lexicon = outlineOf(language)?.words;
  if (lexicon === undefined) return undefined;
  const { lexis, definitions } = lexicon;
  if (definitions === "ends") {
    const words = luaWords(names);
    return { lexis, readInto: (reader) => readLua(reader, words) };
  }
  if (definitions === "indents" || definitions === "indents-and-ends") {
    const words = indentWords(names, definitions === "indents-and-ends");
    return { lexis, readInto: (reader) => readIndented(reader, words) };
  }
  const words = braceWords(definitions, names);
  return { lexis, readInto: (reader) => readBraces(reader, definitions, words) };
}

function setOf(words: readonly string[], names: Names): ReadonlySet<number> {
  return new Set(words.map((word) => names.add(word)));
}

function braceWords(shape: Shape, names: Names): BraceWords {
  const roles: BraceWords["roles"][number][] = [];
  for (const [word, role] of Object.entries(shape.roles)) roles[names.add(word)] = role;
  const of = recordOf(wordNames, (word) => names.add(word));
  const tests = setOf(shape.tests ?? [], names);
  const telling = new Uint8Array(Math.max(roles.length, of.this + 1, ...[...tests].map((test) => test + 1)));
  for (const word of [...roles.keys(), ...tests, of.this])
    telling[word] = word === of.this || tests.has(word) || roles[word] !== undefined ? 1 : 0;
  const words: Words = {
    telling,
    public: setOf(shape.publicWords ?? [], names),
    private: setOf(
      [...(shape.privateWords ?? []), ...(shape.hasObjects ? ["private", "protected"] : [])],
      names,
    ),
    tests,
    continues: setOf(
      ["extends", "implements", "where", "by", "else", "catch", "finally", "instanceof", "as", "is"],
      names,
    ),
    of,
  };
  return { roles, words };
}

function luaWords(names: Names): LuaWords {
  return {
    function: names.add("function"),
    local: names.add("local"),
    self: names.add("self"),
    require: names.add("require"),
    repeat: names.add("repeat"),
    // `for` and `while` are followed by `do`.
    opens: setOf(["do", "if"], names),
    closes: setOf(["end", "until"], names),
    tests: setOf(["it", "describe", "test", "context", "pending", "spec"], names),
  };
}

/**
 * Returns the words of a language with indented blocks. `hasEnds`: true for Ruby, whose definitions end with a word at
 * the column where they begin.
 */
function indentWords(names: Names, hasEnds: boolean): IndentWords {
  return {
    def: names.add("def"),
    classes: setOf(hasEnds ? ["class", "module"] : ["class"], names),
    async: names.add("async"),
    self: names.add("self"),
    type: names.add("type"),
    ...(hasEnds && { end: names.add("end") }),
  };
}

const longestSignature = 300;
const longestTestName = 200;

interface Described {
  readonly tokens: Tokens;
  readonly names: Names;
  readonly bytes: Buffer;
  readonly end: number;
  readonly columnOf: (token: number) => number;
}

function describe(one: LexicalDefinition, around: Described): Definition {
  const { tokens, names, bytes, end, columnOf } = around;
  const what = tokens.what[one.name] ?? 0;
  const line = tokens.line[one.name] ?? 1;
  const startLine = tokens.line[one.first] ?? line;
  const definition: { -readonly [K in keyof Definition]: Definition[K] } = {
    kind: one.kind,
    name:
      what >= 0
        ? names.textOf(what)
        : quoted(bytes, tokens.start[one.name] ?? 0, tokens.start[one.name + 1] ?? end),
    container: one.container,
    startLine,
    endLine: Math.max(one.endLine, line),
    at: { line, column: columnOf(one.name) },
    signature: signatureOf(one, around),
    isPublic: one.isPublic,
  };
  if (one.owner !== undefined && one.owner >= 0) definition.owner = names.textOf(one.owner);
  if (one.isTest) definition.isTest = true;
  return definition;
}

/** A test's name: the text between its quotes. */
function quoted(bytes: Buffer, start: number, next: number): string {
  const text = bytes.toString("utf8", start, Math.min(next, start + 2 * longestTestName));
  return text
    .replace(/^["'`]([\s\S]*?)["'`]\s*,?\s*$/, "$1")
    .replaceAll(/[\s\0]+/g, " ")
    .slice(0, longestTestName);
}

/**
 * Returns a function that gives a token's column in UTF-16 code units. Continues from the previous token on the line,
 * because a line may be long with many definitions.
 */
function openColumns({ start, line, lineStarts }: Tokens, bytes: Uint8Array): (token: number) => number {
  let [ofLine, at, units] = [0, 0, 0];
  return (token) => {
    const [wanted, own] = [start[token] ?? 0, line[token] ?? 1];
    if (own !== ofLine || wanted < at) [ofLine, at, units] = [own, lineStarts[own - 1] ?? 0, 0];
    for (; at < wanted; at++) {
      const byte = bytes[at] ?? 0;
      // Bytes of the form 0b10… continue a character; bytes from 0b11110000 begin a character of two units.
      if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
    }
    return units;
  };
}

/**
 * Maximum nesting. Deeper definitions belong to the enclosing definition at this depth. Otherwise qualified names in
 * generated code could grow as long as the text.
 */
const deepest = 100;

function flattened(definitions: readonly Definition[]): readonly Definition[] {
  const depths: number[] = [];
  const containers: number[] = [];
  let isDeep = false;
  for (const { container } of definitions) {
    const depth = (depths[container] ?? 0) + 1;
    isDeep ||= depth > deepest;
    depths.push(Math.min(depth, deepest));
    containers.push(depth > deepest ? (containers[container] ?? -1) : container);
  }
  return isDeep
    ? definitions.map((one, index) => ({ ...one, container: containers[index] ?? -1 }))
    : definitions;
}

function signatureOf({ first, name, headEnd }: LexicalDefinition, { tokens, bytes, end }: Described): string {
  const firstLine = tokens.line[first] ?? 1;
  const nameLine = tokens.line[name] ?? 1;
  // Annotations stand on their own lines.
  const from = firstLine === nameLine ? (tokens.start[first] ?? 0) : (tokens.lineStarts[nameLine - 1] ?? 0);
  const last = headEnd < tokens.count ? (tokens.start[headEnd] ?? end) : end;
  return onOneLine(bytes, from, Math.min(Math.max(last, from), from + 2 * longestSignature));
}

const space = 32;

/**
 * A text on one line. The fast path needs no regular expression, because most texts are plain ASCII with single spaces.
 */
function onOneLine(bytes: Buffer, start: number, stop: number): string {
  let [from, last] = [start, stop];
  while (from < last && bytes[from] === space) from++;
  while (last > from && bytes[last - 1] === space) last--;
  for (let at = from; at < last; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < space || byte > lastOfAscii || (byte === space && bytes[at + 1] === space))
      return bytes
        .toString("utf8", start, stop)
        .replaceAll(/[\s\0]+/g, " ")
        .trim()
        .slice(0, longestSignature);
  }
  return bytes.toString("latin1", from, Math.min(last, from + longestSignature));
}
