/**
 * Rewrites calls of a test so that they show their side effects. A call then runs twice, and ends with an error if it
 * changes a list or record that it was given. Correct code without state still passes such a test.
 */
import { literally } from "../base/literal-pattern.ts";
import { languageOf } from "../languages/source-files.ts";
import { type SyntaxNode, walk } from "../syntax/node.ts";
import { readSource } from "../syntax/read-source.ts";
import { type Call, callOf, codeOf, roleOf, type Source } from "../syntax/reading.ts";
import type { LiteralEdit, TestLines } from "./vary-tests.ts";

/** The message of the error that a rewritten call raises if the call changed its input. */
export const changedInput = "millwright: the call changed its input";

interface Forms {
  /**
   * Returns an expression that makes both calls, and has the second call's result. Undefined for a language in which
   * the first call becomes a separate statement.
   */
  readonly twice?: (first: string, second: string) => string;
  /**
   * Returns an expression that makes the call with these values. The expression raises an error if the call changes one
   * of the values and returns none of them.
   */
  readonly watched?: (call: string, names: readonly string[], values: readonly string[]) => string;
  /** Statements before the call's statement: they bind new values, and make a watched call. */
  readonly before?: (call: string, bound: readonly string[], watched: readonly string[]) => string;
  /** An edit of the file that `before` needs. */
  readonly prepare?: { readonly name: string; readonly after: RegExp; readonly insert: string };
  /** Calls methods without arguments on the object of this expression, and gives the object. */
  readonly after?: (object: string, methods: readonly string[]) => string;
  /** Runs a method twice on the object of this expression, and gives the second result. */
  readonly twiceOn?: (object: string, call: (object: string) => string) => string;
}

const script: Forms = {
  after: (object, methods) =>
    `((mwSelf) => (${[...methods.map((name) => `mwSelf.${name}()`), "mwSelf"].join(", ")}))(${object})`,
  twiceOn: (object, call) => `((mwSelf) => (${call("mwSelf")}, ${call("mwSelf")}))(${object})`,
  twice: (first, second) => `(${first}, ${second})`,
  watched: (call, names, values) =>
    `((${names.join(", ")}) => { const mwWas = JSON.stringify([${names.join(", ")}]); const mwOut = ${call}; ` +
    `if (![${names.join(", ")}].includes(mwOut) && JSON.stringify([${names.join(", ")}]) !== mwWas) throw new Error("${changedInput}"); return mwOut; })(${values.join(", ")})`,
};
const forms: Readonly<Record<string, Forms>> = {
  javascript: script,
  typescript: script,
  tsx: script,
  python: {
    after: (object, methods) =>
      `(lambda mw_self: (${[...methods.map((name) => `mw_self.${name}()`), "mw_self"].join(", ")})[-1])(${object})`,
    twiceOn: (object, call) =>
      `(lambda mw_self: (lambda mw_one, mw_two: mw_two)(${call("mw_self")}, ${call("mw_self")}))(${object})`,
    // pytest shows the values of a tuple, but only the result of a function.
    twice: (first, second) => `(lambda mw_one, mw_two: mw_two)(${first}, ${second})`,
    watched: (call, names, values) =>
      `(lambda ${names.join(", ")}: (lambda mw_was, mw_out: mw_out if any(mw_out is each for each in (${names.join(", ")},)) or repr((${names.join(", ")},)) == mw_was ` +
      `else (_ for _ in ()).throw(AssertionError("${changedInput}")))(repr((${names.join(", ")},)), ${call}))(${values.join(", ")})`,
  },
  ruby: {
    after: (object, methods) =>
      `->(mw_self) { ${[...methods.map((name) => `mw_self.${name}`), "mw_self"].join("; ")} }.call(${object})`,
    twiceOn: (object, call) => `->(mw_self) { ${call("mw_self")}; ${call("mw_self")} }.call(${object})`,
    twice: (first, second) => `(${first}; ${second})`,
    watched: (call, names, values) =>
      `->(${names.join(", ")}) { mw_was = [${names.join(", ")}].inspect; mw_out = ${call}; ` +
      `raise "${changedInput}" if [${names.join(", ")}].none? { |each| each.equal?(mw_out) } && [${names.join(", ")}].inspect != mw_was; mw_out }.call(${values.join(", ")})`,
  },
  php: { twice: (first, second) => `[${first}, ${second}][1]` },
  rust: { twice: (first, second) => `{ let _ = ${first}; ${second} }` },
  go: {
    // Only slices and maps: a function may change what a pointer leads to.
    before: (call, bound, watched) => {
      const shown = watched.map((each) => `mwfmt.Sprintf("%T %v", ${each}, ${each})`);
      const checks = shown.map(
        (each, at) =>
          `if mwNow := ${each}; mwNow != mwWas${at} && (mwNow[0] == '[' || mwNow[:4] == "map[") { panic("${changedInput}") }; `,
      );
      return `{ ${bound.map((each, at) => `mw${at} := ${each}; `).join("")}${shown.map((each, at) => `mwWas${at} := ${each}; `).join("")}${call}; ${checks.join("")}}; `;
    },
    prepare: { name: "mwfmt", after: /^package \w+/m, insert: '; import mwfmt "fmt"' },
  },
  java: {
    before: (call, bound, watched) => {
      const shown = `java.util.Arrays.deepToString(new Object[] {${watched.join(", ")}})`;
      return `{ ${bound.map((each, at) => `var mw${at} = ${each}; `).join("")}String mwWas = ${shown}; ${call}; if (!mwWas.equals(${shown})) throw new AssertionError("${changedInput}"); } `;
    },
  },
};

