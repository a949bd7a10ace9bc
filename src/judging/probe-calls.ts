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

/** The message of the error that a rewritten call raises if it changes what it was given. */
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
}

const script: Forms = {
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
    // pytest shows the values of a tuple, but only the result of a function.
    twice: (first, second) => `(lambda mw_one, mw_two: mw_two)(${first}, ${second})`,
    watched: (call, names, values) =>
      `(lambda ${names.join(", ")}: (lambda mw_was, mw_out: mw_out if any(mw_out is each for each in (${names.join(", ")},)) or repr((${names.join(", ")},)) == mw_was ` +
      `else (_ for _ in ()).throw(AssertionError("${changedInput}")))(repr((${names.join(", ")},)), ${call}))(${values.join(", ")})`,
  },
  ruby: {
    twice: (first, second) => `(${first}; ${second})`,
    watched: (call, names, values) =>
      `->(${names.join(", ")}) { mw_was = [${names.join(", ")}].inspect; mw_out = ${call}; ` +
      `raise "${changedInput}" if [${names.join(", ")}].none? { |each| each.equal?(mw_out) } && [${names.join(", ")}].inspect != mw_was; mw_out }.call(${values.join(", ")})`,
  },
  php: { twice: (first, second) => `[${first}, ${second}][1]` },
  rust: { twice: (first, second) => `{ let _ = ${first}; ${second} }` },
  go: {},
  java: {},
};

const containers = /^(?:list|dictionary|set|array|object|hash)$/;
/** Nodes whose code may run at another time or with other names. */
const closures =
  /lambda|closure|comprehension|generator|^(?:yield|arrow_function|function_expression|block|do_block)$/;
const awaiting = /^await/;
/** Parents of statements. */
const blocks = /^(?:block|statement_list)$/;
/** Maximum numbers of calls in a test: to read, and to rewrite. */
const most = { read: 50, rewritten: 3 };

/**
 * Lists the edits that make the test's calls of these functions show their side effects. A call runs twice only if its
 * arguments are literals and its result is used.
 */
export async function probeCalls(
  path: string,
  text: string,
  body: TestLines,
  functions: ReadonlySet<string>,
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
    if (call === undefined || !functions.has(call.name) || edits.some(({ end }) => node.start < end))
      continue;
    read += 1;
    if (read > most.read || edits.length >= most.rewritten) break;
    if (!isOfModule(source, call, bodyText)) continue;
    const edit = rewrite(source, { node, call, own, bodyText });
    if (edit !== undefined) edits.push({ ...edit, line: node.startLine });
  }
  return edits;
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
  if (own.twice === undefined) {
    const at = isRepeated ? statementAbove(node) : undefined;
    return at && { start: at.start, end: at.start, replacement: `${text}; ` };
  }
  const watched = own.watched && watch(source, own.watched, { node, call, own, bodyText });
  if (!isRepeated) return watched === undefined ? undefined : { start, end, replacement: watched };
  return { start, end, replacement: own.twice(watched ?? text, text) };
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
  { node, call, bodyText }: Rewriting,
): string | undefined {
  const watched = call.arguments.filter((each) => isWatched(source, each, node, bodyText));
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

/**
 * True for a list or record as written. Also true for a variable that holds one, if the test does not read the variable
 * afterwards.
 */
function isWatched(source: Source, each: SyntaxNode, call: SyntaxNode, body: string): boolean {
  if (containers.test(each.kind)) return true;
  if (roleOf(source, each) !== "identifier") return false;
  const name = codeOf(source, each);
  const made = new RegExp(String.raw`(?<![\w.])${literally(name)}\s*(?::[^=\n]{1,80})?=\s*[[{]`).test(body);
  const after = source.tree.text.slice(call.end).split("\n").slice(1);
  const rest = body.split("\n");
  const later = after.slice(0, Math.max(0, rest.length)).join("\n");
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
