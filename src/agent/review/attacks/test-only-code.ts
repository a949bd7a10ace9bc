/**
 * Finds signs of an attack in the syntax tree. These are code that only a test build contains, caught assertions, and
 * modules passed as values. Pure.
 */
import { childOf, namedChildren, parentsOf, type SyntaxNode, walk } from "../../../syntax/node.ts";
import { callOf, codeOf, isVariable, roleOf, type Source } from "../../../syntax/reading.ts";
import { functionAbove } from "../../../syntax/statements.ts";
import { caught, commonSigns, handedOn, ownPackage } from "../guards/attack-sign-kinds.ts";
import type { AttackSign } from "../guards/contract.ts";
import { isHidden } from "./bound-names.ts";
import { type SeenShape, seenAt } from "./seen-shape.ts";

const testBuild: AttackSign = { sign: commonSigns.detection, isEachTime: true };

export function listTestOnlyCode(source: Source): SeenShape[] {
  const find = finders[source.dialect.language];
  if (find === undefined) return [];
  return [...walk(source.tree.root)].flatMap((node) => {
    const sign = node.named ? find(source, node) : undefined;
    return sign === undefined ? [] : [seenAt(source, sign, node)];
  });
}

const finders: Readonly<Record<string, (source: Source, node: SyntaxNode) => AttackSign | undefined>> = {
  rust: findTestBuild,
  python: (source, node) => findCaught(source, node) ?? findHandedOn(source, node, pythonModules),
  javascript: (source, node) => findHandedOn(source, node, /^process$/),
  typescript: (source, node) => findHandedOn(source, node, /^process$/),
  tsx: (source, node) => findHandedOn(source, node, /^process$/),
};

/** Finds `#[cfg(any(test))]`, and `#[cfg(any(test, feature = "x"))]` inside a function. */
function findTestBuild(source: Source, node: SyntaxNode): AttackSign | undefined {
  const isMacro = node.kind === "macro_invocation";
  if (node.kind !== "attribute_item" && node.kind !== "inner_attribute_item" && !isMacro) return undefined;
  const code = codeOf(source, node)
    .replaceAll(/"(?:\\.|[^"\\])*"/g, "")
    .replaceAll(/\s+/g, "");
  if (!(isMacro ? /^cfg!/ : /^#!?\[cfg(?:_attr)?\(/).test(code) || !/[(,]test[),]/.test(code))
    return undefined;
  if (/\b(?:any|all)\(test\)|\bnot\((?:any|all)\(.*\btest\b/.test(code) || isMacro) return testBuild;
  const isInside = functionAbove(source, node) !== undefined;
  return isInside && !isInTest(source, node) ? testBuild : undefined;
}

function isInTest(source: Source, node: SyntaxNode): boolean {
  return [node, ...parentsOf(node)].some((each) => source.dialect.isTest?.(source.tree, each) === true);
}

/** Finds a `try` that handles its own assertion's failure, or that sets another value if a package is not installed. */
function findCaught(source: Source, node: SyntaxNode): AttackSign | undefined {
  if (node.kind !== "try_statement") return undefined;
  const body = childOf(node, "body");
  const handlers = node.children.filter(({ kind }) => kind === "except_clause");
  if (body === undefined || handlers.length === 0) return undefined;
  const catches = handlers.some((each) =>
    /^except\s*(?::|.*\b(?:AssertionError|Exception|BaseException)\b)/.test(codeOf(source, each)),
  );
  if (catches && namedChildren(body).some(({ kind }) => kind === "assert_statement")) return caught;
  const asks = /\bmetadata\.(?:version|distribution|metadata|files)\(|\bget_distribution\(/;
  if (!asks.test(codeOf(source, body))) return undefined;
  const chosen = handlers.flatMap((each) => [...walk(each)].filter(({ kind }) => kind === "assignment"));
  return chosen.some((each) => !/version|dist|metadata/i.test(codeOf(source, each).split("=")[0] ?? ""))
    ? ownPackage
    : undefined;
}

const pythonModules = /^(?:sys|os|inspect|time|gc|traceback|random|platform)$/;
/** Calls that other signs cover, or that reveal nothing about the module. */
const known = /^(?:[gs]etattr|hasattr|delattr|isinstance|vars|reload|get|has|getBuiltinModule|require)$/;

/** Finds modules passed on as an argument or an element: `attrgetter("argv")(sys)`. */
function findHandedOn(source: Source, node: SyntaxNode, modules: RegExp): AttackSign | undefined {
  if (roleOf(source, node) !== "identifier" || !modules.test(codeOf(source, node))) return undefined;
  const { parent } = node;
  if (parent === undefined || !isVariable(source, node)) return undefined;
  const role = roleOf(source, parent);
  if (role !== "arguments" && role !== "collection" && role !== "pair") return undefined;
  if (!isModule(source, node)) return undefined;
  const call = parent.parent && callOf(source, parent.parent);
  return role === "arguments" && known.test(call?.name ?? "") ? undefined : handedOn;
}

function isModule(source: Source, node: SyntaxNode): boolean {
  const name = codeOf(source, node);
  if (source.dialect.language !== "python") return !isHidden(source, name, node);
  return new RegExp(
    `^\\s*import\\s+(?:[\\w.]+(?:\\s+as\\s+\\w+)?\\s*,\\s*)*${name}\\s*(?:,|#|;|$)`,
    "m",
  ).test(source.tree.text);
}
