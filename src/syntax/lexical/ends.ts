/**
 * Reads Lua's definitions: functions and tables. An `end` closes each block, so the reader derives the nesting from
 * these keywords.
 */
import { type LexicalDefinition, lineAt, type Reader, whatAt } from "./reader.ts";
import { codes, marks } from "./tokens.ts";

export interface LuaWords {
  readonly function: number;
  readonly local: number;
  readonly self: number;
  readonly require: number;
  /** Keywords that need an `end`: `do`, `if`, `function`. */
  readonly opens: ReadonlySet<number>;
  /** Words that close a block: `end`, `until`. */
  readonly closes: ReadonlySet<number>;
  readonly repeat: number;
  readonly tests: ReadonlySet<number>;
}

interface Work extends Reader {
  readonly words: LuaWords;
  /** For each open block, its definition or that of the enclosing one. */
  readonly blocks: { readonly definition: number; readonly isOwn: boolean }[];
  /** For each open table, the definition whose value it is, or -1. */
  readonly tables: number[];
  readonly fields: Set<string>;
}

export function readLua(reader: Reader, words: LuaWords): void {
  const work: Work = { ...reader, words, blocks: [], tables: [], fields: new Set() };
  for (let index = 0; index < reader.tokens.count; index++) step(work, index);
}

function step(work: Work, index: number): void {
  const { words, blocks, tables, found } = work;
  const what = whatAt(work, index);
  const around = blocks.at(-1)?.definition ?? -1;
  if (what === words.function) {
    const own = readFunction(work, index, around);
    blocks.push({ definition: own ?? around, isOwn: own !== undefined });
  } else if (words.opens.has(what) || what === words.repeat)
    blocks.push({ definition: around, isOwn: false });
  else if (words.closes.has(what)) {
    const block = blocks.pop();
    const definition = block?.isOwn === true ? found[block.definition] : undefined;
    if (definition !== undefined) definition.endLine = lineAt(work, index);
  } else if (what === codes.openBrace)
    tables.push(blocks.length === 0 && whatAt(work, index - 1) === codes.equals ? found.length - 1 : -1);
  else if (what === codes.closeBrace) tables.pop();
  else if (what >= 0) readName(work, index, around);
}

/** Handles the name after `function`, or before it: `name = function`. */
function readFunction(work: Work, index: number, around: number): number | undefined {
  const { words } = work;
  if (whatAt(work, index + 1) >= 0) {
    let name = index + 1;
    let owner: number | undefined;
    let isMethod = false;
    while (whatAt(work, name + 1) === codes.dot || whatAt(work, name + 1) === codes.colon) {
      owner = whatAt(work, name);
      isMethod = whatAt(work, name + 1) === codes.colon;
      name += 2;
    }
    const isLocal = whatAt(work, index - 1) === words.local;
    const kind = isMethod ? "method" : "function";
    return add(work, {
      kind,
      name,
      first: isLocal ? index - 1 : index,
      headEnd: afterParameters(work, name + 1),
      container: around,
      owner,
      isPublic: !isLocal,
    });
  }
  if (whatAt(work, index - 1) === codes.equals && whatAt(work, index - 2) >= 0) {
    const hasOwner = whatAt(work, index - 3) === codes.dot;
    const owner = hasOwner ? whatAt(work, index - 4) : undefined;
    return add(work, {
      kind: "function",
      name: index - 2,
      first: index - (hasOwner ? 4 : 2),
      headEnd: afterParameters(work, index + 1),
      container: around,
      owner: owner !== undefined && owner >= 0 ? owner : undefined,
      isPublic: true,
    });
  }
  const isTest =
    whatAt(work, index - 1) === codes.comma &&
    whatAt(work, index - 2) === marks.string &&
    words.tests.has(whatAt(work, index - 4));
  return isTest
    ? add(work, {
        kind: "test",
        name: index - 2,
        first: index - 4,
        headEnd: index,
        container: around,
        owner: undefined,
        isPublic: false,
      })
    : undefined;
}

type New = Omit<LexicalDefinition, "endLine" | "isTest">;

function add(work: Work, one: New): number {
  const what = work.tokens.what[one.name] ?? 0;
  const isPublic = one.isPublic && (what < 0 || !work.names.textOf(what).startsWith("_"));
  return (
    work.found.push({
      ...one,
      isPublic,
      isTest: one.kind === "test",
      endLine: lineAt(work, one.headEnd - 1),
    }) - 1
  );
}

function afterParameters(work: Work, open: number): number {
  for (let at = open; at < open + 300 && at < work.tokens.count; at++)
    if (whatAt(work, at) === codes.closeRound) return at + 1;
  return open;
}

/** Adds the file's variables, fields that methods assign, and fields of the file's tables. */
function readName(work: Work, index: number, around: number): void {
  const { words, tables, fields } = work;
  const what = whatAt(work, index);
  if (what === words.local) {
    if (work.blocks.length === 0 && tables.length === 0) addLocals(work, index);
    return;
  }
  if (whatAt(work, index + 1) !== codes.equals || whatAt(work, index + 2) === codes.equals) {
    return;
  }
  if (whatAt(work, index + 2) === words.function || whatAt(work, index + 2) === words.require) return;
  const before = whatAt(work, index - 1);
  const key = `${work.found[around]?.owner ?? -1} ${whatAt(work, index - 2)} ${what}`;
  if (before === codes.dot) {
    const owner = whatAt(work, index - 2);
    if (owner < 0 || fields.has(key) || whatAt(work, index - 3) === codes.dot) return;
    if (
      owner !== words.self &&
      (around !== -1 || work.blocks.length > 0 || work.names.textOf(what).startsWith("__"))
    )
      return;
    fields.add(key);
    add(work, {
      kind: "field",
      name: index,
      first: index - 2,
      headEnd: index + 1,
      container: -1,
      owner: owner === words.self ? undefined : owner,
      isPublic: true,
    });
  } else if (
    work.blocks.length === 0 &&
    tables.length === 0 &&
    before !== words.local &&
    before !== codes.comma
  )
    addVariable(work, index);
  else if (
    work.blocks.length === 0 &&
    tables.length === 1 &&
    (tables[0] ?? -1) >= 0 &&
    (before === codes.openBrace || before === codes.comma || before === codes.semicolon)
  )
    add(work, {
      kind: "field",
      name: index,
      first: index,
      headEnd: index + 1,
      container: tables[0] ?? -1,
      owner: undefined,
      isPublic: true,
    });
}

function addVariable(work: Work, index: number): void {
  const { words } = work;
  const text = work.names.textOf(whatAt(work, index));
  const isLocal = whatAt(work, index - 1) === words.local || whatAt(work, index - 1) === codes.comma;
  const kind = /^[A-Z][A-Z0-9_]+$/.test(text) ? "constant" : "variable";
  add(work, {
    kind,
    name: index,
    first: isLocal ? index - 1 : index,
    headEnd: index + 1,
    container: -1,
    owner: undefined,
    isPublic: !isLocal,
  });
}

/** Adds the variables of `local a, b = …`, except required modules and functions. */
function addLocals(work: Work, index: number): void {
  const { words } = work;
  let last = index + 1;
  while (whatAt(work, last + 1) === codes.comma && whatAt(work, last + 2) >= 0) last += 2;
  const value = whatAt(work, last + 1) === codes.equals ? whatAt(work, last + 2) : 0;
  if (whatAt(work, index + 1) === words.function || value === words.function || value === words.require)
    return;
  for (let name = index + 1; name <= last; name += 2) if (whatAt(work, name) >= 0) addVariable(work, name);
}