const containers =
  /^(?:list|dictionary|set|array|object|hash|composite_literal|array_creation_expression|object_creation_expression)$/;
/** Nodes whose code may run at another time or with other names. */
const closures =
  /lambda|closure|comprehension|generator|^(?:yield|arrow_function|function_expression|block|do_block)$/;
const awaiting = /^await/;
/** Node types that contain statements. */
const blocks = /^(?:block|statement_list)$/;
/** Maximum numbers of calls in a test: to read, and to rewrite. */
const most = { read: 50, rewritten: 3 };

/**
 * Lists the edits that make the test's calls of these functions and methods show their side effects, for at most three
 * calls. A function's call runs twice only if its arguments are literals and its result is used. A method's call runs
 * twice on its object if its result is used.
 */
export async function probeCalls(
  path: string,
  text: string,
  body: TestLines,
  functions: ReadonlySet<string>,
  methods: ReadonlySet<string> = new Set(),
): Promise<LiteralEdit[]> {
  const source = await readSource(path, text, languageOf);
  const own = source === undefined ? undefined : forms[source.dialect.language];
  if (source === undefined || own === undefined) return [];
  const inside = (node: SyntaxNode): boolean =>
    body.startLine <= node.startLine && node.endLine <= body.endLine;
  const bodyText = text
    .split("\n")
    .slice(body.startLine - 1, body.endLine)
    .join("\n");
  const edits: LiteralEdit[] = [];
  let read = 0;
  for (const node of walk(source.tree.root)) {
    const call = inside(node) ? callOf(source, node) : undefined;
    const isNamed = call !== undefined && (functions.has(call.name) || methods.has(call.name));
    if (!isNamed || edits.some(({ end }) => node.start < end)) continue;
    read += 1;
    if (read > most.read || edits.length >= most.rewritten) break;
    const isFunction = functions.has(call.name) && isOfModule(source, call, bodyText);
    const rewriting = { node, call, own, bodyText };
    const edit = isFunction
      ? rewrite(source, rewriting)
      : methods.has(call.name)
        ? repeatMethod(source, rewriting)
        : undefined;
    if (edit !== undefined) edits.push({ ...edit, line: node.startLine });
  }
  return [...prepare(own, text, edits), ...edits];
}

/** A method without parameters, and the name of its type. */
export interface ObjectMethod {
  readonly name: string;
  readonly type: string;
}

/**
 * Lists the edits that add calls of these methods to a test: before the test uses another result of the same object.
 * Only for objects that the test makes by the type's name, and at three places at most.
 */
