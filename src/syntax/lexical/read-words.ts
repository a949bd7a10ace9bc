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
      return { tokens, definitions: found.map((one) => describe(one, tokens, names, bytes, end)) };
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

function describe(
  one: LexicalDefinition,
  tokens: Tokens,
  names: Names,
  bytes: Uint8Array,
  end: number,
): Definition {
  const what = tokens.what[one.name] ?? 0;
  const start = tokens.start[one.name] ?? 0;
  const line = tokens.line[one.name] ?? 1;
  const lineStart = tokens.lineStarts[line - 1] ?? 0;
  const startLine = tokens.line[one.first] ?? line;
  return {
    kind: one.kind,
    name: what >= 0 ? names.textOf(what) : quoted(bytes, start, tokens.start[one.name + 1] ?? end),
    container: one.container,
    ...(one.owner === undefined || one.owner < 0 ? {} : { owner: names.textOf(one.owner) }),
    startLine,
    endLine: Math.max(one.endLine, line),
    at: { line, column: unitsBetween(bytes, lineStart, start) },
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

/** UTF-16 code units. */
function unitsBetween(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++)
    if ((bytes[at] ?? 0) > 127) return decoder.decode(bytes.subarray(start, end)).length;
  return end - start;
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
