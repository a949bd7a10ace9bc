/**
 * What a text's words alone tell of it: its names with their lines, and what it defines. For all languages with a lexis; pure, and
 * tens of megabytes a second. It knows no syntax: what looks like a definition is one, and a broken text is read like any other.
 */
import type { Definition } from "../../domain/code-symbols.ts";
import { type BraceWords, readBraces } from "./braces.ts";
import { type LuaWords, readLua } from "./ends.ts";
import { type PythonWords, readPython } from "./indents.ts";
import { type Lexis, lexes } from "./lexis.ts";
import type { Names } from "./names.ts";
import type { LexicalDefinition, Reader } from "./reader.ts";
import { scanBytes } from "./scan.ts";
import { type Shape, shapes } from "./shapes.ts";
import { createTokens, type Tokens } from "./tokens.ts";
import { type Words, wordNames } from "./walk.ts";

export interface WordReader {
  readonly names: Names;
  /** `bytes[end]` has to be there and be 0. Undefined where the language has no lexis. The tokens are filled anew by the next call. */
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

/** The names of all texts that it reads are one table. */
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
      const columnOf = openColumns(tokens, bytes);
      const definitions = found.map((one) => describe(one, { tokens, names, bytes, end, columnOf }));
      return { tokens, definitions: flattened(definitions) };
    },
  };
}

function prepare(language: string, names: Names): Known | undefined {
  const lexis = lexes[language];
  if (lexis === undefined) return undefined;
  const shape = shapes[language];
  if (shape !== undefined) {
    const words = braceWords(shape, names);
    return { lexis, readInto: (reader) => readBraces(reader, shape, words) };
  }
  if (language === "lua") {
    const words = luaWords(names);
    return { lexis, readInto: (reader) => readLua(reader, words) };
  }
  const words = pythonWords(names);
  return { lexis, readInto: (reader) => readPython(reader, words) };
}

function setOf(words: readonly string[], names: Names): ReadonlySet<number> {
  return new Set(words.map((word) => names.add(word)));
}

function braceWords(shape: Shape, names: Names): BraceWords {
  const roles: BraceWords["roles"][number][] = [];
  for (const [word, role] of Object.entries(shape.roles)) roles[names.add(word)] = role;
  const of = Object.fromEntries(wordNames.map((word) => [word, names.add(word)])) as Words["of"];
  const words: Words = {
    public: setOf(shape.publicWords ?? [], names),
    private: setOf(
      [...(shape.privateWords ?? []), ...(shape.hasObjects ? ["private", "protected"] : [])],
      names,
    ),
    tests: setOf(shape.tests ?? [], names),
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
    // `for` and `while` have a `do`.
    opens: setOf(["do", "if"], names),
    closes: setOf(["end", "until"], names),
    tests: setOf(["it", "describe", "test", "context", "pending", "spec"], names),
  };
}

function pythonWords(names: Names): PythonWords {
  return {
    def: names.add("def"),
    class: names.add("class"),
    async: names.add("async"),
    self: names.add("self"),
    type: names.add("type"),
  };
}

const decoder = new TextDecoder();
const longestSignature = 300;

interface Described {
  readonly tokens: Tokens;
  readonly names: Names;
  readonly bytes: Uint8Array;
  readonly end: number;
  readonly columnOf: (token: number) => number;
}

function describe(one: LexicalDefinition, { tokens, names, bytes, end, columnOf }: Described): Definition {
  const what = tokens.what[one.name] ?? 0;
  const line = tokens.line[one.name] ?? 1;
  const startLine = tokens.line[one.first] ?? line;
  return {
    kind: one.kind,
    name:
      what >= 0
        ? names.textOf(what)
        : quoted(bytes, tokens.start[one.name] ?? 0, tokens.start[one.name + 1] ?? end),
    container: one.container,
    ...(one.owner === undefined || one.owner < 0 ? {} : { owner: names.textOf(one.owner) }),
    startLine,
    endLine: Math.max(one.endLine, line),
    at: { line, column: columnOf(one.name) },
    signature: signatureOf(one, tokens, bytes, end),
    ...(one.isTest ? { isTest: true } : {}),
    isPublic: one.isPublic,
  };
}

/** Of a test's name: the text between its quotes. */
function quoted(bytes: Uint8Array, start: number, next: number): string {
  const text = decoder.decode(bytes.subarray(start, Math.min(next, start + 400)));
  return text
    .replace(/^["'`]([\s\S]*?)["'`]\s*,?\s*$/, "$1")
    .replaceAll(/\s+/g, " ")
    .slice(0, 200);
}

/** In UTF-16 code units. It goes on from the token before where that is on the same line: a line may be long and define much. */
function openColumns({ start, line, lineStarts }: Tokens, bytes: Uint8Array): (token: number) => number {
  let [ofLine, at, units] = [0, 0, 0];
  return (token) => {
    const [wanted, own] = [start[token] ?? 0, line[token] ?? 1];
    if (own !== ofLine || wanted < at) [ofLine, at, units] = [own, lineStarts[own - 1] ?? 0, 0];
    for (; at < wanted; at++) {
      const byte = bytes[at] ?? 0;
      // Bytes 0b10… continue a character; from 0b11110000 on begins one of two units.
      if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
    }
    return units;
  };
}

/** What is nested deeper belongs to what is around it there: names that no person wrote would be as long as the text. */
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

function signatureOf(
  { first, name, headEnd }: LexicalDefinition,
  tokens: Tokens,
  bytes: Uint8Array,
  end: number,
): string {
  const firstLine = tokens.line[first] ?? 1;
  const nameLine = tokens.line[name] ?? 1;
  // Annotations stand on lines of their own.
  const from = firstLine === nameLine ? (tokens.start[first] ?? 0) : (tokens.lineStarts[nameLine - 1] ?? 0);
  const last = headEnd < tokens.count ? (tokens.start[headEnd] ?? end) : end;
  const text = decoder.decode(
    bytes.subarray(from, Math.min(Math.max(last, from), from + 2 * longestSignature)),
  );
  return text.replaceAll(/\s+/g, " ").trim().slice(0, longestSignature);
}