export async function addCalls(
  path: string,
  text: string,
  body: TestLines,
  methods: readonly ObjectMethod[],
): Promise<LiteralEdit[]> {
  const source = await readSource(path, text, languageOf);
  const after = source && forms[source.dialect.language]?.after;
  if (source === undefined || after === undefined) return [];
  const lines = text.split("\n").slice(body.startLine - 1, body.endLine);
  const edits: LiteralEdit[] = [];
  for (const node of walk(source.tree.root)) {
    const isInside = body.startLine <= node.startLine && node.endLine <= body.endLine;
    const call = isInside && edits.length < most.rewritten ? callOf(source, node) : undefined;
    const receiver = call?.receiver;
    if (call === undefined || receiver === undefined || !isUsed(node)) continue;
    const { start, end } = receiver;
    if (edits.some((each) => start < each.end)) continue;
    const own = methods.filter(
      ({ name, type }) => name !== call.name && isMadeAs(codeOf(source, receiver), type, lines.join("\n")),
    );
    const names = own.map(({ name }) => name);
    if (own.length > 0)
      edits.push({ start, end, replacement: after(codeOf(source, receiver), names), line: node.startLine });
  }
  return edits;
}

/** True for `new Cart(…)`, or for a variable to which the test assigns such an object. */
function isMadeAs(code: string, type: string, body: string): boolean {
  const made = String.raw`(?:new\s+)?(?:\w+\.)*${literally(type)}(?:\.new)?\s*\(`;
  if (new RegExp(`^\\(?${made}`).test(code)) return true;
  return (
    /^[A-Za-z_]\w*$/.test(code) &&
    new RegExp(String.raw`(?<![\w.])${code}\s*(?::[^=\n]{1,80})?=\s*${made}`).test(body)
  );
}

/** The edit that the other edits need once in the file. */
function prepare({ prepare: needed }: Forms, text: string, edits: readonly LiteralEdit[]): LiteralEdit[] {
  if (needed === undefined || !edits.some(({ replacement }) => replacement.includes(needed.name))) return [];
  const found = needed.after.exec(text);
  if (found === null) return [];
  const at = found.index + found[0].length;
  const line = text.slice(0, at).split("\n").length;
  return [{ start: at, end: at, replacement: needed.insert, line }];
}

/** Writes a call of a method twice on the same object, if its result is used. */
function repeatMethod(
  source: Source,
  { node, call: { receiver, arguments: all }, own }: Rewriting,
): Omit<LiteralEdit, "line"> | undefined {
  const inner = [...all, ...(receiver === undefined ? [] : [receiver])].flatMap((each) => [...walk(each)]);
  if (own.twiceOn === undefined || receiver === undefined || !isUsed(node)) return undefined;
  if (awaiting.test(node.parent?.kind ?? "")) return undefined;
  if (inner.some(({ kind }) => closures.test(kind) || awaiting.test(kind))) return undefined;
  const rest = source.tree.text.slice(receiver.end, node.end);
  const { start, end } = node;
  const replacement = own.twiceOn(codeOf(source, receiver), (object) => `${object}${rest}`);
  return /^\s*\??\./.test(rest) ? { start, end, replacement } : undefined;
}

/** True for a call of a plain function, or of a member of an object that the test does not create. */
function isOfModule(source: Source, { receiver }: Call, body: string): boolean {
  if (receiver === undefined) return true;
  const name = codeOf(source, receiver);
  return /^[A-Za-z_]\w*$/.test(name) && !isAssigned(name, body) && !/^(?:self|this|cls)$/.test(name);
}

const isAssigned = (name: string, body: string): boolean =>
  new RegExp(String.raw`(?<![\w.])\$?${literally(name)}\s*(?::[^=\n]{1,80})?:?=(?!=)`).test(body);

interface Rewriting {
  readonly node: SyntaxNode;
  readonly call: Call;
  readonly own: Forms;
  readonly bodyText: string;
}

function rewrite(
  source: Source,
  { node, call, own, bodyText }: Rewriting,
): Omit<LiteralEdit, "line"> | undefined {
  const all = call.arguments;
  const inner = all.flatMap((each) => [...walk(each)]);
  if (all.length === 0 || inner.some(({ kind }) => closures.test(kind) || awaiting.test(kind)))
    return undefined;
  const text = codeOf(source, node);
  const isAwaited = awaiting.test(node.parent?.kind ?? "");
  const isRepeated = !isAwaited && isUsed(node) && inner.every((each) => !isName(source, each));
  const { start, end } = node;
  if (own.twice === undefined) return rewriteAbove(source, { node, call, own, bodyText }, isRepeated);
  const watched = own.watched && watch(source, own.watched, { node, call, own, bodyText });
  if (!isRepeated) return watched === undefined ? undefined : { start, end, replacement: watched };
  return { start, end, replacement: own.twice(watched ?? text, text) };
}

