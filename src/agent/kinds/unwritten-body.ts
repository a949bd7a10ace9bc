/** Detects that a function's body is not written yet. */
import { languageOf } from "../../languages/source-files.ts";
import { childOf, namedChildren, parentsOf, type SyntaxNode, textOf, walk } from "../../syntax/node.ts";
import { readSource } from "../../syntax/read-source.ts";
import type { Source } from "../../syntax/reading.ts";
import { isFunction } from "../../syntax/statements.ts";
import type { Target } from "./target.ts";

/** A body's only statement that marks it as unwritten. */
const placeholder =
  /^(?:pass|\.\.\.|(?:raise|throw|panic)\b.*(?:not\W?(?:yet\W?)?(?:implemented|written|supported)|to\W?do\b|unsupported).*|(?:todo|unimplemented)!\s*\(.*\)|return|TODO\(.*\)|error\(\s*["'].*not.*implemented.*\))[\s;]*$/is;

/** Nodes that contain methods. A type that ends with its last method is not a function. */
const isType = /class|impl|trait|interface|struct|object|module_|body/;

/** A placeholder that fails in every call. */
const failing = /^(?:raise|throw|panic|todo!|unimplemented!|TODO\(|error\()/i;

/** True for a body that is missing, empty or only a placeholder. Undefined if no function is known at the target. */
export async function isUnwritten(target: Target): Promise<boolean | undefined> {
  return (await bodyOf(target))?.every((each) => placeholder.test(each));
}

/**
 * True for a body that is only a placeholder and fails in every call. A passing test executes such a body only if the
 * test expects the failure.
 */
export async function alwaysFails(target: Target): Promise<boolean> {
  const body = (await bodyOf(target)) ?? [];
  return body.length === 1 && body.every((each) => placeholder.test(each) && failing.test(each));
}

/** The body's statements; undefined if no function is known at the target. */
async function bodyOf({ file, text, spans }: Target): Promise<readonly string[] | undefined> {
  const source = await readSource(file, text, languageOf);
  const span = spans[0];
  if (source === undefined || span === undefined) return undefined;
  const isWithin = (node: SyntaxNode): boolean =>
    node.startLine >= span.startLine && node.endLine <= span.endLine;
  const isOfType = (node: SyntaxNode): boolean =>
    [...parentsOf(node)].some(
      (each) => each.parent !== undefined && isWithin(each) && isType.test(each.kind),
    );
  const isTarget = (node: SyntaxNode): boolean =>
    isFunction(source, node) && isWithin(node) && node.endLine === span.endLine && !isOfType(node);
  const found = [...walk(source.tree.root)].find(isTarget);
  if (found === undefined) return undefined;
  const body = childOf(found, "body");
  return body === undefined ? [] : statementsOf(source, body);
}

/**
 * Returns the texts of the body's statements, without comments and documentation. If there are several statements,
 * returns the word `several` for each.
 */
function statementsOf(source: Source, body: SyntaxNode): string[] {
  if (!/block|body|statement/.test(body.kind)) return [textOf(source.tree, body)];
  const children = namedChildren(body).filter(({ kind }) => !/comment/.test(kind));
  const isDocumentation = (node: SyntaxNode): boolean =>
    node.kind === "expression_statement" && namedChildren(node).every(({ kind }) => kind === "string");
  const done = children.filter((node) => !isDocumentation(node));
  // Go's grammar has a list of statements in between.
  const [only] = done;
  if (done.length === 1 && only !== undefined && /^statement_list$/.test(only.kind))
    return statementsOf(source, only);
  return done.length > 1 ? done.map(() => "several") : done.map((node) => textOf(source.tree, node));
}
