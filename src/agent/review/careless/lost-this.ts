/** Finds methods that lose `this`, because code passes them on without their object. Works on the syntax tree. Pure. */
import { literally } from "../../../base/literal-pattern.ts";
import { childOf, parentsOf, type SyntaxNode, walk } from "../../../syntax/node.ts";
import { callOf, codeOf, type Source } from "../../../syntax/reading.ts";
import { type Careless, type Changed, isScript } from "./careless-form.ts";

/** Calls that run a given function without an object. */
const callers =
  /^(?:map|flatMap|forEach|filter|some|every|find|findIndex|findLast|reduce|sort|toSorted|then|catch|finally|setTimeout|setInterval|setImmediate|queueMicrotask|nextTick|requestAnimationFrame)$/;
/** Array methods that take a function, and then the object that the function sees as `this`. */
const withObject = /^(?:map|flatMap|forEach|filter|some|every|find|findIndex|findLast)$/;
/** Code that binds methods in a loop or by their names: `this[name].bind(this)`, `bindMethods(this, names)`. */
const binders =
  /\b(?:bindAll|autoBind|autobind|makeAutoObservable|makeObservable)\b|\]\s*\.bind\(|bind\w{0,40}(?<!\.bind)\(\s*this\s*[,)]/i;
/** Code with its own `this`. */
const owners = /^(?:function|generator_function|method_definition|class_body)/;

/** Finds `names.map(this.parse)` and `const { parse } = this`, if the method `parse` of the same class reads `this`. */
export function findLostThis({ code, added }: Changed): Careless[] {
  const { source } = code;
  if (!isScript(code) || binders.test(source.tree.text)) return [];
  return [...walk(source.tree.root)].flatMap((node) => {
    if (!added.has(node.startLine)) return [];
    return takenFrom(source, node)
      .filter((name) => readsThis(source, node, name) && !isBound(source, name))
      .map((name) => ({
        line: node.startLine,
        text: `takes the method \`${name}\` without its object, so that \`this\` is undefined in it`,
      }));
  });
}

/** The names of the methods that the node takes from `this` without calling them. */
function takenFrom(source: Source, node: SyntaxNode): string[] {
  if (node.kind === "variable_declarator") {
    const [pattern, value] = [childOf(node, "name"), childOf(node, "value")];
    if (pattern?.kind !== "object_pattern" || value?.kind !== "this") return [];
    return pattern.children.flatMap((each) =>
      each.kind === "shorthand_property_identifier_pattern" ? [codeOf(source, each)] : [],
    );
  }
  const call = node.kind === "call_expression" ? callOf(source, node) : undefined;
  if (call === undefined || !callers.test(call.name) || call.arguments.some(({ kind }) => kind === "this"))
    return [];
  if (call.receiver?.kind === "this") return [];
  const taken = withObject.test(call.name) ? call.arguments.slice(-1) : call.arguments;
  return taken.flatMap((each) => {
    const property = childOf(each, "property");
    const isOwn = each.kind === "member_expression" && childOf(each, "object")?.kind === "this";
    return isOwn && property !== undefined ? [codeOf(source, property)] : [];
  });
}

/** True if `this` at the node is an object of a class whose method with this name reads `this`. */
function readsThis(source: Source, node: SyntaxNode, name: string): boolean {
  for (const parent of parentsOf(node)) {
    if (parent.kind === "class_body") return parent.children.some((each) => isReading(source, each, name));
    if (/^function|^generator_function|^object$/.test(parent.kind)) return false;
    if (parent.kind === "method_definition" && parent.children.some(({ kind }) => kind === "static"))
      return false;
  }
  return false;
}

function isReading(source: Source, method: SyntaxNode, name: string): boolean {
  const [own, body] = [childOf(method, "name"), childOf(method, "body")];
  if (method.kind !== "method_definition" || own === undefined || body === undefined) return false;
  if (codeOf(source, own) !== name || method.children.some(({ kind }) => /^(?:static|get|set)$/.test(kind)))
    return false;
  return [...walk(body, (node) => !owners.test(node.kind))].some(({ kind }) => kind === "this");
}

function isBound(source: Source, name: string): boolean {
  const own = literally(name);
  const pattern = String.raw`\b${own}\s*\.\s*(?:bind|call|apply)\(|bind\w{0,40}\(\s*this\.${own}\b|\b${own}\s*=\s*(?:\(|async\b|function\b)|@[\w.]+(?:\([^()]*\))?\s+(?:\w+\s+)*${own}\s*\(`;
  return new RegExp(pattern).test(source.tree.text);
}