/** Writes a first call before the statement, and watches its lists and maps. */
function rewriteAbove(
  source: Source,
  { node, call, own, bodyText }: Rewriting,
  isRepeated: boolean,
): Omit<LiteralEdit, "line"> | undefined {
  const at = isUsed(node) ? statementAbove(node) : undefined;
  if (at === undefined) return undefined;
  const watched = call.arguments.filter((each) => isWatched(source, each, node, bodyText, own));
  const bound = watched.filter(({ kind }) => containers.test(kind));
  const nameOf = (each: SyntaxNode): string =>
    bound.includes(each) ? `mw${bound.indexOf(each)}` : codeOf(source, each);
  if (own.before === undefined || watched.length === 0)
    return isRepeated
      ? { start: at.start, end: at.start, replacement: `${codeOf(source, node)}; ` }
      : undefined;
  let text = codeOf(source, node);
  for (const each of bound.toReversed())
    text = text.slice(0, each.start - node.start) + nameOf(each) + text.slice(each.end - node.start);
  const codes = bound.map((each) => codeOf(source, each));
  return {
    start: at.start,
    end: at.start,
    replacement: own.before(text, codes, watched.map(nameOf)),
  };
}

function statementAbove(node: SyntaxNode): SyntaxNode | undefined {
  let at: SyntaxNode | undefined = node;
  while (at !== undefined && !blocks.test(at.parent?.kind ?? "")) at = at.parent;
  return at;
}

/** Writes the call as a function of its lists and records; undefined if it has none. */
function watch(
  source: Source,
  write: NonNullable<Forms["watched"]>,
  { node, call, own, bodyText }: Rewriting,
): string | undefined {
  const watched = call.arguments.filter((each) => isWatched(source, each, node, bodyText, own));
  if (watched.length === 0) return undefined;
  const names = watched.map((_, at) => `mw${at}`);
  let inside = codeOf(source, node);
  for (const [at, each] of [...watched.entries()].toReversed())
    inside =
      inside.slice(0, each.start - node.start) + (names[at] ?? "") + inside.slice(each.end - node.start);
  return write(
    inside,
    names,
    watched.map((each) => codeOf(source, each)),
  );
}

/** Calls that only report a failure. */
const reports = /\b[tb]\.(?:Error|Fatal|Log)f?\([^\n]*/g;

/**
 * A list or record as written, or a variable that holds one and is not read afterwards. In a language with `before`,
 * also a field, because the watched call looks at the type of its value.
 */
function isWatched(
  source: Source,
  each: SyntaxNode,
  call: SyntaxNode,
  body: string,
  { before }: Forms,
): boolean {
  if (containers.test(each.kind)) return true;
  const name = codeOf(source, each);
  const isField = before !== undefined && /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?$/.test(name);
  if (roleOf(source, each) !== "identifier" && !isField) return false;
  const made =
    before !== undefined ||
    new RegExp(String.raw`(?<![\w.])${literally(name)}\s*(?::[^=\n]{1,80})?=\s*[[{]`).test(body);
  const after = source.tree.text.slice(call.end).split("\n").slice(1);
  const rest = body.split("\n");
  const later = after.slice(0, Math.max(0, rest.length)).join("\n").replaceAll(reports, "");
  return made && !new RegExp(String.raw`(?<![\w.])${literally(name)}\b`).test(later);
}

/** True for a variable. The name of a called or created type does not count. */
function isName(source: Source, node: SyntaxNode): boolean {
  if (roleOf(source, node) !== "identifier" && !/^(?:instance_|class_)?variable/.test(node.kind))
    return false;
  const parent = node.parent;
  const isCallee = parent !== undefined && callOf(source, parent)?.callee === node;
  const isField =
    /pair|keyword|field|property/.test(node.kind) || /keyword_argument/.test(parent?.kind ?? "");
  return !isCallee && !isField && !/^[A-Z]/.test(codeOf(source, node));
}

/** False for a call that is a statement of its own: its effect is its purpose. */
function isUsed(node: SyntaxNode): boolean {
  return !/statement$|^(?:block|body_statement|program|module)$/.test(node.parent?.kind ?? "");
}
