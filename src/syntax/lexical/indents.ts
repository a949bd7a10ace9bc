/** Reads the definitions of Python and Ruby from the keywords at the start of lines, nested by indentation. */
import { type LexicalDefinition, lineAt, type Reader, whatAt } from "./reader.ts";
import { codes } from "./tokens.ts";

export interface IndentWords {
  readonly def: number;
  /** Words that begin a class or module: `class`, `module`. */
  readonly classes: ReadonlySet<number>;
  readonly async: number;
  readonly self: number;
  readonly type: number;
  /** The word that ends a definition, if a word does; the definition's head then ends with the head's line. */
  readonly end?: number;
}

interface Block {
  readonly definition: number;
  readonly indent: number;
  readonly isClass: boolean;
  /** Names already recorded as fields or variables of the definition. */
  readonly known: Set<number>;
}

interface Work extends Reader {
  readonly words: IndentWords;
  readonly blocks: Block[];
  /** Line of the last code seen. */
  lastLine: number;
}

export function readIndented(reader: Reader, words: IndentWords): void {
  const root: Block = { definition: -1, indent: -1, isClass: false, known: new Set() };
  const work: Work = { ...reader, words, blocks: [root], lastLine: 1 };
  const { tokens } = reader;
  let depth = 0;
  let decorated = -1;
  for (let index = 0; index < tokens.count; index++) {
    const what = whatAt(reader, index);
    if (depth === 0 && isFirst(reader, index)) {
      if (what === words.end) work.lastLine = lineAt(reader, index);
      leave(work, columnOf(reader, index));
      if (what === codes.at && decorated < 0) decorated = index;
      else if (what !== codes.at) {
        readLine(work, index, decorated < 0 ? index : decorated);
        decorated = -1;
      }
    }
    work.lastLine = lineAt(reader, index);
    if (what === codes.openRound || what === codes.openSquare || what === codes.openBrace) depth++;
    else if (what === codes.closeRound || what === codes.closeSquare || what === codes.closeBrace)
      depth = Math.max(0, depth - 1);
  }
  leave(work, -1);
}

function isFirst(reader: Reader, index: number): boolean {
  if (index > 0 && lineAt(reader, index) === lineAt(reader, index - 1)) return false;
  return whatAt(reader, index - 1) !== codes.backslash;
}

function columnOf({ tokens }: Reader, index: number): number {
  return (tokens.start[index] ?? 0) - (tokens.lineStarts[(tokens.line[index] ?? 1) - 1] ?? 0);
}

/** Ends the blocks that are indented at least as far as `column`. Their last line is the previous line of code. */
function leave({ blocks, found, lastLine }: Work, column: number): void {
  for (
    let block = blocks.at(-1);
    block !== undefined && blocks.length > 1 && block.indent >= column;
    block = blocks.at(-1)
  ) {
    const definition = found[block.definition];
    if (definition !== undefined) definition.endLine = lastLine;
    blocks.pop();
  }
}

function readLine(work: Work, index: number, first: number): void {
  const { words, blocks } = work;
  const at = whatAt(work, index) === words.async ? index + 1 : index;
  const what = whatAt(work, at);
  const around = blocks.at(-1);
  if (around === undefined) return;
  if ((what === words.def || words.classes.has(what)) && whatAt(work, at + 1) >= 0) {
    const isClass = words.classes.has(what);
    const kind = isClass ? "class" : around.isClass ? "method" : "function";
    // Ruby's `def self.make`.
    const isOwn =
      words.end !== undefined && whatAt(work, at + 1) === words.self && whatAt(work, at + 2) === codes.dot;
    const name = isOwn ? at + 3 : at + 1;
    const definition = add(work, {
      kind,
      name,
      first,
      headEnd: words.end === undefined ? endOfHead(work, name + 1) : endOfLine(work, name + 1),
      container: around.definition,
    });
    blocks.push({ definition, indent: columnOf(work, index), isClass, known: new Set() });
    return;
  }
  if (what === words.self && whatAt(work, at + 1) === codes.dot) readField(work, at + 2);
  else if (what >= 0 && (around.isClass || around.definition === -1)) readAssignment(work, around, at);
  if (what === words.type && whatAt(work, at + 1) >= 0 && around.definition === -1 && isValue(work, at + 2))
    add(work, { kind: "type", name: at + 1, first: at, headEnd: at + 2, container: -1 });
}

type New = Pick<LexicalDefinition, "kind" | "name" | "first" | "headEnd" | "container">;

function add(work: Work, one: New): number {
  const text = work.names.textOf(work.tokens.what[one.name] ?? 0);
  const isTest = (one.kind === "function" || one.kind === "method") && /^test(?:_|[A-Z]|$)/.test(text);
  const isPublic = !text.startsWith("_") || /^__\w+__$/.test(text);
  const kind =
    one.kind === "method" &&
    (text === "__init__" || text === "__new__" || (work.words.end !== undefined && text === "initialize"))
      ? "constructor"
      : one.kind;
  const endLine = lineAt(work, one.headEnd - 1);
  return work.found.push({ ...one, kind, owner: undefined, endLine, isPublic, isTest }) - 1;
}

function endOfLine(work: Work, index: number): number {
  let at = index;
  while (at < work.tokens.count && lineAt(work, at) === lineAt(work, index - 1)) at++;
  return at;
}

/** The colon outside of brackets. */
function endOfHead(work: Work, index: number): number {
  let depth = 0;
  for (let at = index; at < work.tokens.count; at++) {
    const what = whatAt(work, at);
    if (what === codes.openRound || what === codes.openSquare || what === codes.openBrace) depth++;
    else if (what === codes.closeRound || what === codes.closeSquare || what === codes.closeBrace) depth--;
    else if (what === codes.colon && depth <= 0) return at;
  }
  return index;
}

function isValue(work: Work, at: number): boolean {
  return whatAt(work, at) === codes.equals && whatAt(work, at + 1) !== codes.equals;
}

/** Adds a field to the class for `self.name = …` in a method, once per name. */
function readField(work: Work, at: number): void {
  const block = work.blocks.findLast(({ isClass }) => isClass);
  const name = whatAt(work, at);
  if (block === undefined || name < 0 || block.known.has(name)) return;
  if (!isValue(work, at + 1) && whatAt(work, at + 1) !== codes.colon) return;
  block.known.add(name);
  add(work, { kind: "field", name: at, first: at - 2, headEnd: at + 1, container: block.definition });
}

/** Reads `NAME = …`, `name: Type` and `a, b = …` in a module or class. */
function readAssignment(work: Work, around: Block, first: number): void {
  const names = [first];
  let at = first + 1;
  while (whatAt(work, at) === codes.comma && whatAt(work, at + 1) >= 0) {
    names.push(at + 1);
    at += 2;
  }
  if (
    !isValue(work, at) &&
    !(
      whatAt(work, at) === codes.colon &&
      names.length === 1 &&
      whatAt(work, at + 1) >= 0 &&
      lineAt(work, at + 1) === lineAt(work, at)
    )
  )
    return;
  for (const name of names) {
    const text = work.names.textOf(whatAt(work, name));
    if (keywords.has(text)) return;
    const kind = around.isClass ? "field" : /^_*[A-Z][A-Z0-9_]*$/.test(text) ? "constant" : "variable";
    add(work, { kind, name, first, headEnd: at, container: around.definition });
  }
}

const keywords: ReadonlySet<string> = new Set([
  "else",
  "try",
  "finally",
  "lambda",
  "return",
  "if",
  "for",
  "while",
  "with",
]);
