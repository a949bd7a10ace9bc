/** Counters for JavaScript and TypeScript: `src/languages/runtime/javascript/tracker.cjs` collects their counts. */
import { hashText } from "../base/hash.ts";
import type { SyntaxNode, SyntaxTree } from "../syntax/node.ts";
import { findPlaces, isSuperCall, type Place } from "./javascript-places.ts";
import { endOf, isDirective } from "./javascript-statements.ts";
import type { Insertion } from "./text-insertions.ts";

/** Returns the insertions that make a file count its executed lines; empty for a file without executable code. */
export function placeCounters(tree: SyntaxTree, path: string, typescript: boolean): Insertion[] {
  const places = findPlaces(tree.root, typescript);
  if (places.length === 0) return [];
  const name = `mw_${hashText(path).slice(0, 8)}`;
  const insertions = places.flatMap((place, slot) =>
    insertionsOf(place, hitOf(name, slot), tree, typescript),
  );
  return [...insertions, placeCounting(tree.root, makeCounting(name, path, places, typescript))];
}

/** The text of a counter. It calls a function only the first time, and afterwards only reads an array. */
function hitOf(name: string, slot: number): string {
  return `${name}&&${name}[${slot}]||${name}h(${slot})`;
}

function insertionsOf(place: Place, hit: string, tree: SyntaxTree, typescript: boolean): Insertion[] {
  const { kind, node, order } = place;
  const open = (at: number, text: string): Insertion => ({ at, text, side: "open", order });
  const close = (at: number, text: string): Insertion => ({ at, text, side: "close", order });
  switch (kind) {
    case "before":
      return [insertBefore(place, hit, tree, typescript)];
    case "wrap":
      return [open(node.start, `{${hit};`), close(endOf(node), "}")];
    case "expression":
      return [open(node.start, `(${hit},`), close(endOf(node), ")")];
    case "entry":
      return [open(afterDirectives(node), `;${hit};`)];
    case "after":
      return [close(superEnd(node, tree), `;${hit};`)];
  }
}

function superEnd(node: SyntaxNode, tree: SyntaxTree): number {
  const call = node.parent?.children.find(isSuperCall);
  return call ? endOf(call) : tree.text.length;
}

/** The offset in a function's body after the brace and the directives. */
function afterDirectives(block: SyntaxNode): number {
  const last = block.children.findLast(isDirective);
  return last ? endOf(last) : block.start + 1;
}

/**
 * Inserts a counter before a statement. In JavaScript, a comment with the statement's type (`@type`) must stay directly
 * before it, at the start of a line. The counter then goes to the end of the preceding code, or after a file's first
 * statement.
 */
function insertBefore(place: Place, hit: string, tree: SyntaxTree, typescript: boolean): Insertion {
  const { node, order } = place;
  const siblings = node.parent?.children ?? [];
  const own = siblings.indexOf(node);
  let index = own - 1;
  while (siblings[index]?.kind === "comment") index -= 1;
  const isTyped = siblings.slice(index + 1, own).some((comment) => isType(comment, node, tree));
  if (typescript || !isTyped) return { at: node.start, text: `${hit};`, side: "open", order };
  const anchor = siblings[index];
  if (anchor === undefined || anchor.kind === "hash_bang_line") {
    return { at: endOf(node), text: `;${hit};`, side: "close", order: 0 };
  }
  if (!anchor.named) return { at: anchor.end, text: `${hit};`, side: "open", order };
  return { at: endOf(anchor), text: `;${hit};`, side: "close", order: 0 };
}

function isType(comment: SyntaxNode, node: SyntaxNode, tree: SyntaxTree): boolean {
  if (comment.startLine === node.startLine) return false;
  const text = tree.text.slice(comment.start, comment.end);
  return /^\/\*\*[\s\S]*@(?:type|satisfies|enum|const|template)\b/.test(text);
}

/**
 * Inserts the counting function at the file's end, so that directives, tool comments and the shebang line stay first.
 * JavaScript hoists the function and its variables. The file's functions can therefore use it before the file's first
 * line has run (circular imports). The function uses no name that the file could define. It reaches the realm's
 * registry by a symbol, which checks for leaked globals do not see.
 */
function placeCounting(root: SyntaxNode, text: string): Insertion {
  const last = root.children.findLast((child) => child.kind !== "comment");
  return { at: last ? endOf(last) : root.end, text: `;${text}`, side: "open", order: -1 };
}

function makeCounting(name: string, path: string, places: readonly Place[], typescript: boolean): string {
  const lines = places.map((place) => encodeLines(place.lines)).join(",");
  const file = JSON.stringify(path).replace(/[\u2028\u2029]/g, "");
  // Typed, because a project's build may check its types, even in JavaScript.
  const any = (one: string): string => (typescript ? `${one}:any` : `/** @type {any} */${one}`);
  const realm = typescript ? "globalThis as any" : "/** @type {any} */(globalThis)";
  return [
    `var ${any(name)},${any(`${name}f`)};function ${name}h(${any("i")}){if(!${name}){`,
    `var g=${realm},k=g.Symbol.for("millwright.counters");`,
    `if(!g[k])g.Object.defineProperty(g,k,{value:g.Object.create(null),configurable:true});`,
    `var r=g[k];${name}f=r[${file}]||(r[${file}]={lines:[${lines}],seen:new g.Uint8Array(${places.length}),hits:[]});`,
    `${name}=${name}f.seen}`,
    `if(!${name}[i]){${name}[i]=1;${name}f.hits.push(i)}return 1}`,
  ].join("");
}

/** Encodes a single line as a number, and several lines as pairs of first and last line. */
function encodeLines(lines: readonly number[]): string {
  if (lines.length === 1) return String(lines[0]);
  const pairs: number[] = [];
  for (const line of lines) {
    if (pairs.at(-1) === line - 1) pairs[pairs.length - 1] = line;
    else pairs.push(line, line);
  }
  return `[${pairs.join(",")}]`;
}
