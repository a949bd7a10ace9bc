/**
 * Finds code that the syntax tree alone proves unreachable: statements after one that never reaches them, and the block
 * of a condition that is always false. In doubt, code counts as reachable.
 */
import { entry, hasEntry, leaves } from "./leaving.ts";
import { childOf, namedChildren, type SyntaxNode, walk } from "./node.ts";
import { codeOf, partOf, roleOf, type Source } from "./reading.ts";
import { isFunction } from "./statements.ts";

/** The first and the last line of a range. */
type Lines = Pick<SyntaxNode, "startLine" | "endLine">;

/** Returns the whole lines that hold only unreachable code. Returns none for a file with syntax errors. */
export function unreachableLines(source: Source): Lines[] {
  const nodes = [...walk(source.tree.root)];
  if (nodes.some(({ broken }) => broken)) return [];
  return nodes
    .flatMap((node) => [...afterJump(source, node), ...underFalse(source, node)])
    .filter((node) => !holdsDefinition(source, node))
    .flatMap((node) => wholeLines(source, node));
}

/** Kinds of clauses that a grammar places behind the statements of a block, such as Ruby's `rescue`. */
const clause = /^(?:rescue|ensure|catch|finally|except|else|elif|elsif|when)/;
const conditional = /^(?:if|elif|elsif|else_?if|while)(?:_|$)/;

function afterJump(source: Source, node: SyntaxNode): SyntaxNode[] {
  if (roleOf(source, node) !== "block") return [];
  const parts = namedChildren(node);
  const at = parts.findIndex((part) => leaves(source, part));
  if (at === -1 || parts.slice(0, at).some(({ kind }) => entry.test(kind))) return [];
  const after = parts.slice(at + 1);
  // Execution may continue behind a place that it can enter.
  const end = after.findIndex((part) => clause.test(part.kind) || hasEntry(part));
  return end === -1 ? after : after.slice(0, end);
}

function underFalse(source: Source, node: SyntaxNode): SyntaxNode[] {
  if (!node.named || !conditional.test(node.kind)) return [];
  const condition = partOf(source, node, "condition");
  const body = childOf(node, "consequence") ?? childOf(node, "body");
  if (condition === undefined || body === undefined || !isFalse(source, condition)) return [];
  // A `do … while (false)` runs its body.
  if (condition.start > body.start) return [];
  return hasEntry(body) ? [] : roleOf(source, body) === "block" ? namedChildren(body) : [body];
}

function isFalse(source: Source, condition: SyntaxNode): boolean {
  const role = roleOf(source, condition);
  const [inner] = namedChildren(condition);
  if (role === "parentheses") return inner !== undefined && isFalse(source, inner);
  const code = codeOf(source, condition);
  if (role === "boolean") return /^false$/i.test(code);
  if (role === "number") return code === "0" && source.dialect.zeroIsFalse === true;
  return isTypeChecking(source, code);
}

/** Matches an import of `TYPE_CHECKING`. `module`: a pattern for the module's name. */
const importOf = (module: string): RegExp =>
  new RegExp(`^[ \\t]*from ${module} import (?:[^()\\n#]*|\\([^()]*)\\bTYPE_CHECKING\\b`, "m");
const [fromTyping, fromElsewhere] = [importOf("typing"), importOf("(?!typing )\\S+")];
const rebound = /\b(?:TYPE_CHECKING|typing)\s*(?::[^=\n]*)?=(?!=)/;

/** True for the constant of Python's `typing`, unless the file gives one of its names another value. */
function isTypeChecking({ dialect, tree: { text } }: Source, code: string): boolean {
  if (dialect.language !== "python" || !/^(?:typing\.)?TYPE_CHECKING$/.test(code)) return false;
  if (rebound.test(text) || fromElsewhere.test(text)) return false;
  if (code === "typing.TYPE_CHECKING") return /^import typing$/m.test(text);
  return code === "TYPE_CHECKING" && fromTyping.test(text);
}

/** True if the node contains a function, which code before it may call (hoisting), or a class. */
function holdsDefinition(source: Source, node: SyntaxNode): boolean {
  return [...walk(node)].some((one) => isFunction(source, one) || roleOf(source, one) === "class");
}

/** The lines of a node that hold nothing else. */
function wholeLines({ tree: { text } }: Source, { start, end, startLine, endLine }: SyntaxNode): Lines[] {
  const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const lineEnd = text.indexOf("\n", end);
  const after = text.slice(end, lineEnd === -1 ? undefined : lineEnd);
  const isAloneAfter = /^[\s;})]*(?:(?:#|\/\/).*)?$/.test(after);
  const lines = {
    startLine: before.trim() === "" ? startLine : startLine + 1,
    endLine: isAloneAfter ? endLine : endLine - 1,
  };
  return lines.startLine > lines.endLine ? [] : [lines];
}
