/**
 * Finds code that hides errors instead of fixing them. Examples are handlers that catch everything or do nothing, and
 * directives that silence tools. Pure.
 */
import { namedChildren, type SyntaxNode, walk } from "../../../syntax/node.ts";
import { codeOf, roleOf, type Source } from "../../../syntax/reading.ts";
import { guardsOf } from "../guards/find-guards.ts";

export interface Hidden {
  readonly line: number;
  readonly text: string;
}

/** The grammars' names for error handlers. */
const handlers = new Set(["except_clause", "catch_clause", "except_group_clause"]);
/** Types that cover all errors. A handler may list further types next to them. */
const everything = /\b(?:Exception|BaseException|Throwable|RuntimeException|Error)\b|^\s*\.\.\.\s*$/;

/** Lists the handlers on these lines that swallow an error, or that catch all errors without re-raising them. */
export function listHandlers(source: Source, lines: ReadonlySet<number>): Hidden[] {
  return [...walk(source.tree.root)].flatMap((node): Hidden[] => {
    if (!handlers.has(node.kind) || !lines.has(node.startLine)) return [];
    const body = namedChildren(node).findLast((child) => roleOf(source, child) === "block");
    const header = codeOf(source, node).slice(0, (body?.start ?? node.end) - node.start);
    const text = header.replaceAll(/\s+/g, " ").trim().replace(/[{:]$/, "").trim();
    const raisesAgain =
      body !== undefined && [...walk(body)].some((each) => roleOf(source, each) === "raise");
    if (body === undefined || raisesAgain) return [];
    if (doesNothing(source, body)) return [{ line: node.startLine, text: `\`${text}\` swallows the error` }];
    const isUntyped = guardsOf(source.dialect.language)?.hasUntypedHandlers === true;
    const isBroad =
      /^(?:except\*?)$/.test(text) || (!isUntyped && everything.test(header.replace(/^\w+/, "")));
    return isBroad ? [{ line: node.startLine, text: `\`${text}\` catches every error` }] : [];
  });
}

function doesNothing(source: Source, body: SyntaxNode): boolean {
  const statements = namedChildren(body).filter((child) => roleOf(source, child) !== "comment");
  return statements.every((child) => {
    const code = codeOf(source, child).trim();
    return /^(?:pass|continue|break|\.\.\.|return(?:\s+(?:None|null|nil|undefined|false|False|0|-1|""|''|\[\]|\{\}))?);?$/.test(
      code,
    );
  });
}

const orders =
  /#\s*type:\s*ignore|#\s*noqa|pylint:\s*disable|eslint-disable|@ts-ignore|@ts-expect-error|@ts-nocheck|biome-ignore|\/\/\s*nolint|NOSONAR|pragma:\s*no\s*cover|(?:istanbul|c8|v8) ignore|@SuppressWarnings|#\[allow\(|#!\[allow\(|# mypy:|# pyright:/;

/** Lists lines that silence a checker, or that can drop an error. `lines`: the numbers of the lines to read. */
export function listSilenced(language: string, text: string, lines: ReadonlySet<number>): Hidden[] {
  return text.split("\n").flatMap((line, index): Hidden[] => {
    if (!lines.has(index + 1)) return [];
    const order = orders.exec(line)?.[0];
    if (order !== undefined) return [{ line: index + 1, text: `\`${order.trim()}\` silences a check` }];
    const dropped = guardsOf(language)?.droppedErrors?.test(line) === true;
    return dropped ? [{ line: index + 1, text: `\`${line.trim().slice(0, 80)}\` can hide an error` }] : [];
  });
}
